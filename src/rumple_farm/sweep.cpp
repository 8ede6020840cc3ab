#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/split_mix.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/scene/json_place.hpp>
#include <rumple_farm/file_digests.hpp>
#include <rumple_farm/sobol.hpp>
#include <rumple_farm/sweep.hpp>

namespace rumple::farm {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Some of the keys, and points of them.
struct Block {
    std::vector<std::string> keys;
    std::vector<std::vector<json>> points;
};

void require_keys(const JsonPlace& place, const std::vector<std::string>& valid) {
    for (const auto& [key, value] : place.members())
        if (std::find(valid.begin(), valid.end(), key) == valid.end())
            place.fail(fmt::format("there is no key \"{}\" in a sweep", key), suggestion(key, valid));
}

void require_count(const JsonPlace& place, double points) {
    if (points > kMaxPoints)
        place.fail(fmt::format("it has {:.3g} points, more than {:.0f}", points, kMaxPoints),
                   "leave values out, or sample: \"random\" or \"sobol\"");
}

std::vector<json> values_of(const JsonPlace& list) {
    std::vector<json> values;
    for (const JsonPlace& value : list.elements()) {
        if (value.value().is_null()) value.fail("a value is missing");
        values.push_back(value.value());
    }
    if (values.empty()) list.fail("the list is empty", "write at least one value");
    return values;
}

// Every combination; the last key varies fastest.
std::vector<std::vector<json>> product(const std::vector<std::vector<json>>& values) {
    std::vector<std::vector<json>> points{{}};
    for (const std::vector<json>& some : values) {
        std::vector<std::vector<json>> longer;
        longer.reserve(points.size() * some.size());
        for (const std::vector<json>& point : points)
            for (const json& value : some) {
                longer.push_back(point);
                longer.back().push_back(value);
            }
        points = std::move(longer);
    }
    return points;
}

Block read_grid(const JsonPlace& place) {
    Block block;
    std::vector<std::vector<json>> values;
    double count = 1;
    for (const auto& [key, list] : place.members()) {
        block.keys.push_back(key);
        values.push_back(values_of(list));
        count *= static_cast<double>(values.back().size());
    }
    if (values.empty()) place.fail("the grid has no keys");
    require_count(place, count);
    block.points = product(values);
    return block;
}

Block read_list(const JsonPlace& place) {
    Block block;
    for (const JsonPlace& element : place.elements()) {
        std::vector<json> point;
        for (const auto& [key, value] : element.members()) {
            if (block.points.empty()) block.keys.push_back(key);
            point.push_back(value.value());
        }
        const bool same = point.size() == block.keys.size() &&
                          std::all_of(block.keys.begin(), block.keys.end(),
                                      [&](const std::string& key) { return element.has(key); });
        if (!same) element.fail("it has other keys than the first point", "give every point the same keys");
        block.points.push_back(std::move(point));
    }
    if (block.keys.empty()) place.fail("the list has no points");
    require_count(place, static_cast<double>(block.points.size()));
    return block;
}

// What a coordinate in [0, 1) means for one key.
struct Range {
    double from = 0, to = 1;
    bool logarithmic = false, integer = false;
    std::vector<json> choices;  // instead of all that

    json at(double u) const {
        if (!choices.empty())
            return choices[std::min(choices.size() - 1,
                                    static_cast<std::size_t>(u * static_cast<double>(choices.size())))];
        const double end = integer ? to + 1 : to;  // integers: every one has its share
        const double value = logarithmic ? from * std::pow(end / from, u) : from + u * (end - from);
        if (integer) return static_cast<std::int64_t>(std::min(to, std::floor(value)));
        return value;
    }
};

Range read_range(const JsonPlace& place) {
    Range range;
    if (place.value().is_array()) {
        range.choices = values_of(place);
        return range;
    }
    require_keys(place, {"from", "to", "scale", "integer"});
    const NumberRange any{-1e300, 1e300};
    range.from = place.at("from").number(any);
    range.to = place.at("to").number(any);
    range.logarithmic = place.choice_or("scale", 0, {"linear", "log"}) == 1;
    if (const auto integer = place.find("integer")) range.integer = integer->flag();
    if (!(range.to > range.from))
        place.fail(fmt::format("the range from {} to {} is empty", range.from, range.to));
    if (range.logarithmic && !(range.from > 0)) place.fail("a logarithmic range begins above 0");
    if (range.integer && (range.from != std::floor(range.from) || range.to != std::floor(range.to)))
        place.fail("a range of integers begins and ends with one");
    return range;
}

Block read_sample(const JsonPlace& place, bool sobol) {
    require_keys(place, {"count", "seed", "keys"});
    Block block;
    std::vector<Range> ranges;
    for (const auto& [key, range] : place.at("keys").members()) {
        block.keys.push_back(key);
        ranges.push_back(read_range(range));
    }
    if (ranges.empty()) place.at("keys").fail("there is no key to sample");
    if (sobol && std::ssize(ranges) > kMaxSobolDimensions)
        place.at("keys").fail(fmt::format("a Sobol sample has at most {} keys", kMaxSobolDimensions),
                              "use \"random\"");
    const int count = place.at("count").integer(1, static_cast<int>(kMaxPoints));
    const int seed = place.has("seed") ? place.at("seed").integer(0, 1 << 30) : 1;
    SobolSequence sequence(sobol ? static_cast<int>(ranges.size()) : 1);
    SplitMix64 random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < count; ++i) {
        std::vector<double> u;
        if (sobol) u = sequence.next();
        std::vector<json> point;
        for (std::size_t k = 0; k < ranges.size(); ++k)
            point.push_back(ranges[k].at(sobol ? u[k] : random.uniform()));
        block.points.push_back(std::move(point));
    }
    return block;
}

