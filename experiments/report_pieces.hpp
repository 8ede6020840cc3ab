// Pieces of the report that its parts share.
#pragma once

#include <experiments/report.hpp>
#include <set>
#include <string>

namespace rumple {

// Of one verdict: how it is marked, so that it can be read without its colour.
struct Mark {
    const char *style, *sign, *word;
};
Mark mark_of(const std::string& verdict);

// A text of an object, for HTML; empty where there is none.
std::string text_of(const nlohmann::json& object, const char* key);
// A number, or the word that verdict.json has in its place ("inf").
std::string number_of(const nlohmann::json& value, const char* format = "{:.4g}");
std::string interval_of(const nlohmann::json& claim);  // "3.1 … 3.3"; a dash for one run
std::string bound_of(const nlohmann::json& claim);     // "≥ 2.5"

std::string figure_html(const ReportEntry& entry, const nlohmann::json& figure);
std::string picture_name(const nlohmann::json& figure);  // "figures/lifted.png": "lifted"

// One section a figure of the paper: what it shows, what was changed, verdicts with numbers, and pictures of
// ours, whose names ("crumple/lifted") are added to `shown`.
std::string figure_sections(const std::vector<ReportEntry>& entries, std::set<std::string>& shown);

}  // namespace rumple
