#include <fmt/format.h>

#include <charconv>
#include <rumple/render/sheet.hpp>
#include <rumple/render/web_page.hpp>

namespace rumple {

namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #222; --faint: #666; --line: #ddd; --card: #f6f6f4;
  --good: #1a7f4b; --bad: #b3261e; --open: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --paper: #151617; --ink: #e6e6e3; --faint: #a0a09c; --line: #3a3b3d;
  --card: #1e1f21; --good: #6fd39d; --bad: #ff9a8f; --open: #e3bd5a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
nav a { margin-right: 1rem; } a { color: inherit; }
p.facts, figcaption { color: var(--faint); font-size: .9rem; }
figure { margin: 1rem 0; break-inside: avoid; } img, video, svg { max-width: 100%; height: auto; border-radius: 4px; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; } .row > figure { flex: 1 1 20rem; margin: 0; min-width: 0; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .92rem; }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.holds { color: var(--good); font-weight: 600; } .fails { color: var(--bad); font-weight: 600; }
.open { color: var(--open); font-weight: 600; } .note { color: var(--faint); font-size: .88rem; }
.wide { overflow-x: auto; }
@media (max-width: 40rem) {
  table.claims thead { display: none; } table.claims tr { display: block; background: var(--card); border-radius: 6px;
    margin: .6rem 0; padding: .4rem .6rem; } table.claims td { display: block; border: 0; padding: .15rem 0; text-align: left; white-space: normal; }
  table.claims td[data-name]::before { content: attr(data-name) ": "; color: var(--faint); } }
@media print { :root { --paper: #fff; --ink: #000; --faint: #444; --line: #bbb; } video, nav { display: none; }
  h2 { break-before: page; } tr { break-inside: avoid; } }
)css";

}  // namespace

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) -> unsigned {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
        };
        const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (int k = 0; k < 4; ++k) {
            const bool padding = i + std::size_t(k) > bytes.size();
            out += padding ? '=' : kDigits[(word >> (18 - 6 * k)) & 63u];
        }
    }
    return out;
}

std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
    return fmt::format("data:{};base64,{}", media_type, base64(bytes));
}

std::string figure(const std::string& content, const std::string& caption) {
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", content, html_text(caption));
}

std::string image_tag(std::string_view media_type, std::string_view bytes, const std::string& description) {
    return fmt::format("<img alt=\"{}\" src=\"{}\">", html_text(description), data_uri(media_type, bytes));
}

std::string film_tag(std::string_view mp4) {
    return fmt::format("<video controls loop muted playsinline preload=\"metadata\" src=\"{}\"></video>",
                       data_uri("video/mp4", mp4));
}

std::string table_tag(const CsvTable& table) {
    std::string html = "<div class=\"wide\"><table><thead><tr>";
    for (const std::string& name : table.columns) html += fmt::format("<th>{}</th>", html_text(name));
    html += "</tr></thead><tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (const std::string& cell : row) {
            double value = 0;
            const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
            const bool number = error == std::errc() && end == cell.data() + cell.size();
            html += fmt::format("<td{}>{}</td>", number ? " class=\"number\"" : "",
                                number ? short_number(value) : html_text(cell));
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string web_page(const std::string& title, const std::string& body) {
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, "
        "initial-scale=1\">\n<title>{0}</title>\n<link rel=\"icon\" "
        "href=\"data:,\">\n<style>{1}</style>\n</head>\n<body>\n<main>\n"
        "<h1>{0}</h1>\n{2}</main>\n</body>\n</html>\n",
        html_text(title), kStyle, body);
}

}  // namespace rumple
