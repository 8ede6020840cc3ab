#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/io/json_text.hpp>
#include <rumple/scene/scene_aliases.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/scene/scene_keys.hpp>

namespace rumple {

namespace {

using nlohmann::json;

std::vector<std::string> split_path(const std::string& path) {
    std::vector<std::string> parts{""};
    for (const char c : path) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    for (const std::string& part : parts)
        if (part.empty())
            throw InputError("", fmt::format("\"{}\" is not a path", path),
                             "write keys, names and numbers with dots between them, like phases.hold.steps");
    return parts;
}

std::string name_of(const json& element) {
    if (!element.is_object()) return "";
    const auto name = element.find("name");
    return name != element.end() && name->is_string() ? name->get<std::string>() : "";
}

bool is_list(const std::string& key) {
    return key == "cloths" || key == "handles" || key == "obstacles" || key == "phases" || key == "cameras" ||
           key == "variants";
}

json& element_of(json& array, const std::string& part, const std::string& path, const std::string& so_far) {
    std::vector<std::string> names;
    for (json& element : array) {
        if (name_of(element) == part) return element;
        if (const std::string name = name_of(element); !name.empty()) names.push_back(name);
    }
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool is_index = error == std::errc() && end == part.data() + part.size();
    if (is_index && index < array.size()) return array[index];
    const std::string what = is_index
                                 ? fmt::format("{} has {} elements, counted from 0", so_far, array.size())
                                 : fmt::format("{} has no element named \"{}\"", so_far, part);
    throw InputError(path, what, is_index || names.empty() ? "" : suggestion(part, names));
}

}  // namespace

void set_json(json& document, const std::string& path, const json& value) {
    const std::vector<std::string> parts = split_path(path);
    const auto& top = scene_keys("scene");
    if (std::find(top.begin(), top.end(), parts.front()) == top.end())
        throw InputError(path, fmt::format("a scene has no key \"{}\"", parts.front()),
                         suggestion(parts.front(), top));

    json* place = &document;
    std::string so_far;
    for (const std::string& part : parts) {
        // "cotton" is short for {"preset": "cotton"}: there is room beside the preset.
        const bool is_material = so_far.size() >= 9 && so_far.compare(so_far.size() - 9, 9, ".material") == 0;
        if (is_material && place->is_string()) *place = json{{"preset", *place}};
        if (place->is_null() && is_list(so_far))
            throw InputError(path, fmt::format("the scene has no {}", so_far));
        if (place->is_null()) *place = json::object();
        if (place->is_array())
            place = &element_of(*place, part, path, so_far);
        else if (place->is_object())
            place = &(*place)[spelling_in(*place, part)];
        else
            throw InputError(path, fmt::format("{} is {} and holds no \"{}\"", so_far, place->dump(), part));
        so_far += (so_far.empty() ? "" : ".") + part;
    }
    *place = value;
}

void set_value(json& document, const std::string& path, const std::string& value) {
    json parsed = json::accept(value) ? parse_json(value, "the value") : json(value);
    try {
        (void)json{path, parsed}.dump();
    } catch (const json::exception&) {
        throw InputError("", "a value to set is not text in UTF-8");
    }
    set_json(document, path, parsed);
}

}  // namespace rumple
