// Cloth that touches cloth, for tests of the solvers: contacts of a vertex with a face give
//     w w^T (x) (kn n n^T + kt (I - n n^T)),   w = (1, -b0, -b1, -b2)
// with b the place in the face. What is in the pattern goes into A, the rest becomes extra entries.
#pragma once

#include <rumple/linear/off_pattern_blocks.hpp>

#include "linear/cloth_matrix.hpp"

namespace rumple::test {

struct Contact {
    std::array<int, 4> vertex;
    std::array<double, 4> weight;
    Vec3d normal;
    double kn, kt;  // N/m
};

// For the place (row, column), and its transpose for (column, row).
struct ExtraEntry {
    int row, column;
    Mat3d block;
};

inline std::vector<ExtraEntry> add_contacts(ClothSystem& s, std::span<const Contact> contacts, double step) {
    std::vector<ExtraEntry> entries;
    s.matrix();
    for (const Contact& c : contacts) {
        Mat3d k = (step * step * (c.kn - c.kt)) * outer(c.normal, c.normal);
        k += Mat3d::identity(step * step * c.kt);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) {
                const int v = c.vertex[i], w = c.vertex[j];
                if (c.weight[i] == 0 || c.weight[j] == 0) continue;
                if (s.constrained[std::size_t(v)] || s.constrained[std::size_t(w)]) continue;
                const int found = find_block(s.pattern, v, w);
                const Mat3d block = (c.weight[i] * c.weight[j]) * k;
                if (found >= 0 && v <= w) s.a.block[s.a.place(std::size_t(v), found)] += block;
                if (found < 0 && v < w) entries.push_back({v, w, block});
            }
    }
    return entries;
}

inline OffPatternBlocks gather(int rows, const std::vector<ExtraEntry>& entries, int threads = 1) {
    OffPatternBlocks extra;
    OffPatternBlocksBuilder builder;
    std::vector<std::vector<OffPatternBlocksBuilder::Item>> in_row;
    in_row.resize(std::size_t(rows));
    for (const ExtraEntry& e : entries) {
        in_row[std::size_t(e.row)].push_back({e.column, e.block});
        if (e.row != e.column) in_row[std::size_t(e.column)].push_back({e.row, transposed(e.block)});
    }
    builder.begin(rows);
    Threads(threads).for_each(std::size_t(rows), OffPatternBlocksBuilder::kRows, [&](std::size_t row) {
        for (const auto& item : in_row[row]) builder.items(row).push_back(item);
        builder.end_row(row);
    });
    builder.end(Threads(threads), extra);
    return extra;
}

// The same cloth twice, the second one moved by `gap`.
inline ClothSystem stacked(const ClothSystem& one, Vec3d gap) {
    ClothSystem s = one;
    const int n = one.pattern.rows;
    std::vector<std::pair<int, int>> couplings;
    for (int i = 0; i < n; ++i)
        for (int k = one.pattern.row_begin[std::size_t(i)]; k < one.pattern.row_begin[std::size_t(i) + 1];
             ++k)
            for (const int shift : {0, n})
                couplings.emplace_back(i + shift, one.pattern.column[std::size_t(k)] + shift);
    s.pattern = make_block_pattern(2 * n, couplings);
    s.a = BlockMatrix(s.pattern);
    const auto rest = std::copy(one.a.block.begin(), one.a.block.end(), s.a.block.begin());
    std::copy(one.a.block.begin(), one.a.block.end(), rest);
    s.b.insert(s.b.end(), one.b.rbegin(), one.b.rend());  // another load
    s.constrained.insert(s.constrained.end(), one.constrained.begin(), one.constrained.end());
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
        s.positions.push_back(one.positions[i] + gap);
        s.rest_positions.push_back(one.rest_positions[i] + gap);
    }
    return s;
}

// Contacts of a rolled sheet: every vertex with the face one turn further out (turns = 1) or in (-1), every
// `every`th of them.
inline std::vector<Contact> roll_contacts(const ClothSystem& s, const ClothOptions& o, double kn, double kt,
                                          int every = 1, int turns = 1) {
    const double du = 2 * std::acos(-1.0) * 0.04 / o.around;
    std::vector<Contact> contacts;
    int number = 0;
    for (int j = 0; j + 1 < o.along; ++j)
        for (int i = 0; i < o.around; ++i) {
            const double angle = roll_angle(du * i, o.roll_gap) + 2 * turns * std::acos(-1.0);
            const double u = roll_length(angle, o.roll_gap) / du;
            const int c = int(u);
            if (angle < 0 || c + 1 >= o.around || ++number % every != 0) continue;
            // In the triangle (c, j), (c + 1, j + 1), (c, j + 1), or the other one, a little up the sheet.
            const double a = u - c, b = 0.2 + 0.6 * ((7 * i + 3 * j) % 10) / 10.0;
            const int v0 = c + o.around * j, v1 = v0 + 1, v2 = v1 + o.around, v3 = v0 + o.around;
            Contact contact;
            if (a > b) {
                contact.vertex = {i + o.around * j, v0, v1, v2};
                contact.weight = {1, a - 1, b - a, -b};
            } else {
                contact.vertex = {i + o.around * j, v0, v2, v3};
                contact.weight = {1, b - 1, -a, a - b};
            }
            const auto x = [&](int k) { return s.positions[std::size_t(contact.vertex[std::size_t(k)])]; };
            contact.normal = normalized(cross(x(2) - x(1), x(3) - x(1)));
            contact.kn = kn;
            contact.kt = kt;
            contacts.push_back(contact);
        }
    return contacts;
}

}  // namespace rumple::test
