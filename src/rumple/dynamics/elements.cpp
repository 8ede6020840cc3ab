#include <rumple/dynamics/elements.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <rumple/constitutive/hinge_bending.hpp>
#include <rumple/constitutive/strain_component.hpp>
#include <rumple/constitutive/stvk_membrane.hpp>
#include <rumple/core/lanes.hpp>

namespace rumple {

namespace {
constexpr std::size_t kGrain = 512;  // elements a piece of work

std::size_t pieces(std::size_t elements) { return (elements + kGrain - 1) / kGrain; }

// Up to eight consecutive elements of one law, one a lane; where there are fewer, the last stands in.
struct Run {
    std::size_t first, count;
    std::size_t operator[](std::size_t lane) const { return first + std::min(lane, count - 1); }
};

// Calls visit for the runs that [begin, end) falls into, in order.
template <class Visit>
void for_each_run(const std::vector<std::uint16_t>& law, std::size_t begin, std::size_t end, Visit&& visit) {
    for (Run run{begin, 0}; run.first < end; run.first += run.count) {
        const std::size_t most = std::min(Lanes::kCount, end - run.first);
        for (run.count = 1; run.count < most && law[run.first + run.count] == law[run.first];) ++run.count;
        visit(run);
    }
}

// One number of each element out of arrays with `stride` of them an element.
template <class Number>
Lanes load(const std::vector<Number>& from, Run run, std::size_t stride = 1, std::size_t offset = 0) {
    return Lanes::gather([&](std::size_t k) { return double(from[stride * run[k] + offset]); });
}
template <class Number>
void store(Lanes values, std::vector<Number>& to, Run run, std::size_t stride, std::size_t offset) {
    const auto numbers = values.numbers();
    for (std::size_t k = 0; k < run.count; ++k)
        to[stride * run[k] + offset] = static_cast<Number>(numbers[k]);
}

// All cache lines of a record, which need not begin at one.
template <class Record>
void prefetch(const Record& record) {
    const char* const bytes = reinterpret_cast<const char*>(&record);
    for (std::size_t k = 0; k < sizeof(Record); k += 64) __builtin_prefetch(bytes + k);
    __builtin_prefetch(bytes + sizeof(Record) - 1);
}

void assign(Lanes& field, Lanes values) { field = values; }
void assign(Mask& field, Lanes values) { field = values != 0.0; }
Lanes numbers_of(Lanes field) { return field; }
Lanes numbers_of(Mask field) { return select(field, Lanes(1.0), Lanes(0.0)); }

ComponentHistory<Lanes> load(const HistoryArrays& from, Run run, std::size_t stride, std::size_t offset) {
    ComponentHistory<Lanes> history;
    for_each_history_field(
        [&](auto& field, const auto& column) {
            if (!column.empty()) assign(field, load(column, run, stride, offset));
        },
        history, from);
    return history;
}
void store(const ComponentHistory<Lanes>& history, HistoryArrays& to, Run run, std::size_t stride,
           std::size_t offset) {
    for_each_history_field(
        [&](const auto& field, auto& column) {
            if (!column.empty()) store(numbers_of(field), column, run, stride, offset);
        },
        history, to);
}

// Records of doubles from one of lanes, which has the same members.
template <template <class> class Record>
void store(const Record<Lanes>& lanes, std::vector<Record<double>>& to, Run run) {
    constexpr std::size_t kMembers = sizeof(Record<double>) / sizeof(double);
    static_assert(sizeof(Record<Lanes>) == kMembers * sizeof(Lanes));
    double member[kMembers][Lanes::kCount], record[kMembers];
    std::memcpy(member, &lanes, sizeof lanes);
    for (std::size_t k = 0; k < run.count; ++k) {
        for (std::size_t m = 0; m < kMembers; ++m) record[m] = member[m][k];
        std::memcpy(&to[run.first + k], record, sizeof record);
    }
}

template <std::size_t N>
std::array<Vec3<Lanes>, N> corners(const std::vector<std::array<int, N>>& elements, Run run,
                                   std::span<const Vec3d> x) {
    double c[N][3][Lanes::kCount];
    for (std::size_t k = 0; k < Lanes::kCount; ++k)
        for (std::size_t i = 0; i < N; ++i) {
            const Vec3d& p = x[static_cast<std::size_t>(elements[run[k]][i])];
            c[i][0][k] = p.x;
            c[i][1][k] = p.y;
            c[i][2][k] = p.z;
        }
    std::array<Vec3<Lanes>, N> out;
    std::memcpy(&out, c, sizeof c);
    return out;
}

double sum(Lanes values, Run run) {
    const auto numbers = values.numbers();
    return std::accumulate(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(run.count), 0.0);
}

// The flags of components with the side on which they slip or yield. A Newton step that throws one across
// from one side to the other has passed two kinks, though it slips (yields) before and after.
void store_flags(const ComponentResponse<Lanes>& w, const ComponentHistory<Lanes>& history, Lanes e,
                 std::uint8_t* to, Run run, std::size_t stride) {
    const auto bit = [](Mask m, long long flag) { return m.bits & flag; };
    const Mask::Bits flags = bit(w.slips, kSlipping) | bit(w.yields, kYielding) |
                             bit(w.slips & (e < history.friction.anchor), kSlipping << 4) |
                             bit(w.yields & (e < history.plasticity.plastic), kYielding << 4);
    for (std::size_t k = 0; k < run.count; ++k)
        to[stride * run[k]] = static_cast<std::uint8_t>(flags[static_cast<int>(k)]);
}

Lanes bending_strain(const Model& model, Run run, const std::array<Vec3<Lanes>, 4>& x) {
    const Lanes angle = hinge_angle(x[0], x[1], x[2], x[3]);
    return model.rest_angle.empty() ? angle : angle - load(model.rest_angle, run);
}

GreenStrain<Lanes> membrane_strain(const Model& model, Run run, std::span<const Vec3d> x) {
    const auto gradient = [&](std::size_t i) {
        return Vec2<Lanes>{Lanes::gather([&](std::size_t k) { return model.gradient[run[k]][i].x; }),
                           Lanes::gather([&](std::size_t k) { return model.gradient[run[k]][i].y; })};
    };
    return green_strain<Lanes>(corners(model.triangles, run, x), {{{}, gradient(0), gradient(1)}});
}

ComponentLaw<Lanes> bending_law(const Model& model, Run run) {
    const auto law = scaled_thresholds(law_for<Lanes>(model.bending_laws[model.hinge_law[run.first]]),
                                       load(model.threshold_scale, run));
    if (model.stiffness_factors.empty()) return law;
    const auto factor = [&](auto member) {
        return Lanes::gather([&](std::size_t k) { return model.stiffness_factors[run[k]].*member; });
    };
    using Factors = StiffnessFactors<double>;
    return scaled_stiffness<Lanes>(
        law, {factor(&Factors::elastic), factor(&Factors::friction), factor(&Factors::hardening)});
}

// The pull on each of [begin, end) components of `history`; law_of says by which law each relaxes.
template <class LawOf>
void form_pulls(std::span<const RelaxationStep> laws, const HistoryArrays& history, std::size_t begin,
                std::size_t end, std::vector<double>& pull, LawOf&& law_of) {
    for (std::size_t i = begin; i < end; ++i) {
        const RelaxationStep& step = laws[law_of(i)];
        pull[i] = step.branches > 0 ? relaxation_pull(step, history.branches(i), history.size()) : 0.0;
    }
}

}  // namespace

Elements::Elements(const Model& model) : model_(model), membrane_has_history_(model.membrane_has_history()) {
    bending_.resize(model.hinges.size());
    membrane_.resize(model.triangles.size());
    bending_energy_.resize(pieces(bending_.size()));
    membrane_energy_.resize(pieces(membrane_.size()));
    flags_.resize(model.hinges.size() + (membrane_has_history_ ? 3 * model.triangles.size() : 0));
}

void Elements::begin_step(const Threads& threads, const State& state, StepTimes times) {
    const auto form = [&](Relaxing& relaxing, const auto& laws, const auto& times_of,
                          const HistoryArrays& history, const auto& law_of) {
        relaxing.laws.clear();
        if (history.branch.empty()) return;
        for (const auto& law : laws)
            relaxing.laws.push_back(relaxation_step(times_of(law), times.material_dt));
        relaxing.pull.resize(history.size());
        threads.for_pieces(history.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            form_pulls(relaxing.laws, history, begin, end, relaxing.pull, law_of);
        });
    };
    form(
        bending_relaxing_, model_.bending_laws, [](const auto& law) { return law.relaxation.times; },
        state.bending, [&](std::size_t i) { return model_.hinge_law[i]; });
    form(
        membrane_relaxing_, model_.membrane_laws,
        [](const auto& law) { return law.component[0].relaxation.times; }, state.membrane,
        [&](std::size_t i) { return model_.triangle_law[i / 3]; });
}

