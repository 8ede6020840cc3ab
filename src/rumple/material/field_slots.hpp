// Where each entry of material_fields() lies inside a Material. Private to the material room.
#pragma once

#include <rumple/material/material.hpp>
#include <span>

namespace rumple {

// The field's number, or its three numbers (warp, weft, shear); empty where it is optional and absent.
using FieldSlot = std::span<double> (*)(Material&);

// One slot a field, in the order of material_fields().
const std::vector<FieldSlot>& field_slots();

}  // namespace rumple
