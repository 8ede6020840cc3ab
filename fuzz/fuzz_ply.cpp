#include "try_io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rumple::fuzz::try_ply(data, size);
    return 0;
}
