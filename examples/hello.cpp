// The library in one page: a cotton tube is twisted, held for ten minutes or not at all, and turned back. How
// much of the wrinkles stays is printed as bending content (docs/measures.md).
#include <cstdio>
#include <rumple/rumple.hpp>

double twist_and_measure(double hold_seconds) {
    const auto scene =
        rumple::SceneBuilder("twist")
            .gravity({0, 0, 0})
            .cloth("tube", rumple::make_tube({.radius = 0.02, .height = 0.05, .around = 32, .up = 17}),
                   "cotton", {.imperfection = {.amplitude = 2e-5}})
            .handle("top", rumple::ring_top())
            .handle("bottom", rumple::ring_bottom())
            .phase("twist", {.duration = 0.6, .motions = {{"top", rumple::rotate_z(-70)}}})
            .phase("rest", {.duration = 0.3})
            .phase("hold", {.hold = hold_seconds, .steps = 20})
            .phase("back", {.duration = 0.6, .motions = {{"top", rumple::rotate_z(70)}}})
            .phase("settle", {.duration = 0.3})
            .build();
    return rumple::run(scene).cloth("tube").measures.bending_content;
}

int main() {
    std::printf("not held       %8.1f 1/m2\n", twist_and_measure(0));
    std::printf("held 10 min    %8.1f 1/m2\n", twist_and_measure(600));
}
