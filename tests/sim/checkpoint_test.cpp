#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/io/byte_order.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/checkpoint.hpp>

#include "scratch_folder.hpp"
#include "sim/small_twist.hpp"

namespace rumple {
namespace {

// `tensile`: with every law of the membrane, and with relaxation and directions of bending.
Checkpoint sample(bool tensile = false) {
    nlohmann::json document = small_twist_document();
    if (tensile)
        document["cloths"][0]["material"] = {{"preset", "cotton-relaxing"},
                                             {"bending", {{"warp", 6e-6}, {"weft", 4e-6}, {"bias", 5e-6}}},
                                             {"tensile_relaxation", {{"share", 0.2}, {"tau_max", 10}}},
                                             {"tensile_friction", nlohmann::json::object()},
                                             {"tensile_plasticity", nlohmann::json::object()}};
    const Scene scene = scene_of(document);
    Simulator sim(scene, 1);
    for (int i = 0; i < 17; ++i) sim.step();
    Checkpoint checkpoint{scene_hash(scene), {}, sim.sim_state()};
    RunRecord& record = checkpoint.record;
    record.frames = 5;
    record.metrics_bytes = 1234;
    record.counts.steps = 17;
    record.counts.solves = 30;
    record.counts.newton_not_converged = 2;
    record.at_recovery = {{"tube", {}}};
    WrinkleMeasures& measures = record.at_recovery[0].measures;
    measures.angle_change_rms = 0.1;
    measures.sharpness = 3e300;
    measures.roughness = 2.5;
    return checkpoint;
}

std::string refusal(const std::string& bytes) {
    return error_of<InputError>([&] { decode_checkpoint(bytes, "run/checkpoint/latest"); });
}

TEST(Checkpoint, RoundTripIsExact) {
    for (bool tensile : {false, true}) {
        const Checkpoint before = sample(tensile);
        EXPECT_GT(before.sim.state.bending.size(), 300u);
        EXPECT_EQ(before.sim.state.membrane.size() > 0, tensile);
        EXPECT_EQ(before.sim.state.bending.branch.size(), tensile ? 8 * before.sim.state.bending.size() : 0);
        EXPECT_EQ(before.sim.state.membrane.branch.size(), 3 * before.sim.state.membrane.size());
        EXPECT_GT(before.sim.state.bending.stick_time[100], 0);
        const std::string bytes = encode_checkpoint(before);
        const Checkpoint after = decode_checkpoint(bytes, "x");
        EXPECT_TRUE(after == before);
        EXPECT_TRUE(encode_checkpoint(after) == bytes);
    }
}

TEST(Checkpoint, OddNumbersKeepTheirBits) {
    Checkpoint checkpoint = sample();
    checkpoint.sim.state.x[3] = {-0.0, 5e-324, 0.1 + 0.2};
    const Checkpoint after = decode_checkpoint(encode_checkpoint(checkpoint), "x");
    EXPECT_TRUE(std::signbit(after.sim.state.x[3].x));
    EXPECT_EQ(after.sim.state.x[3].y, 5e-324);
    EXPECT_EQ(after.sim.state.x[3].z, 0.1 + 0.2);
}

TEST(Checkpoint, EveryHistoryVariableIsInIt) {
    const Checkpoint base = sample(true);
    const std::string bytes = encode_checkpoint(base);
    const auto changes_bytes = [&](auto&& change) {
        Checkpoint changed = base;
        change(changed.sim.state.bending);
        EXPECT_TRUE(encode_checkpoint(changed) != bytes);
        changed = base;
        change(changed.sim.state.membrane);
        EXPECT_TRUE(encode_checkpoint(changed) != bytes);
    };
    int variables = 0;
    for_each_history_column([&](const HistoryVariable&, const auto&) { ++variables; },
                            base.sim.state.bending);
    EXPECT_EQ(variables, 10);
    for (int chosen = 0; chosen < variables; ++chosen)
        changes_bytes([chosen](HistoryArrays& h) {
            int n = 0;
            for_each_history_column(
                [&](const HistoryVariable& variable, auto& column) {
                    if (n++ != chosen) return;
                    if (column.empty()) column.resize(h.size());  // an optional one
                    ASSERT_EQ(column.size() % h.size(), 0u) << variable.name;
                    ++column[7];
                },
                h);
        });
}

TEST(Checkpoint, CutFileIsRefusedWhereverItWasCut) {
    const std::string bytes = encode_checkpoint(sample());
    for (std::size_t length :
         {std::size_t{8}, std::size_t{19}, std::size_t{30}, bytes.size() / 2, bytes.size() - 1})
        expect_says(refusal(bytes.substr(0, length)),
                    {"run/checkpoint/latest", "damaged", "start the run anew"});
    expect_says(refusal(bytes + "x"), {"damaged"});
}

TEST(Checkpoint, AnyFlippedBitIsNoticed) {
    const std::string bytes = encode_checkpoint(sample());
    for (std::size_t at = 20; at < bytes.size(); at += 997) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        expect_says(refusal(damaged), {"checksum"});
    }
}

TEST(Checkpoint, WithAHistoryVariableOfAnotherLengthIsRefused) {
    Checkpoint checkpoint = sample();
    checkpoint.sim.state.bending.stick_time.clear();
    expect_says(refusal(encode_checkpoint(checkpoint)), {"damaged", "do not fit together"});
    checkpoint = sample();
    checkpoint.sim.state.bending.dahl_stress.resize(5);
    expect_says(refusal(encode_checkpoint(checkpoint)), {"damaged", "do not fit together"});
}

TEST(Checkpoint, OtherVersionAndOtherFileAreNamedAsSuch) {
    std::string bytes = encode_checkpoint(sample());
    store_number<std::endian::little>(&bytes[8], std::uint32_t{4});
    expect_says(refusal(bytes), {"version 4", "reads version 7", "start the run anew"});
    store_number<std::endian::little>(&bytes[8], std::uint32_t{8});
    expect_says(refusal(bytes), {"version 8", "reads version 7"});
    expect_says(refusal("v 0 0 0\nv 1 0 0\n"), {"not a checkpoint"});
}

TEST(Checkpoint, HugeCountIsRefusedBeforeMemoryIsTaken) {
    // A scene hash of 2^62 letters, with a right checksum: only the count itself is wrong.
    std::string bytes = "RUMPLECP";
    append_number<std::endian::little>(bytes, kCheckpointVersion);
    append_number<std::endian::little>(bytes, std::uint64_t{8});
    append_number<std::endian::little>(bytes, std::uint64_t{1} << 62);
    std::uint64_t hash = 14695981039346656037u;
    for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    append_number<std::endian::little>(bytes, hash);
    expect_says(refusal(bytes), {"damaged", "does not fit"});
}

TEST(Checkpoint, OfAnotherSceneShowsBothHashes) {
    nlohmann::json other = small_twist_document();
    other["cloths"][0]["material"] = "denim";
    const Scene denim = scene_of(other);
    const Checkpoint checkpoint = sample();
    const std::string message =
        error_of<InputError>([&] { require_same_scene(checkpoint, denim, scene_hash(denim), "latest"); });
    expect_says(message, {"latest", "another scene", checkpoint.scene_hash.c_str(), scene_hash(denim).c_str(),
                          "another output folder"});
}

TEST(Checkpoint, FileIsRecognised) {
    ScratchFolder folder;
    write_checkpoint(folder / "latest", sample());
    EXPECT_TRUE(is_checkpoint(folder / "latest"));
    spill(folder / "other", "RUMPLE");
    EXPECT_FALSE(is_checkpoint(folder / "other"));
    EXPECT_FALSE(is_checkpoint(folder / "missing"));
    EXPECT_TRUE(read_checkpoint(folder / "latest") == sample());
}

}  // namespace
}  // namespace rumple
