// The command line. Exit status: 0 done; 2 bad input, nothing was run; 3 the simulation failed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <rumple/core/error.hpp>
#include <rumple/core/version.hpp>

#include "commands.hpp"
#include "exit_status.hpp"
#ifdef RUMPLE_WITH_CUDA
#include <rumple_cuda/backend.hpp>
#endif

namespace {

using rumple::kBadInput, rumple::kFailed, rumple::kSuccess;

int complain(int status, std::string sentence) {
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    fmt::print(stderr, "rumple: {}\n", sentence);
    return status;
}

// "rumple run", as far as the words given name commands.
std::string command_in(const CLI::App& program) {
    std::string name = program.get_name();
    for (const CLI::App* command : program.get_subcommands()) name += " " + command->get_name();
    return name;
}

// The library names settings, not options: "range: ..." becomes "--range: ...".
std::string with_option_name(const CLI::App& program, std::string sentence) {
    const std::string place = sentence.substr(0, sentence.find(": "));
    for (const CLI::App* command : program.get_subcommands())
        if (command->get_option_no_throw("--" + place) != nullptr) return "--" + sentence;
    return sentence;
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // piped lines arrive as they are written
#ifdef RUMPLE_WITH_CUDA
    rumple::cuda::register_cuda_backend();
#endif
    CLI::App program("Cloth that remembers how it was folded, and for how long.", "rumple");
    program.set_version_flag("--version",
                             "rumple " + rumple::version() + " (source " + rumple::source_hash() + ")");
    program.require_subcommand(1);

    rumple::add_run_command(program);
    rumple::add_dress_command(program);
    rumple::add_check_command(program);
    rumple::add_info_command(program);
    rumple::add_materials_command(program);
    rumple::add_measure_command(program);
    rumple::add_convert_command(program);
    rumple::add_experiments_command(program);
    rumple::add_reproduce_command(program);
    rumple::add_render_command(program);
    rumple::add_bench_command(program);
    rumple::add_sweep_command(program);

    try {
        program.parse(argc, argv);
        return kSuccess;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return program.exit(error);
        return complain(kBadInput, fmt::format("{}; see {} --help", error.what(), command_in(program)));
    } catch (const rumple::InputError& error) {
        return complain(kBadInput, with_option_name(program, error.what()));
    } catch (const rumple::SimulationError& error) {
        return complain(kFailed, error.what());
    } catch (const std::bad_alloc&) {
        return complain(kFailed, "there is not enough memory");
    } catch (const std::exception& error) {
        return complain(kFailed, fmt::format("internal error: {}", error.what()));
    }
}
