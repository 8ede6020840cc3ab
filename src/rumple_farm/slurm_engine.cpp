#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <rumple/core/digest.hpp>
#include <rumple/core/error.hpp>
#include <rumple/core/index.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_farm/process.hpp>
#include <rumple_farm/slurm_engine.hpp>
#include <sstream>
#include <unordered_map>

namespace rumple::farm {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

// The jobs that a script lists, between "jobs=(" and ")".
std::vector<std::string> jobs_in(const fs::path& script) {
    std::error_code ignored;
    if (!fs::exists(script, ignored)) return {};
    const std::string text = read_file(script);
    const std::size_t begin = text.find("\njobs=("), end = text.find("\n)\n", begin);
    if (begin == std::string::npos || end == std::string::npos) return {};
    return words_of(text.substr(begin + 7, end - begin - 7));
}

fs::path script_path(const fs::path& out, int number) {
    return out / "slurm" / fmt::format("{:04}.sbatch", number);
}

JobCost larger(const JobCost& a, const JobCost& b) {
    return {std::max(a.vertices, b.vertices), std::max(a.steps, b.steps)};
}

// Tasks by the folders of the jobs that they run.
using TaskIds = std::unordered_map<std::string, std::string>;

std::string task_of(const TaskIds& tasks, const Plan& plan, int job) {
    const auto found = job >= 0 ? tasks.find(plan.jobs[at(job)].folder) : tasks.end();
    return found == tasks.end() ? "" : found->second;
}

// Arrays of the jobs that are to be submitted: those that wait for the same task together, at most kMaxTasks.
std::vector<SlurmArray> arrays_of(const Plan& plan, const std::vector<int>& jobs, const TaskIds& tasks) {
    std::vector<SlurmArray> all;
    std::map<std::string, std::size_t> open;  // by the task they wait for
    for (const int id : jobs) {
        const Job& job = plan.jobs[at(id)];
        const std::string after = task_of(tasks, plan, job.parent);
        const auto found = open.find(after);
        if (found == open.end() || all[found->second].jobs.size() >= kMaxTasks) {
            open[after] = all.size();
            all.push_back({0, {}, after, {}});
        }
        SlurmArray& array = all[open[after]];
        array.jobs.push_back(job.folder);
        array.cost = larger(array.cost, job.cost);
    }
    return all;
}

// How many beginnings a job stands behind.
int depth_of(const Plan& plan, int job) {
    int depth = 0;
    for (int parent = plan.jobs[at(job)].parent; parent >= 0; parent = plan.jobs[at(parent)].parent) ++depth;
    return depth;
}

// Neither ended nor queued, in layers: a layer waits for tasks of the layers before it.
std::vector<std::vector<int>> layers_to_submit(const fs::path& out, const Plan& plan, const TaskIds& tasks) {
    std::vector<JobState> states = states_of(out, plan);
    // What is queued will end. A beginning that is queued is as good as one that has ended.
    for (std::size_t i = 0; i < states.size(); ++i)
        if (tasks.contains(plan.jobs[i].folder)) states[i] = JobState::complete;
    const std::vector<bool> wanted = needed_jobs(plan, states);
    std::vector<std::vector<int>> layers;
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
        if (!wanted[i]) continue;
        const std::size_t depth = at(depth_of(plan, static_cast<int>(i)));
        if (layers.size() <= depth) layers.resize(depth + 1);
        layers[depth].push_back(static_cast<int>(i));
    }
    return layers;
}

}  // namespace

void require_free_options(const std::vector<std::string>& extra) {
    constexpr std::array kOurs{"job-name",  "comment", "array",      "dependency",          "output",
                               "open-mode", "requeue", "no-requeue", "kill-on-invalid-dep", "wrap"};
    for (const std::string& option : extra) {
        const std::string place = fmt::format("--sbatch \"{}\"", option);
        if (!option.starts_with("--") || option.find('\n') != std::string::npos)
            throw InputError(place, "this is not an option of sbatch", "write it in full: --account=lab");
        const std::string name = option.substr(2, option.find_first_of("= ", 2) - 2);
        if (std::find(kOurs.begin(), kOurs.end(), name) != kOurs.end())
            throw InputError(place, fmt::format("a sweep sets --{} itself", name), "leave it out");
    }
}

