#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/io/animation.hpp>

namespace rumple {
namespace {

std::string format_of(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension;
}

}  // namespace

bool is_animation_file(const std::filesystem::path& path) {
    const std::string format = format_of(path);
    return std::find(kAnimationFormats.begin(), kAnimationFormats.end(), format) != kAnimationFormats.end();
}

void write_animation(const std::filesystem::path& path, const Animation& animation) {
    const std::string format = format_of(path);
    if (format == "glb") return write_glb(path, animation);
    if (format == "usda") return write_usda(path, animation);
    throw InputError(path.string(), "'." + format + "' is not an animation format Rumple writes",
                     "it writes .glb and .usda");
}

void compute_normals(const std::vector<std::array<int, 3>>& triangles, const std::vector<Vec3d>& positions,
                     std::vector<Vec3d>& normals) {
    normals.assign(positions.size(), {});
    for (const auto& t : triangles) {
        const Vec3d x0 = positions[static_cast<std::size_t>(t[0])];
        const Vec3d twice_area = cross(positions[static_cast<std::size_t>(t[1])] - x0,
                                       positions[static_cast<std::size_t>(t[2])] - x0);
        for (const int v : t) normals[static_cast<std::size_t>(v)] += twice_area;
    }
    for (Vec3d& n : normals) {
        const double length = norm(n);
        n = length > 0 ? (1 / length) * n : Vec3d{0, 0, 1};
    }
}

}  // namespace rumple
