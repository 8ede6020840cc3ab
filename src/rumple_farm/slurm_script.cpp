#include <fmt/format.h>

#include <rumple/core/version.hpp>
#include <rumple_farm/slurm_engine.hpp>

namespace rumple::farm {
namespace {

// A path in an #SBATCH line: % begins a pattern, and a blank would end the option.
std::string sbatch_path(const std::string& path) {
    std::string text;
    for (const char c : path) {
        if (c == '%' || c == '"' || c == '\\') text += c == '%' ? '%' : '\\';
        text += c;
    }
    return text.find_first_of(" '\"") == std::string::npos ? text : "\"" + text + "\"";
}

}  // namespace

std::string in_shell_quotes(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string array_script(const std::string& name, const std::filesystem::path& out, const SlurmArray& array,
                         const SlurmOptions& options) {
    const int minutes = options.minutes > 0 ? options.minutes : time_limit_minutes(array.cost);
    const int megabytes = options.megabytes > 0 ? options.megabytes : memory_limit_megabytes(array.cost);
    std::string text = "#!/bin/bash\n";
    const auto option = [&](const std::string& line) { text += "#SBATCH " + line + "\n"; };
    text +=
        fmt::format("# Part of a sweep, written by rumple {}: {} jobs of {} vertices and {} steps at most.\n",
                    version(), array.jobs.size(), array.cost.vertices, array.cost.steps);
    option("--job-name=" + name);
    option(fmt::format("--comment={:04}", array.number));
    const std::string at_a_time = options.max_running > 0 ? fmt::format("%{}", options.max_running) : "";
    option(fmt::format("--array=0-{}{}", array.jobs.size() - 1, at_a_time));
    option("--output=" + sbatch_path(fmt::format("{}/slurm/{:04}.log", out.string(), array.number)));
    option("--open-mode=append");
    option(fmt::format("--cpus-per-task={}", options.cpus));
    option(fmt::format("--mem={}M", megabytes));
    option(fmt::format("--time={}", minutes));
    option("--requeue");
    if (!options.partition.empty()) option("--partition=" + options.partition);
    if (!array.after.empty()) {
        text += "# The task that makes the beginning of these jobs.\n";
        option("--dependency=afterok:" + array.after);
        option("--kill-on-invalid-dep=yes");
    }
    for (const std::string& line : options.extra) option(line);
    text += fmt::format("\nout={}\ncpus={}\njobs=(\n{}\n)\njob=${{jobs[$SLURM_ARRAY_TASK_ID]}}\n",
                        in_shell_quotes(out.string()), options.cpus, fmt::join(array.jobs, "\n"));
    text += fmt::format(
        "# A job that was killed is started again and continues from its last checkpoint. When the node is\n"
        "# lost, Slurm puts the task back into the queue, and it continues on another node.\n"
        "for try in {{1..{}}}; do\n    {}\n    status=$?\n    [ $status -gt 128 ] || exit $status\ndone\n"
        "exit $status\n",
        kMaxTries, options.command);
    return text;
}

}  // namespace rumple::farm
