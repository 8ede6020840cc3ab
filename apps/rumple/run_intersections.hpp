// Counts the triangles that intersect in the frames of a run that has ended: what contact should have
// prevented.
#pragma once

#include <filesystem>
#include <vector>

namespace rumple {

struct FrameIntersections {
    int frame = 0;
    int cloth = 0, obstacles = 0;  // pairs of triangles: of cloth with cloth, of cloth with an obstacle
};

// One entry a frame; obstacles count while they are active. Positions are those of the caches, which are
// rounded to single precision. InputError: the folder is not that of a run that has ended.
std::vector<FrameIntersections> run_intersections(const std::filesystem::path& folder);

}  // namespace rumple
