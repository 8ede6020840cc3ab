// Materials to JSON and back, and what makes one valid. Both go by material_fields().
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <rumple/constitutive/directional_bending.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/material/field_slots.hpp>
#include <rumple/material/material_json.hpp>
#include <utility>

namespace rumple {
namespace {

using nlohmann::json;

template <class Value>
using Names = std::vector<std::pair<std::string, Value>>;

const Names<FrictionKind> kFrictionLaws{
    {"dwell", FrictionKind::dwell}, {"dahl", FrictionKind::dahl}, {"none", FrictionKind::none}};
const Names<DwellGate> kGates{{"load", DwellGate::load}, {"none", DwellGate::none}};
const Names<bool> kPlasticityLaws{{"hardening", true}, {"none", false}};
const Names<StrainMetric> kMetrics{{"curvature", StrainMetric::curvature}, {"angle", StrainMetric::angle}};

template <class Value>
std::string name_of(Value value, const Names<Value>& names) {
    for (const auto& [name, v] : names)
        if (v == value) return name;
    return "";
}

template <class Value>
Value read_choice(const json& value, const std::string& key, const Names<Value>& names,
                  const std::string& where) {
    std::vector<std::string> valid;
    for (const auto& [name, v] : names) {
        if (value.is_string() && value.get_ref<const std::string&>() == name) return v;
        valid.push_back(name);
    }
    throw InputError(where, fmt::format("{} {} is none of {}", key, value.dump(), fmt::join(valid, ", ")),
                     value.is_string() ? suggestion(value.get<std::string>(), valid) : "");
}

// "[1]" for the second of several numbers, nothing for a single one.
std::string index_text(std::size_t i, std::size_t count) { return count > 1 ? fmt::format("[{}]", i) : ""; }

void check_range(const MaterialField& field, std::span<const double> values, const std::string& where) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = values[i];
        const bool above_min = field.min_open ? v > field.min : v >= field.min;
        const bool below_max = field.max_open ? v < field.max : v <= field.max;
        if (above_min && below_max) continue;  // a NaN is neither
        std::string range = fmt::format("{}..{}", field.min, field.max);
        if (field.unit != "1") range += " " + field.unit;
        if (field.min_open) range += fmt::format(" ({} excluded)", field.min);
        if (field.max_open) range += fmt::format(" ({} excluded)", field.max);
        throw InputError(
            where,
            fmt::format("{}{} {} is out of range {}", field.key, index_text(i, values.size()), v, range),
            v > field.max ? field.if_large : (v < field.min ? field.if_small : ""));
    }
}

void read_numbers(const MaterialField& field, const json& value, std::span<double> slot,
                  const std::string& where) {
    const bool array = slot.size() > 1;
    const bool fits =
        array ? value.is_array() && value.size() == slot.size() &&
                    std::all_of(value.begin(), value.end(), [](const json& v) { return v.is_number(); })
              : value.is_number();
    if (!fits)
        throw InputError(
            where,
            fmt::format("{} must be {}, not {}", field.key,
                        array ? "a list of three numbers (warp, weft, shear)" : "a number", value.dump()));
    for (std::size_t i = 0; i < slot.size(); ++i) slot[i] = (array ? value[i] : value).get<double>();
    check_range(field, slot, where);
}

// The directions of a field that may have them, or null.
std::optional<DirectionalStiffness>* directions_of(Material& m, const std::string& key) {
    if (key == "bending") return &m.directions.bending;
    if (key == "friction.k") return &m.directions.friction;
    if (key == "plasticity.K_h0") return &m.directions.hardening;
    return nullptr;
}

template <class Directional>
auto numbers_of(Directional& k) {
    return std::array{std::pair{"warp", &k.warp}, std::pair{"weft", &k.weft}, std::pair{"bias", &k.bias}};
}

void check_directions(const MaterialField& field, const DirectionalStiffness& k, const std::string& where) {
    for (const auto& [key, number] : numbers_of(k)) {
        MaterialField one = field;
        one.key += fmt::format(".{}", key);
        check_range(one, {number, 1}, where);
    }
    if (const double least = min_hinge_stiffness(k); !(least > 0))
        throw InputError(
            where,
            fmt::format("{}: warp {}, weft {} and bias {} would give a hinge the stiffness {:.3g}", field.key,
                        k.warp, k.weft, k.bias, least),
            "it must be positive in all directions: bring the three closer together");
}

