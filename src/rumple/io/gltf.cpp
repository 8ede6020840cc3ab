#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/io/gltf.hpp>
#include <rumple/io/gltf_reader.hpp>
#include <rumple/io/text_scan.hpp>

namespace rumple {

struct GltfModel::Impl {
    explicit Impl(const GltfDocument& document) : data(read_gltf_data(document)) {
        for (const GltfClip& c : data.clips) names.push_back(c.name);
        mesh.triangles = data.triangles;
        mesh.positions = pose(data.nodes);
    }

    const GltfClip& clip(std::string_view name) const {
        for (const GltfClip& c : data.clips)
            if (c.name == name) return c;
        std::string all;
        for (const std::string& n : names) all += (all.empty() ? "" : ", ") + in_quotes(n);
        throw InputError(data.name, "there is no clip " + in_quotes(name),
                         all.empty() ? "the file has no animations" : "its clips are " + all);
    }

    std::vector<Vec3d> pose(const std::vector<GltfNode>& nodes) const {
        const std::vector<Affine> place = places(nodes, data.order);
        std::vector<std::vector<Affine>> joints;
        for (const GltfSkin& skin : data.skins) {
            joints.emplace_back();
            for (std::size_t j = 0; j < skin.joints.size(); ++j)
                joints.back().push_back(place[skin.joints[j]] * skin.inverse_bind[j]);
        }
        std::vector<Vec3d> out;
        out.reserve(data.vertices.size());
        for (const GltfVertex& v : data.vertices) {
            Vec3d p;
            if (v.skin < 0) {
                p = place[v.node](v.position);
            } else {
                const auto& moves = joints[std::size_t(v.skin)];
                for (std::size_t k = 0; k < kGltfInfluences; ++k)
                    if (v.weights[k] > 0) p += v.weights[k] * moves[v.joints[k]](v.position);
            }
            if (!std::isfinite(dot(p, p)))
                throw InputError(data.name,
                                 fmt::format("vertex {} moves to ({}, {}, {})", out.size(), p.x, p.y, p.z),
                                 "places and scales of its nodes must stay finite");
            out.push_back({p.x, -p.z, p.y});
        }
        return out;
    }

    std::vector<Vec3d> pose(const GltfClip& clip, double time) const {
        std::vector<GltfNode> nodes = data.nodes;
        for (const GltfChannel& channel : clip.channels) channel.apply(time, nodes[channel.node]);
        return pose(nodes);
    }

    GltfData data;
    std::vector<std::string> names;
    TriMesh mesh;
};

GltfModel::GltfModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GltfModel::GltfModel(GltfModel&&) noexcept = default;
GltfModel& GltfModel::operator=(GltfModel&&) noexcept = default;
GltfModel::~GltfModel() = default;

GltfModel GltfModel::read(const std::filesystem::path& path) {
    return GltfModel(std::make_unique<Impl>(GltfDocument(path)));
}
GltfModel GltfModel::parse(std::string bytes, const std::string& name) {
    return GltfModel(std::make_unique<Impl>(GltfDocument(std::move(bytes), name)));
}

const TriMesh& GltfModel::mesh() const { return impl_->mesh; }
const std::vector<std::string>& GltfModel::warnings() const { return impl_->data.warnings; }
const std::vector<std::string>& GltfModel::clip_names() const { return impl_->names; }
double GltfModel::clip_duration(std::string_view clip) const { return impl_->clip(clip).duration; }

std::vector<Vec3d> GltfModel::positions(std::string_view clip, double time) const {
    return impl_->pose(impl_->clip(clip), time);
}

}  // namespace rumple
