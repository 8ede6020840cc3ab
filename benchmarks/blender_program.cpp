#include "blender_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <rumple/core/error.hpp>
#include <system_error>
#include <vector>

namespace rumple {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

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

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "rumple-blender-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        throw SimulationError(fmt::format("{}: no temporary folder can be made", pattern));
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

json run_blender(const std::string& program, int threads, const char* commands, json job,
                 const TemporaryFolder& folder) {
    const fs::path script = folder / "commands.py", job_file = folder / "job.json",
                   result = folder / "result.json", log = folder / "log";
    job["result"] = result.string();
    std::ofstream(script) << commands;
    std::ofstream(job_file) << job.dump();
    const int status = run_quietly(
        {program, "--background", "--factory-startup", "-noaudio", "--threads", std::to_string(threads),
         "--python-exit-code", "1", "--python", script.string(), "--", job_file.string()},
        log);
    if (status == -ENOENT)
        throw SimulationError(fmt::format("there is no program '{}' on the PATH", program));
    if (status < 0)
        throw SimulationError(fmt::format("'{}' cannot be run: {}", program, std::strerror(-status)));
    std::ifstream in(result);
    json answer = json::parse(in, nullptr, false);
    if (status != 0 || !answer.is_object() || answer.value("seconds", json::array()).empty())
        throw SimulationError(fmt::format("'{}' ended with status {} and without a result: {}", program,
                                          status, last_words(log)));
    return answer;
}

}  // namespace rumple
