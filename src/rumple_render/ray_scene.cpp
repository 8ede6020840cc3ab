#include <embree3/rtcore.h>
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <rumple_render/ray_scene.hpp>
#include <stdexcept>

namespace rumple {

namespace {

struct ReleaseDevice {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};
struct ReleaseScene {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
struct ReleaseGeometry {
    void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
using Device = std::unique_ptr<RTCDeviceTy, ReleaseDevice>;
using SceneHandle = std::unique_ptr<RTCSceneTy, ReleaseScene>;
using Geometry = std::unique_ptr<RTCGeometryTy, ReleaseGeometry>;

struct Packet {
    alignas(64) int valid[RayScene::kPacket];  // -1: there is a ray
};

// Fills the first lanes with these rays. The others end before they begin: where a processor has no packets
// of 16, Embree splits them and goes by that.
Packet load(std::span<const Ray> rays, RTCRay16& r) {
    Packet packet{};
    r = RTCRay16{};
    for (std::size_t i = rays.size(); i < RayScene::kPacket; ++i) r.tfar[i] = -1;
    for (std::size_t i = 0; i < rays.size(); ++i) {
        packet.valid[i] = -1;
        r.org_x[i] = rays[i].origin.x;
        r.org_y[i] = rays[i].origin.y;
        r.org_z[i] = rays[i].origin.z;
        r.dir_x[i] = rays[i].direction.x;
        r.dir_y[i] = rays[i].direction.y;
        r.dir_z[i] = rays[i].direction.z;
        r.tnear[i] = rays[i].near;
        r.tfar[i] = rays[i].far;
        r.time[i] = 0;
        r.mask[i] = 0xffffffffu;
        r.id[i] = 0;
        r.flags[i] = 0;
    }
    return packet;
}

}  // namespace

struct RayScene::Impl {
    Device device;
    SceneHandle scene;
};

RayScene::RayScene(std::span<const Mesh> meshes) : impl_(std::make_unique<Impl>()) {
    impl_->device.reset(rtcNewDevice(nullptr));
    if (!impl_->device)
        throw std::runtime_error(
            fmt::format("Embree cannot start (error {})", int(rtcGetDeviceError(nullptr))));
    RTCDevice device = impl_->device.get();
    impl_->scene.reset(rtcNewScene(device));
    // Robust: a ray through an edge that two triangles share hits one of them, never neither.
    rtcSetSceneFlags(impl_->scene.get(), RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(impl_->scene.get(), RTC_BUILD_QUALITY_MEDIUM);
    for (std::size_t m = 0; m < meshes.size(); ++m) {
        const Geometry geometry(rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE));
        auto* points = static_cast<float*>(rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0,
                                                                   RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                                                   meshes[m].positions.size()));
        auto* corners = static_cast<unsigned*>(
            rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                    3 * sizeof(unsigned), meshes[m].triangles.size()));
        if (!points || !corners) throw std::bad_alloc();
        for (const Vec3f& p : meshes[m].positions)
            for (int a = 0; a < 3; ++a) *points++ = p[a];
        for (const auto& triangle : meshes[m].triangles)
            for (const int v : triangle) *corners++ = static_cast<unsigned>(v);
        rtcCommitGeometry(geometry.get());
        rtcAttachGeometryByID(impl_->scene.get(), geometry.get(), static_cast<unsigned>(m));
    }
    tbb::task_arena(1).execute([this] { rtcJoinCommitScene(impl_->scene.get()); });
}

RayScene::~RayScene() = default;

void RayScene::nearest(std::span<const Ray> rays, std::span<Hit> hits) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit16 query;
    const Packet packet = load(rays, query.ray);
    for (std::size_t i = 0; i < kPacket; ++i)
        query.hit.geomID[i] = query.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect16(packet.valid, impl_->scene.get(), &context, &query);
    for (std::size_t i = 0; i < rays.size(); ++i) {
        Hit& hit = hits[i] = Hit{};
        if (query.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
        hit.distance = query.ray.tfar[i];
        hit.object = static_cast<int>(query.hit.geomID[i]);
        hit.triangle = static_cast<int>(query.hit.primID[i]);
        hit.u = query.hit.u[i];
        hit.v = query.hit.v[i];
        hit.normal = normalized(Vec3f{query.hit.Ng_x[i], query.hit.Ng_y[i], query.hit.Ng_z[i]});
    }
}

void RayScene::occluded(std::span<const Ray> rays, std::span<bool> hidden) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay16 query;
    const Packet packet = load(rays, query);
    rtcOccluded16(packet.valid, impl_->scene.get(), &context, &query);
    for (std::size_t i = 0; i < rays.size(); ++i) hidden[i] = query.tfar[i] < 0;
}

}  // namespace rumple
