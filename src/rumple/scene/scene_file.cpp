// Reading a scene file as JSON; the variants it unfolds into.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/scene/json_file.hpp>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene.hpp>
#include <set>

namespace rumple {

namespace {

// Line and column, both from 1, of a byte of the text.
std::string place_of(const std::string& text, std::size_t byte, const std::string& name) {
    byte = std::min(byte, text.size());
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(byte);
    const auto line = std::count(text.begin(), end, '\n') + 1;
    const std::size_t newline = byte == 0 ? std::string::npos : text.rfind('\n', byte - 1);
    const std::size_t column = newline == std::string::npos ? byte + 1 : byte - newline;
    return fmt::format("{}:{}:{}", name, line, column);
}

// What nlohmann says, without the parts that we say better.
std::string reason_of(const std::string& message) {
    for (const char* mark : {"unexpected ", "invalid ", "number overflow "})
        if (const auto at = message.find(mark); at != std::string::npos) return message.substr(at);
    const auto end_of_tag = message.find("] ");
    return end_of_tag == std::string::npos ? message : message.substr(end_of_tag + 2);
}

}  // namespace

nlohmann::json parse_json(const std::string& text, const std::string& name) {
    using Event = nlohmann::json::parse_event_t;
    std::vector<std::set<std::string>> open;  // keys so far of the objects around the current place
    const auto refuse_double_keys = [&](int, Event event, nlohmann::json& parsed) {
        if (event == Event::object_start) open.emplace_back();
        if (event == Event::object_end) open.pop_back();
        if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second)
            throw InputError(name, fmt::format("an object has the key {} twice", parsed.dump()),
                             "remove one of them");
        return true;
    };
    try {
        return nlohmann::json::parse(text, refuse_double_keys);
    } catch (const nlohmann::json::parse_error& error) {
        throw InputError(place_of(text, error.byte > 0 ? error.byte - 1 : 0, name), "not JSON",
                         reason_of(error.what()));
    } catch (const nlohmann::json::exception& error) {
        throw InputError(name, "not JSON", reason_of(error.what()));
    }
}

SceneFile load_scene_file(const std::filesystem::path& path) {
    SceneFile file;
    file.name = path.string();
    file.folder = path.parent_path();
    file.document = parse_json(read_file(path), file.name);
    return file;
}

std::vector<Variant> expand_variants(const SceneFile& file) {
    const JsonPlace root(file.document, file.name);
    root.require_keys("scene");
    nlohmann::json base = file.document;
    base.erase("variants");
    if (!root.has("variants")) return {{"", base}};

    std::vector<Variant> variants;
    for (const JsonPlace& place : root.at("variants").elements()) {
        place.require_keys("variant");
        const std::string name = place.at("name").name();
        for (const Variant& other : variants)
            if (other.name == name)
                place.at("name").fail(fmt::format("two variants are called \"{}\"", name));
        Variant variant{name, base};
        if (const auto set = place.find("set"))
            for (const auto& [path, value] : set->members()) {
                try {
                    set_json(variant.document, path, value.value());
                } catch (const InputError& error) {
                    throw InputError(set->where(), error.what());
                }
            }
        variants.push_back(std::move(variant));
    }
    if (variants.empty())
        root.at("variants").fail("the list is empty", "leave the key out, or name a variant");
    return variants;
}

}  // namespace rumple
