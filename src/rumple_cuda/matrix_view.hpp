// What kernels see of the matrix of a level and of its domains.
#pragma once

namespace rumple::cuda {

// A matrix of DxD blocks laid out as BlockLayout says.
template <class Number>
struct MatrixView {
    int nodes;
    const int *slice_begin, *length, *column;
    Number* value;
};

struct DomainView {
    int count;
    const int* begin;  // first node of each domain
    float* inverse;    // 48x48 each, columns one after the other
    float weight;      // damping
    // Of the finest level of models with contact, whose domains have other members in each solve
    // (contact_domains.hpp).
    const int *member, *size;
};

}  // namespace rumple::cuda
