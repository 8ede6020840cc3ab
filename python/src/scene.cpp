// Scene: what is simulated. Read from a file, or from a dict that reads like one and may hold meshes.
#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/scene/asset_cache.hpp>
#include <rumple/scene/place.hpp>
#include <rumple/scene/scene_description.hpp>
#include <rumple/scene/scene_file.hpp>
#include <rumple/scene/scene_hash.hpp>

#include "bindings.hpp"

namespace rumple::python {
namespace {

// A document and the meshes that were handed over in it.
struct Document {
    SceneFile file;
    std::vector<GivenMesh> meshes;
};

// Where a Mesh may stand: the "mesh" of a cloth or of an obstacle.
bool belongs(const std::string& place) {
    const bool part = place.starts_with("/cloths/") || place.starts_with("/obstacles/");
    return part && place.ends_with("/mesh") && std::count(place.begin(), place.end(), '/') == 3;
}

Document document_of(const py::object& source, const std::filesystem::path& folder) {
    if (!py::isinstance<py::dict>(source)) return {load_scene_file(source.cast<std::filesystem::path>()), {}};
    Document document;
    document.file.document = to_json(source, &document.meshes);
    nlohmann::json& scene = document.file.document;
    scene.emplace("rumple", 1);
    document.file.name =
        scene.contains("name") && scene["name"].is_string() ? scene["name"].get<std::string>() : "scene";
    document.file.folder = folder;
    for (const GivenMesh& given : document.meshes)
        if (!belongs(given.place))
            throw InputError(document.file.name + ": " + given.place, "a Mesh does not belong here",
                             "it can be the \"mesh\" of a cloth or of an obstacle");
    return document;
}

// Puts the meshes where their stand-ins are.
void place_meshes(SceneDescription& scene, const std::vector<GivenMesh>& meshes,
                  const nlohmann::json& document) {
    const auto put = [&](auto& parts, const char* list, const GivenMesh& given) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (given.place != fmt::format("/{}/{}/mesh", list, i)) continue;
            if (document.at(nlohmann::json::json_pointer(given.place)) != mesh_stand_in())
                parts[i].place.at("mesh").fail("a mesh that was handed over cannot be changed by a path");
            parts[i].source = *given.mesh;
        }
    };
    for (const GivenMesh& given : meshes) {
        put(scene.cloths, "cloths", given);
        put(scene.obstacles, "obstacles", given);
    }
}

std::vector<Variant> chosen_variants(const SceneFile& file, const std::vector<std::string>& only) {
    const std::vector<Variant> all = expand_variants(file);
    if (only.empty()) return all;
    std::vector<Variant> chosen;
    for (const std::string& name : only)
        chosen.push_back(all[index_of(Place(file.name), name, all, "variant")]);
    return chosen;
}

std::vector<std::shared_ptr<Scene>> load_scenes(const py::object& source,
                                                const std::vector<std::string>& variants, const py::dict& set,
                                                const std::filesystem::path& folder) {
    Document document = document_of(source, folder);
    for (const auto& [path, value] : set)
        set_json(document.file.document, path.cast<std::string>(), to_json(value));
    std::vector<std::shared_ptr<Scene>> scenes;
    const py::gil_scoped_release unlocked;
    AssetCache assets;
    for (const Variant& variant : chosen_variants(document.file, variants)) {
        SceneDescription scene = describe_scene(document.file, variant, assets);
        place_meshes(scene, document.meshes, variant.document);
        scenes.push_back(std::make_shared<Scene>(resolve_scene(scene, assets)));
    }
    return scenes;
}

std::shared_ptr<Scene> load_scene(const py::object& source, const std::string& variant, const py::dict& set,
                                  const std::filesystem::path& folder) {
    std::vector<std::string> only;
    if (!variant.empty()) only.push_back(variant);
    const auto scenes = load_scenes(source, only, set, folder);
    if (scenes.size() == 1) return scenes.front();
    std::string names;
    for (const auto& scene : scenes) names += (names.empty() ? "" : ", ") + scene->variant;
    throw InputError(scenes.front()->name, fmt::format("the scene has {} variants", scenes.size()),
                     "name one of them: " + names);
}

// The cloth in the numbering of the mesh or file that it came from.
std::shared_ptr<TriMesh> mesh_of(const Scene& scene, const std::string& name) {
    const SceneCloth& cloth = scene.cloths[index_of(Place(scene.name), name, scene.cloths, "cloth")];
    return std::make_shared<TriMesh>(renumbered(cloth.mesh, inverse(cloth.numbering)));
}

py::dict phase_dict(const Phase& phase) {
    py::dict dict;
    dict["name"] = phase.name;
    dict["steps"] = phase.steps;
    dict["h"] = phase.h;
    dict["material_dt"] = phase.material_dt;
    dict["hold"] = phase.hold;
    return dict;
}

template <class Part>
std::vector<std::string> names_of(const std::vector<Part>& parts) {
    std::vector<std::string> names;
    for (const Part& part : parts) names.push_back(part.name);
    return names;
}

void add_scene_class(py::module_& module) {
    py::class_<Scene, std::shared_ptr<Scene>>(
        module, "Scene",
        "What is simulated, checked and ready to run. Made by load_scene(),\n"
        "load_scenes() or SceneBuilder.build().")
        .def_readonly("name", &Scene::name)
        .def_readonly("variant", &Scene::variant, "empty if it is none")
        .def_readonly("warnings", &Scene::warnings, "what may not be meant, a sentence each")
        .def_property_readonly(
            "hash", [](const Scene& scene) { return scene_hash(scene); },
            "of everything that determines the run, as in summary.json")
        .def_property_readonly("cloths", [](const Scene& scene) { return names_of(scene.cloths); })
        .def_property_readonly("handles", [](const Scene& scene) { return names_of(scene.handles); })
        .def_property_readonly("obstacles", [](const Scene& scene) { return names_of(scene.obstacles); })
        .def_property_readonly(
            "phases",
            [](const Scene& scene) {
                py::list list;
                for (const Phase& phase : scene.phases) list.append(phase_dict(phase));
                return list;
            },
            "name, steps, h, material_dt and hold of each phase")
        .def_property_readonly(
            "steps",
            [](const Scene& scene) {
                std::int64_t steps = 0;
                for (const Phase& phase : scene.phases) steps += phase.steps;
                return steps;
            },
            "of all phases together")
        .def("mesh", &mesh_of, py::arg("cloth"),
             "The cloth as it begins, vertices in the order of the mesh or file that it came from.")
        .def(
            "material",
            [](const Scene& scene, const std::string& name) {
                return scene.cloths[index_of(Place(scene.name), name, scene.cloths, "cloth")].material;
            },
            py::arg("cloth"), "The material of a cloth.")
        .def("__repr__", [](const Scene& scene) {
            return fmt::format("<rumple.Scene: {}{}{}>", scene.name,
                               scene.variant.empty() ? "" : ", variant ", scene.variant);
        });
}

}  // namespace

void add_scene(py::module_& module) {
    add_scene_class(module);
    module.def("_load_scenes", &load_scenes, py::arg("source"), py::arg("variants"), py::arg("set"),
               py::arg("folder"));
    module.def("_load_scene", &load_scene, py::arg("source"), py::arg("variant"), py::arg("set"),
               py::arg("folder"));
}

}  // namespace rumple::python
