// Words on pictures: DejaVu Sans through FreeType, with the edges' grey in linear light, so that dark on
// light and light on dark look equally heavy.
#pragma once

#include <filesystem>
#include <memory>
#include <rumple_render/image.hpp>
#include <string>
#include <string_view>

namespace rumple {

class Font {
  public:
    // The font that comes with Debian's fonts-dejavu-core, wherever systems keep it. InputError: not found.
    Font();
    explicit Font(const std::filesystem::path& file);
    ~Font();
    Font(const Font&) = delete;
    Font& operator=(const Font&) = delete;

    // size: height of the letters' box in pixels. UTF-8; characters the font lacks are drawn as its box.
    int width(std::string_view text, int size) const;
    // (x, y): left end of the base line.
    void draw(Picture& onto, std::string_view text, int x, int y, int size, Rgb colour) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A rectangle of one colour; opacity in [0, 1]. What lies outside of the picture is left out.
void fill(Picture& onto, int x, int y, int width, int height, Rgb colour, float opacity = 1);

}  // namespace rumple
