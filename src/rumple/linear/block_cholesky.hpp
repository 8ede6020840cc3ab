// Sparse Cholesky factorisation of a symmetric positive definite matrix of BxB blocks with a fixed pattern.
//
// Supernodal and left-looking: each supernode of a nested dissection is a dense panel; before it is factored,
// every supernode below it in the tree subtracts its update, in a fixed order. One thread at a time writes a
// panel, so the numbers do not depend on the thread count. The tree is cut into independent subtrees, which
// are factored in parallel, and a small top. Order and structure are computed once, numbers many times.
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
    };
    struct ColumnRange {  // some columns of a supernode, in nodes
        int supernode, first, last;
    };
    void lay_out_panels();
    void find_subtrees();
    void subtract_updates(const ColumnRange& range, std::vector<T>& scratch);
    bool factor_panel(int s);
    void forward(int s, std::vector<T>& scratch, std::vector<T>* carry);
    void backward(int s, std::vector<T>& scratch);

    Dissection d_;
    std::vector<Panel> panel_;
    std::vector<Update> update_;
    std::vector<int> row_map_;
    std::vector<T> value_, y_;
    std::vector<std::vector<int>> subtree_;         // supernodes of each independent subtree, in order
    std::vector<int> top_;                          // the other supernodes, in order
    std::vector<std::vector<ColumnRange>> ranges_;  // of each top supernode
    std::vector<int> top_node_;                     // nodes of the top, by new number, ascending
    std::vector<int> top_index_;                    // place of a node in top_node_, or -1
    std::vector<std::vector<T>> scratch_;           // one a subtree or range
    std::vector<std::vector<T>> carry_;             // one a subtree: what it adds to the top
    std::vector<std::uint8_t> succeeded_;
};

}  // namespace rumple
