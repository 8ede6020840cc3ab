// The same for scenes and checkpoints.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <rumple/io/json_text.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple/sim/run.hpp>

#include "checkpoint_scene.hpp"
#include "try_io.hpp"

namespace rumple::fuzz {

using nlohmann::json;

inline bool is_count(const std::string& key) {
    return key == "nx" || key == "ny" || key == "around" || key == "up";
}

// An edge in proportion to what it divides, no needles, no clip of a hundred thousand samples.
inline void keep_coarse(json& object) {
    constexpr double kPieces = 3, kSlender = 10, kMaxSamples = 100;
    const auto cap = [&](const char* key, double most) {
        const auto found = object.find(key);
        if (found != object.end() && found->is_number() && found->get<double>() > most) *found = most;
    };
    if (const auto radius = object.find("radius"); radius != object.end() && radius->is_number())
        for (const char* key : {"height", "length"}) cap(key, kSlender * std::abs(radius->get<double>()));
    cap("rate", kMaxSamples);
    double largest = 0;
    for (const auto& [key, value] : object.items())
        if (value.is_number()) largest = std::max(largest, value.get<double>());
    const auto edge = object.find("edge");
    if (edge != object.end() && edge->is_number() && edge->get<double>() > 0)
        *edge = std::max(edge->get<double>(), largest / kPieces);
}

// False: takes too long.
inline bool tame(json& value) {
    constexpr int kMaxAlong = 6;
    if (value.is_object()) {
        if (value.contains("mannequin") || value.contains("garment")) return false;
        for (auto& [key, inner] : value.items())
            if (is_count(key) && inner.is_number() && inner.get<double>() > kMaxAlong) inner = kMaxAlong;
        keep_coarse(value);
    }
    if (value.is_structured())
        for (json& inner : value)
            if (!tame(inner)) return false;
    return true;
}

// Scene files: JSON, variants, and all that building a scene reads and checks. Meshes, caches and bodies that
// a scene names are looked for in `folder`. Building what a scene asks for is allowed to take its time;
// reading is what is tried here. So sizes of generated meshes are made small first, and scenes with our
// mannequin or a garment (seconds each) are passed over.
inline void try_scene(const std::uint8_t* data, std::size_t size, const std::filesystem::path& folder) {
    accepts([&] {
        SceneFile file{parse_json(text_of(data, size), "scene.json"), "scene.json", folder};
        if (!tame(file.document)) return;
        for (const Variant& variant : expand_variants(file)) {
            Variant tamed = variant;  // variants set values of their own
            if (tame(tamed.document)) build_scene(file, tamed);
        }
    });
}

// The bytes as they are, and as the body of a checkpoint whose checksum is right, or the checksum would keep
// everything out. One that is accepted is put into a simulator, which takes a step with it if it should: a
// step takes far longer than reading.
inline void try_checkpoint(const std::uint8_t* data, std::size_t size, bool take_step = true) {
    static Simulator simulator(checkpoint_scene(), 1);
    const std::string bytes = text_of(data, size);
    accepts([&] { decode_checkpoint(bytes, "latest"); });
    Checkpoint checkpoint;
    if (!accepts([&] { checkpoint = decode_checkpoint(seal_checkpoint(bytes), "latest"); })) return;
    if (encode_checkpoint(checkpoint) != seal_checkpoint(bytes)) std::abort();
    if (!accepts([&] { simulator.restore(std::move(checkpoint.sim)); }) || simulator.done()) return;
    if (!take_step) return;
    try {
        simulator.step();
    } catch (const SimulationError&) {
    }
}

}  // namespace rumple::fuzz
