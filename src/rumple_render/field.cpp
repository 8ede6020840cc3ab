#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/measure/statistics.hpp>
#include <rumple/measure/vertex_mean.hpp>
#include <rumple/mesh/numbering.hpp>
#include <rumple/sim/checkpoint.hpp>
#include <rumple_render/field.hpp>
#include <rumple_render/gap.hpp>
#include <rumple_render/shown_curvature.hpp>

namespace rumple {

namespace {

using Values = std::vector<double>;
namespace fs = std::filesystem;

Values from_shape(const std::string& kind, const RenderObject& object) {
    const std::vector<Vec3d>& x = object.mesh.positions;
    if (kind == "curvature") return shown_curvature(x, object.mesh.triangles);
    TriMesh woven = object.mesh;
    if (!object.rest.empty()) woven.positions = object.rest;
    const RestShape rest = make_rest_shape(woven, {}, object.name);
    Values angles = hinge_angles(rest, x);
    const Values before =
        kind == "angle-change" ? hinge_angles(rest, woven.positions) : Values(angles.size());
    for (std::size_t h = 0; h < angles.size(); ++h) {
        angles[h] = std::abs(angles[h] - before[h]);
        if (kind == "sharpness") angles[h] /= rest.hinge_height[h];
    }
    return vertex_mean(rest, angles, x.size());
}

fs::path memory_cache(const RenderSource& source, const std::string& cloth) {
    return source.archive() ? source.archive()->layout().memory(cloth) : fs::path();
}

// One frame of memory/<cloth>.pc2 (sim/run_layout.hpp says what it contains).
Values from_memory(const std::string& kind, const fs::path& path, std::size_t frame,
                   const RenderObject& object) {
    const PointCacheReader cache(path);
    if (cache.frame_count() == 0 || cache.vertex_count() != object.mesh.positions.size())
        throw InputError(path.string(), fmt::format("it has {} frames of {} vertices, and {} has {} vertices",
                                                    cache.frame_count(), cache.vertex_count(), object.name,
                                                    object.mesh.positions.size()));
    const int column = kind == "plastic" ? 0 : kind == "anchor" ? 1 : 2;
    Values values;
    for (const Vec3d& v : cache.read_frame(std::min(frame, cache.frame_count() - 1)))
        values.push_back(v[column]);
    return values;
}

Checkpoint last_checkpoint(const FieldKind& kind, const RenderSource& source, std::size_t frame) {
    if (!source.archive() || !source.archive()->has_checkpoint())
        throw InputError(source.label(),
                         fmt::format("{} is read from a run's checkpoint, and there is none", kind.title),
                         "give the folder of a run, or colour by curvature or angle");
    if (source.frame_count() > 1 && frame + 1 < source.frame_count())
        throw InputError(
            source.label(), fmt::format("the checkpoint holds {} of the last frame only", kind.title),
            "set output.memory to true in the scene to have it at every frame, or show the last frame");
    return source.archive()->checkpoint();
}

const Values& memory(const std::string& kind, const HistoryArrays& history) {
    return kind == "plastic" ? history.plastic : kind == "anchor" ? history.anchor : history.stick_time;
}

// Hinges of all cloths of a scene lie one after the other in a checkpoint, each cloth's in an order of the
// run's own.
Values from_checkpoint(const std::string& kind, const RenderSource& source, const Checkpoint& checkpoint,
                       const RenderObject& object) {
    TriMesh woven = object.mesh;
    if (!object.rest.empty()) woven.positions = object.rest;
    const RestShape rest = make_rest_shape(woven, {}, object.name);
    const Values all =
        in_old_order<double>(memory(kind, checkpoint.sim.state.bending), checkpoint.hinge_numbers);
    const std::size_t begin = source.first_hinge(object.name);
    if (begin + rest.hinges.size() > all.size())
        throw InputError(source.archive()->folder().string(),
                         fmt::format("the checkpoint has {} hinges and {} needs {}", all.size(), object.name,
                                     begin + rest.hinges.size()));
    Values mine(all.begin() + std::ptrdiff_t(begin),
                all.begin() + std::ptrdiff_t(begin + rest.hinges.size()));
    for (double& value : mine) value = std::abs(value);
    return vertex_mean(rest, mine, object.mesh.positions.size());
}

Values distance(const RenderObject& object, const std::vector<RenderObject>& reference) {
    const auto same = std::find_if(reference.begin(), reference.end(), [&](const RenderObject& other) {
        return other.mesh.positions.size() == object.mesh.positions.size() &&
               other.mesh.triangles == object.mesh.triangles;
    });
    if (same == reference.end())
        throw InputError(object.name, "the first input has no mesh with the same triangles to compare with");
    Values values;
    for (std::size_t v = 0; v < object.mesh.positions.size(); ++v)
        values.push_back(1e3 * norm(object.mesh.positions[v] - same->mesh.positions[v]));
    return values;
}

}  // namespace

const std::vector<FieldKind>& field_kinds() {
    static const std::vector<FieldKind> kinds{
        {"curvature", "mean curvature", "1/m"},
        {"angle", "fold angle", "rad"},
        {"angle-change", "change of angle", "rad"},
        {"sharpness", "sharpness of folds", "1/m"},
        {"plastic", "plastic strain", "rad"},
        {"anchor", "friction anchor", "rad"},
        {"stick-time", "time since it slipped", "s"},
        {"gap", "gap to the next surface", "mm"},
        {"displacement", "distance to the first", "mm"},
    };
    return kinds;
}

const FieldKind& field_by_name(const std::string& name) {
    std::vector<std::string> names;
    for (const FieldKind& kind : field_kinds()) {
        if (kind.name == name) return kind;
        names.push_back(kind.name);
    }
    throw InputError("colour-by", fmt::format("there is no measure '{}' to colour by", name),
                     suggestion(name, names));
}

std::vector<Values> field_values(const FieldKind& kind, const RenderSource& source, std::size_t frame,
                                 const std::vector<RenderObject>& objects,
                                 const std::vector<RenderObject>& reference, const Threads& threads) {
    std::vector<Values> values;
    if (kind.name == "gap") {
        values = surface_gaps(objects, source.ground(), threads);
        for (Values& object : values)
            for (double& gap : object) gap *= 1e3;
        return values;
    }
    const bool remembered = kind.name == "plastic" || kind.name == "anchor" || kind.name == "stick-time";
    std::optional<Checkpoint> checkpoint;
    for (const RenderObject& object : objects) {
        if (!object.is_cloth) {
            values.emplace_back();
        } else if (kind.name == "displacement") {
            values.push_back(distance(object, reference));
        } else if (!remembered) {
            values.push_back(from_shape(kind.name, object));
        } else if (const auto cache = memory_cache(source, object.name); fs::exists(cache)) {
            values.push_back(from_memory(kind.name, cache, frame, object));
        } else {
            if (!checkpoint) checkpoint = last_checkpoint(kind, source, frame);
            values.push_back(from_checkpoint(kind.name, source, *checkpoint, object));
        }
    }
    return values;
}

double round_up(double value) {
    if (!(value > 0) || !std::isfinite(value)) return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (value <= step * power * (1 + 1e-12)) return step * power;
    return 10 * power;
}

FieldRange round_range(const std::vector<double>& values, ColourMap map) {
    Values sizes;
    for (const double v : values) sizes.push_back(std::abs(v));
    const double high = round_up(percentile(std::move(sizes), 98));
    return {map == ColourMap::diverging ? -high : 0, high};
}

}  // namespace rumple
