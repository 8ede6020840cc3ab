// The multigrid hierarchy's arrays on the device.
#include <algorithm>
#include <rumple_cuda/multigrid.hpp>

namespace rumple::cuda {

namespace {

constexpr int kManyGalerkinBlocks = 300000;

// Largest eigenvalues of D^-1 A (blocks on the diagonal) and of S A (domains), by power iterations on twists
// of 7K vertices: of level 0, and of the coarser ones. Contact-free cloth stays close to them.
constexpr double kLargestOfBlocks[2] = {2.8, 2.05}, kLargestOfDomains[2] = {2.55, 2.0};

void set_layout(Level& level, const BlockLayout& layout, const BlockPattern& graph, int unknowns) {
    MatrixStorage& storage = level.storage;
    level.unknowns = unknowns;
    level.nodes = graph.rows;
    storage.slice_begin = DeviceArray<int>(layout.slice_begin);
    storage.length = DeviceArray<int>(layout.length);
    storage.column = DeviceArray<int>(layout.column);
    const std::size_t values = layout.places() * at(unknowns * unknowns);
    storage.single = DeviceArray<float>(values);
    if (unknowns == 3) storage.wide = DeviceArray<double>(values);
    const int *slices = storage.slice_begin.data(), *length = storage.length.data(),
              *column = storage.column.data();
    level.single = {level.nodes, slices, length, column, storage.single.data()};
    level.wide = {level.nodes, slices, length, column, storage.wide.data()};
    for (auto* vector : {&level.b, &level.y, &level.t})
        *vector = DeviceArray<float>(unknowns == 3 ? at(kStride * level.nodes) : level.rows());
}

void set_domains(Level& level, const std::vector<int>& begin, double weight) {
    const int count = static_cast<int>(begin.size()) - 1;
    level.domain_storage.begin = DeviceArray<int>(begin);
    // without a weight nothing is smoothed
    level.domain_storage.inverse =
        DeviceArray<float>(weight > 0 ? at(count) * kDomainUnknowns * kDomainUnknowns : 0);
    level.domains = {count,
                     level.domain_storage.begin.data(),
                     level.domain_storage.inverse.data(),
                     static_cast<float>(weight),
                     nullptr,
                     nullptr};
}

}  // namespace

Multigrid::Multigrid(const Hierarchy& hierarchy, const Vec3d* positions, const std::uint8_t* constrained,
                     const ContactMatrix* contacts)
    : contacts_(contacts), small_(hierarchy.small), w_cycle_(hierarchy.w_cycle) {
    levels_.reserve(hierarchy.levels.size() + 1);
    for (const LevelStructure& structure : hierarchy.levels) {
        add_level(structure);
        GalerkinProduct& galerkin = levels_.back().galerkin;
        galerkin.by_rows = hierarchy.by_rows || galerkin.blocks >= kManyGalerkinBlocks;
    }
    levels_[0].position = positions;
    levels_[0].constrained = constrained;
    if (contacts) {
        contact_domains_.emplace(hierarchy.levels[0]);
        levels_[0].domains.member = contact_domains_->member();
        levels_[0].domains.size = contact_domains_->size();
    }
    for (std::size_t l = 1; l < levels_.size(); ++l)
        levels_[l].position = levels_[l - 1].aggregates.centre.data();

    Level top;
    set_layout(top, hierarchy.top_layout, hierarchy.top_graph, kModes);
    std::vector<int> domains;
    const int per_domain = kDomainUnknowns / kModes;
    for (int node = 0; node < top.nodes; node += per_domain) domains.push_back(node);
    domains.push_back(top.nodes);
    set_domains(top, domains, 0);
    top_rows_ = kModes * top.nodes;
    top_padded_ = (top_rows_ + kDomainUnknowns - 1) / kDomainUnknowns * kDomainUnknowns;
    const std::size_t dense = at(top_padded_) * at(top_padded_);
    for (auto& work : top_work_) work = DeviceArray<double>(dense);
    top_inverse_ = DeviceArray<float>(dense);
    top_pivot_ = DeviceArray<double>(2 * kDomainUnknowns * kDomainUnknowns);
    levels_.push_back(std::move(top));
}

void Multigrid::add_level(const LevelStructure& s) {
    Level level;
    const std::size_t kind = s.unknowns == 3 ? 0 : 1;
    set_layout(level, s.layout, s.graph, s.unknowns);
    if (s.unknowns == kModes) level.z = DeviceArray<float>(level.rows());
    set_domains(level, s.domain_begin, 1.6 / kLargestOfDomains[kind]);
    level.inverse_diagonal = DeviceArray<double>(level.rows() * at(s.unknowns));

    AggregateArrays& aggregates = level.aggregates;
    aggregates.count = static_cast<int>(s.aggregate_begin.size()) - 1;
    aggregates.of = DeviceArray<int>(s.aggregate_of);
    aggregates.begin = DeviceArray<int>(s.aggregate_begin);
    aggregates.member = DeviceArray<int>(s.aggregate_member);
    aggregates.centre = DeviceArray<Vec3d>(at(aggregates.count));

    const std::size_t numbers = at(s.unknowns * kModes);  // of a slot
    Prolongation& p = level.p;
    p.slots = static_cast<int>(s.p_column.size());
    p.weight = 4.0 / 3.0 / kLargestOfBlocks[kind];
    p.begin = DeviceArray<int>(s.p_begin);
    p.column = DeviceArray<int>(s.p_column);
    p.row = DeviceArray<int>(s.p_row);
    p.transposed_begin = DeviceArray<int>(s.p_transposed.begin);
    std::vector<int> node(s.p_transposed.item.size());
    for (std::size_t e = 0; e < node.size(); ++e) node[e] = s.p_transposed.item[e].first;
    p.transposed_node = DeviceArray<int>(node);
    p.transposed_place = DeviceArray<int>(s.p_place);
    p.item_begin = DeviceArray<int>(s.p_items.begin);
    p.item = DeviceArray<IndexPair>(s.p_items.item);
    p.transposed = DeviceArray<float>(s.p_column.size() * numbers);
    p.value = DeviceArray<float>(s.p_column.size() * numbers);

    GalerkinProduct& galerkin = level.galerkin;
    galerkin.ap_slots = static_cast<int>(s.ap_column.size());
    galerkin.blocks = static_cast<int>(s.galerkin_place.size());
    galerkin.ap_begin = DeviceArray<int>(s.ap.begin);
    galerkin.ap_item = DeviceArray<IndexPair>(s.ap.item);
    galerkin.begin = DeviceArray<int>(s.galerkin.begin);
    galerkin.item = DeviceArray<IndexPair>(s.galerkin.item);
    galerkin.place = DeviceArray<IndexPair>(s.galerkin_place);
    galerkin.ap = DeviceArray<float>(s.ap_column.size() * at(ap_stride(s.unknowns)));
    std::vector<int> first;  // slot of each slice
    for (int row = 0; row < s.nodes(); row += kSlice) first.push_back(s.ap_begin[at(row)]);
    first.push_back(s.ap_begin.back());
    galerkin.ap_slice_begin = DeviceArray<int>(first);
    for (std::size_t i = 0; i + 1 < s.layout.slice_begin.size(); ++i)
        galerkin.widest_slice =
            std::max(galerkin.widest_slice, s.layout.slice_begin[i + 1] - s.layout.slice_begin[i]);
    levels_.push_back(std::move(level));
}

// Each array once for each kernel that goes through it; W cycles count their second visits.
std::size_t Multigrid::bytes_per_iteration() const {
    std::size_t bytes = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const Level& level = levels_[l];
        const std::size_t depth = std::min(l, levels_.size() - 2);  // the last but one is visited as the last
        const std::size_t visits = w_cycle_ && depth >= 3 ? std::size_t{1} << (depth - 2) : 1;
        if (l + 1 == levels_.size()) {
            bytes += visits * at(top_rows_) * at(top_rows_) * sizeof(float);
            continue;
        }
        const std::size_t blocks = level.storage.column.size(), squared = at(level.unknowns * level.unknowns);
        const std::size_t once = 2 * blocks * (squared * sizeof(float) + sizeof(int)) +
                                 2 * level.domain_storage.inverse.size() * sizeof(float) +
                                 2 * level.p.value.size() * sizeof(float) +
                                 at(level.p.slots) * 3 * sizeof(int) + 8 * level.rows() * sizeof(float);
        bytes += visits * once;
        if (l == 0)
            bytes += blocks * (squared * sizeof(double) + sizeof(int)) + 11 * level.rows() * sizeof(double);
    }
    return bytes;
}

}  // namespace rumple::cuda
