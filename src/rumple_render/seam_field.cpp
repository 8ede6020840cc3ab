#include <algorithm>
#include <cmath>
#include <map>
#include <rumple_render/seam_field.hpp>

namespace rumple {

namespace {

constexpr float kSameSide = 0.35f;  // cosine between normals: another leg lies near, too
constexpr double kBox = 0.03;       // m

using Box = std::array<int, 3>;

Box box_of(Vec3d p) {
    const auto index = [](double c) { return static_cast<int>(std::clamp(std::floor(c / kBox), -1e8, 1e8)); };
    return {index(p.x), index(p.y), index(p.z)};
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Nearest point of a segment, as its share.
float share_of(Vec3f p, Vec3f a, Vec3f b) {
    const Vec3f ab = b - a;
    const float length2 = dot(ab, ab);
    return length2 > 0 ? std::clamp(dot(p - a, ab) / length2, 0.0f, 1.0f) : 0;
}

}  // namespace

SeamField::SeamField(const std::vector<SeamLine>& seams, std::span<const Vec3d> positions,
                     const Triangles& triangles) {
    for (const SeamLine& seam : seams) {
        const auto line = static_cast<std::uint32_t>(kinds_.size());
        float along = 0;
        const std::size_t last = seam.points.size() - 1;
        for (std::size_t i = 0; i < std::max<std::size_t>(1, last); ++i) {
            const std::size_t j = std::min(i + 1, last);
            const Vec3f a = to_float(seam.points[i]), b = to_float(seam.points[j]);
            segments_.push_back({line, a, b, to_float(seam.normals[i] + seam.normals[j]), along});
            along += norm(b - a);
        }
        kinds_.push_back(seam.kind);
        lengths_.push_back(along);
    }
    if (segments_.empty()) return;
    std::map<Box, std::vector<std::uint32_t>> boxes;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        const Vec3f m = 0.5f * (segments_[s].a + segments_[s].b);
        boxes[box_of({m.x, m.y, m.z})].push_back(static_cast<std::uint32_t>(s));
    }
    near_.resize(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [i, j, k] = triangles[t];
        const Vec3d a = positions[at(i)], b = positions[at(j)], c = positions[at(k)];
        const Vec3d middle = (1.0 / 3) * (a + b + c);
        const double radius = std::max({norm(a - middle), norm(b - middle), norm(c - middle)});
        Vec3d normal = cross(b - a, c - a);
        if (!(norm(normal) > 0)) continue;
        const Vec3f n = to_float(normalized(normal));
        const int span = 1 + static_cast<int>((radius + static_cast<double>(kReach)) / kBox);
        const Box box = box_of(middle);
        for (int x = -span; x <= span; ++x)
            for (int y = -span; y <= span; ++y)
                for (int z = -span; z <= span; ++z) {
                    const auto found = boxes.find({box[0] + x, box[1] + y, box[2] + z});
                    if (found == boxes.end()) continue;
                    for (const std::uint32_t s : found->second) {
                        const Segment& segment = segments_[s];
                        const Vec3f p = to_float(middle);
                        const Vec3f q =
                            segment.a + share_of(p, segment.a, segment.b) * (segment.b - segment.a);
                        // A garment's triangles may wind either way.
                        if (norm(p - q) > static_cast<float>(radius) + kReach ||
                            std::abs(dot(n, normalized(segment.normal))) < kSameSide)
                            continue;
                        near_[t].push_back(s);
                    }
                }
        std::sort(near_[t].begin(), near_[t].end());
    }
}

std::size_t SeamField::near(std::size_t triangle, Vec3f point, std::span<NearSeam> out) const {
    const std::vector<std::uint32_t>& candidates = near_[triangle];
    std::size_t count = 0;
    for (std::size_t i = 0; i < candidates.size() && count < std::min(kMaxAtPoint, out.size());) {
        const std::uint32_t line = segments_[candidates[i]].line;
        float nearest = kReach;
        const Segment* best = nullptr;
        Vec3f away;
        float share = 0;
        for (; i < candidates.size() && segments_[candidates[i]].line == line; ++i) {
            const Segment& s = segments_[candidates[i]];
            const float t = share_of(point, s.a, s.b);
            const Vec3f n = normalized(s.normal);
            Vec3f off = point - (s.a + t * (s.b - s.a));
            off = off - dot(off, n) * n;  // the mesh is not quite where the line was drawn
            if (const float distance = norm(off); distance < nearest) {
                nearest = distance;
                best = &s;
                away = off;
                share = t;
            }
        }
        if (!best) continue;
        NearSeam& seam = out[count++];
        const Vec3f ab = best->b - best->a;
        const float length = norm(ab);
        seam.kind = kinds_[line];
        seam.line = line;
        seam.length = lengths_[line];
        seam.along = best->along + share * length;
        seam.onwards = length > 0 ? (1 / length) * ab : Vec3f{};
        const float side = dot(cross(normalized(best->normal), seam.onwards), away) < 0 ? -1.0f : 1.0f;
        seam.across = side * nearest;
        seam.outwards = nearest > 0 ? (side / nearest) * away : Vec3f{};
    }
    return count;
}

}  // namespace rumple
