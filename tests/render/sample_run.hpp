// Folders as runs and experiments leave them, small.
#pragma once

#include <filesystem>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <string>
#include "scratch_folder.hpp"

#include "sample_scene.hpp"

namespace rumple {

// A folder as a run leaves it: a tube of the given material that shrinks over three frames.
inline void write_run(const std::filesystem::path& folder, const std::string& material) {
    std::filesystem::create_directories(folder / "cache");
    const RenderObject tube = wrinkled_tube("cotton", 24, 9);
    TriMesh mesh = tube.mesh;
    mesh.positions = tube.rest;
    write_obj(folder / "cache" / "tube.obj", mesh);
    Pc2Writer cache = Pc2Writer::create(folder / "cache" / "tube.pc2", mesh.positions.size());
    cache.append(tube.rest);
    cache.append(tube.mesh.positions);
    cache.append(tube.mesh.positions);
    spill(folder / "metrics.csv",
          "frame,time,material_time,phase,angle_change_rms,top.torque\n0,0,0,press,0,0.5\n"
          "1,0.1,0.1,press,0.2,0.4\n2,0.2,500,hold,0.3,0.1\n");
    spill(folder / "summary.json", R"({"output_rate": 24.0, "cloths": [{"name": "tube", "material": ")" +
                                       material + R"(", "hinges": 600}]})");
    spill(
        folder / "timing.json",
        R"({"seconds": {"evaluate": 1, "assemble": 0.5, "solve": 3, "advance": 0.1, "output": 0.2, "total": 5}, "counts": {"steps": 100}})");
}

}  // namespace rumple
