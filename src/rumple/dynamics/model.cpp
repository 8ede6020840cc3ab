#include <fmt/format.h>

#include <algorithm>
#include <rumple/constitutive/hinge_angle.hpp>
#include <rumple/constitutive/stvk_membrane.hpp>
#include <rumple/core/error.hpp>
#include <rumple/dynamics/model.hpp>
#include <utility>

namespace rumple {

namespace {

// A vertex that no triangle uses still needs a mass, or the matrix would be singular.
constexpr double kSmallestMassShare = 1e-6;
constexpr std::size_t kMaxParts = 65535;

// Of hinge e. Each of its two triangles has a warp of its own: they differ across a seam.
StiffnessFactors<double> factors_of(const ClothPart& part, std::size_t e) {
    const Hinge& h = part.rest->hinges[e];
    const auto in_triangle = [&](int t, int wing) {
        const auto& tri = part.mesh->triangles[static_cast<std::size_t>(t)];
        const auto i = static_cast<std::size_t>(std::find(tri.begin(), tri.end(), wing) - tri.begin());
        // The gradient of the wing's shape function stands on the edge: the direction in which the fold
        // bends.
        const Vec2d n = part.rest->gradient[static_cast<std::size_t>(t)][i];
        return part.material->factors((n.x * n.x - n.y * n.y) / (n.x * n.x + n.y * n.y));
    };
    const auto a = in_triangle(h.t0, h.x2), b = in_triangle(h.t1, h.x3);
    return {0.5 * (a.elastic + b.elastic), 0.5 * (a.friction + b.friction),
            0.5 * (a.hardening + b.hardening)};
}

// Of all parts, where one of them has directions.
void list_stiffness_factors(Model& model, std::span<const ClothPart> parts) {
    if (std::none_of(parts.begin(), parts.end(), [](const auto& p) { return p.material->directions.any(); }))
        return;
    for (const ClothPart& part : parts)
        for (std::size_t e = 0; e < part.rest->hinges.size(); ++e)
            model.stiffness_factors.push_back(part.material->directions.any() ? factors_of(part, e)
                                                                              : StiffnessFactors<double>{});
}

void append_part(Model& model, const ClothPart& part) {
    if (model.bending_laws.size() == kMaxParts)
        throw InputError("scene", fmt::format("more than {} cloths", kMaxParts));
    const int v0 = model.parts.vertex_begin.back();
    const auto law = static_cast<std::uint16_t>(model.bending_laws.size());
    const RestShape& rest = *part.rest;
    const Material& material = *part.material;
    const std::size_t vertices = part.mesh->positions.size();
    model.initial.insert(model.initial.end(), part.mesh->positions.begin(), part.mesh->positions.end());

    model.mass.resize(model.mass.size() + vertices, 0.0);
    for (std::size_t t = 0; t < part.mesh->triangles.size(); ++t) {
        std::array<int, 3> tri = part.mesh->triangles[t];
        for (int& v : tri)
            model.mass[static_cast<std::size_t>(v += v0)] += material.density * rest.area[t] / 3;
        model.triangles.push_back(tri);
        model.triangle_law.push_back(law);
    }
    model.area.insert(model.area.end(), rest.area.begin(), rest.area.end());
    for (const auto& g : rest.gradient) model.gradient.push_back({g[1], g[2]});

    for (std::size_t e = 0; e < rest.hinges.size(); ++e) {
        const Hinge& h = rest.hinges[e];
        model.hinges.push_back({h.x0 + v0, h.x1 + v0, h.x2 + v0, h.x3 + v0});
        model.length_over_height.push_back(rest.hinge_length[e] / rest.hinge_height[e]);
        model.threshold_scale.push_back(
            material.metric == StrainMetric::curvature ? rest.hinge_height[e] / material.H_ref : 1.0);
        model.hinge_law.push_back(law);
    }
    model.rest_angle.insert(model.rest_angle.end(), rest.hinge_angle.begin(), rest.hinge_angle.end());

    model.bending_laws.push_back(material.bending_law(material.H_ref));
    model.bending_history.add(model.bending_laws.back());
    Model::MembraneLaw membrane;
    for (int c = 0; c < 3; ++c) {
        membrane.component[c] = material.membrane_law(c);
        model.membrane_history.add(membrane.component[c]);
    }
    membrane.k12 = material.membrane.k12;
    membrane.has_history =
        material.tensile_friction || material.tensile_plasticity || material.tensile_relaxation.on();
    model.membrane_laws.push_back(membrane);

    model.parts.vertex_begin.push_back(static_cast<int>(model.mass.size()));
    model.parts.triangle_begin.push_back(model.triangle_count());
    model.parts.hinge_begin.push_back(model.hinge_count());
}

void append_numbers(std::vector<int>& all, const std::vector<int>& own, int first, int end) {
    for (int i = first; i < end; ++i)
        all.push_back(first + old_number(own, static_cast<std::size_t>(i - first)));
}

// Only where some part has numbers of its own.
void list_source_ids(Model& model, std::span<const ClothPart> parts) {
    const auto differs = [](const ClothPart& part) {
        return part.source_ids != nullptr && part.source_ids->changes();
    };
    if (std::none_of(parts.begin(), parts.end(), differs)) return;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Numbering own = differs(parts[i]) ? *parts[i].source_ids : Numbering{};
        append_numbers(model.source_ids.vertices, own.vertices, model.parts.vertex_begin[i],
                       model.parts.vertex_begin[i + 1]);
        append_numbers(model.source_ids.triangles, own.triangles, model.parts.triangle_begin[i],
                       model.parts.triangle_begin[i + 1]);
        append_numbers(model.source_ids.hinges, own.hinges, model.parts.hinge_begin[i],
                       model.parts.hinge_begin[i + 1]);
    }
}

template <class Element>
void list_couplings(const std::vector<Element>& elements, std::vector<std::pair<int, int>>& couplings) {
    for (const Element& e : elements)
        for (int a : e)
            for (int b : e)
                if (a < b) couplings.emplace_back(a, b);
}

// For each vertex the elements around it, in the order of the elements: the order of every gathered sum.
template <class Element>
Model::Incidences list_incidences(const std::vector<Element>& elements, const BlockPattern& pattern) {
    Model::Incidences result;
    std::vector<int>& begin = result.begin;
    begin.assign(static_cast<std::size_t>(pattern.rows) + 1, 0);
    for (const Element& e : elements)
        for (int v : e) ++begin[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
    result.list.resize(static_cast<std::size_t>(begin.back()));
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::size_t a = 0; a < elements[e].size(); ++a) {
            const auto row = static_cast<std::size_t>(elements[e][a]);
            Model::Incidence& in = result.list[static_cast<std::size_t>(next[row]++)];
            in.element = static_cast<std::uint32_t>(e);
            std::size_t slots = 0, locals = a;
            for (std::size_t b = 0; b < elements[e].size(); ++b) {
                if (elements[e][b] <= elements[e][a]) continue;
                const int place = find_block(pattern, elements[e][a], elements[e][b]) - pattern.diagonal[row];
                locals |= b << (2 * slots + 2);
                in.slot[slots++] = static_cast<std::uint8_t>(std::min<int>(place, Model::Incidence::kFar));
            }
            in.locals = static_cast<std::uint8_t>(locals);
        }
    return result;
}

}  // namespace

