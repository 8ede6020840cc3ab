#include <rumple/dynamics/state.hpp>

namespace rumple {

void HistoryArrays::resize(std::size_t n) {
    for (auto* a : {&anchor, &stick_time, &plastic, &accumulated, &clock, &dahl_stress, &strain})
        a->resize(n);
    direction.resize(n);
    loaded.resize(n);
}

}  // namespace rumple
