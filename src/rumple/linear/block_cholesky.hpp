// Sparse Cholesky factorisation of a symmetric positive definite matrix of BxB blocks with a fixed pattern.
//
// Supernodal and left-looking: each supernode of a nested dissection is a dense panel; before it is factored,
// every supernode below it in the tree subtracts its update, in a fixed order. One thread at a time writes a
// panel, so the numbers do not depend on the thread count. The tree is cut into independent subtrees, which
// are worked on side by side, and a top, whose levels follow one after the other: the supernodes of a level
// side by side, and large panels in tiles. How it is cut depends on its size alone. Order and structure are
// computed once, numbers many times.
#pragma once

#include <cstdint>
#include <rumple/linear/dissection.hpp>

namespace rumple {

template <int B, class T>
class BlockCholesky {
  public:
    // The pattern is symmetric; positions guide the dissection. May be called again.
    void analyze(const BlockPattern& pattern, std::span<const Vec3d> position);

    // Where block (row, column) is stored: element (r, c) at values()[offset + r + c * stride]. Not stored
    // (offset < 0) if it is above the diagonal in the order of elimination. Of diagonal blocks only the lower
    // triangle is read.
    struct Place {
        std::ptrdiff_t offset = -1;
        std::size_t stride = 0;
    };
    Place place(int row, int column) const;
    void clear(const Threads& threads);  // before new numbers are written
    std::span<T> values() { return value_; }
    std::span<const T> values() const { return value_; }

    // False when a pivot is not positive.
    bool factorize(const Threads& threads);
    // x = A^{-1} b; B numbers a node. b and x may be the same.
    void solve(const Threads& threads, std::span<const T> b, std::span<T> x);

  private:
    struct Update {       // of one supernode by a descendant
        int from;         // the descendant
        int first, last;  // its rows that are columns here
        int map;          // its row first + i is row row_map_[map + i] here
    };
    struct Panel {
        std::size_t begin = 0, stride = 0;  // in value_, of its columns
        int updates_begin = 0, updates_end = 0;
        std::size_t rows_begin = 0;  // in row_place_
    };
    struct ColumnRange {  // some columns of a supernode, in nodes
        int supernode, first, last;
    };
    // What is worked on by one thread at a time: a subtree, or a supernode of the top.
    struct Unit {
        std::vector<int> supernodes;  // in order
        std::size_t carry = 0;        // in carry_: what it adds to the rows below its last supernode
    };
    struct Level {  // of the top: supernodes that do not depend on each other
        std::vector<int> units;
        std::vector<ColumnRange> ranges;
        bool in_tiles = false;  // panels are factored in tiles
        bool alone = false;     // solved by one thread
    };
    struct Chunk;
    void lay_out_panels();
    void find_subtrees();
    void find_levels();
    void find_carries();
    void subtract_updates(const ColumnRange& range);
    bool factor_panel(int s);
    bool factor_in_tiles(const Threads& threads, const Level& level);
    void forward(const Unit& unit, std::span<const T> b, std::vector<T>& scratch);
    void forward(int s, std::vector<T>& scratch, T* carry);
    void backward(const Unit& unit, std::span<T> x, std::vector<T>& scratch);
    void backward(int s, std::vector<T>& scratch);

    Dissection d_;
    std::vector<Panel> panel_;
    std::vector<Update> update_;
    std::vector<int> row_map_;
    std::vector<T> value_, y_;
    std::vector<Unit> unit_;  // subtrees, then the supernodes of the top, both in order
    std::size_t subtrees_ = 0;
    std::vector<Level> level_;
    // Of each row of each panel: its node, or ~i where what it is given goes to the i-th node of the carry.
    std::vector<int> row_place_;
    // Of each node of the top, by new number: the carries that end there, in the order of units.
    std::vector<int> gather_begin_, gather_;
    std::vector<T> carry_;
    std::size_t tallest_ = 0;              // numbers in the longest column of a panel
    std::vector<std::vector<T>> scratch_;  // one a unit that is worked on at a time
    std::vector<std::uint8_t> succeeded_;
};

}  // namespace rumple
