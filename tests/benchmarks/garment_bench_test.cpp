#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>

#include "bench_garment.hpp"
#include "scratch_folder.hpp"

namespace rumple {
namespace {

// A small shirt for a few frames: nothing crosses in ours, and the table compares.
TEST(GarmentBench, OursCrossesNothing) {
    GarmentBenchOptions options;
    options.frames = 3;
    options.edge = 0.03;  // at 35 mm the shirt as it is cut crosses the curve of the shoulder
    options.body_edge = 0.03;
    GarmentBenchResult r = bench_garment(options);
    ASSERT_EQ(r.runs.size(), 1u);
    EXPECT_GT(r.vertices, 500);
    EXPECT_GT(r.runs[0].seconds, 0);
    EXPECT_EQ(r.runs[0].frames_crossing, 0);
    GarmentRun other;
    other.name = "other";
    other.seconds = 4 * r.runs[0].seconds;
    r.runs.push_back(other);
    EXPECT_EQ(r.ratio(r.runs[1]), 4);
    EXPECT_EQ(to_json(r)["runs"][1]["ratio"], 4);
    EXPECT_NE(to_table(r).find("other"), std::string::npos);
}

// A program that is not Blender: it answers, and leaves the shirt where it began and the body too.
TEST(GarmentBench, PeerThatWritesTooFewFramesIsAnError) {
    const ScratchFolder folder;
    const std::filesystem::path program = folder / "program";
    spill(program, R"SH(#!/bin/sh
for job; do true; done
result=$(sed 's/.*"result":"\([^"]*\)".*/\1/' "$job")
positions=$(sed 's/.*"positions":"\([^"]*\)".*/\1/' "$job")
: > "$positions"
printf '{"version": "9.9", "seconds": [0.3], "overhead": [0.01]}' > "$result"
)SH");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    GarmentBenchOptions options;
    options.frames = 1;
    options.edge = 0.04;
    options.body_edge = 0.04;
    options.blender = true;
    options.program = program.string();
    expect_says(error_of<SimulationError>([&] { bench_garment(options); }), {"wrote 0 frames instead of 2"});
}

}  // namespace
}  // namespace rumple
