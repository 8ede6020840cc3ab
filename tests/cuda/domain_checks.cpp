// Domains that follow contacts: every vertex stays in exactly one, none is too large, and pairs that are tied
// to each other come together where there is room.
#include <fmt/format.h>

#include <random>
#include <rumple/core/index.hpp>
#include <rumple_cuda/contact_domains.hpp>

#include "checks.hpp"
#include "dynamics/sample_cloth.hpp"

namespace rumple::checks {

using namespace cuda;

namespace {

struct Domains {
    std::vector<int> of;  // of each vertex
    int largest = 0, placed = 0;
};

// The finest level of a sheet, each block of whose matrix is the identity times -1 or, on the diagonal, 8.
struct Sheet {
    Threads threads{1};
    SampleCloth cloth{make_grid(23, 23, 0.1, 0.1, Layout::alternating), *find_preset("cotton")};
    Hierarchy hierarchy = make_hierarchy(threads, cloth.model.pattern, cloth.model.initial, {});
    const LevelStructure& fine = hierarchy.levels[0];
    DeviceArray<int> slice_begin{fine.layout.slice_begin}, length{fine.layout.length},
        column{fine.layout.column};
    DeviceArray<double> value{fine.layout.places() * 9};
    ContactMatrix contacts{hierarchy};
    ContactDomains domains{fine};
    Stream stream;

    Sheet() {
        std::vector<double> numbers(value.size());
        for (int row = 0; row < fine.nodes(); ++row)
            for (int slot = 0; slot < fine.layout.length[at(row)]; ++slot)
                for (int c = 0; c < 3; ++c)
                    numbers[number_at<3>(fine.layout.place(row, slot), c, c)] = slot == 0 ? 8 : -1;
        value.upload(numbers);
    }
    std::vector<int> domain_of_mesh() const {
        std::vector<int> of(at(fine.nodes()));
        for (std::size_t d = 0; d + 1 < fine.domain_begin.size(); ++d)
            std::fill(of.begin() + fine.domain_begin[d], of.begin() + fine.domain_begin[d + 1],
                      static_cast<int>(d));
        return of;
    }
    // Springs of this stiffness between these vertices.
    Domains follow(std::span<const IndexPair> pairs, double stiffness) {
        OffPatternBlocksBuilder builder;
        builder.begin(fine.nodes());
        for (int row = 0; row < fine.nodes(); ++row) {
            for (const auto& [i, j] : pairs) {
                if (i != row && j != row) continue;
                builder.items(at(row)).push_back({row, Mat3d::identity(stiffness)});
                builder.items(at(row)).push_back({i == row ? j : i, Mat3d::identity(-stiffness)});
            }
            builder.end_row(at(row));
        }
        OffPatternBlocks blocks;
        builder.end(threads, blocks);
        contacts.upload(threads, stream, blocks);
        domains.follow(stream, {fine.nodes(), slice_begin.data(), length.data(), column.data(), value.data()},
                       contacts);
        const std::size_t count = fine.domain_begin.size() - 1;
        std::vector<int> member(count * kDomainVertices), size(count);
        const auto copy = [&](std::vector<int>& to, const int* from) {
            check(cudaMemcpyAsync(to.data(), from, to.size() * sizeof(int), cudaMemcpyDeviceToHost, stream),
                  "copying domains");
        };
        copy(member, domains.member());
        copy(size, domains.size());
        stream.synchronize();
        Domains found{std::vector<int>(at(fine.nodes()), -1)};
        for (std::size_t d = 0; d < count; ++d) {
            found.largest = std::max(found.largest, size[d]);
            for (int k = 0; k < size[d]; ++k) {
                int& of = found.of[at(member[d * kDomainVertices + at(k)])];
                found.placed += of < 0 ? 1 : 1000;
                of = static_cast<int>(d);
            }
        }
        return found;
    }
};

}  // namespace

void check_contact_domains() {
    Sheet sheet;
    const int vertices = sheet.fine.nodes();
    expect(sheet.follow({}, 1).of == sheet.domain_of_mesh(), "without contacts the domains are the mesh's");

    // each vertex of the lower half with one of the upper half
    std::vector<int> upper;
    for (int v = vertices / 2; v < vertices; ++v) upper.push_back(v);
    std::shuffle(upper.begin(), upper.end(), std::mt19937(1));
    std::vector<IndexPair> pairs;
    for (int v = 0; v < vertices / 2; v += 3) pairs.push_back({v, upper[at(v)]});
    const std::vector<int> mesh = sheet.domain_of_mesh();
    for (const double stiffness : {0.1, 1000.0}) {
        const Domains d = sheet.follow(pairs, stiffness);
        int together = 0, before = 0;
        for (const auto& [i, j] : pairs) {
            together += d.of[at(i)] == d.of[at(j)];
            before += mesh[at(i)] == mesh[at(j)];
        }
        const int count = static_cast<int>(pairs.size());
        expect(d.placed == vertices && d.largest <= kDomainVertices,
               fmt::format("stiffness {}: {} vertices in one domain each, {} at most", stiffness, d.placed,
                           d.largest));
        expect(stiffness < 1 ? together < count / 10 : together > 3 * count / 4,
               fmt::format("of {} pairs {} were together, {} are", count, before, together));
    }
    expect(sheet.follow(pairs, 1000).of == sheet.follow(pairs, 1000).of, "the same again");
}

}  // namespace rumple::checks
