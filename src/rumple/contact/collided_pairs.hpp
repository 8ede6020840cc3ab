// The pairs that collide at some iterate of a step.
#pragma once

#include <algorithm>
#include <rumple/contact/collision_response.hpp>

namespace rumple::contact {

class CollidedPairs {
  public:
    void clear() { pairs_.clear(); }
    std::span<const ContactPair> pairs() const { return pairs_; }  // ascending

    // Those that do not collide now; `now` is ascending.
    std::vector<ContactPair> without(std::span<const Collision> now) const {
        std::vector<ContactPair> others;
        std::ranges::copy_if(pairs_, std::back_inserter(others), [&](ContactPair pair) {
            return !std::ranges::binary_search(now, pair, {}, &Collision::pair);
        });
        return others;
    }
    void add(std::span<const Collision> now) {
        const auto middle = static_cast<std::ptrdiff_t>(pairs_.size());
        for (const Collision& collision : now) pairs_.push_back(collision.pair);
        std::inplace_merge(pairs_.begin(), pairs_.begin() + middle, pairs_.end());
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    }

  private:
    std::vector<ContactPair> pairs_;
};

}  // namespace rumple::contact
