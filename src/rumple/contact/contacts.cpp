#include <rumple/contact/contacts.hpp>

#include <algorithm>
#include <utility>

namespace rumple {

namespace {
constexpr std::size_t kGrain = 256;
}

// Pieces of the list count their vertices, learn from the pieces before them where theirs go, and put them
// there: in the order of the list, however many there are.
void Contacts::index(const Threads& threads) {
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

Vec3d Contacts::separation(const Contact& c, std::span<const Vec3d> x) {
    Vec3d sum;
    for (std::size_t i = 0; i < 4; ++i) sum += c.weight[i] * x[static_cast<std::size_t>(c.vertex[i])];
    return sum;
}

Vec3d Contacts::offset_at(const Contact& c, std::span<const Vec3d> x) {
    const Vec3d u = c.offset + separation(c, x) - c.at_begin;
    return u - dot(c.normal, u) * c.normal;
}

bool Contacts::slides(const Contact& c, std::span<const Vec3d> x) {
    const double limit = c.friction * c.load;
    return limit > 0 && rub(offset_at(c, x), c.slip_length, limit).slips;
}

void Contacts::evaluate_one(std::size_t k, double gap, Vec3d offset) {
    const Contact& c = list_[k];
    ContactForces& f = forces_[k];
    f.push = push(gap, c.thickness, c.stiffness);
    flags_[k] = f.push.force > 0 ? kTouching : std::uint8_t{0};
    f.rub = {};
    f.along = f.shift = {};
    total_[k] = f.push.force * c.normal;
    if (!(c.friction * c.load > 0)) return;
    f.rub = rub(offset, c.slip_length, c.friction * c.load);
    total_[k] -= f.rub.force;
    if (const double length = norm(offset); length > 0) f.along = (1 / length) * offset;
    flags_[k] |= kTouching;  // it still holds on to what it was pressed to
    if (f.rub.slips) flags_[k] |= kSliding;
}

void Contacts::evaluate(const Threads& threads, std::span<const Vec3d> x) {
    threads.for_each(list_.size(), kGrain,
                     [&](std::size_t k) { evaluate_one(k, gap(list_[k], x), offset_at(list_[k], x)); });
}

void Contacts::evaluate_with_loads(const Threads& threads, std::span<const Vec3d> x) {
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        Contact& c = list_[k];
        const double g = gap(c, x);
        c.load = push(g, c.thickness, c.stiffness).force;
        evaluate_one(k, g, offset_at(c, x));
    });
}

// Newton's tangent of what slips has no stiffness along the slip: a step without line search may turn the
// motion round where friction could stop it. There the secant m N / |u| is taken, whose step cannot.
void Contacts::evaluate_moving(const Threads& threads, std::span<const Vec3d> x, std::span<const Vec3d> begin,
                               std::span<const Vec3d> predicted, double h2) {
    threads.for_each(list_.size(), kGrain, [&](std::size_t k) {
        const Contact& c = list_[k];
        const Vec3d here = offset_at(c, x), there = offset_at(c, predicted);
        const double gap_here = gap(c, x), gap_there = std::min(gap_here, gap(c, begin));
        evaluate_one(k, gap_there, there);
        ContactForces& f = forces_[k];
        f.shift = (f.push.stiffness * (gap_there - gap_here)) * c.normal;
        if (!(c.friction * c.load > 0)) {
            total_[k] += f.shift;
            return;
        }
        const double limit = c.friction * c.load, slip = norm(there) - c.slip_length;
        if (f.rub.slips && 2 * h2 * limit * c.give > slip) {
            f.rub.along = f.rub.across;
            guessed_slip_[k] = norm(there);
        }
        f.shift += stiffness(k) * (there - here);
        total_[k] += f.shift;
    });
}

double Contacts::energy() const {
    double sum = 0;
    for (const ContactForces& f : forces_) sum += f.push.energy + f.rub.energy;
    return sum;
}

Vec3d Contacts::gather_force(std::size_t vertex) const {
    Vec3d sum;
    for (int k = begin_[vertex]; k < begin_[vertex + 1]; ++k) {
        const Incidence in = incidence_[static_cast<std::size_t>(k)];
        sum += in.weight * total_[static_cast<std::size_t>(in.contact)];
    }
    return sum;
}

// kn n n^T + along a a^T + across (1 - n n^T - a a^T)
Mat3d Contacts::stiffness(std::size_t k) const {
    const Contact& c = list_[k];
    const ContactForces& f = forces_[k];
    Mat3d b = Mat3d::identity(f.rub.across);
    b += (f.push.stiffness - f.rub.across) * outer(c.normal, c.normal);
    b += (f.rub.along - f.rub.across) * outer(f.along, f.along);
    return b;
}

}  // namespace rumple
