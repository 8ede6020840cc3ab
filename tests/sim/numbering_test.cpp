// Runs of a mesh whose file numbers it at random: everything that leaves the program has the file's numbers.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <limits>
#include <rumple/core/error.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/io/point_cache.hpp>
#include <rumple/mesh/generators.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/run.hpp>

#include "shuffled_mesh.hpp"
#include "sim/folder_contents.hpp"
#include "sim/stop_after.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;

constexpr int kHeld = 0;  // a corner of the sheet
const TriMesh kSheet = make_grid(15, 12, 0.14, 0.11, Layout::alternating);
const ShuffledMesh kShuffled = shuffled(kSheet);

// A sheet held at a corner and at the middle of a side falls and folds; another one is beside it.
Scene falling(const fs::path& file, const TriMesh& mesh, const std::vector<int>& held) {
    write_obj(file, mesh);
    nlohmann::json document = nlohmann::json::parse(R"({
        "rumple": 1, "name": "falling", "step": {"tolerance": 1e-9},
        "output": {"rate": 100, "memory": true}, "damping": {"mass": 1},
        "cloths": [{"name": "beside", "material": "cotton", "place": {"translate": [1, 0, 0]},
                    "mesh": {"generator": "grid", "nx": 3, "ny": 2, "width": 0.02, "height": 0.01}},
                   {"name": "sheet", "material": {"preset": "cotton", "friction": {"eps_0": 0.001, "eps_inf": 0.002}}}],
        "handles": [{"name": "pins", "cloth": "sheet"}],
        "phases": [{"name": "fall", "duration": 0.1},
                   {"name": "lift", "duration": 0.05, "motions": {"pins": {"translate": [0, 0, 0.02]}}}]
    })");
    document["cloths"][1]["mesh"] = {{"file", file.string()}};
    document["handles"][0]["select"] = {{"vertices", held}};
    return std::move(build_variants({document, "falling.json", ""}).front());
}

struct Sheets {
    ScratchFolder folder;
    Scene natural = falling(folder / "natural.obj", kSheet, {kHeld, 7});
    Scene random =
        falling(folder / "random.obj", kShuffled.mesh, {kShuffled.vertex[kHeld], kShuffled.vertex[7]});

    std::vector<RunResult> run(const Scene& scene, const std::string& out, bool resume = false,
                               RunObserver* observer = nullptr) const {
        RunOptions options;
        options.out = folder / out;
        options.threads = 1;
        options.resume = resume;
        options.observer = observer;
        options.checkpoint_seconds = 0;
        return run_scenes({&scene, 1}, options);
    }
};

// Vertex v of the one is vertex kShuffled.vertex[v] of the other.
double largest_difference(const std::vector<Vec3d>& natural, const std::vector<Vec3d>& random) {
    EXPECT_EQ(natural.size(), random.size());
    double largest = 0;
    for (std::size_t v = 0; v < natural.size(); ++v)
        largest = std::max(largest, norm(natural[v] - random[static_cast<std::size_t>(kShuffled.vertex[v])]));
    return largest;
}

TEST(FileNumbers, AreThoseOfAllFilesOfARun) {
    const Sheets sheets;
    ASSERT_FALSE(sheets.natural.cloths[1].numbering.changes());
    ASSERT_TRUE(sheets.random.cloths[1].numbering.changes());
    EXPECT_EQ(sheets.run(sheets.natural, "natural")[0].failure, "");
    EXPECT_EQ(sheets.run(sheets.random, "random")[0].failure, "");

    const fs::path natural = sheets.folder / "natural", random = sheets.folder / "random";
    const TriMesh topology = read_obj(random / "cache/sheet.obj"),
                  final = read_obj(random / "final/sheet.obj");
    EXPECT_EQ(topology.triangles, kShuffled.mesh.triangles);
    EXPECT_EQ(topology.positions, kShuffled.mesh.positions);
    EXPECT_EQ(topology.uv_triangles, read_obj(sheets.folder / "random.obj").uv_triangles);
    EXPECT_EQ(final.triangles, kShuffled.mesh.triangles);
    EXPECT_LT(largest_difference(read_obj(natural / "final/sheet.obj").positions, final.positions), 1e-6);

    const PointCacheReader a(natural / "cache/sheet.pc2"), b(random / "cache/sheet.pc2");
    const PointCacheReader remembered_a(natural / "memory/sheet.pc2"),
        remembered_b(random / "memory/sheet.pc2");
    ASSERT_EQ(a.frame_count(), 16u);
    ASSERT_EQ(b.frame_count(), 16u);
    double way = 0, memory = 0;
    for (std::size_t f = 0; f < a.frame_count(); ++f) {
        EXPECT_LT(largest_difference(a.read_frame(f), b.read_frame(f)), 1e-6) << f;
        EXPECT_LT(largest_difference(remembered_a.read_frame(f), remembered_b.read_frame(f)), 1e-3) << f;
        way = std::max(way, largest_difference(kSheet.positions, b.read_frame(f)));
        for (const Vec3d& v : remembered_b.read_frame(f)) memory = std::max(memory, v.y);
    }
    EXPECT_GT(way, 0.02);     // m: there was something to compare
    EXPECT_GT(memory, 0.02);  // rad
    const auto pin = static_cast<std::size_t>(kShuffled.vertex[kHeld]);
    EXPECT_NEAR(norm(final.positions[pin] - kSheet.positions[kHeld] - Vec3d{0, 0, 0.02}), 0, 1e-12);
}

