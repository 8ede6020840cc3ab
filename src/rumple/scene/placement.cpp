#include <numbers>
#include <rumple/scene/placement.hpp>

namespace rumple {

Placement rotated(Vec3d axis, double degrees, Vec3d translation) {
    return {.pose = {rotation(normalized(axis), degrees * (std::numbers::pi / 180)), translation}};
}

}  // namespace rumple
