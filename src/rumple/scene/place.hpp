// Where a value stands in what the author of a scene wrote, so that every error about it can name the place:
// a scene file and a path in it ("twist.json: phases[2].duration"), or a call of SceneBuilder
// ("twist: phase("hold").duration").
#pragma once

#include <rumple/core/vec.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// Which values a number may have. Errors name the unit.
struct NumberRange {
    double min = 0, max = 0;
    bool min_open = false;       // must be larger than min, not equal
    std::string_view unit = {};  // e.g. "s"; empty: none
};

class Place {
  public:
    // `source` names the file or the builder; `path` is the place in it, e.g. "phases[2].duration".
    explicit Place(std::string source = "scene", std::string path = {})
        : source_(std::move(source)), path_(std::move(path)) {}

    const std::string& source() const { return source_; }
    const std::string& path() const { return path_; }
    std::string where() const { return path_.empty() ? source_ : source_ + ": " + path_; }
    Place at(const std::string& key) const { return Place(source_, path_.empty() ? key : path_ + "." + key); }
    Place element(std::size_t index) const {
        return Place(source_, path_ + "[" + std::to_string(index) + "]");
    }
    [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const;

    // The rules for values that all producers of scenes share. Each fails in the words of this place.
    void check(double x, const NumberRange& range) const;
    void check(Vec3d v, const NumberRange& range) const;
    void check_whole(int x, int min, int max) const { check(x, {double(min), double(max)}); }
    void check_direction(Vec3d v) const;
    // A name can stand in file names and in paths to values: letters, digits, '_', '-', not digits alone.
    void check_name(const std::string& name) const;

  private:
    std::string source_, path_;
};

// Index among `names` of the `what` called `name`; fails with the nearest name as a suggestion.
std::size_t index_of_name(const Place& place, const std::string& name, const std::vector<std::string>& names,
                          const std::string& what);
template <class Thing>
std::size_t index_of(const Place& place, const std::string& name, const std::vector<Thing>& things,
                     const std::string& what) {
    std::vector<std::string> names;
    names.reserve(things.size());
    for (const Thing& thing : things) names.push_back(thing.name);
    return index_of_name(place, name, names, what);
}

}  // namespace rumple
