// Blender without a window, as a peer of benchmarks: it runs commands in Python on a job, and answers.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace rumple {

// A folder of its own, removed in the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

// The commands read the job, whose file is their last argument, and write their answer to job["result"],
// which is set here: an object with a list "seconds" that is not empty. SimulationError, in one sentence:
// there is no such program, or it failed.
nlohmann::json run_blender(const std::string& program, int threads, const char* commands, nlohmann::json job,
                           const TemporaryFolder& folder);

}  // namespace rumple