double Elements::evaluate_hinges(std::size_t first, std::size_t count, const State& state,
                                 std::span<const Vec3d> x, StepTimes times) {
    const Run run{first, count};
    const std::array<Vec3<Lanes>, 4> corner = corners(model_.hinges, run, x);
    ComponentHistory<Lanes> history = load(state.bending, run, 1, 0);
    if (!bending_relaxing_.laws.empty())
        history.relaxation = {load(bending_relaxing_.pull, run),
                              bending_relaxing_.laws[model_.hinge_law[first]].mean_b};
    const Lanes strain = bending_strain(model_, run, corner);
    const Lanes length_over_height = load(model_.length_over_height, run);
    const auto w = rumple::evaluate(bending_law(model_, run), history, strain, times);
    store(hinge_bending<Lanes>(corner, length_over_height, w), bending_, run);
    store_flags(w, history, strain, flags_.data(), run, 1);
    return sum(hinge_energy<Lanes>(length_over_height, w), run);
}

double Elements::evaluate_triangles(std::size_t first, std::size_t count, const State& state,
                                    std::span<const Vec3d> x, StepTimes times) {
    const Run run{first, count};
    const Model::MembraneLaw& law = model_.membrane_law_of(first);
    const GreenStrain<Lanes> E = membrane_strain(model_, run, x);
    const Lanes strain[3] = {E.uu, E.vv, E.uv};
    ComponentHistory<Lanes> history[3];
    if (membrane_has_history_) {
        for (std::size_t c = 0; c < 3; ++c) {
            history[c] = load(state.membrane, run, 3, c);
            if (!membrane_relaxing_.laws.empty())
                history[c].relaxation = {load(membrane_relaxing_.pull, run, 3, c),
                                         membrane_relaxing_.laws[model_.triangle_law[first]].mean_b};
        }
    } else if (times.damping_per_h > 0) {
        const GreenStrain<Lanes> before = membrane_strain(model_, run, state.x);
        history[0].strain = before.uu;
        history[1].strain = before.vv;
        history[2].strain = before.uv;
    }
    ComponentResponse<Lanes> w[3];
    for (int c = 0; c < 3; ++c)
        w[c] = rumple::evaluate(law_for<Lanes>(law.component[c]), history[c], strain[c], times);
    const Lanes area = load(model_.area, run), k12 = law.k12;
    store(stvk_membrane<Lanes>(area, E, k12, w[0], w[1], w[2]), membrane_, run);
    if (membrane_has_history_)
        for (std::size_t c = 0; c < 3; ++c)
            store_flags(w[c], history[c], strain[c], flags_.data() + model_.hinges.size() + c, run, 3);
    return sum(membrane_energy<Lanes>(area, E, k12, w[0], w[1], w[2]), run);
}

