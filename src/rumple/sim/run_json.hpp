// JSON of runs: a lenient reader, and what summary.json and timing.json have in common. For use in sources.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <rumple/sim/run_record.hpp>
#include <string>
#include <vector>

namespace rumple {

// An object of a file that may be old, incomplete or damaged: a value that is missing or of another type
// reads as the default. Old names of a key are tried after the present one.
class JsonObject {
  public:
    explicit JsonObject(const nlohmann::json& json) : json_(json.is_object() ? json : empty()) {}

    const nlohmann::json* find(const char* key) const {
        const auto found = json_.find(key);
        return found != json_.end() ? &*found : nullptr;
    }
    JsonObject object(const char* key) const { return JsonObject(find(key) ? *find(key) : empty()); }
    std::vector<JsonObject> objects(const char* key) const {
        std::vector<JsonObject> all;
        if (const nlohmann::json* list = find(key); list != nullptr && list->is_array())
            for (const nlohmann::json& item : *list) all.emplace_back(item);
        return all;
    }
    double number(const char* key, double otherwise = 0) const {
        const nlohmann::json* value = find(key);
        return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
    }
    std::int64_t integer(const char* key, const char* old_key = nullptr) const {
        const nlohmann::json* value = find(key);
        if (value == nullptr && old_key != nullptr) value = find(old_key);
        return value != nullptr && value->is_number_integer() ? value->get<std::int64_t>() : 0;
    }
    bool flag(const char* key) const {
        const nlohmann::json* value = find(key);
        return value != nullptr && value->is_boolean() && value->get<bool>();
    }
    std::string text(const char* key) const {
        const nlohmann::json* value = find(key);
        return value != nullptr && value->is_string() ? value->get<std::string>() : "";
    }
    std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> all;
        if (const nlohmann::json* list = find(key); list != nullptr && list->is_array())
            for (const nlohmann::json& item : *list)
                if (item.is_string()) all.push_back(item.get<std::string>());
        return all;
    }
    const nlohmann::json& json() const { return json_; }

  private:
    static const nlohmann::json& empty() {
        static const nlohmann::json object = nlohmann::json::object();
        return object;
    }
    const nlohmann::json& json_;
};

nlohmann::ordered_json counts_to_json(const StepCounts& counts);  // without contact
StepCounts counts_from_json(const JsonObject& json);

}  // namespace rumple
