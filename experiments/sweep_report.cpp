#include <fmt/format.h>

#include <algorithm>
#include <experiments/report_parts.hpp>
#include <experiments/sweep_report.hpp>
#include <experiments/web_page.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_render/png.hpp>
#include <rumple_render/sheet_renderer.hpp>
#include <set>

namespace rumple {
namespace {

namespace fs = std::filesystem;
using farm::ResultTable;

constexpr std::size_t kRowsShown = 200;

bool is_number(const std::string& cell) {
    char* end = nullptr;
    (void)std::strtod(cell.c_str(), &end);
    return !cell.empty() && *end == '\0';
}

std::string short_cell(const std::string& number) {
    return fmt::format("{:.5g}", std::strtod(number.c_str(), nullptr));
}

// The values of the keys in one row, without the seed.
std::vector<std::string> values_in(const ResultTable& table, const std::vector<std::string>& row) {
    std::vector<std::string> values;
    for (std::size_t k = 0; k < table.keys.size(); ++k)
        if (table.keys[k] != table.seed_key) values.push_back(row[k + 1]);
    return values;
}

// Keys whose values tell rows apart, but not the seed's; where all are the same, all of them.
std::vector<std::size_t> telling_keys(const ResultTable& table) {
    std::vector<std::size_t> all, telling;
    for (std::size_t k = 0; k < table.keys.size(); ++k) {
        if (table.keys[k] == table.seed_key) continue;
        all.push_back(k);
        if (values_of_key(table, table.keys[k]).size() > 1) telling.push_back(k);
    }
    return telling.empty() ? all : telling;
}

// "cotton, hold 100"
std::string label_of(const ResultTable& table, const std::vector<std::size_t>& keys,
                     const std::vector<std::string>& row) {
    std::vector<std::string> parts;
    for (const std::size_t k : keys) {
        const std::string key = table.keys[k].substr(table.keys[k].rfind('.') + 1);
        parts.push_back(is_number(row[k + 1]) ? fmt::format("{} {}", key, short_cell(row[k + 1]))
                                              : row[k + 1]);
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

// One complete row for each combination of keys, the first seed; evenly chosen where they are too many.
std::vector<std::size_t> rows_to_show(const ResultTable& table, std::size_t max_tiles) {
    const std::vector<std::string> status = table.text("status");
    std::vector<std::size_t> rows;
    std::set<std::vector<std::string>> met;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (status[i] == "complete" && met.insert(values_in(table, table.rows[i])).second) rows.push_back(i);
    if (rows.size() <= max_tiles) return rows;
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < max_tiles; ++i) some.push_back(rows[i * rows.size() / max_tiles]);
    return some;
}

// Where the last key takes the same few values in turn, each row of pictures shows them all. 0: as fits.
int columns_of(const ResultTable& table, const std::vector<std::size_t>& rows) {
    constexpr std::size_t kMaxColumns = 6;
    std::vector<std::string> last;
    for (const std::size_t i : rows) {
        const std::vector<std::string> values = values_in(table, table.rows[i]);
        if (values.empty()) return 0;
        last.push_back(values.back());
    }
    std::size_t period = 1;
    while (period < last.size() && last[period] != last[0]) ++period;
    if (period < 2 || period > kMaxColumns || last.size() % period != 0) return 0;
    for (std::size_t i = period; i < last.size(); ++i)
        if (last[i] != last[i - period]) return 0;
    return static_cast<int>(period);
}

void write_sheet(const fs::path& out, const ResultTable& table, const std::vector<std::size_t>& rows,
                 int threads_wanted) {
    std::vector<RenderSource> sources;
    PictureRequest request;
    const std::vector<std::size_t> keys = telling_keys(table);
    for (const std::size_t i : rows) {
        sources.emplace_back(out / table.rows[i].front());
        request.labels.push_back(label_of(table, keys, table.rows[i]));
    }
    std::size_t frames = 1;
    for (const RenderSource& source : sources) frames = std::max(frames, source.frame_count());
    request.light = LightKind::raking;
    request.settings = {320, 360, 8};
    request.columns = columns_of(table, rows);
    const Moment end = at_frame(sources, frames - 1);
    const Threads threads(threads_wanted);
    write_png(out / "contact_sheet.png",
              SheetRenderer(sources, std::move(request), {end}, threads).take(end));
}

std::string file_name(const std::string& measure, const std::string& key) {
    std::string name = measure + "-" + key;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == ' '; }, '_');
    return name;
}

std::string row_html(const std::vector<std::string>& cells, const char* tag) {
    std::string html = "<tr>";
    for (const std::string& cell : cells) {
        const bool number = is_number(cell);
        html += fmt::format("<{0}{1}>{2}</{0}>", tag, number ? " class=\"number\"" : "",
                            number ? short_cell(cell) : html_text(cell));
    }
    return html + "</tr>\n";
}

std::string table_html(const ResultTable& table) {
    std::string html = "<section><h2>Results</h2>\n<p class=\"summary\">";
    html += table.rows.size() > kRowsShown
                ? fmt::format("The first {} of {} rows. ", kRowsShown, table.rows.size())
                : "";
    html +=
        "All digits are in <a href=\"results.csv\">results.csv</a>.</p>\n<div class=\"scroll\" "
        "tabindex=\"0\"><table><thead>" +
        row_html(table.columns, "th") + "</thead><tbody>\n";
    for (std::size_t i = 0; i < std::min(kRowsShown, table.rows.size()); ++i)
        html += row_html(table.rows[i], "td");
    return html + "</tbody></table></div></section>\n";
}

// "phases.hold.hold: 0, 10, 100, 1000"
std::string key_html(const ResultTable& table, const std::string& key) {
    constexpr std::size_t kMaxValues = 8, kMaxText = 60;
    std::vector<std::string> values = values_of_key(table, key);
    for (std::string& value : values)
        if (is_number(value)) value = short_cell(value);
    std::string text = fmt::format("{}", fmt::join(values, ", "));
    if (values.size() > kMaxValues || text.size() > kMaxText)
        text = fmt::format("{} value{}", values.size(), values.size() == 1 ? "" : "s");
    return html_text(fmt::format("{}: {}", key, text)) + (key == table.seed_key ? " (seeds)" : "");
}

std::string header_html(const farm::Plan& plan, const ResultTable& table) {
    const std::vector<std::string> status = table.text("status"), processors = table.processors();
    const auto complete = std::count(status.begin(), status.end(), "complete"),
               failed = std::count(status.begin(), status.end(), "failed");
    std::string html =
        fmt::format("<header><h1>A sweep of {}</h1>\n<p class=\"lede\">{} of {} runs are complete",
                    html_text(plan.name), complete, status.size());
    if (failed > 0) html += fmt::format(", {} failed", failed);
    html += ".</p>\n";
    if (processors.size() > 1)
        html += fmt::format(
            "<p class=\"warning\">The runs were made on {} kinds of processors; their last digits may "
            "differ. "
            "The column “processor” says which.</p>\n",
            processors.size());
    html += fmt::format("<dl><dt>Program</dt><dd>Rumple {} (source {})</dd>", version(), source_hash());
    std::vector<std::string> keys;
    for (const std::string& key : plan.keys) keys.push_back(key_html(table, key));
    html += fmt::format("<dt>Keys</dt><dd>{}</dd>", fmt::join(keys, "<br>"));
    html +=
        fmt::format("<dt>Runs</dt><dd>{}, {} shared beginnings</dd>", plan.rows.size(), plan.beginnings());
    html += fmt::format("<dt>Processor</dt><dd>{}</dd></dl></header>\n",
                        html_text(fmt::format("{}", fmt::join(processors, "; "))));
    return html;
}

std::string page(const farm::Plan& plan, const ResultTable& table, const std::vector<std::string>& plots,
                 const std::string& sheet) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>Rumple: a sweep of {}</title>\n"
        "<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n<script>{}</script>\n</head>\n<body>\n",
        html_text(plan.name), kReportStyle, kReportScript);
    html += header_html(plan, table) + "<main>\n";
    if (!plots.empty()) {
        html += "<section><h2>Plots</h2>\n<p class=\"summary\">";
        html += table.seed_key.empty()
                    ? "One value a point."
                    : "Means over the seeds, with 95 % confidence intervals (Student’s t).";
        html += "</p>\n<div class=\"figures\">\n";
        for (const std::string& svg : plots) html += fmt::format("<figure><div>{}</div></figure>\n", svg);
        html += "</div></section>\n";
    }
    if (!sheet.empty())
        html += fmt::format(
            "<section><h2>Contact sheet</h2>\n<div class=\"figures\"><figure class=\"wide\"><div>{}</div>"
            "<figcaption>The end of each run, the first seed; one camera and one light.</figcaption>"
            "</figure></div></section>\n",
            sheet);
    return html + table_html(table) + "</main>\n</body>\n</html>\n";
}

}  // namespace

