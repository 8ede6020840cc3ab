// summary.json: what a run was and what resulted. The same bytes for the same run: nothing in it depends on
// where, when or with how many threads the run was made.
#pragma once

#include <optional>
#include <rumple/scene/scene.hpp>
#include <rumple/sim/cloth_measures.hpp>
#include <rumple/sim/run_record.hpp>
#include <string>
#include <utility>
#include <vector>

namespace rumple {

struct RunSummary {
    struct Program {
        std::string version, source;  // see core/version.hpp
        std::string backend;          // "cpu" or "cuda"; empty: not known (older runs)
    };
    struct Cloth {
        std::string name, material;
        std::size_t vertices = 0, triangles = 0, hinges = 0;
    };
    struct Obstacle {
        std::string name, kind;
        std::size_t vertices = 0, triangles = 0;
        bool moves = false;  // it has a cache
        double mass = 0;     // kg; 0: none
        // Phases in which it is active. Nothing: in all.
        std::optional<std::vector<std::string>> present;
    };
    struct Contact {
        bool self = false;
        double thickness = 0, friction = 0;
        ContactCounts counts;
        std::vector<ContactTrouble> trouble;
    };
    struct Recovery {
        std::string from_phase;
        std::vector<ClothMeasures> then;                                   // at the end of that phase
        std::vector<std::pair<std::string, std::optional<double>>> value;  // by cloth
    };

    Program program;  // that wrote it
    std::string scene, variant, scene_hash;
    std::string failure;  // empty: the run is complete
    std::vector<Cloth> cloths;
    std::vector<Obstacle> obstacles;
    std::vector<SceneCamera> cameras;
    double output_rate = 30;  // frames a second
    std::int64_t frames = 0;
    double time = 0, material_time = 0;  // s
    StepCounts counts;                   // counts.contact is in `contact`
    std::vector<StepRetry> retries;
    std::optional<Contact> contact;
    std::vector<ClothMeasures> at_end;
    std::vector<std::pair<std::string, RegionTable>> regions;  // of the cloths that have some
    std::optional<Recovery> recovery;
    std::vector<std::string> warnings;
};

// The part that the scene determines.
RunSummary summary_of(const Scene& scene, const std::string& scene_hash);

std::string summary_text(const RunSummary& summary);
// Reads old and incomplete texts as far as it can. Nothing: the text is no JSON object.
std::optional<RunSummary> parse_summary(const std::string& text);

}  // namespace rumple
