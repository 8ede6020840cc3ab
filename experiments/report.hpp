// One page that says what was run and what came of it: report.html, made from the files that `reproduce`
// left. It opens from the disk and needs nothing else: pictures, plots and small films are inside. Larger
// films are linked beside it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rumple {

// What the report shows of one experiment.
struct ReportEntry {
    std::filesystem::path folder;  // figures lie below it
    nlohmann::json verdict;        // verdict.json
    nlohmann::json ran;            // ran.json; null: not there
};

// Every experiment in out/*/verdict.json, in the order of the catalogue and then by name. InputError: one
// cannot be read.
std::vector<ReportEntry> report_entries(const std::filesystem::path& out);

std::string report_html(const std::vector<ReportEntry>& entries);

// Writes out/report.html and returns its path. InputError: there is no verdict to report, or no place to
// write.
std::filesystem::path write_report(const std::filesystem::path& out);

}  // namespace rumple
