#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rumple {
namespace {

constexpr double kTerminalSeconds = 0.1, kPipeSeconds = 5;
constexpr int kBarWidth = 30;

int terminal_width() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string duration_text(double seconds) {
    const auto s = static_cast<long>(std::ceil(seconds));
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
    return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

Progress::~Progress() { finish(); }

void Progress::show(double fraction, const std::string& what) {
    if (quiet_) return;
    const Clock::time_point now = Clock::now();
    if (first_fraction_ < 0) {
        first_fraction_ = fraction;
        start_ = now;
    }
    const double since_last = std::chrono::duration<double>(now - last_).count();
    if (since_last < (terminal_ ? kTerminalSeconds : kPipeSeconds)) return;
    last_ = now;

    const double elapsed = std::chrono::duration<double>(now - start_).count(),
                 done = fraction - first_fraction_;
    const std::string left = done > 0 ? duration_text(elapsed * (1 - fraction) / done) + " left" : "";
    if (!terminal_) {
        fmt::print(stderr, "{:3.0f} %  {}  {}\n", 100 * fraction, what, left);
        return;
    }
    const int full = static_cast<int>(std::lround(kBarWidth * std::clamp(fraction, 0.0, 1.0)));
    std::string line =
        fmt::format("[{}{}] {:3.0f} %  {}  {}", std::string(static_cast<std::size_t>(full), '#'),
                    std::string(static_cast<std::size_t>(kBarWidth - full), '.'), 100 * fraction, left, what);
    line.resize(std::min(line.size(), static_cast<std::size_t>(terminal_width() - 1)));
    fmt::print(stderr, "\r{}\x1b[K", line);
    std::fflush(stderr);
    line_open_ = true;
}

void Progress::finish() {
    if (line_open_) fmt::print(stderr, "\r\x1b[K");
    line_open_ = false;
}

}  // namespace rumple
