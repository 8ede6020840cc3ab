#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numeric>
#include <rumple/core/digest.hpp>
#include <rumple/scene/run_start.hpp>
#include <rumple/scene/scene.hpp>

namespace rumple {
namespace {

constexpr double kDigits = 1e5;  // finer differences come from where a cloth was placed

// Numbers as multiples of their mean, rounded.
void add_rounded(Digest& digest, const std::vector<double>& values) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double scale = sum > 0 ? kDigits * static_cast<double>(values.size()) / sum : 0;
    digest.add(static_cast<std::int64_t>(values.size()));
    for (const double value : values) digest.add(static_cast<std::int64_t>(std::llround(scale * value)));
}

std::string mesh_digest(const SceneCloth& cloth) {
    const RestShape& rest = cloth.rest;
    Digest digest;
    digest.add(static_cast<std::int64_t>(cloth.mesh.positions.size()));
    digest.add(cloth.mesh.triangles);
    digest.add(rest.hinges);
    digest.add(fmt::format("{:.5g}", rest.mean_edge_length));
    add_rounded(digest, rest.area);
    add_rounded(digest, rest.hinge_length);
    add_rounded(digest, rest.hinge_height);
    for (const auto& gradient : rest.gradient)  // warp and weft
        for (const Vec2d& g : gradient)
            for (const double part : {g.x, g.y})
                digest.add(static_cast<std::int64_t>(std::llround(kDigits * rest.mean_edge_length * part)));
    digest.add(cloth.numbering.vertices);
    digest.add(cloth.numbering.hinges);
    return digest.hex16();
}

void add_relaxation(std::vector<std::string>& laws, const char* name, const RelaxationLadder& ladder) {
    if (ladder.on())
        laws.push_back(fmt::format("{} of {} branches from {:g} s to {:g} s", name, ladder.times().branches,
                                   ladder.tau_min, ladder.tau_max));
}

std::string laws_of(const Material& m) {
    std::vector<std::string> laws;
    if (m.friction_kind == FrictionKind::dwell) laws.emplace_back("friction");
    if (m.friction_kind == FrictionKind::dahl) laws.emplace_back("Dahl friction");
    if (m.plastic) laws.emplace_back("plasticity");
    add_relaxation(laws, "relaxation", m.relaxation);
    if (m.tensile_friction) laws.emplace_back("membrane friction");
    if (m.tensile_plasticity) laws.emplace_back("membrane plasticity");
    add_relaxation(laws, "membrane relaxation", m.tensile_relaxation);
    return laws.empty() ? "none" : fmt::format("{}", fmt::join(laws, ", "));
}

}  // namespace

ClothIdentity identity_of(const SceneCloth& cloth) {
    return {cloth.name, static_cast<std::int64_t>(cloth.mesh.positions.size()), mesh_digest(cloth),
            laws_of(cloth.material)};
}

std::vector<ClothIdentity> identities_of(const Scene& scene) {
    std::vector<ClothIdentity> all;
    for (const SceneCloth& cloth : scene.cloths) all.push_back(identity_of(cloth));
    return all;
}

void require_same_cloths(const Place& place, const RunStart& start, const Scene& scene) {
    if (start.cloths.size() != scene.cloths.size())
        place.fail(
            fmt::format("that run has {} cloths, this scene {}", start.cloths.size(), scene.cloths.size()),
            "start from a run of the same cloths, in the same order");
    for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
        const ClothIdentity now = identity_of(scene.cloths[i]), then = start.cloths[i];
        if (now.mesh != then.mesh)
            place.fail(
                fmt::format("\"{}\" of that run has another mesh or rest shape than \"{}\" here ({} and {} "
                            "vertices)",
                            then.name, now.name, then.vertices, now.vertices),
                "start from a run of the same mesh, numbered alike");
        if (now.laws != then.laws)
            place.fail(fmt::format("\"{}\" of that run has other laws than \"{}\" here ({}; {})", then.name,
                                   now.name, then.laws, now.laws),
                       "use a material with the same laws; their values may differ");
    }
}

}  // namespace rumple
