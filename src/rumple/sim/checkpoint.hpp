// Checkpoints: everything a run needs to continue bit for bit, in one file.
//
//   little endian:  "RUMPLECP"  uint32 version  uint64 length of the body  body  uint64 checksum
//
// The checksum (64-bit FNV-1a) covers all bytes before it. Numbers are stored as their bits, so they are read
// back exactly. A checkpoint holds the hash of its scene: in another scene its state would run, but have no
// meaning. It holds no time of day, no path and no thread count: the same run writes the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <rumple/core/version.hpp>
#include <rumple/scene/run_start.hpp>
#include <rumple/sim/run_record.hpp>
#include <rumple/sim/simulator.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

struct Checkpoint {
    std::string scene_hash;
    RunRecord record;
    SimState sim;
    std::string program = program_version();  // that wrote it
    // The state is numbered as the scene is, the caches as the files are. For readers of both: the files'
    // number of each hinge. Empty: the same numbers.
    std::vector<std::int32_t> hinge_numbers = {};
    std::vector<ClothIdentity> cloths = {};  // for scenes that begin where this run ends

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// Remedy for checkpoints and caches that cannot be resumed from.
inline constexpr const char* kStartAnew = "start the run anew instead of resuming it";

inline constexpr std::uint32_t kCheckpointVersion = 7;

std::string encode_checkpoint(const Checkpoint& checkpoint);
// A body with header and checksum around it: what encode_checkpoint does last. Tests damage bodies with it.
std::string seal_checkpoint(std::string_view body);
// InputError, with `name` as the place: not a checkpoint, of another version, cut short, or damaged.
Checkpoint decode_checkpoint(std::string_view bytes, const std::string& name);

void write_checkpoint(const std::filesystem::path& path,
                      const Checkpoint& checkpoint);  // whole or not at all
Checkpoint read_checkpoint(const std::filesystem::path& path);
bool is_checkpoint(const std::filesystem::path& path);  // by its first bytes

// InputError, showing both hashes, unless the checkpoint belongs to this scene, which has this hash.
void require_same_scene(const Checkpoint& checkpoint, const Scene& scene, const std::string& hash,
                        const std::string& name);
// InputError unless this version of the program wrote it: a run must not mix two versions.
void require_same_program(const Checkpoint& checkpoint, const std::string& name);

}  // namespace rumple
