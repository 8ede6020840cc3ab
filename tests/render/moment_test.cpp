// Films and sheets of runs of different lengths: what is shown at the same time belongs together.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <rumple_render/moment.hpp>

#include "sample_run.hpp"

namespace rumple {
namespace {

// A run whose frames go through these phases, one letter a frame.
void write_phases(const std::filesystem::path& folder, const std::string& phases) {
    write_run(folder, "cotton");
    std::filesystem::remove(folder / "cache" / "tube.pc2");
    const RenderObject tube = wrinkled_tube("cotton", 24, 9);
    Pc2Writer cache = Pc2Writer::create(folder / "cache" / "tube.pc2", tube.rest.size());
    std::string rows = "frame,time,material_time,phase\n";
    for (std::size_t i = 0; i < phases.size(); ++i) {
        cache.append(tube.rest);
        rows += fmt::format("{0},{0},{0},{1}\n", i, phases[i]);
    }
    spill(folder / "metrics.csv", rows);
}

std::vector<Moment> aligned(const std::vector<std::string>& runs) {
    ScratchFolder folder;
    std::vector<RenderSource> sources;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto place = folder.path() / fmt::format("run{}", i);
        write_phases(place, runs[i]);
        sources.emplace_back(place);
    }
    return phase_by_phase(sources);
}

// For each source: its phase letter at each moment, small while it waits.
std::vector<std::string> shown(const std::vector<std::string>& runs) {
    std::vector<std::string> rows(runs.size());
    for (const Moment& moment : aligned(runs))
        for (std::size_t s = 0; s < runs.size(); ++s) {
            const char phase = runs[s][moment.frames[s]];
            rows[s] += moment.waiting(s) ? static_cast<char>(std::tolower(phase)) : phase;
        }
    return rows;
}

using Rows = std::vector<std::string>;

TEST(PhaseByPhase, WhoSkipsAPhaseWaitsForTheOthers) {
    EXPECT_EQ(shown({"TTTRUU", "TTTRHHHUU"}), (Rows{"TTTRrrrUU", "TTTRHHHUU"}));
    EXPECT_EQ(shown({"TTTRHHHUU", "TTTRUU"}), (Rows{"TTTRHHHUU", "TTTRrrrUU"}));
}

TEST(PhaseByPhase, WhoIsThroughFirstWaitsForTheNextPhase) {
    EXPECT_EQ(shown({"TTHU", "TTTTHHU"}), (Rows{"TTttHhU", "TTTTHHU"}));
}

TEST(PhaseByPhase, EndsAndBeginningsMayBeMissing) {
    EXPECT_EQ(shown({"AB", "BC", "ABCD"}), (Rows{"ABbb", "bBCc", "ABCD"}));
}

TEST(PhaseByPhase, EqualRunsGoFrameByFrame) {
    const auto moments = aligned({"AABBB", "AABBB"});
    ASSERT_EQ(moments.size(), 5u);
    for (std::size_t m = 0; m < moments.size(); ++m) {
        EXPECT_EQ(moments[m].frames, (std::vector<std::size_t>{m, m}));
        EXPECT_FALSE(moments[m].waiting(0) || moments[m].waiting(1));
    }
}

TEST(PhaseByPhase, RunsThatDisagreeOnTheOrderStillEnd) {
    const auto rows = shown({"AB", "BA"});
    EXPECT_EQ(rows[0].size(), rows[1].size());
    EXPECT_NE(rows[0].find('B'), std::string::npos);
    EXPECT_NE(rows[1].find('A'), std::string::npos);
}

TEST(Thinned, KeepsTheLastMoment) {
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < 6; ++i) moments.push_back({{i}});
    const auto kept = thinned(moments, 2);
    ASSERT_EQ(kept.size(), 4u);
    EXPECT_EQ(kept.back().frames[0], 5u);
    EXPECT_EQ(thinned(moments, 5).size(), 2u);
}

}  // namespace
}  // namespace rumple
