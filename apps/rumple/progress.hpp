// Shows how far a long job is: a bar with the time left on a terminal, plain lines now and then in a pipe.
#pragma once

#include <chrono>
#include <string>

namespace rumple {

class Progress {
  public:
    explicit Progress(bool quiet);  // writes to the standard error, or nothing at all
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // fraction in [0, 1]; what: the part under way. Shows it if the last time was long enough ago.
    void show(double fraction, const std::string& what);
    void finish();  // leaves the line, so that other output may follow

  private:
    using Clock = std::chrono::steady_clock;

    bool quiet_, terminal_;
    bool line_open_ = false;
    Clock::time_point start_, last_;
    double first_fraction_ = -1;  // of the first call: what a resumed job had done before
};

// "42 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

}  // namespace rumple
