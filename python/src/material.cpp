// Material: the parameters of one cloth.
#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/material/material_json.hpp>

#include "bindings.hpp"

namespace rumple::python {
namespace {

Material make_material(const std::string& preset, const py::kwargs& fields) {
    const Material* found = find_preset(preset);
    if (found == nullptr) {
        std::vector<std::string> names;
        for (const Material& material : material_presets()) names.push_back(material.name);
        throw InputError("Material", fmt::format("there is no preset \"{}\"", preset),
                         suggestion(preset, names));
    }
    Material material = *found;
    apply_overrides(material, to_json(fields), "Material");
    return material;
}

py::list fields() {
    py::list list;
    for (const MaterialField& field : material_fields()) {
        py::dict entry;
        entry["key"] = field.key;
        entry["unit"] = field.unit;
        entry["meaning"] = field.meaning;
        entry["min"] = field.min;
        entry["max"] = field.max;
        list.append(entry);
    }
    return list;
}

}  // namespace

void add_material(py::module_& module) {
    py::class_<Material>(
        module, "Material",
        "The parameters of one cloth: a preset with some fields replaced, in the words of scene\n"
        "files: Material(\"cotton\", bending=8e-6, friction={\"tau\": 60}).")
        .def(py::init(&make_material), py::arg("preset") = "cotton")
        .def_readonly("name", &Material::name)
        .def(
            "to_dict", [](const Material& material) { return to_python(rumple::to_json(material)); },
            "All fields, as plain values.")
        .def(
            "replace",
            [](Material material, const py::kwargs& changed) {
                apply_overrides(material, to_json(changed), "Material");
                return material;
            },
            "The same material with other values of some fields.")
        .def("__repr__",
             [](const Material& material) { return fmt::format("<rumple.Material: {}>", material.name); });
    module.def(
        "materials",
        [] {
            py::dict presets;
            for (const Material& material : material_presets())
                presets[py::str(material.name)] = to_python(rumple::to_json(material));
            return presets;
        },
        "The presets by name, each as a dict of its fields.");
    module.def("material_fields", &fields, "Every field of a material: key, unit, meaning, range.");
}

}  // namespace rumple::python
