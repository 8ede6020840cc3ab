// Mesh: a triangle mesh whose arrays are those of C++; generators, files, measures.
#include <fmt/format.h>

#include <rumple/core/error.hpp>
#include <rumple/io/mesh_file.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/mesh/validate.hpp>

#include "bindings.hpp"

namespace rumple::python {
namespace {

using MeshPtr = std::shared_ptr<TriMesh>;

std::vector<std::array<int, 3>> corner_rows(const py::object& given, const std::string& what,
                                            std::size_t limit) {
    const py::array found = py::array::ensure(given);
    const bool whole = found && (found.dtype().kind() == 'i' || found.dtype().kind() == 'u');
    const auto array = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(given);
    if (!whole || !array || array.ndim() != 2 || array.shape(1) != 3) {
        PyErr_Clear();
        throw InputError(what, "one row of three whole numbers for each triangle is needed");
    }
    std::vector<std::array<int, 3>> rows(static_cast<std::size_t>(array.shape(0)));
    const auto numbers = array.unchecked<2>();
    for (std::size_t t = 0; t < rows.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c) {
            const std::int64_t corner = numbers(static_cast<py::ssize_t>(t), static_cast<py::ssize_t>(c));
            if (corner < 0 || corner >= static_cast<std::int64_t>(limit))
                throw InputError(what, fmt::format("triangle {} refers to number {} of {}", t, corner, limit),
                                 "numbers start at 0");
            rows[t][c] = static_cast<int>(corner);
        }
    return rows;
}

std::vector<Vec2d> rows_of_two(const py::object& given, const std::string& what) {
    const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(given);
    if (!array || array.ndim() != 2 || array.shape(1) != 2) {
        PyErr_Clear();
        throw InputError(what, "one row u, v for each UV is needed");
    }
    std::vector<Vec2d> rows(static_cast<std::size_t>(array.shape(0)));
    const auto numbers = array.unchecked<2>();
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = {numbers(static_cast<py::ssize_t>(i), 0), numbers(static_cast<py::ssize_t>(i), 1)};
    return rows;
}

MeshPtr make_mesh(const py::object& positions, const py::object& triangles, const py::object& uvs,
                  const py::object& uv_triangles) {
    auto mesh = std::make_shared<TriMesh>();
    mesh->positions = rows_of_three(positions, "Mesh: positions");
    mesh->triangles = corner_rows(triangles, "Mesh: triangles", mesh->positions.size());
    if (uvs.is_none()) return mesh;
    mesh->uvs = rows_of_two(uvs, "Mesh: uvs");
    mesh->uv_triangles =
        corner_rows(uv_triangles.is_none() ? triangles : uv_triangles,
                    uv_triangles.is_none() ? "Mesh: uvs" : "Mesh: uv_triangles", mesh->uvs.size());
    if (mesh->uv_triangles.size() != mesh->triangles.size())
        throw InputError(
            "Mesh: uv_triangles",
            fmt::format("{} rows for {} triangles", mesh->uv_triangles.size(), mesh->triangles.size()));
    return mesh;
}

Layout layout_by_name(const std::string& name) {
    if (name == "right") return Layout::right;
    if (name == "alternating") return Layout::alternating;
    if (name == "equilateral") return Layout::equilateral;
    throw InputError("layout", fmt::format("\"{}\" is unknown", name),
                     "known are \"right\", \"alternating\" and \"equilateral\"");
}

void require(bool fits, const char* what, const char* remedy) {
    if (!fits) throw InputError(what, "the sizes make no mesh", remedy);
}

MeshPtr tube(double radius, double height, int around, int up, const std::string& layout) {
    require(radius > 0 && height > 0 && around >= 3 && up >= 2, "tube",
            "radius and height are above 0, around is at least 3, up at least 2");
    return std::make_shared<TriMesh>(make_tube(around, up, radius, height, layout_by_name(layout)));
}
MeshPtr grid(int nx, int ny, double width, double height, const std::string& layout) {
    require(width > 0 && height > 0 && nx >= 2 && ny >= 2, "grid",
            "width and height are above 0, nx and ny at least 2");
    return std::make_shared<TriMesh>(make_grid(nx, ny, width, height, layout_by_name(layout)));
}
MeshPtr disc(double radius, double edge, const std::string& layout) {
    require(radius > 0 && edge > 0 && edge <= radius, "disc",
            "radius and edge are above 0, edge at most radius");
    return std::make_shared<TriMesh>(make_disc(radius, edge, layout_by_name(layout)));
}

py::dict measure(const TriMesh& mesh, const std::optional<MeshPtr>& reference) {
    validate_mesh(mesh, "measure: mesh");
    if (!reference) {
        const RestShape rest = make_rest_shape(mesh, {}, "measure: mesh");
        const std::vector<double> flat(rest.hinges.size(), 0.0);
        return measures_dict(measure_wrinkles(rest, mesh.triangles, mesh.positions, flat));
    }
    const TriMesh& before = **reference;
    if (before.triangles != mesh.triangles || before.positions.size() != mesh.positions.size())
        throw InputError("measure: reference", "its vertices and triangles are not those of the mesh",
                         "the reference is the same mesh in another shape");
    const RestShape rest = make_rest_shape(before, {}, "measure: reference");
    MeasureExtras extras;
    extras.reference = before.positions;
    return measures_dict(
        measure_wrinkles(rest, mesh.triangles, mesh.positions, hinge_angles(rest, before.positions), extras));
}

std::string describe(const TriMesh& mesh) {
    return fmt::format("<rumple.Mesh: {} vertices, {} triangles{}>", mesh.positions.size(),
                       mesh.triangles.size(), mesh.has_uvs() ? ", with UVs" : "");
}

void add_generators(py::module_& module) {
    module.def("tube", &tube, py::arg("radius"), py::arg("height"), py::arg("around"), py::arg("up"),
               py::arg("layout") = "right",
               "A tube about the Z axis from z = 0 to height [m], with `up` rings of `around` vertices.");
    module.def("grid", &grid, py::arg("nx"), py::arg("ny"), py::arg("width"), py::arg("height"),
               py::arg("layout") = "right",
               "A rectangle about the origin in the plane z = 0 [m], nx by ny vertices.");
    module.def("disc", &disc, py::arg("radius"), py::arg("edge"), py::arg("layout") = "right",
               "A disc about the origin in the plane z = 0 [m].");
    module.def(
        "measure", &measure, py::arg("mesh"), py::arg("reference") = py::none(),
        "Wrinkle measures of a mesh, by name (docs/measures.md), against the same mesh in another shape or\n"
        "against flat cloth.");
}

}  // namespace

py::dict measures_dict(const WrinkleMeasures& measures) {
    py::dict dict;
    for (const MeasureEntry& entry : entries(measures)) dict[py::str(std::string(entry.name))] = entry.value;
    return dict;
}

void add_mesh(py::module_& module) {
    const auto view = [](auto member, Access access) {
        return [member, access](const py::object& self) -> py::object {
            const auto& rows = self.cast<const TriMesh&>().*member;
            if (rows.empty()) return py::none();
            return view_rows(rows, self, access);
        };
    };
    py::class_<TriMesh, MeshPtr>(
        module, "Mesh",
        "A triangle mesh: positions in metres, Z up, and triangles that are counter-clockwise\n"
        "seen from the front. Its arrays are views: `mesh.positions[:, 2] += 1` moves it.")
        .def(py::init(&make_mesh), py::arg("positions"), py::arg("triangles"), py::arg("uvs") = py::none(),
             py::arg("uv_triangles") = py::none(),
             "From arrays: (n, 3) positions, (m, 3) triangles. UVs in metres are the flat cloth; one for "
             "each\n"
             "vertex, or with rows of their own for each triangle (a seam).")
        .def_static(
            "read",
            [](const std::filesystem::path& path) { return std::make_shared<TriMesh>(read_mesh(path)); },
            py::arg("path"), "From an OBJ or PLY file.")
        .def(
            "write", [](const TriMesh& mesh, const std::filesystem::path& path) { write_mesh(path, mesh); },
            py::arg("path"), "To an OBJ or PLY file.")
        .def(
            "validate", [](const TriMesh& mesh) { return validate_mesh(mesh, "mesh"); },
            "InputError unless it can be simulated. Returns what may not be meant, a sentence each.")
        .def(
            "copy", [](const TriMesh& mesh) { return std::make_shared<TriMesh>(mesh); },
            "A copy of the mesh.")
        .def_property_readonly("positions", view(&TriMesh::positions, Access::write), "(n, 3) view [m]")
        .def_property_readonly("triangles", view(&TriMesh::triangles, Access::read), "(m, 3) view, read-only")
        .def_property_readonly("uvs", view(&TriMesh::uvs, Access::write), "(k, 2) view [m], or None")
        .def_property_readonly("uv_triangles", view(&TriMesh::uv_triangles, Access::read),
                               "(m, 3) view, read-only, or None")
        .def("__repr__", &describe);
    add_generators(module);
}

}  // namespace rumple::python
