#include <signal.h>

#include <algorithm>
#include <chrono>
#include <rumple/core/index.hpp>
#include <rumple_farm/engine.hpp>
#include <rumple_farm/process.hpp>
#include <thread>

namespace rumple::farm {
namespace {

namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::milliseconds(5);

class LocalEngine {
  public:
    LocalEngine(const fs::path& out, const Plan& plan, const LocalOptions& options)
        : out_(out),
          plan_(plan),
          options_(options),
          states_(states_of(out, plan)),
          tries_(plan.jobs.size()),
          needed_(needed_jobs(plan, states_)) {
        // Jobs of a sweep that was killed may take a moment to die: who is started waits for their locks.
        for (JobState& state : states_) state = unless_by_others(state);
    }
    ~LocalEngine() { end_all(); }
    LocalEngine(const LocalEngine&) = delete;
    LocalEngine& operator=(const LocalEngine&) = delete;

    std::vector<JobState> run() {
        while (!(options_.stop && options_.stop())) {
            const bool started = start_ready();
            if (running_.empty()) break;
            if (!collect_ended() && !started) std::this_thread::sleep_for(kPause);
        }
        end_all();
        for (std::size_t i = 0; i < states_.size(); ++i)
            if (has_ended(states_[i])) remove_lock_of_killed(out_, plan_.jobs[i]);
        return states_;
    }

  private:
    struct Running {
        pid_t process;
        int job;
    };

    // What another process runs is not run by this engine.
    static JobState unless_by_others(JobState state) {
        return state == JobState::running ? JobState::waiting : state;
    }
    bool out_of_tries(std::size_t job) const { return tries_[job] >= kMaxTries; }
    // A beginning that cannot be had is no reason not to run: the job then starts at its own start.
    bool is_ready(std::size_t job) const {
        if (states_[job] != JobState::waiting || out_of_tries(job)) return false;
        const int parent = plan_.jobs[job].parent;
        return parent < 0 || has_ended(states_[at(parent)]) || out_of_tries(at(parent));
    }
    // Beginnings come first in the plan, and so they start first: others wait for them.
    bool start_ready() {
        bool changed = false;
        for (std::size_t i = first_; i < states_.size() && std::ssize(running_) < options_.jobs; ++i) {
            if (i == first_ && has_ended(states_[i])) ++first_;
            if (!is_ready(i) || !needed_[i]) continue;
            const int id = static_cast<int>(i);
            running_.push_back({start_process(options_.command(plan_.jobs[i]), out_ / "local.log"), id});
            states_[i] = JobState::running;
            changed = true;
        }
        if (changed && options_.show) options_.show(states_);
        return changed;
    }
    bool collect_ended() {
        const auto ended = [&](const Running& running) {
            if (!ended_status(running.process)) return false;
            const std::size_t job = at(running.job);
            ++tries_[job];
            states_[job] = unless_by_others(state_of(out_, plan_.jobs[job]));
            return true;
        };
        const auto rest = std::remove_if(running_.begin(), running_.end(), ended);
        if (rest == running_.end()) return false;
        running_.erase(rest, running_.end());
        if (options_.show) options_.show(states_);
        return true;
    }
    void end_all() {
        for (const Running& running : running_) ::kill(running.process, SIGTERM);
        while (!running_.empty())
            if (!collect_ended()) std::this_thread::sleep_for(kPause);
    }

    const fs::path& out_;
    const Plan& plan_;
    const LocalOptions& options_;
    std::vector<JobState> states_;
    std::vector<int> tries_;
    std::vector<bool> needed_;
    std::vector<Running> running_;
    std::size_t first_ = 0;  // all before have ended
};

}  // namespace

void FarmCounts::add(JobState state) {
    int* const counts[] = {&waiting, &running, &complete, &failed};
    ++*counts[static_cast<std::size_t>(state)];
}

std::vector<JobState> states_of(const fs::path& out, const Plan& plan) {
    std::vector<JobState> states;
    states.reserve(plan.jobs.size());
    for (const Job& job : plan.jobs) states.push_back(state_of(out, job));
    return states;
}

void update_states(const fs::path& out, const Plan& plan, std::vector<JobState>& states) {
    for (std::size_t i = 0; i < states.size(); ++i)
        if (!has_ended(states[i])) states[i] = state_of(out, plan.jobs[i]);
}

void forget_failures(const fs::path& out, const Plan& plan) {
    std::error_code ignored;
    for (const Job& job : plan.jobs)
        if (state_of(out, job) == JobState::failed) fs::remove(out / job.folder / "job.json", ignored);
}

std::vector<bool> needed_jobs(const Plan& plan, const std::vector<JobState>& states) {
    std::vector<bool> needed(plan.jobs.size());
    for (std::size_t i = plan.jobs.size(); i-- > 0;) {  // parents stand before their jobs
        if (!plan.jobs[i].is_beginning()) needed[i] = true;
        if (has_ended(states[i])) needed[i] = false;
        if (needed[i] && plan.jobs[i].parent >= 0) needed[at(plan.jobs[i].parent)] = true;
    }
    return needed;
}

FarmCounts count(const Plan& plan, const std::vector<JobState>& states, bool beginnings) {
    FarmCounts counts;
    for (std::size_t i = 0; i < states.size(); ++i)
        if (plan.jobs[i].is_beginning() == beginnings) counts.add(states[i]);
    return counts;
}

std::vector<JobState> run_local(const fs::path& out, const Plan& plan, const LocalOptions& options) {
    return LocalEngine(out, plan, options).run();
}

}  // namespace rumple::farm
