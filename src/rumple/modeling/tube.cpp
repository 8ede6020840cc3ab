#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple/modeling/tube.hpp>

namespace rumple {

namespace {

Vec2d direction(std::size_t k) {
    const double angle = 2 * std::numbers::pi * double(k) / double(kDirections);
    return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Support support_of(const Loop& loop) {
    Support s;
    for (std::size_t k = 0; k < kDirections; ++k) {
        s[k] = -HUGE_VAL;
        for (const Vec2d& p : loop) s[k] = std::max(s[k], dot(direction(k), p));
    }
    return s;
}

Tube::Tube(const SectionFrame& frame, double first, double step, std::vector<Support> sections)
    : frame_(frame), first_(first), step_(step), sections_(std::move(sections)) {
    for (std::size_t k = 0; k < kDirections; ++k) direction_[k] = direction(k);
}

void Tube::widen(const std::function<double(double)>& ease) {
    for (std::size_t i = 0; i < sections_.size(); ++i)
        for (double& h : sections_[i]) h += ease(t_of(i));
}

void Tube::hang(double taper) {
    for (std::size_t i = sections_.size() - 1; i-- > 0;)
        for (std::size_t k = 0; k < kDirections; ++k)
            sections_[i][k] = std::max(sections_[i][k], sections_[i + 1][k] - taper * step_);
}

void Tube::smooth(double length) {
    // Repeated averages of three: n of them spread over sqrt(n / 2) steps.
    const double steps = length / step_;
    const int rounds = std::max(1, int(std::lround(2 * steps * steps)));
    const std::size_t last = sections_.size() - 1;
    std::vector<Support> even = sections_;
    for (int round = 0; round < rounds; ++round) {
        const std::vector<Support> before = even;
        for (std::size_t i = 1; i < last; ++i)
            for (std::size_t k = 0; k < kDirections; ++k)
                even[i][k] = 0.25 * before[i - 1][k] + 0.5 * before[i][k] + 0.25 * before[i + 1][k];
    }
    // Where averaging went inside, the whole section grows until it is outside again; the growth is smooth
    // too.
    std::vector<double> lack(sections_.size());
    for (std::size_t i = 0; i <= last; ++i)
        for (std::size_t k = 0; k < kDirections; ++k)
            lack[i] = std::max(lack[i], sections_[i][k] - even[i][k]);
    const auto reach = std::size_t(std::ceil(steps));
    for (std::size_t i = 0; i <= last; ++i) {
        double worst = 0;
        for (std::size_t j = i - std::min(i, reach); j <= std::min(last, i + reach); ++j)
            worst = std::max(worst, lack[j]);
        for (double& h : even[i]) h += std::min(worst, 0.004);  // more than this the clearance takes care of
    }
    sections_ = std::move(even);
}

double Tube::operator()(Vec3d p) const {
    const Vec2d q = frame_.in_plane(p);
    const double t = dot(p - frame_.origin, frame_.normal);
    const double x = std::clamp((t - first_) / step_, 0.0, double(sections_.size() - 1));
    const std::size_t i = std::min(std::size_t(x), sections_.size() - 2);
    const double u = x - double(i);
    const Support &a = sections_[i], &b = sections_[i + 1];
    double f = -HUGE_VAL;
    for (std::size_t k = 0; k < kDirections; ++k)
        f = std::max(f, dot(direction_[k], q) - ((1 - u) * a[k] + u * b[k]));
    return f;
}

}  // namespace rumple
