#include "try_sim.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rumple::fuzz::try_scene(data, size, RUMPLE_FUZZ_FILES);
    return 0;
}
