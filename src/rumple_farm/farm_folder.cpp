#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <rumple/core/error.hpp>
#include <rumple/io/atomic_file.hpp>
#include <rumple_farm/farm_folder.hpp>

namespace rumple::farm {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{10};
constexpr const char* kPlanAgain = "plan the sweep again: rumple sweep sweep.json --out";

json to_json(const Job& job) {
    json line{{"folder", job.folder}, {"vertices", job.cost.vertices}, {"steps", job.cost.steps}};
    if (job.document != 0) line["document"] = job.document;
    if (!job.values.empty()) line["values"] = job.values;
    if (job.parent >= 0) line["after"] = job.parent;
    if (job.is_beginning()) line["last_phase"] = job.last_phase;
    return line;
}

Job job_from(const json& line) {
    Job job;
    job.folder = line.at("folder").get<std::string>();
    job.cost = {line.at("vertices").get<std::int64_t>(), line.at("steps").get<std::int64_t>()};
    job.document = line.value("document", std::size_t{0});
    if (line.contains("values")) job.values = line.at("values").get<std::vector<json>>();
    job.parent = line.value("after", -1);
    job.last_phase = line.value("last_phase", -1);
    return job;
}

// Everything of a plan but its jobs.
Plan plan_from(const json& from) {
    Plan plan;
    plan.name = from.at("name").get<std::string>();
    plan.folder = from.at("folder").get<std::string>();
    for (const json& document : from.at("documents"))
        plan.documents.push_back({document.at("name").get<std::string>(), document.at("scene")});
    plan.keys = from.at("keys").get<std::vector<std::string>>();
    plan.seed_key = from.value("seed_key", "");
    for (const json& row : from.at("rows"))
        plan.rows.push_back(row.is_object()
                                ? PlanRow{row.at("job").get<int>(), row.at("values").get<std::vector<json>>()}
                                : PlanRow{row.get<int>(), {}});
    return plan;
}

template <class Read>
auto reading(const fs::path& folder, Read read) {
    std::error_code ignored;
    if (!fs::exists(folder / "plan.json", ignored) || !fs::exists(folder / "jobs.jsonl", ignored))
        throw InputError(folder.string(), "this is not the folder of a sweep", "give the --out of one");
    try {
        return read(json::parse(read_file(folder / "plan.json")), read_file(folder / "jobs.jsonl"));
    } catch (const json::exception&) {
        throw InputError(folder.string(), "the plan of the sweep is damaged",
                         fmt::format("{} {}", kPlanAgain, folder.string()));
    }
}

std::string_view next_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

Job line_of(std::string_view text, int id) {
    for (int i = 0; i < id; ++i) next_line(text);
    return job_from(json::parse(next_line(text)));
}

// Only lines that hold the name are parsed: there may be thousands.
Job job_in(std::string_view text, const std::string& name) {
    const std::string pattern = json(name).dump();
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.find(pattern) == std::string_view::npos) continue;
        if (Job job = job_from(json::parse(line)); job.folder == name) return job;
    }
    throw InputError(name, "the plan of the sweep has no such job", "jobs.jsonl lists them");
}

std::string this_machine() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

FileLock take_farm(const fs::path& folder) {
    std::error_code ignored;  // the lock says it
    fs::create_directories(folder, ignored);
    if (auto lock = FileLock::take(folder / "lock")) return std::move(*lock);
    auto holder = FarmLock::holder(folder);
    // A sweep that was killed while it started a job: the job's process has the lock until it is the job.
    if (!holder || holder->has_died())
        if (auto lock = FileLock::take(folder / "lock", kPatience)) return std::move(*lock);
    holder = FarmLock::holder(folder);
    const std::string who =
        holder ? fmt::format("process {} on {}", holder->process, holder->machine) : "another process";
    throw InputError(folder.string(), fmt::format("{} runs this sweep", who),
                     fmt::format("wait for it, or end it: rumple sweep cancel {}", folder.string()));
}

}  // namespace

void write_plan(const fs::path& folder, const Plan& plan) {
    std::string lines;
    for (const Job& job : plan.jobs) lines += to_json(job).dump() + "\n";
    nlohmann::ordered_json head{{"name", plan.name}, {"folder", plan.folder}, {"keys", plan.keys}};
    if (!plan.seed_key.empty()) head["seed_key"] = plan.seed_key;
    for (const Variant& document : plan.documents)
        head["documents"].push_back({{"name", document.name}, {"scene", document.document}});
    nlohmann::ordered_json& rows = head["rows"] = nlohmann::ordered_json::array();
    for (const PlanRow& row : plan.rows)
        if (row.values.empty())
            rows.push_back(row.job);
        else
            rows.push_back({{"job", row.job}, {"values", row.values}});
    write_atomically(folder / "jobs.jsonl", lines);
    write_atomically(folder / "plan.json", head.dump() + "\n");
}

Plan read_plan(const fs::path& folder) {
    return reading(folder, [](const json& head, const std::string& lines) {
        Plan plan = plan_from(head);
        for (std::string_view rest = lines; !rest.empty();)
            plan.jobs.push_back(job_from(json::parse(next_line(rest))));
        return plan;
    });
}

OneJob read_job(const fs::path& folder, const std::string& job) {
    return reading(folder, [&job](const json& head, const std::string& lines) {
        OneJob one{plan_from(head), job_in(lines, job), std::nullopt};
        one.plan.rows.clear();
        if (one.job.parent >= 0) one.parent = line_of(lines, one.job.parent);
        return one;
    });
}

std::optional<JobNote> read_note(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::exists(folder / "job.json", ignored)) return std::nullopt;
    const json from = json::parse(read_file(folder / "job.json"), nullptr, false);
    if (!from.is_object()) return std::nullopt;
    try {
        JobNote note;
        note.scene_hash = from.value("scene_hash", "");
        note.source = from.value("source", "");
        note.processors = from.value("processors", std::vector<std::string>{});
        note.branch_point = from.value("branch_point", "");
        note.fault = from.value("fault", "");
        return note;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

void write_note(const fs::path& folder, const JobNote& note) {
    nlohmann::ordered_json to{
        {"scene_hash", note.scene_hash}, {"source", note.source}, {"processors", note.processors}};
    if (!note.branch_point.empty()) to["branch_point"] = note.branch_point;
    if (!note.fault.empty()) to["fault"] = note.fault;
    fs::create_directories(folder);
    write_atomically(folder / "job.json", to.dump(2) + "\n");
}

FarmLock::FarmLock(const fs::path& folder) : lock_(take_farm(folder)) {
    lock_.write(fmt::format("{} {}\n", ::getpid(), this_machine()));
}

bool FarmLock::Holder::is_here() const { return machine == this_machine(); }
bool FarmLock::Holder::has_died() const { return is_here() && ::kill(process, 0) != 0 && errno == ESRCH; }

std::optional<FarmLock::Holder> FarmLock::holder(const fs::path& folder) {
    const fs::path path = folder / "lock";
    if (!FileLock::is_taken(path)) return std::nullopt;
    std::ifstream file(path);
    Holder holder;
    if (!(file >> holder.process >> holder.machine)) return std::nullopt;
    return holder;
}

}  // namespace rumple::farm
