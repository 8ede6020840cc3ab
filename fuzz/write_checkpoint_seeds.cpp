// Writes the seeds of the checkpoint target: bodies of checkpoints of the fuzzed scene, at three moments.
//   write_checkpoint_seeds FOLDER
#include <rumple/io/atomic_file.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/checkpoint.hpp>

#include "checkpoint_scene.hpp"

int main(int argc, char** argv) {
    using namespace rumple;
    if (argc != 2) return 2;
    const Scene& scene = fuzz::checkpoint_scene();
    Simulator simulator(scene, 1);
    RunRecord record;
    for (int step = 0; step <= 20; ++step) {
        if (step % 10 == 0) {
            const std::string sealed = encode_checkpoint({scene_hash(scene), record, simulator.sim_state()});
            constexpr std::size_t kHeader = 20, kChecksum = 8;
            write_atomically(std::filesystem::path(argv[1]) / ("step_" + std::to_string(step)),
                             sealed.substr(kHeader, sealed.size() - kHeader - kChecksum));
        }
        record.add(simulator.step());
    }
    return 0;
}
