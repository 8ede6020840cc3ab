#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <rumple/core/digest.hpp>
#include <rumple/core/error.hpp>
#include <rumple/scene/run_start.hpp>
#include <rumple/sim/run_archive.hpp>

namespace rumple {
namespace {

namespace fs = std::filesystem;

// Runs of variants in this folder.
std::vector<std::string> variants_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (fs::exists(RunLayout(entry.path()).checkpoint(), ignored))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

RunArchive require_ended(const Place& place, const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        place.fail(fmt::format("there is no folder {}", folder.string()),
                   "give the folder of a run that has ended");
    RunArchive archive(folder);
    if (!archive.has_checkpoint()) {
        const std::vector<std::string> variants = variants_in(folder);
        place.fail(fmt::format("{} has no checkpoint", folder.string()),
                   variants.empty() ? "give the folder of a run that has ended"
                                    : fmt::format("it has runs of variants, give one of them: {}",
                                                  fmt::join(variants, ", ")));
    }
    if (!archive.has_ended() || !archive.summary()->failure.empty())
        place.fail(fmt::format("the run in {} has not reached its end", folder.string()), "resume it first");
    return archive;
}

std::string digest_of(const RunStart& start) {
    Digest digest;
    digest.add(start.x);
    digest.add(start.v);
    for (const HistoryArrays* history : {&start.bending, &start.membrane})
        for_each_history_column([&](const HistoryVariable&, const auto& column) { digest.add(column); },
                                *history);
    return digest.hex32();
}

}  // namespace

std::shared_ptr<RunStart> read_run_start(const Place& place, const fs::path& folder) {
    const RunArchive archive = require_ended(place, folder);
    Checkpoint checkpoint;
    try {
        checkpoint = archive.checkpoint();
    } catch (const InputError& error) {
        throw InputError(place.where(), error.what());
    }
    auto start = std::make_shared<RunStart>();
    State& state = checkpoint.sim.state;
    start->x = std::move(state.x);
    start->v = std::move(state.v);
    start->bending = std::move(state.bending);
    start->membrane = std::move(state.membrane);
    start->cloths = std::move(checkpoint.cloths);
    start->digest = digest_of(*start);
    return start;
}

}  // namespace rumple
