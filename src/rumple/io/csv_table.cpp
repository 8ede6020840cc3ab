#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/csv_table.hpp>
#include <sstream>

namespace rumple {

namespace {

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> out;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) out.push_back(cell);
    return out;
}

double number_in(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size()
               ? value
               : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool CsvTable::has(const std::string& column) const {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::size_t CsvTable::index(const std::string& column) const {
    if (!has(column))
        throw InputError(name, fmt::format("there is no column '{}'", column), suggestion(column, columns));
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
}

std::vector<double> CsvTable::numbers(const std::string& column) const {
    std::vector<double> values;
    for (const std::string& cell : text(column)) values.push_back(number_in(cell));
    return values;
}

std::vector<std::string> CsvTable::text(const std::string& column) const {
    const std::size_t i = index(column);
    std::vector<std::string> values;
    for (const auto& row : rows) values.push_back(row[i]);
    return values;
}

CsvTable read_csv(const std::filesystem::path& path) {
    std::istringstream lines(read_file(path));
    CsvTable table;
    table.name = path.string();
    std::string line;
    std::getline(lines, line);
    table.columns = cells(line);
    if (table.columns.empty()) throw InputError(table.name, "the first line names no columns");
    while (std::getline(lines, line)) {
        std::vector<std::string> row = cells(line);
        if (row.size() != table.columns.size()) break;
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace rumple
