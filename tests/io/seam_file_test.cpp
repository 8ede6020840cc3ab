#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/seam_file.hpp>
#include "scratch_folder.hpp"

namespace rumple {
namespace {

TEST(SeamFile, RoundTripKeepsKindsAndMicrometres) {
    const ScratchFolder folder;
    std::vector<SeamLine> seams;
    for (std::size_t k = 0; k < seam_kind_names().size(); ++k)
        seams.push_back({static_cast<SeamKind>(k),
                         {{0.1, -0.2, 1.0 + 0.1 * double(k)}, {0, 0, 1}},
                         {{1, 0, 0}, {0, 1, 0}}});
    write_seams(folder / "a.seams.json", seams);
    const std::vector<SeamLine> read = read_seams(folder / "a.seams.json");
    ASSERT_EQ(read.size(), seams.size());
    for (std::size_t k = 0; k < seams.size(); ++k) {
        EXPECT_EQ(read[k].kind, seams[k].kind);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_LT(norm(read[k].points[i] - seams[k].points[i]), 1e-6);
            EXPECT_EQ(read[k].normals[i], seams[k].normals[i]);
        }
    }
}

TEST(SeamFile, RefusesWhatIsNone) {
    const ScratchFolder folder;
    for (const char* text :
         {"", "[]", "{}", R"({"seams": [{}]})",
          R"({"seams": [{"kind": "zip", "points": [], "normals": []}]})",
          R"({"seams": [{"kind": "plain", "points": [[0, 0, 0]], "normals": []}]})",
          R"({"seams": [{"kind": "plain", "points": [[0, "x", 0]], "normals": [[0, 0, 1]]}]})"}) {
        write_atomically(folder / "b.json", text);
        EXPECT_THROW(read_seams(folder / "b.json"), InputError) << text;
    }
}

}  // namespace
}  // namespace rumple
