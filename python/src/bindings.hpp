// What the files of the Python module share. They bind the library and add no logic of their own.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <rumple/core/vec.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/mesh/tri_mesh.hpp>
#include <rumple/scene/scene.hpp>
#include <string>
#include <vector>

namespace rumple::python {

namespace py = pybind11;

void add_errors(py::module_& module);
void add_mesh(py::module_& module);
void add_material(py::module_& module);
void add_scene(py::module_& module);
void add_run(py::module_& module);
void add_simulator(py::module_& module);
void add_stepper(py::module_& module);
void add_render(py::module_& module);
void add_experiments(py::module_& module);

// Numbers that C++ has, as an array without a copy; `owner` lives as long as the array.
template <class Row>
struct RowOf;
template <>
struct RowOf<Vec3d> {
    using Number = double;
    static constexpr py::ssize_t kColumns = 3;
};
template <>
struct RowOf<Vec2d> {
    using Number = double;
    static constexpr py::ssize_t kColumns = 2;
};
template <std::size_t N>
struct RowOf<std::array<int, N>> {
    using Number = int;
    static constexpr py::ssize_t kColumns = static_cast<py::ssize_t>(N);
};

enum class Access { read, write };

py::array with_access(py::array array, Access access);

template <class Row>
py::array view_rows(const std::vector<Row>& rows, py::handle owner, Access access) {
    using Number = typename RowOf<Row>::Number;
    constexpr py::ssize_t columns = RowOf<Row>::kColumns;
    static_assert(sizeof(Row) == sizeof(Number) * static_cast<std::size_t>(columns));
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows.size()), columns};
    return with_access(py::array_t<Number>(shape, reinterpret_cast<const Number*>(rows.data()), owner),
                       access);
}
template <class Number>
py::array view_numbers(const std::vector<Number>& numbers, py::handle owner, Access access) {
    return with_access(py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner),
                       access);
}
template <class Row>
py::array copy_rows(const std::vector<Row>& rows) {
    using Number = typename RowOf<Row>::Number;
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows.size()), RowOf<Row>::kColumns};
    return py::array_t<Number>(shape, reinterpret_cast<const Number*>(rows.data()));
}
py::array to_array(Vec3d v);

// Rows of three numbers from anything that numpy makes an array of. InputError names `what`.
std::vector<Vec3d> rows_of_three(const py::object& given, const std::string& what);
// Of a step: one force a vertex [N], or None. InputError otherwise.
std::vector<Vec3d> forces_of(const py::object& given, std::size_t vertices);
Vec3d three_numbers(const py::object& given, const std::string& what);

// Plain Python values to JSON and back. A Mesh that stands in `given` becomes a stand-in; it is collected in
// `meshes` with its place there, e.g. "/cloths/0/mesh". Without `meshes` it is an error.
struct GivenMesh {
    std::string place;
    std::shared_ptr<TriMesh> mesh;
};
nlohmann::json to_json(const py::handle& given, std::vector<GivenMesh>* meshes = nullptr,
                       const std::string& place = "");
nlohmann::json mesh_stand_in();
py::object to_python(const nlohmann::ordered_json& json);
py::object parse_json(const std::string& text);  // of the library: known to be JSON

py::dict measures_dict(const WrinkleMeasures& measures);  // by name

// "cpu", "cuda", "auto"; nothing: as the scene says.
std::optional<Backend> backend_by_name(const std::optional<std::string>& name);

// Python may call from several threads: one at a time may use an object whose steps run without the
// interpreter's lock. InputError for the second.
class InUse {
  public:
    InUse(std::atomic<bool>& flag, const char* what);
    ~InUse() { flag_.store(false); }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

  private:
    std::atomic<bool>& flag_;
};

// A scene that its users share: it lives as long as any of them.
using ScenePtr = std::shared_ptr<const Scene>;

}  // namespace rumple::python
