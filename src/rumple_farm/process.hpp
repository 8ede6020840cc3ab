// Other programs: started, waited for, ended.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rumple::farm {

// The program of that name in PATH; nothing: there is none.
std::optional<std::filesystem::path> find_program(const std::string& name);

// Starts a program; what it prints is appended to `log`. SimulationError: it cannot be started.
pid_t start_process(const std::vector<std::string>& command, const std::filesystem::path& log);
// The status of a process that has ended; 128 + signal for one that was killed. Nothing: it still runs.
std::optional<int> ended_status(pid_t process);

struct CommandResult {
    int status = 0;
    std::string output, errors;  // what it printed
};
// Runs a program to its end. SimulationError: it cannot be started.
CommandResult run_command(const std::vector<std::string>& command);

}  // namespace rumple::farm
