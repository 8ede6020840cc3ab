// Tables as runs and experiments write them: a line of names, then rows; no quotes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rumple {

struct CsvTable {
    std::string name;  // of the file, for errors
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    bool has(const std::string& column) const;
    // InputError, with a suggestion: no such column. A cell that is no number is NaN.
    std::vector<double> numbers(const std::string& column) const;
    std::vector<std::string> text(const std::string& column) const;

  private:
    std::size_t index(const std::string& column) const;
};

// Stops before a row that is still being written. InputError: missing, or without a line of names.
CsvTable read_csv(const std::filesystem::path& path);

}  // namespace rumple
