#include "twist_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <rumple/core/error.hpp>
#include <rumple/measure/measure.hpp>
#include <rumple/mesh/generators.hpp>

namespace rumple {

namespace {

constexpr double kRadius = 0.04, kHeight = 0.11, kLowered = 0.02;  // m
constexpr double kTurn = -0.5 * std::numbers::pi;                  // rad: clockwise seen from above
constexpr double kImperfection = 2e-5;                             // m
constexpr double kReferenceHeight = 4e-3;                          // m: H_ref
constexpr double kBuckledFrom = 0.6;                               // share of the turn
constexpr int kHoldSteps = 50;
constexpr double kHoldSeconds = 500;

Material twist_material(const TwistOptions& options) {
    const Material* preset = find_preset(options.cloth);
    if (!preset)
        throw InputError("bench", fmt::format("there is no cloth named '{}'", options.cloth),
                         "cotton, denim and polyester are known");
    Material material = *preset;
    material.H_ref = kReferenceHeight;
    if (!options.laws) {
        material.friction_kind = FrictionKind::none;
        material.plastic = false;
    }
    if (options.relaxing) material.relaxation = {.share = 0.6, .tau_min = 0.1, .tau_max = 1e6};
    return material;
}

TriMesh imperfect(TriMesh mesh, const TwistOptions& options) {
    std::mt19937_64 random(options.seed);
    const auto around = static_cast<std::size_t>(options.size.around);
    for (std::size_t v = around; v < mesh.positions.size() - around; ++v) {
        Vec3d& x = mesh.positions[v];
        const double unit = static_cast<double>(random() >> 11) * 0x1p-53;  // [0, 1), alike on every platform
        const double scale = 1 + kImperfection * (2 * unit - 1) / std::hypot(x.x, x.y);
        x.x *= scale;
        x.y *= scale;
    }
    return mesh;
}

}  // namespace

const std::vector<TwistSize>& twist_sizes() {
    static const std::vector<TwistSize> sizes{{"2K", 64, 28},     {"7K", 128, 55},    {"27K", 256, 107},
                                              {"100K", 512, 213}, {"250K", 784, 326}, {"1M", 1568, 651}};
    return sizes;
}

TwistSize twist_size(const std::string& name) {
    const auto found = std::find_if(twist_sizes().begin(), twist_sizes().end(),
                                    [&](const TwistSize& size) { return size.name == name; });
    if (found == twist_sizes().end())
        throw InputError("bench", fmt::format("there is no size '{}'", name),
                         "2K, 7K, 27K, 100K, 250K and 1M are known");
    return *found;
}

TwistCase::TwistCase(const TwistOptions& options)
    : size_(options.size),
      perfect_(make_tube(options.size.around, options.size.up, kRadius, kHeight, Layout::right)),
      rest_(make_rest_shape(perfect_, {.source = RestSource::uv}, "twist")),
      h_(options.h) {
    const TriMesh mesh = imperfect(perfect_, options);
    const Material material = twist_material(options);
    const ClothPart part{&mesh, &rest_, &material};
    model_ = make_model({&part, 1});
    reference_angles_ = hinge_angles(rest_, perfect_.positions);

    const int around = options.size.around, top = (options.size.up - 1) * around;
    for (int first : {0, top})
        for (int i = 0; i < around; ++i) {
            handle_.push_back(first + i);
            held_.push_back(mesh.positions[static_cast<std::size_t>(first + i)]);
        }

    const auto steps = [&](double seconds) { return static_cast<int>(std::lround(seconds / h_)); };
    append(steps(1.0), 0, 1, h_);
    twist_steps_ = step_count();
    append(steps(0.4), 1, 1, h_);
    if (options.hold) append(kHoldSteps, 1, 1, kHoldSeconds / kHoldSteps);
    append(steps(1.0), 1, 0, h_);
    append(steps(0.5), 0, 0, h_);
}

void TwistCase::append(int steps, double from, double to, double material_dt) {
    for (int k = 1; k <= steps; ++k) {
        turn_.push_back(from + (to - from) * k / steps);
        material_step_.push_back(material_dt);
    }
}

StepInput TwistCase::input(int n) {
    const double turn = turn_.at(static_cast<std::size_t>(n));
    const Mat3d turned = rotation(Vec3d{0, 0, 1}, kTurn * turn);
    target_ = held_;
    for (std::size_t i = held_.size() / 2; i < held_.size(); ++i)
        target_[i] = turned * held_[i] - Vec3d{0, 0, kLowered * turn};
    StepInput input;
    input.h = h_;
    input.material_dt = material_step_[static_cast<std::size_t>(n)];
    input.handles = {handle_, target_, {}};
    return input;
}

std::vector<TwistState> buckled_states(TwistCase& twist, int count, int threads,
                                       const std::function<void(int, int)>& progress) {
    const int first = static_cast<int>(kBuckledFrom * twist.twist_steps()), last = twist.twist_steps() - 1;
    std::vector<TwistState> found;
    const auto stepper = make_stepper(twist.model(), {.threads = threads});
    State state = twist.initial_state();
    for (int n = 0; n <= last; ++n) {
        const auto taken = static_cast<int>(found.size());
        if (taken < count && n == first + taken * (last - first) / std::max(1, count - 1))
            found.push_back({n, state});
        if (static_cast<int>(found.size()) == count) break;
        const StepReport report = stepper->step(state, twist.input(n));
        if (!report.accepted)
            throw SimulationError(fmt::format("step {} of the twist failed: {}", n, report.failure));
        if (progress) progress(n + 1, last);
    }
    return found;
}

State TwistCase::carried_over(const TwistCase& from, const State& state) const {
    // in the frame of each point's place on the tube: outwards, around, up
    const auto frame = [](Vec3d p) {
        const Vec3d out = normalized(Vec3d{p.x, p.y, 0});
        return std::array<Vec3d, 3>{out, Vec3d{-out.y, out.x, 0}, Vec3d{0, 0, 1}};
    };
    const int around = from.size_.around, up = from.size_.up;
    std::vector<Vec3d> moved(state.x.size());
    for (std::size_t v = 0; v < moved.size(); ++v) {
        const Vec3d p = from.perfect_.positions[v], d = state.x[v] - p;
        const auto [out, along, z] = frame(p);
        moved[v] = {dot(d, out), dot(d, along), dot(d, z)};
    }
    const auto at = [&](int i, int j) {  // beyond the rims as at them
        i = (i + around) % around;
        j = std::clamp(j, 0, up - 1);
        return moved[static_cast<std::size_t>(j * around + i)];
    };
    const auto cubic = [](Vec3d a, Vec3d b, Vec3d c, Vec3d d, double t) {  // Catmull and Rom
        return b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)));
    };
    std::vector<Vec3d> x = model_.initial;
    for (int j = 0; j < size_.up; ++j)
        for (int i = 0; i < size_.around; ++i) {
            const double u = double(i) * around / size_.around, w = double(j) * (up - 1) / (size_.up - 1);
            const int iu = static_cast<int>(u), jw = std::min(static_cast<int>(w), up - 2);
            Vec3d row[4];
            for (int k = 0; k < 4; ++k) {
                const int y = jw - 1 + k;
                row[k] = cubic(at(iu - 1, y), at(iu, y), at(iu + 1, y), at(iu + 2, y), u - iu);
            }
            const Vec3d d = cubic(row[0], row[1], row[2], row[3], w - jw);
            const auto v = static_cast<std::size_t>(j * size_.around + i);
            const auto [out, along, z] = frame(perfect_.positions[v]);
            x[v] = perfect_.positions[v] + d.x * out + d.y * along + d.z * z;
        }
    return make_state(model_, x);
}

double TwistCase::bending_content(const State& state) const {
    return measure_wrinkles(rest_, perfect_.triangles, state.x, reference_angles_).bending_content;
}

void TwistCase::keep_model_alone() {
    perfect_ = {};
    rest_ = {};
    std::vector<double>().swap(reference_angles_);
}

}  // namespace rumple
