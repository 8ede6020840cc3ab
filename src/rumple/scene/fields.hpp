// The plain values of a description, each in one list with its key and range. FieldReader fills them from a
// scene file, FieldCheck checks those that a program gave: one rule for both.
#pragma once

#include <algorithm>
#include <rumple/scene/json_place.hpp>
#include <rumple/scene/scene_description.hpp>

namespace rumple {

inline constexpr NumberRange kLength{0, 1000, true, "m"};
inline constexpr NumberRange kCoordinate{-1000, 1000, false, "m"};
inline constexpr NumberRange kScale{0, 1e6, true, {}};
inline constexpr NumberRange kPlacementScale{0, 1000, true, {}};
inline constexpr NumberRange kStepRange{0, 0.1, true, "s"};
inline constexpr int kMaxAlong = 100000;    // vertices along one side of a generated mesh
inline constexpr double kMaxEdges = 500;    // along a radius: beyond, a typing error is likelier than a wish
inline constexpr double kMaxSlender = 1e4;  // length over radius, likewise

inline constexpr NumberRange kGravity{-1000, 1000, false, "m/s2"};
inline constexpr NumberRange kMassDamping{0, 1e4, false, "1/s"};
inline constexpr NumberRange kStiffnessDamping{0, 10, false, "s"};
inline constexpr NumberRange kOutputRate{0, 1e5, true, "frames/s"};
inline constexpr int kMaxNewton = 20;

using Names = std::vector<std::string_view>;
inline const Names kLayouts{"right", "alternating", "equilateral"};
inline const Names kImperfectionDirections{"radial", "normal", "z"};
inline const Names kRestSources{"auto", "uv", "mesh"};
inline const Names kRestAngles{"auto", "flat", "mesh"};
inline const Names kSolvers{"auto", "block_jacobi", "multilevel", "direct"};

class FieldReader {
  public:
    explicit FieldReader(const JsonPlace& place) : place_(place) {}

    void required(const char* key, double& x, const NumberRange& range) { x = place_.at(key).number(range); }
    void required(const char* key, Vec3d& v, const NumberRange& range) { v = place_.at(key).vector(range); }
    void required(const char* key, int& x, int min, int max) { x = place_.at(key).integer(min, max); }
    template <class T>
    void optional(const char* key, T& x, const NumberRange& range) {
        if (place_.has(key)) required(key, x, range);
    }
    void optional(const char* key, int& x, int min, int max) {
        if (place_.has(key)) required(key, x, min, max);
    }
    void optional(const char* key, std::optional<double>& x, const NumberRange& range) {
        if (place_.has(key)) x = place_.at(key).number(range);
    }
    void optional(const char* key, bool& flag) {
        if (place_.has(key)) flag = place_.at(key).flag();
    }
    void direction(const char* key, Vec3d& v) {  // as given: its length counts for nothing
        if (!place_.has(key)) return;
        v = place_.at(key).vector({-1e6, 1e6});
        place_.at(key).check_direction(v);
    }
    template <class Enum>
    void choice(const char* key, Enum& value, const Names& names) {
        value = Enum(place_.choice_or(key, static_cast<std::size_t>(value), names));
    }

  private:
    const JsonPlace& place_;
};

class FieldCheck {
  public:
    explicit FieldCheck(Place place) : place_(std::move(place)) {}

    template <class T>
    void required(const char* key, const T& x, const NumberRange& range) {
        place_.at(key).check(x, range);
    }
    void required(const char* key, int x, int min, int max) { place_.at(key).check_whole(x, min, max); }
    template <class T>
    void optional(const char* key, const T& x, const NumberRange& range) {
        required(key, x, range);
    }
    void optional(const char* key, int x, int min, int max) { required(key, x, min, max); }
    void optional(const char* key, const std::optional<double>& x, const NumberRange& range) {
        if (x) required(key, *x, range);
    }
    void optional(const char*, bool) {}
    void direction(const char* key, Vec3d v) { place_.at(key).check_direction(v); }
    template <class Enum>
    void choice(const char* key, Enum value, const Names& names) {
        place_.at(key).check_whole(static_cast<int>(value), 0, static_cast<int>(names.size()) - 1);
    }

