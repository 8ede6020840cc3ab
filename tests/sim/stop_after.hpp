// Breaks off a run after some steps, as a user does.
#pragma once

#include <exception>
#include <rumple/sim/run.hpp>

namespace rumple {

struct Interrupted : std::exception {};

class StopAfter : public RunObserver {
  public:
    explicit StopAfter(int steps) : left_(steps) {}
    void on_progress(const RunProgress&) override {
        if (--left_ == 0) throw Interrupted();
    }

  private:
    int left_;
};

}  // namespace rumple
