#include <algorithm>
#include <cmath>
#include <numbers>
#include <rumple_render/noise.hpp>
#include <rumple_render/stitching.hpp>
#include <rumple_render/weave.hpp>

namespace rumple {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kStitch = 0.0030f, kCovered = 0.74f;    // m; share of a row that is thread
constexpr float kFirstRow = 0.0018f, kRows = 0.0062f;   // m from the seam; between rows
constexpr float kGroove = 0.0011f;                      // m, half as wide
constexpr float kPucker = 0.010f;                       // m, from one pucker to the next
constexpr float kLoopHalf = 0.0052f;                    // m, of a belt loop
constexpr float kButton = 0.0085f;                      // m
constexpr float kRibWide = 0.0017f, kCollar = 0.0155f;  // m
constexpr Vec3f kRubbed{0.42f, 0.46f, 0.54f};           // of indigo, worn off

float ease(float t) {
    t = std::clamp(t, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

// 1 inside [low, high], 0 outside, as wide at its ends as the pixel.
float within(float x, float low, float high, float footprint) {
    return line_coverage(x - (low + high) / 2, (high - low) / 2, footprint) *
           std::min(1.0f, footprint / std::max(1e-7f, std::min(footprint, high - low)));
}

// A bump of height `h` along a line: how its side leans at this distance from its middle.
float bump_slope(float x, float width, float height, float footprint) {
    const float w = std::sqrt(width * width + footprint * footprint), t = x / w;
    return -2 * height * (width / w) * t / w * std::exp(-t * t);
}

// A step up by `height` at x = 0.
float step_slope(float x, float width, float height, float footprint) {
    const float w = std::sqrt(width * width + footprint * footprint), t = x / w;
    return height / (w * 1.7725f) * std::exp(-t * t);
}

void darken(Sewn& cloth, float share) { cloth.shade *= 1 - share; }

void add_row(Sewn& cloth, const Look& look, const NearSeam& seam, float at, float footprint) {
    const float off = seam.across - at, half = look.hem.thread;
    const float covered = line_coverage(off, half, footprint);
    // The cloth sinks beside the thread.
    cloth.slopes += bump_slope(off, 0.0009f, -0.00030f, footprint) * seam.outwards;
    darken(cloth, 0.16f * line_coverage(off, 0.0010f, footprint));
    if (!(covered > 0)) return;
    const float place = seam.along / kStitch, t = place - std::floor(place);
    const float seen = visible_pattern(footprint, kStitch);
    const float thread = seen * (t < kCovered ? 1.0f : 0.25f) + (1 - seen) * (0.25f + 0.75f * kCovered);
    cloth.colour += (covered * thread) * (look.hem.stitch - cloth.colour);
}

// Puckers run across a seam and die out beside it; on one side they are rubbed pale.
void add_puckers(Sewn& cloth, const Look& look, const NearSeam& seam, float middle, float wide,
                 float strength, float footprint) {
    strength *= look.hem.pucker;
    const float seen = visible_pattern(footprint, kPucker);
    const float x = (seam.across - middle) / wide, envelope = std::exp(-x * x);
    if (seen * envelope < 0.01f) return;
    const std::uint32_t seed = 200 + 7 * seam.line;
    const float at = seam.along / kPucker, skew = 0.35f * seam.across / kPucker;
    const auto height = [&](float s) {
        return 0.7f * noise(s + skew, 0.5f + 0.15f * x, seed) +
               0.5f * noise(2.1f * (s - skew), 3.5f, seed + 1);
    };
    constexpr float kDifference = 0.08f;
    const float slope = (height(at + kDifference) - height(at - kDifference)) / (2 * kDifference);
    cloth.slopes += (seen * strength * envelope * slope) * seam.onwards;
    const float high = std::clamp(0.3f + height(at), 0.0f, 1.0f);
    const float rubbed = seen * envelope * 0.55f * look.hem.wear * high * high;
    cloth.colour += rubbed * (kRubbed - cloth.colour);
    darken(cloth, seen * envelope * 0.25f * strength * std::clamp(-height(at), 0.0f, 1.0f) * 4);
}

void add_groove(Sewn& cloth, const NearSeam& seam, float depth, float dark, float footprint) {
    cloth.slopes += bump_slope(seam.across, kGroove, -depth, footprint) * seam.outwards;
    darken(cloth, dark * line_coverage(seam.across, 0.55f * kGroove, footprint));
    darken(cloth, 0.35f * dark * line_coverage(seam.across, 2.2f * kGroove, footprint));
}

void add_edge(Sewn& cloth, const Look& look, const NearSeam& seam, float footprint) {
    // The cloth on top is thicker by itself, and throws a little shadow on what lies below.
    cloth.slopes += step_slope(seam.across, 0.0008f, 0.0011f, footprint) * seam.outwards;
    darken(cloth, 0.50f * line_coverage(seam.across + 0.0007f, 0.0008f, footprint));
    darken(cloth, 0.18f * line_coverage(seam.across + 0.0016f, 0.0022f, footprint));
    const float rubbed = 0.9f * look.hem.wear * line_coverage(seam.across - 0.0007f, 0.0007f, footprint);
    cloth.colour += rubbed * (kRubbed - cloth.colour);
}

void add_rows(Sewn& cloth, const Look& look, const NearSeam& seam, float first, int rows, float footprint) {
    for (int row = 0; row < rows; ++row)
        add_row(cloth, look, seam, first + kRows * static_cast<float>(row), footprint);
}

void add_loop(Sewn& cloth, const Look& look, const NearSeam& seam, float footprint) {
    const float x = std::abs(seam.across), side = seam.across < 0 ? -1.0f : 1.0f;
    const bool beyond = seam.along <= 0 || seam.along >= seam.length;
    if (beyond && x > kLoopHalf) return;
    const float edge = kLoopHalf - x;  // > 0 on the loop
    cloth.slopes += (side * -step_slope(edge, 0.0007f, 0.0016f, footprint)) * seam.outwards;
    darken(cloth, 0.55f * line_coverage(edge + 0.0008f, 0.0009f, footprint));
    NearSeam inner = seam;
    inner.across = x;
    if (x < kLoopHalf + footprint) add_row(cloth, look, inner, kLoopHalf - 0.0018f, footprint);
    // Bar tacks at both ends.
    const float end = std::min(seam.along, seam.length - seam.along);
    const float tack =
        within(end, 0.0006f, 0.0030f, footprint) * within(x, -kLoopHalf, 0.8f * kLoopHalf, footprint);
    cloth.colour += (0.75f * tack) * (look.hem.stitch - cloth.colour);
}

void add_button(Sewn& cloth, const Look& look, const NearSeam& seam, float footprint) {
    const float r = std::abs(seam.across), inside = line_coverage(r, kButton, footprint);
    darken(cloth, 0.55f * line_coverage(r - kButton - 0.0006f, 0.0009f, footprint));
    if (!(inside > 0)) return;
    const float ring = std::sin(kPi * std::clamp(r / kButton, 0.0f, 1.0f) * 2.2f);
    cloth.slopes += (0.55f * ring * visible_pattern(footprint, kButton)) *
                    (r > 0 ? (seam.across < 0 ? -1.0f : 1.0f) * seam.outwards : Vec3f{});
    cloth.colour += inside * (look.hem.button - cloth.colour);
}

// Ribs across the band; the body of the shirt is sewn to it and stands a little lower.
void add_ribs(Sewn& cloth, const Look& look, const NearSeam& seam, float footprint) {
    const float x = seam.across;
    if (x < 0) return;
    const float band = ease((kCollar - x) / (0.4f * footprint + 0.0004f));
    const float seen = visible_pattern(footprint, kRibWide), phase = 2 * kPi * seam.along / kRibWide;
    cloth.slopes += (band * seen * 0.55f * std::cos(phase)) * seam.onwards;
    darken(cloth, band * (seen * 0.16f * (1 - std::sin(phase)) / 2 + (1 - seen) * 0.07f));
    // Rolled at the neck, a step where it ends.
    cloth.slopes +=
        (step_slope(x, 0.0018f, 0.0016f, footprint) - step_slope(x - kCollar, 0.0010f, 0.0011f, footprint)) *
        seam.outwards;
    darken(cloth, 0.42f * line_coverage(x - kCollar - 0.0004f, 0.0007f, footprint));
    darken(cloth, 0.12f * line_coverage(x - kCollar - 0.0014f, 0.0020f, footprint));
    NearSeam row = seam;
    if (x > kCollar) add_row(cloth, look, row, kCollar + 0.0034f, footprint);
    if (x > 0.7f * kCollar) add_puckers(cloth, look, seam, kCollar + 0.002f, 0.006f, 0.09f, footprint);
}

}  // namespace

void add_seam(Sewn& cloth, const Look& look, const NearSeam& seam, float footprint) {
    const int rows = look.hem.rows;
    switch (seam.kind) {
        case SeamKind::plain:
            add_groove(cloth, seam, 0.0010f, 0.45f, footprint);
            add_puckers(cloth, look, seam, 0, 0.0075f, 0.16f, footprint);
            break;
        case SeamKind::felled:
            add_groove(cloth, seam, 0.0010f, 0.50f, footprint);
            cloth.slopes += -step_slope(seam.across - 0.0105f, 0.0012f, 0.0006f, footprint) * seam.outwards;
            add_puckers(cloth, look, seam, 0.004f, 0.0070f, 0.18f, footprint);
            add_rows(cloth, look, seam, kFirstRow, rows, footprint);
            break;
        case SeamKind::edge:
            add_edge(cloth, look, seam, footprint);
            add_puckers(cloth, look, seam, 0.004f, 0.0065f, 0.10f, footprint);
            add_rows(cloth, look, seam, kFirstRow, rows, footprint);
            break;
        case SeamKind::stitch:
            add_puckers(cloth, look, seam, 0.003f, 0.0060f, 0.08f, footprint);
            add_rows(cloth, look, seam, 0, rows, footprint);
            break;
        case SeamKind::loop:
            add_loop(cloth, look, seam, footprint);
            break;
        case SeamKind::button:
            add_button(cloth, look, seam, footprint);
            break;
        case SeamKind::rib:
            add_ribs(cloth, look, seam, footprint);
            break;
        case SeamKind::top:
            cloth.slopes += step_slope(seam.across - 0.0003f, 0.0011f, 0.0014f, footprint) * seam.outwards;
            add_row(cloth, look, seam, kFirstRow, footprint);
            break;
    }
}

HemRelief hem_relief(const Hem& hem, float distance, float along, float footprint) {
    HemRelief relief;
    if (!(hem.width > 0) || distance > hem.width + 0.006f) return relief;
    // Rounded where the cloth is folded, and a step down where the fold ends.
    relief.across = step_slope(distance - 0.0004f, 0.0011f, 0.0015f, footprint) -
                    step_slope(distance - hem.width, 0.0009f, 0.0010f, footprint);
    const float row = hem.width - 0.0022f;
    relief.across += bump_slope(distance - row, 0.0010f, -0.00035f, footprint);
    constexpr float kRope = 0.0095f;
    const float seen = visible_pattern(footprint, kRope);
    const float inside = ease(distance / 0.003f) * ease((hem.width + 0.003f - distance) / 0.005f);
    if (seen * inside > 0) {
        const float wander = 0.9f * noise(along / (3 * kRope), 0.5f, 91);
        // Uneven: ridges come in groups, wider and narrower.
        const float strength = std::max(0.0f, 0.45f + 0.75f * noise(along / (2.7f * kRope), 1.5f, 92));
        relief.slanting =
            seen * inside * hem.rope * strength * std::cos(2 * kPi * along / kRope + 5 * wander);
    }
    return relief;
}

}  // namespace rumple
