#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple_render/noise.hpp>
#include <rumple_render/weave.hpp>

namespace rumple {

namespace {

constexpr float kSpeckWide = 0.80f, kSpeckLong = 0.70f;  // how much of its cell a crossing thread shows
constexpr float kSlope = 0.6f;                           // of a thread's side, for relief 1
constexpr float kPlainShade = 0.55f, kSteps = 0.2f;      // contrast of a plain weave, for relief 1
constexpr float kShineStreaks = 4;                       // threads differ more in shine than in colour
constexpr float kRipple = 0.006f;                        // m, half a wave of the longest ripples
constexpr std::uint32_t kRipples = 3;                    // lengths of them
constexpr float kPi = std::numbers::pi_v<float>;

// Uneven yarn: streaks along both thread directions, of several widths. Twill shows its warp.
float slub_streaks(const Yarn& yarn, float u, float v, float footprint) {
    constexpr float kLong = 34;  // a streak's length over its width
    const bool twill = yarn.weave == Weave::twill;
    const float warp = twill ? 0.85f : 0.5f;
    const std::uint32_t octaves = twill ? 6 : 4;
    float sum = 0, period = 1.2f * yarn.pitch, strength = 1;
    for (std::uint32_t octave = 0; octave < octaves;
         ++octave, period *= 2.1f, strength *= twill ? 0.78f : 0.68f) {
        const float seen = strength * visible_pattern(footprint, 2 * period);
        if (seen <= 0) continue;
        sum += seen * (warp * noise(u / (kLong * period), v / period, octave) +
                       (1 - warp) * noise(u / period, v / (kLong * period), octave + 16));
    }
    return sum;
}

// Height and slopes of a plain weave, in waves of at least two thirds of a thread: with edges between
// threads, it would alias where threads are a few pixels wide. Where warp is on top, the weave is round
// across the warp.
struct PlainWeave {
    float height = 0;                // mean 0, about -1 to 1
    float slope_u = 0, slope_v = 0;  // about -1 to 1
    float steps = 0;                 // the part of the height that tells warp from weft
};

PlainWeave plain_weave_at(const Yarn& yarn, float u, float v) {
    constexpr float kTurn = 2 * kPi;
    // Whole pairs of threads are cut off: large numbers have few digits left.
    const auto place = [&](float w) {
        const float pairs = w / (2 * yarn.pitch);
        return 2 * (pairs - std::floor(pairs));
    };
    const float x = place(u), y = place(v);
    const float cx = std::cos(kTurn * x), cy = std::cos(kTurn * y), sx = std::sin(kTurn * x),
                sy = std::sin(kTurn * y);
    const float warp = std::sin(kTurn * x / 2) * std::sin(kTurn * y / 2);  // 1: on top, -1: below
    PlainWeave weave;
    weave.steps = warp * (cx - cy);
    weave.height = -(cx + cy) / 2;
    weave.slope_u = sx * (0.7f - 0.3f * warp);
    weave.slope_v = sy * (0.7f + 0.3f * warp);
    return weave;
}

// The cell of a twill under a point: which thread is on top, and where on it the point lies.
struct Cell {
    bool warp = true;             // on top
    float across = 0, along = 0;  // of that thread where it is on top, [-1, 1]
    bool speck = false;           // shows the thread that the face hides
};

Cell cell_at(const Yarn& yarn, float u, float v, bool front) {
    const float x = u / yarn.pitch, y = v / yarn.pitch, fx = std::floor(x), fy = std::floor(y);
    const int i = static_cast<int>(fx), j = static_cast<int>(fy);
    const float a = 2 * (x - fx) - 1, b = 2 * (y - fy) - 1;
    Cell cell;
    // Seen from behind, warp and weft change places.
    const int place = ((i - j) % 4 + 4) % 4;
    const bool crossing = place == 0;
    cell.warp = crossing != front;
    cell.across = cell.warp ? b : a;
    const float along = cell.warp ? a : b;
    // The thread on top floats over three cells.
    cell.along = crossing ? along : (2 * static_cast<float>(front ? place - 2 : 2 - place) + along) / 3;
    cell.speck = crossing && std::abs(cell.across) < kSpeckWide && std::abs(cell.along) < kSpeckLong;
    return cell;
}

// Brightness of a thread seen from above, less its mean: bright along its middle and on its crown.
float profile(const Cell& cell) {
    return (1 - 3 * cell.across * cell.across) / 4 + (1 - 3 * cell.along * cell.along) / 6;
}

// Mean of the profile over a speck: it lies in the middle of its thread.
constexpr float kSpeckProfile = (1 - kSpeckWide * kSpeckWide) / 4 + (1 - kSpeckLong * kSpeckLong) / 6;

Vec3f clamped(Vec3f c) {
    return {std::clamp(c.x, 0.0f, 0.95f), std::clamp(c.y, 0.0f, 0.95f), std::clamp(c.z, 0.0f, 0.95f)};
}

}  // namespace

float visible_pattern(float footprint, float period) {
    const float t = std::clamp((0.5f - footprint / period) / 0.33f, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

float speck_share(const Yarn& yarn) {
    return 0.25f * kSpeckWide * kSpeckLong * (1 + yarn.relief * kSpeckProfile);
}

float line_coverage(float offset, float half_width, float footprint) {
    const float f = std::max(footprint, 1e-6f), low = std::max(-half_width, offset - f / 2),
                high = std::min(half_width, offset + f / 2);
    return std::max(0.0f, high - low) / f;
}

namespace {

void add_plain(WovenPoint& point, const Yarn& yarn, float u, float v, float footprint) {
    const float threads = visible_pattern(footprint, yarn.pitch),
                steps = visible_pattern(footprint, yarn.pitch / 1.5f);
    if (!(threads > 0)) return;
    const PlainWeave weave = plain_weave_at(yarn, u, v);
    const float height = threads * weave.height + steps * kSteps * weave.steps;
    point.colour *= 1 + kPlainShade * yarn.relief * height;
    const float slope = visible_pattern(footprint, 0.5f * yarn.pitch) * kSlope * yarn.relief;
    point.slope_u += slope * weave.slope_u;
    point.slope_v += slope * weave.slope_v;
}

void add_twill(WovenPoint& point, const Look& look, float u, float v, float footprint, bool front) {
    const Yarn& yarn = look.yarn;
    const float threads = visible_pattern(footprint, yarn.pitch);
    // With its specks the face has its colour in the mean.
    const Vec3f mean = point.colour, other = front ? yarn.weft : look.front;
    const float share = speck_share(yarn);
    const Vec3f own = (1 / (1 - share)) * (mean - share * other);
    // From further away the diagonal lines remain.
    const float lines = (1 - threads) * visible_pattern(footprint, 2.8f * yarn.pitch);
    if (lines > 0)
        point.colour += (lines * share * std::cos(1.5707963f * ((u - v) / yarn.pitch))) * (other - own);
    if (!(threads > 0)) return;
    const Cell cell = cell_at(yarn, u, v, front);
    const Vec3f thread = (1 + yarn.relief * profile(cell)) * (cell.speck ? other : own);
    point.colour += threads * (thread - mean);
    // Level between threads: with an edge there, slopes would alias.
    const float slope = visible_pattern(footprint, 0.5f * yarn.pitch) * kSlope * yarn.relief;
    const float across = -slope * std::sin(kPi * cell.across),
                along = -0.5f * slope * std::sin(kPi * cell.along);
    point.slope_u += cell.warp ? along : across;
    point.slope_v += cell.warp ? across : along;
}

}  // namespace

WovenPoint woven_at(const Look& look, float u, float v, float footprint, bool front) {
    const Yarn& yarn = look.yarn;
    WovenPoint point{front ? look.front : look.back};
    if (yarn.weave == Weave::none) return point;
    // Light that grazes the cloth exaggerates slopes: these fade sooner than colours.
    const float slope = kSlope * yarn.relief, seen = visible_pattern(footprint, 0.5f * yarn.pitch);
    point.spread = (1 - seen) * slope * slope / 3;
    const float streaks = yarn.slub * slub_streaks(yarn, u, v, footprint);
    if (yarn.weave == Weave::twill)
        add_twill(point, look, u, v, footprint, front);
    else
        add_plain(point, yarn, u, v, footprint);
    const float shade = std::max(0.05f, 1 + streaks);
    point.shine = std::max(0.2f, 1 + kShineStreaks * streaks);
    point.colour = clamped(shade * point.colour);
    return point;
}

Ripple ripple_at(const Yarn& yarn, Vec3f woven, float footprint) {
    Ripple ripple;
    float period = kRipple, slope = yarn.ripple;
    for (std::uint32_t octave = 0; octave < kRipples; ++octave, period *= 0.45f, slope *= 0.85f) {
        const float seen = visible_pattern(footprint, 2 * period);
        ripple.spread += (1 - seen * seen) * slope * slope;
        if (seen > 0) ripple.slopes += (seen * slope) * noise_slopes((1 / period) * woven, octave + 64);
    }
    return ripple;
}

Vec3f hem_colour(const Hem& hem, Vec3f cloth, float distance, float along, float footprint) {
    if (!(hem.width > 0) || distance > hem.width + 0.003f + footprint) return cloth;
    // Rubbed pale at the very edge; a groove where the folded cloth ends; rows of stitches before it.
    const float rubbed = hem.wear * line_coverage(distance, 0.0022f, footprint);
    cloth += rubbed * (Vec3f{0.55f, 0.57f, 0.60f} - cloth);
    const float groove = line_coverage(distance - hem.width, 0.0004f, footprint);
    cloth = (1 - 0.25f * groove) * cloth;
    constexpr float kStitch = 0.0026f, kCovered = 0.78f;  // m; share of the row that is thread
    const float t = along / kStitch - std::floor(along / kStitch), seen = visible_pattern(footprint, kStitch);
    const float thread = seen * (t < kCovered ? 1.0f : 0.0f) + (1 - seen) * kCovered;
    for (int row = 0; row < hem.rows; ++row) {
        const float middle = hem.width - 0.0022f - 0.0060f * static_cast<float>(row);
        const float covered = thread * line_coverage(distance - middle, hem.thread, footprint);
        cloth += covered * (hem.stitch - cloth);
    }
    return cloth;
}

}  // namespace rumple
