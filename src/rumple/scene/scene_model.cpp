#include <rumple/scene/scene_model.hpp>

namespace rumple {

Model make_model(const Scene& scene) {
    std::vector<ClothPart> parts;
    for (const SceneCloth& cloth : scene.cloths)
        parts.push_back({&cloth.mesh, &cloth.rest, &cloth.material, &cloth.numbering});
    if (!scene.has_contact()) return make_model(parts);
    std::vector<ObstaclePart> obstacles;
    for (const SceneObstacle& from : scene.obstacles) {
        ObstaclePart& part = obstacles.emplace_back();
        part.vertices = from.mesh.positions;
        part.triangles = from.mesh.triangles;
        part.friction = from.friction;
        part.thickness = from.thickness;
        part.moves = from.moves;
        part.mass = from.mass;
        part.on_slider = from.slider.has_value();
        if (from.slider) part.slider = *from.slider;
    }
    return make_model(parts, scene.contact, std::move(obstacles));
}

}  // namespace rumple
