#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/core/smooth_noise.hpp>
#include <rumple/core/split_mix.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/mesh/validate.hpp>
#include <rumple/modeling/garment.hpp>
#include <rumple/scene/resolve_cloth.hpp>

namespace rumple {

namespace {

constexpr double kMinCorrelationLength = 1e-6;  // m; shorter than any edge
constexpr double kMaxVertices = 2e7;            // beyond this a typing error is likelier than a wish

void require_size(const Place& place, double vertices) {
    if (vertices > kMaxVertices)
        place.fail(fmt::format("about {:.3g} vertices are too many", vertices), "at most 2e7 are possible");
}

// Makes or reads the mesh of a cloth, whatever its source.
class MeshMaker {
  public:
    MeshMaker(Place place, const std::vector<SceneObstacle>& obstacles, AssetCache& asset_cache,
              std::vector<std::string>& warnings)
        : place_(std::move(place)), obstacles_(obstacles), asset_cache_(asset_cache), warnings_(warnings) {}

    ClothMesh operator()(const TriMesh& mesh) const { return {mesh}; }
    ClothMesh operator()(const TubeOptions& o) const {
        require_size(place_, double(o.around) * o.up);
        return {make_tube(o)};
    }
    ClothMesh operator()(const GridOptions& o) const {
        require_size(place_, double(o.nx) * o.ny);
        return {make_grid(o)};
    }
    ClothMesh operator()(const DiscOptions& o) const {
        require_size(place_, 4 * (o.radius / o.edge) * (o.radius / o.edge));
        return {make_disc(o)};
    }
    ClothMesh operator()(const MeshFile& file) const {
        return {load_mesh(place_.at("file"), file, warnings_)};
    }
    ClothMesh operator()(const TrousersCut& cut) const {
        return cut_garment(place_, cut, obstacles_, asset_cache_);
    }
    ClothMesh operator()(const TshirtCut& cut) const {
        return cut_garment(place_, cut, obstacles_, asset_cache_);
    }

  private:
    Place place_;
    const std::vector<SceneObstacle>& obstacles_;
    AssetCache& asset_cache_;
    std::vector<std::string>& warnings_;
};

Vec3d unit_or_zero(Vec3d v) { return norm(v) > 0 ? normalized(v) : Vec3d{}; }

// Not of unit length: sums of the normals of triangles, each as long as twice its area.
std::vector<Vec3d> area_normals(const TriMesh& mesh) {
    std::vector<Vec3d> normals(mesh.positions.size());
    const auto x = [&](int v) { return mesh.positions[static_cast<std::size_t>(v)]; };
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d area_normal = cross(x(b) - x(a), x(c) - x(a));
        for (int v : {a, b, c}) normals[static_cast<std::size_t>(v)] += area_normal;
    }
    return normals;
}

void append(std::vector<std::string>& all, const std::vector<std::string>& some) {
    all.insert(all.end(), some.begin(), some.end());
}

}  // namespace

void add_imperfection(TriMesh& mesh, const Imperfection& imperfection) {
    if (imperfection.amplitude == 0) return;
    std::vector<Vec3d> normals;
    if (imperfection.direction == ImperfectionDirection::normal) normals = area_normals(mesh);
    const std::uint64_t seed = static_cast<std::uint64_t>(imperfection.seed);
    const double length = imperfection.correlation_length;
    const bool smooth = length >= kMinCorrelationLength;
    const SmoothNoise noise(seed);
    SplitMix64 random(seed);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        Vec3d& x = mesh.positions[v];
        Vec3d along{0, 0, 1};
        if (imperfection.direction == ImperfectionDirection::radial) along = unit_or_zero({x.x, x.y, 0});
        if (imperfection.direction == ImperfectionDirection::normal) along = unit_or_zero(normals[v]);
        const double by = smooth ? noise.at((1 / length) * x) : 2 * random.uniform() - 1;
        x += imperfection.amplitude * by * along;
    }
}

TriMesh load_mesh(const Place& place, const MeshFile& file, std::vector<std::string>& warnings) {
    if (!std::filesystem::is_regular_file(file.file))
        place.fail(fmt::format("\"{}\" is not a file of its own", file.file.string()),
                   "name a mesh: an .obj or a .ply");
    TriMesh mesh = read_mesh(file.file, &warnings);
    for (Vec3d& x : mesh.positions) {
        if (file.y_up) x = {x.x, -x.z, x.y};  // a quarter turn about X
        x *= file.scale;
    }
    for (Vec2d& uv : mesh.uvs) uv = file.uv_scale * uv;
    return mesh;
}

Material resolve_material(const Place& place, const MaterialChoice& choice) {
    if (const Material* given = std::get_if<Material>(&choice)) {
        validate(*given, place.where());
        return *given;
    }
    const std::string& name = std::get<std::string>(choice);
    if (const Material* preset = find_preset(name)) return *preset;
    std::vector<std::string> names;
    for (const Material& preset : material_presets()) names.push_back(preset.name);
    place.fail(fmt::format("there is no material \"{}\"", name), suggestion(name, names));
}

SceneCloth resolve_cloth(const ClothDescription& description, const std::vector<SceneObstacle>& obstacles,
                         AssetCache& asset_cache, std::vector<std::string>& warnings) {
    const Place mesh_place = description.place.at("mesh");
    const MeshFile* file = std::get_if<MeshFile>(&description.source);
    const std::string name = file ? file->file.string() : mesh_place.where();
    ClothMesh made = std::visit(MeshMaker(mesh_place, obstacles, asset_cache, warnings), description.source);
    SceneCloth cloth;
    cloth.name = description.name;
    try {
        append(warnings, validate_mesh(made.mesh, name));
        cloth.rest = make_rest_shape(made.mesh, description.options.rest, name);
    } catch (const InputError& error) {
        throw error.in_cloth(cloth.name);
    }
    append(warnings, cloth.rest.warnings);
    for (Vec3d& x : made.mesh.positions) x = description.options.place.apply(x);
    cloth.reference = made.mesh.positions;
    add_imperfection(made.mesh, description.options.imperfection);
    cloth.mesh = std::move(made.mesh);
    cloth.sets = std::move(made.sets);
    cloth.seams = std::move(made.seams);
    for (SeamLine& seam : cloth.seams)
        for (std::size_t i = 0; i < seam.points.size(); ++i) {
            const Vec3d p = seam.points[i],
                        ahead = description.options.place.apply(p + 1e-3 * seam.normals[i]);
            seam.points[i] = description.options.place.apply(p);
            seam.normals[i] = unit_or_zero(ahead - seam.points[i]);
        }
    cloth.material = resolve_material(description.place.at("material"), description.material);
    return cloth;
}

}  // namespace rumple
