// glTF 2.0 as one binary file: a header, a JSON that describes, and the numbers.
//
//   indices          of all meshes, 4 bytes each
//   vertices         of each mesh: positions, normals, then for each morph target both again, as differences
//   UVs              of the meshes that have some
//   times, weights   weights are one byte each: 255 for the target that is shown, 0 for all others
//
// The JSON comes first and has the bounds of every target, so the frames are read twice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <rumple/io/animation.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/byte_order.hpp>
#include <rumple/io/writable_mesh.hpp>

namespace rumple {
namespace {

using Json = nlohmann::ordered_json;
using Float3 = std::array<float, 3>;

constexpr int kFloat = 5126, kUnsignedInt = 5125, kUnsignedByte = 5121;
constexpr int kVertexBuffer = 34962, kIndexBuffer = 34963;
constexpr std::uint64_t kVectorBytes = 12, kUvBytes = 8;

Float3 y_up(Vec3d v) { return {static_cast<float>(v.x), static_cast<float>(v.z), static_cast<float>(-v.y)}; }

Float3 difference(const Float3& a, const Float3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

void append(std::string& bytes, float value) { append_number<std::endian::little>(bytes, value); }
void append(std::string& bytes, const Float3& v) {
    for (const float x : v) append(bytes, x);
}

// A mesh as glTF counts: each vertex has one UV. The first vertices are those of the mesh; copies with other
// UVs follow.
struct GlbMesh {
    std::vector<std::uint32_t> corners;
    std::vector<int> vertex;  // of the mesh, for each vertex here
    std::vector<Vec2d> uvs;   // one a vertex here; empty: none
};

GlbMesh split_at_seams(const TriMesh& mesh) {
    GlbMesh result;
    result.vertex.resize(mesh.positions.size());
    for (std::size_t v = 0; v < result.vertex.size(); ++v) result.vertex[v] = static_cast<int>(v);
    if (!mesh.has_uvs()) {
        for (const auto& t : mesh.triangles)
            for (const int v : t) result.corners.push_back(static_cast<std::uint32_t>(v));
        return result;
    }
    result.uvs.resize(mesh.positions.size());
    std::vector<int> first_uv(mesh.positions.size(), -1);
    std::map<std::pair<int, int>, std::uint32_t> copies;  // vertex and UV to vertex here
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c) {
            const int v = mesh.triangles[t][c], uv = mesh.uv_triangles[t][c];
            int& first = first_uv[static_cast<std::size_t>(v)];
            if (first < 0) {
                first = uv;
                result.uvs[static_cast<std::size_t>(v)] = mesh.uvs[static_cast<std::size_t>(uv)];
            }
            if (first == uv) {
                result.corners.push_back(static_cast<std::uint32_t>(v));
                continue;
            }
            const auto [copy, is_new] =
                copies.try_emplace({v, uv}, static_cast<std::uint32_t>(result.vertex.size()));
            if (is_new) {
                result.vertex.push_back(v);
                result.uvs.push_back(mesh.uvs[static_cast<std::size_t>(uv)]);
            }
            result.corners.push_back(copy->second);
        }
    return result;
}

// Positions and normals of one frame, as glTF counts them.
struct GlbFrame {
    std::vector<Float3> positions, normals;
};

class GlbWriter {
  public:
    GlbWriter(const std::filesystem::path& path, const Animation& animation)
        : path_(path), animation_(animation) {
        for (const AnimatedMesh& part : animation.meshes) {
            require_writable(part.mesh, path.string());
            if (part.mesh.triangles.empty())
                throw InputError(path.string(), fmt::format("'{}' has no triangles", part.name));
            meshes_.push_back(split_at_seams(part.mesh));
        }
    }

    void write() {
        describe();
        const std::string text = padded(json_.dump());
        const std::uint64_t total = 12 + 8 + text.size() + 8 + bytes_;
        if (total >= std::uint64_t{1} << 32)
            throw InputError(path_.string(),
                             fmt::format("the file would have {} bytes, a .glb has less than 4 GiB", total),
                             "leave frames out with --every, or write .usda");
        AtomicFile file(path_);
        std::string head = "glTF";
        for (const std::uint64_t word :
             {std::uint64_t{2}, total, std::uint64_t{text.size()}, std::uint64_t{0x4E4F534A}})
            append_number<std::endian::little>(head, static_cast<std::uint32_t>(word));
        file.write(head + text);
        head.clear();
        append_number<std::endian::little>(head, static_cast<std::uint32_t>(bytes_));
        append_number<std::endian::little>(head, std::uint32_t{0x004E4942});
        file.write(head);
        write_numbers(file);
        file.commit();
    }

  private:
    std::size_t targets(std::size_t i) const {
        return animation_.moves(animation_.meshes[i]) ? animation_.frames() - 1 : 0;
    }
    bool anything_moves() const {
        for (std::size_t i = 0; i < meshes_.size(); ++i)
            if (targets(i) > 0) return true;
        return false;
    }
    static std::string padded(std::string text) {
        text.resize((text.size() + 3) / 4 * 4, ' ');
        return text;
    }

