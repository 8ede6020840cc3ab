// ContactSet: the law of the contacts, evaluated and gathered.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <rumple/contact/contact_set.hpp>
#include <rumple/contact/contact_tuning.hpp>
#include <utility>

namespace rumple::contact {

namespace {

constexpr std::size_t kGrain = 256, kCountGrain = 1024;

}  // namespace

NormalResponse<double> ContactSet::normal(const Contact& c, double gap) {
    return normal_response(gap, c.thickness, c.stiffness);
}

FrictionResponse<double> ContactSet::friction(const Contact& c, Vec3d displacement) {
    const double limit = c.friction * c.load;
    return limit > 0 ? friction_response(displacement, c.slip_length, limit) : FrictionResponse<double>{};
}

Vec3d ContactSet::held(const Contact& c, Vec3d displacement) {
    return held_displacement(displacement, c.slip_length);
}

void ContactSet::assign(const Threads& threads, std::vector<Contact> list) {
    list_ = std::move(list);
    index(threads);
}

// For each cloth vertex the contacts it takes part in. Pieces of the list count their vertices, learn from
// the pieces before them where theirs go, and put them there: in the order of the list, however many there
// are.
void ContactSet::index(const Threads& threads) {
    constexpr std::size_t kPieces = 8;
    const std::size_t vertices = static_cast<std::size_t>(cloth_vertices_);
    const std::size_t piece = (list_.size() + kPieces - 1) / kPieces;
    counts_.resize(kPieces);
    std::array<std::vector<int>, kPieces> with_obstacles;
    const auto for_piece = [&](std::size_t p, auto&& visit) {
        for (std::size_t k = p * piece; k < std::min(list_.size(), (p + 1) * piece); ++k)
            for (std::size_t i = 0; i < 4; ++i)
                if (const int v = list_[k].vertex[i]; v < cloth_vertices_)
                    visit(k, i, static_cast<std::size_t>(v));
    };
    threads.for_each(kPieces, 1, [&](std::size_t p) {
        counts_[p].assign(vertices, 0);
        for_piece(p, [&](std::size_t, std::size_t, std::size_t v) { ++counts_[p][v]; });
        with_obstacles[p].clear();
        for (std::size_t k = p * piece; k < std::min(list_.size(), (p + 1) * piece); ++k)
            if (std::ranges::any_of(list_[k].vertex, [&](int v) { return v >= cloth_vertices_; }))
                with_obstacles[p].push_back(static_cast<int>(k));
    });
    begin_.resize(vertices + 1);
    int next = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        begin_[v] = next;
        for (auto& count : counts_) next += std::exchange(count[v], next);
    }
    begin_[vertices] = next;
    incidence_.resize(static_cast<std::size_t>(next));
    threads.for_each(kPieces, 1, [&](std::size_t p) {
        for_piece(p, [&](std::size_t k, std::size_t i, std::size_t v) {
            incidence_[static_cast<std::size_t>(counts_[p][v]++)] = {static_cast<int>(k), list_[k].weight[i]};
        });
    });
    with_obstacles_.clear();
    for (const auto& part : with_obstacles)
        with_obstacles_.insert(with_obstacles_.end(), part.begin(), part.end());
    forces_.resize(list_.size());
    total_.resize(list_.size());
    flags_.resize(list_.size());
    guessed_slip_.assign(list_.size(), 0.0);
    carried_.assign(list_.size(), Carried::friction);
}

void ContactSet::evaluate_one(std::size_t k, double gap, Vec3d displacement) {
    const Contact& c = list_[k];
    ContactForces& f = forces_[k];
    f.gap = gap;
    f.normal = normal_response(gap, c.thickness, c.stiffness);
    flags_[k] = f.normal.force > 0 ? kTouching : std::uint8_t{0};
    f.friction = {};
    f.along = f.shift = {};
    total_[k] = f.normal.force * c.normal;
    if (!(c.friction * c.load > 0)) return;
    f.friction = friction_response(displacement, c.slip_length, c.friction * c.load);
    total_[k] -= f.friction.force;
    if (const double length = norm(displacement); length > 0) f.along = (1 / length) * displacement;
    flags_[k] |= kTouching;  // friction still holds it to what it was pressed to
    if (f.friction.slips) flags_[k] |= kSliding;
}

