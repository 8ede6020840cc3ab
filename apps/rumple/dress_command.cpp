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
#include "find_scene.hpp"
#include "progress.hpp"
#include "run_options.hpp"

namespace rumple {
namespace {

struct DressArguments {
    DressOptions options;
    std::string write, out = "out/dress";
    std::vector<std::string> set;
    CommonRunArguments common;
    bool no_film = false;
};

void make_film(const CommonRunArguments& a, const std::filesystem::path& folder) {
    std::filesystem::path ffmpeg;
    try {
        ffmpeg = find_ffmpeg();
    } catch (const InputError&) {
        if (a.prints()) fmt::print("no film: ffmpeg is not installed; rumple render makes pictures\n");
        return;
    }
    const Threads threads(a.threads);
    const std::vector<RenderSource> sources = open_sources({folder.string()});
    PictureRequest request;
    request.captions = true;
    request.settings = {1920, 1080, 8};
    request.fit_width = 1920;
    const std::vector<Moment> moments = frame_by_frame(sources);
    const SheetRenderer renderer(sources, std::move(request), moments, threads);
    Progress progress(!a.prints());
    renderer.shoot(moments, ffmpeg, folder / "film.mp4", sources.front().frame_rate(),
                   [&](std::size_t done) { progress.show(double(done) / double(moments.size()), "film"); });
    progress.finish();
}

void print_result(const RunResult& result) {
    const ContactCounts& contact = result.counts.contact;
    fmt::print("{} steps; bending content {:.4g} 1/m2\n", result.counts.steps,
               result.at_end.front().measures.bending_content);
    if (contact.inside > 0)
        fmt::print(
            "vertices inside the body or cut by it, summed over all steps: {}; maximum depth {:.2g} mm "
            "(summary.json lists the frames)\n",
            contact.inside, 1e3 * contact.deepest);
    else
        fmt::print("no vertex was ever inside the body\n");
    fmt::print("files in {}\n", result.folder.string());
}

void dress(const DressArguments& a, EventStream& events) {
    DressPlan plan = plan_dress(a.options);
    apply_settings(plan.scene, a.set);
    const std::string text = plan.scene.dump(2) + "\n";
    const std::vector<Scene> scenes = build_variants({plan.scene, "dress", {}});
    if (a.common.prints())
        for (const std::string& note : plan.notes) fmt::print("{}\n", note);
    if (!a.write.empty()) write_atomically(a.write, text);
    const std::vector<RunResult> results = run_and_report(scenes, a.out, a.common, events);
    const RunResult& result = results.front();
    write_atomically(result.folder / "scene.json", text);
    if (a.common.prints()) print_result(result);
    if (!a.no_film) make_film(a.common, result.folder);
    require_success(results, events);
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
    command->add_option("--material", o.material, "a preset (see rumple materials), or a JSON file")
        ->capture_default_str();
    command->add_option("--hold", o.hold, "seconds of material time at the clip's extreme")
        ->check(CLI::Range(0.0, 1e12))
        ->capture_default_str();
    command->add_option("--edge", o.edge, "edge length of trousers and tshirt, m")->capture_default_str();
    command->add_option("--step", o.h, "s")->check(CLI::Range(1e-4, 0.05))->capture_default_str();
    command->add_option("--from", o.from,
                        "begin where the run in this folder ended: the garment as it was worn");
    add_set_option(*command, a->set);
    command->add_option("--write", a->write, "write the scene to this file, to edit and run");
    command->add_option("--out", a->out, "folder for the results")->capture_default_str();
    add_threads_option(*command, a->common.threads);
    add_backend_option(*command, a->common.backend);
    add_resume_option(*command, a->common);
    command->add_flag("--no-film", a->no_film, "no film.mp4");
    add_output_flags(*command, a->common);
    command->callback([a] {
        EventStream events(a->common.events);
        events.around([&] { dress(*a, events); });
    });
}

}  // namespace rumple
