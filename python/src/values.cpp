// Values between Python and C++: arrays, JSON, names.
#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/material/material_json.hpp>

#include "bindings.hpp"

namespace rumple::python {
namespace {

nlohmann::json list_to_json(const py::handle& given, std::vector<GivenMesh>* meshes,
                            const std::string& place) {
    nlohmann::json list = nlohmann::json::array();
    std::size_t i = 0;
    for (const py::handle& element : given)
        list.push_back(to_json(element, meshes, place + "/" + std::to_string(i++)));
    return list;
}

nlohmann::json dict_to_json(const py::dict& given, std::vector<GivenMesh>* meshes, const std::string& place) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [key, value] : given) {
        if (!py::isinstance<py::str>(key))
            throw InputError(place, fmt::format("the key {} is not text", std::string(py::str(key))));
        const std::string name = key.cast<std::string>();
        object[name] = to_json(value, meshes, place + "/" + name);
    }
    return object;
}

nlohmann::json material_to_json(const Material& material) {
    nlohmann::json json = rumple::to_json(material);
    json["preset"] = "cotton";  // scenes name one to start from; every field of it is replaced
    return json;
}

std::string shape_of(const py::array& array) {
    return std::string(
        py::str(py::tuple(py::cast(std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim())))));
}

}  // namespace

py::array with_access(py::array array, Access access) {
    if (access == Access::read) array.attr("flags").attr("writeable") = false;
    return array;
}

py::array to_array(Vec3d v) {
    py::array_t<double> array(3);
    for (int i = 0; i < 3; ++i) array.mutable_at(i) = v[i];
    return array;
}

std::vector<Vec3d> rows_of_three(const py::object& given, const std::string& what) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
    if (!array) {
        PyErr_Clear();
        throw InputError(what, "this is no array of numbers", "one row x, y, z for each vertex is needed");
    }
    if (array.ndim() != 2 || array.shape(1) != 3)
        throw InputError(what, "the array has the shape " + shape_of(array),
                         "one row x, y, z for each vertex is needed");
    std::vector<Vec3d> rows(static_cast<std::size_t>(array.shape(0)));
    const auto numbers = array.unchecked<2>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<py::ssize_t>(i);
        rows[i] = {numbers(row, 0), numbers(row, 1), numbers(row, 2)};
    }
    return rows;
}

std::vector<Vec3d> forces_of(const py::object& given, std::size_t vertices) {
    if (given.is_none()) return {};
    std::vector<Vec3d> forces = rows_of_three(given, "step: forces");
    if (forces.size() != vertices)
        throw InputError("step: forces", fmt::format("{} rows for {} vertices", forces.size(), vertices),
                         "give one row for each row of positions");
    return forces;
}

Vec3d three_numbers(const py::object& given, const std::string& what) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
    if (!array) PyErr_Clear();
    if (!array || array.size() != 3) throw InputError(what, "three numbers are needed");
    return {array.data()[0], array.data()[1], array.data()[2]};
}

// A file that is there and that nobody reads: the mesh takes its place before.
nlohmann::json mesh_stand_in() { return {{"file", "/"}}; }

nlohmann::json to_json(const py::handle& given, std::vector<GivenMesh>* meshes, const std::string& place) {
    if (given.is_none()) return nullptr;
    if (py::isinstance<py::bool_>(given)) return given.cast<bool>();
    if (py::isinstance<py::int_>(given)) return given.cast<std::int64_t>();
    if (py::isinstance<py::float_>(given)) return given.cast<double>();
    if (py::isinstance<py::str>(given)) return given.cast<std::string>();
    if (py::isinstance<py::dict>(given))
        return dict_to_json(py::reinterpret_borrow<py::dict>(given), meshes, place);
    if (py::isinstance<Material>(given)) return material_to_json(given.cast<const Material&>());
    if (py::isinstance<TriMesh>(given) && meshes != nullptr) {
        meshes->push_back({place, given.cast<std::shared_ptr<TriMesh>>()});
        return mesh_stand_in();
    }
    if (py::hasattr(given, "tolist")) return to_json(given.attr("tolist")(), meshes, place);  // numpy
    if (py::hasattr(given, "__fspath__")) return py::str(given.attr("__fspath__")()).cast<std::string>();
    if (py::isinstance<py::sequence>(given)) return list_to_json(given, meshes, place);
    throw InputError(place, fmt::format("a value of type {} cannot stand in a scene",
                                        py::str(py::type::of(given).attr("__name__")).cast<std::string>()));
}

py::object to_python(const nlohmann::ordered_json& json) {
    switch (json.type()) {
        case nlohmann::json::value_t::object: {
            py::dict dict;
            for (const auto& [key, value] : json.items()) dict[py::str(key)] = to_python(value);
            return dict;
        }
        case nlohmann::json::value_t::array: {
            py::list list;
            for (const auto& value : json) list.append(to_python(value));
            return list;
        }
        case nlohmann::json::value_t::string:
            return py::str(json.get<std::string>());
        case nlohmann::json::value_t::boolean:
            return py::bool_(json.get<bool>());
        case nlohmann::json::value_t::number_integer:
        case nlohmann::json::value_t::number_unsigned:
            return py::int_(json.get<std::int64_t>());
        case nlohmann::json::value_t::number_float:
            return py::float_(json.get<double>());
        default:
            return py::none();
    }
}

py::object parse_json(const std::string& text) { return to_python(nlohmann::ordered_json::parse(text)); }

std::optional<Backend> backend_by_name(const std::optional<std::string>& name) {
    if (!name) return std::nullopt;
    if (*name == "cpu") return Backend::cpu;
    if (*name == "cuda") return Backend::cuda;
    if (*name == "auto") return Backend::automatic;
    throw InputError("backend", fmt::format("\"{}\" is unknown", *name),
                     "known are \"cpu\", \"cuda\" and \"auto\"");
}

InUse::InUse(std::atomic<bool>& flag, const char* what) : flag_(flag) {
    if (flag_.exchange(true))
        throw InputError(what, "another thread is using it", "give each thread one of its own");
}

}  // namespace rumple::python
