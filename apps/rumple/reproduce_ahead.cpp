// reproduce with an engine: the scenes of experiments as jobs, before the experiments ask for them.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <experiments/experiment.hpp>
#include <experiments/run_collector.hpp>
#include <filesystem>
#include <rumple/core/error.hpp>
#include <rumple_farm/farm_folder.hpp>
#include <set>

#include "sweep_command.hpp"

namespace rumple {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Size size_named(const std::string& name) {
    return name == "smoke" ? Size::smoke : name == "draft" ? Size::draft : Size::paper;
}

void write_line(int file, const json& line) {
    const std::string text = line.dump() + "\n";
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(file, text.data() + done, text.size() - done);
        if (n <= 0) ::_exit(1);
        done += static_cast<std::size_t>(n);
    }
}

// In a process of its own: an experiment draws its conclusions from cloth that has not moved, and need not
// survive that. What it asked for until then counts.
[[noreturn]] void collect_in_child(const Experiment& experiment, Size size, int file) {
    try {
        const RunCollector collector([&](const json& scene, const std::string& folder) {
            write_line(file, {{"folder", folder}, {"scene", scene}});
        });
        ExperimentContext context(size, "", 1, nullptr);
        context.set_peer([](const std::string&) { return std::vector{1.0}; });
        (void)experiment.reproduce(context);
    } catch (const std::exception&) {
    }
    ::_exit(0);
}

std::vector<json> runs_of(const Experiment& experiment, Size size) {
    int ends[2];
    if (::pipe(ends) != 0) throw SimulationError("there is no pipe left for another process");
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw SimulationError("no process can be started");
    if (child == 0) {
        ::close(ends[0]);
        collect_in_child(experiment, size, ends[1]);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[1 << 16];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    std::vector<json> runs;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        runs.push_back(json::parse(text.substr(begin, end - begin)));
    return runs;
}

// Every variant of every run is a job, in the folder in which the experiment will look for it.
farm::Plan plan_of(const std::vector<std::string>& names, Size size) {
    farm::Plan plan;
    plan.name = "reproduce";
    plan.folder = fs::current_path().string();
    std::vector<farm::Request> requests;
    std::set<std::string> folders;
    for (const std::string& name : names)
        for (const json& run : runs_of(*find_experiment(name), size)) {
            // Runs that another experiment has, too, are in its folder.
            const fs::path folder = (fs::path(name) / run.at("folder").get<std::string>()).lexically_normal();
            for (Variant& variant : expand_variants({run.at("scene"), name, {}})) {
                const fs::path place = variant.name.empty() ? folder : folder / variant.name;
                if (!folders.insert(place.string()).second) continue;
                requests.push_back({plan.documents.size(), {}, place.string()});
                plan.documents.push_back({place.string(), std::move(variant.document)});
            }
        }
    farm::plan_jobs(plan, std::move(requests));
    for (farm::Job& job : plan.jobs) job.cost = farm::cost_of(farm::scene_of(plan, job), job.last_phase);
    return plan;
}

}  // namespace

void run_experiments_ahead(const std::vector<std::string>& names, const std::string& size,
                           const fs::path& out, const EngineArguments& arguments, bool quiet) {
    const fs::path folder = fs::absolute(out);
    require_engine(folder, arguments);
    const farm::Plan plan = plan_of(names, size_named(size));
    if (plan.jobs.empty()) return;
    if (const auto counts = run_engine(folder, plan, arguments, quiet)) require_ended(*counts, folder, true);
}

std::vector<PlannedExperiment> plan_experiments(const std::vector<std::string>& names,
                                                const std::string& size) {
    std::vector<PlannedExperiment> planned;
    for (const std::string& name : names) {
        const farm::Plan plan = plan_of({name}, size_named(size));
        PlannedExperiment& one = planned.emplace_back(PlannedExperiment{name});
        one.runs = plan.jobs.size();
        for (const farm::Job& job : plan.jobs) {
            farm::JobCost own = job.cost;  // without the beginning that it continues
            if (job.parent >= 0) own.steps -= plan.jobs[static_cast<std::size_t>(job.parent)].cost.steps;
            one.vertices = std::max(one.vertices, own.vertices);
            one.steps += own.steps;
            one.seconds += farm::estimated_seconds(own);
            one.longest = std::max(one.longest, farm::estimated_seconds(own));
        }
    }
    return planned;
}

}  // namespace rumple
