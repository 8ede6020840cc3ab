#include <fmt/format.h>

#include <experiments/claim.hpp>
#include <experiments/report_pieces.hpp>
#include <experiments/web_page.hpp>
#include <rumple/io/atomic_file.hpp>

namespace rumple {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kEmbeddedFilm = 6u << 20;  // bytes; larger films are linked

// Width and height stand in a PNG's first chunk; the page then keeps their place before they are decoded.
std::pair<unsigned, unsigned> png_size(const std::string& png) {
    const auto number = [&](std::size_t at) {
        unsigned n = 0;
        for (std::size_t i = 0; i < 4; ++i) n = n << 8 | static_cast<unsigned char>(png[at + i]);
        return n;
    };
    return png.size() < 24 ? std::pair{0u, 0u} : std::pair{number(16), number(20)};
}

std::string media(const fs::path& folder, const std::string& file, const std::string& caption, bool& wide) {
    const fs::path path = folder / file;
    const std::string extension = path.extension().string();
    if (extension == ".mp4" && fs::file_size(path) > kEmbeddedFilm)
        return fmt::format("<p><a href=\"{0}/{1}\">Film: {0}/{1}</a></p>",
                           html_text(folder.filename().string()), html_text(file));
    const std::string bytes = read_file(path);
    if (extension == ".svg") return bytes.substr(std::min(bytes.size(), bytes.find("<svg")));
    if (extension == ".mp4") {
        const fs::path poster = fs::path(path).replace_extension(".poster.png");
        std::string before;
        if (fs::is_regular_file(poster)) {
            const std::string png = read_file(poster);
            const auto [width, height] = png_size(png);
            wide = width > 1.6 * height || width > 900;
            before = fmt::format(" width=\"{}\" height=\"{}\" poster=\"{}\"", width, height,
                                 data_uri("image/png", png));
        }
        return fmt::format("<video controls muted loop playsinline preload=\"auto\"{} src=\"{}\"></video>",
                           before, data_uri("video/mp4", bytes));
    }
    const auto [width, height] = png_size(bytes);
    wide = width > 1.6 * height || width > 900;
    return fmt::format("<img alt=\"{}\" width=\"{}\" height=\"{}\" src=\"{}\">", html_text(caption), width,
                       height, data_uri("image/png", bytes));
}

}  // namespace

Mark mark_of(const std::string& verdict) {
    if (verdict == to_string(Verdict::holds)) return {"holds", "✓", "holds"};
    if (verdict == to_string(Verdict::does_not_hold)) return {"fails", "✗", "does not hold"};
    if (verdict == to_string(Verdict::one_run)) return {"open", "1", "one run"};
    return {"open", "?", "not decided"};
}

std::string text_of(const json& object, const char* key) {
    return html_text(object.is_object() ? object.value(key, std::string()) : std::string());
}

std::string number_of(const json& value, const char* format) {
    if (value.is_number()) return fmt::format(fmt::runtime(format), value.get<double>());
    const std::string word = value.is_string() ? value.get<std::string>() : "?";
    return word == "inf" ? "∞" : html_text(word);
}

std::string interval_of(const json& claim) {
    const json interval = claim.value("interval", json::array());  // files of older versions have none
    if (claim.at("values").size() < 2 || interval.size() != 2) return "–";
    return fmt::format("{} … {}", number_of(interval[0], "{:.3g}"), number_of(interval[1], "{:.3g}"));
}

std::string bound_of(const json& claim) {
    const std::string relation = claim.value("relation", ""), bound = number_of(claim.at("bound"), "{:g}");
    return (relation == "within" ? "1 ± " : relation == ">=" ? "≥ " : "≤ ") + bound;
}

std::string figure_html(const ReportEntry& entry, const json& figure) {
    const std::string file = figure.value("file", ""), caption = figure.value("caption", "");
    std::string inside, trouble = figure.value("trouble", "");
    bool wide = false;
    if (trouble.empty()) try {
            inside = media(entry.folder, file, caption, wide);
        } catch (const std::exception& error) {
            trouble = error.what();
        }
    if (!trouble.empty())
        inside = fmt::format("<p class=\"warning\">{} could not be shown: {}</p>", html_text(file),
                             html_text(trouble));
    return fmt::format("<figure{}><div>{}</div><figcaption>{}</figcaption></figure>\n",
                       wide ? " class=\"wide\"" : "", inside, html_text(caption));
}

std::string picture_name(const json& figure) { return fs::path(figure.value("file", "")).stem().string(); }

}  // namespace rumple
