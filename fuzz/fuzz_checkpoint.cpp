#include "try_sim.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rumple::fuzz::try_checkpoint(data, size);
    return 0;
}
