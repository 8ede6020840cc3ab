// Something that cloth touches and that is not cloth, as a scene knows it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/scene/motion.hpp>
#include <string>
#include <vector>

namespace rumple {

// The samples of an obstacle that deforms. Clip time 0 is its first sample; between samples vertices move in
// straight lines.
struct ObstacleClip {
    std::vector<double> times;                              // s, ascending, of each sample
    std::function<std::vector<Vec3d>(std::size_t)> sample;  // in the world; InputError when it cannot be read
    bool loops = false;  // after the last sample comes the first again; false: it stays at the last
    double start = 0;    // s: clip time at the beginning of the scene
    double speed = 1;    // seconds of the clip a second

    double duration() const { return times.back(); }
};

struct SceneObstacle {
    std::string name;
    // "plane", "sphere", "box", "cylinder", "capsule", "container", "mesh", "cache", "body" or "chair"
    std::string kind;
    TriMesh mesh;                              // in the world, where it begins
    std::shared_ptr<const ObstacleClip> clip;  // null: it is rigid
    double friction = 0.4, thickness = 1e-3;   // see ObstaclePart
    double mass = 0;                           // kg; > 0: a rigid body that moves by itself
    std::optional<Vec3d> slider;               // unit vector: it moves along this direction alone
    bool from_start = true;                    // there from the beginning
    bool moves = false;                        // its motion is given: a clip, or some phase moves it

    bool changes() const { return moves || mass > 0; }  // it is not always where it begins
};

// What an obstacle does in a phase. Without a command a clip runs along with dynamic time, and stands still
// during a hold.
struct ObstacleCommand {
    HandleMotion motion = {};  // of the whole
    bool clip_stands = false;  // the clip stays where it is
    // s of the clip: played over the phase, with the motion's ease; without `from`, from where it is
    std::optional<double> from = {}, to = {};
};

}  // namespace rumple
