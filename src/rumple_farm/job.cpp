#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>
#include <rumple/scene/scene_hash.hpp>
#include <rumple/sim/branch_run.hpp>
#include <rumple/sim/run.hpp>
#include <rumple/sim/run_archive.hpp>
#include <rumple_farm/file_lock.hpp>
#include <rumple_farm/job.hpp>

namespace rumple::farm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadOfSummary = 4096;  // hash, source and status stand before the lists

std::string head_of(const fs::path& path) {
    std::string text(kHeadOfSummary, '\0');
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return "";
    const ssize_t length = ::read(file, text.data(), text.size());
    ::close(file);
    text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return text;
}

// The text of a key at the top of a JSON object that is laid out one key a line. A quote inside a text is
// escaped, so that the pattern cannot stand in one.
std::string text_of(const std::string& object, const char* key) {
    const std::string pattern = fmt::format("\n  \"{}\": \"", key);
    const std::size_t found = object.find(pattern);
    if (found == std::string::npos) return "";
    const std::size_t begin = found + pattern.size();
    return object.substr(begin, object.find('"', begin) - begin);
}

// While a process fills the folder. It is removed when the job has ended: who finds or makes a lock then
// finds the job ended, too.
fs::path lock_path(const fs::path& folder) { return folder / "job.lock"; }

// The states of a note and of a summary, without asking whether a process has the folder.
JobState ended_state(const fs::path& folder, bool beginning) {
    const std::string note = head_of(folder / "job.json");
    if (note.empty() || text_of(note, "source") != source_hash()) return JobState::waiting;
    if (!text_of(note, "fault").empty()) return JobState::failed;
    if (beginning) return text_of(note, "branch_point").empty() ? JobState::waiting : JobState::complete;
    const std::string summary = head_of(RunLayout(folder).summary());
    if (text_of(summary, "source") != source_hash() ||
        text_of(summary, "scene_hash") != text_of(note, "scene_hash"))
        return JobState::waiting;
    return text_of(summary, "status") == "complete" ? JobState::complete : JobState::failed;
}

// A checkpoint that another scene or other sources left would stop the run.
void remove_foreign_checkpoint(const fs::path& folder, const std::string& hash) {
    const RunLayout layout(folder);
    if (!fs::exists(layout.checkpoint())) return;
    try {
        const Checkpoint found = read_checkpoint(layout.checkpoint());
        if (found.scene_hash == hash && found.program == program_version()) return;
    } catch (const InputError&) {  // damaged
    }
    fs::remove(layout.checkpoint());
}

// Continues the beginning where there is one of the same scene and the same sources. Processors that took its
// steps are those of the run, too.
void take_beginning(const fs::path& from, const fs::path& to, const Scene& scene, int last_phase,
                    JobNote& note) {
    const std::optional<JobNote> beginning = read_note(from);
    if (!beginning || beginning->source != source_hash() ||
        beginning->branch_point != branch_point(scene, last_phase))
        return;
    try {
        if (branch_run(from, to, scene)) note.processors = beginning->processors;
    } catch (const InputError&) {  // somebody deleted a part of it: the run starts at its own start
    }
}

JobState fail(const fs::path& folder, JobNote note, const std::string& fault) {
    note.fault = fault;
    write_note(folder, note);
    return JobState::failed;
}

// Runs the job; the caller has its lock.
JobState fill(const fs::path& out, const OneJob& one, const JobOptions& options) {
    const fs::path folder = out / one.job.folder;
    JobNote note{
        .scene_hash = "", .source = source_hash(), .processors = {}, .branch_point = "", .fault = ""};
    Scene scene;
    try {
        scene = scene_of(one.plan, one.job);
        if (one.job.is_beginning()) scene = beginning_of(std::move(scene), one.job.last_phase);
    } catch (const InputError& error) {
        return fail(folder, note, error.what());
    }
    note.scene_hash = scene_hash(scene);
    remove_foreign_checkpoint(folder, note.scene_hash);
    if (fs::exists(RunLayout(folder).checkpoint())) {
        if (const auto before = read_note(folder)) note.processors = before->processors;
    } else if (one.parent) {
        take_beginning(out / one.parent->folder, folder, scene, one.parent->last_phase, note);
    }
    const std::string processor = processor_name();
    if (std::find(note.processors.begin(), note.processors.end(), processor) == note.processors.end())
        note.processors.push_back(processor);
    write_note(folder, note);

    RunOptions run{.out = folder, .resume = true, .threads = options.threads};
    run.checkpoint_seconds = options.checkpoint_seconds;
    const RunResult result = std::move(run_scenes({&scene, 1}, run).front());
    if (!one.job.is_beginning()) return result.failure.empty() ? JobState::complete : JobState::failed;
    // A beginning that failed has ended, too: who continues it fails in the same step, and says so.
    note.branch_point = branch_point(scene, one.job.last_phase);
    write_note(folder, note);
    return JobState::complete;
}

}  // namespace

const char* to_string(JobState state) {
    constexpr std::array kNames{"waiting", "running", "complete", "failed"};
    return kNames[static_cast<std::size_t>(state)];
}

bool has_ended(JobState state) { return state == JobState::complete || state == JobState::failed; }

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    std::string arm;  // has no name, but numbers of the maker and of the part
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        std::string value = line.substr(colon + 2);
        if (line.starts_with("model name")) {
            std::replace(value.begin(), value.end(), ',', ' ');
            return value;
        }
        if (line.starts_with("CPU implementer")) arm = "ARM " + value;
        if (line.starts_with("CPU part")) return arm + " " + value;
    }
    return "unknown";
}

JobState state_of(const fs::path& out, const Job& job) {
    const fs::path folder = out / job.folder;
    const JobState ended = ended_state(folder, job.is_beginning());
    return ended == JobState::waiting && FileLock::is_taken(lock_path(folder)) ? JobState::running : ended;
}

void remove_lock_of_killed(const fs::path& out, const Job& job) {
    const fs::path folder = out / job.folder, path = lock_path(folder);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return;
    const auto lock = FileLock::take(path);
    if (lock && has_ended(ended_state(folder, job.is_beginning()))) fs::remove(path, ignored);
}

JobState run_job(const fs::path& out, const std::string& name, const JobOptions& options) {
    const OneJob one = read_job(out, name);
    const fs::path folder = out / one.job.folder;
    const bool beginning = one.job.is_beginning();
    std::error_code ignored;
    const JobState before = ended_state(folder, beginning);
    if (has_ended(before) && !fs::exists(lock_path(folder), ignored)) return before;
    fs::create_directories(folder, ignored);
    const std::chrono::milliseconds patience(static_cast<std::int64_t>(1000 * options.patience_seconds));
    const auto lock = FileLock::take(lock_path(folder), patience);
    if (!lock) throw InputError(folder.string(), "another process runs this job", "wait for it, or end it");
    JobState state = ended_state(folder, beginning);  // by who had the lock before
    if (!has_ended(state)) state = fill(out, one, options);
    fs::remove(lock_path(folder), ignored);
    return state;
}

}  // namespace rumple::farm
