#include <rumple/core/index.hpp>
#include <rumple/dynamics/state.hpp>
#include <rumple_cuda/device_state.hpp>

namespace rumple::cuda {

namespace {

void copy(const Stream& stream, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, kind, stream), "copying a state");
}

}  // namespace

DeviceHistory::DeviceHistory(std::size_t count) : count_(count) {
    for (auto& numbers : numbers_) numbers = DeviceArray<double>(count);
    for (auto& signs : signs_) signs = DeviceArray<std::int8_t>(count);
}

HistoryView DeviceHistory::view() const {
    return {numbers_[0].data(), numbers_[1].data(), numbers_[2].data(),
            numbers_[3].data(), numbers_[4].data(), numbers_[5].data(),
            numbers_[6].data(), signs_[0].data(),   signs_[1].data()};
}

void DeviceHistory::upload(const Stream& stream, const HistoryArrays& h) const {
    const std::vector<double>* numbers[] = {&h.anchor, &h.stick_time,  &h.plastic, &h.accumulated,
                                            &h.clock,  &h.dahl_stress, &h.strain};
    for (std::size_t i = 0; i < 7; ++i)
        copy(stream, numbers_[i].data(), numbers[i]->data(), count_ * sizeof(double), cudaMemcpyHostToDevice);
    copy(stream, signs_[0].data(), h.direction.data(), count_, cudaMemcpyHostToDevice);
    copy(stream, signs_[1].data(), h.loaded.data(), count_, cudaMemcpyHostToDevice);
}

void DeviceHistory::download(const Stream& stream, HistoryArrays& h) const {
    std::vector<double>* numbers[] = {&h.anchor, &h.stick_time,  &h.plastic, &h.accumulated,
                                      &h.clock,  &h.dahl_stress, &h.strain};
    for (std::size_t i = 0; i < 7; ++i)
        copy(stream, numbers[i]->data(), numbers_[i].data(), count_ * sizeof(double), cudaMemcpyDeviceToHost);
    copy(stream, h.direction.data(), signs_[0].data(), count_, cudaMemcpyDeviceToHost);
    copy(stream, h.loaded.data(), signs_[1].data(), count_, cudaMemcpyDeviceToHost);
}

void DeviceHistory::copy_from(const Stream& stream, const DeviceHistory& other) const {
    for (std::size_t i = 0; i < 7; ++i)
        copy(stream, numbers_[i].data(), other.numbers_[i].data(), count_ * sizeof(double),
             cudaMemcpyDeviceToDevice);
    for (std::size_t i = 0; i < 2; ++i)
        copy(stream, signs_[i].data(), other.signs_[i].data(), count_, cudaMemcpyDeviceToDevice);
}

DeviceState::DeviceState(const ModelView& model, std::span<const int> number)
    : vertices_(at(model.vertices)),
      number_(number),
      x_(vertices_),
      trial_(vertices_),
      x_begin_(vertices_),
      v_(vertices_),
      rhs_(vertices_),
      delta_(vertices_),
      handles_{DeviceArray<Vec3d>(vertices_), DeviceArray<double>(vertices_),
               DeviceArray<std::uint8_t>(vertices_)},
      part_(3 * kMaxMoveBlocks),
      counter_(1),
      bending_record_(at(model.hinges)),
      membrane_record_(at(model.triangles)),
      step_(1),
      bending_(at(model.hinges)),
      membrane_(model.membrane_has_history ? 3 * at(model.triangles) : 0),
      host_number_(number.begin(), number.end()) {
    const std::size_t flags = bending_.size() + membrane_.size();
    for (auto& f : flags_) f = DeviceArray<std::uint8_t>(flags);
    view_ = {x_.data(),
             trial_.data(),
             x_begin_.data(),
             v_.data(),
             bending_.view(),
             membrane_.view(),
             handles_.target.data(),
             handles_.spring.data(),
             handles_.constrained.data(),
             bending_record_.data(),
             membrane_record_.data(),
             step_.data(),
             flags_[0].data(),
             flags_[1].data(),
             static_cast<int>(flags)};
}

void DeviceState::upload(const Stream& stream, const State& state) {
    std::vector<Vec3d> x(vertices_), v(vertices_);
    for (std::size_t i = 0; i < vertices_; ++i) {
        x[at(host_number_[i])] = state.x[i];
        v[at(host_number_[i])] = state.v[i];
    }
    copy(stream, x_begin_.data(), x.data(), vertices_ * sizeof(Vec3d), cudaMemcpyHostToDevice);
    copy(stream, v_.data(), v.data(), vertices_ * sizeof(Vec3d), cudaMemcpyHostToDevice);
    bending_.upload(stream, state.bending);
    membrane_.upload(stream, state.membrane);
    stream.synchronize();
}

std::vector<Vec3d> DeviceState::download(const Stream& stream, const Vec3d* vertices) const {
    std::vector<Vec3d> there(vertices_), here(vertices_);
    copy(stream, there.data(), vertices, vertices_ * sizeof(Vec3d), cudaMemcpyDeviceToHost);
    stream.synchronize();
    for (std::size_t i = 0; i < vertices_; ++i) here[i] = there[at(host_number_[i])];
    return here;
}

void DeviceState::download(const Stream& stream, State& state) {
    state.x = download(stream, x_begin_.data());
    state.v = download(stream, v_.data());
    bending_.download(stream, state.bending);
    membrane_.download(stream, state.membrane);
    stream.synchronize();
}

void DeviceState::save(const Stream& stream, Snapshot& to) const {
    if (to.x_.empty()) {
        to.x_ = DeviceArray<Vec3d>(vertices_);
        to.v_ = DeviceArray<Vec3d>(vertices_);
        to.bending_ = DeviceHistory(bending_.size());
        to.membrane_ = DeviceHistory(membrane_.size());
    }
    copy(stream, to.x_.data(), x_begin_.data(), vertices_ * sizeof(Vec3d), cudaMemcpyDeviceToDevice);
    copy(stream, to.v_.data(), v_.data(), vertices_ * sizeof(Vec3d), cudaMemcpyDeviceToDevice);
    to.bending_.copy_from(stream, bending_);
    to.membrane_.copy_from(stream, membrane_);
}

void DeviceState::restore(const Stream& stream, const Snapshot& from) const {
    copy(stream, x_begin_.data(), from.x_.data(), vertices_ * sizeof(Vec3d), cudaMemcpyDeviceToDevice);
    copy(stream, v_.data(), from.v_.data(), vertices_ * sizeof(Vec3d), cudaMemcpyDeviceToDevice);
    bending_.copy_from(stream, from.bending_);
    membrane_.copy_from(stream, from.membrane_);
}

void DeviceState::accept(const Stream& stream) const {
    copy(stream, x_.data(), trial_.data(), vertices_ * sizeof(Vec3d), cudaMemcpyDeviceToDevice);
}

}  // namespace rumple::cuda
