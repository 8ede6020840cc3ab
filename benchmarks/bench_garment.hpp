// `rumple bench garment`: a whole animation of a garment in contact, and the same in Blender.
//
// A T-shirt cut to the mannequin, whose arms bend and straighten. Both programs take the same files: the
// shirt's mesh, which is its rest shape too, the body's mesh, and its motion sampled once a frame. Frames are
// 0.03 s long; Rumple takes three steps of 0.01 s in each. Blender's material is its own cotton, at the mass
// of ours. Crossing triangles are counted exactly (rumple/contact/intersections.hpp) in every frame, cloth
// with cloth and cloth with the body.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <rumple/dynamics/stepper.hpp>
#include <string>
#include <vector>

namespace rumple {

struct GarmentBenchOptions {
    Backend backend = Backend::cpu;
    int threads = 1;
    int frames = 150;
    double edge = 0.0126;  // m: 8,000 vertices
    double body_edge = 0.0142;
    bool blender = false;
    std::string program = "blender";
    std::function<void(const std::string&)> progress{};
};

// One program with one choice of its settings.
struct GarmentRun {
    std::string name, settings;
    double seconds = 0;   // of all frames, without what the same frames take without cloth
    double overhead = 0;  // s: that
    int frames_crossing = 0;
    int cloth_crossings = 0, body_crossings = 0;  // pairs of triangles, summed over all frames
};

struct GarmentBenchResult {
    int vertices = 0, body_vertices = 0, frames = 0;
    std::vector<GarmentRun> runs;  // Rumple first

    double ratio(const GarmentRun& run) const { return run.seconds / runs.front().seconds; }
};

// SimulationError, in one sentence: there is no such program, or it failed.
GarmentBenchResult bench_garment(const GarmentBenchOptions& options);
nlohmann::json to_json(const GarmentBenchResult& result);
std::string to_table(const GarmentBenchResult& result);

}  // namespace rumple
