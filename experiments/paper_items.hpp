// The items of the paper that experiments judge, by figure: experiments/paper_items.json.
//
// A list of figures: {figure, title, says, changed, pictures: ["experiment/picture"], items}. An item has a
// name (`item`), an `experiment`, the beginnings of its `claims`, and, where it is refuted, `why`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

const nlohmann::json& paper_items();

// Items in which this claim of an experiment counts.
std::vector<std::string> items_with(const std::string& experiment, const std::string& claim);

}  // namespace rumple
