// The report of a small run: everything is in it, it needs nothing else, and words cannot break it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <experiments/experiment.hpp>
#include <experiments/paper_items.hpp>
#include <experiments/report.hpp>
#include <experiments/web_page.hpp>
#include <memory>
#include <regex>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_render/png.hpp>
#include <set>

#include "scratch_folder.hpp"

namespace rumple {
namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The first tag that does not fit, or nothing: every element that is opened is closed, in order.
std::string misfit(const std::string& html) {
    static const std::set<std::string> kVoid{"meta", "link", "img", "br", "!doctype"};
    std::vector<std::string> open;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const std::size_t end = html.find('>', at);
        if (end == std::string::npos) return "a tag without end";
        const bool closes = html[at + 1] == '/', empty = html[end - 1] == '/';
        const std::size_t from = at + (closes ? 2 : 1);
        std::string name = html.substr(from, html.find_first_of(" \n/>", from) - from);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return std::tolower(c); });
        if (kVoid.count(name) || empty) continue;
        if (!closes) {
            open.push_back(name);
            if (name == "script") at = html.find("</script>", at) - 1;  // its text is no markup
            continue;
        }
        if (open.empty() || open.back() != name) return "</" + name + ">";
        open.pop_back();
    }
    return open.empty() ? "" : "<" + open.back() + ">";
}

// One smoke run of the two quickest experiments, for all tests here.
class Report : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        scratch_ = std::make_unique<ScratchFolder>();
        for (const char* name : {"recovery-curve", "ablation"})
            reproduce(*find_experiment(name), ExperimentContext(Size::smoke, scratch_->path() / name, 0, {}),
                      "a machine <of ours> & others");
        html_ = read_file(write_report(scratch_->path()));
    }
    static void TearDownTestSuite() { scratch_.reset(); }

    inline static std::unique_ptr<ScratchFolder> scratch_;
    inline static std::string html_;
};

TEST_F(Report, HasEveryClaimWithItsVerdict) {
    const auto entries = report_entries(scratch_->path());
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].verdict["experiment"], "ablation");  // the order of the catalogue
    std::size_t rows = 0, at = 0;
    for (const ReportEntry& entry : entries)
        for (const auto& claim : entry.verdict["claims"]) {
            at = html_.find(html_text(claim["claim"].get<std::string>()), at);
            ASSERT_NE(at, std::string::npos) << claim["claim"];
            const std::size_t row = html_.rfind("<tr>", at);
            const std::string verdict = claim["verdict"];
            EXPECT_TRUE(contains(html_.substr(row, at - row), verdict.substr(0, verdict.find(" by"))))
                << claim;
            ++rows;
        }
    EXPECT_GE(rows, 13u);
    for (const ReportEntry& entry : entries)
        for (const char* key : {"paper", "ours"})
            EXPECT_TRUE(contains(html_, html_text(entry.verdict[key].get<std::string>()))) << key;
}

TEST_F(Report, HasEveryFigureInside) {
    std::size_t pictures = 0, plots = 0, films = 0;
    for (const ReportEntry& entry : report_entries(scratch_->path()))
        for (const auto& figure : entry.verdict["figures"]) {
            EXPECT_FALSE(figure.contains("trouble")) << figure;
            const std::string file = figure["file"], bytes = read_file(entry.folder / file);
            if (file.ends_with(".png")) {
                EXPECT_GT(decode_png(bytes, file).width, 100);
                EXPECT_TRUE(contains(html_, base64(bytes))) << file;
                ++pictures;
            } else if (file.ends_with(".mp4")) {
                EXPECT_TRUE(contains(html_, base64(bytes))) << file;
                ++films;
            } else {
                EXPECT_TRUE(contains(html_, bytes.substr(bytes.find("<svg")))) << file;
                ++plots;
            }
        }
    EXPECT_GE(pictures, 3u);
    EXPECT_GE(plots, 3u);
    EXPECT_GE(films, 1u);
}

// A section a figure of the paper of which something was run: every item with a verdict, its pictures once.
TEST_F(Report, HasASectionForEachFigureOfThePaper) {
    std::size_t sections = 0;
    for (const auto& figure : paper_items()) {
        std::string all;
        for (const auto& item : figure.value("items", nlohmann::json::array()))
            if (item["experiment"] == "ablation" || item["experiment"] == "recovery-curve")
                all = item["experiment"];
        const std::size_t at =
            html_.find("<h3>The paper shows</h3><p>" + html_text(figure.value("says", "")));
        EXPECT_EQ(at != std::string::npos, !all.empty()) << figure["figure"];
        if (all.empty()) continue;
        ++sections;
        const std::string section = html_.substr(at, html_.find("</section>", at) - at);
        if (figure["figure"] != "22") continue;
        for (const auto& item : figure["items"])
            EXPECT_TRUE(contains(section, html_text(item["item"].get<std::string>()))) << item;
        EXPECT_TRUE(contains(section, "one run"));
        const std::string picture = base64(read_file(scratch_->path() / "ablation/figures/friction.png"));
        EXPECT_TRUE(contains(section, picture));
        EXPECT_EQ(html_.find(picture), html_.rfind(picture));
    }
    EXPECT_EQ(sections, 3u);  // figures 2 and 22, and what is beyond the paper
}

