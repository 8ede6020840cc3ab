// The contacts of one step: who touches whom, with which normal and weights, and what that adds to the
// implicit system. Geometry is frozen when a contact is made; push and rub are functions of positions.
//
//   gap(x)    = n . sum_i w_i x_i
//   offset(x) = (1 - n n^T) (offset at the beginning + sum_i w_i (x_i - x_i at the beginning of the step))
//
// Vertices below `cloth_vertices` are unknowns of the system; the others are obstacles', at their places at
// the end of the step. evaluate() is pure and computes each contact alone; what a vertex gets is gathered in
// the order of the contacts, so that sums have the same bits for any number of threads.
#pragma once

#include <rumple/contact/closest.hpp>
#include <rumple/contact/contact_law.hpp>
#include <rumple/contact/pair.hpp>
#include <rumple/core/parallel.hpp>
#include <span>
#include <vector>

namespace rumple {

struct Contact {
    ContactPair pair;
    std::array<int, 4> vertex{};
    std::array<double, 4> weight{};
    Vec3d normal;  // from b to a
    double thickness = 0, stiffness = 0, friction = 0;
    double slip_length = 0;  // m
    Vec3d offset;            // m, at the beginning of the step
    Vec3d at_begin;          // sum_i w_i x_i at the beginning of the step
    double load = 0;         // N: of the last evaluate_with_loads(), what friction goes by
    double lift = 0;         // m, added to the gap: what is inside an obstacle is led out little by little
    double give = 0;         // 1/kg: sum of w_i^2 / m_i over the cloth's vertices
};

struct ContactForces {
    Push<double> push;
    Rub<double> rub;
    Vec3d along;  // unit offset
    Vec3d shift;  // N: from the force where friction was linearised to its tangent's at x
};

inline constexpr std::uint8_t kTouching = 1, kSliding = 2;

class Contacts {
  public:
    explicit Contacts(int cloth_vertices) : cloth_vertices_(cloth_vertices) {}

    std::vector<Contact>& list() { return list_; }
    const std::vector<Contact>& list() const { return list_; }
    const std::vector<ContactForces>& forces() const { return forces_; }
    const std::vector<std::uint8_t>& flags() const { return flags_; }

    // To be called when the list has changed: for each cloth vertex the contacts it takes part in.
    void index(const Threads& threads);
    // Of the list, the contacts with an obstacle; as of index().
    std::span<const int> with_obstacles() const { return with_obstacles_; }

    // x: all vertices; obstacles at the end of the step.
    void evaluate(const Threads& threads, std::span<const Vec3d> x);
    // The same for the first solve of a step, which starts at x from rest. Friction is linearised where
    // everything would go by itself, or what slides would be taken for stuck. A push is linearised where it
    // was at the beginning when its obstacle withdraws: cloth that springs back follows, where it would
    // otherwise be shot through the place that seems free. h2: squared step.
    void evaluate_moving(const Threads& threads, std::span<const Vec3d> x, std::span<const Vec3d> begin,
                         std::span<const Vec3d> predicted, double h2);
    // Friction goes by the loads at x, here and until this is called again.
    void evaluate_with_loads(const Threads& threads, std::span<const Vec3d> x);
    double energy() const;

    Vec3d gather_force(std::size_t vertex) const;
    // Calls add(column, block) for each block of one row of the stiffness, columns of cloth only, repeats
    // possible.
    template <class Add>
    void gather_row(std::size_t vertex, Add&& add) const {
        for (int k = begin_[vertex]; k < begin_[vertex + 1]; ++k) {
            const Incidence in = incidence_[static_cast<std::size_t>(k)];
            const double w = in.weight;
            if (w == 0 || !(flags_[static_cast<std::size_t>(in.contact)] & kTouching)) continue;
            const Contact& c = list_[static_cast<std::size_t>(in.contact)];
            const Mat3d b = stiffness(static_cast<std::size_t>(in.contact));
            for (std::size_t j = 0; j < 4; ++j)
                if (c.vertex[j] < cloth_vertices_ && c.weight[j] != 0)
                    add(c.vertex[j], (w * c.weight[j]) * b);
        }
    }
    bool touches(std::size_t vertex) const { return begin_[vertex] < begin_[vertex + 1]; }

    static double gap(const Contact& c, std::span<const Vec3d> x) {
        return dot(c.normal, separation(c, x)) + c.lift;
    }
    static Vec3d separation(const Contact& c, std::span<const Vec3d> x);
    static Vec3d offset_at(const Contact& c, std::span<const Vec3d> x);
    static bool slides(const Contact& c, std::span<const Vec3d> x);
    // Where the last evaluate_moving() took a secant: the length of the offset it guessed; else 0.
    double guessed_slip(std::size_t contact) const { return guessed_slip_[contact]; }
    Mat3d stiffness(std::size_t contact) const;  // of one contact; block (i, j) is w_i w_j times this

  private:
    void evaluate_one(std::size_t k, double gap, Vec3d offset);

    struct Incidence {
        int contact;
        double weight;  // of the vertex in it
    };
    int cloth_vertices_;
    std::vector<Contact> list_;
    std::vector<ContactForces> forces_;
    std::vector<Vec3d> total_;  // N: push, rub and shift together, on a
    std::vector<std::uint8_t> flags_;
    std::vector<double> guessed_slip_;
    std::vector<int> begin_;  // cloth vertices + 1
    std::vector<Incidence> incidence_;
    std::vector<int> with_obstacles_;
    std::vector<std::vector<int>> counts_;  // scratch of index(): one list a piece, one entry a cloth vertex
};

}  // namespace rumple
