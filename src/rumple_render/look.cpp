#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple_render/look.hpp>
#include <rumple_render/weave.hpp>

namespace rumple {

namespace {

Vec3f srgb(std::uint8_t r, std::uint8_t g, std::uint8_t b) { return to_linear({r, g, b}); }

Look plain(const char* name, Vec3f colour, Yarn yarn, Shine shine) {
    return {
        name,
        colour,
        0.9f * colour,
        0,
        yarn,
        shine,  // Folds of a satin seam would glitter.
        {0.012f, 1, 0.80f * colour, 0, 0.0002f, shine.gloss > 0 ? 0.03f : 0.07f, shine.gloss > 0 ? 0.3f : 1},
        0.4f};
}

// Indigo warp over pale weft: each side's mean follows from which thread it shows.
Look denim() {
    const Vec3f indigo = srgb(33, 51, 96), ecru = srgb(164, 175, 190);
    Look look{"denim"};
    look.yarn = {Weave::twill, 0.00045f, 0.5f, 0.27f, ecru, 0.010f};
    look.shine = {0.10f, 0.55f, 0, 0.5f};
    look.hem = {0.018f, 2, srgb(204, 148, 76), 0.30f, 0.00032f, 0.16f, 1, srgb(176, 128, 84)};
    look.through = 0.04f;
    const float share = speck_share(look.yarn);
    look.front = (1 - share) * indigo + share * ecru;
    look.back = (1 - share) * ecru + share * look.front;
    return look;
}

const std::vector<Look>& looks() {
    static const std::vector<Look> all{
        plain("cotton", srgb(226, 220, 207), {Weave::plain, 0.00040f, 0.34f, 0.045f, {}, 0.006f},
              {0.22f, 0.6f, 0, 0.5f}),
        denim(),
        plain("polyester", srgb(62, 100, 110), {Weave::plain, 0.00025f, 0.20f, 0.04f, {}, 0.016f},
              {0.30f, 0.4f, 0.70f, 0.56f, 0.09f, 0.80f}),
        plain("rose", srgb(196, 118, 112), {Weave::plain, 0.00040f, 0.34f, 0.045f, {}, 0.006f},
              {0.22f, 0.6f, 0, 0.5f}),
        {"body", srgb(162, 148, 136), srgb(88, 84, 81), 0, {}, {0, 0.5f, 0.45f, 0.52f}, {}},
        {"wood", srgb(158, 118, 82), srgb(158, 118, 82), 0, {}, {0, 0.5f, 0.7f, 0.45f}, {}},
        {"clay", srgb(188, 184, 180), srgb(158, 155, 152), 0, {}, {}, {}},
    };
    return all;
}

}  // namespace

const std::vector<std::string>& look_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const Look& look : looks()) list.push_back(look.name);
        return list;
    }();
    return names;
}

Look look_by_name(const std::string& name) {
    for (const Look& look : looks())
        if (look.name == name) return look;
    throw InputError("look", fmt::format("there is no look '{}'", name), suggestion(name, look_names()));
}

Look look_for_material(const std::string& material) {
    for (const Look& look : looks())
        if (material.starts_with(look.name)) return look;
    return looks().front();
}

}  // namespace rumple