void ContactSet::evaluate(const Threads& threads, std::span<const Vec3d> x) {
    threads.for_each(list_.size(), kGrain,
                     [&](std::size_t k) { evaluate_one(k, list_[k].gap(x), list_[k].displacement(x)); });
}

void ContactSet::evaluate_with_loads(const Threads& threads, std::span<const Vec3d> x) {
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        Contact& c = list_[k];
        const double g = c.gap(x);
        c.load = normal_response(g, c.thickness, c.stiffness).force;
        evaluate_one(k, g, c.displacement(x));
    });
}

void ContactSet::evaluate_iterate(const Threads& threads, const ContactContext& context) {
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        Contact& c = list_[k];
        const double gap = c.gap(context.end);
        c.load = load_at_iterate(c, gap, context);
        evaluate_one(k, gap, c.displacement(context.end));
        if (c.friction * c.load > 0) linearize_friction_at_iterate(k, context);
    });
}

// Through an obstacle or cloth, and not pushed out of it little by little.
bool ContactSet::passed(const Contact& c, double gap, const ContactContext& context) const {
    return gap < 0 && std::ranges::none_of(c.vertex, [&](int v) {
               return v < cloth_vertices_ && context.penetrating[static_cast<std::size_t>(v)] != 0;
           });
}

// What was in the last solve has the load that it found.
double ContactSet::load_at_iterate(const Contact& c, double gap, const ContactContext& context) const {
    if (passed(c, gap, context)) return 0;
    return c.load >= 0 && context.settled ? c.load : normal(c, gap).force;
}

// Newton's tangent of what slips has no stiffness along the slip: its step may reverse the motion where
// friction could stop it. There the secant m N / |u| is taken, whose step cannot.
bool ContactSet::take_secant(std::size_t k, double slip, double h2) {
    const Contact& c = list_[k];
    FrictionResponse<double>& f = forces_[k].friction;
    if (!f.slips || !(2 * h2 * c.friction * c.load * c.inverse_effective_mass > slip)) return false;
    f.along = f.across;
    return true;
}

// Where friction was too strong, what it held goes where it would go by itself; where it was missing, it has
// gone there already. From there friction stops it or it does not: it is linearised where it ends.
void ContactSet::linearize_friction_at_iterate(std::size_t k, const ContactContext& context) {
    const Contact& c = list_[k];
    const double h2 = context.h * context.h;
    const Vec3d here = c.displacement(context.end);
    const bool too_strong = carried_[k] == Carried::overload;  // that of the last solve
    const Vec3d there = too_strong ? c.displacement(context.predicted) : here;
    const double slip = norm(there) - c.slip_length;
    if (carried_[k] == Carried::friction || !context.settled) {
        take_secant(k, slip, h2);
        return;
    }
    if (!(slip > 0)) return;
    const double energy = forces_[k].friction.energy;  // at the iterate
    const bool stops = h2 * c.friction * c.load * c.inverse_effective_mass > slip;
    const Vec3d end = stops ? held(c, there) : there;
    set_friction(k, end);
    shift_friction(k, end - here);
    forces_[k].friction.energy = energy;
}

void ContactSet::set_friction(std::size_t k, Vec3d displacement) {
    const Contact& c = list_[k];
    ContactForces& f = forces_[k];
    f.friction = friction_response(displacement, c.slip_length, c.friction * c.load);
    if (const double length = norm(displacement); length > 0) f.along = (1 / length) * displacement;
    flags_[k] = f.friction.slips ? kTouching | kSliding : kTouching;
}

// To the tangent of the friction that was set, at a displacement that is `back` from there.
void ContactSet::shift_friction(std::size_t k, Vec3d back) {
    ContactForces& f = forces_[k];
    f.shift += stiffness(k) * back;
    total_[k] = f.normal.force * list_[k].normal - f.friction.force + f.shift;
}

