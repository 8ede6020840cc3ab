#include <algorithm>
#include <cmath>
#include <experiments/dahl_hinge.hpp>
#include <rumple/constitutive/dahl_friction.hpp>
#include <rumple/material/material.hpp>

namespace rumple {
namespace {

constexpr int kCycles = 100;
constexpr double kSmallSet = 0.2;                                         // of sigma_c
const std::vector<double> kAmplitudes{0.004, 0.006, 0.008, 0.01, 0.012};  // of eps_c
constexpr double kShown = 0.01;

struct DahlHinge {
    DahlFriction<double> law;
    double k;  // elastic stiffness beside it
};

// Cotton, with the strength of its friction at once.
DahlHinge dahl_hinge() {
    const Material& cotton = *find_preset("cotton");
    return {{cotton.friction.k, cotton.friction.k * cotton.friction.eps_0}, cotton.bending};
}

// The share of its set that is left after each cycle.
using Fading = std::vector<double>;

// Under a given strain, a set of another stress fades to that of the loop: what is left is the difference.
Fading fade_by_strain(const DahlHinge& hinge, double amplitude) {
    const double a = amplitude * hinge.law.sigma_c / hinge.law.k0;
    DahlHistory<double> set{kSmallSet * hinge.law.sigma_c, 0}, loop{0, 0};
    const auto cycle = [&](DahlHistory<double>& history) {
        for (const double e : {a, -a, 0.0}) advance(hinge.law, history, e);
    };
    Fading left;
    const double start = set.stress - loop.stress;
    for (int i = 0; i < kCycles; ++i) {
        cycle(set), cycle(loop);
        left.push_back((set.stress - loop.stress) / start);
    }
    return left;
}

// Under a given load the spring k answers too; the load is that of the amplitude while friction sticks.
Fading fade_by_load(const DahlHinge& hinge, double amplitude) {
    const auto& [law, k] = hinge;
    DahlHistory<double> history{kSmallSet * law.sigma_c, -kSmallSet * law.sigma_c / k};  // in balance
    const double load = (k + law.k0) * amplitude * law.sigma_c / law.k0, start = history.strain;
    const auto set_to = [&](double wanted) {  // Newton's method; the response is monotonic
        double e = history.strain;
        for (int i = 0; i < 50; ++i) {
            const Response<double> r = evaluate(law, history, e);
            e -= (k * e + r.stress - wanted) / (k + r.tangent);
        }
        advance(law, history, e);
    };
    Fading left;
    for (int i = 0; i < kCycles; ++i) {
        for (const double share : {1.0, -1.0, 0.0}) set_to(share * load);
        left.push_back(history.strain / start);
    }
    return left;
}

Fading by_formula(const DahlHinge& hinge, double amplitude, bool by_load) {
    const double slower = by_load ? 1 + hinge.law.k0 / hinge.k : 1;
    Fading left;
    for (int n = 1; n <= kCycles; ++n) left.push_back(std::exp(-4 * amplitude * n / slower));
    return left;
}

double largest_distance(const Fading& a, const Fading& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

}  // namespace

Plot dahl_hinge_plot() {
    const DahlHinge hinge = dahl_hinge();
    std::vector<double> cycles;
    for (int n = 1; n <= kCycles; ++n) cycles.push_back(n);
    Plot plot;
    plot.x = {"cycles", ""};
    plot.y = {"share of the set that is left", "", false, std::pair{0.0, 1.0}};
    plot.series = {{"given strain", cycles, fade_by_strain(hinge, kShown)},
                   {"its formula", cycles, by_formula(hinge, kShown, false), true},
                   {"given load", cycles, fade_by_load(hinge, kShown)},
                   {"its formula", cycles, by_formula(hinge, kShown, true), true}};
    return plot;
}

std::vector<Claim> dahl_hinge_claims() {
    const DahlHinge hinge = dahl_hinge();
    Sample strain{"share of the set, largest distance over 100 cycles; one value an amplitude", {}};
    Sample load = strain;
    for (const double a : kAmplitudes) {
        strain.values.push_back(largest_distance(fade_by_strain(hinge, a), by_formula(hinge, a, false)));
        load.values.push_back(largest_distance(fade_by_load(hinge, a), by_formula(hinge, a, true)));
    }
    const std::string amplitudes = "0.4 to 1.2 % of eps_c: no seeds, the hinge has no chance in it";
    return {make_claim("one hinge of Dahl's friction fades by exp(-4aN/eps_c) under a given strain", strain,
                       at_most(1e-6, "the formula is exact: equal but for rounding"), amplitudes),
            make_claim(
                "one hinge of Dahl's friction fades by exp(-4aN/(eps_c (1 + k0/k))) under a given load", load,
                at_most(0.03, "the formula is the limit of a small cycle and a small set, here a fifth"),
                amplitudes)};
}

}  // namespace rumple
