#include <algorithm>
#include <experiments/paper_items.hpp>

namespace rumple {

std::vector<std::string> items_with(const std::string& experiment, const std::string& claim) {
    std::vector<std::string> names;
    for (const nlohmann::json& figure : paper_items())
        for (const nlohmann::json& item : figure.value("items", nlohmann::json::array())) {
            const auto& begins = item.at("claims");
            if (item.at("experiment") == experiment &&
                std::any_of(begins.begin(), begins.end(), [&](const nlohmann::json& begin) {
                    return claim.starts_with(begin.get<std::string>());
                }))
                names.push_back(item.at("item"));
        }
    return names;
}

}  // namespace rumple