TEST(FileNumbers, AreThoseOfMessages) {
    const Sheets sheets;
    const Numbering& numbering = sheets.random.cloths[1].numbering;
    constexpr int kBeside = 6;  // vertices of the cloth before it
    Simulator sim(sheets.random, 1);
    const SimState start = sim.sim_state();
    const auto failure = [&](auto&& damage) {
        SimState state = start;
        damage(state.state);
        sim.restore(state);
        return error_of<SimulationError>([&] { sim.step(); });
    };
    constexpr std::size_t kBad = 40;
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const int source = numbering.vertices[kBad];
    ASSERT_NE(source, int(kBad));
    expect_says(failure([&](State& state) { state.v[kBeside + kBad].y = kNan; }),
                {fmt::format("the velocity of vertex {} is", kBeside + source).c_str(),
                 fmt::format("vertex {} is vertex {} of 'sheet'", kBeside + source, source).c_str()});

    const auto before = static_cast<std::size_t>(sim.model().parts.hinge_begin[1]);
    const int hinge = numbering.hinges[kBad];
    const Hinge h = find_hinges(kShuffled.mesh)[static_cast<std::size_t>(hinge)];
    const std::string message = failure([&](State& state) { state.bending.plastic[before + kBad] = kNan; });
    const auto named = [&](int x0, int x1, int x2, int x3) {
        return fmt::format("hinge {} (vertices {}, {}, {}, {})", before + static_cast<std::size_t>(hinge),
                           kBeside + x0, kBeside + x1, kBeside + x2, kBeside + x3);
    };
    // from one of its triangles or from the other
    EXPECT_TRUE(message.find(named(h.x0, h.x1, h.x2, h.x3)) != std::string::npos ||
                message.find(named(h.x1, h.x0, h.x3, h.x2)) != std::string::npos)
        << message;

    Scene broken = sheets.random;
    broken.phases[0].motions[0].translate.z = std::numeric_limits<double>::infinity();
    const int first = broken.handles[0].vertices[0] - kBeside;
    Simulator tearing(broken, 1);
    expect_says(error_of<SimulationError>([&] { tearing.step(); }),
                {fmt::format("the target of vertex {} is", kBeside + numbering.vertices[std::size_t(first)])
                     .c_str()});
}

TEST(FileNumbers, OfTrianglesAreThoseOfMessagesToo) {
    const Sheets sheets;
    const Model model = make_model(sheets.random);
    const int before = model.parts.triangle_begin[1], first = model.parts.vertex_begin[1];
    for (std::size_t t = 0; t < kShuffled.mesh.triangles.size(); ++t) {
        const auto own = static_cast<std::size_t>(before) + t;
        const auto& file =
            kShuffled.mesh.triangles[static_cast<std::size_t>(model.source_triangle(own) - before)];
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_EQ(model.source_vertex(model.triangles[own][i]), first + file[i]);
    }
}

TEST(FileNumbers, StoppedAndResumedRunWritesTheSameFiles) {
    const Sheets sheets;
    sheets.run(sheets.random, "straight");
    for (int steps : {1, 7, 12}) {
        const std::string out = fmt::format("stop{}", steps);
        StopAfter stop(steps);
        EXPECT_THROW(sheets.run(sheets.random, out, false, &stop), Interrupted);
        sheets.run(sheets.random, out, true);
        expect_same_files(sheets.folder / "straight", sheets.folder / out);
    }
}

TEST(FileNumbers, CheckpointTellsHingesOnceOrNotAtAll) {
    const Sheets sheets;
    const Simulator sim(sheets.random, 1);
    Checkpoint checkpoint{
        scene_hash(sheets.random), {}, sim.sim_state(), program_version(), sim.model().source_ids.hinges};
    EXPECT_TRUE(decode_checkpoint(encode_checkpoint(checkpoint), "latest") == checkpoint);
    std::swap(checkpoint.hinge_numbers[0], checkpoint.hinge_numbers[5]);
    EXPECT_NO_THROW(decode_checkpoint(encode_checkpoint(checkpoint), "latest"));
    for (const int bad : {-1, checkpoint.hinge_numbers[1], 1000000}) {
        Checkpoint damaged = checkpoint;
        damaged.hinge_numbers[0] = bad;
        expect_says(error_of<InputError>([&] { decode_checkpoint(encode_checkpoint(damaged), "latest"); }),
                    {"do not fit together"});
    }
    checkpoint.hinge_numbers.pop_back();
    EXPECT_THROW(decode_checkpoint(encode_checkpoint(checkpoint), "latest"), InputError);
}

}  // namespace
}  // namespace rumple
