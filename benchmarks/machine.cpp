#include "machine.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

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
