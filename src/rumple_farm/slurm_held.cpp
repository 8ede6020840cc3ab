// Tasks that Slurm could not start: a full disk or a lost mount on one node is enough.
#include <algorithm>
#include <rumple_farm/slurm_engine.hpp>

namespace rumple::farm {

std::optional<SlurmTaskState> slurm_state(const std::string& state, const std::string& reason) {
    const auto is_one_of = [&state](std::initializer_list<const char*> names) {
        return std::find(names.begin(), names.end(), state) != names.end();
    };
    if (is_one_of({"R", "CG", "CF", "S"})) return SlurmTaskState::running;
    if (!is_one_of({"PD", "RQ", "RH", "SE"})) return std::nullopt;
    if (reason.find("launch") != std::string::npos && reason.find("held") != std::string::npos)
        return SlurmTaskState::held;
    if (reason == "JobHoldMaxRequeue") return SlurmTaskState::held;
    return reason.starts_with("Dependency") ? SlurmTaskState::dependent : SlurmTaskState::queued;
}

std::int64_t count(const std::vector<SlurmTask>& tasks, SlurmTaskState state) {
    return std::count_if(tasks.begin(), tasks.end(),
                         [state](const SlurmTask& t) { return t.state == state; });
}

std::vector<std::string> HeldTasks::to_release(const std::vector<SlurmTask>& tasks, Time now) {
    std::vector<std::string> ids;
    for (const SlurmTask& task : tasks) {
        if (task.state != SlurmTaskState::held) continue;
        Released& released = released_.try_emplace(task.id, Released{0, now}).first->second;
        if (released.times == kMaxReleases || now < released.next) continue;
        released.next = now + kFirstPause * (1 << released.times);
        ++released.times;
        ids.push_back(task.id);
    }
    return ids;
}

bool HeldTasks::are_all(const std::vector<SlurmTask>& tasks) const {
    const auto is_held_for_good = [this](const SlurmTask& task) {
        if (task.state == SlurmTaskState::dependent) return true;
        const auto found = released_.find(task.id);
        return task.state == SlurmTaskState::held && found != released_.end() &&
               found->second.times == kMaxReleases;
    };
    return count(tasks, SlurmTaskState::held) > 0 &&
           std::all_of(tasks.begin(), tasks.end(), is_held_for_good);
}

}  // namespace rumple::farm
