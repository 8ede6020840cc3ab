// The commands of the program. Each function adds one, with its options and what it does, to the program.
// A command reports failure by what it throws: InputError (status 2) or SimulationError (status 3).
#pragma once

#include <CLI/CLI.hpp>

namespace rumple {

void add_run_command(CLI::App& program);
void add_check_command(CLI::App& program);
void add_info_command(CLI::App& program);
void add_materials_command(CLI::App& program);
void add_measure_command(CLI::App& program);
void add_convert_command(CLI::App& program);
void add_experiments_command(CLI::App& program);
void add_reproduce_command(CLI::App& program);
void add_render_command(CLI::App& program);
void add_dress_command(CLI::App& program);
void add_bench_command(CLI::App& program);
void add_sweep_command(CLI::App& program);

}  // namespace rumple
