// Scenes in C++: cloths, handles, obstacles and phases by name, with the rules of scene files and their
// errors. docs/library.md has examples.
//
//     Scene scene = SceneBuilder("twist")
//                       .cloth("tube", make_tube({.radius = 0.04, .height = 0.11, .around = 64, .up = 28}),
//                       "cotton") .handle("top", ring_top()) .handle("bottom", ring_bottom()) .phase("twist",
//                       {.duration = 1, .motions = {{"top", rotate_z(-90)}}}) .phase("hold", {.hold = 500})
//                       .build();
//
// A builder is a value: a copy with other phases is another variant.
#pragma once

#include <rumple/scene/scene_description.hpp>

namespace rumple {

class SceneBuilder {
  public:
    explicit SceneBuilder(std::string name);

    // The mesh may be a TriMesh, a generator's options, a file, or a garment cut to an obstacle.
    SceneBuilder& cloth(std::string name, ClothSource mesh, MaterialChoice material,
                        ClothOptions options = {});
    SceneBuilder& handle(std::string name, Selector select, HandleOptions options = {});
    // The shape may be one of ObstacleShape, a TriMesh, a file, or a surface with a clip.
    SceneBuilder& obstacle(std::string name, ObstacleSource shape, ObstacleOptions options = {});
    SceneBuilder& phase(std::string name, PhaseOptions options);

    SceneBuilder& variant(std::string name);                   // a name for this one of several scenes
    SceneBuilder& gravity(Vec3d g);                            // m/s2; default {0, 0, -9.81}
    SceneBuilder& damping(double mass, double stiffness = 0);  // 1/s, s
    SceneBuilder& step(double h);                              // s; default 0.01
    SceneBuilder& solver(const StepperOptions& options);
    SceneBuilder& contact(const ContactSettings& settings);  // default: on where there are obstacles
    SceneBuilder& output(double rate, bool memory = false);  // frames/s; what cloths remember, at every frame
    // Begins where the run in this folder ended; `positions` false: with its history, but placed as built.
    SceneBuilder& start_from(std::filesystem::path run, bool positions = true);
    // Of the animation, besides caches: "glb", "usda".
    SceneBuilder& formats(std::vector<std::string> formats);
    SceneBuilder& recovery_from(std::string phase);  // default: the last hold
    SceneBuilder& camera(SceneCamera camera);

    // InputError names the call: 'twist: phase("hold").steps: ...'.
    Scene build() const;

  private:
    Place part(const char* kind, const std::string& name) const;

    SceneDescription scene_;
};

}  // namespace rumple
