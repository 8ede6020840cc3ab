// Moments of several runs that belong together: the same frame, the end of the same phase, or, for a film of
// runs of different lengths, the same place in the same phase.
//
//   brief   | twist . . . | rest . |    waits     | untwist . . . |
//   held    | twist . . . | rest . | hold . . . . | untwist . . . |
#pragma once

#include <cstddef>
#include <rumple_render/render_source.hpp>
#include <string>
#include <vector>

namespace rumple {

struct Moment {
    // One a source. A source that ends earlier stays at its last frame.
    std::vector<std::size_t> frames;
    // Does it stand still until the others have come as far? One a source; empty: none does.
    std::vector<bool> waits = {};

    bool waiting(std::size_t source) const { return source < waits.size() && waits[source]; }
    friend bool operator==(const Moment&, const Moment&) = default;
};

// The same frame everywhere.
Moment at_frame(const std::vector<RenderSource>& sources, std::size_t frame);
// The end of a phase in each source. Where a source skips the phase, the end of the phase that comes before
// it in another source that has it. InputError: no source has the phase.
Moment at_end_of(const std::vector<RenderSource>& sources, const std::string& phase);

// Frame 0 to the longest source's last, all at the same frame.
std::vector<Moment> frame_by_frame(const std::vector<RenderSource>& sources);
// Every phase begins at the same moment in all sources; who skips it or is through waits at its last frame.
// Sources without phases (caches that belong to no run): frame by frame.
std::vector<Moment> phase_by_phase(const std::vector<RenderSource>& sources);
// The first of each `every` moments, and the last.
std::vector<Moment> thinned(const std::vector<Moment>& moments, std::size_t every);

}  // namespace rumple
