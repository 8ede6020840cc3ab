#include <experiments/curves.hpp>
#include <experiments/one_hinge.hpp>
#include <rumple/constitutive/strain_component.hpp>

namespace rumple {
namespace {

constexpr double kStep = 0.01;  // s
constexpr int kSteps = 100, kRestSteps = 40, kHoldSteps = 50;

constexpr int kPoints = 200;

std::vector<double> even_times(double seconds) {
    std::vector<double> times;
    for (int i = 0; i <= kPoints; ++i) times.push_back(seconds * i / kPoints);
    return times;
}

template <class Law>
Plot memory_plot(const std::vector<Material>& materials, double seconds, Law&& law) {
    Plot plot;
    plot.x = {"time held", "s", false, {}};
    for (const Material& material : materials) {
        Series& series = plot.series.emplace_back();
        series.name = material.name;
        series.x = even_times(seconds);
        for (const double t : series.x) series.y.push_back(law(material, t));
    }
    return plot;
}

// The strain at which the laws answer with this stress; they never fall with strain.
double strain_at(const ComponentLaw<double>& law, const ComponentHistory<double>& history, double stress,
                 double low, double high) {
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (evaluate(law, history, middle, {kStep, 0}).stress < stress ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

HingeMemory remember(const ComponentLaw<double>& law, double strain, double hold) {
    ComponentHistory<double> history;
    for (int i = 1; i <= kSteps; ++i) advance(law, history, strain * i / kSteps, {kStep, 0});
    for (int i = 0; i < kRestSteps; ++i) advance(law, history, strain, {kStep, 0});
    for (int i = 0; hold > 0 && i < kHoldSteps; ++i) advance(law, history, strain, {hold / kHoldSteps, 0});
    const double load = evaluate(law, history, strain, {kStep, 0}).stress;
    double e = strain;
    for (int i = kSteps - 1; i >= 0; --i) {
        e = strain_at(law, history, load * i / kSteps, -strain, strain);
        advance(law, history, e, {kStep, 0});
    }
    return {e / strain, e != 0 ? history.plasticity.plastic / e : 0};
}

Plot threshold_plot(const std::vector<Material>& materials, double seconds) {
    Plot plot = memory_plot(materials, seconds,
                            [](const Material& m, double t) { return stick_threshold(m.friction, t); });
    plot.title = "Friction's threshold grows while it sticks";
    plot.y = {"threshold", "rad", false, {}};
    return plot;
}

Plot hardening_plot(const std::vector<Material>& materials, double seconds) {
    Plot plot = memory_plot(materials, seconds, [](const Material& m, double t) {
        HardeningPlasticity<double> law = m.plasticity;
        law.k = m.bending;
        return hardening_ratio(law, t);
    });
    plot.title = "Hardening decays while a fold is held";
    plot.y = {"hardening over stiffness", "", false, {}};
    return plot;
}

}  // namespace rumple
