// One hash over the final state of several scenes: the same for any number of threads, and when the run was
// stopped anywhere and went on from its checkpoint. (scripts/determinism.sh compares optimisation levels.)
#include <gtest/gtest.h>

#include <rumple/core/digest.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/checkpoint.hpp>

#include "sim/contact_documents.hpp"

namespace rumple {
namespace {

std::string hash_of(const Scene& scene, const SimState& sim) {
    Digest hash;
    hash.add(encode_checkpoint({scene_hash(scene), {}, sim}));
    return hash.hex32();
}

// With `stop_every` > 0 the simulator is thrown away after so many steps, and another goes on from the
// checkpoint.
std::string hash_of_run(const nlohmann::json& document, int threads, int stop_every = 0) {
    const Scene scene = scene_of(document);
    auto simulator = std::make_unique<Simulator>(scene, threads);
    for (int steps = 1; !simulator->done(); ++steps) {
        simulator->step();
        if (stop_every == 0 || steps % stop_every != 0) continue;
        const std::string checkpoint = encode_checkpoint({scene_hash(scene), {}, simulator->sim_state()});
        simulator = std::make_unique<Simulator>(scene, threads);
        simulator->restore(decode_checkpoint(checkpoint, "checkpoint").sim);
    }
    return hash_of(scene, simulator->sim_state());
}

nlohmann::json relaxing_twist_document() {  // every law that is off in the paper's presets
    nlohmann::json document = small_twist_document();
    document["cloths"][0]["material"] = {{"preset", "cotton-relaxing"},
                                         {"bending", {{"warp", 6e-6}, {"weft", 4e-6}, {"bias", 5e-6}}},
                                         {"tensile_relaxation", {{"share", 0.3}}},
                                         {"tensile_friction", nlohmann::json::object()}};
    return document;
}

nlohmann::json recovering_twist_document() {
    nlohmann::json document = relaxing_twist_document();
    document["phases"].push_back({{"name", "night"}, {"recover", 28800}, {"steps", 5}, {"release", {"top"}}});
    return document;
}

struct Case {
    const char* name;
    nlohmann::json (*document)();
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Determinism : public testing::TestWithParam<Case> {};

TEST_P(Determinism, OneHashForThreadsAndResumedRuns) {
    const nlohmann::json document = GetParam().document();
    const std::string once = hash_of_run(document, 1);
    RecordProperty("hash", once);
    EXPECT_EQ(hash_of_run(document, 2), once);
    EXPECT_EQ(hash_of_run(document, 5), once);
    EXPECT_EQ(hash_of_run(document, 1, 7), once);
    EXPECT_EQ(hash_of_run(document, 3, 13), once);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Determinism,
                         testing::Values(Case{"twist", small_twist_document},
                                         Case{"relaxing", relaxing_twist_document},
                                         Case{"recovering", recovering_twist_document},
                                         Case{"pressed", pressed_document}, Case{"ball", ball_document},
                                         Case{"wrung", twist_with_contact_document}),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace rumple
