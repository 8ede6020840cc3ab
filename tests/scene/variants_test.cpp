#include <gtest/gtest.h>

#include "scene/sample_scenes.hpp"

namespace rumple {
namespace {

using nlohmann::json;

std::vector<std::string> hashes(const std::string& path, const json& value) {
    return scene_hashes(build(twist_with(path, value))).phases;
}
std::vector<std::string> unchanged() { return hashes("rumple", 1); }

// How many phases at the beginning two runs share.
std::size_t shared(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::size_t k = 0;
    while (k < a.size() && a[k] == b[k]) ++k;
    for (std::size_t i = k; i < a.size(); ++i) EXPECT_NE(a[i], b[i]) << "runs that parted do not meet again";
    return k;
}

TEST(Variants, AreCopiesWithValuesSet) {
    const auto variants = expand_variants({twist_document(), "twist.json", {}});
    ASSERT_EQ(variants.size(), 3u);
    EXPECT_EQ(variants[0].name, "brief");
    EXPECT_EQ(variants[0].document["phases"][2]["steps"], 0);
    EXPECT_EQ(variants[1].document["phases"][2]["steps"], 50);
    EXPECT_EQ(variants[2].document["phases"][2]["hold"], 0);
    for (const Variant& variant : variants) EXPECT_FALSE(variant.document.contains("variants"));
}

TEST(Variants, SceneWithoutThemIsOneWithoutAName) {
    const auto variants = expand_variants({twist_with("rumple", 1), "twist.json", {}});
    ASSERT_EQ(variants.size(), 1u);
    EXPECT_EQ(variants[0].name, "");
}

TEST(Variants, ShareTheirRunUpToTheHold) {
    const auto brief = scene_hashes(build(twist_document(), "brief")).phases,
               held = scene_hashes(build(twist_document(), "held")).phases,
               control = scene_hashes(build(twist_document(), "control")).phases;
    EXPECT_EQ(shared(brief, held), 2u);
    EXPECT_EQ(shared(held, control), 2u);
    EXPECT_EQ(shared(brief, control), 2u);
}

TEST(Variants, ErrorsNameTheVariant) {
    json document = twist_document();
    document["variants"][0]["set"] = {{"phases.hodl.steps", 0}};
    EXPECT_EQ(complaint(document),
              "twist.json: variants[0].set: phases.hodl.steps: phases has no element named "
              "\"hodl\"; did you mean \"hold\"?");
    document["variants"][0]["set"] = {{"phases.hold.stepps", 0}};
    EXPECT_EQ(complaint(document),
              "twist.json (variant brief): phases[2]: unknown key \"stepps\"; did you mean \"steps\"?");
    document["variants"][0] = {{"name", "held"}};
    EXPECT_EQ(complaint(document), "twist.json: variants[1].name: two variants are called \"held\"");
    document["variants"] = json::array();
    EXPECT_EQ(complaint(document),
              "twist.json: variants: the list is empty; leave the key out, or name a variant");
}

TEST(SceneHash, ChangesWithEverythingThatChangesTheRun) {
    const auto base = unchanged();
    EXPECT_EQ(base.size(), 5u);
    EXPECT_EQ(base[0].size(), 32u);
    const std::vector<std::pair<std::string, json>> changes{
        {"gravity.2", -1},
        {"step.newton", 2},
        {"step.tolerance", 1e-6},
        {"step.solver", "direct"},
        {"damping.mass", 1},
        {"damping.stiffness", 1e-4},
        {"output.rate", 24},
        {"cloths.tube.name", "sleeve"},
        {"cloths.tube.mesh.around", 17},
        {"cloths.tube.mesh.layout", "alternating"},
        {"cloths.tube.rest_angles", "mesh"},
        {"cloths.tube.imperfection.seed", 2},
        {"cloths.tube.imperfection.amplitude", 1e-5},
        {"cloths.tube.place.translate", {0, 0, 1}},
        {"cloths.tube.material.friction.tau", 31},
        {"cloths.tube.material.plasticity.law", "none"},
        {"handles.bottom.stiffness", 1000},
        {"handles.bottom.select", {{"ring", {{"at", 0}, {"tolerance", 0.03}}}}},
        {"phases.twist.motions.top.rotate.degrees", -91},
        {"phases.twist.motions.top.ease", "smooth"}};
    std::vector<std::string> seen{base[0]};
    for (const auto& [path, value] : changes) {
        const auto changed = hashes(path, value);
        EXPECT_EQ(std::count(seen.begin(), seen.end(), changed[0]), 0) << path;
        EXPECT_EQ(shared(base, changed), 0u) << path;
        seen.push_back(changed[0]);
    }
}

TEST(SceneHash, LaterPhasesDoNotChangeEarlierOnes) {
    const auto base = unchanged();
    EXPECT_EQ(shared(base, hashes("phases.rest.duration", 0.5)), 1u);
    EXPECT_EQ(shared(base, hashes("phases.hold.hold", 100)), 2u);
    EXPECT_EQ(shared(base, hashes("phases.untwist.motions.top.ease", "smooth")), 3u);
    EXPECT_EQ(shared(base, hashes("phases.settle.release", {"top"})), 4u);
    EXPECT_EQ(shared(base, hashes("phases.settle.h", 0.005)), 4u);
}

TEST(SceneHash, SaysTheSameForTheSameRunWrittenDifferently) {
    const auto base = unchanged();
    const std::vector<std::pair<std::string, json>> changes{{"name", "another"},
                                                            {"description", "other words"},
                                                            {"step.newton", "auto"},
                                                            {"damping.mass", 0},
                                                            {"cloths.tube.mesh.layout", "right"},
                                                            {"cloths.tube.mesh.radius", 4e-2},
                                                            {"cloths.tube.material.name", "my-cotton"},
                                                            {"cloths.tube.material.friction.eps_0", 0.1},
                                                            {"handles.bottom.select", {{"boundary", 0}}},
                                                            {"handles.bottom.cloth", "tube"},
                                                            {"phases.twist.duration", 1.0},
                                                            {"phases.rest.motions", {{"top", "fixed"}}},
                                                            {"phases.hold.h", 0.01}};
    for (const auto& [path, value] : changes) EXPECT_EQ(hashes(path, value), base) << path;
}

TEST(SceneHash, OfTheWholeRunKnowsWhatIsMeasured) {
    const Scene base = build(twist_with("rumple", 1)), other = build(twist_with("recovery_from", "rest"));
    EXPECT_EQ(scene_hash(base).size(), 16u);
    EXPECT_NE(scene_hash(base), scene_hash(other));
    EXPECT_EQ(scene_hashes(base).phases, scene_hashes(other).phases);
    EXPECT_EQ(scene_hash(base), scene_hash(build(twist_document(), "held")));
}

class FilesInHash : public SceneFolder {};

TEST_F(FilesInHash, ContentsCountNamesDoNot) {
    const std::string triangle = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n";
    write("a.obj", triangle);
    write("b.obj", triangle);
    write("c.obj", "v 0 0 0\nv 0.1 0 0\nv 0 0.2 0\nf 1 2 3\n");
    write("m.json", R"({"preset": "denim", "density": 0.3})");
    const auto hash_of = [&](const std::string& mesh, const json& material) {
        const json document{{"rumple", 1},
                            {"cloths", {{{"name", "t"}, {"mesh", {{"file", mesh}}}, {"material", material}}}},
                            {"phases", {{{"name", "fall"}, {"duration", 0.1}}}}};
        return scene_hash(build(document, "", folder));
    };
    EXPECT_EQ(hash_of("a.obj", "denim"), hash_of("b.obj", "denim"));
    EXPECT_NE(hash_of("a.obj", "denim"), hash_of("c.obj", "denim"));
    EXPECT_NE(hash_of("a.obj", "denim"), hash_of("a.obj", {{"file", "m.json"}}));
    EXPECT_EQ(hash_of("a.obj", {{"preset", "denim"}, {"density", 0.3}}),
              hash_of("a.obj", {{"file", "m.json"}}));
}

}  // namespace
}  // namespace rumple
