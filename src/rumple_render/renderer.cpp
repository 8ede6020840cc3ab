#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple_render/occlusion_filter.hpp>
#include <rumple_render/ray_scene.hpp>
#include <rumple_render/renderer.hpp>
#include <rumple_render/sampling.hpp>
#include <rumple_render/surface.hpp>

namespace rumple {

namespace {

constexpr float kGrazing = 0.3f;  // sine of the angle to a facet below which its neighbours get in the way

constexpr float kFibres = 4;  // how much faster than the cloth its fuzz comes into the light

enum Purpose : std::uint32_t { kLens, kLamp, kSky, kBounce };  // of a pixel's sample points

void require_valid(const RenderSettings& s) {
    if (s.width < 1 || s.height < 1 || s.width > 16384 || s.height > 16384 || s.width * s.height > 64'000'000)
        throw InputError("size",
                         fmt::format("a picture of {} by {} pixels cannot be made", s.width, s.height),
                         "each side has 1 to 16384 pixels, 64 million in all");
    if (s.samples < 1 || s.samples > 1024 || !std::has_single_bit(static_cast<unsigned>(s.samples)))
        throw InputError("samples", fmt::format("{} samples a pixel are not possible", s.samples),
                         "a power of two from 1 to 1024");
}

float luminance(Vec3f c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }
Vec3f reflected(Vec3f d, Vec3f n) { return d - 2 * dot(d, n) * n; }

class Renderer {
  public:
    Renderer(const RenderScene& scene, const Camera& camera, const Lighting& light,
             const RenderSettings& settings);
    Image render(const Threads& threads);

  private:
    // What the samples of one pixel add up to.
    struct Gathered {
        Vec3f key, sky;  // unobstructed, times colour
        Vec3f flat;      // colour that light does not change
        float lamp_seen = 0, lamp_tried = 0;
        Vec3f sky_seen, sky_tried;
        float rays = 0;
        Vec3f normal, position;
        float samples = 0;
    };
    void render_pixel(int x, int y);
    Ray camera_ray(float x, float y) const;
    void add_surface(Gathered& g, const SurfacePoint& s, Vec3f view) const;
    struct Spot {  // where a surface looks around from
        Vec3f origin, normal, face;
        float facet;  // m
    };
    void look_around(Gathered& g, const Spot& spot, const PixelSampler& sampler, std::uint32_t i) const;
    Vec3f incoming(Vec3f origin, Vec3f direction, Point2 u) const;
    Vec3f background(float y) const;
    std::optional<float> ground_distance(Vec3f origin, Vec3f direction) const;
    static void store(Layer& layer, std::size_t pixel, const Gathered& g, float share);

