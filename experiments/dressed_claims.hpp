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

// Where to look in a run.
struct DressedAt {
    const DressedRun& run;
    std::string variant;
};

// `a` keeps a larger share of its pose than `b` in a region. Body, garment and motion are mirror images, so
// that left and right are two samples.
Claim keeps_more(const std::string& statement, const DressedAt& a, const DressedAt& b,
                 const std::string& region);

Claim stays_outside(const std::map<std::string, DressedRun>& runs);

}  // namespace rumple
