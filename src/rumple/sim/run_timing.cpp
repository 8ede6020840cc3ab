#include <nlohmann/json.hpp>
#include <rumple/core/version.hpp>
#include <rumple/sim/run_json.hpp>
#include <rumple/sim/run_timing.hpp>
#include <thread>

namespace rumple {

std::string timing_text(const TimingReport& report) {
    const RunTiming& timing = report.timing;
    const StepTiming& step = timing.step;
    nlohmann::ordered_json json;
    json["rumple"] = version();
    json["source"] = source_hash();
    json["seconds"] = {{"evaluate", step.evaluate}, {"assemble", step.assemble},
                       {"solve", step.solve},       {"advance", step.advance},
                       {"output", timing.output},   {"output_wait", timing.output_wait},
                       {"writing", timing.writing}, {"total", timing.total}};
    if (step.contact_broad + step.contact_narrow + step.contact_response > 0) {
        json["seconds"]["contact_broad"] = step.contact_broad;
        json["seconds"]["contact_narrow"] = step.contact_narrow;
        json["seconds"]["contact_response"] = step.contact_response;
    }
    json["counts"] = counts_to_json(report.counts);
    json["threads"] =
        report.threads > 0 ? report.threads : static_cast<int>(std::thread::hardware_concurrency());
    return json.dump(2) + "\n";
}

TimingReport parse_timing(const std::string& text) {
    TimingReport report;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const JsonObject file(json), seconds = file.object("seconds");
    RunTiming& timing = report.timing;
    timing.step.evaluate = seconds.number("evaluate");
    timing.step.assemble = seconds.number("assemble");
    timing.step.solve = seconds.number("solve");
    timing.step.advance = seconds.number("advance");
    timing.step.contact_broad = seconds.number("contact_broad");
    timing.step.contact_narrow = seconds.number("contact_narrow");
    timing.step.contact_response = seconds.number("contact_response");
    timing.output = seconds.number("output");
    timing.output_wait = seconds.number("output_wait");
    timing.writing = seconds.number("writing");
    timing.total = seconds.number("total");
    report.counts = counts_from_json(file.object("counts"));
    report.threads = static_cast<int>(file.integer("threads"));
    return report;
}

}  // namespace rumple
