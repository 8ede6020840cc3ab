// Trousers fitted to a body: straight legs, open at the waist and at the cuffs.
#pragma once

#include <rumple/modeling/garment.hpp>
#include <rumple/modeling/landmarks.hpp>

namespace rumple {

struct TrousersOptions {
    double edge_length = 0.0077;  // m, 0.003 to 0.04; 0.0077 gives about 20 000 vertices, 0.02 about 3 000
    double rise = 0.85;  // 0.4 to 1.1: waistband's height, 0 at the crotch, 1 where the trunk is narrowest
    double cuff_height = 0.09;   // m above the floor, 0.02 to 0.6 (more: shorts)
    double waist_ease = 0.006;   // m between cloth and skin at the waistband, >= 0.005
    double hip_ease = 0.008;     // m at hips and thighs
    double knee_ease = 0.022;    // m at the knee
    double cuff_ease = 0.034;    // m at the ankle
    double crotch_drop = 0.018;  // m, of the cloth below the body's crotch
    double waistband = 0.035;    // m, width of the band
};

// Vertex sets: waist, cuff_left, cuff_right (the borders); waistband; behind_knee_left, behind_knee_right,
// seat, groin. Left is the body's x above its middle. InputError: see find_landmarks; options out of range.
Garment make_trousers(const TriMesh& body, const TrousersOptions& options = {},
                      const std::string& body_name = "body");

}  // namespace rumple
