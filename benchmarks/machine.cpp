#include "machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <rumple/core/parallel.hpp>
#include <thread>
#include <vector>

namespace rumple {

namespace {

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string compiler_name() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "g++ " __VERSION__;
#else
    return "unknown";
#endif
}

std::string build_description() {
    std::string build;
#ifdef __OPTIMIZE__
    build += "optimised";
#else
    build += "not optimised";
#endif
#ifdef NDEBUG
    build += ", no asserts";
#endif
#ifdef __AVX2__
    build += ", AVX2";
#endif
#ifdef __AVX512F__
    build += ", AVX-512";
#endif
#ifdef __SANITIZE_ADDRESS__
    build += ", sanitizers: times mean nothing";
#endif
    return build;
}

}  // namespace

double memory_bandwidth(int threads) {
    constexpr std::size_t kCount = std::size_t{1} << 22, kGrain = std::size_t{1} << 16;
    std::vector<double> a(kCount), b(kCount, 1.0), c(kCount, 2.0);
    const Threads pool(threads);
    double best = 0;
    for (int i = 0; i < 7; ++i) {
        const double s = 1.0 + i;
        const auto start = std::chrono::steady_clock::now();
        pool.for_pieces(kCount, kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) a[k] = b[k] + s * c[k];
        });
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        if (a[kCount / 2] != 1 + 2 * s) return 0;  // so that the loop is not thrown away
        best = std::max(best, 3.0 * sizeof(double) * kCount / seconds.count());
    }
    return best;
}

Machine describe_machine() {
    return {cpu_name(), static_cast<int>(std::thread::hardware_concurrency()), compiler_name(),
            build_description()};
}

nlohmann::json to_json(const Machine& m) {
    return {{"cpu", m.cpu}, {"cores", m.cores}, {"compiler", m.compiler}, {"build", m.build}};
}

std::string to_line(const Machine& m) {
    return fmt::format("{}, {} cores; {}; {}", m.cpu, m.cores, m.compiler, m.build);
}

}  // namespace rumple
