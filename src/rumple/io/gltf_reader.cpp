#include <fmt/format.h>

#include <map>
#include <rumple/io/gltf_reader.hpp>

namespace rumple {

namespace {

using Json = nlohmann::json;

// Beyond these, a file made to fill memory: a few bytes can ask for the same data many times.
constexpr std::size_t kMaxVertices = 4'000'000, kMaxTriangles = 8'000'000, kMaxKeys = 10'000'000;

class Reader {
  public:
    explicit Reader(const GltfDocument& document) : doc_(document) { data_.name = document.name(); }

    GltfData read() {
        read_nodes();
        read_skins();
        for (const std::size_t n : scene_nodes()) read_node_mesh(n);
        if (data_.triangles.empty())
            doc_.refuse("", "there are no triangles in its scene", "export the body's mesh with it");
        weld();
        read_clips();
        if (has_morphs_)
            data_.warnings.push_back(data_.name +
                                     ": morph targets are ignored; bake them into the mesh or the skin");
        return std::move(data_);
    }

  private:
    void read_nodes() {
        const std::size_t n = doc_.count("nodes");
        data_.nodes.resize(n);
        std::vector<std::vector<std::size_t>> children(n);
        for (std::size_t i = 0; i < n; ++i) {
            const Json& json = doc_.element("nodes", i);
            const std::string place = fmt::format("nodes[{}]", i);
            GltfNode& node = data_.nodes[i];
            if (json.contains("matrix")) {
                const auto m = doc_.numbers<16>(json, "matrix", {}, place);
                node.has_matrix = true;
                node.matrix = affine(m);
            }
            const auto t = doc_.numbers<3>(json, "translation", {0, 0, 0}, place);
            const auto r = doc_.numbers<4>(json, "rotation", {0, 0, 0, 1}, place);
            const auto s = doc_.numbers<3>(json, "scale", {1, 1, 1}, place);
            node.translation = {t[0], t[1], t[2]};
            node.rotation = {r[3], r[0], r[1], r[2]};
            if (!(dot(node.rotation, node.rotation) > 0))
                doc_.refuse(place + ".rotation", "this is no rotation");
            node.rotation = normalized(node.rotation);
            node.scale = {s[0], s[1], s[2]};
            children[i] = doc_.index_list(json, "children", "nodes", place);
        }
        for (std::size_t i = 0; i < n; ++i)
            for (const std::size_t c : children[i]) {
                if (data_.nodes[c].parent >= 0)
                    doc_.refuse(fmt::format("nodes[{}]", c), "it has two parents");
                data_.nodes[c].parent = int(i);
            }
        for (std::size_t i = 0; i < n; ++i)
            if (data_.nodes[i].parent < 0) data_.order.push_back(i);
        for (std::size_t k = 0; k < data_.order.size(); ++k)
            for (const std::size_t c : children[data_.order[k]]) data_.order.push_back(c);
        if (data_.order.size() != n) doc_.refuse("nodes", "some nodes are their own ancestors");
        children_ = std::move(children);
    }

    // Column-major, as glTF has it.
    template <class Numbers>
    static Affine affine(const Numbers& m, std::size_t begin = 0) {
        Affine a;
        for (int c = 0; c < 3; ++c)
            for (int r = 0; r < 3; ++r) a.linear(r, c) = m[begin + std::size_t(4 * c + r)];
        a.shift = {m[begin + 12], m[begin + 13], m[begin + 14]};
        return a;
    }

    void read_skins() {
        for (std::size_t i = 0; i < doc_.count("skins"); ++i) {
            const Json& json = doc_.element("skins", i);
            const std::string place = fmt::format("skins[{}]", i);
            GltfSkin skin;
            skin.joints = doc_.index_list(json, "joints", "nodes", place);
            if (skin.joints.empty()) doc_.refuse(place, "it has no joints");
            skin.inverse_bind.resize(skin.joints.size());
            const std::ptrdiff_t a = doc_.index(json, "inverseBindMatrices", "accessors", place);
            if (a >= 0) {
                const auto table = doc_.read(std::size_t(a), 16, place + ".inverseBindMatrices");
                if (table.rows < skin.joints.size())
                    doc_.refuse(place, fmt::format("{} joints, but {} inverse bind matrices",
                                                   skin.joints.size(), table.rows));
                for (std::size_t j = 0; j < skin.joints.size(); ++j)
                    skin.inverse_bind[j] = affine(table.values, 16 * j);
            }
            data_.skins.push_back(std::move(skin));
        }
    }

