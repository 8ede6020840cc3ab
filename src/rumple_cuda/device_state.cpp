#include <cstring>
#include <rumple/constitutive/relaxation.hpp>
#include <rumple/core/index.hpp>
#include <rumple/dynamics/model.hpp>
#include <rumple_cuda/device_state.hpp>

namespace rumple::cuda {

namespace {

void copy(const Stream& stream, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, kind, stream), "copying a state");
}

}  // namespace

DeviceHistory::DeviceHistory(std::size_t count, const HistoryLayout& layout) {
    for_each_history_column(
        [&]<class T>(const HistoryVariable& variable, DeviceArray<T>& column) {
            if (const std::size_t numbers = count * variable.width(layout); numbers > 0)
                column = DeviceArray<T>(numbers);
        },
        columns_);
}

HistoryView DeviceHistory::view() const {
    HistoryView view;
    for_each_history_column(
        [](const HistoryVariable&, const auto& column, auto*& pointer) { pointer = column.data(); }, columns_,
        view);
    return view;
}

// Where the layouts differ, the state does not belong to the model: check_step() refuses it before.
void DeviceHistory::upload(const Stream& stream, const HistoryArrays& from) const {
    for_each_history_column(
        [&]<class T>(const HistoryVariable&, const DeviceArray<T>& here, const std::vector<T>& there) {
            copy(stream, here.data(), there.data(), here.size() * sizeof(T), cudaMemcpyHostToDevice);
        },
        columns_, from);
}

std::size_t DeviceHistory::bytes() const {
    std::size_t bytes = 0;
    for_each_history_column([&]<class T>(const HistoryVariable&,
                                         const DeviceArray<T>& here) { bytes += here.size() * sizeof(T); },
                            columns_);
    return bytes;
}

void DeviceHistory::download(const Stream& stream, std::byte* staging) const {
    for_each_history_column(
        [&]<class T>(const HistoryVariable&, const DeviceArray<T>& here) {
            copy(stream, staging, here.data(), here.size() * sizeof(T), cudaMemcpyDeviceToHost);
            staging += here.size() * sizeof(T);
        },
        columns_);
}

void DeviceHistory::take(const std::byte* staging, HistoryArrays& to) {
    for_each_history_column(
        [&]<class T>(const HistoryVariable&, std::vector<T>& there) {
            if (!there.empty()) std::memcpy(there.data(), staging, there.size() * sizeof(T));
            staging += there.size() * sizeof(T);
        },
        to);
}

void DeviceHistory::copy_from(const Stream& stream, const DeviceHistory& other) const {
    for_each_history_column(
        [&]<class T>(const HistoryVariable&, const DeviceArray<T>& to, const DeviceArray<T>& from) {
            copy(stream, to.data(), from.data(), to.size() * sizeof(T), cudaMemcpyDeviceToDevice);
        },
        columns_, other.columns_);
}

DeviceState::DeviceState(const Model& host, const ModelView& model, std::span<const int> number)
    : vertices_(at(model.vertices)),
      number_(number),
      x_(vertices_),
      trial_(vertices_),
      x_begin_(vertices_),
      v_(vertices_),
      rhs_(vertices_),
      delta_(vertices_),
      handles_{DeviceArray<Vec3d>(vertices_), DeviceArray<double>(vertices_),
               DeviceArray<std::uint8_t>(vertices_), DeviceArray<Vec3d>(vertices_)},
      reduction_{DeviceArray<double>(3 * kMaxMoveBlocks), DeviceArray<unsigned>(1)},
      bending_record_(at(model.hinges)),
      membrane_record_(at(model.triangles)),
      step_(1),
      bending_(at(model.hinges), model.history.bending),
      membrane_(model.history.of_membrane ? 3 * at(model.triangles) : 0, model.history.membrane),
      host_number_(number.begin(), number.end()),
      staging_{PinnedArray<Vec3d>(vertices_), {}} {
    const std::size_t flags = bending_.size() + membrane_.size();
    for (auto& f : flags_) f = DeviceArray<std::uint8_t>(flags);
    std::vector<RelaxationTimes> bending, membrane;
    for (const auto& law : host.bending_laws) bending.push_back(law.relaxation.times);
    for (const auto& law : host.membrane_laws) membrane.push_back(law.component[0].relaxation.times);
    if (model.history.bending.branches > 0) ladders_.bending = {std::move(bending), bending_.size()};
    if (model.history.of_membrane && model.history.membrane.branches > 0)
        ladders_.membrane = {std::move(membrane), membrane_.size()};
    view_ = {x_.data(),
             trial_.data(),
             x_begin_.data(),
             v_.data(),
             bending_.view(),
             membrane_.view(),
             ladders_.bending.view(),
             ladders_.membrane.view(),
             handles_.target.data(),
             handles_.spring.data(),
             handles_.constrained.data(),
             handles_.force.data(),
             bending_record_.data(),
             membrane_record_.data(),
             step_.data(),
             flags_[0].data(),
             flags_[1].data(),
             static_cast<int>(flags)};
}

