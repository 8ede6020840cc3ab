// Soak: the crumple for as long as you like, its weight coming down and being lifted again and again.
//
//   rumple_soak SECONDS [THREADS] [FOLDER]
//
// A row after each phase: wall time, steps, memory, triangles that cross, energy. At the end it says whether
// memory grew, whether anything crossed, and whether energy crept up, and exits with 1 if so. It runs as
// `rumple run` does, with frames and checkpoints into FOLDER, whose caches are started anew after every
// hundred presses.
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <experiments/crumple_scene.hpp>
#include <filesystem>
#include <fstream>
#include <rumple/contact/intersections.hpp>
#include <rumple/core/error.hpp>
#include <rumple/sim/run.hpp>

namespace rumple {
namespace {

constexpr int kPresses = 5000;  // more than an hour has
constexpr std::size_t kFewestRows = 12;
// Of memory with the weight lifted, from the second quarter to the last: in the first, buffers grow to the
// largest use that is made of them. A leak would go on.
constexpr double kMaxGrowth = 1.05;
constexpr double kMaxCreep = 1.5;  // of the energy of the rested cloth, from the first quarter to the last

using Clock = std::chrono::steady_clock;

struct Row {
    double seconds, memory, held;  // s; MiB in use; MiB that the system has given, fragmented or not
    std::int64_t steps;
    std::size_t crossings;
    double potential, kinetic;  // J
    bool rested;                // the weight is lifted
};

class TimeIsUp : public std::exception {};

nlohmann::json soak_scene() {
    nlohmann::json scene = crumple_scene({.name = "soak", .across = 21});
    scene.erase("variants");
    nlohmann::json phases = {scene["phases"][0], scene["phases"][1]};
    for (int i = 0; i < kPresses; ++i) {
        phases.push_back({{"name", fmt::format("down-{}", i)}, {"duration", 0.6}, {"activate", {"weight"}}});
        phases.push_back({{"name", fmt::format("up-{}", i)}, {"duration", 0.4}, {"deactivate", {"weight"}}});
    }
    scene["phases"] = phases;
    scene["handles"] = {scene["handles"][0]};
    scene["output"] = {{"rate", 5}};
    return scene;
}

// MiB that the program has asked for and not given back.
double memory_in_use() {
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd) / (1 << 20);
}

double memory_held() {
    std::ifstream file("/proc/self/statm");
    double pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * 4096 / (1 << 20);
}

// Looks on, and throws when the time is up: the run then ends as if it had been stopped.
class Onlooker : public RunObserver {
  public:
    explicit Onlooker(double seconds) : seconds_(seconds) {}

    void on_step(const StepReport& report, const Simulator&) override {
        last_ = report;
        ++steps_;
        if (elapsed() > seconds_ && rows.size() > kFewestRows) throw TimeIsUp();
    }
    void on_phase_end(const std::vector<std::string>&, int phase, Simulator& sim) override {
        const bool up = phase >= 2 && phase % 2 == 1;
        rows.push_back({elapsed(), memory_in_use(), memory_held(), steps_, crossings(sim, !up && phase >= 2),
                        last_.potential_energy, last_.kinetic_energy, up});
        const Row& row = rows.back();
        fmt::print(
            "{:8.0f} s {:8} steps {:8.1f} MiB ({:.1f} held) {:4} crossings {:12.5g} J potential {:12.5g} J "
            "kinetic  {}\n",
            row.seconds, row.steps, row.memory, row.held, row.crossings, row.potential, row.kinetic,
            sim.scene().phases[static_cast<std::size_t>(phase)].name);
        std::fflush(stdout);
    }
    std::vector<Row> rows;

  private:
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    static std::size_t crossings(Simulator& sim, bool weight_there) {
        std::vector<contact::BodyMesh> bodies;
        std::vector<std::uint8_t> active;
        const Scene& scene = sim.scene();
        for (const SceneCloth& cloth : scene.cloths) {
            bodies.push_back({contact::BodyKind::cloth, static_cast<int>(cloth.mesh.positions.size()),
                              cloth.mesh.triangles});
            active.push_back(1);
        }
        for (const SceneObstacle& obstacle : scene.obstacles) {
            bodies.push_back({contact::BodyKind::obstacle, static_cast<int>(obstacle.mesh.positions.size()),
                              obstacle.mesh.triangles});
            active.push_back(obstacle.name == "pot" || (obstacle.name == "weight" && weight_there));
        }
        std::vector<Vec3d> x = sim.sim_state().state.x;
        const std::vector<Vec3d> obstacles = sim.obstacle_positions();
        x.insert(x.end(), obstacles.begin(), obstacles.end());
        return contact::intersecting_triangles(Threads(1), contact::make_surface(bodies), x, active).size();
    }

    double seconds_;
    Clock::time_point start_ = Clock::now();
    StepReport last_;
    std::int64_t steps_ = 0;
};

// Over a part of the rows with the weight lifted.
template <class Value>
double mean_at_rest(const std::vector<Row>& rows, double from, double to, Value&& value) {
    std::vector<double> rested;
    for (const Row& row : rows)
        if (row.rested) rested.push_back(value(row));
    double sum = 0;
    const auto begin = static_cast<std::size_t>(from * static_cast<double>(rested.size())),
               end = static_cast<std::size_t>(to * static_cast<double>(rested.size()));
    for (std::size_t i = begin; i < end; ++i) sum += rested[i];
    return sum / static_cast<double>(end - begin);
}

int verdict(const std::vector<Row>& rows) {
    std::size_t crossings = 0;
    for (const Row& row : rows) crossings += row.crossings;
    const auto memory = [](const Row& row) { return row.memory; };
    const auto energy = [](const Row& row) { return row.potential + row.kinetic; };
    const double growth = mean_at_rest(rows, 0.75, 1, memory) / mean_at_rest(rows, 0.25, 0.5, memory);
    const double creep = mean_at_rest(rows, 0.75, 1, energy) / mean_at_rest(rows, 0, 0.25, energy);
    const bool good = crossings == 0 && growth < kMaxGrowth && creep < kMaxCreep;
    fmt::print(
        "{:.0f} s, {} steps, {} phases: {} crossings; memory x {:.3f} ({:.0f} MiB); energy at rest x {:.3f}: "
        "{}\n",
        rows.back().seconds, rows.back().steps, rows.size(), crossings, growth, rows.back().memory, creep,
        good ? "sound" : "NOT SOUND");
    return good ? 0 : 1;
}

}  // namespace
}  // namespace rumple

int main(int argc, char** argv) {
    using namespace rumple;
    const double seconds = argc > 1 ? std::atof(argv[1]) : 3600;
    const std::vector<Scene> scenes = build_variants({soak_scene(), "soak", ""});
    Onlooker onlooker(seconds);
    RunOptions options;
    options.out = argc > 3 ? argv[3] : "out/soak";
    options.threads = argc > 2 ? std::atoi(argv[2]) : 1;
    options.observer = &onlooker;
    std::filesystem::remove_all(options.out);
    try {
        run_scenes(scenes, options);
    } catch (const TimeIsUp&) {
    } catch (const std::exception& error) {
        fmt::print(stderr, "soak: {}\n", error.what());
        return 1;
    }
    return verdict(onlooker.rows);
}
