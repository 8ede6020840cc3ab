#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <rumple_render/drawing.hpp>

namespace rumple {

namespace {

// Colours that colour-blind readers tell apart too: they differ in lightness as well as in hue.
constexpr std::array<Rgb, 7> kOnLight{{{31, 95, 168},
                                       {196, 78, 28},
                                       {30, 132, 96},
                                       {142, 60, 140},
                                       {128, 110, 20},
                                       {70, 70, 70},
                                       {160, 175, 190}}};
constexpr std::array<Rgb, 7> kOnDark{{{120, 180, 245},
                                      {255, 158, 105},
                                      {110, 215, 170},
                                      {225, 150, 222},
                                      {225, 205, 100},
                                      {190, 190, 190},
                                      {110, 118, 128}}};
constexpr int kInks = static_cast<int>(kOnLight.size());
constexpr Rgb kTextInk{34, 34, 34}, kAxisInk{90, 90, 90}, kGridInk{226, 226, 226};

std::string hex(Rgb c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string ink_class(const Pen& pen) {
    switch (pen.ink) {
        case Ink::text:
            return "text";
        case Ink::axis:
            return "axis";
        case Ink::grid:
            return "grid";
        case Ink::curve:
            return fmt::format("c{}", pen.curve % kInks);
    }
    return "";
}

Rgb ink_colour(const Pen& pen) {
    switch (pen.ink) {
        case Ink::text:
            return kTextInk;
        case Ink::axis:
            return kAxisInk;
        case Ink::grid:
            return kGridInk;
        case Ink::curve:
            return curve_colour(pen.curve);
    }
    return {};
}

void blend(Picture& onto, int x, int y, Rgb colour, double cover) {
    if (x < 0 || y < 0 || x >= onto.width || y >= onto.height || !(cover > 0)) return;
    fill(onto, x, y, 1, 1, colour, static_cast<float>(std::min(1.0, cover)));
}

double distance_to(Vec2d p, Vec2d a, Vec2d b) {
    const Vec2d along = b - a;
    const double length2 = dot(along, along);
    const double t = length2 > 0 ? std::clamp(dot(p - a, along) / length2, 0.0, 1.0) : 0.0;
    return norm(p - (a + t * along));
}

// A polyline as one shape: each pixel is covered by its nearest part, so that joints are not drawn twice.
void draw_stroke(Picture& onto, const std::vector<Vec2d>& points, double width, Rgb colour) {
    if (points.empty()) return;
    double x0 = 1e30, x1 = -1e30, y0 = 1e30, y1 = -1e30;
    for (const Vec2d& p : points) {
        x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
        y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
    const double reach = width / 2 + 1;
    const int left = std::max(0, int(x0 - reach)), right = std::min(onto.width - 1, int(x1 + reach) + 1);
    const int top = std::max(0, int(y0 - reach)), bottom = std::min(onto.height - 1, int(y1 + reach) + 1);
    if (left > right || top > bottom) return;
    const auto columns = static_cast<std::size_t>(right - left + 1);
    std::vector<float> cover(columns * static_cast<std::size_t>(bottom - top + 1));
    for (std::size_t i = 0; i + 1 < std::max<std::size_t>(points.size(), 2); ++i) {
        const Vec2d a = points[i], b = points[std::min(i + 1, points.size() - 1)];
        for (int y = std::max(top, int(std::min(a.y, b.y) - reach));
             y <= std::min(bottom, int(std::max(a.y, b.y) + reach) + 1); ++y)
            for (int x = std::max(left, int(std::min(a.x, b.x) - reach));
                 x <= std::min(right, int(std::max(a.x, b.x) + reach) + 1); ++x) {
                const double d = distance_to({x + 0.5, y + 0.5}, a, b);
                float& c =
                    cover[static_cast<std::size_t>(y - top) * columns + static_cast<std::size_t>(x - left)];
                c = std::max(c,
                             static_cast<float>(std::clamp(width / 2 + 0.5 - d, 0.0, std::min(1.0, width))));
            }
    }
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x)
            blend(onto, x, y, colour,
                  cover[static_cast<std::size_t>(y - top) * columns + static_cast<std::size_t>(x - left)]);
}

// Cuts a polyline into dashes.
std::vector<std::vector<Vec2d>> dashes(const std::vector<Vec2d>& points, double on, double off) {
    std::vector<std::vector<Vec2d>> out;
    double left = on;
    bool drawing = true;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        Vec2d a = points[i];
        if (drawing && (out.empty() || i == 0)) out.push_back({a});
        double length = norm(points[i + 1] - a);
        while (length > left) {
            a = a + (left / length) * (points[i + 1] - a);
            length -= left;
            if (drawing) out.back().push_back(a);
            drawing = !drawing;
            if (drawing) out.push_back({a});
            left = drawing ? on : off;
        }
        left -= length;
        if (drawing) out.back().push_back(points[i + 1]);
    }
    return out;
}

void draw_words(Picture& onto, const Drawing::Words& words, const Font& font, double scale) {
    const int size = std::max(6, static_cast<int>(std::lround(words.size * scale)));
    const int width = font.width(words.text, size);
    const int shift = words.anchor == Anchor::start ? 0 : words.anchor == Anchor::middle ? width / 2 : width;
    const int x = static_cast<int>(std::lround(words.at.x * scale)),
              y = static_cast<int>(std::lround(words.at.y * scale));
    if (!words.upright) return font.draw(onto, words.text, x - shift, y, size, kTextInk);
    Picture lying(width + 2, 2 * size, {255, 255, 255});
    font.draw(lying, words.text, 0, 3 * size / 2, size, kTextInk);
    for (int j = 0; j < lying.height; ++j)
        for (int i = 0; i < lying.width; ++i) {
            const int px = x + j - 3 * size / 2, py = y + shift - i;
            if (px >= 0 && py >= 0 && px < onto.width && py < onto.height &&
                !(lying.at(i, j) == Rgb{255, 255, 255}))
                onto.at(px, py) = lying.at(i, j);
        }
}

}  // namespace

Rgb curve_colour(int i, bool dark_paper) {
    return (dark_paper ? kOnDark : kOnLight)[static_cast<std::size_t>(i) % kOnLight.size()];
}

std::string to_svg(const Drawing& d, const std::string& description) {
    std::string light =
        fmt::format(".paper{{fill:#fff}}.text{{fill:{};stroke:none}}.axis{{stroke:{}}}.grid{{stroke:{}}}",
                    hex(kTextInk), hex(kAxisInk), hex(kGridInk));
    std::string dark = ".paper{fill:#1c1d1f}.text{fill:#e6e6e3}.axis{stroke:#a5a5a5}.grid{stroke:#38393c}";
    for (int i = 0; i < kInks; ++i) {
        light += fmt::format(".c{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, hex(curve_colour(i)));
        dark += fmt::format(".c{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, hex(curve_colour(i, true)));
    }
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "role=\"img\" "
        "font-family=\"DejaVu Sans, Verdana, "
        "sans-serif\">\n<title>{2}</title>\n<style>{3}polyline,path{{fill:none}}"
        "@media (prefers-color-scheme: dark){{{4}}}</style>\n<rect class=\"paper\" width=\"{0}\" "
        "height=\"{1}\"/>\n",
        d.width, d.height, escaped(description), light, dark);
    for (const auto& stroke : d.strokes) {
        svg += fmt::format("<polyline class=\"{}\" stroke-width=\"{}\"{} stroke-linejoin=\"round\" points=\"",
                           ink_class(stroke.pen), stroke.pen.width,
                           stroke.pen.dashed ? " stroke-dasharray=\"6 4\"" : "");
        for (const Vec2d& p : stroke.points) svg += fmt::format("{:.2f},{:.2f} ", p.x, p.y);
        svg += "\"/>\n";
    }
    for (const auto& bar : d.bars)
        svg += fmt::format(
            "<rect class=\"f{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
            bar.curve % kInks, bar.at.x, bar.at.y, bar.size.x, bar.size.y);
    for (const auto& dot : d.dots)
        svg += fmt::format("<circle class=\"f{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\"/>\n",
                           dot.curve % kInks, dot.at.x, dot.at.y, dot.radius);
    for (const auto& w : d.words) {
        const char* anchor = w.anchor == Anchor::start    ? "start"
                             : w.anchor == Anchor::middle ? "middle"
                                                          : "end";
        const std::string turn =
            w.upright ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", w.at.x, w.at.y) : "";
        svg += fmt::format(
            "<text class=\"text\" x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" "
            "text-anchor=\"{}\"{}>{}</text>\n",
            w.at.x, w.at.y, w.size, anchor, turn, escaped(w.text));
    }
    return svg + "</svg>\n";
}

Picture to_picture(const Drawing& d, const Font& font, double scale) {
    Picture picture(std::max(1, int(std::lround(d.width * scale))),
                    std::max(1, int(std::lround(d.height * scale))), {255, 255, 255});
    const auto scaled = [scale](std::vector<Vec2d> points) {
        for (Vec2d& p : points) p = scale * p;
        return points;
    };
    for (const auto& stroke : d.strokes) {
        const double width = stroke.pen.width * scale;
        const std::vector<Vec2d> points = scaled(stroke.points);
        if (!stroke.pen.dashed) {
            draw_stroke(picture, points, width, ink_colour(stroke.pen));
            continue;
        }
        for (const auto& dash : dashes(points, 6 * scale, 4 * scale))
            draw_stroke(picture, dash, width, ink_colour(stroke.pen));
    }
    for (const auto& bar : d.bars) {
        const int x = int(std::lround(bar.at.x * scale)), y = int(std::lround(bar.at.y * scale));
        fill(picture, x, y, int(std::lround((bar.at.x + bar.size.x) * scale)) - x,
             int(std::lround((bar.at.y + bar.size.y) * scale)) - y, curve_colour(bar.curve));
    }
    for (const auto& dot : d.dots)
        draw_stroke(picture, {scale * dot.at}, 2 * dot.radius * scale, curve_colour(dot.curve));
    for (const auto& words : d.words) draw_words(picture, words, font, scale);
    return picture;
}

}  // namespace rumple