void ContactSet::evaluate_first(const Threads& threads, const ContactContext& context) {
    const double h2 = context.h * context.h;
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        const Contact& c = list_[k];
        const Vec3d here = c.displacement(context.end), there = c.displacement(context.predicted);
        const double gap_here = c.gap(context.end), gap_there = std::min(gap_here, c.gap(context.begin));
        evaluate_one(k, gap_there, there);
        ContactForces& f = forces_[k];
        f.shift = (f.normal.stiffness * (gap_there - gap_here)) * c.normal;
        if (!(c.friction * c.load > 0)) {
            total_[k] += f.shift;
            return;
        }
        const double displacement = norm(there);
        if (take_secant(k, displacement - c.slip_length, h2)) guessed_slip_[k] = displacement;
        shift_friction(k, there - here);
    });
    mark_linearized(threads);
}

void ContactSet::mark_linearized(const Threads& threads) {
    linearized_flags_ = flags_;
    linearized_.resize(list_.size());
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        const ContactForces& f = forces_[k];
        linearized_[k] = {f.gap, f.normal.force, f.normal.stiffness};
    });
}

void ContactSet::judge_solve(const Threads& threads, const ContactContext& context) {
    judged_.resize(list_.size());
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        const Contact& c = list_[k];
        const double load = linearized_[k].load(c.gap(context.end));
        judged_[k] = {c.pair, load, !(c.load > 0),
                      judge_friction(c, c.displacement(context.end), load, context.h * context.h)};
    });
}

// A difference that moves the contact by less than the slip length in this step does not matter.
ContactSet::Judgement ContactSet::judge_friction(const Contact& c, Vec3d displacement, double load,
                                                 double h2) const {
    const double length = norm(displacement), limit = c.friction * load;
    const double pull = c.friction * c.load * std::min(length / c.slip_length, 1.0);
    const bool matters = h2 * std::abs(pull - limit) * c.inverse_effective_mass >= c.slip_length;
    constexpr double kAllowed = 1 + kFrictionTuning.load_misguess;
    if (matters && pull > kAllowed * limit) return Judgement::too_strong;
    if (matters && length > c.slip_length && kAllowed * pull < limit) return Judgement::too_weak;
    return Judgement::right;
}

SolveChanges ContactSet::changes(const Threads& threads, std::span<const Vec3d> x) const {
    std::atomic<int> touching = 0, active_set = 0, load = 0;
    threads.for_pieces(list_.size(), kCountGrain, [&](std::size_t begin, std::size_t end) {
        int touches = 0, changes = 0, misjudged = 0;
        for (std::size_t k = begin; k < end; ++k) {
            if (!(linearized_flags_[k] & kTouching)) continue;
            ++touches;
            const Contact& c = list_[k];
            const bool slips = flags_[k] & kSliding, slipped = linearized_flags_[k] & kSliding;
            const double guess = guessed_slip_[k];
            const bool misguessed =
                guess > 0 && std::abs(norm(c.displacement(x)) - guess) > kContactTuning.slip_misguess * guess;
            const bool changed =
                slips != slipped || misguessed || c.gap(x) > kContactTuning.let_go * c.thickness;
            changes += changed;
            misjudged += !changed && judged_[k].friction != Judgement::right;
        }
        touching += touches;
        active_set += changes;
        load += misjudged;
    });
    if (touching == 0) return {};
    const double all = touching;
    return {active_set / all, load / all};
}

double ContactSet::energy() const {
    double sum = 0;
    for (const ContactForces& f : forces_) sum += f.normal.energy + f.friction.energy;
    return sum;
}

Vec3d ContactSet::gather_force(std::size_t vertex) const {
    Vec3d sum;
    for (int k = begin_[vertex]; k < begin_[vertex + 1]; ++k) {
        const Incidence in = incidence_[static_cast<std::size_t>(k)];
        sum += in.weight * total_[static_cast<std::size_t>(in.contact)];
    }
    return sum;
}

// kn n n^T + along a a^T + across (1 - n n^T - a a^T)
Mat3d ContactSet::stiffness(std::size_t k) const {
    const Contact& c = list_[k];
    const ContactForces& f = forces_[k];
    Mat3d b = Mat3d::identity(f.friction.across);
    b += (f.normal.stiffness - f.friction.across) * outer(c.normal, c.normal);
    b += (f.friction.along - f.friction.across) * outer(f.along, f.along);
    return b;
}

}  // namespace rumple::contact
