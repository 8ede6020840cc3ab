#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple_render/sheet.hpp>

namespace rumple {

namespace {

constexpr Rgb kPaper{255, 255, 255}, kInk{34, 34, 34};
constexpr const char* kLongCaption = "stand (waits)   ·   material time 88 min 88 s";

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found{""};
    for (const char c : text) {
        if (c == '\n')
            found.emplace_back();
        else
            found.back() += c;
    }
    return found;
}

int text_size(int height) { return std::clamp(height / 24, 13, 40); }

}  // namespace

std::string short_number(double value) {
    if (value == 0) return "0";
    const double size = std::abs(value);
    return size >= 1e4 && size < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string printed_unit(std::string unit) {
    for (const auto& [plain, raised] : {std::pair{"^2", "²"}, std::pair{"^3", "³"}})
        for (std::size_t at; (at = unit.find(plain)) != std::string::npos;) unit.replace(at, 2, raised);
    return unit;
}

std::vector<double> tick_values(double low, double high, int count) {
    const double raw = (high - low) / std::max(1, count), power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double s : {1.0, 2.0, 2.5, 5.0})
        if (s * power >= raw * (1 - 1e-9)) {
            step = s * power;
            break;
        }
    std::vector<double> ticks;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
        ticks.push_back(std::abs(k) < 0.5 ? 0.0 : k * step);
    return ticks;
}

Picture make_sheet(const std::vector<Tile>& tiles, int columns, const Font* font, const std::string& title) {
    const int count = static_cast<int>(tiles.size());
    if (count == 1 && tiles[0].label.empty() && title.empty()) return tiles[0].picture;
    if (columns <= 0) columns = count <= 4 ? count : static_cast<int>(std::ceil(std::sqrt(double(count))));
    columns = std::min(columns, count);
    const int rows = (count + columns - 1) / columns, w = tiles[0].picture.width, h = tiles[0].picture.height;
    const int size = text_size(h), gap = std::max(2, size / 3);
    const bool labels =
        font && std::any_of(tiles.begin(), tiles.end(), [](const Tile& t) { return !t.label.empty(); });
    const int strip = labels ? 2 * size : 0, head = font && !title.empty() ? 5 * size / 2 : 0;
    Picture sheet(columns * w + (columns + 1) * gap, head + rows * (h + strip) + (rows + 1) * gap, kPaper);
    if (head > 0)
        font->draw(sheet, title, (sheet.width - font->width(title, 4 * size / 3)) / 2, gap + 7 * size / 4,
                   4 * size / 3, kInk);
    for (int i = 0; i < count; ++i) {
        const Tile& tile = tiles[static_cast<std::size_t>(i)];
        const int x = gap + i % columns * (w + gap), y = head + gap + i / columns * (h + strip + gap);
        paste(sheet, tile.picture, x, y);
        if (!labels) continue;
        int fit = size;  // long labels get smaller before they run into their neighbours
        while (fit > 8 && font->width(tile.label, fit) > w) --fit;
        font->draw(sheet, tile.label, x + (w - font->width(tile.label, fit)) / 2, y + h + 3 * size / 2, fit,
                   kInk);
    }
    return sheet;
}

Picture with_legend(const Picture& picture, const Legend& legend, const Font& font) {
    const int size = std::clamp(picture.height / 34, 11, 32), margin = size;
    const std::vector<double> ticks = tick_values(legend.range.low, legend.range.high, 5);
    const std::vector<std::string> heading = lines(
        legend.unit.empty() ? legend.title : fmt::format("{} [{}]", legend.title, printed_unit(legend.unit)));
    const int bar = 3 * size / 2;
    int widest = 0;
    for (const std::string& line : heading) widest = std::max(widest, font.width(line, size));
    for (const double tick : ticks)
        widest = std::max(widest, bar + size + font.width(short_number(tick), size));
    Picture out(picture.width + widest + 2 * margin, picture.height, kPaper);
    paste(out, picture, 0, 0);
    const int line_height = 4 * size / 3, head = static_cast<int>(heading.size()) * line_height + size;
    const int x = picture.width + margin, top = std::max(head + size, out.height / 6),
              bottom = out.height - std::max(2 * size, out.height / 6);
    for (std::size_t i = 0; i < heading.size(); ++i)
        font.draw(out, heading[i], x, top - head + static_cast<int>(i + 1) * line_height, size, kInk);
    const auto height = static_cast<double>(bottom - top);
    for (int y = top; y < bottom; ++y)
        fill(out, x, y, bar, 1, to_rgb(map_colour(legend.map, (bottom - 0.5 - y) / height)));
    for (const double tick : ticks) {
        const double t = (tick - legend.range.low) / (legend.range.high - legend.range.low);
        const int y = bottom - static_cast<int>(std::lround(t * height));
        fill(out, x + bar, y, size / 3, 1, kInk);
        font.draw(out, short_number(tick), x + bar + size / 2, y + size / 3, size, kInk);
    }
    return out;
}

void draw_caption(Picture& picture, const std::string& text, const Font& font) {
    int size = text_size(picture.height);
    // One size for a whole film, whose clock begins with seconds and ends with hours.
    const auto width = [&] { return std::max(font.width(text, size), font.width(kLongCaption, size)); };
    while (size > 8 && width() + 2 * size > picture.width) --size;
    const int band = 2 * size;
    fill(picture, 0, picture.height - band, picture.width, band, {20, 20, 22}, 0.55f);
    font.draw(picture, text, size, picture.height - band / 2 + size / 3, size, {245, 245, 240});
}

std::string clock_text(double seconds) {
    if (seconds < 10) return fmt::format("{:.2f} s", seconds);
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace rumple