    // Those of the default scene (the first if none is named), or all where the file has no scenes.
    std::vector<std::size_t> scene_nodes() const {
        if (doc_.count("scenes") == 0) return data_.order;
        const std::ptrdiff_t named = doc_.index(doc_.root(), "scene", "scenes", "glTF");
        const std::size_t scene = named < 0 ? 0 : std::size_t(named);
        std::vector<std::size_t> nodes = doc_.index_list(doc_.element("scenes", scene), "nodes", "nodes",
                                                         fmt::format("scenes[{}]", scene));
        std::vector<char> seen(data_.nodes.size());
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            if (seen[nodes[k]]) doc_.refuse(fmt::format("scenes[{}]", scene), "it lists a node twice");
            seen[nodes[k]] = 1;
            nodes.insert(nodes.end(), children_[nodes[k]].begin(), children_[nodes[k]].end());
        }
        return nodes;
    }

    void read_node_mesh(std::size_t node) {
        const Json& json = doc_.element("nodes", node);
        const std::string place = fmt::format("nodes[{}]", node);
        const std::ptrdiff_t mesh = doc_.index(json, "mesh", "meshes", place);
        if (mesh < 0) return;
        const std::ptrdiff_t skin = doc_.index(json, "skin", "skins", place);
        const auto& primitives = doc_.element("meshes", std::size_t(mesh)).value("primitives", Json::array());
        if (!primitives.is_array())
            doc_.refuse(fmt::format("meshes[{}].primitives", mesh), "this should be a list");
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            const std::string here = fmt::format("meshes[{}].primitives[{}]", mesh, p);
            if (!primitives[p].is_object()) doc_.refuse(here, "this should be an object");
            read_primitive(primitives[p], node, int(skin), here);
        }
    }

    void read_primitive(const Json& primitive, std::size_t node, int skin, const std::string& place) {
        const std::uint64_t mode = doc_.whole(primitive, "mode", 4, place);
        if (mode < 4 || mode > 6) {
            data_.warnings.push_back(data_.name + ": " + place + ": points and lines are ignored");
            return;
        }
        has_morphs_ = has_morphs_ || primitive.contains("targets");
        const Json attributes = primitive.value("attributes", Json::object());
        const std::ptrdiff_t position =
            attributes.is_object() ? doc_.index(attributes, "POSITION", "accessors", place) : -1;
        if (position < 0) doc_.refuse(place, "it has no positions");
        const auto table = doc_.read(std::size_t(position), 3, place + ".POSITION");
        if (table.rows > kMaxVertices - data_.vertices.size())
            doc_.refuse(place,
                        fmt::format("the meshes of the scene have more than {} vertices", kMaxVertices));
        const std::size_t first = data_.vertices.size();
        for (std::size_t v = 0; v < table.rows; ++v) {
            GltfVertex vertex;
            vertex.position = {table.at(v, 0), table.at(v, 1), table.at(v, 2)};
            vertex.skin = skin;
            vertex.node = node;
            data_.vertices.push_back(vertex);
        }
        if (skin >= 0) read_weights(attributes, first, table.rows, place);
        read_triangles(primitive, mode, first, table.rows, place);
    }