SlurmQueue::SlurmQueue(fs::path out, const std::string& partition)
    : out_(fs::absolute(out).lexically_normal()) {
    for (const char* program : {"sbatch", "squeue", "scancel", "sinfo"})
        if (!find_program(program))
            throw InputError("", fmt::format("there is no {} on this machine", program),
                             "submit from a machine of the cluster, or run the sweep here: --engine local");
    std::vector<std::string> command{"sinfo", "--noheader", "--format=%R"};
    const CommandResult answer = run_command(command);
    if (answer.status != 0)
        throw InputError("", fmt::format("Slurm does not answer: {}", first_line(answer.errors)),
                         "ask the administrator, or run the sweep here: --engine local");
    std::vector<std::string> names = words_of(answer.output);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (partition.empty() || std::find(names.begin(), names.end(), partition) != names.end()) return;
    throw InputError("partition", fmt::format("Slurm has no partition \"{}\"", partition),
                     fmt::format("there is {}", fmt::join(names, ", ")));
}

std::string SlurmQueue::name() const {
    Digest digest;
    digest.add(out_.string());
    return "rumple-" + digest.hex16();
}

std::vector<SlurmTask> SlurmQueue::tasks() const {
    const CommandResult answer = run_command(
        {"squeue", "--noheader", "--array", "--name=" + name(), "--format=%F %K %k %t %r", "--states=all"});
    if (answer.status != 0)
        throw SimulationError(fmt::format("squeue failed: {}", first_line(answer.errors)));
    std::map<std::string, std::vector<std::string>> scripts;
    std::vector<SlurmTask> tasks;
    std::istringstream lines(answer.output);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> words = words_of(line);
        if (words.size() < 4) continue;
        const auto state =
            slurm_state(words[3], fmt::format("{}", fmt::join(words.begin() + 4, words.end(), " ")));
        if (!state) continue;
        const auto [found, is_new] = scripts.try_emplace(words[2]);
        if (is_new) found->second = jobs_in(out_ / "slurm" / (words[2] + ".sbatch"));
        const auto index = static_cast<std::size_t>(std::strtoul(words[1].c_str(), nullptr, 10));
        if (index < found->second.size())
            tasks.push_back({found->second[index], words[0] + "_" + words[1], *state});
    }
    return tasks;
}

int SlurmQueue::next_number() const {
    int last = 0;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(out_ / "slurm", ignored))
        if (entry.path().extension() == ".sbatch")
            last = std::max(last, std::atoi(entry.path().stem().c_str()));
    return last + 1;
}

std::string SlurmQueue::submit(const SlurmArray& array, const SlurmOptions& options) const {
    const fs::path script = script_path(out_, array.number);
    fs::create_directories(script.parent_path());
    write_atomically(script, array_script(name(), out_, array, options));
    const CommandResult answer = run_command({"sbatch", "--parsable", script.string()});
    if (answer.status != 0) {
        std::error_code ignored;
        fs::remove(script, ignored);
        throw SimulationError(
            fmt::format("sbatch did not take {}: {}", script.string(), first_line(answer.errors)));
    }
    const std::string id = first_line(answer.output);
    return id.substr(0, id.find(';'));  // "17;cluster"
}

int SlurmQueue::submit(const Plan& plan, const SlurmOptions& options) const {
    TaskIds known;
    for (const SlurmTask& task : tasks()) known[task.job] = task.id;
    int submitted = 0, number = next_number();
    for (const std::vector<int>& layer : layers_to_submit(out_, plan, known))
        for (SlurmArray& array : arrays_of(plan, layer, known)) {
            array.number = number++;
            const std::string id = submit(array, options);
            for (std::size_t i = 0; i < array.jobs.size(); ++i)
                known[array.jobs[i]] = fmt::format("{}_{}", id, i);
            submitted += static_cast<int>(array.jobs.size());
        }
    return submitted;
}

void SlurmQueue::release(const std::vector<std::string>& ids) const {
    if (ids.empty()) return;
    const CommandResult answer = run_command({"scontrol", "release", fmt::format("{}", fmt::join(ids, ","))});
    if (answer.status != 0)
        throw SimulationError(fmt::format("scontrol release failed: {}", first_line(answer.errors)));
}

void SlurmQueue::cancel() const {
    const CommandResult answer = run_command({"scancel", "--name=" + name()});
    if (answer.status != 0)
        throw SimulationError(fmt::format("scancel failed: {}", first_line(answer.errors)));
}

}  // namespace rumple::farm
