// Inputs that fuzzing started from (fuzz/corpus) and those that it found and that were fixed since
// (tests/fuzz_finds): none of them does more than be refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <rumple/scene/scene_hash.hpp>

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

bool finite_history(const State& state) {
    bool finite = true;
    const auto look = [&](const HistoryVariable&, const auto& column) {
        for (const auto value : column) finite = finite && std::isfinite(static_cast<double>(value));
    };
    for_each_history_column(look, state.bending);
    for_each_history_column(look, state.membrane);
    return finite;
}

// Checkpoints of a cloth with friction, plasticity and relaxation, with numbers of any kind written into
// them: each is refused, or its step is refused, or all history is finite after it.
TEST(FuzzInputs, HistoryIsFiniteAfterAFuzzedCheckpoint) {
    Simulator simulator(fuzz::checkpoint_scene(), 1);
    for (int i = 0; i < 10; ++i) simulator.step();
    const std::string sealed =
        encode_checkpoint({scene_hash(fuzz::checkpoint_scene()), {}, simulator.sim_state()});
    constexpr std::size_t kHeader = 20, kChecksum = 8;
    const std::string body = sealed.substr(kHeader, sealed.size() - kHeader - kChecksum);
    std::mt19937_64 random(25);
    const double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          1e308,
                          -1e300,
                          5e-324,
                          -1e-3,
                          1e12};
    int refused = 0, failed = 0, stepped = 0;
    for (int trial = 0; trial < 400; ++trial) {
        std::string bytes = body;
        for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
            const std::size_t at = random() % (bytes.size() - sizeof(double));
            const double number = odd[random() % std::size(odd)];
            if (random() % 4 == 0)
                bytes[at] = static_cast<char>(random());
            else
                std::memcpy(&bytes[at - at % 4], &number, sizeof number);
        }
        try {
            simulator.restore(decode_checkpoint(seal_checkpoint(bytes), "latest").sim);
        } catch (const std::exception&) {
            ++refused;
            continue;
        }
        try {
            if (!simulator.done()) simulator.step();
        } catch (const SimulationError&) {
            ++failed;
            continue;
        }
        ++stepped;
        EXPECT_TRUE(finite_history(simulator.sim_state().state)) << "trial " << trial;
    }
    EXPECT_GT(refused, 10);
    EXPECT_GT(failed, 10);
    EXPECT_GT(stepped, 10);
}

}  // namespace
}  // namespace rumple
