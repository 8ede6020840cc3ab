// rumple dress: puts a garment on a body that moves, in one command.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/scene/dress.hpp>
#include <rumple/sim/run.hpp>
#include <rumple_render/film.hpp>
#include <rumple_render/sheet_renderer.hpp>

#include "commands.hpp"
#include "progress.hpp"

namespace rumple {
namespace {

struct DressArguments {
    DressOptions options;
    std::string write, out = "out/dress";
    int threads = 0;
    bool resume = false, no_film = false, quiet = false;
};

class ShowProgress : public RunObserver {
  public:
    explicit ShowProgress(Progress& progress) : progress_(progress) {}
    void on_progress(const RunProgress& now) override { progress_.show(now.fraction, now.phase); }

  private:
    Progress& progress_;
};

void make_film(const DressArguments& a, const std::filesystem::path& folder) {
    std::filesystem::path ffmpeg;
    try {
        ffmpeg = find_ffmpeg();
    } catch (const InputError&) {
        if (!a.quiet) fmt::print("no film: there is no ffmpeg; rumple render makes pictures\n");
        return;
    }
    const Threads threads(a.threads);
    const std::vector<RenderSource> sources = open_sources({folder.string()});
    PictureRequest request;
    request.captions = true;
    request.settings = {480, 640, 8};
    std::vector<Moment> moments;
    for (std::size_t frame = 0; frame < sources.front().frame_count(); frame += 2)
        moments.push_back(at_frame(sources, frame));
    const SheetRenderer studio(sources, std::move(request), moments, threads);
    std::unique_ptr<FilmWriter> film;
    Progress progress(a.quiet);
    for (std::size_t m = 0; m < moments.size(); ++m) {
        const Picture picture = studio.take(moments[m]);
        if (!film)
            film = std::make_unique<FilmWriter>(ffmpeg, folder / "film.mp4", picture.width, picture.height,
                                                sources.front().frame_rate() / 2);
        film->add(picture);
        progress.show(double(m + 1) / double(moments.size()), "film");
    }
    film->finish();
    progress.finish();
}

void tell(const RunResult& result) {
    const ContactCounts& contact = result.counts.contact;
    fmt::print("{} steps; bending content {:.4g} 1/m2\n", result.counts.steps,
               result.at_end.front()["bending_content"]);
    if (contact.inside > 0)
        fmt::print(
            "vertices inside or cut by the body, added over all steps: {}; the deepest {:.2g} mm "
            "(summary.json says "
            "when)\n",
            contact.inside, 1e3 * contact.deepest);
    else
        fmt::print("nothing was ever inside the body\n");
    fmt::print("files in {}\n", result.folder.string());
}

void dress(const DressArguments& a) {
    const DressPlan plan = plan_dress(a.options);
    if (!a.quiet)
        for (const std::string& note : plan.notes) fmt::print("{}\n", note);
    const std::string text = plan.scene.dump(2) + "\n";
    const std::vector<Scene> scenes = build_variants({plan.scene, "dress", {}});
    if (!a.quiet)
        for (const std::string& warning : scenes.front().warnings)
            fmt::print(stderr, "warning: {}\n", warning);
    if (!a.write.empty()) write_atomically(a.write, text);
    Progress progress(a.quiet);
    ShowProgress observer(progress);
    RunOptions options;
    options.out = a.out;
    options.resume = a.resume;
    options.threads = a.threads;
    options.observer = &observer;
    const RunResult result = std::move(run_scenes(scenes, options).front());
    progress.finish();
    write_atomically(result.folder / "scene.json", text);
    if (!a.quiet) tell(result);
    if (!a.no_film) make_film(a, result.folder);
    if (!result.failure.empty()) throw SimulationError(result.failure);
}

}  // namespace

void add_dress_command(CLI::App& program) {
    auto a = std::make_shared<DressArguments>();
    CLI::App* command = program.add_subcommand("dress", "Put a garment on a body that moves");
    DressOptions& o = a->options;
    command->add_option("GARMENT", o.garment, "trousers, tshirt, or a mesh (.obj, .ply)")->required();
    command
        ->add_option(
            "BODY", o.body,
            "mannequin, a glTF file (.glb, .gltf), a mesh (.obj, .ply) or a cache (.pc2, .mdd) with its mesh")
        ->required();
    command->add_option("--clip", o.clip, "what the body does; of a mesh: the cache of that name beside it");
    command->add_option("--material", o.material, "a preset; see rumple materials")->capture_default_str();
    command->add_option("--hold", o.hold, "seconds of material time at the clip's extreme")
        ->check(CLI::Range(0.0, 1e12))
        ->capture_default_str();
    command->add_option("--edge", o.edge, "edge length of trousers and tshirt, m")->capture_default_str();
    command->add_option("--step", o.h, "s")->check(CLI::Range(1e-4, 0.05))->capture_default_str();
    command->add_option("--write", a->write, "write the scene to this file, to edit and run");
    command->add_option("--out", a->out, "folder for the results")->capture_default_str();
    command->add_option("--threads", a->threads, "threads; the result does not depend on it (0: all cores)")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--resume", a->resume, "go on where a run into this folder stopped");
    command->add_flag("--no-film", a->no_film, "no film.mp4");
    command->add_flag("--quiet", a->quiet, "print nothing but errors");
    command->callback([a] { dress(*a); });
}

}  // namespace rumple
