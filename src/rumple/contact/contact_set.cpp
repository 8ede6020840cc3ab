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
    return normal_response(gap, c.thickness, c.stiffness, c.smallest_gap);
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
}

void ContactSet::evaluate_one(std::size_t k, double gap, Vec3d displacement) {
    const Contact& c = list_[k];
    ContactForces& f = forces_[k];
    f.normal = normal_response(gap, c.thickness, c.stiffness, c.smallest_gap);
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
        c.load = normal_response(g, c.thickness, c.stiffness, c.smallest_gap).force;
        evaluate_one(k, g, c.displacement(x));
    });
}

void ContactSet::evaluate_iterate(const Threads& threads, const ContactContext& context) {
    const double h2 = context.h * context.h;
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        Contact& c = list_[k];
        const double gap = c.gap(context.end);
        const Vec3d displacement = c.displacement(context.end);
        const bool passed =
            gap < 0 && std::ranges::none_of(c.vertex, [&](int v) {
                return v < cloth_vertices_ && context.penetrating[static_cast<std::size_t>(v)] != 0;
            });
        c.load = passed ? 0.0 : normal_response(gap, c.thickness, c.stiffness, c.smallest_gap).force;
        evaluate_one(k, gap, displacement);
        take_secant(k, norm(displacement) - c.slip_length, h2);
    });
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
        f.shift += stiffness(k) * (there - here);
        total_[k] += f.shift;
    });
    mark_linearized();
}

double ContactSet::active_set_changes(const Threads& threads, std::span<const Vec3d> x) const {
    std::atomic<int> touching = 0, changed = 0;
    threads.for_pieces(list_.size(), kCountGrain, [&](std::size_t begin, std::size_t end) {
        int touches = 0, changes = 0;
        for (std::size_t k = begin; k < end; ++k) {
            if (!(linearized_flags_[k] & kTouching)) continue;
            ++touches;
            const Contact& c = list_[k];
            const bool slips = flags_[k] & kSliding, slipped = linearized_flags_[k] & kSliding;
            const double guess = guessed_slip_[k];
            const bool misguessed =
                guess > 0 && std::abs(norm(c.displacement(x)) - guess) > kContactTuning.slip_misguess * guess;
            changes += slips != slipped || misguessed || c.gap(x) > kContactTuning.let_go * c.thickness;
        }
        touching += touches;
        changed += changes;
    });
    return touching > 0 ? static_cast<double>(changed) / touching : 0;
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
