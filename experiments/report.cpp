#include <fmt/format.h>

#include <algorithm>
#include <experiments/experiment.hpp>
#include <experiments/report.hpp>
#include <experiments/report_parts.hpp>
#include <experiments/report_pieces.hpp>
#include <experiments/web_page.hpp>
#include <functional>
#include <map>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <set>

namespace rumple {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Tally {
    int holds = 0, fails = 0, open = 0;
    int all() const { return holds + fails + open; }
};
Tally tally_of(const json& verdict) {
    Tally t;
    for (const json& claim : verdict.value("claims", json::array())) {
        const std::string style = mark_of(claim.value("verdict", "")).style;
        ++(style == "holds" ? t.holds : style == "fails" ? t.fails : t.open);
    }
    return t;
}

std::string in_words(const Tally& t) {
    std::string words = fmt::format("{} of {} claims hold", t.holds, t.all());
    if (t.fails > 0) words += fmt::format(", {} do{} not", t.fails, t.fails == 1 ? "es" : "");
    if (t.open > 0) words += fmt::format(", {} not decided", t.open);
    return words;
}

std::string claim_row(const json& claim) {
    const Mark mark = mark_of(claim.value("verdict", ""));
    const std::size_t count = claim.at("values").size();
    std::string row = fmt::format("<tr><td class=\"verdict {}\"><span aria-hidden=\"true\">{}</span> {}</td>",
                                  mark.style, mark.sign, mark.word);
    row += fmt::format("<td class=\"claim\">{}<small>{}</small>", text_of(claim, "claim"),
                       text_of(claim, "quantity"));
    const std::pair<const char*, const char*> remarks[] = {
        {"why", "Bound: "}, {"changed", "Changed after a look: "}, {"note", ""}};
    for (const auto& [key, before] : remarks)
        if (claim.contains(key)) row += fmt::format("<small>{}{}</small>", before, text_of(claim, key));
    row += fmt::format(
        "</td><td class=\"number\" data-name=\"Measured\">{}</td><td class=\"number\" "
        "data-name=\"95 %\">{}</td><td class=\"number\" data-name=\"Bound\">{}</td><td class=\"number\" "
        "data-name=\"Values\">{}</td></tr>\n",
        number_of(claim.at("mean")), interval_of(claim), bound_of(claim), count);
    return row;
}

std::string claims_table(const json& claims) {
    std::string table =
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"claims\"><thead><tr><th>Verdict</th><th>Claim, "
        "and what is "
        "measured</th>"
        "<th>Measured</th><th>95 % interval</th><th>Bound</th><th>Values</th></tr></thead><tbody>\n";
    for (const json& claim : claims) table += claim_row(claim);
    return table + "</tbody></table></div>\n";
}

// With a capital and a stop.
std::string sentence(std::string words) {
    if (words.empty()) return words;
    if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words.back() == '?' ? words : words + ".";
}

// `above`: pictures that sections of the paper's figures show.
std::string section(const ReportEntry& entry, const std::set<std::string>& above) {
    const json& v = entry.verdict;
    std::string html =
        fmt::format("<section id=\"{0}\"><h2>{0}</h2>\n<p class=\"summary\">{1} {2}.</p>\n",
                    text_of(v, "experiment"), sentence(text_of(v, "summary")), in_words(tally_of(v)));
    html += fmt::format(
        "<div class=\"sides\"><div><h3>The paper says</h3><p>{}</p></div><div><h3>Run here</h3><p>{}</p>"
        "</div></div>\n",
        text_of(v, "paper"), text_of(v, "ours"));
    html += claims_table(v.value("claims", json::array()));
    std::string figures;
    for (const json& figure : v.value("figures", json::array()))
        if (!above.count(text_of(v, "experiment") + "/" + picture_name(figure)))
            figures += figure_html(entry, figure);
    if (!figures.empty()) html += "<div class=\"figures\">\n" + figures + "</div>\n";
    const std::string ran = entry.ran.is_object()
                                ? fmt::format(", {:.0f} s, finished {}", entry.ran.value("seconds", 0.0),
                                              text_of(entry.ran, "finished"))
                                : "";
    return html + fmt::format("<p class=\"summary\">Size {}, Rumple {}{}. Files: {}/</p></section>\n",
                              text_of(v, "size"), text_of(v, "version"), ran,
                              html_text(entry.folder.filename().string()));
}

// Each different value once, in the order they come.
std::string listed(const std::vector<ReportEntry>& entries,
                   const std::function<std::string(const ReportEntry&)>& value) {
    std::vector<std::string> seen;
    for (const ReportEntry& e : entries) {
        const std::string v = value(e);
        if (!v.empty() && std::find(seen.begin(), seen.end(), v) == seen.end()) seen.push_back(v);
    }
    return fmt::format("{}", fmt::join(seen, "; "));
}

std::string header(const std::vector<ReportEntry>& entries) {
    Tally all;
    bool smoke = false;
    for (const ReportEntry& e : entries) {
        const Tally t = tally_of(e.verdict);
        all = {all.holds + t.holds, all.fails + t.fails, all.open + t.open};
        smoke = smoke || e.verdict.value("size", "") == to_string(Size::smoke);
    }
    std::string html = fmt::format(
        "<header><h1>Cloth that remembers: the paper’s claims, run</h1>\n<p class=\"lede\">{}.</p>\n",
        in_words(all));
    if (smoke)
        html +=
            "<p class=\"warning\">Smoke size: this shows that everything runs. The meshes are too coarse, "
            "and the "
            "pictures too small, for the verdicts to mean anything.</p>\n";
    html +=
        "<p>Claims of D. Gong, Y. Yang, T. Shao, H. Wang, <cite>Cloth Animation with Time-dependent "
        "Persistent "
        "Wrinkles</cite> (Eurographics 2025), each turned into a number and judged by a bound of "
        "ours. The paper shows pictures and gives few numbers; docs/experiments.md says which bounds were "
        "set "
        "after looking.</p>\n<dl>";
    const auto fact = [&](const char* name, const std::string& value) {
        if (!value.empty()) html += fmt::format("<dt>{}</dt><dd>{}</dd>", name, value);
    };
    fact("Program",
         "Rumple " + listed(entries, [](const ReportEntry& e) { return text_of(e.verdict, "version"); }));
    fact("Size", listed(entries, [](const ReportEntry& e) { return text_of(e.verdict, "size"); }));
    fact("Machine", listed(entries, [](const ReportEntry& e) { return text_of(e.ran, "machine"); }));
    std::set<std::string> finished;
    for (const ReportEntry& e : entries) finished.insert(text_of(e.ran, "finished"));
    if (!finished.empty())
        fact("Finished",
             finished.size() == 1 ? *finished.begin() : *finished.begin() + " to " + *finished.rbegin());
    html +=
        "</dl>\n<nav aria-label=\"Experiments\"><div class=\"scroll\"><table><thead><tr><th>Experiment</th>"
        "<th>✓ holds</th><th>✗ does not</th><th>? not decided</th></tr></thead><tbody>\n";
    for (const ReportEntry& e : entries) {
        const Tally t = tally_of(e.verdict);
        html += fmt::format(
            "<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"number\">{1}</td><td class=\"number\">{2}</td>"
            "<td class=\"number\">{3}</td></tr>\n",
            text_of(e.verdict, "experiment"), t.holds, t.fails, t.open);
    }
    return html + "</tbody></table></div></nav></header>\n";
}

constexpr const char* kFooter =
    "<footer><h3>How to read the verdicts</h3><p>Measured is the mean over the seeds, the geometric mean "
    "where "
    "it is a ratio; beside it stands its 95 % confidence interval (Student’s t). A claim holds when the "
    "whole "
    "interval meets the bound, and does not hold when none of it does; otherwise the seeds do not decide it. "
    "A single value decides nothing: “one run”. “1 ± 0.05” asks for a value within 0.05 of 1.</p><p>Figures "
    "show the first seed; tiles of one picture share camera, light and exposure. The values of every seed "
    "are in each folder’s "
    "verdict.json, "
    "the curves in its .csv files.</p></footer>\n";

}  // namespace

