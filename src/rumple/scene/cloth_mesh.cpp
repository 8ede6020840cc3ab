#include <fmt/format.h>

#include <rumple/io/mesh_file.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/garment_reader.hpp>

namespace rumple {

namespace {

constexpr int kMaxAlong = 100000;     // vertices along one side of a generated mesh
constexpr double kMaxVertices = 2e7;  // beyond this a typing error is likelier than a wish

const std::vector<std::string_view> kLayouts{"right", "alternating", "equilateral"};

void require_size(const JsonPlace& place, double vertices) {
    if (vertices > kMaxVertices)
        place.fail(fmt::format("about {:.3g} vertices are too many", vertices), "at most 2e7 are possible");
}

ReadMesh read_tube(const JsonPlace& place) {
    place.require_keys("tube");
    const double radius = place.at("radius").number(kLength), height = place.at("height").number(kLength);
    const int around = place.at("around").integer(3, kMaxAlong), up = place.at("up").integer(2, kMaxAlong);
    const std::size_t layout = place.choice_or("layout", 0, kLayouts);
    require_size(place, double(around) * up);
    return {make_tube(around, up, radius, height, Layout(layout)), place.where(), {}, {}};
}

ReadMesh read_grid(const JsonPlace& place) {
    place.require_keys("grid");
    const int nx = place.at("nx").integer(2, kMaxAlong), ny = place.at("ny").integer(2, kMaxAlong);
    const double width = place.at("width").number(kLength), height = place.at("height").number(kLength);
    const std::size_t layout = place.choice_or("layout", 0, kLayouts);
    require_size(place, double(nx) * ny);
    return {make_grid(nx, ny, width, height, Layout(layout)), place.where(), {}, {}};
}

ReadMesh read_disc(const JsonPlace& place) {
    place.require_keys("disc");
    const double radius = place.at("radius").number(kLength);
    const double edge = place.at("edge").number({0, radius, true, "m, the radius"});
    const std::size_t layout = place.choice_or("layout", 0, kLayouts);
    require_size(place, 4 * (radius / edge) * (radius / edge));
    return {make_disc(radius, edge, Layout(layout)), place.where(), {}, {}};
}

ReadMesh read_mesh_file(const JsonPlace& place, const std::filesystem::path& folder) {
    place.require_keys("mesh_file");
    const std::filesystem::path path = resolve_file(place.at("file"), folder);
    if (!std::filesystem::is_regular_file(path))
        place.at("file").fail(fmt::format("\"{}\" is not a file of its own", path.string()),
                              "name a mesh: an .obj or a .ply");
    const double scale = place.number_or("scale", 1, {0, 1e6, true});
    const double uv_scale = place.number_or("uv_scale", 1, {0, 1e6, true});
    const bool y_up = place.choice_or("up", 0, {"z", "y"}) == 1;

    ReadMesh read;
    read.name = path.string();
    read.mesh = read_mesh(path, &read.warnings);
    for (Vec3d& x : read.mesh.positions) {
        if (y_up) x = {x.x, -x.z, x.y};  // a quarter turn about X
        x *= scale;
    }
    for (Vec2d& uv : read.mesh.uvs) uv = uv_scale * uv;
    return read;
}

}  // namespace

std::filesystem::path resolve_file(const JsonPlace& place, const std::filesystem::path& folder) {
    const std::filesystem::path given = place.text();
    if (given.empty()) place.fail("names no file");
    const std::filesystem::path normal = given.lexically_normal();
    if (given.is_relative() && *normal.begin() == "..")
        place.fail(fmt::format("\"{}\" leads out of the scene's folder", given.string()),
                   "put the file beside the scene, or give its absolute path");
    const std::filesystem::path path = given.is_absolute() ? given : folder / normal;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        place.fail(fmt::format("there is no file \"{}\"", path.string()),
                   given.is_absolute() ? "" : "paths start from the scene's folder");
    return path;
}

ReadMesh read_cloth_mesh(const JsonPlace& place, const std::filesystem::path& folder,
                         const Fitting& fitting) {
    ReadMesh read;
    const std::string source = place.one_of({"generator", "file", "garment"});
    if (source == "file") {
        read = read_mesh_file(place, folder);
    } else if (source == "garment") {
        read = read_garment(place, fitting);
    } else {
        switch (place.at("generator").choice({"tube", "grid", "disc"})) {
            case 0:
                read = read_tube(place);
                break;
            case 1:
                read = read_grid(place);
                break;
            default:
                read = read_disc(place);
        }
    }
    const auto warnings = validate_mesh(read.mesh, read.name);
    read.warnings.insert(read.warnings.end(), warnings.begin(), warnings.end());
    return read;
}

}  // namespace rumple
