// rumple check: reads a scene and everything it names, prints what it would run, and runs nothing.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "describe_scene.hpp"
#include "find_scene.hpp"

namespace rumple {

void add_check_command(CLI::App& program) {
    auto choice = std::make_shared<SceneChoice>();
    CLI::App* command = program.add_subcommand("check", "Validate a scene; run nothing");
    add_scene_options(*command, *choice, "check");
    command->callback([choice] { fmt::print("{}", describe(build_scenes(*choice))); });
}

}  // namespace rumple
