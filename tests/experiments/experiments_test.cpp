// Every experiment runs at smoke size and leaves valid files; the claims themselves are asserted only for
// cotton's twist and for press.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <experiments/experiment.hpp>
#include <experiments/paper_items.hpp>
#include <experiments/strip_measure.hpp>
#include <experiments/strip_scene.hpp>
#include <experiments/tube_scene.hpp>
#include <nlohmann/json.hpp>
#include <numbers>
#include <rumple/io/atomic_file.hpp>

#include "scratch_folder.hpp"

namespace rumple {
namespace {

class EveryExperiment : public testing::TestWithParam<std::string> {};

TEST_P(EveryExperiment, HasASceneThatIsAccepted) {
    const Experiment& experiment = *find_experiment(GetParam());
    EXPECT_FALSE(build_variants({experiment.scene(), experiment.name, {}}).empty());
}

TEST_P(EveryExperiment, RunsAtSmokeSizeAndWritesItsVerdicts) {
    const ScratchFolder scratch;
    const Experiment& experiment = *find_experiment(GetParam());
    const std::vector<Claim> claims =
        reproduce(experiment, ExperimentContext(Size::smoke, scratch.path(), 0, {}));
    ASSERT_FALSE(claims.empty());
    const auto verdict = nlohmann::json::parse(read_file(scratch.path() / "verdict.json"));
    EXPECT_EQ(verdict["experiment"], experiment.name);
    EXPECT_EQ(verdict["size"], "smoke");
    ASSERT_EQ(verdict["claims"].size(), claims.size());
    for (const Claim& claim : claims) {
        EXPECT_FALSE(claim.values.empty()) << claim.statement;
        EXPECT_FALSE(claim.why.empty()) << claim.statement;
        EXPECT_EQ(items_with(experiment.name, claim.statement).size(), 1u)
            << claim.statement << " has no row, or several: experiments/paper_items.json";
        for (double v : claim.values) EXPECT_FALSE(std::isnan(v)) << claim.statement;
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryExperiment,
                         testing::Values("twist", "ablation", "timestep", "stability", "recovery-curve",
                                         "dominance", "convergence", "fold", "press", "crumple", "stretch",
                                         "versus-dahl", "versus-hardening", "performance", "trousers",
                                         "tshirt", "standing", "creep", "buckling"),
                         [](const auto& experiment) {
                             std::string name = experiment.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Experiments, AreAllTestedHere) { EXPECT_EQ(experiments().size(), 19u); }

TEST(Experiments, AnInterruptedReproductionGoesOn) {
    const ScratchFolder scratch;
    const ExperimentContext bench(Size::smoke, scratch.path(), 0, {});
    nlohmann::json scene = tube_scene({.around = 16, .up = 8});
    const auto first = bench.run(scene, "again");
    int steps = 0;
    const ExperimentContext counting(Size::smoke, scratch.path(), 0,
                                     [&](const std::string&, double) { ++steps; });
    const auto second = counting.run(scene, "again");
    EXPECT_EQ(first[0].last, second[0].last);
    EXPECT_LE(steps, 1);  // nothing was simulated again
}

double final_content(const std::vector<RunResult>& results, const std::string& variant) {
    for (const RunResult& r : results)
        if (r.variant == variant) return r.at_end[0].measures.bending_content;
    ADD_FAILURE() << "no variant " << variant;
    return 0;
}

TEST(ReferenceTwist, HeldCottonKeepsMoreThanTwiceWhatBriefCottonKeeps) {
    const ExperimentContext bench(Size::draft, {}, 0, {});
    const auto results = bench.run(find_experiment("twist")->scene(), "twist");
    const double brief = final_content(results, "brief"), held = final_content(results, "held");
    EXPECT_GE(held / brief, 2.5);
    EXPECT_NEAR(final_content(results, "control") / brief, 1, 0.05);
    EXPECT_LT(final_content(results, "elastic"), 1e-3 * brief);
    // orientation values of docs/experiments.md, with room for the branch a seed takes
    EXPECT_NEAR(brief, 1073, 110);
    EXPECT_NEAR(held, 3882, 390);
}

// Cloth at rest does not age: 500 s or a week of it before the twist leave brief and held as they are. With
// the paper's clock nothing slips any more. (`rumple reproduce twist` waits on the reference mesh.)
TEST(ReferenceTwist, RestBeforeTheTwistDoesNotMatter) {
    const ExperimentContext bench(Size::draft, {}, 0, {});
    const auto contents = [&](const char* gate, double wait) {
        nlohmann::json scene = tube_scene({.around = 32, .up = 14, .gate = gate, .wait = wait});
        scene["variants"] = {{{"name", "brief"}, {"set", {{"phases.hold.steps", 0}}}}, {{"name", "held"}}};
        const auto results = bench.run(scene, "waited");
        return std::pair{final_content(results, "brief"), final_content(results, "held")};
    };
    const auto [brief, held] = contents("load", 0);
    for (const double wait : {500.0, 604800.0}) {
        const auto [brief_after, held_after] = contents("load", wait);
        EXPECT_NEAR(brief_after / brief, 1, 0.01) << wait;
        EXPECT_NEAR(held_after / held, 1, 0.01) << wait;
    }
    EXPECT_GT(held, 2.5 * brief);
    const auto [paper_brief, paper_held] = contents("none", 500);
    EXPECT_LT(paper_brief, 0.01 * brief);
    EXPECT_LT(paper_held, 0.01 * held);
}

TEST(Press, HeldCottonAndDenimStayFoldedAndPolyesterHardlyDoes) {
    ExperimentContext bench(Size::smoke, {}, 0, {});
    for (const Claim& claim : find_experiment("press")->reproduce(bench)) {
        // refuted, with the reason, in docs/experiments.md
        if (claim.statement.starts_with("same force") || claim.statement.starts_with("polyester keeps a"))
            continue;
        EXPECT_TRUE(claim.meets_bound()) << one_line(claim);
    }
}

TEST(StripMeasure, CreaseIsTheTurnWithinTheWindow) {
    // a quarter circle of 10 mm arc between straight limbs
    const StripGrid grid{41, 2, 0.001};
    std::vector<Vec3d> x;
    for (int row = 0; row < grid.rows; ++row) {
        Vec3d at{0, 0.001 * row, 0};
        for (int column = 0; column < grid.columns; ++column) {
            x.push_back(at);
            const double turn = std::clamp((column - 15) / 10.0, 0.0, 1.0) * std::numbers::pi / 2;
            at += 0.001 * Vec3d{std::cos(turn), 0, std::sin(turn)};
        }
    }
    EXPECT_NEAR(crease_angle(grid, 0.01, x), 90, 1e-6);
    EXPECT_NEAR(crease_angle(grid, 0.005, x), 45, 1e-6);
    EXPECT_NEAR(fold_angle(grid, 0.01, x), 90, 1e-6);
}

TEST(StripScene, FoldAngleIsMeasuredFromFlatToClosed) {
    const StripScene o{.limb = 10, .free = 4, .across = 2};
    std::vector<Vec3d> flat, folded;
    for (int row = 0; row < o.rows(); ++row)
        for (int column = 0; column < o.columns(); ++column) {
            const double s = (column - 12) * o.edge, y = row * o.edge;
            flat.push_back({s, y, 0});
            folded.push_back({std::abs(s) * std::cos(0.5), y, s * std::sin(0.5)});  // limbs 1 rad apart
        }
    EXPECT_NEAR(fold_angle(o, flat), 0, 1e-6);
    EXPECT_NEAR(fold_angle(o, folded), 180 - 180 / std::numbers::pi, 1e-6);
}

}  // namespace
}  // namespace rumple
