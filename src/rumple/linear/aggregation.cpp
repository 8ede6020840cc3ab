#include <rumple/core/index.hpp>
#include <rumple/linear/aggregation.hpp>
#include <set>

namespace rumple {

namespace {

constexpr int kLloydRounds = 4;

class Grouping {
  public:
    Grouping(const BlockPattern& pattern, std::span<const Vec3d> x, int size, int largest)
        : pattern_(pattern),
          x_(x),
          size_(size),
          largest_(largest > 0 ? largest : size + size / 2),
          of_(x.size(), -1),
          grouped_neighbours_(x.size(), 0) {}

    std::vector<int> run() {
        for (int v = 0; v < pattern_.rows; ++v) waiting_.insert({0, v});
        while (!waiting_.empty()) grow(waiting_.begin()->second);
        for (int round = 0; round < kLloydRounds; ++round) even_out();
        return of_;
    }
    int count() const { return count_; }  // some may have no vertex any more

  private:
    template <class Visit>
    void for_neighbours(int v, Visit&& visit) const {
        for (int k = pattern_.row_begin[at(v)]; k < pattern_.row_begin[at(v) + 1]; ++k)
            if (pattern_.column[at(k)] != v) visit(pattern_.column[at(k)]);
    }

    void take(int v, int group) {
        waiting_.erase({-grouped_neighbours_[at(v)], v});
        of_[at(v)] = group;
        for_neighbours(v, [&](int w) {
            if (of_[at(w)] >= 0) return;
            waiting_.erase({-grouped_neighbours_[at(w)], w});
            waiting_.insert({-++grouped_neighbours_[at(w)], w});
        });
    }

    // Near the centre, well connected to the group, and with few free neighbours to be left behind.
    int best_candidate(const std::vector<int>& candidates, Vec3d centre, int group) const {
        int best = -1;
        double best_score = 0;
        for (const int v : candidates) {
            if (of_[at(v)] >= 0) continue;
            int mine = 0, open = 0;
            for_neighbours(v, [&](int w) {
                mine += of_[at(w)] == group;
                open += of_[at(w)] < 0;
            });
            const double score = norm(x_[at(v)] - centre) * (1 + 0.1 * open) / (0.5 + mine);
            if (best < 0 || score < best_score) {
                best = v;
                best_score = score;
            }
        }
        return best;
    }

    void grow(int seed) {
        const int group = count_++;
        std::vector<int> candidates;
        Vec3d sum;
        int taken = 0;
        for (int v = seed; v >= 0 && taken < size_;) {
            take(v, group);
            sum += x_[at(v)];
            ++taken;
            for_neighbours(v, [&](int w) {
                if (of_[at(w)] < 0) candidates.push_back(w);
            });
            v = best_candidate(candidates, (1.0 / taken) * sum, group);
        }
    }

    // Each vertex moves to the nearest centre among the groups it touches; small groups dissolve.
    void even_out() {
        std::vector<Vec3d> centre(at(count_));
        std::vector<int> members(at(count_), 0);
        for (std::size_t v = 0; v < of_.size(); ++v) {
            centre[at(of_[v])] += x_[v];
            ++members[at(of_[v])];
        }
        for (std::size_t a = 0; a < centre.size(); ++a)
            if (members[a] > 0) centre[a] *= 1.0 / members[a];
        const int small = size_ / 4;
        for (int v = 0; v < pattern_.rows; ++v) {
            const int mine = of_[at(v)];
            int best = mine;
            double nearest = norm(x_[at(v)] - centre[at(mine)]);
            bool leave = members[at(mine)] <= small;
            for_neighbours(v, [&](int w) {
                const int other = of_[at(w)];
                if (other == mine || members[at(other)] >= largest_ || members[at(other)] <= small) return;
                const double distance = norm(x_[at(v)] - centre[at(other)]);
                if (!leave && distance >= nearest) return;
                leave = false;
                nearest = distance;
                best = other;
            });
            if (best == mine) continue;
            --members[at(mine)];
            ++members[at(best)];
            of_[at(v)] = best;
        }
    }

    const BlockPattern& pattern_;
    std::span<const Vec3d> x_;
    int size_, largest_, count_ = 0;
    std::vector<int> of_, grouped_neighbours_;
    // (-grouped neighbours, vertex): the most enclosed free vertex first
    std::set<std::pair<int, int>> waiting_;
};

}  // namespace

Aggregates groups_of(std::vector<int> of, int count) {
    Aggregates result;
    result.of = std::move(of);
    std::vector<int> members(at(count), 0), number;
    for (const int a : result.of) ++members[at(a)];
    result.begin = {0};
    for (const int m : members) {
        number.push_back(result.count());
        if (m > 0) result.begin.push_back(result.begin.back() + m);
    }
    std::vector<int> next = result.begin;
    result.member.resize(result.of.size());
    for (std::size_t v = 0; v < result.of.size(); ++v) {
        const int a = result.of[v] = number[at(result.of[v])];
        result.member[at(next[at(a)]++)] = static_cast<int>(v);
    }
    return result;
}

Aggregates aggregate(const BlockPattern& pattern, std::span<const Vec3d> rest_positions, int size,
                     int largest) {
    Grouping grouping(pattern, rest_positions, size, largest);
    std::vector<int> of = grouping.run();
    return groups_of(std::move(of), grouping.count());
}

}  // namespace rumple
