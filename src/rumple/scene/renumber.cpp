#include <algorithm>
#include <rumple/scene/renumber.hpp>

namespace rumple {

namespace {

constexpr double kMuchBetter = 2;  // times shorter strides: with less to gain a cloth keeps its numbers

// Renumbers the vertices of one cloth, whose numbers begin at `first`; others stay.
void renumber(std::vector<int>& vertices, int first, const std::vector<int>& new_number) {
    const int end = first + static_cast<int>(new_number.size());
    for (int& v : vertices)
        if (v >= first && v < end) v = first + new_number[static_cast<std::size_t>(v - first)];
    std::sort(vertices.begin(), vertices.end());
}

}  // namespace

void renumber_along_cloth(Scene& scene, std::size_t cloth) {
    SceneCloth& c = scene.cloths[cloth];
    Numbering numbering = numbering_along(c.mesh, c.rest.hinges);
    const Numbering back = inverse(numbering);
    if (mean_stride(c.mesh) <= kMuchBetter * mean_stride(c.mesh, back.vertices)) return;

    int first = 0;
    for (std::size_t i = 0; i < cloth; ++i) first += static_cast<int>(scene.cloths[i].mesh.positions.size());
    for (SceneHandle& handle : scene.handles) renumber(handle.vertices, first, back.vertices);
    for (Phase& phase : scene.phases)
        for (Forget& forget : phase.forget) renumber(forget.vertices, first, back.vertices);
    for (auto& [name, vertices] : c.sets) renumber(vertices, 0, back.vertices);
    c.mesh = renumbered(c.mesh, numbering);
    c.rest = renumbered(c.rest, numbering);
    c.reference = in_new_order(c.reference, numbering.vertices);
    c.numbering = std::move(numbering);
}

}  // namespace rumple
