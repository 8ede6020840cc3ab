// Numbers on a surface, to be shown as colours: wrinkle measures from the shape alone, distances between
// surfaces, and the memory of the cloth (plastic strain, anchors, stick time) that a run wrote down.
#pragma once

#include <rumple_render/colour_map.hpp>
#include <rumple_render/render_source.hpp>
#include <string>
#include <vector>

namespace rumple {

struct FieldKind {
    std::string name;   // on the command line
    std::string title;  // in the legend
    std::string unit;
    ColourMap map = ColourMap::rising;
};

const std::vector<FieldKind>& field_kinds();
const FieldKind& field_by_name(const std::string& name);  // InputError with a suggestion

// One value a vertex for each object of the source at this frame; nothing for objects that are no cloth.
// Hinges give their value to their four vertices, as a mean weighted by length. `reference` is what
// "displacement" compares with: the objects of another source at the same frame. What the cloth remembers is
// read from the run's memory/ where its scene asked for it, else from its last checkpoint. InputError: there
// is neither, or only a checkpoint of another moment.
std::vector<std::vector<double>> field_values(const FieldKind& kind, const RenderSource& source,
                                              std::size_t frame, const std::vector<RenderObject>& objects,
                                              const std::vector<RenderObject>& reference,
                                              const Threads& threads);

struct FieldRange {
    double low = 0, high = 1;
};
// From zero (or symmetric about it, for a diverging map) to a round number that all but one value in fifty
// stay below.
FieldRange round_range(const std::vector<double>& values, ColourMap map);
double round_up(double value);  // to 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten

}  // namespace rumple