void RelaxingArrays::set(const Stream& stream, double material_dt) const {
    for (std::size_t i = 0; i < times.size(); ++i) ladder[i] = relaxation_step(times[i], material_dt);
    copy(stream, law.data(), ladder.data(), times.size() * sizeof(RelaxationStep), cudaMemcpyHostToDevice);
}

void DeviceState::set_material_time(const Stream& stream, double material_dt) const {
    ladders_.bending.set(stream, material_dt);
    ladders_.membrane.set(stream, material_dt);
}

void DeviceState::upload(const Stream& stream, const State& state) {
    upload(stream, state.x, x_begin_.data());
    upload(stream, state.v, v_.data());
    bending_.upload(stream, state.bending);
    membrane_.upload(stream, state.membrane);
    stream.synchronize();
}

void DeviceState::upload(const Stream& stream, std::span<const Vec3d> vertices, Vec3d* to) const {
    for (std::size_t i = 0; i < vertices_; ++i) staging_.vertices[at(host_number_[i])] = vertices[i];
    copy(stream, to, staging_.vertices.data(), vertices_ * sizeof(Vec3d), cudaMemcpyHostToDevice);
    stream.synchronize();
}

std::vector<Vec3d> DeviceState::download(const Stream& stream, const Vec3d* vertices) const {
    copy(stream, staging_.vertices.data(), vertices, vertices_ * sizeof(Vec3d), cudaMemcpyDeviceToHost);
    stream.synchronize();
    std::vector<Vec3d> here(vertices_);
    for (std::size_t i = 0; i < vertices_; ++i) here[i] = staging_.vertices[at(host_number_[i])];
    return here;
}

// All copies are queued before the only wait.
void DeviceState::download(const Stream& stream, State& state) {
    const std::size_t of_vertices = vertices_ * sizeof(Vec3d);
    if (staging_.state.size() == 0)
        staging_.state = PinnedArray<std::byte>(2 * of_vertices + bending_.bytes() + membrane_.bytes());
    std::byte *x = staging_.state.data(), *v = x + of_vertices, *bending = v + of_vertices,
              *membrane = bending + bending_.bytes();
    copy(stream, x, x_begin_.data(), of_vertices, cudaMemcpyDeviceToHost);
    copy(stream, v, v_.data(), of_vertices, cudaMemcpyDeviceToHost);
    bending_.download(stream, bending);
    membrane_.download(stream, membrane);
    stream.synchronize();
    state.x.resize(vertices_);
    state.v.resize(vertices_);
    for (std::size_t i = 0; i < vertices_; ++i) {
        const std::size_t there = at(host_number_[i]) * sizeof(Vec3d);
        std::memcpy(&state.x[i], x + there, sizeof(Vec3d));
        std::memcpy(&state.v[i], v + there, sizeof(Vec3d));
    }
    DeviceHistory::take(bending, state.bending);
    DeviceHistory::take(membrane, state.membrane);
}

void DeviceState::save(const Stream& stream, Snapshot& to) const {
    if (to.x_.empty()) {  // all of it or, where memory is short, nothing
        Snapshot made;
        made.x_ = DeviceArray<Vec3d>(vertices_);
        made.v_ = DeviceArray<Vec3d>(vertices_);
        made.bending_ = DeviceHistory(bending_.size(), bending_.layout());
        made.membrane_ = DeviceHistory(membrane_.size(), membrane_.layout());
        to = std::move(made);
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