    void read_weights(const Json& attributes, std::size_t first, std::size_t rows, const std::string& place) {
        const std::size_t joints = data_.skins[std::size_t(data_.vertices[first].skin)].joints.size();
        for (std::size_t set = 0; set < kGltfInfluences / 4; ++set) {
            const std::string joint_key = fmt::format("JOINTS_{}", set),
                              weight_key = fmt::format("WEIGHTS_{}", set);
            const std::ptrdiff_t j = doc_.index(attributes, joint_key.c_str(), "accessors", place);
            const std::ptrdiff_t w = doc_.index(attributes, weight_key.c_str(), "accessors", place);
            if (j < 0 && w < 0 && set > 0) return normalise(first, rows, place);
            if (j < 0 || w < 0)
                doc_.refuse(place, "its node has a skin, but its vertices have no joints or no weights");
            const auto which = doc_.read(std::size_t(j), 4, place + "." + joint_key);
            const auto share = doc_.read(std::size_t(w), 4, place + "." + weight_key);
            if (which.rows != rows || share.rows != rows)
                doc_.refuse(place, "joints, weights and positions differ in number");
            for (std::size_t v = 0; v < rows; ++v)
                for (std::size_t k = 0; k < 4; ++k) {
                    const double weight = share.at(v, k), joint = which.at(v, k);
                    if (weight < 0)
                        doc_.refuse(place + "." + weight_key,
                                    fmt::format("the weight of vertex {} is negative", v));
                    if (weight == 0) continue;
                    if (!(joint >= 0 && joint < double(joints)))
                        doc_.refuse(
                            place + "." + joint_key,
                            fmt::format("vertex {} follows joint {}, but the skin has {}", v, joint, joints));
                    data_.vertices[first + v].joints[4 * set + k] = std::uint32_t(joint);
                    data_.vertices[first + v].weights[4 * set + k] = weight;
                }
        }
        normalise(first, rows, place);
    }
    void normalise(std::size_t first, std::size_t rows, const std::string& place) {
        for (std::size_t v = first; v < first + rows; ++v) {
            double sum = 0;
            for (const double w : data_.vertices[v].weights) sum += w;
            if (!(sum > 1e-6)) doc_.refuse(place, fmt::format("vertex {} follows no joint", v - first));
            for (double& w : data_.vertices[v].weights) w /= sum;
        }
    }

