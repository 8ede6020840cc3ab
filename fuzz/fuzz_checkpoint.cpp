#include <functional>
#include <string_view>

#include "try_sim.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // one in 16 thousand takes a step; which ones, depends on their bytes alone, so that a find stays one
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    rumple::fuzz::try_checkpoint(data, size, std::hash<std::string_view>{}(bytes) % 16384 == 0);
    return 0;
}
