#include "event_stream.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "exit_status.hpp"

namespace rumple {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kProgressSeconds = 0.1;

Json phase_fields(const char* state, const std::vector<std::string>& variants, int phase,
                  const Simulator& sim) {
    const State& now = sim.sim_state().state;
    return {{"state", state},
            {"phase", sim.scene().phases[static_cast<std::size_t>(phase)].name},
            {"index", phase},
            {"variants", variants},
            {"steps", sim.scene().phases[static_cast<std::size_t>(phase)].steps},
            {"time", now.time},
            {"material_time", now.material_time}};
}

}  // namespace

void EventStream::emit(const char* name, const Json& fields) {
    if (!enabled_) return;
    Json event{{"event", name}};
    event.update(fields);
    // Names of files need not be UTF-8; a line of JSON must be.
    fmt::print("{}\n", event.dump(-1, ' ', false, Json::error_handler_t::replace));
    std::fflush(stdout);
}

void EventStream::warning(const std::string& text) { emit("warning", {{"text", text}}); }

void EventStream::error(const char* kind, const std::string& text, const ErrorPlace& place,
                        const std::string& variant) {
    Json fields{{"kind", kind}, {"text", text}};
    if (!variant.empty()) fields["variant"] = variant;
    if (!place.cloth.empty()) fields["cloth"] = place.cloth;
    if (!place.vertices.empty()) fields["vertices"] = place.vertices;
    emit("error", fields);
    error_reported_ = true;
}

void EventStream::progress(double fraction, Json fields) {
    const Clock::time_point now = Clock::now();
    if (first_fraction_ < 0) first_fraction_ = fraction;
    if (fraction < 1 && std::chrono::duration<double>(now - last_progress_).count() < kProgressSeconds)
        return;
    last_progress_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count(),
                 done = fraction - first_fraction_;
    Json event{{"fraction", fraction}};
    event.update(fields);
    event["seconds"] = seconds;
    event["seconds_left"] = done > 0 ? Json(seconds * (1 - fraction) / done) : Json(nullptr);
    emit("progress", event);
}

void EventStream::restart_progress() {
    first_fraction_ = -1;
    start_ = Clock::now();
}

void EventStream::done(int status) { emit("done", {{"status", status}, {"folders", folders_}}); }

void EventStream::around(const std::function<void()>& command) {
    try {
        command();
        done(kSuccess);
    } catch (const InputError& error) {
        if (!error_reported_) this->error("input", error.what(), error.place());
        done(kBadInput);
        throw;
    } catch (const SimulationError& error) {
        if (!error_reported_) this->error("simulation", error.what(), error.place());
        done(kFailed);
        throw;
    } catch (const std::exception& error) {
        const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
        if (!error_reported_)
            this->error("simulation", memory ? "there is not enough memory" : error.what(), {});
        done(kFailed);
        throw;
    }
}

void EventObserver::on_phase_begin(const std::vector<std::string>& variants, int phase,
                                   const Simulator& sim) {
    events_.emit("phase", phase_fields("begin", variants, phase, sim));
}

void EventObserver::on_phase_end(const std::vector<std::string>& variants, int phase, Simulator& sim) {
    events_.emit("phase", phase_fields("end", variants, phase, sim));
}

void EventObserver::on_progress(const RunProgress& now) {
    events_.progress(now.fraction, {{"steps_done", now.steps_done},
                                    {"steps_to_do", now.steps_to_do},
                                    {"phase", now.phase},
                                    {"variants", now.variants}});
}

void EventObserver::on_frame(const FrameWritten& frame) {
    std::vector<std::string> files;
    for (const auto& file : frame.files) files.push_back(file.string());
    events_.emit("frame", {{"variant", frame.variant}, {"frame", frame.frame}, {"files", files}});
}

}  // namespace rumple
