#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple_render/film_plane.hpp>
#include <rumple_render/occlusion_filter.hpp>
#include <rumple_render/ray_scene.hpp>
#include <rumple_render/reflection.hpp>
#include <rumple_render/renderer.hpp>
#include <rumple_render/sampling.hpp>
#include <rumple_render/surface.hpp>

namespace rumple {

namespace {

constexpr float kGrazing = 0.3f;   // sine of the angle to a facet below which its neighbours get in the way
constexpr float kSkyThere = 0.5f;  // share of the sky that a point in the way sees, guessed
constexpr std::size_t kPacket = RayScene::kPacket;
// Samples of a pixel lie on one surface if they are not further off its tangent plane, in pixels, and if its
// normal turns less.
constexpr float kApart = 2.5f, kTurned = 0.75f;
// Where they do not, more samples find the outline: eight times as many, but not more than are of use.
constexpr int kEdgeTimes = 8, kEdgeSamples = 64;

enum Purpose : std::uint32_t {
    kLens,
    kSky,
    kBounce,
    kLamp
};  // of a pixel's sample points; kLamp + l for each

void require_valid(const RenderSettings& s) {
    if (s.width < 1 || s.height < 1 || s.width > 16384 || s.height > 16384 || s.width * s.height > 64'000'000)
        throw InputError("size",
                         fmt::format("a picture of {} by {} pixels cannot be made", s.width, s.height),
                         "each side has 1 to 16384 pixels, 64 million in all");
    if (s.samples < 1 || s.samples > 1024 || !std::has_single_bit(static_cast<unsigned>(s.samples)))
        throw InputError("samples", fmt::format("{} samples a pixel are not possible", s.samples),
                         "a power of two from 1 to 1024");
}

// Light that goes to and fro between points that see each other: the sum of a geometric series. White cloth
// is hardly darker in its folds.
Vec3f with_bounces(Vec3f colour) {
    const auto sum = [](float c) { return c / (1 - (1 - kSkyThere) * std::min(c, 1.0f)); };
    return {sum(colour.x), sum(colour.y), sum(colour.z)};
}

// What the samples of one pixel add up to.
struct Gathered {
    Reflected light;
    std::array<float, kLamps> lamp_seen{}, lamp_tried{};
    Vec3f sky_seen, sky_tried;
    float rays = 0;
    Vec3f normal, position;
    float samples = 0;
};

struct Spot {  // where a surface looks around from
    Vec3f origin, normal, face;
    float facet = 0;  // m
    std::uint32_t sample = 0;
    Gathered* gathered = nullptr;
    std::size_t lamps = kLamps;  // how many of them shine on it
};

// Rays of one kind, as many as fit in a packet, and whose they are.
struct RayBatch {
    std::array<Ray, kPacket> rays;
    std::array<std::size_t, kPacket> owner;
    std::size_t count = 0;
    void add(const Ray& ray, std::size_t whose) {
        rays[count] = ray;
        owner[count++] = whose;
    }
    std::span<const Ray> span() const { return {rays.data(), count}; }
};

class Renderer {
  public:
    Renderer(const RenderScene& scene, const Camera& camera, const Lighting& light,
             const RenderSettings& settings);
    Image render(const Threads& threads);

  private:
    struct Spots {
        std::array<Spot, kPacket> all;
        std::size_t count = 0;
    };
    // A pixel while its samples come in.
    struct Pixel {
        int x = 0, y = 0;
        Gathered object, floor;
        Vec3f open;  // background that nothing can darken
        // The first point of an object, and whether another lies elsewhere.
        int first = -1;
        Vec3f position, normal;
        bool apart = false;

        void add(int which, const SurfacePoint& s, const Reflected& light, float tolerance);
    };
    void render_pixel(int x, int y);
    void see(Pixel& pixel, const PixelSampler& sampler, std::uint32_t first, std::size_t count) const;
    void see_floor(Pixel& pixel, Spots& spots, const Ray& ray, float distance, Vec3f behind,
                   std::uint32_t i) const;
    Vec3f outline(int x, int y, const RatioLookup& on_object, const RatioLookup& on_floor) const;
    void look_around(Spots& spots, const PixelSampler& sampler) const;
    void look_at_lamp(std::size_t l, Spots& spots, const PixelSampler& sampler) const;
    void look_at_sky(Spots& spots, const PixelSampler& sampler) const;
    std::optional<float> ground_distance(Vec3f origin, Vec3f direction) const;
    static void store(Layer& layer, std::size_t pixel, const Gathered& g, float share);

