#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/placement.hpp>

namespace rumple {

Placement read_placement(const JsonPlace& owner) {
    Placement placement;
    const auto place = owner.find("place");
    if (!place) return placement;
    place->require_keys("place");
    placement.pose.translation = place->vector_or("translate", {}, kCoordinate);
    if (const auto scale = place->find("scale")) {
        const NumberRange range{0, 1000, true};
        if (scale->value().is_array()) {
            placement.scale = scale->vector(range);
        } else {
            const double s = scale->number(range);
            placement.scale = {s, s, s};
        }
    }
    if (const auto turn = place->find("rotate")) {
        turn->require_keys("turn");
        placement.pose.rotation = rotation(turn->direction_or("axis", {0, 0, 1}), read_angle(*turn));
    }
    return placement;
}

}  // namespace rumple
