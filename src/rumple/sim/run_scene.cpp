#include <rumple/core/error.hpp>
#include <rumple/scene/place.hpp>
#include <rumple/sim/run_scene.hpp>

namespace rumple {

const ClothResult& SceneResult::cloth(const std::string& name) const {
    return cloths[index_of(Place("result"), name, cloths, "cloth")];
}

SceneResult run(const Scene& scene, const RunOptions& options) {
    SceneResult result;
    result.run = std::move(run_scenes({&scene, 1}, options).front());
    if (!result.run.failure.empty()) throw SimulationError(result.run.failure, result.run.failure_place);
    std::size_t first = 0;
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const SceneCloth& cloth = scene.cloths[i];
        const std::size_t count = cloth.mesh.positions.size();
        const auto x = std::span<const Vec3d>(result.run.last.state.x).subspan(first, count);
        result.cloths.push_back({cloth.name, in_old_order(x, cloth.numbering.vertices),
                                 result.run.at_end[i].measures, result.run.recovery[i]});
        first += count;
    }
    return result;
}

}  // namespace rumple
