#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/core/split_mix.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/placement.hpp>

namespace rumple {

namespace {

const std::vector<std::string_view> kDirections{"radial", "normal", "z"};
const std::vector<std::string_view> kRestSources{"auto", "uv", "mesh"};
const std::vector<std::string_view> kRestAngles{"auto", "flat", "mesh"};

Imperfection read_imperfection(const JsonPlace& cloth) {
    Imperfection imperfection;
    const auto place = cloth.find("imperfection");
    if (!place) return imperfection;
    place->require_keys("imperfection");
    imperfection.amplitude = place->at("amplitude").number({0, 1, false, "m"});
    if (const auto seed = place->find("seed"))
        imperfection.seed = static_cast<std::uint64_t>(seed->integer(0, 2147483647));
    imperfection.direction = ImperfectionDirection(place->choice_or("direction", 1, kDirections));
    return imperfection;
}

const Material& preset_at(const JsonPlace& place) {
    const std::string name = place.text();
    if (const Material* preset = find_preset(name)) return *preset;
    std::vector<std::string> names;
    for (const Material& preset : material_presets()) names.push_back(preset.name);
    place.fail(fmt::format("there is no material \"{}\"", name), suggestion(name, names));
}

// A material file is an object of overrides, with or without a preset to start from.
Material material_from_file(const std::filesystem::path& path) {
    nlohmann::json overrides = parse_json(read_file(path, kMaxJsonBytes, require_text), path.string());
    const JsonPlace place(overrides, path.string());
    if (!overrides.is_object()) place.fail("a material file holds one object");
    Material material;
    if (const auto preset = place.find("preset")) material = preset_at(*preset);
    overrides.erase("preset");
    apply_overrides(material, overrides, path.string());
    return material;
}

std::vector<Vec3d> vertex_normals(const TriMesh& mesh) {
    std::vector<Vec3d> normals(mesh.positions.size());
    const auto at = [&](int v) { return mesh.positions[std::size_t(v)]; };
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d area_normal = cross(at(b) - at(a), at(c) - at(a));
        for (int v : {a, b, c}) normals[std::size_t(v)] += area_normal;
    }
    return normals;
}

Vec3d unit_or_zero(Vec3d v) { return norm(v) > 0 ? normalized(v) : Vec3d{}; }

}  // namespace

double read_angle(const JsonPlace& place) {
    if (place.one_of({"degrees", "radians"}) == "radians")
        return place.at("radians").number({-1e5, 1e5, false, "rad"});
    return place.at("degrees").number({-1e6, 1e6, false, "degrees"}) * (std::numbers::pi / 180);
}

void add_imperfection(TriMesh& mesh, const Imperfection& imperfection) {
    if (imperfection.amplitude == 0) return;
    std::vector<Vec3d> normals;
    if (imperfection.direction == ImperfectionDirection::normal) normals = vertex_normals(mesh);
    SplitMix64 random(imperfection.seed);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        Vec3d& x = mesh.positions[v];
        Vec3d along{0, 0, 1};
        if (imperfection.direction == ImperfectionDirection::radial) along = unit_or_zero({x.x, x.y, 0});
        if (imperfection.direction == ImperfectionDirection::normal) along = unit_or_zero(normals[v]);
        x += imperfection.amplitude * (2 * random.uniform() - 1) * along;
    }
}

Material read_material(const JsonPlace& place, const std::filesystem::path& folder) {
    if (place.value().is_string()) return preset_at(place);
    const std::string start = place.one_of({"preset", "file"});
    Material material = start == "preset" ? preset_at(place.at("preset"))
                                          : material_from_file(resolve_file(place.at("file"), folder));
    nlohmann::json overrides = place.value();
    overrides.erase(start);
    apply_overrides(material, overrides, place.where());
    validate(material, place.where());
    return material;
}

ReadCloth read_cloth(const JsonPlace& place, const std::filesystem::path& folder, const Fitting& fitting) {
    place.require_keys("cloth");
    ReadCloth read;
    read.cloth.name = place.at("name").name();

    ReadMesh mesh;
    RestOptions options;
    try {
        mesh = read_cloth_mesh(place.at("mesh"), folder, fitting);
        options.source = RestSource(place.choice_or("rest", 0, kRestSources));
        options.angles = RestAngles(place.choice_or("rest_angles", 0, kRestAngles));
        options.warp = place.direction_or("warp", options.warp);
        read.cloth.rest = make_rest_shape(mesh.mesh, options, mesh.name);
    } catch (const InputError& error) {
        throw error.in_cloth(read.cloth.name);
    }
    read.warnings = std::move(mesh.warnings);
    read.warnings.insert(read.warnings.end(), read.cloth.rest.warnings.begin(),
                         read.cloth.rest.warnings.end());

    const Placement placement = read_placement(place);
    for (Vec3d& x : mesh.mesh.positions) x = placement.apply(x);
    read.placed = mesh.mesh.positions;
    const Imperfection imperfection = read_imperfection(place);
    add_imperfection(mesh.mesh, imperfection);
    read.cloth.mesh = std::move(mesh.mesh);
    read.cloth.sets = std::move(mesh.sets);
    read.cloth.material = read_material(place.at("material"), folder);
    return read;
}

}  // namespace rumple
