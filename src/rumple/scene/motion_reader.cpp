#include <fmt/format.h>

#include <rumple/core/suggest.hpp>
#include <rumple/scene/cloth_reader.hpp>
#include <rumple/scene/fields.hpp>
#include <rumple/scene/motion_reader.hpp>

namespace rumple {

namespace {

const Names kEases{"linear", "smooth"};
constexpr NumberRange kAnyTime{-1e12, 1e12, false, "s"};

std::vector<HandleMotion::Keyframe> read_keyframes(const JsonPlace& place) {
    std::vector<HandleMotion::Keyframe> keyframes;
    for (const JsonPlace& element : place.elements()) {
        element.require_keys("keyframe");
        HandleMotion::Keyframe key;
        key.time = element.at("time").number(kAnyTime);
        key.translate = element.vector_or("translate", {}, kCoordinate);
        if (element.has("degrees") || element.has("radians")) key.angle = read_angle(element);
        keyframes.push_back(key);
    }
    if (keyframes.empty()) place.fail("the list is empty");
    return keyframes;
}

bool has_motion(const JsonPlace& place) {
    return place.has("rotate") || place.has("translate") || place.has("keyframes");
}

HandleMotion read_motion_keys(const JsonPlace& place) {
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
        motion.keyframes = read_keyframes(*keyframes);
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

}  // namespace

HandleMotion read_motion(const JsonPlace& place) {
    if (place.value().is_string()) {
        constexpr std::string_view kFixed[] = {"fixed"};
        if (nearest_name(place.text(), kFixed).empty())
            place.fail(fmt::format("\"{}\" is no motion", place.text()),
                       "write \"fixed\", or an object with rotate, translate or keyframes");
        place.choice({"fixed"});
        return {};
    }
    place.require_keys("motion");
    HandleMotion motion = read_motion_keys(place);
    if (!has_motion(place))
        place.fail("says no motion", "give rotate, translate or keyframes, or write \"fixed\"");
    return motion;
}

ObstacleCommand read_command(const JsonPlace& place) {
    ObstacleCommand command;
    if (place.value().is_string()) {
        place.choice({"fixed"});
        command.clip_stands = true;
        return command;
    }
    place.require_keys("act");
    command.motion = read_motion_keys(place);
    if (const auto from = place.find("from")) command.from = from->number(kAnyTime);
    if (const auto to = place.find("to")) command.to = to->number(kAnyTime);
    if (!command.to && !command.from && !has_motion(place))
        place.fail("says no motion",
                   "give rotate, translate or keyframes, or from and to of a clip, or write \"fixed\"");
    return command;
}

}  // namespace rumple
