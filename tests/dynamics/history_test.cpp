// The one list of history variables (constitutive/laws.hpp): whoever visits it misses none.
#include <gtest/gtest.h>

#include <set>

#include "sample_cloth.hpp"

namespace rumple {
namespace {

// Every field of the history differs from every other.
ComponentHistory<double> distinct_history() {
    ComponentHistory<double> history;
    double next = 1;
    for_each_history_field(
        [&](auto& field) {
            if constexpr (std::is_same_v<decltype(field), bool&>)
                field = true;
            else
                field = next++;
        },
        history);
    return history;
}

Material dahl_material() {
    Material m;
    m.friction_kind = FrictionKind::dahl;
    return m;
}

Material relaxing_material() {
    Material m = dahl_material();
    m.relaxation = {.share = 0.5, .tau_min = 0.1, .tau_max = 100};
    return m;
}

TEST(History, ListNamesEveryVariableOnce) {
    HistoryArrays arrays;
    std::size_t bytes = 0;
    std::set<std::pair<std::string, std::string>> names;
    std::set<const void*> columns;
    for_each_history_column(
        [&](const HistoryVariable& variable, const auto& column) {
            bytes += sizeof column;
            names.emplace(variable.law, variable.name);
            columns.insert(&column);
        },
        arrays);
    EXPECT_EQ(bytes, sizeof(HistoryArrays)) << "an array that is not in the list";
    EXPECT_EQ(columns.size(), names.size());

    ComponentHistory<double> history;
    std::set<const void*> fields;
    for_each_history_field([&](auto& field) { fields.insert(&field); }, history);
    EXPECT_EQ(fields.size() + 1, names.size()) << "all but the ladder's branches have a field";
    EXPECT_EQ(names.size(), 10u);
}

TEST(History, WhatIsStoredComesBack) {
    HistoryArrays arrays;
    arrays.resize(5, {.dahl = true});
    arrays.set(3, distinct_history());
    const ComponentHistory<double> back = arrays.get(3), wanted = distinct_history(), other = arrays.get(2);
    EXPECT_EQ(back.friction.anchor, wanted.friction.anchor);
    EXPECT_EQ(back.friction.stick_time, wanted.friction.stick_time);
    EXPECT_EQ(back.plasticity.plastic, wanted.plasticity.plastic);
    EXPECT_EQ(back.plasticity.accumulated, wanted.plasticity.accumulated);
    EXPECT_EQ(back.plasticity.clock, wanted.plasticity.clock);
    EXPECT_EQ(back.plasticity.direction, wanted.plasticity.direction);
    EXPECT_TRUE(back.plasticity.loaded);
    EXPECT_EQ(back.dahl_stress, wanted.dahl_stress);
    EXPECT_EQ(back.strain, wanted.strain);
    EXPECT_EQ(other.strain, 0);
    EXPECT_FALSE(other.plasticity.loaded);
}

TEST(History, AnyDifferenceMakesStatesDiffer) {
    const SampleCloth cloth(make_grid(4, 4, 0.02, 0.02, Layout::alternating), relaxing_material());
    const State state = cloth.at_rest();
    for (int chosen = 0; chosen < 10; ++chosen) {
        State changed = state;
        EXPECT_TRUE(changed == state);
        int n = 0;
        for_each_history_column(
            [&](const HistoryVariable&, auto& column) {
                if (n++ == chosen) ++column.at(2);
            },
            changed.bending);
        EXPECT_FALSE(changed == state) << chosen;
    }
}

TEST(History, VariablesOfLawsThatAreOffTakeNoMemory) {
    const TriMesh mesh = make_grid(4, 4, 0.02, 0.02, Layout::alternating);
    const SampleCloth dwell(mesh, Material{}), dahl(mesh, dahl_material());
    EXPECT_TRUE(dwell.at_rest().bending.dahl_stress.empty());
    EXPECT_EQ(dahl.at_rest().bending.dahl_stress.size(), dahl.model.hinges.size());
    EXPECT_TRUE(dahl.at_rest().bending.fits(dahl.model.hinges.size(), dahl.model.bending_history));
    EXPECT_EQ(dahl.at_rest().membrane.size(), 0u);

    const SampleCloth relaxing(mesh, relaxing_material());
    EXPECT_TRUE(dahl.at_rest().bending.branch.empty());
    EXPECT_EQ(relaxing.model.bending_history.branches, 4);  // 0.1, 1, 10, 100 s
    EXPECT_EQ(relaxing.at_rest().bending.branch.size(), 4 * relaxing.model.hinges.size());
    EXPECT_EQ(relaxing.at_rest().membrane.size(), 0u);
    Material stretching;
    stretching.tensile_relaxation.share = 0.3;
    const SampleCloth stretched(mesh, stretching);
    EXPECT_EQ(stretched.at_rest().membrane.branch.size(), 8 * 3 * stretched.model.triangles.size());
    EXPECT_TRUE(stretched.at_rest().bending.branch.empty());
}

TEST(History, OfOtherLawsIsRefused) {
    const TriMesh mesh = make_grid(4, 4, 0.02, 0.02, Layout::alternating);
    const SampleCloth dwell(mesh, Material{}), dahl(mesh, dahl_material());
    State state = dwell.at_rest();
    EXPECT_EQ(make_stepper(dahl.model)->step(state, {}).failure, "the state does not belong to the model");
    state = dahl.at_rest();
    EXPECT_EQ(make_stepper(dwell.model)->step(state, {}).failure, "the state does not belong to the model");
    state = dwell.at_rest();
    state.bending.clock.pop_back();
    EXPECT_EQ(make_stepper(dwell.model)->step(state, {}).failure, "the state does not belong to the model");
}

// A sheet is folded along its middle, faster than the stick threshold grows, and far beyond yield.
TEST(History, EveryVariableOfEveryLawAdvances) {
    Material dahl = dahl_material();
    dahl.plasticity.eps_Y0 = 0.2;
    Material relaxing = all_laws_material(2.5e-3);
    relaxing.relaxation.share = relaxing.tensile_relaxation.share = 0.5;
    for (const Material& material : {all_laws_material(2.5e-3), dahl, relaxing}) {
        const SampleCloth cloth(make_grid(5, 5, 0.02, 0.02, Layout::alternating), material);
        State state = cloth.at_rest();
        const auto stepper = make_stepper(cloth.model, {.threads = 1});
        for (int n = 0; n < 20; ++n) {
            std::vector<Vec3d> folded = cloth.mesh.positions;
            const double angle = 0.15 * (n + 1);
            for (Vec3d& p : folded)
                if (p.x > 1e-9) p = {p.x * std::cos(angle), p.y, p.x * std::sin(angle)};
            std::vector<int> all(folded.size());
            for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
            ASSERT_TRUE(stepper->step(state, {.handles = {all, folded, {}}}).accepted);
        }
        for_each_history_column(
            [&](const HistoryVariable& variable, const auto& column) {
                const bool idle =
                    material.friction_kind == FrictionKind::dahl && std::string(variable.law) == "friction";
                const bool changed = std::any_of(column.begin(), column.end(), [](auto n) { return n != 0; });
                EXPECT_EQ(changed, !column.empty() && !idle) << variable.law << " " << variable.name;
            },
            state.bending);
    }
}

}  // namespace
}  // namespace rumple