  private:
    Place place_;
};

// F is FieldReader or FieldCheck.
template <class F>
void fields(F& f, TubeOptions& o) {
    f.required("radius", o.radius, kLength);
    f.required("height", o.height, kLength);
    f.required("around", o.around, 3, kMaxAlong);
    f.required("up", o.up, 2, kMaxAlong);
    f.choice("layout", o.layout, kLayouts);
}
template <class F>
void fields(F& f, GridOptions& o) {
    f.required("nx", o.nx, 2, kMaxAlong);
    f.required("ny", o.ny, 2, kMaxAlong);
    f.required("width", o.width, kLength);
    f.required("height", o.height, kLength);
    f.choice("layout", o.layout, kLayouts);
}
template <class F>
void fields(F& f, DiscOptions& o) {
    f.required("radius", o.radius, kLength);
    f.required("edge", o.edge, {0, o.radius, true, "m, the radius"});
    f.choice("layout", o.layout, kLayouts);
}
template <class F>
void fields(F& f, MeshFile& o) {
    f.optional("scale", o.scale, kScale);
    f.optional("uv_scale", o.uv_scale, kScale);
}
inline constexpr NumberRange kCut{-1, 2, false, "m (rise and sleeve: a share)"};
template <class F>
void fields(F& f, TrousersOptions& o) {
    f.optional("edge", o.edge_length, kCut);
    f.optional("rise", o.rise, kCut);
    f.optional("cuff_height", o.cuff_height, kCut);
    f.optional("waist_ease", o.waist_ease, kCut);
    f.optional("hip_ease", o.hip_ease, kCut);
    f.optional("knee_ease", o.knee_ease, kCut);
    f.optional("cuff_ease", o.cuff_ease, kCut);
    f.optional("crotch_drop", o.crotch_drop, kCut);
    f.optional("waistband", o.waistband, kCut);
}
template <class F>
void fields(F& f, TshirtOptions& o) {
    f.optional("edge", o.edge_length, kCut);
    f.optional("sleeve", o.sleeve, kCut);
    f.optional("hem", o.hem, kCut);
    f.optional("chest_ease", o.chest_ease, kCut);
    f.optional("sleeve_ease", o.sleeve_ease, kCut);
    f.optional("neck_ease", o.neck_ease, kCut);
    f.optional("hem_band", o.hem_band, kCut);
}
template <class F>
void fields(F& f, RestOptions& o) {
    f.choice("rest", o.source, kRestSources);
    f.choice("rest_angles", o.angles, kRestAngles);
}
template <class F>
void fields(F& f, Imperfection& o) {
    f.required("amplitude", o.amplitude, {0, 1, false, "m"});
    f.optional("seed", o.seed, 0, 2147483647);
    f.choice("direction", o.direction, kImperfectionDirections);
    f.optional("correlation_length", o.correlation_length, {0, 1000, false, "m"});
}

inline NumberRange edge_range(double radius) {
    return {radius / kMaxEdges, 2 * radius, false, "m: between 1/500 of the radius and twice the radius"};
}
// A length along the axis: its surface is cut into pieces by the radius.
inline NumberRange length_range(double radius) {
    return {0, std::min(kLength.max, kMaxSlender * radius), true,
            "m: a thousand metres, or 10000 times the radius"};
}
template <class F>
void fields(F& f, PlaneShape& o) {
    f.optional("size", o.size, kLength);
    f.optional("depth", o.depth, kLength);
    f.optional("point", o.point, kCoordinate);
    f.direction("normal", o.normal);
}
template <class F>
void fields(F& f, SphereShape& o) {
    f.required("radius", o.radius, kLength);
    f.optional("edge", o.edge, edge_range(o.radius));
    f.optional("centre", o.centre, kCoordinate);
}
template <class F>
void fields(F& f, BoxShape& o) {
    f.required("size", o.size, kLength);
    f.optional("centre", o.centre, kCoordinate);
}
template <class F>
void fields(F& f, CylinderShape& o) {
    f.required("radius", o.radius, kLength);
    f.required("height", o.height, length_range(o.radius));
    f.optional("edge", o.edge, edge_range(o.radius));
    f.optional("centre", o.centre, kCoordinate);
    f.direction("axis", o.axis);
}
template <class F>
void fields(F& f, CapsuleShape& o) {
    f.required("radius", o.radius, kLength);
    f.required("length", o.length, length_range(o.radius));
    f.optional("edge", o.edge, edge_range(o.radius));
    f.optional("centre", o.centre, kCoordinate);
    f.direction("axis", o.axis);
}
template <class F>
void fields(F& f, ContainerShape& o) {
    f.required("radius", o.radius, kLength);
    f.required("height", o.height, length_range(o.radius));
    f.optional("edge", o.edge, edge_range(o.radius));
    f.optional("wall", o.wall, kLength);
    f.optional("floor", o.floor, kCoordinate);
    f.direction("axis", o.axis);
}

inline constexpr NumberRange kThickness{0, 0.1, true, "m"};
inline constexpr NumberRange kFriction{0, 10, false, "(a ratio of forces)"};
inline constexpr NumberRange kMass{0, 1e5, true, "kg"};
template <class F>
void fields(F& f, ObstacleOptions& o) {
    f.optional("friction", o.friction, kFriction);
    f.optional("thickness", o.thickness, kThickness);
    f.optional("present", o.present);
}
template <class F>
void fields(F& f, ContactSettings& o) {
    f.optional("self", o.cloth_on_cloth);
    f.optional("thickness", o.thickness, kThickness);
    f.optional("friction", o.friction, kFriction);
    f.optional("stiffness", o.stiffness, {0, 1e12, true, "Pa/m"});
}
template <class F>
void fields(F& f, HandleOptions& o) {
    f.optional("stiffness", o.stiffness, {0, 1e9, false, "N/m (0: exact)"});
    f.optional("from_start", o.from_start);
}
inline constexpr NumberRange kRemaining{0, 1, false, "(the share that remains)"};
template <class F>
void fields(F& f, ForgetOptions& o) {
    f.optional("friction", o.friction, kRemaining);
    f.optional("plasticity", o.plasticity, kRemaining);
    f.optional("relaxation", o.relaxation, kRemaining);
}
inline constexpr NumberRange kTolerance{0, 0.1, true, "mean edge lengths"};
template <class F>
void fields(F& f, StepperOptions& o) {
    f.optional("tolerance", o.tolerance, kTolerance);
    f.optional("newton_tolerance", o.newton_tolerance, kTolerance);
    f.choice("solver", o.solver, kSolvers);
}

template <class Options>
void read_fields(const JsonPlace& place, Options& options) {
    FieldReader reader(place);
    fields(reader, options);
}
template <class Options>
void check_fields(const Place& place, Options options) {
    FieldCheck check(place);
    fields(check, options);
}

}  // namespace rumple
