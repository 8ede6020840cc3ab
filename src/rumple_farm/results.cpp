#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <rumple/core/error.hpp>
#include <rumple/core/index.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/sim/run_archive.hpp>
#include <rumple_farm/engine.hpp>
#include <rumple_farm/results.hpp>

namespace rumple::farm {
namespace {

namespace fs = std::filesystem;

std::string cell_of(const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// What one job has to say.
struct Outcome {
    JobState state = JobState::waiting;
    std::string processors, failure;
    std::int64_t steps = 0;
    std::vector<std::pair<std::string, std::string>> measures;  // column, number
};

void add_measures(const RunSummary& summary, Outcome& outcome) {
    const bool several = summary.cloths.size() > 1;
    const auto name = [&](const std::string& cloth, std::string_view measure) {
        return several ? fmt::format("{}.{}", cloth, measure) : std::string(measure);
    };
    for (const ClothMeasures& cloth : summary.at_end)
        for (const MeasureEntry& entry : entries(cloth.measures))
            outcome.measures.emplace_back(name(cloth.cloth, entry.name), fmt::format("{}", entry.value));
    if (!summary.recovery) return;
    for (const auto& [cloth, value] : summary.recovery->value)
        outcome.measures.emplace_back(name(cloth, "recovery"), value ? fmt::format("{}", *value) : "");
}

Outcome outcome_of(const fs::path& out, const Job& job) {
    Outcome outcome;
    outcome.state = state_of(out, job);
    if (!has_ended(outcome.state)) return outcome;
    const fs::path folder = out / job.folder;
    if (const auto note = read_note(folder)) {
        outcome.processors = fmt::format("{}", fmt::join(note->processors, " + "));
        outcome.failure = note->fault;
    }
    const RunArchive archive(folder);
    if (!archive.summary()) return outcome;
    outcome.steps = archive.summary()->counts.steps;
    if (outcome.failure.empty()) outcome.failure = archive.summary()->failure;
    if (outcome.state == JobState::complete) add_measures(*archive.summary(), outcome);
    return outcome;
}

// Columns of all outcomes, in the order in which they come first.
std::vector<std::string> measured_columns(const std::vector<Outcome>& outcomes) {
    std::vector<std::string> columns;
    for (const Outcome& outcome : outcomes)
        for (const auto& [column, value] : outcome.measures)
            if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    return columns;
}

std::vector<std::string> row_of(const ResultTable& table, const Job& job,
                                const std::vector<nlohmann::json>& values, const Outcome& outcome) {
    std::vector<std::string> row{job.folder};
    for (const nlohmann::json& value : values) row.push_back(cell_of(value));
    row.emplace_back(to_string(outcome.state));
    row.push_back(outcome.processors);
    row.push_back(has_ended(outcome.state) ? fmt::format("{}", outcome.steps) : "");
    for (const std::string& column : table.measures) {
        const auto found = std::find_if(outcome.measures.begin(), outcome.measures.end(),
                                        [&](const auto& entry) { return entry.first == column; });
        row.push_back(found == outcome.measures.end() ? "" : found->second);
    }
    row.push_back(outcome.failure);
    return row;
}

std::string quoted(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' ? ' ' : c);
    return text + "\"";
}

}  // namespace

std::size_t ResultTable::index(const std::string& column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    if (found == columns.end())
        throw InputError("results", fmt::format("there is no column \"{}\"", column),
                         suggestion(column, columns));
    return static_cast<std::size_t>(found - columns.begin());
}

std::vector<std::string> ResultTable::text(const std::string& column) const {
    const std::size_t i = index(column);
    std::vector<std::string> cells;
    for (const auto& row : rows) cells.push_back(row[i]);
    return cells;
}

std::vector<double> ResultTable::numbers(const std::string& column) const {
    std::vector<double> values;
    for (const std::string& cell : text(column)) {
        char* end = nullptr;
        const double value = std::strtod(cell.c_str(), &end);
        values.push_back(cell.empty() || *end != '\0' ? std::nan("") : value);
    }
    return values;
}

std::vector<std::string> ResultTable::processors() const {
    std::vector<std::string> names;
    for (const std::string& name : text("processor"))
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    return names;
}

ResultTable collect_results(const fs::path& out, const Plan& plan) {
    std::vector<Outcome> outcomes;
    for (const PlanRow& row : plan.rows) outcomes.push_back(outcome_of(out, plan.jobs[at(row.job)]));
    ResultTable table;
    table.keys = plan.keys;
    table.seed_key = plan.seed_key;
    table.measures = measured_columns(outcomes);
    table.columns = {"folder"};
    table.columns.insert(table.columns.end(), plan.keys.begin(), plan.keys.end());
    for (const char* column : {"status", "processor", "steps"}) table.columns.emplace_back(column);
    table.columns.insert(table.columns.end(), table.measures.begin(), table.measures.end());
    table.columns.emplace_back("failure");
    for (std::size_t i = 0; i < plan.rows.size(); ++i) {
        const Job& job = plan.jobs[at(plan.rows[i].job)];
        table.rows.push_back(row_of(table, job, plan.values_of(plan.rows[i]), outcomes[i]));
    }
    return table;
}

std::string to_csv(const ResultTable& table) {
    std::string text;
    const auto add = [&text](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0) text += ',';
            text += quoted(cells[i]);
        }
        text += "\n";
    };
    add(table.columns);
    for (const auto& row : table.rows) add(row);
    return text;
}

}  // namespace rumple::farm
