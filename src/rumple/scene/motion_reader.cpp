#include <fmt/format.h>

#include <rumple/core/suggest.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/motion_reader.hpp>

namespace rumple {

namespace {

const std::vector<std::string_view> kEases{"linear", "smooth"};

std::vector<HandleMotion::Keyframe> read_keyframes(const JsonPlace& place, double duration) {
    std::vector<HandleMotion::Keyframe> keyframes;
    for (const JsonPlace& element : place.elements()) {
        element.require_keys("keyframe");
        HandleMotion::Keyframe key;
        key.time = element.at("time").number({0, duration * (1 + 1e-9), false, "s, the phase's duration"});
        // steps * h may differ from the duration as written by rounding; the end must be reached all the same
        if (key.time > duration * (1 - 1e-9)) key.time = duration;
        key.translate = element.vector_or("translate", {}, kCoordinate);
        if (element.has("degrees") || element.has("radians")) key.angle = read_angle(element);
        if (!keyframes.empty() && key.time <= keyframes.back().time)
            element.at("time").fail("is not after the keyframe before it");
        if (key.time == 0 && (key.angle != 0 || key.translate != Vec3d{}))
            element.fail("makes the handle jump", "motion at time 0 must be none");
        keyframes.push_back(key);
    }
    if (keyframes.empty()) place.fail("the list is empty");
    return keyframes;
}

}  // namespace

bool says_motion(const JsonPlace& place) {
    return place.has("rotate") || place.has("translate") || place.has("keyframes");
}

HandleMotion read_motion(const JsonPlace& place, double duration) {
    if (place.value().is_string()) {
        constexpr std::string_view kFixed[] = {"fixed"};
        if (nearest_name(place.text(), kFixed).empty())
            place.fail(fmt::format("\"{}\" is no motion", place.text()),
                       "write \"fixed\", or an object with rotate, translate or keyframes");
        place.choice({"fixed"});
        return {};
    }
    place.require_keys("motion");
    HandleMotion motion = read_motion_keys(place, duration);
    if (!says_motion(place))
        place.fail("says no motion", "give rotate, translate or keyframes, or write \"fixed\"");
    return motion;
}

HandleMotion read_motion_keys(const JsonPlace& place, double duration) {
    HandleMotion motion;
    motion.ease = Ease(place.choice_or("ease", 0, kEases));
    const auto refuse = [&](std::initializer_list<const char*> keys, const char* remedy) {
        for (const char* key : keys)
            if (place.has(key)) place.at(key).fail("does not belong here", remedy);
    };
    if (const auto keyframes = place.find("keyframes")) {
        refuse({"rotate", "translate"}, "the keyframes say the motion");
        motion.axis = place.direction_or("axis", motion.axis);
        motion.through = place.vector_or("through", motion.through, kCoordinate);
        motion.keyframes = read_keyframes(*keyframes, duration);
        return motion;
    }
    refuse({"axis", "through"}, "write it inside \"rotate\", or give \"keyframes\"");
    motion.translate = place.vector_or("translate", {}, kCoordinate);
    if (const auto rotate = place.find("rotate")) {
        rotate->require_keys("rotate");
        motion.axis = rotate->direction_or("axis", motion.axis);
        motion.through = rotate->vector_or("through", motion.through, kCoordinate);
        motion.angle = read_angle(*rotate);
    }
    return motion;
}

}  // namespace rumple
