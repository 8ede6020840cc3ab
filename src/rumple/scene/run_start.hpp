// A scene that begins where another run of the same cloth ended: its positions, velocities and history.
#pragma once

#include <filesystem>
#include <memory>
#include <rumple/dynamics/state.hpp>
#include <rumple/scene/place.hpp>
#include <string>
#include <vector>

namespace rumple {

struct Scene;
struct SceneCloth;

// What two runs must have in common for one to take over the other's history. Checkpoints hold it.
struct ClothIdentity {
    std::string name;
    std::int64_t vertices = 0;
    std::string mesh;  // digest of triangles, rest shape (to about 5 digits) and numbering; not of the place
    std::string laws;  // those that remember something, for people: "friction, plasticity"

    friend bool operator==(const ClothIdentity&, const ClothIdentity&) = default;
};
ClothIdentity identity_of(const SceneCloth& cloth);
std::vector<ClothIdentity> identities_of(const Scene& scene);

struct RunStart {
    std::vector<Vec3d> x, v;  // m, m/s; empty: as the scene places the cloths, at rest
    HistoryArrays bending, membrane;
    std::vector<ClothIdentity> cloths;
    std::string digest;  // of all numbers above
};

// The end of the run in a folder. InputError in the words of `place`: there is no such run, or it has not
// ended. It is in sim/run_start.cpp: only that room can read checkpoints.
std::shared_ptr<RunStart> read_run_start(const Place& place, const std::filesystem::path& folder);

// InputError unless every cloth of the scene is one of that run, in the same order.
void require_same_cloths(const Place& place, const RunStart& start, const Scene& scene);

}  // namespace rumple