fs::path write_sweep_report(const fs::path& out, const farm::Plan& plan, const ResultTable& table,
                            const SweepReportOptions& options) {
    std::vector<std::pair<std::string, Plot>> plots;
    const bool chosen = !options.plots.empty();
    for (const auto& [measure, key] : chosen ? options.plots : default_sweep_plots(table))
        plots.emplace_back(file_name(measure, key), sweep_plot(table, measure, key));
    write_atomically(out / "results.csv", to_csv(table));
    std::vector<std::string> drawn;
    for (const auto& [name, plot] : plots) {
        std::string svg;
        try {
            svg = plot_svg(plot);
        } catch (const InputError&) {  // no number to draw yet
            if (chosen) throw;
            continue;
        }
        fs::create_directories(out / "plots");
        write_atomically(out / "plots" / (name + ".svg"), svg);
        drawn.push_back(svg.substr(std::min(svg.size(), svg.find("<svg"))));
    }
    std::string sheet;
    const std::vector<std::size_t> shown = rows_to_show(table, static_cast<std::size_t>(options.max_tiles));
    if (!shown.empty()) {
        try {
            write_sheet(out, table, shown, options.threads);
            sheet = fmt::format("<img alt=\"the cloth at the end of each run\" src=\"{}\">",
                                data_uri("image/png", read_file(out / "contact_sheet.png")));
        } catch (const InputError& error) {  // the numbers do not depend on it
            sheet = fmt::format("<p class=\"warning\">There is no picture: {}</p>", html_text(error.what()));
        }
    }
    const fs::path path = out / "report.html";
    write_atomically(path, page(plan, table, drawn, sheet));
    return path;
}

}  // namespace rumple
