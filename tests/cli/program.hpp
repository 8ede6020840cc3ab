// Starts the built program as a user would, and looks at what it says and how it ends.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sim/folder_contents.hpp"

namespace rumple {

struct Ended {
    int status = -1;  // exit status; -1: killed by a signal
    std::string out, err;
};

// Runs in `folder`; with kill_after >= 0, the program is killed (SIGKILL: it cannot react) after so many
// seconds.
inline Ended run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                         double kill_after = -1) {
    std::vector<char*> argv{const_cast<char*>("rumple")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const std::string out = folder / ".stdout", err = folder / ".stderr";
    const pid_t child = ::fork();
    if (child == 0) {
        const int o = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        const int e = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (::chdir(folder.c_str()) != 0 || ::dup2(o, STDOUT_FILENO) < 0 || ::dup2(e, STDERR_FILENO) < 0)
            ::_exit(99);
        ::execv(RUMPLE_PROGRAM, argv.data());
        ::_exit(99);
    }
    int status = 0;
    bool ended_already = false;
    if (kill_after >= 0) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kill_after);
        while (!ended_already && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ended_already = ::waitpid(child, &status, WNOHANG) == child;
        }
        if (!ended_already) ::kill(child, SIGKILL);
    }
    if (!ended_already) ::waitpid(child, &status, 0);
    Ended ended{WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(out), slurp(err)};
    std::filesystem::remove(out);
    std::filesystem::remove(err);
    return ended;
}

// Bad input: status 2, one sentence on the standard error that holds all `parts`, nothing on the standard
// output.
inline void expect_refused(const Ended& ended, std::initializer_list<const char*> parts) {
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err.rfind("rumple: ", 0), 0u) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    for (const char* part : parts)
        EXPECT_NE(ended.err.find(part), std::string::npos) << "'" << part << "' is not in: " << ended.err;
}

}  // namespace rumple
