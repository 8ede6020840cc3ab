// The model's copy on the device, and which elements give to which block.
#include <rumple/dynamics/model.hpp>
#include <rumple_cuda/device_elements.hpp>

namespace rumple::cuda {

namespace {

template <class T, std::size_t N>
std::vector<T> flat(const std::vector<std::array<T, N>>& arrays) {
    std::vector<T> all;
    all.reserve(N * arrays.size());
    for (const auto& a : arrays) all.insert(all.end(), a.begin(), a.end());
    return all;
}

template <std::size_t N>
std::vector<int> renumbered(const std::vector<std::array<int, N>>& elements, std::span<const int> number) {
    std::vector<int> all = flat(elements);
    for (int& v : all) v = number[at(v)];
    return all;
}

// Calls visit(row, column, item) for every block of every element, in the order of every gathered sum:
// triangles first, elements ascending.
template <class Visit>
void for_each_item(const Model& model, std::span<const int> number, Visit&& visit) {
    const auto each = [&](const auto& elements, std::uint32_t hinge) {
        for (std::size_t e = 0; e < elements.size(); ++e)
            for (std::uint32_t a = 0; a < elements[e].size(); ++a)
                for (std::uint32_t b = 0; b < elements[e].size(); ++b)
                    visit(number[at(elements[e][a])], number[at(elements[e][b])],
                          static_cast<std::uint32_t>(e) << 5 | hinge << 4 | a << 2 | b);
    };
    each(model.triangles, 0);
    each(model.hinges, 1);
}

}  // namespace

DeviceElements::DeviceElements(const Model& model, std::span<const int> number, const BlockPattern& pattern,
                               const BlockLayout& layout)
    : area_(model.area),
      length_over_height_(model.length_over_height),
      threshold_scale_(model.threshold_scale),
      rest_angle_(model.rest_angle),
      gradient_(flat(model.gradient)),
      triangle_vertex_(renumbered(model.triangles, number)),
      hinge_vertex_(renumbered(model.hinges, number)),
      layout_{DeviceArray<int>(layout.slice_begin), DeviceArray<int>(layout.length),
              DeviceArray<int>(layout.column)},
      stiffness_factors_(model.stiffness_factors),
      triangle_law_(model.triangle_law),
      hinge_law_(model.hinge_law),
      bending_laws_(model.bending_laws),
      part_(3 * kMaxElementBlocks * kEvaluationSums),
      counter_(1) {
    std::vector<double> mass(model.mass.size());
    for (std::size_t v = 0; v < mass.size(); ++v) mass[at(number[v])] = model.mass[v];
    mass_ = DeviceArray<double>(mass);
    std::vector<MembraneParameters> laws;
    for (const Model::MembraneLaw& law : model.membrane_laws)
        laws.push_back({{law.component[0], law.component[1], law.component[2]}, law.k12});
    membrane_laws_ = DeviceArray<MembraneParameters>(laws);
    list_items(model, number, pattern, layout);
    const bool history = model.membrane_has_history();
    view_ = {model.vertex_count(),
             model.triangle_count(),
             model.hinge_count(),
             {history, model.bending_history, model.membrane_history},
             mass_.data(),
             triangle_vertex_.data(),
             area_.data(),
             gradient_.data(),
             triangle_law_.data(),
             hinge_vertex_.data(),
             length_over_height_.data(),
             threshold_scale_.data(),
             rest_angle_.data(),
             stiffness_factors_.data(),
             hinge_law_.data(),
             membrane_laws_.data(),
             bending_laws_.data(),
             item_begin_.data(),
             item_.data(),
             {layout_.slice_begin.data(), layout_.length.data(), layout_.column.data()}};
}

void DeviceElements::list_items(const Model& model, std::span<const int> number, const BlockPattern& pattern,
                                const BlockLayout& layout) {
    const auto place = [&](int row, int column) {
        return at(layout.place_of_entry(pattern, row, find_block(pattern, row, column)));
    };
    std::vector<int> begin(layout.places() + 1, 0);
    for_each_item(model, number,
                  [&](int row, int column, std::uint32_t) { ++begin[place(row, column) + 1]; });
    for (std::size_t p = 1; p < begin.size(); ++p) begin[p] += begin[p - 1];
    std::vector<std::uint32_t> item(at(begin.back()));
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for_each_item(model, number, [&](int row, int column, std::uint32_t code) {
        item[at(next[place(row, column)]++)] = code;
    });
    item_begin_ = DeviceArray<int>(begin);
    item_ = DeviceArray<std::uint32_t>(item);
}

}  // namespace rumple::cuda
