// A value in a scene file together with its place, so that every error about it can name the place.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <rumple/scene/place.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

class JsonPlace : public Place {
  public:
    // `file` names the file in errors; `path` is the place in it, e.g. "phases[2].duration".
    JsonPlace(const nlohmann::json& value, std::string file, std::string path = {})
        : Place(std::move(file), std::move(path)), value_(&value) {}

    const nlohmann::json& value() const { return *value_; }

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
    std::string name() const;                               // see Place::check_name

    // The same with a default where the key is missing
    double number_or(const std::string& key, double fallback, const NumberRange& range) const;
    Vec3d vector_or(const std::string& key, Vec3d fallback, const NumberRange& range) const;
    Vec3d direction_or(const std::string& key, Vec3d fallback) const;
    std::size_t choice_or(const std::string& key, std::size_t fallback,
                          const std::vector<std::string_view>& names) const;

  private:
    std::string shown() const;  // the value, short enough for a message

    const nlohmann::json* value_;
};

}  // namespace rumple
