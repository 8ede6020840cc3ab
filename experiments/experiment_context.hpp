// What an experiment is run with: it runs scenes into folders, writes tables, and makes the pictures and
// plots that its report shows.
#pragma once

#include <experiments/plot.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <rumple/sim/run.hpp>
#include <rumple_render/sheet_renderer.hpp>
#include <string>
#include <vector>

namespace rumple {

enum class Size {
    smoke,  // seconds: does it run?
    draft,  // a laptop, minutes
    paper   // the paper's mesh sizes
};
const char* to_string(Size size);

// How many seeds an experiment runs: with fewer than five, Student's interval is so wide that little is
// decided. A smoke test decides nothing.
inline int seeds_of(Size size) { return size == Size::smoke ? 1 : 5; }

// A picture, film or plot of the report.
struct Figure {
    std::string file;     // below the experiment's folder: .png, .svg or .mp4
    std::string caption;  // what it shows and what to look at
    std::string trouble;  // why there is no file; empty: there is one
};

// One run in a sheet of pictures.
struct Shown {
    std::string run;  // folder below the experiment's, e.g. "reference-cotton-2K-seed1/held"
    std::string label;
    bool dashed = false;  // in plots: lies on another curve
};

struct SheetOptions {
    LightKind light = LightKind::studio;
    View view = View::three_quarter;
    std::optional<ViewAngles> from{};   // instead of the view
    std::optional<Camera> camera{};     // instead of both
    bool frame_cloth = false;           // obstacles may reach out of the picture
    bool follow = false;                // each cloth in the middle of its tile; see PictureRequest
    std::string at{};                   // the end of this phase; empty: the end of each run
    std::string colour_by{};            // a field instead of the cloth's look (field.hpp)
    bool minus_first = false;           // colours show the difference to the first
    std::vector<std::string> hidden{};  // obstacles that would hide the cloth
    int columns = 0;
    int width = 480, height = 560;  // of one tile; smoke size divides them by four
};

// Runs continue where an interrupted run of the same scene stopped.
class ExperimentContext {
  public:
    using Progress = std::function<void(const std::string& what, double fraction)>;

    ExperimentContext(Size size, std::filesystem::path out, int threads, Progress progress)
        : size_(size), out_(std::move(out)), threads_(threads), progress_(std::move(progress)) {}

    Size size() const { return size_; }
    const std::filesystem::path& out() const { return out_; }
    int threads() const { return threads_; }
    void say(const std::string& what, double fraction) const {
        if (progress_) progress_(what, fraction);
    }

    void set_backend(Backend backend) { backend_ = backend; }

    // Seconds that a linear solve of another program takes in the reference twist at "2K", "7K" or "27K", in
    // some states. Experiments know no benchmarks: a caller that has one to compare with sets it here.
    using Peer = std::function<std::vector<double>(const std::string& size)>;
    void set_peer(Peer peer) { peer_ = std::move(peer); }
    const Peer& peer() const { return peer_; }

    // Runs all variants of a scene into out/<folder>; runs that another experiment makes, too, are looked
    // for, and made, in its folder: "../twist/...". Throws SimulationError when one of them fails.
    std::vector<RunResult> run(const nlohmann::json& scene, const std::string& folder) const;
    // The same in memory, with an observer of every step.
    std::vector<RunResult> watch(const nlohmann::json& scene, const std::string& what,
                                 RunObserver& observer) const;

    // Columns of numbers into out/<name>.csv, for plots.
    void write_table(const std::string& name, const std::vector<std::string>& columns,
                     const std::vector<std::vector<double>>& rows) const;

    // Figures go into out/figures and into the list that the report is made from. A figure that cannot be
    // made (no font, no ffmpeg) does not end the experiment: the list says why. Nothing without a folder.
    void sheet(const std::string& name, const std::string& caption, const std::vector<Shown>& shown,
               const SheetOptions& options = {});
    // With the last moment as a .poster.png, for paper and for who does not play it. Phases are aligned.
    void film(const std::string& name, const std::string& caption, const std::vector<Shown>& shown,
              const SheetOptions& options = {});
    // Plots are written as SVG, which the report shows, and as PNG beside it.
    // A column of metrics.csv over the time of the animation.
    void plot_metric(const std::string& name, const std::string& caption, const std::vector<Shown>& shown,
                     const std::string& column);
    // Time of a step by part, from timing.json.
    void plot_timing(const std::string& name, const std::string& caption, const std::vector<Shown>& shown);
    void plot(const std::string& name, const std::string& caption, const Plot& plot);
    const std::vector<Figure>& figures() const { return figures_; }

  private:
    std::vector<RenderSource> open(const std::vector<Shown>& shown) const;
    PictureRequest request(const std::vector<Shown>& shown, const SheetOptions& options) const;
    template <class Make>
    void add_figure(const std::string& file, const std::string& caption, Make make);

    Size size_;
    std::filesystem::path out_;  // empty: no files
    int threads_;
    Backend backend_ = Backend::cpu;
    Progress progress_;
    Peer peer_;
    std::vector<Figure> figures_;
};

}  // namespace rumple
