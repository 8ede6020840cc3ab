#include <rumple/scene/fields.hpp>
#include <rumple/scene/motion_reader.hpp>
#include <rumple/scene/phase_reader.hpp>
#include <rumple/scene/selection_reader.hpp>

namespace rumple {

namespace {

// Any number: resolve_phase() knows the ranges.
std::optional<double> read_number(const JsonPlace& phase, const char* key, std::string_view unit) {
    const auto place = phase.find(key);
    if (!place) return std::nullopt;
    return place->number({-HUGE_VAL, HUGE_VAL, false, unit});
}

std::vector<std::string> read_names(const JsonPlace& phase, const char* key) {
    std::vector<std::string> names;
    if (const auto place = phase.find(key))
        for (const JsonPlace& element : place->elements()) names.push_back(element.text());
    return names;
}

ForgetOptions read_forget(const JsonPlace& place) {
    place.require_keys("forget");
    ForgetOptions options;
    if (!place.has("friction") && !place.has("plasticity") && !place.has("relaxation"))
        place.fail("does not say what is forgotten",
                   "give \"friction\", \"plasticity\" or \"relaxation\" the share that remains, 0 to 1");
    read_fields(place, options);
    if (const auto cloth = place.find("cloth")) options.cloth = cloth->text();
    if (const auto select = place.find("select")) options.select = read_selector(*select);
    return options;
}

}  // namespace

PhaseDescription read_phase(const JsonPlace& place) {
    place.require_keys("phase");
    PhaseDescription phase;
    phase.place = place;
    phase.name = place.at("name").name();
    PhaseOptions& options = phase.options;
    options.duration = read_number(place, "duration", "s");
    options.hold = read_number(place, "hold", "s of material time");
    options.recover = read_number(place, "recover", "s of material time");
    options.h = read_number(place, "h", kStepRange.unit);
    if (const auto steps = place.find("steps")) options.steps = steps->integer(-1'000'000'000, 2'000'000'000);
    if (const auto motions = place.find("motions"))
        for (const auto& [name, motion] : motions->members())
            options.motions.push_back({name, read_motion(motion)});
    if (const auto commands = place.find("obstacles"))
        for (const auto& [name, command] : commands->members())
            options.obstacles.push_back({name, read_command(command)});
    options.grab = read_names(place, "grab");
    options.release = read_names(place, "release");
    options.activate = read_names(place, "activate");
    options.deactivate = read_names(place, "deactivate");
    if (const auto forget = place.find("forget"))
        for (const JsonPlace& element : forget->elements()) options.forget.push_back(read_forget(element));
    return phase;
}

}  // namespace rumple
