// Materials from JSON and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <rumple/material/material.hpp>

namespace rumple {

// Applies overrides to a material and validates the result; `where` names the place in the scene for errors.
// Unknown keys, wrong types and values out of range throw InputError and leave the material as it was.
// Understands every key of material_fields() (nested objects), "name", "friction.law" ("dwell", "dahl",
// "none"), "friction.gate" ("load", "none"), "plasticity.law" ("hardening", "none"), "metric" ("curvature",
// "angle"), "friction.dahl_sigma_c": null, "tensile_friction" / "tensile_plasticity" (object or null; {}
// takes the published set; tensile d_c stays half of eps_0 until one sets it).
void apply_overrides(Material& material, const nlohmann::json& overrides, const std::string& where);
nlohmann::json to_json(const Material& material);  // apply_overrides(Material{}, to_json(m)) gives m again

}  // namespace rumple
