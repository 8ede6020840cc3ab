// The presets: facts from the paper's two tables, and one that shows relaxation.
#include <rumple/material/material.hpp>

namespace rumple {
namespace {

// One row of the paper's tables, in the order of their columns.
struct Row {
    const char* name;
    double density, bending, k11, k22, k12, k33;
    double k_f, eps_0, eps_inf, tau_f;
    double K_h0, g, tau_p, eps_Y0;
};

constexpr double kSpecimenHeight = 2.5e-3;  // m: hinge height of the paper's rectangle
constexpr Row kSpecimens[] = {
    {"cotton", 0.06, 5e-6, 50, 50, 0.2, 30, 1e-5, 0.1, 1.7, 30, 5e-6, 0.99, 30, 1.8},
    {"denim", 0.25, 1.2e-4, 100, 100, 0.2, 20, 5e-5, 0.1, 1.8, 30, 1.2e-4, 0.99, 30, 2.0},
    {"polyester", 0.18, 1.2e-4, 50, 50, 0.2, 30, 1e-7, 0.01, 0.1, 30, 1.2e-4, 0.99, 30, 3.0},
};

constexpr double kGarmentHeight = 4.65e-3;  // m: median hinge height of the paper's trousers
constexpr Row kGarments[] = {
    {"cotton-garment", 0.1, 1e-6, 200, 200, 0.2, 20, 4e-6, 0.1, 1.2, 30, 1e-6, 0.99, 30, 1.5},
    {"denim-garment", 0.2, 3e-5, 200, 200, 0.2, 150, 6e-5, 0.2, 1.2, 30, 3e-5, 0.99, 30, 1.2},
    {"polyester-garment", 0.15, 1e-6, 100, 100, 0.2, 20, 7e-7, 0.1, 0.1, 30, 1e-6, 0.99, 30, 3.1},
};

Material make_preset(const Row& row, double H_ref) {
    Material m;
    m.name = row.name;
    m.density = row.density;
    m.membrane = {row.k11, row.k22, row.k12, row.k33};
    m.bending = row.bending;
    m.friction = {row.k_f, row.eps_0, row.eps_inf, row.tau_f, kDefaultSlipDistance};
    m.plasticity = {row.bending, row.K_h0, row.g, row.tau_p, row.eps_Y0};
    m.H_ref = H_ref;
    return m;
}

// Illustrative, not measured: one crease of it recovers as textiles do, in the logarithm of time.
Material make_relaxing(Material m) {
    m.name += "-relaxing";
    m.friction.eps_inf = m.friction.eps_0;
    m.relaxation = {.share = 0.6, .tau_min = 0.1, .tau_max = 1e6};
    return m;
}

}  // namespace

const std::vector<Material>& material_presets() {
    static const std::vector<Material> presets = [] {
        std::vector<Material> list;
        for (const Row& row : kSpecimens) list.push_back(make_preset(row, kSpecimenHeight));
        for (const Row& row : kGarments) list.push_back(make_preset(row, kGarmentHeight));
        list.push_back(make_relaxing(list.front()));
        return list;
    }();
    return presets;
}

const Material* find_preset(const std::string& name) {
    for (const Material& preset : material_presets())
        if (preset.name == name) return &preset;
    return nullptr;
}

}  // namespace rumple
