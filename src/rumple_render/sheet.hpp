// Pictures side by side: a grid of tiles with a label under each, a title, and a legend that says what the
// colours mean.
#pragma once

#include <rumple_render/colour_map.hpp>
#include <rumple_render/field.hpp>
#include <rumple_render/text.hpp>
#include <string>
#include <vector>

namespace rumple {

struct Tile {
    Picture picture;
    std::string label;  // empty: none
};

struct Legend {
    std::string title, unit;  // the title may have several lines
    FieldRange range;
    ColourMap map = ColourMap::rising;
};

// Numbers with no more digits than they need: "0.25", "1200", "3e-05".
std::string short_number(double value);
// As people write it: 1/m^2 becomes 1/m².
std::string printed_unit(std::string unit);
// Round numbers from low to high, about `count` of them.
std::vector<double> tick_values(double low, double high, int count);

// Columns 0: a single row up to four tiles, then as near to a square as fits. Without font there are no
// words. All tiles have the size of the first.
Picture make_sheet(const std::vector<Tile>& tiles, int columns, const Font* font,
                   const std::string& title = "");
// The picture with a legend on its right side.
Picture with_legend(const Picture& picture, const Legend& legend, const Font& font);
// A line of words in the lower left corner, light on a dark veil.
void draw_caption(Picture& picture, const std::string& text, const Font& font);

// How people tell time: "0.85 s", "42 s", "8 min 20 s", "2 h 5 min".
std::string clock_text(double seconds);

}  // namespace rumple