DirectionalStiffness read_directions(const MaterialField& field, const json& value,
                                     const std::string& where) {
    DirectionalStiffness k;
    std::vector<std::string> keys;
    for (const auto& [key, number] : numbers_of(k)) {
        keys.emplace_back(key);
        if (!value.contains(key) || !value[key].is_number())
            throw InputError(where, fmt::format("{} needs a number \"{}\"", field.key, key),
                             "give warp, weft and bias, or one number for all directions");
        *number = value[key].template get<double>();
    }
    for (const auto& [key, unused] : value.items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            throw InputError(where, fmt::format("unknown key \"{}\" in {}", key, field.key),
                             suggestion(key, keys));
    return k;
}

// The keys valid inside a group ("" at the top), in the order of the list.
std::vector<std::string> keys_within(const std::string& group) {
    std::vector<std::string> keys;
    if (group.empty()) keys = {"name", "metric"};
    if (group == "friction") keys = {"law", "gate"};
    if (group == "plasticity") keys = {"law"};
    for (const MaterialField& field : material_fields()) {
        const std::size_t dot = field.key.find('.');
        std::string key;
        if (group.empty())
            key = field.key.substr(0, dot);
        else if (dot != std::string::npos && field.key.substr(0, dot) == group)
            key = field.key.substr(dot + 1);
        if (!key.empty() && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    return keys;
}

void read_field(Material& m, const std::string& key, const json& value, const std::string& group,
                const std::string& where) {
    const auto& fields = material_fields();
    const std::string full = group.empty() ? key : group + "." + key;
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.key == full; });
    if (found == fields.end())
        throw InputError(where,
                         fmt::format("unknown key \"{}\" in {}", key, group.empty() ? "the material" : group),
                         suggestion(key, keys_within(group)));
    if (full == "friction.dahl_sigma_c") {
        m.dahl_sigma_c.reset();
        if (value.is_null()) return;
        m.dahl_sigma_c.emplace();
    }
    if (auto* directions = directions_of(m, full)) {
        directions->reset();
        if (value.is_object()) {
            *directions = read_directions(*found, value, where);
            check_directions(*found, **directions, where);
            return m.set_directions(Material::Directions(m.directions));
        }
    }
    read_numbers(*found, value, field_slots()[static_cast<std::size_t>(found - fields.begin())](m), where);
}

void read_group(Material& m, const std::string& group, const json& value, const std::string& where) {
    const bool optional = group == "tensile_friction" || group == "tensile_plasticity";
    if (optional && value.is_null()) {
        if (group == "tensile_friction") m.tensile_friction.reset();
        if (group == "tensile_plasticity") m.tensile_plasticity.reset();
        return;
    }
    if (!value.is_object())
        throw InputError(where, fmt::format("{} must be an object{}, not {}", group,
                                            optional ? " or null" : "", value.dump()));
    if (group == "tensile_friction" && !m.tensile_friction) m.tensile_friction.emplace();
    if (group == "tensile_plasticity" && !m.tensile_plasticity) m.tensile_plasticity.emplace();
    const bool slip_follows =
        m.tensile_friction && m.tensile_friction->d_c == 0.5 * m.tensile_friction->eps_0;
    for (const auto& [key, v] : value.items()) {
        if (key == "law" && group == "friction")
            m.friction_kind = read_choice(v, "friction.law", kFrictionLaws, where);
        else if (key == "gate" && group == "friction")
            m.friction.gate = read_choice(v, "friction.gate", kGates, where);
        else if (key == "law" && group == "plasticity")
            m.plastic = read_choice(v, "plasticity.law", kPlasticityLaws, where);
        else
            read_field(m, key, v, group, where);
    }
    if (group == "tensile_friction" && slip_follows && !value.contains("d_c"))
        m.tensile_friction->d_c = 0.5 * m.tensile_friction->eps_0;
}

bool is_group(const std::string& key) {
    const auto& fields = material_fields();
    return std::any_of(fields.begin(), fields.end(),
                       [&](const auto& f) { return f.key.starts_with(key + "."); });
}

void check_thresholds(const std::string& group, double eps_0, double eps_inf, const std::string& where) {
    if (eps_inf < eps_0)
        throw InputError(where, fmt::format("{0}.eps_inf {1} is below {0}.eps_0 {2}", group, eps_inf, eps_0),
                         "holding cloth cannot weaken its friction");
}

void check_times(const std::string& group, const RelaxationLadder& ladder, const std::string& where) {
    if (ladder.tau_min > ladder.tau_max)
        throw InputError(
            where,
            fmt::format("{0}.tau_min {1} is above {0}.tau_max {2}", group, ladder.tau_min, ladder.tau_max),
            "the shortest time comes first");
}

}  // namespace

