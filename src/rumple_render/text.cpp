#include <ft2build.h>
// FreeType wants its headers named by its own macros.
#include FT_FREETYPE_H

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple_render/text.hpp>
#include <type_traits>
#include <vector>

namespace rumple {

namespace {

std::filesystem::path find_font() {
    for (const char* place :
         {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf",
          "/usr/share/fonts/TTF/DejaVuSans.ttf", "/usr/local/share/fonts/DejaVuSans.ttf"})
        if (std::filesystem::exists(place)) return place;
    throw InputError("DejaVuSans.ttf", "the font for labels was not found",
                     "install the package fonts-dejavu-core, or leave the labels out");
}

// The next character of UTF-8; a broken one counts as a single odd character.
char32_t next_character(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    char32_t c = more == 0 ? lead : lead & (0x3fu >> more);
    std::size_t used = 1;
    while (used <= more && used < text.size() && (byte(used) & 0xc0) == 0x80)
        c = (c << 6) | (byte(used++) & 0x3f);
    text.remove_prefix(used);
    return c;
}

Rgb mix(Rgb below, Rgb colour, float amount) {
    if (amount <= 0) return below;
    if (amount >= 1) return colour;
    return to_rgb((1 - amount) * to_linear(below) + amount * to_linear(colour));
}

}  // namespace

struct Font::Impl {
    struct DoneLibrary {
        void operator()(FT_Library library) const { FT_Done_FreeType(library); }
    };
    struct DoneFace {
        void operator()(FT_Face face) const { FT_Done_Face(face); }
    };
    std::unique_ptr<std::remove_pointer_t<FT_Library>, DoneLibrary> library;
    std::unique_ptr<std::remove_pointer_t<FT_Face>, DoneFace> face;

    // Loads each glyph in turn and tells where its pen stands; returns where the pen ends.
    template <class Visit>
    int walk(std::string_view text, int size, Visit&& visit) const {
        FT_Set_Pixel_Sizes(face.get(), 0, static_cast<FT_UInt>(size));
        FT_Pos pen = 0;  // 1/64 pixel
        while (!text.empty()) {
            if (FT_Load_Char(face.get(), next_character(text), FT_LOAD_RENDER) != 0) continue;
            visit(*face->glyph, static_cast<int>((pen + 32) >> 6));
            pen += face->glyph->advance.x;
        }
        return static_cast<int>((pen + 63) >> 6);
    }
};

Font::Font() : Font(find_font()) {}

Font::Font(const std::filesystem::path& file) : impl_(std::make_unique<Impl>()) {
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) throw std::bad_alloc();
    impl_->library.reset(library);
    FT_Face face = nullptr;
    if (FT_New_Face(library, file.c_str(), 0, &face) != 0)
        throw InputError(file.string(), "this is not a font that FreeType can read");
    impl_->face.reset(face);
}

Font::~Font() = default;

int Font::width(std::string_view text, int size) const {
    return impl_->walk(text, size, [](const FT_GlyphSlotRec&, int) {});
}

void Font::draw(Picture& onto, std::string_view text, int x, int y, int size, Rgb colour) const {
    impl_->walk(text, size, [&](const FT_GlyphSlotRec& glyph, int pen) {
        const FT_Bitmap& map = glyph.bitmap;
        for (int row = 0; row < static_cast<int>(map.rows); ++row)
            for (int column = 0; column < static_cast<int>(map.width); ++column) {
                const int px = x + pen + glyph.bitmap_left + column, py = y - glyph.bitmap_top + row;
                if (px < 0 || py < 0 || px >= onto.width || py >= onto.height) continue;
                const float cover = static_cast<float>(map.buffer[row * map.pitch + column]) / 255;
                onto.at(px, py) = mix(onto.at(px, py), colour, cover);
            }
    });
}

void fill(Picture& onto, int x, int y, int width, int height, Rgb colour, float opacity) {
    for (int py = std::max(0, y); py < std::min(onto.height, y + height); ++py)
        for (int px = std::max(0, x); px < std::min(onto.width, x + width); ++px)
            onto.at(px, py) = mix(onto.at(px, py), colour, opacity);
}

}  // namespace rumple
