// rumple materials: the presets, or one of them field by field.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/material/material_json.hpp>
#include <string_view>

#include "commands.hpp"

namespace rumple {
namespace {

struct MaterialsArguments {
    std::string name;
    bool json = false;
};

// The value at "friction.eps_inf"; "-" where this material has none (tensile laws that are off).
std::string value_at(const nlohmann::json& material, const std::string& key) {
    const nlohmann::json* at = &material;
    for (std::size_t begin = 0; begin <= key.size();) {
        const std::size_t end = std::min(key.find('.', begin), key.size());
        const auto found = at->is_object() ? at->find(key.substr(begin, end - begin)) : at->end();
        if (!at->is_object() || found == at->end() || found->is_null()) return "-";
        at = &*found;
        begin = end + 1;
    }
    return at->is_number() ? fmt::format("{:g}", at->get<double>()) : at->dump();
}

const Material& preset_called(const std::string& name) {
    if (const Material* preset = find_preset(name)) return *preset;
    std::vector<std::string> names;
    for (const Material& preset : material_presets()) names.push_back(preset.name);
    throw InputError("materials", fmt::format("there is no material '{}'", name), suggestion(name, names));
}

// Of the column of names: as wide as the longest.
std::size_t name_width() {
    std::size_t width = 0;
    for (const MaterialField& field : material_fields())
        width = std::max(width, std::string_view(field.key).size());
    return width;
}

void print_one(const Material& material) {
    const nlohmann::json values = to_json(material);
    fmt::print("{}\n", material.name);
    for (const char* choice : {"metric", "friction.law", "friction.gate", "plasticity.law"})
        fmt::print("  {:<{}} {:>10}\n", choice, name_width(), value_at(values, choice));
    for (const MaterialField& field : material_fields())
        if (const std::string value = value_at(values, field.key); value != "-")
            fmt::print("  {:<{}} {:>10} {:<8} {}\n", field.key, name_width(), value, field.unit,
                       field.meaning);
}

// One row a field, one column a preset; fields that no preset uses are left out.
void print_all() {
    fmt::print("{:<{}} {:<8}", "", name_width(), "");
    for (const Material& preset : material_presets()) fmt::print(" {:>17}", preset.name);
    fmt::print("\n");
    for (const MaterialField& field : material_fields()) {
        std::string row;
        bool used = false;
        for (const Material& preset : material_presets()) {
            const std::string value = value_at(to_json(preset), field.key);
            used = used || value != "-";
            row += fmt::format(" {:>17}", value);
        }
        if (used) fmt::print("{:<{}} {:<8}{}\n", field.key, name_width(), field.unit, row);
    }
    fmt::print("rumple materials NAME explains each field.\n");
}

void print_materials(const MaterialsArguments& arguments) {
    if (arguments.json && !arguments.name.empty()) {
        fmt::print("{}\n", to_json(preset_called(arguments.name)).dump(2));
    } else if (arguments.json) {
        nlohmann::json all = nlohmann::json::array();
        for (const Material& preset : material_presets()) all.push_back(to_json(preset));
        fmt::print("{}\n", all.dump(2));
    } else if (!arguments.name.empty()) {
        print_one(preset_called(arguments.name));
    } else {
        print_all();
    }
}

}  // namespace

void add_materials_command(CLI::App& program) {
    auto arguments = std::make_shared<MaterialsArguments>();
    CLI::App* command = program.add_subcommand("materials", "List the material presets, with units");
    command->add_option("NAME", arguments->name, "explain one preset, field by field");
    command->add_flag("--json", arguments->json, "as JSON, to paste into a scene");
    command->callback([arguments] { print_materials(*arguments); });
}

}  // namespace rumple
