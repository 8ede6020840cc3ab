// Events of a run as JSON lines on the standard output, for programs that drive this one: one object on each
// line, flushed at once. docs/events.md describes them.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <rumple/core/error.hpp>
#include <rumple/sim/run.hpp>
#include <string>
#include <vector>

namespace rumple {

class EventStream {
  public:
    explicit EventStream(bool enabled) : enabled_(enabled) {}

    bool enabled() const { return enabled_; }
    // {"event": name, ...fields}
    void emit(const char* name, const nlohmann::ordered_json& fields);
    void warning(const std::string& text);
    // kind: "input" or "simulation"
    void error(const char* kind, const std::string& text, const ErrorPlace& place,
               const std::string& variant = "");
    // Shows progress at most ten times a second, and its end always. `fields` may name phase and variants.
    void progress(double fraction, nlohmann::ordered_json fields);
    void restart_progress();  // another run begins: the time left is estimated anew

    void add_folder(const std::filesystem::path& folder) { folders_.push_back(folder.string()); }
    // Calls `command`, and reports how it ended: "error" for what it throws, unless that was reported
    // already, then "done" with the exit status. Throws on what `command` throws.
    void around(const std::function<void()>& command);

  private:
    using Clock = std::chrono::steady_clock;

    void done(int status);

    bool enabled_;
    bool error_reported_ = false;
    std::vector<std::string> folders_;
    Clock::time_point start_ = Clock::now(), last_progress_;
    double first_fraction_ = -1;  // a resumed run begins with more than 0
};

// Emits what it observes.
class EventObserver : public RunObserver {
  public:
    explicit EventObserver(EventStream& events) : events_(events) {}
    void on_phase_begin(const std::vector<std::string>& variants, int phase, const Simulator& sim) override;
    void on_phase_end(const std::vector<std::string>& variants, int phase, Simulator& sim) override;
    void on_progress(const RunProgress& progress) override;
    void on_frame(const FrameWritten& frame) override;

  private:
    EventStream& events_;
};

}  // namespace rumple