void Elements::evaluate(const Threads& threads, const State& state, std::span<const Vec3d> x,
                        StepTimes times) {
    const auto each = [&](std::vector<double>& energy, const std::vector<std::uint16_t>& law,
                          const auto& evaluate_run) {
        threads.for_pieces(law.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            double total = 0;
            for_each_run(law, begin, end, [&](Run run) { total += evaluate_run(run.first, run.count); });
            energy[begin / kGrain] = total;
        });
    };
    each(bending_energy_, model_.hinge_law, [&](std::size_t first, std::size_t count) {
        return evaluate_hinges(first, count, state, x, times);
    });
    each(membrane_energy_, model_.triangle_law, [&](std::size_t first, std::size_t count) {
        return evaluate_triangles(first, count, state, x, times);
    });
}

Vec3d Elements::gather_force(std::size_t vertex) const {
    Vec3d f;
    for (const Model::Incidence& in : model_.triangles_at(vertex))
        f += membrane_force(membrane_[in.element], model_.gradients_of(in.element)[in.local()]);
    for (const Model::Incidence& in : model_.hinges_at(vertex)) {
        const HingeBending<double>& b = bending_[in.element];
        f -= b.torque * b.gradient[in.local()];
    }
    return f;
}

void Elements::gather_row(std::size_t vertex, double scale, Mat3d* row) const {
    const auto add_blocks = [&](const Model::Incidence& in, const auto& corners, const auto& block_with)
        __attribute__((always_inline)) {
        row[0] += block_with(in.local());
        for (std::size_t i = 0; i + 1 < corners.size() && in.slot[i] != Model::Incidence::kNone; ++i) {
            const std::size_t b = in.other(i);
            const std::size_t slot =
                in.slot[i] != Model::Incidence::kFar ? in.slot[i] : model_.far_slot(vertex, corners[b]);
            row[slot] += block_with(b);
        }
    };
    // Records of the elements around a vertex are scattered: prefetch all before the first is needed.
    for (const Model::Incidence& in : model_.triangles_at(vertex)) prefetch(membrane_[in.element]);
    for (const Model::Incidence& in : model_.hinges_at(vertex)) prefetch(bending_[in.element]);
    for (const Model::Incidence& in : model_.triangles_at(vertex)) {
        const std::size_t t = in.element;
        const Membrane<double>& m = membrane_[t];
        const auto gradient = model_.gradients_of(t);
        const Vec2d own = scale * gradient[in.local()];
        const SymmetricTensor<double> p = tension(m);
        add_blocks(in, model_.triangles[t],
                   [&](std::size_t b) { return membrane_stiffness(m, p, own, gradient[b]); });
    }
    for (const Model::Incidence& in : model_.hinges_at(vertex)) {
        const HingeBending<double>& h = bending_[in.element];
        const std::array<Vec3d, 4> gradient = h.gradient.all();
        const Vec3d own = (scale * h.stiffness) * gradient[in.local()];
        add_blocks(in, model_.hinges[in.element], [&](std::size_t b) { return outer(own, gradient[b]); });
    }
}

