// The paper's thesis (introduction; "Evaluation on Specimen"): as a fold becomes sharper, what keeps it
// changes from friction to a mixture, and then to plasticity. One strip is bent to many curvatures, brief and
// held, and what it keeps is split into the two.
#include <fmt/format.h>

#include <cmath>
#include <experiments/catalogue.hpp>
#include <experiments/one_hinge.hpp>
#include <experiments/strip_scene.hpp>
#include <map>
#include <numbers>
#include <rumple/core/error.hpp>
#include <rumple/measure/measure.hpp>

namespace rumple {

namespace {

using nlohmann::json;

// 1/m. Cotton slips from 40 and yields from 720.
constexpr double kUnbent = 1e-3;  // rad: hinges of the limbs
const std::vector<double> kCurvatures{40, 100, 250, 500, 800, 1200, 1600};

// The mesh goes with the fold: always 16 edges around half a circle. Limbs are short, so that a wide fold
// comes to rest as soon as a narrow one.
StripScene strip_of(double curvature, int seed) {
    StripScene strip{.name = "dominance", .limb = 4, .free = 16, .across = 4, .seed = seed};
    strip.edge = std::numbers::pi / (strip.free * curvature);
    return strip;
}

json scene_of(double curvature, int seed) {
    json scene = strip_scene(strip_of(curvature, seed));
    scene["variants"] = {
        {{"name", "brief"}, {"set", {{"phases.hold.hold", 0}}}},
        {{"name", "held"}},
        {{"name", "folded"}, {"set", {{"phases.hold.steps", 0}, {"phases.settle.duration", 0}}}}};
    return scene;
}

json dominance_scene() {
    json scene = scene_of(800, 1);
    scene["description"] = "A strip bent to a half circle of 800 1/m, held or not, and released.";
    return scene;
}

// Along the bend that the fold gave the strip, summed over all hinges with the weights of the bending
// content.
HingeMemory memory_of(const RestShape& rest, const std::vector<double>& folded, const State& after) {
    const std::vector<double> now = hinge_angles(rest, after.x);
    double fold = 0, kept = 0, plastic = 0;
    for (std::size_t h = 0; h < folded.size(); ++h) {
        const double weight = rest.hinge_length[h] / rest.hinge_height[h] * folded[h];
        fold += weight * folded[h];
        kept += weight * now[h];
        plastic += weight * after.bending.plastic[h];
    }
    return {kept / fold, kept != 0 ? plastic / kept : 0};
}

struct Kept {
    std::vector<double> kept, plastic;                      // one a seed
    std::vector<double> kept_by_hinges, plastic_by_hinges;  // the same, each hinge alone by the laws
};
using Curve = std::map<double, Kept>;  // by curvature

// The same sums if each hinge of the folded strip, bent as it is there, were released alone.
HingeMemory by_hinges(const RestShape& rest, const std::vector<double>& folded, double hold) {
    const Material& cotton = *find_preset("cotton");
    double fold = 0, kept = 0, plastic = 0;
    for (std::size_t h = 0; h < folded.size(); ++h) {
        if (std::abs(folded[h]) < kUnbent) continue;
        const HingeMemory alone =
            remember(cotton.bending_law(rest.hinge_height[h]), std::abs(folded[h]), hold);
        const double bend = rest.hinge_length[h] / rest.hinge_height[h] * folded[h] * folded[h];
        fold += bend;
        kept += bend * alone.kept;
        plastic += bend * alone.kept * alone.plastic;
    }
    return {kept / fold, kept != 0 ? plastic / kept : 0};
}

std::map<std::string, Curve> run_all(const ExperimentContext& bench) {
    std::map<std::string, Curve> of;
    for (const double curvature : kCurvatures)
        for (int seed = 1; seed <= seeds_of(bench.size()); ++seed) {
            const json document = scene_of(curvature, seed);
            const std::string folder = fmt::format("{:g}-seed{}", curvature, seed);
            const std::vector<RunResult> results = bench.run(document, folder);
            const std::vector<std::string> one{"folded"};
            const Scene scene = std::move(build_variants({document, folder, {}}, one).front());
            const RestShape& rest = scene.cloths.front().rest;
            const std::vector<double> folded = hinge_angles(rest, results.back().last.state.x);
            for (const RunResult& r : results) {
                if (r.variant == "folded") continue;
                const HingeMemory memory = memory_of(rest, folded, r.last.state);
                const HingeMemory alone = by_hinges(rest, folded, r.variant == "held" ? 500 : 0);
                Kept& kept = of[r.variant][curvature];
                kept.kept.push_back(memory.kept), kept.kept_by_hinges.push_back(alone.kept);
                kept.plastic.push_back(memory.plastic), kept.plastic_by_hinges.push_back(alone.plastic);
            }
        }
    return of;
}

HingeMemory by_laws(double curvature, const std::string& variant) {
    const Material& cotton = *find_preset("cotton");
    return remember(cotton.bending_law(cotton.H_ref), curvature * cotton.H_ref, variant == "held" ? 500 : 0);
}

void show(ExperimentContext& bench, const std::map<std::string, Curve>& of) {
    Plot plot;
    plot.x = {"curvature of the fold", "1/m", true};
    plot.y = {"plastic share of what is kept", "", false, std::pair{0.0, 1.0}};
    std::vector<std::vector<double>> rows;
    for (const auto& [variant, curve] : of) {
        Series measured{variant == "held" ? "held 500 s" : "at once", {}, {}},
            laws{measured.name + ", one hinge", {}, {}, true};
        for (const auto& [curvature, kept] : curve) {
            const HingeMemory hinge = by_laws(curvature, variant);
            measured.x.push_back(curvature), laws.x.push_back(curvature);
            measured.y.push_back(kept.plastic.front()), laws.y.push_back(hinge.plastic);
            rows.push_back({variant == "held" ? 500.0 : 0.0, curvature, kept.kept.front(),
                            kept.plastic.front(), hinge.kept, hinge.plastic});
        }
        plot.series.push_back(std::move(measured));
        plot.series.push_back(std::move(laws));
    }
    bench.write_table(
        "dominance",
        {"hold_s", "curvature_per_m", "kept", "plastic_share", "kept_one_hinge", "plastic_share_one_hinge"},
        rows);
    bench.plot("shares",
               "Which law keeps a fold: 0 is friction alone, 1 is plasticity alone. Dashed: one hinge by the "
               "laws. Cotton yields from 720 1/m.",
               plot);
}

// The largest distance to one hinge over all curvatures, one value a seed.
std::vector<double> distance(const Curve& curve, const std::string& variant, std::vector<double> Kept::*field,
                             double HingeMemory::*law) {
    std::vector<double> largest(curve.begin()->second.kept.size(), 0);
    for (const auto& [curvature, kept] : curve)
        for (std::size_t i = 0; i < largest.size(); ++i)
            largest[i] = std::max(largest[i], std::abs((kept.*field)[i] - by_laws(curvature, variant).*law));
    return largest;
}

// The same to the strip's own hinges, each alone.
std::vector<double> distance_to_hinges(const Curve& curve, std::vector<double> Kept::*field,
                                       std::vector<double> Kept::*alone) {
    std::vector<double> largest(curve.begin()->second.kept.size(), 0);
    for (const auto& [curvature, kept] : curve)
        for (std::size_t i = 0; i < largest.size(); ++i)
            largest[i] = std::max(largest[i], std::abs((kept.*field)[i] - (kept.*alone)[i]));
    return largest;
}

std::vector<Claim> reproduce_dominance(ExperimentContext& bench) {
    const std::map<std::string, Curve> of = run_all(bench);
    show(bench, of);
    std::vector<Claim> claims;
    for (const auto& [variant, curve] : of) {
        const auto share = [&, &curve = curve](double curvature) {
            return Sample{"plastic share of what is kept", curve.at(curvature).plastic};
        };
        claims.push_back(make_claim(variant + ": friction dominates a fold just above yield, 800 1/m",
                                    share(800), at_most(0.5, "less than half is plasticity's")));
        claims.push_back(make_claim(variant + ": plasticity dominates a sharp fold, 1600 1/m", share(1600),
                                    at_least(0.5, "more than half is plasticity's")));
        claims.push_back(
            make_claim(variant + ": its share grows from 800 to 1600 1/m",
                       {"plastic share, difference", differences(share(1600).values, share(800).values)},
                       at_least(0.1, "a mixture between the two: a tenth is seen in the plot")));
        const Bound close =
            at_most(0.1, "a strip is no single hinge: its ends and its inertia are worth a tenth");
        claims.push_back(make_claim(variant + ": the strip keeps what one hinge keeps by the laws",
                                    {"kept / fold, largest difference over all curvatures",
                                     distance(curve, variant, &Kept::kept, &HingeMemory::kept)},
                                    close));
        claims.push_back(make_claim(variant + ": and the plastic share of one hinge",
                                    {"plastic share, largest difference over all curvatures",
                                     distance(curve, variant, &Kept::plastic, &HingeMemory::plastic)},
                                    close));
        claims.push_back(make_claim(variant + ": hinge by hinge: the strip keeps what its hinges keep alone",
                                    {"kept / fold, largest difference over all curvatures",
                                     distance_to_hinges(curve, &Kept::kept, &Kept::kept_by_hinges)},
                                    close));
        claims.push_back(make_claim(variant + ": hinge by hinge: and the plastic share of its hinges alone",
                                    {"plastic share, largest difference over all curvatures",
                                     distance_to_hinges(curve, &Kept::plastic, &Kept::plastic_by_hinges)},
                                    close));
    }
    return claims;
}

}  // namespace

Experiment dominance_experiment() {
    return {
        "dominance",
        "a strip bent to 40 ... 1600 1/m, held or not: what friction keeps and what plasticity keeps",
        "1 min",
        dominance_scene,
        reproduce_dominance,
        "Intensifying deformations make wrinkles change from friction-dominance to a mixture of friction and "
        "plasticity, and finally to plasticity-dominance. (Introduction; Wrinkles.)",
        "A strip of cotton, its free part bent to half a circle of 40 to 1600 1/m (always 16 edges around "
        "it), held for 500 s or not (the same steps without material time), and let go without gravity. "
        "Measured are the part of the bend that is left and the share of it that is plastic strain, beside "
        "one hinge that is released slowly, by the laws, and all hinges of the strip released alone. Five "
        "seeds; the same mesh at every size."};
}

}  // namespace rumple
