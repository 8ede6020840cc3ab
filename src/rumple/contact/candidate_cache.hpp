// Pairs that may come within reach of each other on the way of a step, kept from one search to the next.
//
// A search of the hierarchies makes a list of pairs. As long as no vertex is further than a slack from the
// motion that was searched, no other pair can be within reach. From the list those are chosen that come near
// on the way. So the searches of one step, and of steps in which little moves, cost a pass over a list. The
// result is a set that contains every pair within reach; the callers look at each pair by itself, so that
// their results do not depend on when the list was made.
#pragma once

#include <rumple/contact/broad_phase.hpp>
#include <rumple/contact/pair.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple::contact {

class CandidateCache {
  public:
    // reach: one a body [m]; of cloth with cloth that of cloth, of cloth with an obstacle the obstacle's.
    // slack [m]: larger, and searches are fewer but find more.
    // rest: one a vertex, or none: a shape in which the distances in each cloth are known, and with it those
    // of cloth that lies smoothly. Finds the same, faster.
    CandidateCache(const Surface& surface, std::span<const double> reach, double slack,
                   std::span<const Vec3d> rest = {});

    // All pairs that come within reach on the straight way x0 -> x1, and some others, ascending.
    std::span<const ContactPair> find(const Threads& threads, std::span<const Vec3d> x0,
                                      std::span<const Vec3d> x1, std::span<const std::uint8_t> active,
                                      bool cloth_on_cloth);
    std::span<const ContactPair> pairs() const { return found_; }  // of the last find()

    // Of these the pairs in which one of the vertices has a part. Only vertices that were given to it are
    // elsewhere than in the last call of find().
    std::span<const ContactPair> find_with(const Threads& threads, std::span<const int> vertices,
                                           std::span<const Vec3d> x0, std::span<const Vec3d> x1);

  private:
    struct Motion {
        std::vector<Vec3d> began, ended;
        void set(std::span<const Vec3d> x0, std::span<const Vec3d> x1) {
            began.assign(x0.begin(), x0.end());
            ended.assign(x1.begin(), x1.end());
        }
    };
    struct BodyDistances {  // m, one a body
        std::vector<double> slack;
        std::vector<double> margin, least_margin;  // of boxes: for the list, and for the choice
        std::vector<double> listed, chosen;        // so near are pairs of the list, and those chosen from it
    };
    void add_displaced(const Threads& threads, const Motion& motion, double share, std::span<const Vec3d> x);
    void choose(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1);
    void add_pairs_of_displaced(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1);
    void search(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                std::span<const std::uint8_t> active, bool cloth_on_cloth);
    ProximityFilter filter(const Threads& threads, std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                           std::span<const double> within);

    const Surface& surface_;
    BroadPhase broad_;
    std::vector<Vec3d> rest_;  // m: until the first search
    BodyDistances bodies_;
    std::vector<ContactPair> list_;
    Motion searched_, chosen_;  // for which the list was made, and the choice from it
    std::vector<std::uint8_t> active_;
    bool cloth_on_cloth_ = true;
    std::vector<std::uint8_t> displaced_;
    std::vector<int> displaced_vertices_;  // that are beyond the slack of the list, or of the choice
    std::vector<ContactPair> found_, of_displaced_;
    std::vector<Vec3<float>> back_;  // of each vertex: from x1 to x0
    std::size_t chosen_count_ = 0;   // pairs of found_ when the choice was made
    std::vector<std::vector<ContactPair>> part_;
};

}  // namespace rumple::contact