Block read_seeds(const JsonPlace& place) {
    require_keys(place, {"key", "count", "first"});
    Block block;
    block.keys.push_back(place.at("key").text());
    const int count = place.at("count").integer(1, static_cast<int>(kMaxPoints));
    const int first = place.has("first") ? place.at("first").integer(0, 1 << 30) : 1;
    for (int i = 0; i < count; ++i) block.points.push_back({json(first + i)});
    return block;
}

void combine(const JsonPlace& root, Sweep& sweep, const Block& block) {
    for (const std::string& key : block.keys) {
        if (std::find(sweep.keys.begin(), sweep.keys.end(), key) != sweep.keys.end())
            root.fail(fmt::format("the key \"{}\" is varied twice", key));
        sweep.keys.push_back(key);
    }
    require_count(root, static_cast<double>(sweep.points.size()) * static_cast<double>(block.points.size()));
    std::vector<std::vector<json>> points;
    points.reserve(sweep.points.size() * block.points.size());
    for (const std::vector<json>& a : sweep.points)
        for (const std::vector<json>& b : block.points) {
            points.push_back(a);
            points.back().insert(points.back().end(), b.begin(), b.end());
        }
    sweep.points = std::move(points);
}

}  // namespace

Sweep read_sweep(const json& document, const std::string& name) {
    const JsonPlace root(document, name);
    require_keys(root, {"scene", "grid", "list", "random", "sobol", "seeds", "description"});
    Sweep sweep;
    sweep.scene = root.at("scene").text();
    sweep.points.emplace_back();
    if (const auto place = root.find("grid")) combine(root, sweep, read_grid(*place));
    if (const auto place = root.find("list")) combine(root, sweep, read_list(*place));
    if (const auto place = root.find("random")) combine(root, sweep, read_sample(*place, false));
    if (const auto place = root.find("sobol")) combine(root, sweep, read_sample(*place, true));
    if (const auto place = root.find("seeds")) {
        combine(root, sweep, read_seeds(*place));
        sweep.seed_key = sweep.keys.back();
    }
    if (sweep.keys.empty())
        root.fail("it varies nothing", "add a \"grid\", a \"list\", \"random\", \"sobol\" or \"seeds\"");
    return sweep;
}

void resolve_paths(Sweep& sweep, const fs::path& scene_folder, const fs::path& sweep_folder) {
    const auto resolve = [&](json& value) {
        const fs::path path = value.is_string() ? value.get<std::string>() : "";
        std::error_code ignored;
        if (path.empty() || path.is_absolute() || fs::exists(scene_folder / path, ignored)) return;
        if (fs::exists(sweep_folder / path, ignored))
            value = (sweep_folder / path).lexically_normal().string();
    };
    for (std::size_t k = 0; k < sweep.keys.size(); ++k) {
        if (!names_a_file(sweep.keys[k].substr(sweep.keys[k].rfind('.') + 1))) continue;
        for (std::vector<json>& point : sweep.points) {
            resolve(point[k]);
            if (point[k].is_object())  // "from": {"run": ...}, "mesh": {"file": ...}
                for (const auto& [name, value] : point[k].items())
                    if (names_a_file(name)) resolve(value);
        }
    }
}

}  // namespace rumple::farm
