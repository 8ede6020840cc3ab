// One page about everything that was reproduced: what was run and on what, each experiment with its claims,
// verdicts, pictures, films and plots. All in one file that opens from disk.
//
//   results/<experiment>/verdict.json                  claims, measured values, bounds, verdicts
//   results/<experiment>/<group>/<variant>/            runs; one sheet of pictures a group
//   results/<experiment>/*.csv                         tables; those whose columns are known become plots
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <rumple/core/parallel.hpp>
#include <string>
#include <vector>

namespace rumple {

struct ReportOptions {
    std::vector<std::string> order;                // experiments in this order, the others after them by name
    std::map<std::string, std::string> summaries;  // a sentence for each experiment
    int tile = 300;                                // pixels of a picture's side
    int samples = 16;
    int groups = 6;                // of runs shown for an experiment; the rest is only named
    std::filesystem::path ffmpeg;  // empty: no films
    std::function<void(double fraction, const std::string& what)> progress;
};

// InputError: no experiment's verdict.json is in the folder, one of them cannot be read, or the page cannot
// be written.
void write_report(const std::filesystem::path& results, const std::filesystem::path& page,
                  const ReportOptions& options, const Threads& threads);

}  // namespace rumple
