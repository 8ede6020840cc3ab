// The night's work: a run is killed again and again, at moments nobody chose, and resumed. What is on the
// disk after each kill can be read, and what is there at the end is, byte for byte, what an undisturbed run
// writes.
//
// RUMPLE_KILLS says how many kills there must be over all scenes (6 where it is not set; `make test-kill`:
// 120).
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <rumple/io/point_cache.hpp>
#include <rumple/sim/checkpoint.hpp>

#include "cli/program.hpp"
#include "sim/contact_documents.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

int kills_wanted() {
    const char* given = std::getenv("RUMPLE_KILLS");
    return given != nullptr ? std::atoi(given) : 6;
}

// Caches hold whole frames, and whatever else is there is whole.
void expect_readable(const fs::path& folder) {
    if (!fs::exists(folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (!entry.is_regular_file() || name.front() == '.') continue;  // .tmp: nobody reads those
        if (entry.path().extension() == ".pc2") {
            const PointCacheReader cache(entry.path());
            if (cache.frame_count() > 0) cache.read_frame(cache.frame_count() - 1);
        } else if (name == "latest") {
            read_checkpoint(entry.path());
        } else if (entry.path().extension() == ".json") {
            EXPECT_TRUE(nlohmann::json::accept(slurp(entry.path()))) << entry.path();
        } else {
            EXPECT_GT(fs::file_size(entry.path()), 0u) << entry.path();
        }
    }
}

class KilledRun : public testing::TestWithParam<const char*> {
  protected:
    Ended run(const std::string& out, const std::string& every, double kill_after = -1) {
        return run_program({"run", "scene.json", "--out", out, "--resume", "--checkpoint-every", every,
                            "--threads", "1", "--quiet"},
                           folder.path(), kill_after);
    }
    ScratchFolder folder;
};

TEST_P(KilledRun, ResumedGivesTheSameBytes) {
    const std::string scene = GetParam();
    spill(folder / "scene.json", (scene == "pressed" ? pressed_document()
                                  : scene == "ball"  ? ball_document()
                                                     : twist_with_contact_document())
                                     .dump());
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(run("straight", "0").status, 0);
    const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const unsigned seed = std::random_device()();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const int wanted = (kills_wanted() + 2) / 3;  // of three scenes
    int kills = 0, runs = 0;
    for (; kills < wanted && runs < 10 * wanted; ++runs) {
        // from a checkpoint after every step to none but at the ends of phases
        const std::string every = runs % 3 == 0 ? "0" : runs % 3 == 1 ? "0.05" : "30";
        fs::remove_all(folder / "killed");
        Ended ended;
        for (int attempt = 0; attempt < 6 && ended.status != 0; ++attempt) {
            ended = run("killed", every, std::uniform_real_distribution(0.0, whole)(random));
            ASSERT_TRUE(ended.status == 0 || ended.status == -1) << ended.status << " " << ended.err;
            kills += ended.status == -1;
            expect_readable(folder / "killed");
        }
        if (ended.status != 0) ended = run("killed", every);
        ASSERT_EQ(ended.status, 0) << ended.err;
        expect_same_files(folder / "straight", folder / "killed");
        if (HasFailure()) break;
    }
    RecordProperty("kills", kills);
    RecordProperty("runs", runs);
    EXPECT_GE(kills, wanted);
    if (std::getenv("RUMPLE_KILLS") != nullptr)
        std::printf("%s: %d kills in %d runs, %s\n", scene.c_str(), kills, runs,
                    HasFailure() ? "something was lost" : "nothing lost");
}

INSTANTIATE_TEST_SUITE_P(Scenes, KilledRun, testing::Values("pressed", "ball", "twist"),
                         [](const auto& scene) { return std::string(scene.param); });

}  // namespace
}  // namespace rumple
