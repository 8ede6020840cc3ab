// Domains of the finest level that follow contacts: what the smoother solves over where cloth touches cloth.
//
// What is stiff between two domains counts as held in each one's own solve, so a strong contact between
// domains costs iterations. Each vertex that touches therefore joins the domain to which it is tied most, by
//     |A_ij| / sqrt(|A_ii| |A_jj|)      Frobenius norms
// summed over the domain's members, as ContactGroups of the CPU does (rumple/linear/contact_groups.hpp). Here
// all vertices choose at once. In even rounds they move to domains with lower numbers only, in odd ones to
// higher, so that no two change places; a domain with too little room takes those that gain most. Nothing
// depends on the order of threads. Groups, P and all patterns stay those of the mesh.
#pragma once

#include <rumple_cuda/contact_matrix.hpp>
#include <rumple_cuda/device.hpp>
#include <rumple_cuda/matrix_view.hpp>

namespace rumple::cuda {

inline constexpr int kDomainVertices = kDomainUnknowns / 3;

class ContactDomains {
  public:
    explicit ContactDomains(const LevelStructure& finest);

    // Queues: members for the matrix and the contacts as they are.
    void follow(const Stream& stream, const MatrixView<double>& a, const ContactMatrix& contacts) const;

    // kDomainVertices places a domain, of which the first size()[domain] hold vertices, ascending.
    const int* member() const { return member_.data(); }
    const int* size() const { return size_.data(); }

  private:
    int count_, vertices_;
    DeviceArray<int> begin_, mesh_domain_;  // of the mesh: first vertex of a domain, domain of a vertex
    DeviceArray<int> of_, next_, wanted_;   // of a vertex: domain before and after a round, where it would go
    DeviceArray<float> scale_, gain_;       // of a vertex: 1/sqrt(|A_ii|), what the move is worth
    DeviceArray<float> tie_;                // of each place in the matrix, in rows of vertices that touch
    DeviceArray<int> member_, size_;
};

}  // namespace rumple::cuda