void apply_overrides(Material& material, const json& overrides, const std::string& where) {
    if (!overrides.is_object())
        throw InputError(where, fmt::format("a material must be an object, not {}", overrides.dump()));
    Material m = material;
    for (const auto& [key, value] : overrides.items()) {
        if (key == "name") {
            if (!value.is_string())
                throw InputError(where, fmt::format("name must be a string, not {}", value.dump()));
            m.name = value.get<std::string>();
        } else if (key == "metric") {
            m.metric = read_choice(value, "metric", kMetrics, where);
        } else if (is_group(key)) {
            read_group(m, key, value, where);
        } else {
            read_field(m, key, value, "", where);
        }
    }
    m.plasticity.k = m.bending;
    validate(m, where);
    material = std::move(m);
}

json to_json(const Material& material) {
    json out = {{"name", material.name}, {"metric", name_of(material.metric, kMetrics)}};
    out["friction"]["law"] = name_of(material.friction_kind, kFrictionLaws);
    out["friction"]["gate"] = name_of(material.friction.gate, kGates);
    out["plasticity"]["law"] = name_of(material.plastic, kPlasticityLaws);
    if (!material.tensile_friction) out["tensile_friction"] = nullptr;
    if (!material.tensile_plasticity) out["tensile_plasticity"] = nullptr;
    Material m = material;  // slots are for reading and writing alike
    for (std::size_t i = 0; i < material_fields().size(); ++i) {
        const std::string& key = material_fields()[i].key;
        const std::span<const double> values = field_slots()[i](m);
        const std::size_t dot = key.find('.');
        if (values.empty() && key.starts_with("tensile")) continue;  // the whole group is null
        json& at = dot == std::string::npos ? out[key] : out[key.substr(0, dot)][key.substr(dot + 1)];
        if (const auto* directions = directions_of(m, key); directions && *directions) {
            for (const auto& [name, number] : numbers_of(**directions)) at[name] = *number;
            continue;
        }
        if (values.size() == 1) at = values[0];
        if (values.size() > 1) at = std::vector<double>(values.begin(), values.end());
    }
    return out;
}

void validate(const Material& material, const std::string& where) {
    Material m = material;
    for (std::size_t i = 0; i < material_fields().size(); ++i) {
        const MaterialField& field = material_fields()[i];
        check_range(field, field_slots()[i](m), where);
        if (const auto* directions = directions_of(m, field.key); directions && *directions)
            check_directions(field, **directions, where);
    }
    const MembraneStiffness& k = m.membrane;
    if (k.k12 * k.k12 >= k.k11 * k.k22)
        throw InputError(where, fmt::format("membrane.k12 {} makes the cloth unstable", k.k12),
                         fmt::format("k12^2 must be less than k11 k22 = {}", k.k11 * k.k22));
    check_thresholds("friction", m.friction.eps_0, m.friction.eps_inf, where);
    if (m.tensile_friction)
        check_thresholds("tensile_friction", m.tensile_friction->eps_0, m.tensile_friction->eps_inf, where);
    check_times("relaxation", m.relaxation, where);
    check_times("tensile_relaxation", m.tensile_relaxation, where);
    if (m.plastic && m.bending <= 0)
        throw InputError(where, "plasticity needs a bending stiffness above 0",
                         "set bending, or plasticity.law to \"none\"");
    if (m.friction_kind == FrictionKind::dahl && m.friction.k <= 0)
        throw InputError(where, "Dahl friction needs friction.k above 0",
                         "set it, or friction.law to \"none\"");
    if (m.friction_kind == FrictionKind::dahl && !m.dahl_sigma_c && m.friction.eps_0 <= 0)
        throw InputError(where, "Dahl friction saturates at friction.k friction.eps_0, which is 0",
                         "set friction.dahl_sigma_c");
}

}  // namespace rumple
