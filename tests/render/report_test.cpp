// The report: whole, self-contained, and honest about what does not hold.
#include <gtest/gtest.h>

#include <rumple/core/error.hpp>
#include <rumple/render/report.hpp>
#include <rumple/render/web_page.hpp>

#include "sample_run.hpp"

namespace rumple {
namespace {

void write_results(const std::filesystem::path& folder) {
    write_run(folder / "twist" / "reference-seed1" / "brief", "cotton");
    write_run(folder / "twist" / "reference-seed1" / "held", "cotton");
    write_run(folder / "twist" / "reference-seed2" / "held", "cotton");
    spill(folder / "twist" / "verdict.json",
          R"({"experiment": "twist", "size": "smoke", "version": "0.1.0", "claims": [
      {"claim": "held > brief & more", "quantity": "ratio", "values": [3.5], "mean": 3.5, "noise": 0.1, "relation": ">=", "bound": 2.5, "verdict": "holds"},
      {"claim": "nothing stays", "quantity": "rad", "values": ["inf"], "mean": "inf", "noise": 0, "relation": "<=", "bound": 0.001,
       "verdict": "does not hold", "note": "a note"}]})");
    std::filesystem::create_directories(folder / "recovery-curve");
    spill(folder / "recovery-curve" / "verdict.json", R"({"experiment": "recovery-curve", "claims": []})");
    spill(folder / "recovery-curve" / "recovery.csv",
          "d_c_rad,hold_s,recovery\n0,1,0.9\n0,100,0.5\n0.05,1,0.8\n0.05,100,0.6\n");
    spill(folder / "recovery-curve" / "notes.csv", "name,value\nfirst,1\n");
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

TEST(Report, ShowsEveryExperimentInOneFileWithoutTheNetwork) {
    ScratchFolder folder;
    write_results(folder / "results");
    ReportOptions options;
    options.tile = 40;
    options.samples = 1;
    options.order = {"twist", "recovery-curve"};
    options.summaries["twist"] = "a tube, twisted";
    write_report(folder / "results", folder / "report.html", options, Threads(2));
    const std::string page = slurp(folder / "report.html");
    for (const char* part :
         {"1 of 2 claims hold", "held &gt; brief &amp; more", "3.5 ± 0.1", "class=\"fails\">does not hold",
          "a note", "a tube, twisted", "Recovery against the time it was held", "<th>value</th>",
          "name=\"viewport\"", "prefers-color-scheme: dark", "@media print"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_LT(page.find("id=\"twist\""), page.find("id=\"recovery-curve\""));
    EXPECT_EQ(count(page, "<img"), 5u);  // two about materials, a sheet and its curve, the recovery
    EXPECT_EQ(count(page, "<img"), count(page, "src=\"data:image/"));
    EXPECT_EQ(count(page, "http"), 0u);
    EXPECT_EQ(page.find("seed2"), std::string::npos);  // repetitions are not shown
}

TEST(Report, SaysWhatIsWrong) {
    ScratchFolder folder;
    const Threads threads(1);
    expect_says(error_of<InputError>([&] { write_report(folder / "none", folder / "r.html", {}, threads); }),
                {"none", "no such folder"});
    expect_says(error_of<InputError>([&] { write_report(folder.path(), folder / "r.html", {}, threads); }),
                {"rumple reproduce"});
    std::filesystem::create_directories(folder / "twist");
    spill(folder / "twist" / "verdict.json", "{");
    expect_says(error_of<InputError>([&] { write_report(folder.path(), folder / "r.html", {}, threads); }),
                {"verdict.json"});
    spill(folder / "twist" / "verdict.json", R"({"claims": []})");
    expect_says(
        error_of<InputError>([&] { write_report(folder.path(), folder / "no" / "r.html", {}, threads); }),
        {"r.html"});
    EXPECT_FALSE(std::filesystem::exists(folder / "r.html"));
}

TEST(WebPage, Base64IsTheStandardOne) {  // RFC 4648, section 10
    EXPECT_EQ(base64(""), "");
    EXPECT_EQ(base64("f"), "Zg==");
    EXPECT_EQ(base64("fo"), "Zm8=");
    EXPECT_EQ(base64("foo"), "Zm9v");
    EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64(std::string_view("\xff\x00\xfe", 3)), "/wD+");
}

}  // namespace
}  // namespace rumple
