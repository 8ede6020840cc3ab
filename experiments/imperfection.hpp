// The imperfection of a cloth in an experiment: one cloth, whatever its mesh.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rumple {

// On a mesh with edges of `longest_edge` or more every vertex is moved by itself, as in the reference twist.
// On a finer one the imperfection is smooth over that length: moved by itself, each vertex would make folds
// as short as an edge, whose bending content grows with the fourth power of the resolution and which friction
// holds.
inline nlohmann::json imperfection(double amplitude, int seed, const std::string& direction, double edge,
                                   double longest_edge) {
    nlohmann::json j{{"amplitude", amplitude}, {"seed", seed}, {"direction", direction}};
    if (edge < 0.9 * longest_edge) j["correlation_length"] = longest_edge;
    return j;
}

}  // namespace rumple
