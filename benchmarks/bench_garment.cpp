#include "bench_garment.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <rumple/contact/intersections.hpp>
#include <rumple/core/error.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/material/material.hpp>
#include <rumple/modeling/clip.hpp>
#include <rumple/modeling/mannequin.hpp>
#include <rumple/modeling/tshirt.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/sim/simulator.hpp>

#include "blender_garment_script.hpp"
#include "blender_program.hpp"

namespace rumple {

namespace {

using nlohmann::json;

constexpr int kSteps = 3;        // a frame
constexpr double kFrame = 0.03;  // s
constexpr double kStands = 0.3;  // s, before the arms bend
constexpr const char* kMaterial = "cotton-garment";
constexpr double kThickness = 0.001;  // m, as the scenes' default

// The garment, the body and its motion, in files that both programs read.
class GarmentCase {
  public:
    explicit GarmentCase(const GarmentBenchOptions& options) : frames_(options.frames) {
        const Mannequin mannequin = make_mannequin({.edge_length = options.body_edge});
        for (int frame = 0; frame <= frames_; ++frame)
            motion_.push_back(mannequin.positions(Clip::bend_arms, frame * kFrame - kStands));
        body_ = mannequin.mesh;
        body_.positions = motion_.front();
        shirt_ = make_tshirt(body_, {.edge_length = options.edge}).mesh;
        write_obj(folder_ / "shirt.obj", shirt_);
        write_obj(folder_ / "body.obj", body_);
        Pc2Writer cache = Pc2Writer::create(folder_ / "body.pc2", body_.positions.size());
        for (const auto& positions : motion_) cache.append(positions);
        const contact::BodyMesh meshes[] = {
            {contact::BodyKind::cloth, static_cast<int>(shirt_.positions.size()), shirt_.triangles},
            {contact::BodyKind::obstacle, static_cast<int>(body_.positions.size()), body_.triangles}};
        surface_ = contact::make_surface(meshes);
    }

    const TemporaryFolder& folder() const { return folder_; }
    const TriMesh& shirt() const { return shirt_; }
    const TriMesh& body() const { return body_; }
    int frames() const { return frames_; }
    const std::vector<Vec3d>& body_at(int frame) const { return motion_[static_cast<std::size_t>(frame)]; }

    // Adds the crossings of a frame: shirt first, then the body.
    void count(const std::vector<Vec3d>& positions, GarmentRun& run) const {
        const std::vector<std::uint8_t> active(surface_.bodies.size(), 1);
        int found = 0;
        for (const auto& [a, b] : contact::intersecting_triangles(Threads(1), surface_, positions, active)) {
            const bool cloth = b < surface_.bodies.front().triangle_end;
            if (!cloth && a >= surface_.bodies.front().triangle_end) continue;
            ++(cloth ? run.cloth_crossings : run.body_crossings);
            ++found;
        }
        run.frames_crossing += found > 0;
    }

  private:
    TemporaryFolder folder_;
    int frames_;
    TriMesh shirt_, body_;
    std::vector<std::vector<Vec3d>> motion_;
    contact::Surface surface_;
};

json scene_of(const GarmentCase& garment) {
    return {{"rumple", 1},
            {"name", "garment"},
            {"step", {{"h", kFrame / kSteps}}},
            {"contact", {{"thickness", kThickness}}},
            {"cloths",
             {{{"name", "shirt"},
               {"material", kMaterial},
               {"mesh", {{"file", (garment.folder() / "shirt.obj").string()}}},
               {"rest", "mesh"}}}},
            {"obstacles",
             {{{"name", "body"},
               {"cache",
                {{"file", (garment.folder() / "body.pc2").string()},
                 {"mesh", (garment.folder() / "body.obj").string()},
                 {"rate", 1 / kFrame}}}}}},
            {"phases", {{{"name", "move"}, {"duration", garment.frames() * kFrame}}}}};
}

GarmentRun run_rumple(const GarmentCase& garment, const GarmentBenchOptions& options) {
    GarmentRun run;
    run.name = "rumple";
    run.settings = fmt::format("steps of {} ms, {} mm", 1e3 * kFrame / kSteps, 1e3 * kThickness);
    const Scene scene = build_variants({scene_of(garment), "garment", {}}).front();
    Simulator sim(scene, options.threads, options.backend);
    std::vector<Vec3d> positions(garment.shirt().positions.size());
    for (int frame = 1; frame <= garment.frames(); ++frame) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kSteps; ++i) sim.step();
        run.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const std::vector<Vec3d>& x = sim.sim_state().state.x;
        positions.resize(x.size());
        for (std::size_t v = 0; v < x.size(); ++v)
            positions[static_cast<std::size_t>(sim.model().source_vertex(static_cast<int>(v)))] = x[v];
        const std::vector<Vec3d>& body = garment.body_at(frame);
        positions.insert(positions.end(), body.begin(), body.end());
        garment.count(positions, run);
    }
    return run;
}

struct BlenderSettings {
    int quality, collision_quality;
    const char* note;
};

// At our thickness: Blender's own 15 mm is longer than an edge.
constexpr BlenderSettings kSettings[] = {{5, 2, "default quality"}, {10, 5, "more care"}};
constexpr double kBodyOff = 1e-5;  // m: Blender's body may be so far from ours

json points(const std::vector<Vec3d>& positions) {
    json all = json::array();
    for (const Vec3d& x : positions) all.push_back({x.x, x.y, x.z});
    return all;
}

