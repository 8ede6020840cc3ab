// One scene, run from beginning to end, with its results by cloth.
//
//     const SceneResult result = run(scene);
//     const double content = result.cloth("tube").measures.bending_content;
#pragma once

#include <rumple/measure/measure.hpp>
#include <rumple/sim/run.hpp>
#include <string>
#include <vector>

namespace rumple {

struct ClothResult {
    std::string name;
    std::vector<Vec3d> positions;  // m, at the end; numbered as in the mesh or file that the cloth came from
    WrinkleMeasures measures;      // at the end
    std::optional<double>
        recovery;  // since the phase that it is measured from; none: nothing to recover from
};

struct SceneResult {
    std::vector<ClothResult> cloths;
    RunResult run;  // everything else: the final state, counts, what contact had trouble with

    // InputError, with the nearest name, where there is no such cloth.
    const ClothResult& cloth(const std::string& name) const;
};

// In memory, unless `options` names a folder. InputError: the scene does not hold together. SimulationError:
// a step failed.
SceneResult run(const Scene& scene, const RunOptions& options = {});

}  // namespace rumple