std::vector<ReportEntry> report_entries(const fs::path& out) {
    std::map<std::string, ReportEntry> found;
    if (fs::is_directory(out))
        for (const auto& item : fs::directory_iterator(out)) {
            const fs::path file = item.path() / "verdict.json";
            if (!fs::is_regular_file(file)) continue;
            ReportEntry entry{item.path(), json::parse(read_file(file), nullptr, false), {}};
            if (!entry.verdict.is_object() || !entry.verdict.contains("experiment"))
                throw InputError(file.string(), "this is not a verdict",
                                 "remove it, or reproduce the experiment again");
            const fs::path ran = item.path() / "ran.json";
            if (fs::is_regular_file(ran)) entry.ran = json::parse(read_file(ran), nullptr, false);
            found[entry.verdict["experiment"].get<std::string>()] = std::move(entry);
        }
    std::vector<ReportEntry> entries;
    for (const Experiment& e : experiments())
        if (auto known = found.extract(e.name)) entries.push_back(std::move(known.mapped()));
    for (auto& [name, entry] : found) entries.push_back(std::move(entry));
    return entries;
}

std::string report_html(const std::vector<ReportEntry>& entries) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>Rumple: the paper’s claims, run</title>\n"
        "<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n<script>{}</script>\n</head>\n<body>\n",
        kReportStyle, kReportScript);
    html += header(entries) + "<main>\n";
    std::set<std::string> shown;
    const std::string by_figure = figure_sections(entries, shown);
    html += by_figure + "<h2>All claims, by experiment</h2>\n";
    for (const ReportEntry& entry : entries) html += section(entry, shown);
    return html + "</main>\n" + kFooter + "</body>\n</html>\n";
}

fs::path write_report(const fs::path& out) {
    const std::vector<ReportEntry> entries = report_entries(out);
    if (entries.empty()) throw InputError(out.string(), "there is no verdict.json to report on");
    fs::path path = out / "report.html";
    write_atomically(path, report_html(entries));
    return path;
}

}  // namespace rumple
