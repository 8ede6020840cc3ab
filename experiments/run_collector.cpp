#include <experiments/run_collector.hpp>
#include <rumple/sim/run_recorder.hpp>
#include <utility>

namespace rumple {
namespace {

thread_local RunCollector* collector = nullptr;

}  // namespace

RunCollector::RunCollector(Take take) : take_(std::move(take)) { collector = this; }

RunCollector::~RunCollector() { collector = nullptr; }

RunCollector* RunCollector::current() { return collector; }

std::vector<RunResult> RunCollector::add(const nlohmann::json& scene, const std::string& name,
                                         const std::string& folder) {
    if (!folder.empty()) take_(scene, folder);
    std::vector<RunResult> results;
    for (const Scene& variant : build_variants({scene, name, {}})) {
        const Simulator simulator(variant, 1);
        results.push_back(RunRecorder(variant, {}, false).result(simulator));
    }
    return results;
}

}  // namespace rumple
