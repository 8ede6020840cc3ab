// A line drawing as a list of strokes and words, and its two forms: SVG text and pixels.
#pragma once

#include <rumple/core/vec.hpp>
#include <rumple_render/text.hpp>
#include <string>
#include <vector>

namespace rumple {

// Colours by what they mean; both forms know what that looks like.
enum class Ink { text, axis, grid, curve };

struct Pen {
    Ink ink = Ink::axis;
    int curve = 0;  // which of the curve colours
    double width = 1;
    bool dashed = false;
};

enum class Anchor { start, middle, end };

struct Drawing {
    struct Stroke {
        std::vector<Vec2d> points;
        Pen pen;
    };
    struct Words {
        Vec2d at;  // on the base line
        std::string text;
        double size = 13;
        Anchor anchor = Anchor::start;
        bool upright = false;  // turned by 90 degrees, reads upwards
    };
    struct Dot {
        Vec2d at;
        double radius = 3;
        int curve = 0;
    };
    struct Bar {
        Vec2d at, size;
        int curve = 0;
    };
    int width = 0, height = 0;
    std::vector<Bar> bars;
    std::vector<Stroke> strokes;
    std::vector<Dot> dots;
    std::vector<Words> words;
};

Rgb curve_colour(int i, bool dark_paper = false);

std::string to_svg(const Drawing& drawing, const std::string& description);
Picture to_picture(const Drawing& drawing, const Font& font, double scale);

}  // namespace rumple
