#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <rumple/core/error.hpp>
#include <rumple_farm/process.hpp>

extern char** environ;

namespace rumple::farm {
namespace {

namespace fs = std::filesystem;

// Where a new process's files lead.
class FileActions {
  public:
    FileActions() { ::posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    void open(int file, const char* path, int flags) {
        ::posix_spawn_file_actions_addopen(&actions_, file, path, flags, 0644);
    }
    void copy(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
    const posix_spawn_file_actions_t* get() const { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_{};
};

pid_t spawn(const std::vector<std::string>& command, const FileActions& actions) {
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t process = 0;
    const int fault =
        ::posix_spawnp(&process, arguments.front(), actions.get(), nullptr, arguments.data(), environ);
    if (fault != 0)
        throw SimulationError(
            fmt::format("{}: the program cannot be started: {}", command.front(), std::strerror(fault)));
    return process;
}

int status_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

struct Pipe {
    Pipe() {
        if (::pipe2(ends, O_CLOEXEC) != 0) throw SimulationError("there is no pipe left for another program");
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_end(int which) {
        if (ends[which] >= 0) ::close(ends[which]);
        ends[which] = -1;
    }
    std::string read_all() const {
        std::string text;
        char buffer[4096];
        for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) != 0;) {
            if (n < 0 && errno != EINTR) break;
            if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
        }
        return text;
    }
    int ends[2] = {-1, -1};
};

}  // namespace

std::optional<fs::path> find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string rest = path != nullptr ? path : "/usr/bin:/bin";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const fs::path program = fs::path(rest.substr(0, colon)) / name;
        if (::access(program.c_str(), X_OK) == 0) return program;
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    return std::nullopt;
}

pid_t start_process(const std::vector<std::string>& command, const fs::path& log) {
    FileActions actions;
    actions.open(0, "/dev/null", O_RDONLY);
    actions.open(1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND);
    actions.copy(1, 2);
    return spawn(command, actions);
}

std::optional<int> ended_status(pid_t process) {
    int status = 0;
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return status_of(status);
    if (ended < 0 && errno != EINTR) return 0;  // somebody else has waited for it
    return std::nullopt;
}

CommandResult run_command(const std::vector<std::string>& command) {
    Pipe output;
    char name[] = "/tmp/rumple-errors-XXXXXX";  // a file: nobody has to read two pipes at once
    const int errors = ::mkostemp(name, O_CLOEXEC);
    if (errors < 0) throw SimulationError("no file can be made in /tmp");
    ::unlink(name);
    FileActions actions;
    actions.open(0, "/dev/null", O_RDONLY);
    actions.copy(output.ends[1], 1);
    actions.copy(errors, 2);
    CommandResult result;
    const pid_t process = spawn(command, actions);
    output.close_end(1);
    result.output = output.read_all();
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = status_of(status);
    char buffer[2048];
    const ssize_t length = ::pread(errors, buffer, sizeof buffer, 0);
    if (length > 0) result.errors.assign(buffer, static_cast<std::size_t>(length));
    ::close(errors);
    return result;
}

}  // namespace rumple::farm
