// rumple check: reads a scene and everything it names, says what it would run, and runs nothing.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "describe_scene.hpp"
#include "find_scene.hpp"

namespace rumple {

void add_check_command(CLI::App& program) {
    auto choice = std::make_shared<SceneChoice>();
    CLI::App* command = program.add_subcommand("check", "Validate a scene; run nothing");
    command->add_option("SCENE", choice->scene, "scene file, or the name of a built-in scene")->required();
    command->add_option("--set", choice->set, "change the scene: path=value")
        ->allow_extra_args(false)
        ->take_all();
    command->add_option("--variant", choice->variants, "check only this variant (repeatable)")
        ->allow_extra_args(false)
        ->take_all();
    command->callback([choice] { fmt::print("{}", describe(build_scenes(*choice))); });
}

}  // namespace rumple