bool Model::membrane_has_history() const {
    return std::any_of(membrane_laws.begin(), membrane_laws.end(),
                       [](const auto& law) { return law.has_history; });
}

Model make_model(std::span<const ClothPart> parts) {
    Model model;
    model.parts.vertex_begin = model.parts.triangle_begin = model.parts.hinge_begin = {0};
    double edge_sum = 0;
    for (const ClothPart& part : parts) {
        append_part(model, part);
        edge_sum += part.rest->mean_edge_length * static_cast<double>(part.mesh->triangles.size());
    }
    list_source_ids(model, parts);
    list_stiffness_factors(model, parts);
    if (std::all_of(model.rest_angle.begin(), model.rest_angle.end(), [](double a) { return a == 0; }))
        std::vector<double>().swap(model.rest_angle);
    model.mean_edge_length = edge_sum / std::max(1, model.triangle_count());

    for (double m : model.mass) model.total_mass += m;
    const double smallest = kSmallestMassShare * model.total_mass / std::max(1, model.vertex_count());
    for (double& m : model.mass) m = std::max(m, smallest);

    std::vector<std::pair<int, int>> couplings;
    list_couplings(model.triangles, couplings);
    list_couplings(model.hinges, couplings);
    model.pattern = make_block_pattern(model.vertex_count(), couplings);
    model.triangle_incidence = list_incidences(model.triangles, model.pattern);
    model.hinge_incidence = list_incidences(model.hinges, model.pattern);
    return model;
}

Model make_model(std::span<const ClothPart> parts, const ContactSettings& contact,
                 std::vector<ObstaclePart> obstacles) {
    Model model = make_model(parts);
    model.contact.settings = contact;
    model.contact.obstacles = std::move(obstacles);
    model.contact.enabled = contact.cloth_on_cloth || !model.contact.obstacles.empty();
    return model;
}

State make_state(const Model& model, std::span<const Vec3d> positions) {
    State state;
    for (const ObstaclePart& obstacle : model.contact.obstacles)
        if (obstacle.mass > 0) state.rigid_bodies.emplace_back();
    state.x.assign(positions.begin(), positions.end());
    state.v.resize(positions.size());
    const auto at = [&](int v) { return positions[static_cast<std::size_t>(v)]; };

    state.bending.resize(model.hinges.size(), model.bending_history);
    for (std::size_t e = 0; e < model.hinges.size(); ++e) {
        const auto& h = model.hinges[e];
        const double theta = hinge_angle(at(h[0]), at(h[1]), at(h[2]), at(h[3]));
        state.bending.set(e, initial_history(theta - model.rest_angle_of(e)));
    }
    if (!model.membrane_has_history()) return state;
    state.membrane.resize(3 * model.triangles.size(), model.membrane_history);
    for (std::size_t t = 0; t < model.triangles.size(); ++t) {
        const auto& tri = model.triangles[t];
        const GreenStrain<double> E =
            green_strain<double>({at(tri[0]), at(tri[1]), at(tri[2])}, model.gradients_of(t));
        state.membrane.set(3 * t, initial_history(E.uu));
        state.membrane.set(3 * t + 1, initial_history(E.vv));
        state.membrane.set(3 * t + 2, initial_history(E.uv));
    }
    return state;
}

}  // namespace rumple
