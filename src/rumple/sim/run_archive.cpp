#include <algorithm>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple/io/obj.hpp>
#include <rumple/sim/run_archive.hpp>

namespace rumple {

namespace fs = std::filesystem;

bool RunArchive::is_run(const fs::path& folder) { return fs::is_directory(RunLayout(folder).cache_folder()); }

std::optional<fs::path> RunArchive::folder_of(const fs::path& file) {
    const fs::path folder = fs::absolute(file).parent_path().parent_path();
    return fs::exists(RunLayout(folder).summary()) ? std::optional(folder) : std::nullopt;
}

RunArchive::RunArchive(const fs::path& folder) : layout_(folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) throw InputError(folder.string(), "there is no such folder");
    if (fs::exists(layout_.summary()))
        summary_ = parse_summary(read_file(layout_.summary()));
    else if (fs::exists(layout_.running()))
        running_ = parse_summary(read_file(layout_.running()));
}

const RunSummary& RunArchive::require_summary() const {
    if (!summary_ || summary_->cloths.empty())
        throw InputError(folder().string(), "there is no summary.json of a run",
                         "give the folder of one variant of a run that has ended");
    return *summary_;
}

bool RunArchive::has_metrics() const { return fs::exists(layout_.metrics()); }

CsvTable RunArchive::metrics() const { return read_csv(layout_.metrics()); }

std::vector<FrameNote> RunArchive::frames() const {
    if (!has_metrics()) return {};
    const CsvTable table = metrics();
    const std::vector<std::string> phases = table.text("phase");
    const std::vector<double> times = table.numbers("time"), material = table.numbers("material_time");
    std::vector<FrameNote> notes;
    for (std::size_t i = 0; i < phases.size(); ++i) notes.push_back({phases[i], times[i], material[i]});
    return notes;
}

TimingReport RunArchive::timing() const { return parse_timing(read_file(layout_.timing())); }

bool RunArchive::has_checkpoint() const { return fs::exists(layout_.checkpoint()); }

Checkpoint RunArchive::checkpoint() const { return read_checkpoint(layout_.checkpoint()); }

std::vector<fs::path> RunArchive::caches() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(layout_.cache_folder()))
        if (entry.path().extension() == ".pc2" || entry.path().extension() == ".mdd")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool RunArchive::has_memory(const std::string& cloth) const { return fs::exists(layout_.memory(cloth)); }

TriMesh RunArchive::mesh(const std::string& name) const { return read_obj(layout_.mesh(name)); }

PointCacheReader RunArchive::cache(const std::string& name) const {
    return PointCacheReader(layout_.cache(name));
}

PointCacheReader RunArchive::memory(const std::string& cloth) const {
    return PointCacheReader(layout_.memory(cloth));
}

}  // namespace rumple