    void read_triangles(const Json& primitive, std::uint64_t mode, std::size_t first, std::size_t rows,
                        const std::string& place) {
        std::vector<std::uint32_t> index;
        if (const std::ptrdiff_t a = doc_.index(primitive, "indices", "accessors", place); a >= 0)
            index = doc_.read_indices(std::size_t(a), rows, place + ".indices");
        else
            for (std::uint32_t v = 0; v < rows; ++v) index.push_back(v);
        const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
            data_.triangles.push_back({int(first + index[a]), int(first + index[b]), int(first + index[c])});
        };
        if (mode == 4 && index.size() % 3 != 0)
            doc_.refuse(place, fmt::format("{} indices do not make whole triangles", index.size()));
        if (index.size() > kMaxTriangles || data_.triangles.size() + index.size() > 3 * kMaxTriangles)
            doc_.refuse(place,
                        fmt::format("the meshes of the scene have more than {} triangles", kMaxTriangles));
        for (std::size_t i = 2; i < index.size(); ++i) {
            if (mode == 4 && i % 3 == 2) add(i - 2, i - 1, i);
            if (mode == 5) i % 2 == 0 ? add(i - 2, i - 1, i) : add(i - 1, i - 2, i);
            if (mode == 6) add(0, i - 1, i);
        }
    }

    // Vertices alike in everything that moves them become one.
    void weld() {
        std::map<std::array<double, 5 + 2 * kGltfInfluences>, int> seen;
        std::vector<int> moved;
        std::vector<GltfVertex> kept;
        for (const GltfVertex& v : data_.vertices) {
            std::array<double, 5 + 2 * kGltfInfluences> key{v.position.x, v.position.y, v.position.z,
                                                            double(v.skin), v.skin < 0 ? double(v.node) : 0};
            for (std::size_t k = 0; k < kGltfInfluences; ++k) {
                key[5 + 2 * k] = v.joints[k];
                key[6 + 2 * k] = v.weights[k];
            }
            const auto [place, is_new] = seen.try_emplace(key, int(kept.size()));
            if (is_new) kept.push_back(v);
            moved.push_back(place->second);
        }
        data_.vertices = std::move(kept);
        std::vector<std::array<int, 3>> triangles;
        for (auto t : data_.triangles) {
            for (int& v : t) v = moved[std::size_t(v)];
            if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
        }
        data_.triangles = std::move(triangles);
        if (data_.triangles.empty()) doc_.refuse("", "all its triangles are without area");
    }

    void read_clips() {
        std::size_t keys = 0;
        for (std::size_t i = 0; i < doc_.count("animations"); ++i) {
            const Json& json = doc_.element("animations", i);
            const std::string place = fmt::format("animations[{}]", i);
            GltfClip clip{doc_.text(json, "name", ""), 0, {}};
            if (clip.name.empty()) clip.name = fmt::format("animation_{}", i);
            const Json channels = json.value("channels", Json::array()),
                       samplers = json.value("samplers", Json::array());
            if (!channels.is_array() || !samplers.is_array())
                doc_.refuse(place, "channels or samplers are no lists");
            for (std::size_t c = 0; c < channels.size(); ++c) {
                read_channel(channels[c], samplers, fmt::format("{}.channels[{}]", place, c), clip);
                if (!clip.channels.empty()) keys += clip.channels.back().times.size();
                if (keys > kMaxKeys) doc_.refuse(place, fmt::format("more than {} keys", kMaxKeys));
            }
            data_.clips.push_back(std::move(clip));
        }
    }

    void read_channel(const Json& json, const Json& samplers, const std::string& place, GltfClip& clip) {
        if (!json.is_object() || !json.value("target", Json()).is_object())
            doc_.refuse(place, "it has no target");
        const Json& target = json.at("target");
        const std::string path = doc_.text(target, "path", "");
        const std::ptrdiff_t node = doc_.index(target, "node", "nodes", place + ".target");
        if (path == "weights") has_morphs_ = true;
        if (node < 0 || path == "weights") return;
        GltfChannel channel{std::size_t(node), GltfPath::translation, GltfInterpolation::linear, {}, {}};
        if (path == "rotation")
            channel.path = GltfPath::rotation;
        else if (path == "scale")
            channel.path = GltfPath::scale;
        else if (path != "translation")
            doc_.refuse(place + ".target.path", "it is neither translation, rotation nor scale");
        if (data_.nodes[std::size_t(node)].has_matrix)
            doc_.refuse(place, fmt::format("nodes[{}] is animated but placed by a matrix", node),
                        "export translation, rotation and scale");
        const Json at = json.value("sampler", Json());
        if (!at.is_number_unsigned() || at.get<std::uint64_t>() >= samplers.size() ||
            !samplers[at.get<std::size_t>()].is_object())
            doc_.refuse(place + ".sampler", "there is no such sampler");
        read_keys(samplers[at.get<std::size_t>()], place + ".sampler", channel);
        clip.duration = std::max(clip.duration, channel.times.back());
        clip.channels.push_back(std::move(channel));
    }

    void read_keys(const Json& sampler, const std::string& place, GltfChannel& channel) {
        const std::string how = doc_.text(sampler, "interpolation", "LINEAR");
        if (how == "STEP")
            channel.interpolation = GltfInterpolation::step;
        else if (how == "CUBICSPLINE")
            channel.interpolation = GltfInterpolation::cubic;
        else if (how != "LINEAR")
            doc_.refuse(place + ".interpolation", "it is neither LINEAR, STEP nor CUBICSPLINE");
        const std::ptrdiff_t in = doc_.index(sampler, "input", "accessors", place);
        const std::ptrdiff_t out = doc_.index(sampler, "output", "accessors", place);
        if (in < 0 || out < 0) doc_.refuse(place, "it has no times or no values");
        channel.times = doc_.read(std::size_t(in), 1, place + ".input").values;
        for (std::size_t k = 1; k < channel.times.size(); ++k)
            if (channel.times[k] <= channel.times[k - 1])
                doc_.refuse(place + ".input", "its times do not rise");
        const std::size_t columns = channel.path == GltfPath::rotation ? 4 : 3;
        const auto table = doc_.read(std::size_t(out), columns, place + ".output");
        const std::size_t wanted =
            channel.times.size() * (channel.interpolation == GltfInterpolation::cubic ? 3 : 1);
        if (table.rows != wanted)
            doc_.refuse(place, fmt::format("{} values are needed, but {} are there", wanted, table.rows));
        for (std::size_t r = 0; r < table.rows; ++r) {
            std::array<double, 4> value{};
            for (std::size_t k = 0; k < columns; ++k) value[k] = table.at(r, k);
            channel.values.push_back(value);
        }
    }

    const GltfDocument& doc_;
    GltfData data_;
    std::vector<std::vector<std::size_t>> children_;
    bool has_morphs_ = false;
};

}  // namespace

GltfData read_gltf_data(const GltfDocument& document) { return Reader(document).read(); }

}  // namespace rumple
