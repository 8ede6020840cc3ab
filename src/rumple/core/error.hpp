// The two kinds of errors. Both carry one sentence for the author of the input.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rumple {

// Where in a cloth the fault is, for programs that show it. Empty where it is not known.
struct ErrorPlace {
    std::string cloth{};          // by its name in the scene
    std::vector<int> vertices{};  // numbered as in the cloth's own file, from 0

    bool known() const { return !cloth.empty() || !vertices.empty(); }
};

// Bad input: a file, a scene, a mesh, an option. Nothing was run. The program exits with status 2.
//   where    file and place, e.g. "twist.json: phases[2].duration" or "skirt.obj:41"; may be empty
//   what     what is wrong
//   remedy   what would be right; may be empty
class InputError : public std::runtime_error {
  public:
    InputError(const std::string& where, const std::string& what, const std::string& remedy = "",
               ErrorPlace place = {})
        : std::runtime_error((where.empty() ? "" : where + ": ") + what +
                             (remedy.empty() ? "" : "; " + remedy)),
          place_(std::move(place)) {}

    const ErrorPlace& place() const { return place_; }
    // The same error, of this cloth: whoever reads a mesh does not know its name in the scene.
    InputError in_cloth(const std::string& name) const {
        InputError error = *this;
        error.place_.cloth = name;
        return error;
    }

  private:
    ErrorPlace place_;
};

// The simulation could not continue. Everything up to the last good frame is on disk. Exit status 3.
class SimulationError : public std::runtime_error {
  public:
    explicit SimulationError(const std::string& what, ErrorPlace place = {})
        : std::runtime_error(what), place_(std::move(place)) {}

    const ErrorPlace& place() const { return place_; }

  private:
    ErrorPlace place_;
};

}  // namespace rumple