    const Lighting& light_;
    RenderSettings settings_;
    std::vector<ShadedSurface> surfaces_;
    std::unique_ptr<RayScene> rays_;
    std::optional<float> ground_;
    FilmPlane film_;
    float pixel_size_;  // at 1 m [m]
    float offset_ = 0;  // m: how far from a surface its rays start
    std::array<const Lamp*, kLamps> lamps_;
    std::array<ShadingFrame, kLamps> lamp_frames_;
    Layer objects_, floor_;
    Image flat_;
    std::vector<char> mixed_;  // pixels that show more than one surface
};

Renderer::Renderer(const RenderScene& scene, const Camera& camera, const Lighting& light,
                   const RenderSettings& settings)
    : light_(light),
      settings_(settings),
      film_(camera, light.backdrop, settings.width, settings.height),
      pixel_size_(film_.pixel_size()),
      lamps_{&light.key, &light.rim},
      lamp_frames_{ShadingFrame(light.key.direction), ShadingFrame(light.rim.direction)},
      objects_(settings.width, settings.height, kLamps, true),
      floor_(settings.width, settings.height, 1, false),
      flat_(settings.width, settings.height),
      mixed_(flat_.pixels.size()) {
    surfaces_.reserve(scene.objects.size());
    std::vector<RayScene::Mesh> meshes;
    // The target's distance, not the object's: in a film it does not change.
    const double pixel = static_cast<double>(pixel_size_) * norm(camera.target - camera.eye);
    for (const RenderObject& object : scene.objects) {
        surfaces_.emplace_back(object, pixel);
        meshes.push_back(surfaces_.back().ray_mesh());
        for (const Vec3d& p : object.mesh.positions)
            offset_ = std::max({offset_, float(std::abs(p.x)), float(std::abs(p.y)), float(std::abs(p.z))});
    }
    offset_ = std::max(offset_ * 4e-6f, 1e-7f);  // a few rounding errors
    rays_ = std::make_unique<RayScene>(meshes);
    if (scene.ground) ground_ = static_cast<float>(*scene.ground) - 4 * offset_;
}

std::optional<float> Renderer::ground_distance(Vec3f origin, Vec3f direction) const {
    if (!ground_ || origin.z <= *ground_ || direction.z >= -1e-6f) return std::nullopt;
    return (*ground_ - origin.z) / direction.z;
}

void Renderer::look_at_lamp(std::size_t l, Spots& spots, const PixelSampler& sampler) const {
    RayBatch batch;
    std::array<float, kPacket> cosines;
    for (std::size_t k = 0; k < spots.count; ++k) {
        const Spot& spot = spots.all[k];
        if (l >= spot.lamps) continue;
        const Point2 u = sampler.at(spot.sample, kLamp + static_cast<std::uint32_t>(l));
        const Vec3f lamp = cone_direction(lamp_frames_[l], lamps_[l]->cosine(), u);
        const float cosine = dot(spot.normal, lamp);
        if (!(cosine > 0)) continue;
        // Light that grazes a facet would be stopped by its neighbours, which the smooth surface lies above:
        // such rays start beyond them.
        const float grazing = std::clamp(1 - dot(spot.face, lamp) / kGrazing, 0.0f, 1.0f);
        cosines[batch.count] = cosine;
        batch.add({spot.origin, lamp, grazing * spot.facet}, k);
    }
    if (batch.count == 0) return;
    std::array<bool, kPacket> hidden;
    rays_->occluded(batch.span(), hidden);
    for (std::size_t i = 0; i < batch.count; ++i) {
        Gathered& g = *spots.all[batch.owner[i]].gathered;
        g.lamp_tried[l] += cosines[i];
        if (!hidden[i]) g.lamp_seen[l] += cosines[i];
    }
}

// Light of the dome, or of what stands in front of it, lit in turn by the dome and the key lamp.
void Renderer::look_at_sky(Spots& spots, const PixelSampler& sampler) const {
    RayBatch batch, bounce;
    for (std::size_t k = 0; k < spots.count; ++k) {
        const Spot& spot = spots.all[k];
        Vec3f d = cosine_direction(ShadingFrame(spot.normal), sampler.at(spot.sample, kSky));
        if (dot(d, spot.face) < 0)
            d = mirrored(d, spot.face);  // into the facet: the smooth surface sees that side
        batch.add({spot.origin, d}, k);
        spot.gathered->sky_tried += light_.sky_radiance(d);
        spot.gathered->rays += 1;
    }
    std::array<Hit, kPacket> hits;
    rays_->nearest(batch.span(), hits);
    std::array<Vec3f, kPacket> lit;  // more light, if the lamp is seen
    for (std::size_t k = 0; k < spots.count; ++k) {
        const Spot& spot = spots.all[k];
        const Vec3f origin = batch.rays[k].origin, d = batch.rays[k].direction;
        const std::optional<float> floor = ground_distance(origin, d);
        const Vec3f to_lamp =
            cone_direction(lamp_frames_[0], light_.key.cosine(), sampler.at(spot.sample, kBounce));
        const Hit& hit = hits[k];
        Vec3f& seen = spot.gathered->sky_seen;
        if (hit.object >= 0 && (!floor || hit.distance < *floor)) {
            const bool front = dot(hit.normal, d) < 0;
            const Vec3f n = front ? hit.normal : -hit.normal;
            const Vec3f colour =
                with_bounces(surfaces_[static_cast<std::size_t>(hit.object)].mean_colour(hit, front));
            seen += kSkyThere * tint(colour, light_.sky_on(n));
            const float share = light_.key.share(dot(n, light_.key.direction));
            if (!(share > 0)) continue;
            lit[bounce.count] = share * tint(colour, light_.key.colour);
            bounce.add({origin + hit.distance * d + (2 * offset_) * n, to_lamp}, k);
        } else if (floor) {
            // The ground stands for the lower half of the dome; in a shadow it is dark.
            const Vec3f sky = light_.sky_radiance(d);
            seen += 0.35f * sky;
            lit[bounce.count] = 0.65f * sky;
            bounce.add({origin + *floor * d + Vec3f{0, 0, offset_}, to_lamp}, k);
        } else {
            seen += light_.sky_radiance(d);
        }
    }
    if (bounce.count == 0) return;
    std::array<bool, kPacket> hidden;
    rays_->occluded(bounce.span(), hidden);
    for (std::size_t i = 0; i < bounce.count; ++i)
        if (!hidden[i]) spots.all[bounce.owner[i]].gathered->sky_seen += lit[i];
}

void Renderer::look_around(Spots& spots, const PixelSampler& sampler) const {
    if (spots.count == 0) return;
    for (std::size_t l = 0; l < kLamps; ++l) look_at_lamp(l, spots, sampler);
    look_at_sky(spots, sampler);
}

void Renderer::store(Layer& layer, std::size_t pixel, const Gathered& g, float share) {
    for (std::size_t l = 0; l < kLamps; ++l) {
        LampLayer& lamp = layer.lamps[l];
        if (lamp.weight.empty()) continue;
        lamp.light.pixels[pixel] = share * g.light.lamp[l];
        lamp.weight[pixel] = g.lamp_tried[l];
        if (g.lamp_tried[l] > 0) lamp.ratio[pixel] = g.lamp_seen[l] / g.lamp_tried[l];
    }
    layer.sky.pixels[pixel] = share * g.light.sky;
    layer.weight[pixel] = g.rays;
    if (g.rays > 0)
        for (int c = 0; c < 3; ++c)
            layer.sky_ratio[pixel][c] = g.sky_seen[c] / std::max(1e-6f, g.sky_tried[c]);
    if (!layer.normal.empty() && g.samples > 0) {
        const float length = norm(g.normal);
        layer.normal[pixel] = length > 0 ? (1 / length) * g.normal : Vec3f{0, 0, 1};
        layer.position[pixel] = (1 / g.samples) * g.position;
    }
}

void Renderer::see_floor(Pixel& pixel, Spots& spots, const Ray& ray, float distance, Vec3f behind,
                         std::uint32_t i) const {
    const Vec3f up{0, 0, 1};
    pixel.floor.light += ground_light(light_, behind);
    pixel.floor.samples += 1;
    spots.all[spots.count++] = {
        ray.origin + distance * ray.direction + offset_ * up, up, up, 0, i, &pixel.floor, 1};
}

void Renderer::Pixel::add(int which, const SurfacePoint& s, const Reflected& light, float tolerance) {
    object.light += light;
    object.normal += s.normal;
    object.position += s.position;
    object.samples += 1;
    if (first < 0) {
        first = which;
        position = s.position;
        normal = s.normal;
    }
    apart = apart || which != first || dot(normal, s.normal) < kTurned ||
            std::abs(dot(normal, s.position - position)) > tolerance;
}

// A packet of samples: what the camera sees, then what that sees.
void Renderer::see(Pixel& pixel, const PixelSampler& sampler, std::uint32_t first, std::size_t count) const {
    RayBatch batch;
    std::array<Vec3f, kPacket> behind;
    for (std::size_t k = 0; k < count; ++k) {
        const Point2 p =
            FilmPlane::place(pixel.x, pixel.y, sampler.at(first + static_cast<std::uint32_t>(k), kLens));
        batch.add(film_.ray(p), k);
        behind[k] = film_.background(p);
    }
    std::array<Hit, kPacket> hits;
    rays_->nearest(batch.span(), hits);
    Spots spots;
    for (std::size_t k = 0; k < count; ++k) {
        const Ray& ray = batch.rays[k];
        const Hit& hit = hits[k];
        const std::uint32_t i = first + static_cast<std::uint32_t>(k);
        const std::optional<float> down = ground_distance(ray.origin, ray.direction);
        if (hit.object >= 0 && (!down || hit.distance < *down)) {
            const ShadedSurface& surface = surfaces_[static_cast<std::size_t>(hit.object)];
            const SurfacePoint s = surface.at(hit, ray, pixel_size_ * hit.distance);
            pixel.add(hit.object, s, reflected_light(light_, s, surface, -ray.direction),
                      kApart * pixel_size_ * hit.distance);
            spots.all[spots.count++] = {
                s.lifted + offset_ * s.face_normal, s.normal, s.face_normal, s.facet, i, &pixel.object};
        } else if (down) {
            see_floor(pixel, spots, ray, *down, behind[k], i);
        } else {
            pixel.open += behind[k];
        }
    }
    look_around(spots, sampler);
}

void Renderer::render_pixel(int x, int y) {
    const auto count = static_cast<std::uint32_t>(settings_.samples);
    const std::size_t index = flat_.index(x, y);
    const PixelSampler sampler(static_cast<std::uint32_t>(index), std::countr_zero(count));
    Pixel pixel;
    pixel.x = x;
    pixel.y = y;
    for (std::uint32_t first = 0; first < count; first += kPacket)
        see(pixel, sampler, first, std::min<std::size_t>(kPacket, count - first));
    const float share = 1.0f / static_cast<float>(count);
    store(objects_, index, pixel.object, share);
    store(floor_, index, pixel.floor, share);
    flat_.pixels[index] = share * (pixel.object.light.flat + pixel.open);
    const float seen = pixel.object.samples;
    mixed_[index] = pixel.apart || (seen > 0 && seen < static_cast<float>(count));
}

// Outlines: many samples, each with the light that its own surface gets in the pixels around.
Vec3f Renderer::outline(int x, int y, const RatioLookup& on_object, const RatioLookup& on_floor) const {
    const int count = std::max(settings_.samples, std::min(kEdgeSamples, kEdgeTimes * settings_.samples));
    const PixelSampler sampler(static_cast<std::uint32_t>(flat_.index(x, y)),
                               std::countr_zero(unsigned(count)));
    Vec3f sum;
    for (int begin = 0; begin < count; begin += int(kPacket)) {
        RayBatch batch;
        std::array<Point2, kPacket> film;
        for (std::size_t k = 0; k < kPacket && begin + int(k) < count; ++k) {
            film[k] = FilmPlane::place(
                x, y, sampler.at(static_cast<std::uint32_t>(begin) + std::uint32_t(k), kLens));
            batch.add(film_.ray(film[k]), k);
        }
        std::array<Hit, kPacket> hits;
        rays_->nearest(batch.span(), hits);
        for (std::size_t k = 0; k < batch.count; ++k) {
            const Ray& ray = batch.rays[k];
            const Hit& hit = hits[k];
            const std::optional<float> down = ground_distance(ray.origin, ray.direction);
            if (hit.object >= 0 && (!down || hit.distance < *down)) {
                const ShadedSurface& surface = surfaces_[static_cast<std::size_t>(hit.object)];
                const SurfacePoint s = surface.at(hit, ray, pixel_size_ * hit.distance);
                sum += reflected_light(light_, s, surface, -ray.direction)
                           .seen(on_object.at(film[k].x, film[k].y, s.position, s.normal));
            } else if (down) {
                sum += ground_light(light_, film_.background(film[k]))
                           .seen(on_floor.at(film[k].x, film[k].y, {}, {}));
            } else {
                sum += film_.background(film[k]);
            }
        }
    }
    return (1 / static_cast<float>(count)) * sum;
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
    const auto on_objects = filtered_ratios(objects_, 5, pixel_size_, film_.eye(), threads);
    const auto on_floor = filtered_ratios(floor_, 8, pixel_size_, film_.eye(), threads);
    const RatioLookup object(objects_, on_objects, mixed_, pixel_size_, film_.eye()),
        floor(floor_, on_floor, mixed_, pixel_size_, film_.eye());
    Image image = std::move(flat_);
    flat_ = Image(image.width, image.height);
    const auto at_outline = [&](int x, int y) {
        for (int j = std::max(0, y - 1); j <= std::min(image.height - 1, y + 1); ++j)
            for (int i = std::max(0, x - 1); i <= std::min(image.width - 1, x + 1); ++i)
                if (mixed_[image.index(i, j)]) return true;
        return false;
    };
    threads.for_each(static_cast<std::size_t>(image.height), 4, [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < image.width; ++x) {
            const std::size_t i = image.index(x, y);
            if (at_outline(x, y))
                image.pixels[i] = outline(x, y, object, floor);
            else
                image.pixels[i] += light_of(objects_, i, on_objects[i]) + light_of(floor_, i, on_floor[i]);
        }
    });
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
