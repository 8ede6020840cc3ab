#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <rumple/core/bounds.hpp>
#include <rumple/modeling/size_check.hpp>

namespace rumple {

namespace {

struct Unit {
    double scale;
    const char* name;
};
constexpr std::array<Unit, 6> kUnits{{{1, "metres"},
                                      {0.01, "centimetres"},
                                      {0.001, "millimetres"},
                                      {0.1, "decimetres"},
                                      {0.0254, "inches"},
                                      {0.3048, "feet"}}};
constexpr double kShortest = 1.2, kTallest = 2.3;  // m
constexpr double kGrown = 0.12;                    // m, by which clothes may stand out from the body's box
constexpr double kEnough = 0.9;                    // share of a garment's vertices in that box

std::string remedy(const SizeFinding& f) {
    if (f.scale != 1 && f.y_up) return fmt::format("use scale {} and up y", f.scale);
    if (f.y_up) return "use up y";
    return fmt::format("use scale {}", f.scale);
}

}  // namespace

SizeFinding check_body_size(std::span<const Vec3d> positions, const std::string& name) {
    SizeFinding out;
    const Vec3d size = bounds_of(positions).size();
    if (positions.empty() || !std::isfinite(norm(size)) || norm(size) == 0)
        return {false, false, 1, false, name + ": it has no size"};
    // A person is much deeper than wide in no pose: the longer of y and z is up. Arms may reach as wide as
    // the body is tall.
    out.y_up = size.y > size.z;
    const double tall = std::max(size.y, size.z);
    if (size.x > 1.6 * tall)
        return {
            false, false, 1, false,
            fmt::format(
                "{}: {:.4g} units along x, {:.4g} along z: the body lies along x; turn it so that Z is up",
                name, size.x, size.z)};
    const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) {
        return tall * u.scale >= kShortest && tall * u.scale <= kTallest;
    });
    if (unit == kUnits.end())
        return {false, false, 1, out.y_up,
                fmt::format("{}: {:.4g} units tall fits a person in none of m, dm, cm, mm, inches, feet; "
                            "scale it to metres",
                            name, tall)};
    out.scale = unit->scale;
    out.fits = out.scale == 1 && !out.y_up;
    if (out.fits) return out;
    out.message = fmt::format("{}: {:.4g} units tall", name, tall);
    if (out.y_up) out.message += " along y";
    out.message += " looks like ";
    if (out.scale != 1) out.message += unit->name;
    if (out.scale != 1 && out.y_up) out.message += ", ";
    if (out.y_up) out.message += "Y up";
    out.message += ": " + remedy(out);
    return out;
}

SizeFinding check_garment_size(std::span<const Vec3d> garment, std::span<const Vec3d> body,
                               const std::string& name) {
    Bounds box = bounds_of(body);
    for (int k = 0; k < 3; ++k) box.low[k] -= kGrown, box.high[k] += kGrown;
    const double body_tall = box.size().z;
    const auto inside = [&](const SizeFinding& f) {
        std::size_t count = 0;
        Bounds extent;
        for (const Vec3d& original : garment) {
            const Vec3d p = f.apply(original);
            bool in = true;
            for (int k = 0; k < 3; ++k) in = in && p[k] >= box.low[k] && p[k] <= box.high[k];
            count += in;
            extent.add(p);
        }
        // A garment scaled down to a speck is inside of everything.
        const Vec3d size = extent.size();
        const bool speck = f.scale != 1 && std::max({size.x, size.y, size.z}) < 0.25 * body_tall;
        return speck ? 0.0 : double(count) / double(std::max<std::size_t>(1, garment.size()));
    };
    SizeFinding best;
    double most = inside(best);
    if (most >= kEnough) return best;
    std::string unit = "metres";
    for (const Unit& u : kUnits)
        for (const bool y_up : {false, true}) {
            const SizeFinding f{false, true, u.scale, y_up, ""};
            const double share = inside(f);
            if (share <= most) continue;
            most = share;
            best = f;
            unit = u.name;
        }
    if (most < kEnough) {
        const Vec3d size = bounds_of(garment).size();
        return {
            false, false, 1, false,
            fmt::format(
                "{}: the garment ({:.3g} x {:.3g} x {:.3g} units) does not lie on the body, in no unit and "
                "neither Y up nor Z up; move it onto the body",
                name, size.x, size.y, size.z)};
    }
    best.message = fmt::format("{}: the garment fits the body as {}{}: {}", name, unit,
                               best.y_up ? ", Y up" : "", remedy(best));
    return best;
}

}  // namespace rumple
