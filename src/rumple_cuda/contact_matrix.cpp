// The structure of what contacts add, level by level.
#include <algorithm>
#include <rumple/core/index.hpp>
#include <rumple_cuda/contact_matrix.hpp>
#include <tuple>

namespace rumple::cuda {

namespace {

constexpr std::size_t kGrain = 256;  // rows a piece of work

}  // namespace

// Rows of a level that one thread finds.
struct ContactMatrix::Piece {
    std::vector<int> length, column, items;  // blocks of each row; of each block
    std::vector<IndexPair> item;
};

ContactMatrix::ContactMatrix(const Hierarchy& hierarchy)
    : hierarchy_(hierarchy), levels_(hierarchy.levels.size() + 1) {
    for (std::size_t l = 0; l < hierarchy.levels.size(); ++l)
        levels_[l].rows = at(hierarchy.levels[l].nodes());
    levels_.back().rows = at(hierarchy.top_graph.rows);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        levels_[l].begin.resize(levels_[l].rows + 1);
        make_room(l, 0, 0);
    }
}

bool ContactMatrix::make_room(std::size_t l, std::size_t blocks, std::size_t items) {
    Level& level = levels_[l];
    level.blocks = blocks;
    const std::size_t numbers = l == 0 ? 9 : 36;
    bool moved = level.column.resize(blocks);
    if (l == 0) moved |= wide_.resize(9 * blocks);
    if (l > 0) moved |= level.item_begin.resize(blocks + 1);
    if (l > 0) moved |= level.item.resize(items);
    const auto grow = [&](DeviceArray<float>& array, std::size_t of_block) {
        if (of_block * blocks <= array.size() && !array.empty()) return;
        array = DeviceArray<float>(of_block * (blocks + blocks / 2 + 64));
        moved = true;
    };
    grow(level.value, numbers);
    if (l == 0) grow(tie_, 1);
    return moved;
}

bool ContactMatrix::upload(const Threads& threads, const Stream& stream, const OffPatternBlocks& blocks) {
    Level& finest = levels_[0];
    bool moved = make_room(0, blocks.column.size(), 0);
    std::copy(blocks.row_begin.begin(), blocks.row_begin.end(), finest.begin.host());
    threads.for_pieces(blocks.column.size(), 16 * kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            finest.column.host()[k] = blocks.column[k];
            std::copy_n(blocks.block[k].m, 9, wide_.host() + 9 * k);
        }
    });
    for (std::size_t l = 0; l + 1 < levels_.size(); ++l) moved |= find_next(threads, l);
    wide_.upload(stream);
    for (const Level& level : levels_) {
        level.begin.upload(stream);
        level.column.upload(stream);
        level.item_begin.upload(stream);
        level.item.upload(stream);
    }
    return moved;
}

// The pairs of aggregates that contacts of level l couple, and the blocks that each pair gets: members
// ascending, each one's blocks in their order.
bool ContactMatrix::find_next(const Threads& threads, std::size_t l) {
    const LevelStructure& structure = hierarchy_.levels[l];
    const Level& fine = levels_[l];
    Level& coarse = levels_[l + 1];
    std::vector<Piece> pieces((coarse.rows + kGrain - 1) / kGrain);
    threads.for_pieces(coarse.rows, kGrain, [&](std::size_t begin, std::size_t end) {
        Piece& piece = pieces[begin / kGrain];
        std::vector<std::tuple<int, int, int>> found;  // column, row and block of the finer level
        for (std::size_t a = begin; a < end; ++a) {
            found.clear();
            for (int m = structure.aggregate_begin[a]; m < structure.aggregate_begin[a + 1]; ++m) {
                const int i = structure.aggregate_member[at(m)];
                for (int k = fine.begin.host()[i]; k < fine.begin.host()[i + 1]; ++k)
                    found.emplace_back(structure.aggregate_of[at(fine.column.host()[k])], i, k);
            }
            std::sort(found.begin(), found.end());
            int last = -1, length = 0;
            for (const auto& [b, i, k] : found) {
                if (b != last) {
                    piece.column.push_back(b);
                    piece.items.push_back(0);
                    ++length;
                }
                last = b;
                ++piece.items.back();
                piece.item.push_back({k, i});
            }
            piece.length.push_back(length);
        }
    });
    std::size_t blocks = 0, items = 0;
    for (const Piece& piece : pieces) {
        blocks += piece.column.size();
        items += piece.item.size();
    }
    const bool moved = make_room(l + 1, blocks, items);
    int *begin = coarse.begin.host(), *column = coarse.column.host(), *item_begin = coarse.item_begin.host();
    IndexPair* item = coarse.item.host();
    *begin = *item_begin = 0;
    for (const Piece& piece : pieces) {
        for (const int n : piece.length) begin[1] = *begin + n, ++begin;
        for (const int n : piece.items) item_begin[1] = *item_begin + n, ++item_begin;
        column = std::copy(piece.column.begin(), piece.column.end(), column);
        item = std::copy(piece.item.begin(), piece.item.end(), item);
    }
    return moved;
}

ContactView<double> ContactMatrix::wide() const {
    return {levels_[0].begin.device(), levels_[0].column.device(), wide_.device()};
}
ContactView<float> ContactMatrix::single(std::size_t level) const {
    return {levels_[level].begin.device(), levels_[level].column.device(), levels_[level].value.data()};
}

}  // namespace rumple::cuda
