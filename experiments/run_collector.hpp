// Which runs an experiment would make, without making them.
//
// While a RunCollector lives, ExperimentContext::run() and watch() of this thread simulate nothing: the
// collector is given the scene and the folder, and the experiment gets the cloth as it is before the first
// step. What the experiment concludes from that means nothing. `reproduce` uses it to run many scenes at once
// before the experiment asks for them one by one.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <rumple/sim/run.hpp>
#include <string>
#include <vector>

namespace rumple {

class RunCollector {
  public:
    using Take = std::function<void(const nlohmann::json& scene, const std::string& folder)>;

    explicit RunCollector(Take take);
    ~RunCollector();
    RunCollector(const RunCollector&) = delete;
    RunCollector& operator=(const RunCollector&) = delete;

    static RunCollector* current();  // null: runs are simulated

    // `folder` is empty for a run in memory.
    std::vector<RunResult> add(const nlohmann::json& scene, const std::string& name,
                               const std::string& folder);

  private:
    Take take_;
};

}  // namespace rumple
