// A value in a scene file that knows where it stands, so that every complaint about it can say so.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <rumple/core/vec.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// What a number may be. The unit is told to whoever gave one that it may not be.
struct NumberRange {
    double min = 0, max = 0;
    bool min_open = false;       // must be larger than min, not equal
    std::string_view unit = {};  // e.g. "s"; empty: none
};

class JsonPlace {
  public:
    // `file` names the file in errors; `path` is the place in it, e.g. "phases[2].duration".
    JsonPlace(const nlohmann::json& value, std::string file, std::string path = {})
        : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

    const nlohmann::json& value() const { return *value_; }
    const std::string& path() const { return path_; }
    std::string where() const { return path_.empty() ? file_ : file_ + ": " + path_; }
    [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const;

    // Objects
    void require_keys(std::string_view kind) const;  // an object, and no keys but those of that table
    bool has(const std::string& key) const { return value_->is_object() && value_->contains(key); }
    JsonPlace at(const std::string& key) const;  // fails when the key is missing
    std::optional<JsonPlace> find(const std::string& key) const;
    std::vector<std::pair<std::string, JsonPlace>> members() const;
    // The one key of `keys` that this object has; fails when there is none or more than one.
    std::string one_of(const std::vector<std::string>& keys) const;

    // Arrays
    std::vector<JsonPlace> elements() const;

    // Values
    double number(const NumberRange& range) const;
    int integer(int min, int max) const;
    std::string text() const;
    bool flag() const;
    Vec3d vector(const NumberRange& range) const;  // three numbers
    Vec3d direction() const;                       // three numbers, made a unit vector
    std::size_t choice(
        const std::vector<std::string_view>& names) const;  // index of the text among the names
    // A name that can stand in file names and in set_value paths: letters, digits, '_', '-', not digits
    // alone.
    std::string name() const;

    // The same with a default where the key is missing
    double number_or(const std::string& key, double fallback, const NumberRange& range) const;
    Vec3d vector_or(const std::string& key, Vec3d fallback, const NumberRange& range) const;
    Vec3d direction_or(const std::string& key, Vec3d fallback) const;
    std::size_t choice_or(const std::string& key, std::size_t fallback,
                          const std::vector<std::string_view>& names) const;

  private:
    std::string shown() const;  // the value, short enough for a message

    const nlohmann::json* value_;
    std::string file_, path_;
};

}  // namespace rumple