    const Lighting& light_;
    RenderSettings settings_;
    std::vector<ShadedSurface> surfaces_;
    std::unique_ptr<RayScene> rays_;
    std::optional<float> ground_;
    Vec3f eye_, forward_, right_, up_;
    float half_height_, pixel_size_;  // tangent of half the field of view; size of a pixel at 1 m
    float offset_ = 0;                // m: how far from a surface its rays start
    ShadingFrame lamp_frame_;
    Layer objects_, floor_;
    Image flat_;
};

Renderer::Renderer(const RenderScene& scene, const Camera& camera, const Lighting& light,
                   const RenderSettings& settings)
    : light_(light),
      settings_(settings),
      eye_(to_float(camera.eye)),
      forward_(to_float(camera.forward())),
      right_(to_float(camera.right())),
      up_(to_float(camera.image_up())),
      half_height_(static_cast<float>(std::tan(camera.field_of_view * std::numbers::pi / 360))),
      pixel_size_(2 * half_height_ / static_cast<float>(settings.height)),
      lamp_frame_(light.key_direction),
      objects_(settings.width, settings.height, true),
      floor_(settings.width, settings.height, false),
      flat_(settings.width, settings.height) {
    surfaces_.reserve(scene.objects.size());
    std::vector<RayScene::Mesh> meshes;
    for (const RenderObject& object : scene.objects) {
        surfaces_.emplace_back(object);
        meshes.push_back(surfaces_.back().ray_mesh());
        for (const Vec3d& p : object.mesh.positions)
            offset_ = std::max({offset_, float(std::abs(p.x)), float(std::abs(p.y)), float(std::abs(p.z))});
    }
    offset_ = std::max(offset_ * 4e-6f, 1e-7f);  // a few rounding errors
    rays_ = std::make_unique<RayScene>(meshes);
    if (scene.ground) ground_ = static_cast<float>(*scene.ground) - 4 * offset_;
}

Ray Renderer::camera_ray(float x, float y) const {
    const float w = static_cast<float>(settings_.width), h = static_cast<float>(settings_.height);
    const float sx = (2 * x - w) / h * half_height_, sy = (1 - 2 * y / h) * half_height_;
    return {eye_, normalized(forward_ + sx * right_ + sy * up_)};
}

Vec3f Renderer::background(float y) const {
    const float t = std::clamp(y / static_cast<float>(settings_.height), 0.0f, 1.0f);
    return t * light_.background_low + (1 - t) * light_.background_high;
}

std::optional<float> Renderer::ground_distance(Vec3f origin, Vec3f direction) const {
    if (!ground_ || origin.z <= *ground_ || direction.z >= -1e-6f) return std::nullopt;
    return (*ground_ - origin.z) / direction.z;
}

void Renderer::add_surface(Gathered& g, const SurfacePoint& s, Vec3f view) const {
    const Look& look = *s.look;
    const float lit = 1 - look.flatness;
    const float cosine = dot(s.normal, light_.key_direction), share = light_.key_share(cosine);
    const float facing = std::clamp(dot(s.normal, view), 0.0f, 1.0f), graze = 1 - facing;
    const float fuzz = look.sheen * graze * graze * graze;
    // Fibres that stand out catch the lamp before the cloth does, but not on the side that looks away from
    // it: there no ray tells whether anything is in the way.
    const float caught = fuzz * std::min(1.0f, kFibres * share);
    Vec3f key = (lit * share) * s.colour + Vec3f{caught, caught, caught};
    if (look.gloss > 0 && share > 0) {
        const Vec3f half = normalized(view + light_.key_direction);
        const float shine = look.gloss * share * std::pow(std::max(0.0f, dot(half, s.normal)), 24.0f) * 3;
        key += {shine, shine, shine};
    }
    g.key += tint(light_.key, key);
    g.sky += tint(light_.sky_on(s.normal), lit * s.colour + Vec3f{fuzz, fuzz, fuzz});
    g.flat += look.flatness * s.colour;
    g.normal += s.normal;
    g.position += s.position;
}

// Light that comes from a direction: the sky, or what stands in front of it, lit in turn.
Vec3f Renderer::incoming(Vec3f origin, Vec3f direction, Point2 u) const {
    const Hit hit = rays_->nearest({origin, direction});
    const std::optional<float> floor = ground_distance(origin, direction);
    const Vec3f to_lamp = cone_direction(lamp_frame_, light_.key_cosine(), u);
    constexpr float kSkyThere = 0.6f;  // share of the sky that a point in the way sees, guessed
    if (hit.object >= 0 && (!floor || hit.distance < *floor)) {
        const bool front = dot(hit.normal, direction) < 0;
        const Vec3f n = front ? hit.normal : -hit.normal;
        const Vec3f there = origin + hit.distance * direction + (2 * offset_) * n;
        const Vec3f colour = surfaces_[static_cast<std::size_t>(hit.object)].mean_colour(hit, front);
        Vec3f light = kSkyThere * light_.sky_on(n);
        const float share = light_.key_share(dot(n, light_.key_direction));
        if (share > 0 && !rays_->occluded({there, to_lamp})) light += share * light_.key;
        return tint(colour, light);
    }
    const Vec3f sky = light_.sky_radiance(direction);
    if (!floor) return sky;
    // The ground stands for the lower half of the sky; in its own shadow it is dark.
    const bool shadow = rays_->occluded({origin + *floor * direction + Vec3f{0, 0, offset_}, to_lamp});
    return (shadow ? 0.35f : 1.0f) * sky;
}

void Renderer::look_around(Gathered& g, const Spot& spot, const PixelSampler& sampler,
                           std::uint32_t i) const {
    const Vec3f n = spot.normal;
    const Vec3f lamp = cone_direction(lamp_frame_, light_.key_cosine(), sampler.at(i, kLamp));
    const float cosine = dot(n, lamp);
    if (cosine > 0) {
        // Light that grazes a facet would be stopped by its neighbours, which the smooth surface lies above:
        // such rays start beyond them.
        const float grazing = std::clamp(1 - dot(spot.face, lamp) / kGrazing, 0.0f, 1.0f);
        g.lamp_tried += cosine;
        if (!rays_->occluded({spot.origin, lamp, grazing * spot.facet})) g.lamp_seen += cosine;
    }
    Vec3f d = cosine_direction(ShadingFrame(n), sampler.at(i, kSky));
    if (dot(d, spot.face) < 0)
        d = reflected(d, spot.face);  // into the facet: the smooth surface sees that side
    g.sky_tried += light_.sky_radiance(d);
    g.sky_seen += incoming(spot.origin, d, sampler.at(i, kBounce));
    g.rays += 1;
}

void Renderer::store(Layer& layer, std::size_t pixel, const Gathered& g, float share) {
    layer.key.pixels[pixel] = share * g.key;
    layer.sky.pixels[pixel] = share * g.sky;
    layer.weight[pixel] = g.rays;
    layer.key_weight[pixel] = g.lamp_tried;
    if (g.lamp_tried > 0) layer.key_ratio[pixel] = g.lamp_seen / g.lamp_tried;
    if (g.rays > 0)
        for (int c = 0; c < 3; ++c)
            layer.sky_ratio[pixel][c] = g.sky_seen[c] / std::max(1e-6f, g.sky_tried[c]);
    if (!layer.normal.empty() && g.samples > 0) {
        const float length = norm(g.normal);
        layer.normal[pixel] = length > 0 ? (1 / length) * g.normal : Vec3f{0, 0, 1};
        layer.position[pixel] = (1 / g.samples) * g.position;
    }
}

void Renderer::render_pixel(int x, int y) {
    const auto count = static_cast<std::uint32_t>(settings_.samples);
    const std::size_t pixel = flat_.index(x, y);
    const PixelSampler sampler(static_cast<std::uint32_t>(pixel), std::countr_zero(count));
    Gathered object, floor;
    Vec3f open;  // background that nothing can darken
    const Vec3f up{0, 0, 1};
    const float floor_key = luminance(light_.key_share(light_.key_direction.z) * light_.key);
    const float floor_sky = luminance(light_.sky_on(up));
    // A tent as wide as two pixels: each sample counts the same, near ones are more frequent.
    const auto tent = [](float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); };
    std::uint32_t floor_samples = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Point2 u = sampler.at(i, kLens);
        const float px = static_cast<float>(x) + 0.5f + tent(u.x),
                    py = static_cast<float>(y) + 0.5f + tent(u.y);
        const Ray ray = camera_ray(px, py);
        const Hit hit = rays_->nearest(ray);
        const std::optional<float> down = ground_distance(ray.origin, ray.direction);
        if (hit.object >= 0 && (!down || hit.distance < *down)) {
            const SurfacePoint s =
                surfaces_[static_cast<std::size_t>(hit.object)].at(hit, ray, pixel_size_ * hit.distance);
            add_surface(object, s, -ray.direction);
            object.samples += 1;
            look_around(object, {s.lifted + offset_ * s.face_normal, s.normal, s.face_normal, s.facet},
                        sampler, i);
        } else if (down) {
            // Ground: shows the background, darker by as much light as it misses.
            const Vec3f colour = background(py);
            floor.key += (floor_key / (floor_key + floor_sky)) * colour;
            floor.sky += (floor_sky / (floor_key + floor_sky)) * colour;
            floor.samples += 1;
            if (floor_samples++ % 2 == 0)
                look_around(floor, {ray.origin + *down * ray.direction + offset_ * up, up, up, 0}, sampler,
                            i);
        } else {
            open += background(py);
        }
    }
    const float share = 1.0f / static_cast<float>(count);
    store(objects_, pixel, object, share);
    store(floor_, pixel, floor, share);
    flat_.pixels[pixel] = share * (object.flat + open);
}

Image Renderer::render(const Threads& threads) {
    constexpr int kTile = 16;
    const auto across = static_cast<std::size_t>((settings_.width + kTile - 1) / kTile);
    const auto down = static_cast<std::size_t>((settings_.height + kTile - 1) / kTile);
    threads.for_each(across * down, 1, [&](std::size_t tile) {
        const int left = static_cast<int>(tile % across) * kTile,
                  top = static_cast<int>(tile / across) * kTile;
        for (int y = top; y < std::min(top + kTile, settings_.height); ++y)
            for (int x = left; x < std::min(left + kTile, settings_.width); ++x) render_pixel(x, y);
    });
    const Image on_objects = filtered_light(objects_, 3, pixel_size_, eye_, threads);
    const Image on_floor = filtered_light(floor_, 6, pixel_size_, eye_, threads);
    Image image = std::move(flat_);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
        image.pixels[i] += on_objects.pixels[i] + on_floor.pixels[i];
    return image;
}

}  // namespace

Image render(const RenderScene& scene, const Camera& camera, const Lighting& lighting,
             const RenderSettings& settings, const Threads& threads) {
    require_valid(settings);
    require_valid(camera);
    return Renderer(scene, camera, lighting, settings).render(threads);
}

}  // namespace rumple
