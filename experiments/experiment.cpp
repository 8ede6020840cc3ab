#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <experiments/catalogue.hpp>
#include <experiments/experiment.hpp>
#include <rumple/core/version.hpp>
#include <rumple/io/atomic_file.hpp>

namespace rumple {

const Experiment* find_experiment(const std::string& name) {
    const auto& all = experiments();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<Claim> reproduce(const Experiment& experiment, ExperimentContext bench,
                             const std::string& machine) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    std::vector<Claim> claims = experiment.reproduce(bench);
    if (bench.out().empty()) return claims;
    nlohmann::json verdict{{"experiment", experiment.name},   {"summary", experiment.summary},
                           {"size", to_string(bench.size())}, {"version", version()},
                           {"source", source_hash()},         {"paper", experiment.paper},
                           {"ours", experiment.ours},         {"figures", nlohmann::json::array()}};
    for (const Claim& claim : claims) verdict["claims"].push_back(to_json(claim));
    for (const Figure& f : bench.figures()) {
        nlohmann::json figure{{"file", f.file}, {"caption", f.caption}};
        if (!f.trouble.empty()) figure["trouble"] = f.trouble;
        verdict["figures"].push_back(figure);
    }
    const nlohmann::json ran{
        {"finished", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::now()))},
        {"seconds", std::round(std::chrono::duration<double>(clock::now() - begin).count() * 10) / 10},
        {"machine", machine}};
    std::filesystem::create_directories(bench.out());
    write_atomically(bench.out() / "ran.json", ran.dump(2) + "\n");
    write_atomically(bench.out() / "verdict.json", verdict.dump(2) + "\n");
    return claims;
}

}  // namespace rumple
