#include <fmt/format.h>

#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple/material/material_json.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/fields.hpp>
#include <rumple/scene/resolve_cloth.hpp>

namespace rumple {

namespace {

Imperfection read_imperfection(const JsonPlace& cloth) {
    Imperfection imperfection;
    const auto place = cloth.find("imperfection");
    if (!place) return imperfection;
    place->require_keys("imperfection");
    read_fields(*place, imperfection);
    return imperfection;
}

// A material file is an object of overrides, with or without a preset to start from.
Material material_from_file(const std::filesystem::path& path) {
    nlohmann::json overrides = parse_json(read_file(path, kMaxJsonBytes, require_text), path.string());
    const JsonPlace place(overrides, path.string());
    if (!overrides.is_object()) place.fail("a material file holds one object");
    Material material;
    if (const auto preset = place.find("preset")) material = resolve_material(*preset, preset->text());
    overrides.erase("preset");
    apply_overrides(material, overrides, path.string());
    return material;
}

template <class Options>
Options read_generator(const JsonPlace& place, std::string_view table) {
    place.require_keys(table);
    Options options;
    read_fields(place, options);
    return options;
}

MeshFile read_mesh_file(const JsonPlace& place, const std::filesystem::path& folder) {
    place.require_keys("mesh_file");
    MeshFile file;
    file.file = resolve_file(place.at("file"), folder);
    read_fields(place, file);
    file.y_up = place.choice_or("up", 0, {"z", "y"}) == 1;
    return file;
}

template <class Cut>
Cut read_cut(const JsonPlace& place, std::string_view table) {
    place.require_keys(table);
    Cut cut;
    read_fields(place, cut.options);
    if (const auto body = place.find("body")) cut.body = body->text();
    return cut;
}

ClothSource read_source(const JsonPlace& place, const std::filesystem::path& folder) {
    const std::string source = place.one_of({"generator", "file", "garment"});
    if (source == "file") return read_mesh_file(place, folder);
    if (source == "garment") {
        if (place.at("garment").choice({"trousers", "tshirt"}) == 0)
            return read_cut<TrousersCut>(place, "trousers");
        return read_cut<TshirtCut>(place, "tshirt");
    }
    switch (place.at("generator").choice({"tube", "grid", "disc"})) {
        case 0:
            return read_generator<TubeOptions>(place, "tube");
        case 1:
            return read_generator<GridOptions>(place, "grid");
        default:
            return read_generator<DiscOptions>(place, "disc");
    }
}

}  // namespace

double read_angle(const JsonPlace& place) {
    if (place.one_of({"degrees", "radians"}) == "radians")
        return place.at("radians").number({-1e5, 1e5, false, "rad"});
    return place.at("degrees").number({-1e6, 1e6, false, "degrees"}) * (std::numbers::pi / 180);
}

std::filesystem::path resolve_file(const JsonPlace& place, const std::filesystem::path& folder) {
    const std::filesystem::path given = place.text();
    if (given.empty()) place.fail("names no file");
    const std::filesystem::path normal = given.lexically_normal();
    if (given.is_relative() && *normal.begin() == "..")
        place.fail(fmt::format("\"{}\" is outside the scene's folder", given.string()),
                   "put the file beside the scene, or give its absolute path");
    const std::filesystem::path path = given.is_absolute() ? given : folder / normal;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        place.fail(fmt::format("there is no file \"{}\"", path.string()),
                   given.is_absolute() ? "" : "paths start from the scene's folder");
    return path;
}

Placement read_placement(const JsonPlace& owner) {
    Placement placement;
    const auto place = owner.find("place");
    if (!place) return placement;
    place->require_keys("place");
    placement.pose.translation = place->vector_or("translate", {}, kCoordinate);
    if (const auto scale = place->find("scale")) {
        if (scale->value().is_array()) {
            placement.scale = scale->vector(kPlacementScale);
        } else {
            const double s = scale->number(kPlacementScale);
            placement.scale = {s, s, s};
        }
    }
    if (const auto turn = place->find("rotate")) {
        turn->require_keys("turn");
        placement.pose.rotation = rotation(turn->direction_or("axis", {0, 0, 1}), read_angle(*turn));
    }
    return placement;
}

MaterialChoice read_material(const JsonPlace& place, const std::filesystem::path& folder) {
    if (place.value().is_string()) return place.text();
    const std::string start = place.one_of({"preset", "file"});
    const JsonPlace first = place.at(start);
    Material material = start == "preset" ? resolve_material(first, first.text())
                                          : material_from_file(resolve_file(first, folder));
    nlohmann::json overrides = place.value();
    overrides.erase(start);
    apply_overrides(material, overrides, place.where());
    return material;
}

ClothDescription read_cloth(const JsonPlace& place, const std::filesystem::path& folder) {
    place.require_keys("cloth");
    ClothDescription cloth;
    cloth.place = place;
    cloth.name = place.at("name").name();
    cloth.source = read_source(place.at("mesh"), folder);
    read_fields(place, cloth.options.rest);
    cloth.options.rest.warp = place.direction_or("warp", cloth.options.rest.warp);
    cloth.options.place = read_placement(place);
    cloth.options.imperfection = read_imperfection(place);
    cloth.material = read_material(place.at("material"), folder);
    return cloth;
}

}  // namespace rumple
