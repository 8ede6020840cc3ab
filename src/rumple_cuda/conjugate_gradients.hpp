// Preconditioned conjugate gradients on the device, with the stopping rule of linear/pcg.hpp: an estimate of
// the largest displacement error of any vertex, never the residual.
//
// The iteration decides on the device when it is over; kernels queued beyond return at once. So the host
// queues as many iterations as the last solve took and looks at the outcome once.
#pragma once

#include <rumple_cuda/multigrid.hpp>

namespace rumple::cuda {

class ConjugateGradients {
  public:
    // rhs and solution lie on the device; the solution holds the guess at first.
    ConjugateGradients(const Multigrid& multigrid, const double* rhs, double* solution);

    void set_tolerance(const Stream& stream, double metres);
    // Queue the parts of a solve; start() and iterate_twice() can be recorded in graphs. `overlap`: a kernel
    // of this object comes just before.
    void start(const Stream& stream);
    void iterate_twice(const Stream& stream, bool overlap);
    void finish(const Stream& stream);  // the last step's part of the solution

    const IterationState* state() const { return state_.data(); }
    void declare_solved(const Stream& stream);  // by someone else, after an iteration that failed
    std::size_t bytes_per_iteration() const { return multigrid_.bytes_per_iteration(); }

  private:
    void iterate(const Stream& stream, double* from, double* to, bool overlap);

    const Multigrid& multigrid_;
    const double* rhs_;
    double* solution_;
    std::size_t rows_;
    DeviceArray<double> r_, q_, p_[2], part_;
    DeviceArray<float> z_;
    DeviceArray<unsigned> counter_;
    DeviceArray<IterationState> state_;
    PinnedArray<double> tolerance_;
};

}  // namespace rumple::cuda
