// The report's sections by figure of the paper.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <experiments/claim.hpp>
#include <experiments/paper_items.hpp>
#include <experiments/report_pieces.hpp>
#include <experiments/web_page.hpp>

namespace rumple {

namespace {

using nlohmann::json;

const ReportEntry* entry_of(const std::vector<ReportEntry>& entries, const std::string& experiment) {
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const ReportEntry& e) {
        return e.verdict.value("experiment", "") == experiment;
    });
    return found == entries.end() ? nullptr : &*found;
}

std::vector<json> claims_of_item(const json& item, const ReportEntry& entry) {
    std::vector<json> some;
    for (const json& claim : entry.verdict.value("claims", json::array())) {
        const std::vector<std::string> names = items_with(item.at("experiment"), claim.value("claim", ""));
        if (std::find(names.begin(), names.end(), item.at("item").get<std::string>()) != names.end())
            some.push_back(claim);
    }
    return some;
}

// Refuted if one claim does not hold, otherwise open if one is not decided.
const json& deciding(const std::vector<json>& claims) {
    for (const Verdict verdict : {Verdict::does_not_hold, Verdict::undecided, Verdict::one_run})
        for (const json& claim : claims)
            if (claim.value("verdict", "") == to_string(verdict)) return claim;
    return claims.front();
}

std::string item_row(const json& item, const std::vector<json>& claims) {
    const json& claim = deciding(claims);
    const Mark mark = mark_of(claim.value("verdict", ""));
    const auto hold = std::count_if(claims.begin(), claims.end(), [](const json& c) {
        return c.value("verdict", "") == to_string(Verdict::holds);
    });
    std::string row = fmt::format(
        "<tr><td class=\"verdict {}\"><span aria-hidden=\"true\">{}</span> {}</td><td class=\"claim\">{}"
        "<small>{} of {} claims of <a href=\"#{}\">{}</a> hold; measured: {}</small>",
        mark.style, mark.sign, mark.word, text_of(item, "item"), hold, claims.size(),
        text_of(item, "experiment"), text_of(item, "experiment"), text_of(claim, "quantity"));
    if (std::string(mark.style) == "fails" && item.contains("why"))
        row += fmt::format("<small>Why: {}</small>", text_of(item, "why"));
    return row + fmt::format(
                     "</td><td class=\"number\" data-name=\"Measured\">{}</td><td class=\"number\" "
                     "data-name=\"95 %\">{}</td><td class=\"number\" data-name=\"Bound\">{}</td><td "
                     "class=\"number\" data-name=\"Values\">{}</td></tr>\n",
                     number_of(claim.at("mean")), interval_of(claim), bound_of(claim),
                     claim.at("values").size());
}

std::string rows_of(const json& figure, const std::vector<ReportEntry>& entries) {
    std::string rows;
    for (const json& item : figure.value("items", json::array())) {
        const ReportEntry* entry = entry_of(entries, item.at("experiment"));
        if (!entry) continue;
        if (const auto claims = claims_of_item(item, *entry); !claims.empty()) rows += item_row(item, claims);
    }
    return rows;
}

std::string pictures_of(const json& figure, const std::vector<ReportEntry>& entries,
                        std::set<std::string>& shown) {
    std::string html;
    for (const std::string name : figure.value("pictures", json::array())) {
        const std::size_t slash = name.find('/');
        const ReportEntry* entry = entry_of(entries, name.substr(0, slash));
        if (!entry) continue;
        for (const json& picture : entry->verdict.value("figures", json::array()))
            if (picture_name(picture) == name.substr(slash + 1)) {
                html += figure_html(*entry, picture);
                shown.insert(name);
            }
    }
    return html.empty() ? "" : "<div class=\"figures\">\n" + html + "</div>\n";
}

// "3, 17 to 20": "Figures 3, 17 to 20".
std::string heading(const json& figure) {
    const std::string number = text_of(figure, "figure"), title = text_of(figure, "title");
    if (number == "ours") return title;
    if (std::isdigit(static_cast<unsigned char>(number[0])) == 0) {
        std::string capital = number;
        capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[0])));
        return capital + ": " + title;
    }
    return (number.find_first_of(",t") == std::string::npos ? "Figure " : "Figures ") + number + ": " + title;
}

}  // namespace

std::string figure_sections(const std::vector<ReportEntry>& entries, std::set<std::string>& shown) {
    std::string html;
    for (const json& figure : paper_items()) {
        const std::string rows = rows_of(figure, entries);
        if (rows.empty()) continue;
        const std::string changed = text_of(figure, "changed");
        html += fmt::format(
            "<section class=\"paper-figure\"><h2>{}</h2>\n<div class=\"sides\"><div><h3>The paper "
            "shows</h3><p>{}</p></div><div><h3>Changed here</h3><p>{}</p></div></div>\n",
            heading(figure), text_of(figure, "says"), changed.empty() ? "Nothing." : changed);
        html +=
            "<div class=\"scroll\" tabindex=\"0\"><table class=\"claims\"><thead><tr><th>Verdict</th>"
            "<th>Item, and the claim that decides</th><th>Measured</th><th>95 % interval</th>"
            "<th>Bound</th><th>Values</th></tr></thead><tbody>\n" +
            rows + "</tbody></table></div>\n" + pictures_of(figure, entries, shown) + "</section>\n";
    }
    return html;
}

}  // namespace rumple