// Kilogrammes a vertex, as Blender wants it: the same for all.
double vertex_mass(const TriMesh& shirt) {
    double area = 0;
    for (const auto& t : shirt.triangles) {
        const auto x = [&](std::size_t k) { return shirt.positions[static_cast<std::size_t>(t[k])]; };
        area += 0.5 * norm(cross(x(1) - x(0), x(2) - x(0)));
    }
    return find_preset(kMaterial)->density * area / static_cast<double>(shirt.positions.size());
}

// Counts the crossings of the frames in a file: of each the shirt, then the body.
void count_frames(const GarmentCase& garment, const std::filesystem::path& file, GarmentRun& run) {
    std::ifstream in(file, std::ios::binary);
    const std::size_t shirt = garment.shirt().positions.size();
    std::vector<Vec3d> positions(shirt + garment.body().positions.size());
    std::vector<float> frame(3 * positions.size());
    const auto bytes = static_cast<std::streamsize>(frame.size() * sizeof(float));
    int frames = 0;
    for (; frames <= garment.frames() && in.read(reinterpret_cast<char*>(frame.data()), bytes); ++frames) {
        for (std::size_t v = 0; v < positions.size(); ++v) {
            positions[v] = {frame[3 * v], frame[3 * v + 1], frame[3 * v + 2]};
            if (v < shirt) continue;
            if (const double off = norm(positions[v] - garment.body_at(frames)[v - shirt]); off > kBodyOff)
                throw SimulationError(
                    fmt::format("Blender's body is {:.2g} m from its motion in frame {}", off, frames));
        }
        if (frames > 0) garment.count(positions, run);  // the first is where both begin
    }
    if (frames != garment.frames() + 1)
        throw SimulationError(
            fmt::format("Blender wrote {} frames instead of {}", frames, garment.frames() + 1));
}

GarmentRun run_blender_on(const GarmentCase& garment, const GarmentBenchOptions& options,
                          const BlenderSettings& settings) {
    const std::filesystem::path moved = garment.folder() / "positions";
    const json job{
        {"frames", garment.frames()},
        {"frame_seconds", kFrame},
        {"quality", settings.quality},
        {"collision_quality", settings.collision_quality},
        {"distance", kThickness},
        {"vertex_mass", vertex_mass(garment.shirt())},
        {"positions", moved.string()},
        {"shirt", {{"vertices", points(garment.shirt().positions)}, {"faces", garment.shirt().triangles}}},
        {"body",
         {{"vertices", points(garment.body().positions)},
          {"faces", garment.body().triangles},
          {"cache", (garment.folder() / "body.pc2").string()}}}};
    const json answer =
        run_blender(options.program, options.threads, kBlenderGarmentScript, job, garment.folder());
    GarmentRun run{.name = "blender " + answer.at("version").get<std::string>(),
                   .settings = fmt::format("{}: {}, of collisions {}; {} mm", settings.note, settings.quality,
                                           settings.collision_quality, 1e3 * kThickness)};
    for (const double s : answer.at("overhead")) run.overhead += s;
    for (const double s : answer.at("seconds")) run.seconds += s;
    run.seconds -= run.overhead;
    count_frames(garment, moved, run);
    return run;
}

}  // namespace

GarmentBenchResult bench_garment(const GarmentBenchOptions& options) {
    const auto say = [&](const std::string& line) {
        if (options.progress) options.progress(line);
    };
    say("garment: cutting the shirt");
    const GarmentCase garment(options);
    GarmentBenchResult result;
    result.vertices = static_cast<int>(garment.shirt().positions.size());
    result.body_vertices = static_cast<int>(garment.body().positions.size());
    result.frames = options.frames;
    say(fmt::format("garment: {} frames of {} vertices", options.frames, result.vertices));
    result.runs.push_back(run_rumple(garment, options));
    if (!options.blender) return result;
    for (const BlenderSettings& settings : kSettings) {
        say(fmt::format("garment: Blender, {}", settings.note));
        result.runs.push_back(run_blender_on(garment, options, settings));
    }
    return result;
}

json to_json(const GarmentBenchResult& r) {
    json runs = json::array();
    for (const GarmentRun& run : r.runs)
        runs.push_back({{"name", run.name},
                        {"settings", run.settings},
                        {"seconds", run.seconds},
                        {"overhead_seconds", run.overhead},
                        {"ratio", r.ratio(run)},
                        {"frames_with_crossings", run.frames_crossing},
                        {"cloth_crossings", run.cloth_crossings},
                        {"body_crossings", run.body_crossings}});
    return {{"vertices", r.vertices},
            {"body_vertices", r.body_vertices},
            {"frames", r.frames},
            {"runs", std::move(runs)}};
}

std::string to_table(const GarmentBenchResult& r) {
    std::string out = fmt::format("{} vertices on a body of {}, {} frames of {} s\n", r.vertices,
                                  r.body_vertices, r.frames, kFrame);
    out += fmt::format("{:<16} {:<48} {:>8} {:>6} {:>16} {:>10} {:>10}\n", "program", "settings", "s",
                       "times", "frames crossing", "cloth", "body");
    for (const GarmentRun& run : r.runs)
        out += fmt::format("{:<16} {:<48} {:>8.1f} {:>6.2f} {:>16} {:>10} {:>10}\n", run.name, run.settings,
                           run.seconds, r.ratio(run), run.frames_crossing, run.cloth_crossings,
                           run.body_crossings);
    return out;
}

}  // namespace rumple
