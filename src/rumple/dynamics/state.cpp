#include <rumple/dynamics/state.hpp>
#include <type_traits>

namespace rumple {

void HistoryArrays::resize(std::size_t components, const HistoryLayout& layout) {
    for_each_history_column([&](const HistoryVariable& variable,
                                auto& column) { column.resize(components * variable.width(layout)); },
                            *this);
}

bool HistoryArrays::fits(std::size_t components, const HistoryLayout& layout) const {
    bool all = true;
    for_each_history_column(
        [&](const HistoryVariable& variable, const auto& column) {
            all = all && column.size() == components * variable.width(layout);
        },
        *this);
    return all;
}

ComponentHistory<double> HistoryArrays::get(std::size_t i) const {
    ComponentHistory<double> history;
    for_each_history_field(
        [i](auto& field, const auto& column) {
            if (!column.empty()) field = static_cast<std::remove_reference_t<decltype(field)>>(column[i]);
        },
        history, *this);
    return history;
}

void HistoryArrays::set(std::size_t i, const ComponentHistory<double>& history) {
    for_each_history_field(
        [i](const auto& field, auto& column) {
            using Stored = typename std::remove_reference_t<decltype(column)>::value_type;
            if (!column.empty()) column[i] = static_cast<Stored>(field);
        },
        history, *this);
}

}  // namespace rumple
