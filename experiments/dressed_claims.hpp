// The claims that trousers and T-shirt share.
#pragma once

#include <experiments/claim.hpp>
#include <experiments/dressed_scene.hpp>

namespace rumple {

// The scene at a size; paper_edge [m] gives about 20 000 vertices.
DressedScene sized_dress(DressedScene scene, Size size, double paper_edge);

// Cloths that keep wrinkles, and all: a smoke test leaves denim out.
std::vector<std::string> keepers_of(Size size);
std::vector<std::string> cloths_of(Size size);

// Where to look: the runs of all seeds, one variant.
struct DressedAt {
    const DressedRuns& runs;
    std::string variant;
};

// The two sides of one run are not two samples: a value is the mean over `sides`.
using Sides = std::vector<std::string>;
inline const Sides kBothSides{"_left", "_right"};

// `a` keeps a larger share of its pose than `b` in a region.
Claim keeps_more(const std::string& statement, const DressedAt& a, const DressedAt& b,
                 const std::string& region, const Sides& sides = kBothSides);
// Bending content that is left of the pose, a / b.
Claim keeps_times(const std::string& statement, const DressedAt& a, const DressedAt& b,
                  const std::string& region, const Bound& bound, const Sides& sides = kBothSides);

// One value for each run.
Claim stays_outside(const std::map<std::string, DressedRuns>& runs);

}  // namespace rumple