    GlbFrame frame(std::size_t i, std::size_t number);
    GlbFrame minus(GlbFrame frame, const GlbFrame& first) const;
    void describe();
    void describe_mesh(std::size_t i);
    void describe_animation();
    void describe_views();
    int material_of(const std::string& name);
    int add_accessor(int view, std::uint64_t offset, int type, std::uint64_t count, const char* shape);
    int add_vectors(const std::vector<Float3>& values, bool bounds);
    void write_numbers(AtomicFile& file);
    void write_vertices(AtomicFile& file, std::size_t i);

    const std::filesystem::path& path_;
    const Animation& animation_;
    std::vector<GlbMesh> meshes_;
    std::vector<Vec3d> positions_, normals_;  // scratch
    Json json_;
    std::uint64_t index_bytes_ = 0, vertex_bytes_ = 0, uv_bytes_ = 0, time_bytes_ = 0, weight_bytes_ = 0;
    std::uint64_t bytes_ = 0;  // of all numbers
};

// The numbers of the views, which are there only where something is in them.
enum View { kIndexView, kVertexView, kUvView };

GlbFrame GlbWriter::frame(std::size_t i, std::size_t number) {
    const AnimatedMesh& part = animation_.meshes[i];
    if (part.frame)
        part.frame(number, positions_);
    else
        positions_ = part.mesh.positions;
    if (positions_.size() != part.mesh.positions.size())
        throw InputError(path_.string(),
                         fmt::format("frame {} of '{}' has {} points, its mesh has {} vertices", number,
                                     part.name, positions_.size(), part.mesh.positions.size()));
    compute_normals(part.mesh.triangles, positions_, normals_);
    GlbFrame result;
    for (const int v : meshes_[i].vertex) {
        const Vec3d p = positions_[static_cast<std::size_t>(v)];
        if (!finite(p))
            throw SimulationError(fmt::format("{}: not written: vertex {} of frame {} is not finite",
                                              path_.string(), v, number));
        result.positions.push_back(y_up(p));
        result.normals.push_back(y_up(normals_[static_cast<std::size_t>(v)]));
    }
    return result;
}

GlbFrame GlbWriter::minus(GlbFrame frame, const GlbFrame& first) const {
    for (std::size_t v = 0; v < frame.positions.size(); ++v) {
        frame.positions[v] = difference(frame.positions[v], first.positions[v]);
        frame.normals[v] = difference(frame.normals[v], first.normals[v]);
    }
    return frame;
}

void GlbWriter::describe() {
    json_["asset"] = {{"version", "2.0"}, {"generator", "Rumple " + program_version()}};
    json_["scene"] = 0;
    json_["scenes"][0] = {{"name", animation_.name}, {"nodes", Json::array()}};
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
        json_["scenes"][0]["nodes"].push_back(i);
        json_["nodes"].push_back({{"name", animation_.meshes[i].name}, {"mesh", i}});
        describe_mesh(i);
    }
    if (anything_moves()) describe_animation();
    describe_views();
}

void GlbWriter::describe_mesh(std::size_t i) {
    const GlbMesh& glb = meshes_[i];
    const int indices = add_accessor(kIndexView, index_bytes_, kUnsignedInt, glb.corners.size(), "SCALAR");
    index_bytes_ += 4 * glb.corners.size();
    const GlbFrame first = frame(i, 0);
    const int position = add_vectors(first.positions, true);
    const int normal = add_vectors(first.normals, false);
    Json primitive{{"attributes", {{"POSITION", position}, {"NORMAL", normal}}}, {"indices", indices}};
    if (!glb.uvs.empty()) {
        primitive["attributes"]["TEXCOORD_0"] =
            add_accessor(kUvView, uv_bytes_, kFloat, glb.uvs.size(), "VEC2");
        uv_bytes_ += kUvBytes * glb.uvs.size();
    }
    if (!animation_.meshes[i].material.empty())
        primitive["material"] = material_of(animation_.meshes[i].material);
    Json mesh{{"name", animation_.meshes[i].name}};
    Json target_list = Json::array(), names = Json::array();
    for (std::size_t k = 1; k <= targets(i); ++k) {
        const GlbFrame moved = minus(frame(i, k), first);
        const int move = add_vectors(moved.positions, true);
        target_list.push_back({{"POSITION", move}, {"NORMAL", add_vectors(moved.normals, false)}});
        names.push_back(fmt::format("frame_{}", k));
    }
    if (!target_list.empty()) {
        primitive["targets"] = std::move(target_list);
        mesh["weights"] = std::vector<int>(targets(i), 0);
        mesh["extras"] = {{"targetNames", std::move(names)}};
    }
    mesh["primitives"].push_back(std::move(primitive));
    json_["meshes"].push_back(std::move(mesh));
}

// All meshes that move share the times and the weights.
void GlbWriter::describe_animation() {
    const std::size_t frames = animation_.frames();
    const int view = uv_bytes_ > 0 ? kUvView + 1 : kUvView;
    time_bytes_ = 4 * frames;
    weight_bytes_ = frames * (frames - 1);
    const int input = add_accessor(view, 0, kFloat, frames, "SCALAR");
    const auto seconds = [&](double code) { return static_cast<float>(code / animation_.rate); };
    json_["accessors"].back()["min"].push_back(seconds(animation_.time_codes.front()));
    json_["accessors"].back()["max"].push_back(seconds(animation_.time_codes.back()));
    const int output = add_accessor(view + 1, 0, kUnsignedByte, weight_bytes_, "SCALAR");
    json_["accessors"].back()["normalized"] = true;
    Json channels = Json::array();
    for (std::size_t i = 0; i < meshes_.size(); ++i)
        if (targets(i) > 0)
            channels.push_back({{"sampler", 0}, {"target", {{"node", i}, {"path", "weights"}}}});
    Json& animation = json_["animations"][0];
    animation["name"] = animation_.name;
    animation["samplers"][0] = {{"input", input}, {"output", output}, {"interpolation", "LINEAR"}};
    animation["channels"] = std::move(channels);
}

void GlbWriter::describe_views() {
    Json views = Json::array();
    const auto add = [&](std::uint64_t length, int target, std::uint64_t stride) {
        if (length == 0) return;
        Json view{{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", length}};
        if (stride > 0) view["byteStride"] = stride;
        if (target > 0) view["target"] = target;
        views.push_back(std::move(view));
        bytes_ += (length + 3) / 4 * 4;
    };
    add(index_bytes_, kIndexBuffer, 0);
    add(vertex_bytes_, kVertexBuffer, kVectorBytes);
    add(uv_bytes_, kVertexBuffer, kUvBytes);
    add(time_bytes_, 0, 0);
    add(weight_bytes_, 0, 0);
    json_["bufferViews"] = std::move(views);
    json_["buffers"][0]["byteLength"] = bytes_;
}

int GlbWriter::material_of(const std::string& name) {
    Json& materials = json_["materials"];
    for (std::size_t i = 0; i < materials.size(); ++i)
        if (materials[i]["name"] == name) return static_cast<int>(i);
    materials.push_back({{"name", name},
                         {"pbrMetallicRoughness", {{"metallicFactor", 0}, {"roughnessFactor", 0.9}}},
                         {"doubleSided", true}});
    return static_cast<int>(materials.size()) - 1;
}

int GlbWriter::add_accessor(int view, std::uint64_t offset, int type, std::uint64_t count,
                            const char* shape) {
    json_["accessors"].push_back({{"bufferView", view},
                                  {"byteOffset", offset},
                                  {"componentType", type},
                                  {"count", count},
                                  {"type", shape}});
    return static_cast<int>(json_["accessors"].size()) - 1;
}

// The next vectors of the view of vertices.
int GlbWriter::add_vectors(const std::vector<Float3>& values, bool bounds) {
    const int accessor = add_accessor(kVertexView, vertex_bytes_, kFloat, values.size(), "VEC3");
    vertex_bytes_ += kVectorBytes * values.size();
    if (!bounds) return accessor;
    Float3 low = values.front(), high = values.front();
    for (const Float3& v : values)
        for (std::size_t c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], v[c]);
            high[c] = std::max(high[c], v[c]);
        }
    json_["accessors"].back()["min"] = low;
    json_["accessors"].back()["max"] = high;
    return accessor;
}

void GlbWriter::write_numbers(AtomicFile& file) {
    std::string bytes;
    for (const GlbMesh& mesh : meshes_) {
        for (const std::uint32_t corner : mesh.corners) append_number<std::endian::little>(bytes, corner);
        file.write(bytes);
        bytes.clear();
    }
    for (std::size_t i = 0; i < meshes_.size(); ++i) write_vertices(file, i);
    for (const GlbMesh& mesh : meshes_)
        for (const Vec2d& uv : mesh.uvs) {  // v runs downwards
            append(bytes, static_cast<float>(uv.x));
            append(bytes, static_cast<float>(1 - uv.y));
        }
    file.write(bytes);
    bytes.clear();
    if (!anything_moves()) return;
    for (const double code : animation_.time_codes) append(bytes, static_cast<float>(code / animation_.rate));
    file.write(bytes);
    const std::size_t frames = animation_.frames();
    for (std::size_t i = 0; i < frames; ++i) {
        bytes.assign(frames - 1, '\0');
        if (i > 0) bytes[i - 1] = '\xff';
        file.write(bytes);
    }
    file.write(std::string((4 - weight_bytes_ % 4) % 4, '\0'));
}

void GlbWriter::write_vertices(AtomicFile& file, std::size_t i) {
    std::string bytes;
    const auto add = [&](const GlbFrame& shown) {
        for (const Float3& v : shown.positions) append(bytes, v);
        for (const Float3& v : shown.normals) append(bytes, v);
        file.write(bytes);
        bytes.clear();
    };
    const GlbFrame first = frame(i, 0);
    add(first);
    for (std::size_t k = 1; k <= targets(i); ++k) add(minus(frame(i, k), first));
}

}  // namespace

void write_glb(const std::filesystem::path& path, const Animation& animation) {
    GlbWriter(path, animation).write();
}

}  // namespace rumple
