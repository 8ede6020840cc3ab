#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/material/material.hpp>
#include <rumple/modeling/size_check.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/dress.hpp>
#include <rumple/scene/obstacle_reader.hpp>
#include <rumple/scene/resolve_obstacle.hpp>
#include <rumple/scene/selection.hpp>

namespace rumple {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kShortestPart = 0.4;  // m: anything shorter is not part of a person
constexpr double kStands = 2e-4;       // m, RMS: a body that has moved less stands still
constexpr double kWaistBelow = 0.72;   // of the body's height: what begins below hangs from the waist
constexpr double kSettle = 1, kRest = 0.3, kStand = 0.5;  // s, of phases
constexpr double kDamping = 5;                            // 1/s, for the air
constexpr double kWaistStiffness = 200;                   // N/m, a vertex

bool is_one_of(const fs::path& path, std::initializer_list<const char*> extensions) {
    std::string own = path.extension().string();
    std::transform(own.begin(), own.end(), own.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return std::any_of(extensions.begin(), extensions.end(), [&](const char* e) { return own == e; });
}

fs::path existing(const std::string& name, const char* or_else) {
    std::error_code ignored;
    if (!fs::exists(name, ignored))
        throw InputError(name, "there is no such file", fmt::format("give a file, or {}", or_else));
    return fs::absolute(name).lexically_normal();
}

// The cache that a mesh goes with: <clip>.pc2 beside it, or without a clip the one of its own name.
fs::path cache_beside(const fs::path& mesh, const std::string& clip) {
    for (const char* extension : {".pc2", ".mdd"}) {
        const fs::path beside =
            mesh.parent_path() / ((clip.empty() ? mesh.stem().string() : clip) + extension);
        if (fs::exists(beside)) return beside;
    }
    if (clip.empty()) return {};
    std::vector<std::string> there;
    for (const auto& entry : fs::directory_iterator(mesh.parent_path()))
        if (is_one_of(entry.path(), {".pc2", ".mdd"})) there.push_back(entry.path().stem().string());
    std::sort(there.begin(), there.end());
    throw InputError(mesh.string(),
                     fmt::format("there is no clip \"{}\": no {}.pc2 or .mdd beside it", clip, clip),
                     there.empty() ? "without a clip the body stands still" : suggestion(clip, there));
}

fs::path topology_of(const fs::path& cache) {
    if (const auto beside = mesh_beside(cache)) return *beside;
    const fs::path rest = cache.parent_path() / (cache.stem().string() + "_rest.obj");
    if (fs::exists(rest)) return rest;
    throw InputError(cache.string(), "the triangles of this cache are missing",
                     fmt::format("put {}.obj beside it", cache.stem().string()));
}

// The obstacle, before its units and axes are checked.
json body_of(const DressOptions& o) {
    json body{{"name", "body"}};
    if (o.body == "mannequin") {
        body["body"] = {{"mannequin", json::object()}};
        if (!o.clip.empty()) body["body"]["clip"] = o.clip;
        return body;
    }
    const fs::path path = existing(o.body, "mannequin");
    if (is_one_of(path, {".glb", ".gltf"})) {
        body["body"] = {{"file", path.string()}};
        if (!o.clip.empty()) body["body"]["clip"] = o.clip;
    } else if (is_one_of(path, {".pc2", ".mdd"})) {
        body["cache"] = {{"file", path.string()}, {"mesh", topology_of(path).string()}};
    } else if (is_one_of(path, {".obj", ".ply"})) {
        const fs::path cache = cache_beside(path, o.clip);
        if (cache.empty())
            body["mesh"] = {{"file", path.string()}};
        else
            body["cache"] = {{"file", cache.string()}, {"mesh", path.string()}};
    } else {
        throw InputError(o.body, "this is no body",
                         "give a .glb, .gltf, .obj, .ply, .pc2 or .mdd file, or mannequin");
    }
    return body;
}

class Dresser {
  public:
    explicit Dresser(const DressOptions& options) : o_(options) {}

    DressPlan plan() {
        find_body();
        json cloth = find_garment();
        cloth["name"] = "garment";
        cloth["material"] = garment_material();
        json scene{{"rumple", 1},
                   {"name", "dress"},
                   {"description", fmt::format("{} on {}{}", fs::path(o_.garment).filename().string(),
                                               fs::path(o_.body).filename().string(),
                                               o_.clip.empty() ? "" : ", " + o_.clip)},
                   {"step", {{"h", o_.h}}},
                   {"damping", {{"mass", kDamping}}},
                   {"contact", json::object()},
                   {"cloths", {cloth}},
                   {"obstacles", {body_}},
                   {"phases", phases()}};
        if (o_.body == "mannequin" && o_.clip == "sit_chair")
            scene["obstacles"].push_back({{"name", "chair"}, {"body", {{"chair", json::object()}}}});
        if (!handle_.is_null()) scene["handles"] = {handle_};
        if (!o_.from.empty()) scene["from"] = fs::absolute(o_.from).lexically_normal().string();
        return {std::move(scene), std::move(notes_)};
    }

  private:
    void find_body();
    json find_garment();
    json phases();
    void find_waist(const TriMesh& garment);
    json garment_material();
    SceneObstacle read() {
        std::vector<std::string> ignored;
        return resolve_obstacle(read_obstacle(JsonPlace(body_, o_.body), {}, assets_), ignored);
    }
    int whole_steps(double seconds) const { return std::max(1, int(std::lround(seconds / o_.h))); }

    const DressOptions& o_;
    AssetCache assets_;
    json body_, handle_;
    SceneObstacle obstacle_;
    std::vector<Vec3d> first_;  // pose of the body
    double floor_ = 0, height_ = 0;
    bool whole_ = true;  // a whole person
    std::vector<std::string> notes_;
};

void Dresser::find_body() {
    body_ = body_of(o_);
    const std::string source = body_.contains("body") ? "body" : body_.contains("cache") ? "cache" : "mesh";
    TriMesh mesh;  // checked first: a scene refuses a body in millimetres
    if (source == "body" && o_.body != "mannequin") mesh = GltfModel::read(o_.body).mesh();
    if (source == "cache") mesh = read_mesh(body_[source]["mesh"].get<std::string>());
    if (source == "mesh") mesh = read_mesh(body_[source]["file"].get<std::string>());
    if (!mesh.positions.empty()) {
        const SizeFinding size = check_body_size(mesh.positions, o_.body);
        double low = mesh.positions[0].z, high = low;
        for (const Vec3d& x : mesh.positions) low = std::min(low, x.z), high = std::max(high, x.z);
        whole_ = size.known;
        if (!size.known && (high - low < kShortestPart || high - low > 2.5))
            throw InputError("", size.message);
        if (!size.known)
            notes_.push_back(fmt::format("{}: {:.3g} m tall: taken as a part of a body, in metres, Z up",
                                         o_.body, high - low));
        if (size.known && !size.fits) {
            if (source == "body" && size.y_up)
                throw InputError(o_.body, "the body lies down: glTF has Y up", "export it with Y up");
            body_[source]["scale"] = size.scale;
            if (size.y_up) body_[source]["up"] = "y";
            notes_.push_back(size.message);
        }
    }
    obstacle_ = read();
    first_ = obstacle_.mesh.positions;
    if (obstacle_.clip) first_ = obstacle_.clip->sample(0);
    floor_ = HUGE_VAL;
    double top = -HUGE_VAL;
    for (const Vec3d& x : first_) floor_ = std::min(floor_, x.z), top = std::max(top, x.z);
    height_ = top - floor_;
}

json Dresser::find_garment() {
    if (o_.garment == "trousers" || o_.garment == "tshirt") {
        if (o_.garment == "trousers")
            handle_ = {{"name", "waistband"}, {"select", {{"set", "waistband"}}}, {"attach", "body"}};
        return {{"mesh", {{"garment", o_.garment}, {"body", "body"}, {"edge", o_.edge}}}};
    }
    const fs::path path = existing(o_.garment, "trousers or tshirt");
    TriMesh mesh = read_mesh(path);
    const SizeFinding size = check_garment_size(mesh.positions, first_, o_.garment);
    if (!size.known) throw InputError("", size.message);
    json file{{"file", path.string()}};
    if (!size.fits) {
        notes_.push_back(size.message);
        file["scale"] = size.scale;
        if (size.y_up) file["up"] = "y";
    }
    for (Vec3d& x : mesh.positions) x = size.apply(x);
    find_waist(mesh);
    // Unstrained as it lies on the body, and flat where it is free: cloth, not rubber.
    return {{"mesh", file}, {"rest", "mesh"}, {"rest_angles", "flat"}};
}

// The paper has some cloths twice, as a specimen and as a garment: take the garment.
json Dresser::garment_material() {
    if (is_one_of(o_.material, {".json"}))
        return {{"file", existing(o_.material, "the name of a preset").string()}};
    const std::string garment = o_.material + "-garment";
    if (!find_preset(garment)) return o_.material;
    notes_.push_back(fmt::format("{}: the garment table's ({})", o_.material, garment));
    return garment;
}

// A garment that hangs from the waist is held by its highest border; one that hangs from the shoulders is not
// held.
void Dresser::find_waist(const TriMesh& garment) {
    double top = -HUGE_VAL;
    for (const Vec3d& x : garment.positions) top = std::max(top, x.z);
    if (whole_ && top > floor_ + kWaistBelow * height_) {
        notes_.push_back(fmt::format("{}: it reaches the shoulders and hangs from them", o_.garment));
        return;
    }
    const auto loops = boundary_loops(garment);
    if (loops.empty())
        throw InputError(o_.garment, "the garment has no border", "it should be open at waist and cuffs");
    std::size_t waist = 0;
    double highest = -HUGE_VAL;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        double sum = 0;
        for (int v : loops[i]) sum += garment.positions[std::size_t(v)].z;
        if (sum / double(loops[i].size()) <= highest) continue;
        highest = sum / double(loops[i].size());
        waist = i;
    }
    notes_.push_back(fmt::format("{}: held at the waist: its highest border, {} vertices at {:.2f} m",
                                 o_.garment, loops[waist].size(), highest));
    // By springs, so that a waist that begins inside the body can be pushed out of it.
    handle_ = {{"name", "waist"},
               {"select", {{"boundary", waist}}},
               {"attach", "body"},
               {"stiffness", kWaistStiffness}};
}

// The clip from its first motion to its extreme, where the body is furthest from its first pose.
json Dresser::phases() {
    json phases = {{{"name", "settle"}, {"duration", whole_steps(kSettle) * o_.h}}};
    const json hold{{"name", "hold"}, {"hold", o_.hold}, {"steps", o_.hold > 0 ? 50 : 0}};
    if (!obstacle_.clip || obstacle_.clip->times.size() < 2) {
        phases.push_back(hold);
        return phases;
    }
    const ObstacleClip& clip = *obstacle_.clip;
    std::vector<double> moved;
    for (std::size_t i = 0; i < clip.times.size(); ++i) {
        const std::vector<Vec3d> x = clip.sample(i);
        double sum = 0;
        for (std::size_t v = 0; v < x.size(); ++v) sum += dot(x[v] - first_[v], x[v] - first_[v]);
        moved.push_back(std::sqrt(sum / double(x.size())));
    }
    const double most = *std::max_element(moved.begin(), moved.end());
    if (most < kStands)
        throw InputError(o_.body, "the clip does not move", "without a clip the body stands still");
    std::size_t begin = 0, extreme = 0;
    while (moved[begin + 1] < kStands) ++begin;
    while (moved[extreme] < most - kStands) ++extreme;
    const double from = clip.times[begin], to = clip.times[extreme];
    notes_.push_back(fmt::format("{}: its extreme is at {:.3g} s of the clip; it moves from {:.3g} s on",
                                 o_.body, to, from));
    const char* source = body_.contains("body") ? "body" : "cache";
    if (from > 0) body_[source]["start"] = from;
    const double duration = whole_steps(to - from) * o_.h;
    phases[0]["obstacles"] = {{"body", "fixed"}};
    phases.push_back({{"name", "play"}, {"duration", duration}, {"obstacles", {{"body", {{"to", to}}}}}});
    phases.push_back(
        {{"name", "rest"}, {"duration", whole_steps(kRest) * o_.h}, {"obstacles", {{"body", "fixed"}}}});
    phases.push_back(hold);
    phases.push_back({{"name", "back"}, {"duration", duration}, {"obstacles", {{"body", {{"to", from}}}}}});
    phases.push_back(
        {{"name", "stand"}, {"duration", whole_steps(kStand) * o_.h}, {"obstacles", {{"body", "fixed"}}}});
    return phases;
}

}  // namespace

DressPlan plan_dress(const DressOptions& options) { return Dresser(options).plan(); }

}  // namespace rumple
