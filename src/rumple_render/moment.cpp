#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <rumple/core/error.hpp>
#include <rumple_render/moment.hpp>

namespace rumple {

namespace {

constexpr int kMaxPhases = 100;  // to go back through; a scene may repeat its phases

// Frames of one phase, in a row.
struct Segment {
    std::string phase;
    std::size_t begin, end;
};

std::vector<Segment> segments(const RenderSource& source) {
    std::vector<Segment> found;
    const std::size_t count = std::min(source.notes().size(), source.frame_count());
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& phase = source.notes()[i].phase;
        if (found.empty() || found.back().phase != phase) found.push_back({phase, i, i});
        found.back().end = i + 1;
    }
    return found;
}

// What is left of each source.
struct Queue {
    std::vector<Segment> segments;
    std::size_t next = 0, frame = 0;
    bool empty() const { return next == segments.size(); }
    const std::string& phase() const { return segments[next].phase; }
    bool has_later(const std::string& name) const {
        return std::any_of(segments.begin() + std::ptrdiff_t(next) + 1, segments.end(),
                           [&](const Segment& s) { return s.phase == name; });
    }
};

// The phase to show next: one that no source has still ahead of it behind others.
std::string next_phase(const std::vector<Queue>& queues) {
    std::string first;
    for (const Queue& queue : queues) {
        if (queue.empty()) continue;
        if (first.empty()) first = queue.phase();
        const bool due = std::none_of(queues.begin(), queues.end(), [&](const Queue& other) {
            return !other.empty() && other.phase() != queue.phase() && other.has_later(queue.phase());
        });
        if (due) return queue.phase();
    }
    return first;
}

// Last frame of a phase; none when the source has no such phase.
std::optional<std::size_t> last_frame_of(const RenderSource& source, const std::string& phase) {
    for (std::size_t i = source.notes().size(); i-- > 0;)
        if (source.notes()[i].phase == phase) return i;
    return std::nullopt;
}

// The phase before this one in a source that has both; empty when there is none.
std::string phase_before(const std::vector<RenderSource>& sources, const std::string& phase) {
    for (const RenderSource& source : sources)
        for (std::size_t i = 1; i < source.notes().size(); ++i)
            if (source.notes()[i].phase == phase && source.notes()[i - 1].phase != phase)
                return source.notes()[i - 1].phase;
    return "";
}

}  // namespace

Moment at_frame(const std::vector<RenderSource>& sources, std::size_t frame) {
    return {std::vector<std::size_t>(sources.size(), frame)};
}

Moment at_end_of(const std::vector<RenderSource>& sources, const std::string& phase) {
    Moment moment;
    for (const RenderSource& source : sources) {
        std::optional<std::size_t> frame = last_frame_of(source, phase);
        std::string earlier = phase;
        for (int back = 0; !frame && back < kMaxPhases; ++back)
            frame = last_frame_of(source, earlier = phase_before(sources, earlier));
        if (!frame)
            throw InputError("at", fmt::format("no frame of {} belongs to a phase '{}' or to one before it",
                                               source.label(), phase));
        moment.frames.push_back(*frame);
    }
    return moment;
}

std::vector<Moment> frame_by_frame(const std::vector<RenderSource>& sources) {
    std::size_t count = 0;
    for (const RenderSource& source : sources) count = std::max(count, source.frame_count());
    std::vector<Moment> moments;
    for (std::size_t frame = 0; frame < count; ++frame) moments.push_back(at_frame(sources, frame));
    return moments;
}

std::vector<Moment> phase_by_phase(const std::vector<RenderSource>& sources) {
    std::vector<Queue> queues;
    for (const RenderSource& source : sources) {
        queues.push_back({segments(source)});
        if (queues.back().empty()) return frame_by_frame(sources);
    }
    std::vector<Moment> moments;
    for (std::string phase = next_phase(queues); !phase.empty(); phase = next_phase(queues)) {
        std::size_t length = 0;
        for (const Queue& queue : queues)
            if (!queue.empty() && queue.phase() == phase)
                length = std::max(length, queue.segments[queue.next].end - queue.segments[queue.next].begin);
        for (std::size_t i = 0; i < length; ++i) {
            Moment& moment = moments.emplace_back();
            for (Queue& queue : queues) {
                const bool in_it = !queue.empty() && queue.phase() == phase;
                const bool moves =
                    in_it && queue.segments[queue.next].begin + i < queue.segments[queue.next].end;
                if (moves) queue.frame = queue.segments[queue.next].begin + i;
                moment.frames.push_back(queue.frame);
                moment.waits.push_back(!moves);
            }
        }
        for (Queue& queue : queues)
            if (!queue.empty() && queue.phase() == phase) ++queue.next;
    }
    return moments;
}

std::vector<Moment> thinned(const std::vector<Moment>& moments, std::size_t every) {
    std::vector<Moment> kept;
    for (std::size_t m = 0; m < moments.size(); m += std::max<std::size_t>(1, every))
        kept.push_back(moments[m]);
    if (!moments.empty() && !(kept.back() == moments.back())) kept.push_back(moments.back());
    return kept;
}

}  // namespace rumple
