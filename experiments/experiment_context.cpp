#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <experiments/curves.hpp>
#include <experiments/experiment_context.hpp>
#include <experiments/run_collector.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_render/film.hpp>
#include <rumple_render/png.hpp>

namespace rumple {

namespace {

constexpr int kSmokeShrink = 4;       // pictures of a smoke test only have to be there
constexpr std::size_t kFilmStep = 2;  // every second frame of a run is enough for a report

// Passes progress on with the name of the run, and everything to the experiment's own observer.
class Relay : public RunObserver {
  public:
    Relay(const std::string& what, const ExperimentContext::Progress& progress, RunObserver* next)
        : what_(what), progress_(progress), next_(next) {}
    void on_phase_begin(const std::vector<std::string>& variants, int phase, const Simulator& sim) override {
        if (next_) next_->on_phase_begin(variants, phase, sim);
    }
    void on_step(const StepReport& report, const Simulator& sim) override {
        if (next_) next_->on_step(report, sim);
    }
    void on_phase_end(const std::vector<std::string>& variants, int phase, Simulator& sim) override {
        if (next_) next_->on_phase_end(variants, phase, sim);
    }
    void on_progress(const RunProgress& p) override {
        if (progress_) progress_(what_ + ": " + p.phase, p.fraction);
    }

  private:
    const std::string& what_;
    const ExperimentContext::Progress& progress_;
    RunObserver* next_;
};

std::vector<RunResult> run_document(const nlohmann::json& document, const std::string& name,
                                    const RunOptions& options) {
    const std::vector<Scene> scenes = build_variants({document, name, {}});
    std::vector<RunResult> results = run_scenes(scenes, options);
    for (const RunResult& r : results)
        if (!r.failure.empty()) throw SimulationError(fmt::format("{} {}: {}", name, r.variant, r.failure));
    return results;
}

// The report takes the SVG; the PNG beside it is for slides. Without a font there is no PNG.
template <class AnyPlot>
void write_both(std::filesystem::path path, const AnyPlot& plot) {
    write_plot(path, plot);
    try {
        write_plot(path.replace_extension(".png"), plot);
    } catch (const InputError&) {
    }
}

std::size_t longest(const std::vector<RenderSource>& sources) {
    std::size_t frames = 1;
    for (const RenderSource& source : sources) frames = std::max(frames, source.frame_count());
    return frames;
}

}  // namespace

const char* to_string(Size size) {
    return size == Size::smoke ? "smoke" : size == Size::draft ? "draft" : "paper";
}

std::vector<RunResult> ExperimentContext::run(const nlohmann::json& scene, const std::string& folder) const {
    if (RunCollector* collector = RunCollector::current()) return collector->add(scene, folder, folder);
    Relay relay(folder, progress_, nullptr);
    RunOptions options;
    if (!out_.empty()) options.out = (out_ / folder).lexically_normal();
    options.resume = true;
    options.threads = threads_;
    options.backend = backend_;
    options.observer = &relay;
    return run_document(scene, folder, options);
}

std::vector<RunResult> ExperimentContext::watch(const nlohmann::json& scene, const std::string& what,
                                                RunObserver& observer) const {
    if (RunCollector* collector = RunCollector::current()) return collector->add(scene, what, "");
    Relay relay(what, progress_, &observer);
    RunOptions options;
    options.threads = threads_;
    options.backend = backend_;
    options.observer = &relay;
    return run_document(scene, what, options);
}

void ExperimentContext::write_table(const std::string& name, const std::vector<std::string>& columns,
                                    const std::vector<std::vector<double>>& rows) const {
    if (out_.empty()) return;
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const auto& row : rows) text += fmt::format("{}\n", fmt::join(row, ","));
    std::filesystem::create_directories(out_);
    write_atomically(out_ / (name + ".csv"), text);
}

template <class Make>
void ExperimentContext::add_figure(const std::string& file, const std::string& caption, Make make) {
    if (out_.empty()) return;
    if (progress_) progress_("figure " + file, 1);
    Figure figure{"figures/" + file, caption, ""};
    try {
        std::filesystem::create_directories(out_ / "figures");
        make(out_ / figure.file);
    } catch (const std::exception& error) {  // the numbers do not depend on it
        figure.trouble = error.what();
    }
    figures_.push_back(std::move(figure));
}

