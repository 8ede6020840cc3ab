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

RTCRay to_embree(const Ray& ray) {
    RTCRay r{};
    r.org_x = ray.origin.x;
    r.org_y = ray.origin.y;
    r.org_z = ray.origin.z;
    r.dir_x = ray.direction.x;
    r.dir_y = ray.direction.y;
    r.dir_z = ray.direction.z;
    r.tnear = ray.near;
    r.tfar = ray.far;
    r.mask = 0xffffffffu;
    return r;
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

Hit RayScene::nearest(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray = to_embree(ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(impl_->scene.get(), &context, &query);
    Hit hit;
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
    hit.distance = query.ray.tfar;
    hit.object = static_cast<int>(query.hit.geomID);
    hit.triangle = static_cast<int>(query.hit.primID);
    hit.u = query.hit.u;
    hit.v = query.hit.v;
    hit.normal = normalized(Vec3f{query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
    return hit;
}

bool RayScene::occluded(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay query = to_embree(ray);
    rtcOccluded1(impl_->scene.get(), &context, &query);
    return query.tfar < 0;
}

}  // namespace rumple
