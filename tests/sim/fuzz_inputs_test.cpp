// Inputs that fuzzing started from (fuzz/corpus) and those that it found and that were fixed since
// (tests/fuzz_finds): none of them does more than be refused.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "../fuzz/try_sim.hpp"
#include "scratch_folder.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

TEST(FuzzInputs, AreReadOrRefused) {
    using Try = std::function<void(const std::uint8_t*, std::size_t)>;
    const fs::path root(RUMPLE_SOURCE_DIR);
    const std::map<std::string, Try> readers{
        {"obj", fuzz::try_obj},
        {"ply", fuzz::try_ply},
        {"point_cache", fuzz::try_point_cache},
        {"gltf", fuzz::try_gltf},
        {"checkpoint", [](const std::uint8_t* data, std::size_t size) { fuzz::try_checkpoint(data, size); }},
        {"scene", [&](const std::uint8_t* data, std::size_t size) {
             fuzz::try_scene(data, size, root / "fuzz/files");
         }}};
    int tried = 0;
    for (const fs::path& folder : {root / "fuzz/corpus", root / "tests/fuzz_finds"})
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file() || entry.path().filename() == "README") continue;
            const auto reader = readers.find(entry.path().parent_path().filename().string());
            ASSERT_NE(reader, readers.end()) << entry.path();
            const std::string bytes = slurp(entry.path());
            SCOPED_TRACE(entry.path());
            EXPECT_NO_THROW(
                reader->second(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
            ++tried;
        }
    EXPECT_GT(tried, 12);
}

}  // namespace
}  // namespace rumple