std::vector<RenderSource> ExperimentContext::open(const std::vector<Shown>& shown) const {
    std::vector<RenderSource> sources;
    sources.reserve(shown.size());
    for (const Shown& s : shown) sources.emplace_back((out_ / s.run).lexically_normal());
    return sources;
}

PictureRequest ExperimentContext::request(const std::vector<Shown>& shown,
                                          const SheetOptions& options) const {
    PictureRequest request;
    request.shots = {shot_of(options.view)};
    request.shots.front().from = options.from;
    request.shots.front().camera = options.camera;
    request.frame_cloth = options.frame_cloth;
    request.follow = options.follow;
    request.light = options.light;
    request.colour_by = options.colour_by;
    request.minus_first = options.minus_first;
    request.columns = options.columns;
    for (const Shown& s : shown) request.labels.push_back(s.label);
    const int shrink = size_ == Size::smoke ? kSmokeShrink : 1;
    request.settings = {options.width / shrink, options.height / shrink, size_ == Size::smoke ? 4 : 16};
    return request;
}

void ExperimentContext::sheet(const std::string& name, const std::string& caption,
                              const std::vector<Shown>& shown, const SheetOptions& options) {
    add_figure(name + ".png", caption, [&](const std::filesystem::path& path) {
        std::vector<RenderSource> sources = open(shown);
        hide_in(sources, options.hidden);
        const Moment moment =
            options.at.empty() ? at_frame(sources, longest(sources) - 1) : at_end_of(sources, options.at);
        const Threads threads(threads_);
        write_png(path, SheetRenderer(sources, request(shown, options), {moment}, threads).take(moment));
    });
}

void ExperimentContext::film(const std::string& name, const std::string& caption,
                             const std::vector<Shown>& shown, const SheetOptions& options) {
    add_figure(name + ".mp4", caption, [&](const std::filesystem::path& path) {
        const std::filesystem::path ffmpeg = find_ffmpeg();
        std::vector<RenderSource> sources = open(shown);
        hide_in(sources, options.hidden);
        PictureRequest wanted = request(shown, options);
        wanted.captions = true;
        wanted.settings.samples = 8;
        const std::vector<Moment> moments = thinned(phase_by_phase(sources), kFilmStep);
        const Threads threads(threads_);
        const SheetRenderer renderer(sources, std::move(wanted), moments, threads);
        write_png(std::filesystem::path(path).replace_extension(".poster.png"),
                  renderer.take(moments.back()));
        renderer.shoot(moments, ffmpeg, path, sources.front().frame_rate() / double(kFilmStep),
                       [&](std::size_t done) { say("film " + name, double(done) / double(moments.size())); });
    });
}

void ExperimentContext::plot_metric(const std::string& name, const std::string& caption,
                                    const std::vector<Shown>& shown, const std::string& column) {
    add_figure(name + ".svg", caption, [&](const std::filesystem::path& path) {
        Plot plot = metrics_plot(open(shown), {column}, "time");
        if (plot.series.size() == shown.size())
            for (std::size_t i = 0; i < shown.size(); ++i)
                plot.series[i].name = shown[i].label, plot.series[i].dashed = shown[i].dashed;
        write_both(path, plot);
    });
}

void ExperimentContext::plot_timing(const std::string& name, const std::string& caption,
                                    const std::vector<Shown>& shown) {
    add_figure(name + ".svg", caption, [&](const std::filesystem::path& path) {
        BarPlot plot = timing_plot(open(shown));
        for (std::size_t i = 0; i < shown.size(); ++i) plot.rows[i].name = shown[i].label;
        write_both(path, plot);
    });
}

void ExperimentContext::plot(const std::string& name, const std::string& caption, const Plot& plot) {
    add_figure(name + ".svg", caption, [&](const std::filesystem::path& path) { write_both(path, plot); });
}

}  // namespace rumple
