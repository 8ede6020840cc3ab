// The results of a sweep as one table: a row for each point, in the order of the sweep. The same bytes
// whatever engine ran it, and in whatever order.
#pragma once

#include <filesystem>
#include <rumple_farm/job.hpp>
#include <string>
#include <vector>

namespace rumple::farm {

struct ResultTable {
    std::vector<std::string> keys;      // columns that the sweep varies
    std::string seed_key;               // one of them; empty: none
    std::vector<std::string> columns;   // folder, keys, status, processor, steps, measures, failure
    std::vector<std::string> measures;  // columns of numbers that resulted
    std::vector<std::vector<std::string>> rows;

    // Of one column; InputError, with a suggestion: there is none of that name.
    std::size_t index(const std::string& column) const;
    // A cell that is no number is NaN.
    std::vector<double> numbers(const std::string& column) const;
    std::vector<std::string> text(const std::string& column) const;
    // Processors that ran jobs. More than one: results may differ in their last digits (docs/determinism.md).
    std::vector<std::string> processors() const;
};

// Of the jobs that have ended; the others have a status and no numbers.
ResultTable collect_results(const std::filesystem::path& out, const Plan& plan);
// Comma-separated; a cell with a comma or a quote stands in quotes.
std::string to_csv(const ResultTable& table);

}  // namespace rumple::farm