double Elements::energy() const {
    return std::accumulate(bending_energy_.begin(), bending_energy_.end(), 0.0) +
           std::accumulate(membrane_energy_.begin(), membrane_energy_.end(), 0.0);
}

int Elements::count(const Threads& threads, std::uint8_t flag) const {
    constexpr std::size_t kPiece = 32768;  // flags: a byte each
    return static_cast<int>(threads.sum(flags_.size(), kPiece, [&](std::size_t begin, std::size_t end) {
        int set = 0;
        for (std::size_t i = begin; i < end; ++i) set += (flags_[i] & flag) != 0;
        return static_cast<double>(set);
    }));
}

void Elements::advance(const Threads& threads, State& state, std::span<const Vec3d> x,
                       StepTimes times) const {
    const auto commit = [&](HistoryArrays& arrays, Run run, std::size_t stride, std::size_t offset,
                            const ComponentLaw<Lanes>& law, Lanes strain, const RelaxationStep* relaxation) {
        ComponentHistory<Lanes> history = load(arrays, run, stride, offset);
        if (relaxation) {
            const auto de = (strain - history.strain).numbers();
            for (std::size_t k = 0; k < run.count; ++k)
                rumple::advance(*relaxation, arrays.branches(stride * run[k] + offset), arrays.size(), de[k]);
        }
        rumple::advance(law, history, strain, times);
        store(history, arrays, run, stride, offset);
    };
    threads.for_pieces(model_.hinges.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for_each_run(model_.hinge_law, begin, end, [&](Run run) {
            const Lanes strain = bending_strain(model_, run, corners(model_.hinges, run, x));
            commit(state.bending, run, 1, 0, bending_law(model_, run), strain,
                   bending_relaxing_.of(model_.hinge_law[run.first]));
        });
    });
    if (!membrane_has_history_) return;
    threads.for_pieces(model_.triangles.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for_each_run(model_.triangle_law, begin, end, [&](Run run) {
            const GreenStrain<Lanes> E = membrane_strain(model_, run, x);
            const Lanes strain[3] = {E.uu, E.vv, E.uv};
            for (std::size_t c = 0; c < 3; ++c)
                commit(state.membrane, run, 3, c,
                       law_for<Lanes>(model_.membrane_law_of(run.first).component[c]), strain[c],
                       membrane_relaxing_.of(model_.triangle_law[run.first]));
        });
    });
}

}  // namespace rumple
