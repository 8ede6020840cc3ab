#include <rumple/core/index.hpp>
#include <rumple_cuda/contact_domains.hpp>

namespace rumple::cuda {

ContactDomains::ContactDomains(const LevelStructure& finest)
    : count_(static_cast<int>(finest.domain_begin.size()) - 1),
      vertices_(finest.nodes()),
      begin_(finest.domain_begin),
      of_(at(vertices_)),
      next_(at(vertices_)),
      wanted_(at(vertices_)),
      scale_(at(vertices_)),
      gain_(at(vertices_)),
      tie_(finest.layout.places()),
      member_(at(count_) * kDomainVertices),
      size_(at(count_)) {
    std::vector<int> domain(at(vertices_)), member(member_.size(), 0), size;
    for (int d = 0; d < count_; ++d) {
        const int begin = finest.domain_begin[at(d)], end = finest.domain_begin[at(d) + 1];
        for (int v = begin; v < end; ++v) {
            domain[at(v)] = d;
            member[at(d * kDomainVertices + v - begin)] = v;
        }
        size.push_back(end - begin);
    }
    mesh_domain_ = DeviceArray<int>(domain);
    member_.upload(member);
    size_.upload(size);
}

}  // namespace rumple::cuda
