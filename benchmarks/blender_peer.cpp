#include "blender_peer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <rumple/core/error.hpp>
#include <system_error>

#include "blender_script.hpp"

namespace rumple {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kSubsteps = 4;  // a frame; a power of two, so that Blender's sum of substeps ends exactly there

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (fs::temp_directory_path() / "rumple-blender-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw SimulationError(fmt::format("{}: no temporary folder can be made", pattern));
        path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path operator/(const char* name) const { return path_ / name; }

  private:
    fs::path path_;
};

json job_of(TwistCase& twist, int first_step, const fs::path& result) {
    const StepInput end = twist.input(twist.twist_steps() - 1);
    const auto last = static_cast<std::size_t>(end.handles.vertices.back());
    const Vec3d from = twist.model().initial[last], to = end.handles.targets.back();
    json job{{"result", result.string()},
             {"ring", end.handles.vertices.size() / 2},
             {"frames", twist.twist_steps() / kSubsteps},
             {"substeps", kSubsteps},
             {"substep", end.h},
             {"turn", std::atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y)},
             {"lowered", from.z - to.z},
             {"first_frame", first_step / kSubsteps},
             {"faces", twist.model().triangles}};
    for (const Vec3d& x : twist.model().initial) job["vertices"].push_back({x.x, x.y, x.z});
    for (const Vec3d& x : end.handles.targets) job["held_at_end"].push_back({x.x, x.y, x.z});
    return job;
}

// Waits for the program; what it says goes to `log`. Its exit status, or an error of its start as a negative
// one.
int run_quietly(std::vector<std::string> words, const fs::path& log) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0644);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = -1;
    const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return -failed;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string last_words(const fs::path& log) {
    std::ifstream in(log);
    std::string line, last = "it said nothing";
    while (std::getline(in, line))
        if (line.find_first_not_of(" \t") != std::string::npos && line != "Blender quit") last = line;
    return last;
}

}  // namespace

std::string BlenderTimes::name() const {
    return fmt::format("blender, {} thread{}", threads, threads == 1 ? "" : "s");
}

BlenderTimes time_blender(TwistCase& twist, int first_step, int threads, const std::string& program) {
    const TemporaryFolder folder;
    const fs::path script = folder / "twist.py", job = folder / "job.json", result = folder / "result.json",
                   log = folder / "log";
    std::ofstream(script) << kBlenderScript;
    std::ofstream(job) << job_of(twist, first_step, result).dump();
    const int status = run_quietly(
        {program, "--background", "--factory-startup", "-noaudio", "--threads", std::to_string(threads),
         "--python-exit-code", "1", "--python", script.string(), "--", job.string()},
        log);
    if (status == -ENOENT)
        throw SimulationError(fmt::format("there is no program '{}' on the PATH", program));
    if (status < 0)
        throw SimulationError(fmt::format("'{}' cannot be run: {}", program, std::strerror(-status)));
    std::ifstream in(result);
    const json answer = json::parse(in, nullptr, false);
    if (status != 0 || !answer.is_object() || answer.value("seconds", json::array()).empty())
        throw SimulationError(fmt::format("'{}' ended with status {} and without a result: {}", program,
                                          status, last_words(log)));
    BlenderTimes times{
        .version = answer.at("version"), .threads = threads, .pins_off = answer.at("pins_off")};
    for (double s : answer.at("seconds")) times.seconds.add(s);
    for (double s : answer.at("overhead")) times.overhead.add(s);
    for (double n : answer.at("iterations")) times.iterations.add(n);
    return times;
}

json to_json(const BlenderTimes& times) {
    return {{"name", times.name()},
            {"version", times.version},
            {"threads", times.threads},
            {"seconds_per_substep", to_json(times.seconds)},
            {"overhead_seconds_per_substep", to_json(times.overhead)},
            {"iterations_per_substep", to_json(times.iterations)},
            {"substeps_per_frame", kSubsteps},
            {"pins_off_metres", times.pins_off}};
}

}  // namespace rumple
