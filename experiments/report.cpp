#include <fmt/format.h>

#include <algorithm>
#include <experiments/experiment.hpp>
#include <experiments/report.hpp>
#include <experiments/report_parts.hpp>
#include <experiments/web_page.hpp>
#include <functional>
#include <map>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <set>

namespace rumple {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::uintmax_t kEmbeddedFilm = 6u << 20;  // bytes; larger films are linked

// Of one verdict: how it is marked, so that it can be read without its colour.
struct Mark {
    const char *style, *sign, *word;
};
Mark mark_of(const std::string& verdict) {
    if (verdict == to_string(Verdict::holds)) return {"holds", "✓", "holds"};
    if (verdict == to_string(Verdict::does_not_hold)) return {"fails", "✗", "does not hold"};
    if (verdict == to_string(Verdict::one_run)) return {"open", "1", "one run"};
    return {"open", "?", "not decided"};
}

struct Tally {
    int holds = 0, fails = 0, open = 0;
    int all() const { return holds + fails + open; }
};
Tally tally_of(const json& verdict) {
    Tally t;
    for (const json& claim : verdict.value("claims", json::array())) {
        const std::string style = mark_of(claim.value("verdict", "")).style;
        ++(style == "holds" ? t.holds : style == "fails" ? t.fails : t.open);
    }
    return t;
}

std::string in_words(const Tally& t) {
    std::string words = fmt::format("{} of {} claims hold", t.holds, t.all());
    if (t.fails > 0) words += fmt::format(", {} do{} not", t.fails, t.fails == 1 ? "es" : "");
    if (t.open > 0) words += fmt::format(", {} not decided", t.open);
    return words;
}

std::string text_of(const json& object, const char* key) {
    return html_text(object.is_object() ? object.value(key, std::string()) : std::string());
}

// A number, or the word that verdict.json has in its place ("inf").
std::string number_of(const json& value, const char* format = "{:.4g}") {
    if (value.is_number()) return fmt::format(fmt::runtime(format), value.get<double>());
    const std::string word = value.is_string() ? value.get<std::string>() : "?";
    return word == "inf" ? "∞" : html_text(word);
}

std::string claim_row(const json& claim) {
    const Mark mark = mark_of(claim.value("verdict", ""));
    const std::size_t count = claim.at("values").size();
    const json interval = claim.value("interval", json::array());  // files of older versions have none
    const std::string spread =
        count < 2 || interval.size() != 2
            ? "–"
            : fmt::format("{} … {}", number_of(interval[0], "{:.3g}"), number_of(interval[1], "{:.3g}"));
    const std::string relation = claim.value("relation", ""), bound = number_of(claim.at("bound"), "{:g}");
    const std::string target = relation == "within" ? "1 ± " + bound
                               : relation == ">="   ? "≥ " + bound
                                                    : "≤ " + bound;
    std::string row = fmt::format("<tr><td class=\"verdict {}\"><span aria-hidden=\"true\">{}</span> {}</td>",
                                  mark.style, mark.sign, mark.word);
    row += fmt::format("<td class=\"claim\">{}<small>{}</small>", text_of(claim, "claim"),
                       text_of(claim, "quantity"));
    const std::pair<const char*, const char*> remarks[] = {
        {"why", "Bound: "}, {"changed", "Changed after a look: "}, {"note", ""}};
    for (const auto& [key, before] : remarks)
        if (claim.contains(key)) row += fmt::format("<small>{}{}</small>", before, text_of(claim, key));
    row += fmt::format(
        "</td><td class=\"number\" data-name=\"Measured\">{}</td><td class=\"number\" "
        "data-name=\"95 %\">{}</td><td class=\"number\" data-name=\"Bound\">{}</td><td class=\"number\" "
        "data-name=\"Values\">{}</td></tr>\n",
        number_of(claim.at("mean")), spread, target, count);
    return row;
}

std::string claims_table(const json& claims) {
    std::string table =
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"claims\"><thead><tr><th>Verdict</th><th>Claim, "
        "and what is "
        "measured</th>"
        "<th>Measured</th><th>95 % interval</th><th>Bound</th><th>Values</th></tr></thead><tbody>\n";
    for (const json& claim : claims) table += claim_row(claim);
    return table + "</tbody></table></div>\n";
}

// Width and height stand in a PNG's first chunk; the page then keeps their place before they are decoded.
std::pair<unsigned, unsigned> png_size(const std::string& png) {
    const auto number = [&](std::size_t at) {
        unsigned n = 0;
        for (std::size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<unsigned char>(png[at + i]);
        return n;
    };
    return png.size() < 24 ? std::pair{0u, 0u} : std::pair{number(16), number(20)};
}

std::string media(const fs::path& folder, const std::string& file, const std::string& caption, bool& wide) {
    const fs::path path = folder / file;
    const std::string extension = path.extension().string();
    if (extension == ".mp4" && fs::file_size(path) > kEmbeddedFilm)
        return fmt::format("<p><a href=\"{0}/{1}\">Film: {0}/{1}</a></p>",
                           html_text(folder.filename().string()), html_text(file));
    const std::string bytes = read_file(path);
    if (extension == ".svg") return bytes.substr(std::min(bytes.size(), bytes.find("<svg")));
    if (extension == ".mp4") {
        const fs::path poster = fs::path(path).replace_extension(".poster.png");
        std::string before;
        if (fs::is_regular_file(poster)) {
            const std::string png = read_file(poster);
            const auto [width, height] = png_size(png);
            wide = width > 1.6 * height || width > 900;
            before = fmt::format(" width=\"{}\" height=\"{}\" poster=\"{}\"", width, height,
                                 data_uri("image/png", png));
        }
        return fmt::format("<video controls muted loop playsinline preload=\"auto\"{} src=\"{}\"></video>",
                           before, data_uri("video/mp4", bytes));
    }
    const auto [width, height] = png_size(bytes);
    wide = width > 1.6 * height || width > 900;
    return fmt::format("<img alt=\"{}\" width=\"{}\" height=\"{}\" src=\"{}\">", html_text(caption), width,
                       height, data_uri("image/png", bytes));
}

std::string figure_html(const ReportEntry& entry, const json& figure) {
    const std::string file = figure.value("file", ""), caption = figure.value("caption", "");
    std::string inside, trouble = figure.value("trouble", "");
    bool wide = false;
    if (trouble.empty()) try {
            inside = media(entry.folder, file, caption, wide);
        } catch (const std::exception& error) {
            trouble = error.what();
        }
    if (!trouble.empty())
        inside = fmt::format("<p class=\"warning\">{} could not be shown: {}</p>", html_text(file),
                             html_text(trouble));
    return fmt::format("<figure{}><div>{}</div><figcaption>{}</figcaption></figure>\n",
                       wide ? " class=\"wide\"" : "", inside, html_text(caption));
}

// With a capital and a stop.
std::string sentence(std::string words) {
    if (words.empty()) return words;
    if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words.back() == '?' ? words : words + ".";
}

std::string section(const ReportEntry& entry) {
    const json& v = entry.verdict;
    std::string html =
        fmt::format("<section id=\"{0}\"><h2>{0}</h2>\n<p class=\"summary\">{1} {2}.</p>\n",
                    text_of(v, "experiment"), sentence(text_of(v, "summary")), in_words(tally_of(v)));
    html += fmt::format(
        "<div class=\"sides\"><div><h3>The paper says</h3><p>{}</p></div><div><h3>Run here</h3><p>{}</p>"
        "</div></div>\n",
        text_of(v, "paper"), text_of(v, "ours"));
    html += claims_table(v.value("claims", json::array()));
    if (!v.value("figures", json::array()).empty()) {
        html += "<div class=\"figures\">\n";
        for (const json& figure : v.at("figures")) html += figure_html(entry, figure);
        html += "</div>\n";
    }
    const std::string ran = entry.ran.is_object()
                                ? fmt::format(", {:.0f} s, finished {}", entry.ran.value("seconds", 0.0),
                                              text_of(entry.ran, "finished"))
                                : "";
    return html + fmt::format("<p class=\"summary\">Size {}, Rumple {}{}. Files: {}/</p></section>\n",
                              text_of(v, "size"), text_of(v, "version"), ran,
                              html_text(entry.folder.filename().string()));
}

// Each different value once, in the order they come.
std::string listed(const std::vector<ReportEntry>& entries,
                   const std::function<std::string(const ReportEntry&)>& value) {
    std::vector<std::string> seen;
    for (const ReportEntry& e : entries) {
        const std::string v = value(e);
        if (!v.empty() && std::find(seen.begin(), seen.end(), v) == seen.end()) seen.push_back(v);
    }
    return fmt::format("{}", fmt::join(seen, "; "));
}

std::string header(const std::vector<ReportEntry>& entries) {
    Tally all;
    bool smoke = false;
    for (const ReportEntry& e : entries) {
        const Tally t = tally_of(e.verdict);
        all = {all.holds + t.holds, all.fails + t.fails, all.open + t.open};
        smoke = smoke || e.verdict.value("size", "") == to_string(Size::smoke);
    }
    std::string html = fmt::format(
        "<header><h1>Cloth that remembers: the paper’s claims, run</h1>\n<p class=\"lede\">{}.</p>\n",
        in_words(all));
    if (smoke)
        html +=
            "<p class=\"warning\">Smoke size: this shows that everything runs. The meshes are too coarse, "
            "and the "
            "pictures too small, for the verdicts to mean anything.</p>\n";
    html +=
        "<p>Claims of D. Gong, Y. Yang, T. Shao, H. Wang, <cite>Cloth Animation with Time-dependent "
        "Persistent "
        "Wrinkles</cite> (Eurographics 2025), each turned into a number and judged by a bound of "
        "ours. The paper shows pictures and gives few numbers; docs/experiments.md says which bounds were "
        "set "
        "after looking.</p>\n<dl>";
    const auto fact = [&](const char* name, const std::string& value) {
        if (!value.empty()) html += fmt::format("<dt>{}</dt><dd>{}</dd>", name, value);
    };
    fact("Program",
         "Rumple " + listed(entries, [](const ReportEntry& e) { return text_of(e.verdict, "version"); }));
    fact("Size", listed(entries, [](const ReportEntry& e) { return text_of(e.verdict, "size"); }));
    fact("Machine", listed(entries, [](const ReportEntry& e) { return text_of(e.ran, "machine"); }));
    std::set<std::string> finished;
    for (const ReportEntry& e : entries) finished.insert(text_of(e.ran, "finished"));
    if (!finished.empty())
        fact("Finished",
             finished.size() == 1 ? *finished.begin() : *finished.begin() + " to " + *finished.rbegin());
    html +=
        "</dl>\n<nav aria-label=\"Experiments\"><div class=\"scroll\"><table><thead><tr><th>Experiment</th>"
        "<th>✓ holds</th><th>✗ does not</th><th>? not decided</th></tr></thead><tbody>\n";
    for (const ReportEntry& e : entries) {
        const Tally t = tally_of(e.verdict);
        html += fmt::format(
            "<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"number\">{1}</td><td class=\"number\">{2}</td>"
            "<td class=\"number\">{3}</td></tr>\n",
            text_of(e.verdict, "experiment"), t.holds, t.fails, t.open);
    }
    return html + "</tbody></table></div></nav></header>\n";
}

constexpr const char* kFooter =
    "<footer><h3>How to read the verdicts</h3><p>Measured is the mean over the seeds, the geometric mean "
    "where "
    "it is a ratio; beside it stands its 95 % confidence interval (Student’s t). A claim holds when the "
    "whole "
    "interval meets the bound, and does not hold when none of it does; otherwise the seeds do not decide it. "
    "A single value decides nothing: “one run”. “1 ± 0.05” asks for a value within 0.05 of 1.</p><p>Figures "
    "show the first seed; tiles of one picture share camera, light and exposure. The values of every seed "
    "are in each folder’s "
    "verdict.json, "
    "the curves in its .csv files.</p></footer>\n";

}  // namespace

std::vector<ReportEntry> report_entries(const fs::path& out) {
    std::map<std::string, ReportEntry> found;
    if (fs::is_directory(out))
        for (const auto& item : fs::directory_iterator(out)) {
            const fs::path file = item.path() / "verdict.json";
            if (!fs::is_regular_file(file)) continue;
            ReportEntry entry{item.path(), json::parse(read_file(file), nullptr, false), {}};
            if (!entry.verdict.is_object() || !entry.verdict.contains("experiment"))
                throw InputError(file.string(), "this is not a verdict",
                                 "remove it, or reproduce the experiment again");
            const fs::path ran = item.path() / "ran.json";
            if (fs::is_regular_file(ran)) entry.ran = json::parse(read_file(ran), nullptr, false);
            found[entry.verdict["experiment"].get<std::string>()] = std::move(entry);
        }
    std::vector<ReportEntry> entries;
    for (const Experiment& e : experiments())
        if (auto known = found.extract(e.name)) entries.push_back(std::move(known.mapped()));
    for (auto& [name, entry] : found) entries.push_back(std::move(entry));
    return entries;
}

std::string report_html(const std::vector<ReportEntry>& entries) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>Rumple: the paper’s claims, run</title>\n"
        "<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n<script>{}</script>\n</head>\n<body>\n",
        kReportStyle, kReportScript);
    html += header(entries) + "<main>\n";
    for (const ReportEntry& entry : entries) html += section(entry);
    return html + "</main>\n" + kFooter + "</body>\n</html>\n";
}

fs::path write_report(const fs::path& out) {
    const std::vector<ReportEntry> entries = report_entries(out);
    if (entries.empty()) throw InputError(out.string(), "there is no verdict.json to report on");
    fs::path path = out / "report.html";
    write_atomically(path, report_html(entries));
    return path;
}

}  // namespace rumple
