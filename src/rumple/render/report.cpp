#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/render/csv_table.hpp>
#include <rumple/render/curves.hpp>
#include <rumple/render/film.hpp>
#include <rumple/render/png.hpp>
#include <rumple/render/report.hpp>
#include <rumple/render/studio.hpp>
#include <rumple/render/web_page.hpp>
#include <thread>

namespace rumple {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kFilmFrames = 60, kTableRows = 30;

std::vector<fs::path> sorted(const fs::path& folder) {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

struct ExperimentFolder {
    std::string name;
    fs::path path;
    nlohmann::json verdict;
    std::vector<fs::path> groups;  // folders that hold runs
    std::vector<fs::path> tables;
};

bool holds_runs(const fs::path& folder) {
    if (!fs::is_directory(folder)) return false;
    for (const fs::path& entry : sorted(folder))
        if (fs::is_directory(entry / "cache")) return true;
    return false;
}

// Repetitions with other seeds look alike: the first stands for all.
bool is_repetition(const std::string& name) {
    const std::size_t at = name.rfind("seed");
    return at != std::string::npos && name.substr(at) != "seed1";
}

ExperimentFolder open_experiment(const fs::path& path) {
    ExperimentFolder e;
    e.name = path.filename().string();
    e.path = path;
    e.verdict = nlohmann::json::parse(read_file(path / "verdict.json"), nullptr, false);
    if (!e.verdict.is_object() || !e.verdict.contains("claims") || !e.verdict["claims"].is_array())
        throw InputError((path / "verdict.json").string(),
                         "this is not a verdict that rumple reproduce wrote");
    for (const fs::path& entry : sorted(path)) {
        if (entry.extension() == ".csv") e.tables.push_back(entry);
        if (holds_runs(entry) && !is_repetition(entry.filename().string())) e.groups.push_back(entry);
    }
    return e;
}

std::vector<ExperimentFolder> open_experiments(const fs::path& results,
                                               const std::vector<std::string>& order) {
    if (!fs::is_directory(results)) throw InputError(results.string(), "there is no such folder");
    std::vector<ExperimentFolder> found;
    if (fs::exists(results / "verdict.json")) found.push_back(open_experiment(results));
    for (const fs::path& entry : sorted(results))
        if (fs::exists(entry / "verdict.json")) found.push_back(open_experiment(entry));
    if (found.empty())
        throw InputError(results.string(), "no experiment was reproduced here: no verdict.json",
                         "run rumple reproduce first");
    const auto rank = [&](const ExperimentFolder& e) {
        return std::find(order.begin(), order.end(), e.name) - order.begin();
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return found;
}

std::string number(const nlohmann::json& value) {
    return value.is_number()   ? short_number(value.get<double>())
           : value.is_string() ? value.get<std::string>()
                               : "";
}

std::string verdict_class(const std::string& verdict) {
    return verdict == "holds" ? "holds" : verdict == "does not hold" ? "fails" : "open";
}

std::string claims_table(const nlohmann::json& claims) {
    std::string html =
        "<table class=\"claims\"><thead><tr><th>the paper's statement, as a number</th><th>what was "
        "measured</th>"
        "<th>ours</th><th>asked</th><th>verdict</th></tr></thead><tbody>\n";
    for (const auto& c : claims) {
        const std::string verdict = c.value("verdict", ""), relation = c.value("relation", ""),
                          bound = number(c.value("bound", nlohmann::json()));
        const double noise = c.contains("noise") && c["noise"].is_number() ? c["noise"].get<double>() : 0;
        const std::string ours = number(c.value("mean", nlohmann::json())) +
                                 (noise > 0 ? fmt::format(" ± {}", fmt::format("{:.2g}", noise)) : "");
        const std::string asked = relation == "within"
                                      ? fmt::format("1 ± {}", bound)
                                      : fmt::format("{} {}", relation == ">=" ? "≥" : "≤", bound);
        const std::string note = c.value("note", "");
        html += fmt::format(
            "<tr><td>{}{}</td><td data-name=\"measured\">{}</td><td class=\"number\" "
            "data-name=\"ours\">{}</td>"
            "<td class=\"number\" data-name=\"asked\">{}</td><td class=\"{}\">{}</td></tr>\n",
            html_text(c.value("claim", "")),
            note.empty() ? "" : fmt::format("<div class=\"note\">{}</div>", html_text(note)),
            html_text(c.value("quantity", "")), ours, asked, verdict_class(verdict), html_text(verdict));
    }
    return html + "</tbody></table>\n";
}

template <class AnyPlot>
std::string plot_figure(const AnyPlot& plot, const std::string& caption) {
    return figure(image_tag("image/svg+xml", plot_svg(plot), caption), caption);
}

// One curve for each value of the column `by`.
Plot curves_by(const CsvTable& table, const std::string& by, const std::string& x, const std::string& y) {
    Plot plot;
    const std::vector<std::string> keys = table.text(by);
    const std::vector<double> xs = table.numbers(x), ys = table.numbers(y);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string name = fmt::format("{} {}", by, keys[i]);
        auto found = std::find_if(plot.series.begin(), plot.series.end(),
                                  [&](const Series& s) { return s.name == name; });
        if (found == plot.series.end())
            found = plot.series.insert(plot.series.end(), Series{name, {}, {}, false, false});
        found->x.push_back(xs[i]);
        found->y.push_back(ys[i]);
    }
    return plot;
}

// Tables whose columns are known become plots; short ones are shown as they are.
std::string tables_html(const ExperimentFolder& e) {
    std::string html;
    Plot torque;
    torque.x = {"angle", "degrees", false, {}};
    torque.y = {"torque", "N m", false, {}};
    for (const fs::path& path : e.tables) {
        const CsvTable table = read_csv(path);
        if (table.has("hold_s") && table.has("recovery") && table.columns.size() == 3 &&
            !table.rows.empty()) {
            Plot plot = curves_by(table, table.columns[0], "hold_s", "recovery");
            plot.x = {"time held", "s", true, {}};
            plot.y = {"recovery", "", false, {}};
            html += plot_figure(plot, "Recovery against the time it was held");
        } else if (table.has("angle_deg") && table.has("torque_Nm") && !table.rows.empty()) {
            torque.series.push_back(
                {path.stem().string(), table.numbers("angle_deg"), table.numbers("torque_Nm"), false, false});
        } else if (!table.rows.empty() && table.rows.size() <= kTableRows) {
            html += figure(table_tag(table), path.filename().string());
        }
    }
    if (!torque.series.empty()) {
        torque.width = 860;
        html += plot_figure(torque, "Torque against angle");
    }
    return html;
}

class ReportWriter {
  public:
    ReportWriter(const fs::path& results, const ReportOptions& options, const Threads& threads)
        : options_(options), threads_(threads), experiments_(open_experiments(results, options.order)) {}

    std::string page(const fs::path& scratch);

  private:
    std::string facts() const;
    std::string experiment_html(const ExperimentFolder& e, const fs::path& scratch);
    std::string group_html(const ExperimentFolder& e, const fs::path& group, const fs::path& film);
    std::string film_html(const std::vector<RenderSource>& sources, const fs::path& film) const;
    PictureRequest request(int tile) const;

    const ReportOptions& options_;
    const Threads& threads_;
    std::vector<ExperimentFolder> experiments_;
    double seconds_ = 0;  // of simulation, as the runs shown tell
    std::size_t done_ = 0, total_ = 0;
};

PictureRequest ReportWriter::request(int tile) const {
    PictureRequest request;
    request.settings = {tile, tile, options_.samples};
    return request;
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
    return "an unnamed processor";
}

std::string ReportWriter::facts() const {
    std::size_t claims = 0, hold = 0;
    for (const ExperimentFolder& e : experiments_)
        for (const auto& c : e.verdict["claims"]) {
            ++claims;
            hold += c.value("verdict", "") == "holds";
        }
    const auto& first = experiments_.front().verdict;
    return fmt::format(
        "<p>{} of {} claims hold.</p>\n<p class=\"facts\">Rumple {}, size {}, on {} with {} threads; the "
        "runs shown took {} of "
        "simulation. Pictures of one sheet share camera, light and exposure.</p>\n",
        hold, claims, html_text(first.value("version", "")), html_text(first.value("size", "")),
        html_text(processor_name()), std::thread::hardware_concurrency(), clock_text(seconds_));
}

std::string ReportWriter::film_html(const std::vector<RenderSource>& sources, const fs::path& film) const {
    std::size_t frames = 1;
    for (const RenderSource& source : sources) frames = std::max(frames, source.frame_count());
    if (options_.ffmpeg.empty() || frames < 2) return "";
    const std::size_t every = frames / kFilmFrames + 1;
    std::vector<Moment> moments;
    for (std::size_t frame = 0; frame < frames; frame += every) moments.push_back(at_frame(sources, frame));
    PictureRequest wanted = request(options_.tile * 4 / 5);
    wanted.settings.samples = std::min(8, options_.samples);
    wanted.captions = true;
    const Studio studio(sources, wanted, moments, threads_);
    std::unique_ptr<FilmWriter> writer;
    for (const Moment& moment : moments) {
        const Picture picture = studio.take(moment);
        if (!writer)
            writer = std::make_unique<FilmWriter>(options_.ffmpeg, film, picture.width, picture.height,
                                                  sources.front().frame_rate() / double(every));
        writer->add(picture);
    }
    writer->finish();
    const std::string bytes = read_file(film);
    fs::remove(film);
    return figure(film_tag(bytes), "The runs in dynamic time; the clock shows material time");
}

std::string ReportWriter::group_html(const ExperimentFolder& e, const fs::path& group, const fs::path& film) {
    const std::vector<RenderSource> sources = open_sources({group.string()});
    const std::string name = group.filename().string();
    if (options_.progress)
        options_.progress(double(done_) / double(std::max<std::size_t>(1, total_)), e.name + " " + name);
    ++done_;
    for (const RenderSource& source : sources)
        if (fs::exists(source.run_folder() / "timing.json")) {
            const auto timing =
                nlohmann::json::parse(read_file(source.run_folder() / "timing.json"), nullptr, false);
            if (timing.is_object() && timing.contains("seconds"))
                seconds_ += timing["seconds"].value("total", 0.0);
        }
    std::size_t frames = 1;
    for (const RenderSource& source : sources) frames = std::max(frames, source.frame_count());
    const Moment end = at_frame(sources, frames - 1);
    PictureRequest wanted = request(options_.tile);
    wanted.light = LightKind::raking;  // what is judged are wrinkles
    const Picture sheet = Studio(sources, wanted, {end}, threads_).take(end);
    std::string html =
        figure(image_tag("image/png", encode_png(sheet), e.name + " " + name), name + ": at the end");
    if (film.empty()) return html;
    html += film_html(sources, film);
    const bool measured = std::all_of(sources.begin(), sources.end(), [](const RenderSource& source) {
        return fs::exists(source.run_folder() / "metrics.csv") &&
               read_csv(source.run_folder() / "metrics.csv").has("angle_change_rms");
    });
    if (measured)
        html += plot_figure(metrics_plot(sources, {"angle_change_rms"}, "time"),
                            name + ": change of angle over dynamic time, RMS over all hinges");
    return html;
}

std::string ReportWriter::experiment_html(const ExperimentFolder& e, const fs::path& scratch) {
    std::string html = fmt::format("<h2 id=\"{0}\">{0}</h2>\n", html_text(e.name));
    if (const auto found = options_.summaries.find(e.name); found != options_.summaries.end())
        html += fmt::format("<p>{}</p>\n", html_text(found->second));
    html += claims_table(e.verdict["claims"]);
    const std::size_t shown = std::min(e.groups.size(), std::size_t(std::max(0, options_.groups)));
    // The first group gets a film and a curve as well.
    for (std::size_t g = 0; g < shown; ++g) html += group_html(e, e.groups[g], g == 0 ? scratch : fs::path());
    if (shown < e.groups.size()) {
        html += "<p class=\"facts\">Not shown:\n";
        for (std::size_t g = shown; g < e.groups.size(); ++g)
            html += fmt::format("{}\n", html_text(e.groups[g].filename().string()));
        html += "</p>\n";
    }
    return html + tables_html(e);
}

std::string ReportWriter::page(const fs::path& scratch) {
    for (const ExperimentFolder& e : experiments_)
        total_ += std::min(e.groups.size(), std::size_t(std::max(0, options_.groups)));
    std::string links = "<nav>", experiments;
    for (const ExperimentFolder& e : experiments_) {
        links += fmt::format("<a href=\"#{0}\">{0}</a> ", html_text(e.name));
        experiments += experiment_html(e, scratch);
    }
    std::vector<Material> presets;
    for (const char* name : {"cotton", "denim", "polyester"})
        if (const Material* material = find_preset(name)) presets.push_back(*material);
    const std::string memory = fmt::format(
        "<h2>How cloth remembers</h2>\n<p>Friction sticks harder the longer it sticks; a fold that is held "
        "hardens less.</p>\n"
        "<div class=\"row\">{}{}</div>\n",
        plot_figure(threshold_plot(presets, 200),
                    "Threshold of internal friction against the time it has stuck"),
        plot_figure(hardening_plot(presets, 200), "Hardening ratio against the time a fold is held"));
    return web_page("Cloth that remembers: the experiments",
                    facts() + links + "</nav>\n" + memory + experiments);
}

}  // namespace

void write_report(const fs::path& results, const fs::path& page, const ReportOptions& options,
                  const Threads& threads) {
    fs::path scratch = page;
    scratch += ".film.mp4";
    ReportWriter writer(results, options, threads);
    AtomicFile file(page);  // an unwritable place is told before minutes of work
    file.write(writer.page(scratch));
    file.commit();
}

}  // namespace rumple
