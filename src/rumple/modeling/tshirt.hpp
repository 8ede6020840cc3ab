// A T-shirt with long sleeves, fitted to a body in T-pose (or A-pose): open at neck, hem and cuffs.
#pragma once

#include <rumple/modeling/garment.hpp>
#include <rumple/modeling/landmarks.hpp>

namespace rumple {

struct TshirtOptions {
    double edge_length = 0.0080;  // m, 0.003 to 0.04; 0.0080 gives about 20 000 vertices, 0.02 about 3 000
    double sleeve = 0.85;         // 0.1 to 1: how far sleeves reach, 0 at the armpit, 1 at the wrist
    double hem = 0.03;            // m above the crotch, -0.05 to 0.3
    double chest_ease = 0.020;    // m between cloth and skin at chest and hem, >= 0.005
    double sleeve_ease = 0.014;   // m around the arm
    double neck_ease = 0.032;     // m between the neck and the opening
    double hem_band = 0.02;       // m, width of the bands at hem and neck
};

// Vertex sets: neck, hem, cuff_left, cuff_right (the borders); collar (a band at the neck); elbow_left,
// elbow_right, armpit_left, armpit_right. Left is the body's x above its middle. InputError: see
// find_landmarks; options out of range.
Garment make_tshirt(const TriMesh& body, const TshirtOptions& options = {},
                    const std::string& body_name = "body");

}  // namespace rumple
