// Loops and sums on threads, whose result does not depend on the number of threads.
//
// A Threads object owns its workers (worker_pool.hpp); nothing is global, so that several simulators can live
// in one process. Work is cut into pieces of a fixed size: who computes a piece varies, what is computed does
// not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace rumple {

class Threads {
  public:
    explicit Threads(int count = 0);  // 0: as many as the machine has cores
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const { return count_; }

    // Calls body(begin, end) for consecutive pieces of [0, n), each `grain` long but the last.
    void for_pieces(std::size_t n, std::size_t grain,
                    const std::function<void(std::size_t, std::size_t)>& body) const;

    // Calls body(i) for each i in [0, n), in pieces of `grain`.
    template <class Body>
    void for_each(std::size_t n, std::size_t grain, Body&& body) const {
        for_pieces(n, grain, [&body](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        });
    }

    // Sum of piece(begin, end) over fixed pieces, added in their order: the same bits for any thread count.
    template <class Piece>
    double sum(std::size_t n, std::size_t grain, Piece&& piece) const {
        std::vector<double> part((n + grain - 1) / grain);
        for_pieces(n, grain, [&](std::size_t b, std::size_t e) { part[b / grain] = piece(b, e); });
        double total = 0;
        for (double p : part) total += p;
        return total;
    }

  private:
    struct Impl;
    int count_;
    std::unique_ptr<Impl> impl_;
};

}  // namespace rumple
