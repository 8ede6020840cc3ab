// count_crossings RUN...: pairs of triangles that intersect in any frame of runs that have ended, found and
// decided by CGAL alone. Exit status 1 if there are any.
#include <cstdio>
#include <exception>
#include <rumple/sim/run_frames.hpp>

#include "cgal_crossings.hpp"

int main(int count, char** folders) try {
    using namespace rumple;
    bool any = false;
    for (int i = 1; i < count; ++i) {
        const RunFrames run(folders[i]);
        int frames = 0, cloth = 0, obstacles = 0;
        for (std::size_t f = 0; f < run.count(); ++f) {
            const RunFrames::Frame now = run.frame(f);
            std::vector<std::array<int, 3>> there;  // triangles of what is there, those of cloth first
            for (std::size_t t = 0; t < run.surface().triangles.size(); ++t)
                if (now.active[static_cast<std::size_t>(run.surface().body_of_triangle[t])])
                    there.push_back(run.surface().triangles[t]);
            const test::CgalCrossings found =
                test::cgal_crossings(now.x, there, static_cast<std::size_t>(run.cloth_triangles()));
            frames += found.cloth + found.obstacles > 0;
            cloth += found.cloth;
            obstacles += found.obstacles;
        }
        std::printf("%s: %zu frames, %d with crossings (cloth with cloth %d, with obstacles %d)\n",
                    folders[i], run.count(), frames, cloth, obstacles);
        any |= frames > 0;
    }
    return any;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
}