TEST_F(Report, IsWellFormed) { EXPECT_EQ(misfit(html_), ""); }

TEST_F(Report, NeedsNothingButItself) {
    const std::regex reference(R"re((src|href)\s*=\s*"([^"]{0,40}))re");
    for (std::sregex_iterator i(html_.begin(), html_.end(), reference), end; i != end; ++i) {
        const std::string target = (*i)[2];
        EXPECT_TRUE(target.starts_with("data:") || target.starts_with("#")) << target;
    }
    EXPECT_FALSE(contains(html_, "@import"));
    EXPECT_FALSE(contains(html_, "url("));
}

TEST_F(Report, EscapesWhatItIsGiven) {
    EXPECT_TRUE(contains(html_, "a machine &lt;of ours&gt; &amp; others"));
    EXPECT_FALSE(contains(html_, "<of ours>"));
}

TEST_F(Report, SaysThatSmokeProvesNothing) { EXPECT_TRUE(contains(html_, "Smoke size")); }

TEST_F(Report, IsTheSameWhenWrittenAgain) { EXPECT_EQ(read_file(write_report(scratch_->path())), html_); }

TEST(ReportOfBadInput, EscapesClaimsAndShowsTroubleInsteadOfAPicture) {
    const ScratchFolder scratch;
    const nlohmann::json claim{{"claim", "a < b & \"c\" <script>alert(1)</script>"},
                               {"quantity", "<i>"},
                               {"values", {1}},
                               {"mean", "inf"},
                               {"why", "<b>because</b>"},
                               {"relation", ">="},
                               {"bound", 1},
                               {"verdict", "does not hold"}};
    const nlohmann::json verdict{{"experiment", "made up"},
                                 {"claims", {claim}},
                                 {"figures", {{{"file", "figures/gone.png"}, {"caption", "x"}}}}};
    std::filesystem::create_directories(scratch / "e");
    write_atomically(scratch / "e/verdict.json", verdict.dump());
    const std::string html = read_file(write_report(scratch.path()));
    EXPECT_TRUE(contains(html, "a &lt; b &amp; &quot;c&quot; &lt;script&gt;alert(1)&lt;/script&gt;"));
    EXPECT_TRUE(contains(html, "Bound: &lt;b&gt;because"));
    EXPECT_TRUE(contains(html, "∞"));
    EXPECT_TRUE(contains(html, "figures/gone.png could not be shown"));
    EXPECT_EQ(misfit(html), "");
}

TEST(ReportOfFilms, EmbedsThemWithAPosterAndLinksOnlyWhatIsHuge) {
    const ScratchFolder scratch;
    std::filesystem::create_directories(scratch / "e/figures");
    const std::string film = "not really a film";
    write_atomically(scratch / "e/figures/a.mp4", film);
    write_png(scratch / "e/figures/a.poster.png", Picture(64, 20, {200, 0, 0}));
    write_atomically(scratch / "e/figures/b.mp4", std::string(7u << 20, 'x'));
    const nlohmann::json verdict{{"experiment", "films"},
                                 {"claims", nlohmann::json::array()},
                                 {"figures",
                                  {{{"file", "figures/a.mp4"}, {"caption", "short"}},
                                   {{"file", "figures/b.mp4"}, {"caption", "huge"}}}}};
    write_atomically(scratch / "e/verdict.json", verdict.dump());
    const std::string html = read_file(write_report(scratch.path()));
    EXPECT_TRUE(contains(html, data_uri("video/mp4", film)));
    EXPECT_TRUE(contains(html, "width=\"64\" height=\"20\" poster=\"data:image/png"));
    EXPECT_TRUE(contains(html, "href=\"e/figures/b.mp4\""));
    EXPECT_LT(html.size(), 1u << 20);
    EXPECT_EQ(misfit(html), "");
}

TEST(ReportOfBadInput, NothingToReportIsAnError) {
    const ScratchFolder scratch;
    EXPECT_THROW(write_report(scratch.path()), InputError);
    std::filesystem::create_directories(scratch / "e");
    write_atomically(scratch / "e/verdict.json", "not json");
    EXPECT_THROW(write_report(scratch.path()), InputError);
}

}  // namespace
}  // namespace rumple
