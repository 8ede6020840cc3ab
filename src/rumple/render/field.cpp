#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/core/suggest.hpp>
#include <rumple/measure/curvature.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/measure/statistics.hpp>
#include <rumple/render/field.hpp>
#include <rumple/sim/checkpoint.hpp>

namespace rumple {

namespace {

using Values = std::vector<double>;

// Each vertex gets the mean of the hinges it belongs to, weighted by their length.
Values spread(const RestShape& rest, const Values& hinge_values, std::size_t vertices) {
    Values sum(vertices), weight(vertices);
    for (std::size_t h = 0; h < rest.hinges.size(); ++h) {
        const Hinge& hinge = rest.hinges[h];
        for (const int v : {hinge.x0, hinge.x1, hinge.x2, hinge.x3}) {
            sum[std::size_t(v)] += rest.hinge_length[h] * hinge_values[h];
            weight[std::size_t(v)] += rest.hinge_length[h];
        }
    }
    for (std::size_t v = 0; v < vertices; ++v)
        if (weight[v] > 0) sum[v] /= weight[v];
    return sum;
}

Values from_shape(const std::string& kind, const RenderObject& object) {
    TriMesh woven = object.mesh;
    if (!object.rest.empty()) woven.positions = object.rest;
    const RestShape rest = make_rest_shape(woven, {}, object.name);
    const std::vector<Vec3d>& x = object.mesh.positions;
    if (kind == "curvature") return mean_curvature(rest.hinges, object.mesh.triangles, x).magnitude;
    Values angles = hinge_angles(rest, x);
    const Values before =
        kind == "angle-change" ? hinge_angles(rest, woven.positions) : Values(angles.size());
    for (std::size_t h = 0; h < angles.size(); ++h) {
        angles[h] = std::abs(angles[h] - before[h]);
        if (kind == "sharpness") angles[h] /= rest.hinge_height[h];
    }
    return spread(rest, angles, x.size());
}

const Values& memory(const std::string& kind, const HistoryArrays& history) {
    return kind == "plastic" ? history.plastic : kind == "anchor" ? history.anchor : history.stick_time;
}

// Hinges of all cloths of a scene lie one after the other in a checkpoint.
Values from_checkpoint(const std::string& kind, const RenderSource& source, const Checkpoint& checkpoint,
                       const RenderObject& object) {
    TriMesh woven = object.mesh;
    if (!object.rest.empty()) woven.positions = object.rest;
    const RestShape rest = make_rest_shape(woven, {}, object.name);
    const Values& all = memory(kind, checkpoint.sim.state.bending);
    const std::size_t begin = source.first_hinge(object.name);
    if (begin + rest.hinges.size() > all.size())
        throw InputError(source.run_folder().string(),
                         fmt::format("the checkpoint has {} hinges and {} needs {}", all.size(), object.name,
                                     begin + rest.hinges.size()));
    Values mine(all.begin() + std::ptrdiff_t(begin),
                all.begin() + std::ptrdiff_t(begin + rest.hinges.size()));
    for (double& value : mine) value = std::abs(value);
    return spread(rest, mine, object.mesh.positions.size());
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
        values.push_back(norm(object.mesh.positions[v] - same->mesh.positions[v]));
    return values;
}

}  // namespace

const std::vector<FieldKind>& field_kinds() {
    static const std::vector<FieldKind> kinds{
        {"curvature", "mean curvature", "1/m"},       {"angle", "fold angle", "rad"},
        {"angle-change", "change of angle", "rad"},   {"sharpness", "sharpness of folds", "1/m"},
        {"plastic", "plastic strain", "rad"},         {"anchor", "friction anchor", "rad"},
        {"stick-time", "time since it slipped", "s"}, {"difference", "distance to the first", "m"},
    };
    return kinds;
}

const FieldKind& field_by_name(const std::string& name) {
    std::vector<std::string> names;
    for (const FieldKind& kind : field_kinds()) {
        if (kind.name == name) return kind;
        names.push_back(kind.name);
    }
    throw InputError("--colour-by", fmt::format("there is no measure '{}' to colour by", name),
                     suggestion(name, names));
}

std::vector<Values> field_values(const FieldKind& kind, const RenderSource& source, std::size_t frame,
                                 const std::vector<RenderObject>& objects,
                                 const std::vector<RenderObject>& reference) {
    const bool remembered = kind.name == "plastic" || kind.name == "anchor" || kind.name == "stick-time";
    std::optional<Checkpoint> checkpoint;
    if (remembered) {
        const auto path = source.run_folder() / "checkpoint" / "latest";
        if (source.run_folder().empty() || !std::filesystem::exists(path))
            throw InputError(source.label(),
                             fmt::format("{} is read from a run's checkpoint, and there is none", kind.title),
                             "give the folder of a run, or colour by curvature or angle");
        checkpoint = read_checkpoint(path);
        if (source.frame_count() > 1 && frame + 1 < source.frame_count())
            throw InputError(source.label(),
                             fmt::format("the checkpoint tells {} at the last frame only", kind.title),
                             "leave --frame and --at out, or colour by curvature or angle");
    }
    std::vector<Values> values;
    for (const RenderObject& object : objects) {
        if (!object.is_cloth)
            values.emplace_back();
        else if (kind.name == "difference")
            values.push_back(distance(object, reference));
        else
            values.push_back(remembered ? from_checkpoint(kind.name, source, *checkpoint, object)
                                        : from_shape(kind.name, object));
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
