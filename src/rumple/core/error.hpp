// The two kinds of errors. Both carry one sentence for the author of the input.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace rumple {

// Bad input: a file, a scene, a mesh, an option. Nothing was run. The program exits with status 2.
//   where    file and place, e.g. "twist.json: phases[2].duration" or "skirt.obj:41"; may be empty
//   what     what is wrong
//   remedy   what would be right; may be empty
class InputError : public std::runtime_error {
  public:
    InputError(const std::string& where, const std::string& what, const std::string& remedy = "")
        : std::runtime_error((where.empty() ? "" : where + ": ") + what +
                             (remedy.empty() ? "" : "; " + remedy)) {}
};

// The simulation could not go on. Everything up to the last good frame is on disk. Exit status 3.
class SimulationError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace rumple
