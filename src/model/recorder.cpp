#include "model/recorder.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/autograd.hpp"
#include "model/layout.hpp"

namespace memwall {

Tensor::Tensor(const Tensor& other) : recorder_(other.recorder_), id_(other.id_) {
    if (recorder_) recorder_->retain(id_);
}
Tensor& Tensor::operator=(Tensor other) noexcept {
    std::swap(recorder_, other.recorder_);
    std::swap(id_, other.id_);
    return *this;
}
Tensor::~Tensor() {
    if (recorder_) recorder_->release(id_);
}
std::int32_t Tensor::detach_count() {
    const std::int32_t id = recorder_ ? id_ : -1;
    recorder_ = nullptr;
    return id;
}
const Shape& Tensor::shape() const { return recorder_->at(*this).shape; }
Dtype Tensor::dtype() const { return recorder_->at(*this).dtype; }
bool Tensor::requires_grad() const { return recorder_ && recorder_->at(*this).requires_grad; }

Recorder::Recorder(RecorderSettings chosen) : settings(chosen) {
    dims.push_back(Dim{});
    tensors.reserve(1024);
    storages.reserve(2048);
    events.reserve(4096);
    nodes.reserve(1024);
    sizes.reserve(64);
    size_slots_.fill(-1);
}

DimId Recorder::dim(std::int64_t value, std::int64_t coefficient, Monomial symbols) {
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (dims[i].coefficient == coefficient && dims[i].symbols == symbols) return static_cast<DimId>(i);
    assert(dims.size() < 255);
    dims.push_back(Dim{.value = value, .coefficient = coefficient, .symbols = symbols});
    return static_cast<DimId>(dims.size() - 1);
}

std::int16_t Recorder::intern(const Size& size) {
    const auto& powers = size.symbols.powers;
    std::uint64_t hash = (powers[0] ^ powers[2] << 7) * 0x9E3779B97F4A7C15ULL ^ powers[1] * 0xC2B2AE3D27D4EB4FULL ^
                         (static_cast<std::uint64_t>(size.coefficient) * 64 + static_cast<std::uint64_t>(size.dtype)) *
                             0x165667B19E3779F9ULL;
    hash ^= hash >> 29;
    for (std::size_t slot = hash & 255U;; slot = (slot + 1) & 255U) {
        const std::int16_t known = size_slots_[slot];
        if (known >= 0 && sizes[static_cast<std::size_t>(known)] == size) return known;
        if (known < 0) {
            assert(sizes.size() < 250);
            size_slots_[slot] = static_cast<std::int16_t>(sizes.size());
            sizes.push_back(size);
            return size_slots_[slot];
        }
    }
}

void Recorder::derive(const Tensor& made, const Tensor& from) {
    if (graph >= 0) link(made, from);
}
void Recorder::materialize(const Tensor& t) {
    if (settings.compile != CompileVariant::None) write(t);
}

void Recorder::link(const Tensor& made, const Tensor& from) {
    StorageData& storage = storage_of(made);
    if (storage.graph < 0 || !from) return;
    auto* const place = std::find(storage.sources.begin(), storage.sources.end(), 0);
    if (place == storage.sources.end()) return write(made);  // kept, and computed again from others
    *place = at(from).storage + 1;
    ++storage_of(from).references;
}

void Recorder::release_sources(std::int32_t id) {
    storages[static_cast<std::size_t>(id)].graph = -1;
    for (const std::int32_t source : std::exchange(storages[static_cast<std::size_t>(id)].sources, {}))
        if (source > 0) release_storage(source - 1);
}

void Recorder::write(const Tensor& t) {
    if (!t || storage_of(t).graph < 0) return;
    const std::int32_t id = at(t).storage;
    storages[static_cast<std::size_t>(id)].born = static_cast<std::int32_t>(events.size());
    events.push_back({id, true, 0});
    release_sources(id);
}

// A tensor of the same shape that takes no memory here, and the copy that comes back.
Tensor Recorder::hosted(const Tensor& t) {
    const TensorData data = at(t);
    Tensor out = resident(data.shape, data.dtype);
    storage_of(out).hosted = true;
    at(out).strides = data.strides;
    at(out).requires_grad = data.requires_grad;
    return out;
}
Tensor Recorder::fetched(const Tensor& t) {
    if (!storage_of(t).hosted) return t;
    const TensorData data = at(t);
    Tensor out = allocate(Operator::Embedding, data.shape, data.dtype, &data.strides);
    at(out).requires_grad = data.requires_grad;
    return out;
}

// torchtitan keeps the first, third ... product of a block.
bool Recorder::keeps_result(Operator op) {
    if (stopped || (packing < 0 && recomputed < 0) || (settings.kept_operators >> static_cast<unsigned>(op) & 1U) == 0)
        return false;
    return op != Operator::Mm || !settings.every_second_product || ++products % 2 == 1;
}

Tensor Recorder::allocate(Operator made_by, const Shape& shape, Dtype dtype, const Strides* strides) {
    const bool kept = keeps_result(made_by);
    if (kept && recomputed >= 0) {
        Frame& frame = frames[static_cast<std::size_t>(recomputed)];
        return std::move(frame.results[frame.reused++]);
    }
    const auto id = static_cast<std::int32_t>(storages.size());
    StorageData& storage = storages.emplace_back();
    storage.references = 1;
    storage.made_by = made_by;
    storage.module = module;
    storage.empty = stopped;
    storage.recomputed = recomputing;
    if (!stopped) {
        Size size{.coefficient = 1, .symbols = {}, .dtype = dtype};
        for (int i = 0; i < shape.rank; ++i) {
            const Dim& d = dims[shape[i]];
            size.coefficient *= d.coefficient;
            size.symbols = size.symbols * d.symbols;
        }
        storage.size = intern(size);
        if (graph >= 0 && fuses(made_by)) {
            storage.graph = graph;
        } else {
            storage.born = static_cast<std::int32_t>(events.size());
            events.push_back({id, true, 0});
        }
    }
    TensorData& data = new_tensor();
    data.storage = id;
    data.shape = shape;
    data.dtype = dtype;
    data.strides = strides ? *strides : contiguous_strides(*this, shape);
    Tensor out(this, static_cast<std::int32_t>(&data - tensors.data()));
    if (kept) {
        Tensor result = alias(out, shape, at(out).strides);
        frames[static_cast<std::size_t>(packing)].results.push_back(std::move(result));
    }
    return out;
}

// A cleared slot with one reference.
TensorData& Recorder::new_tensor() {
    TensorData* data = nullptr;
    if (free_tensors_.empty()) {
        data = &tensors.emplace_back();
    } else {
        data = &tensors[static_cast<std::size_t>(free_tensors_.back())];
        free_tensors_.pop_back();
        *data = TensorData{};
    }
    data->references = 1;
    return *data;
}

Tensor Recorder::resident(const Shape& shape, Dtype dtype) {
    StorageData& storage = storages.emplace_back();
    storage.references = 1;
    storage.resident = true;
    TensorData& data = new_tensor();
    data.storage = static_cast<std::int32_t>(storages.size()) - 1;
    data.shape = shape;
    data.dtype = dtype;
    data.strides = contiguous_strides(*this, shape);
    return Tensor(this, static_cast<std::int32_t>(&data - tensors.data()));
}

Tensor Recorder::parameter(const Shape& shape, Dtype dtype, bool requires_grad, std::int32_t copies) {
    Tensor out = resident(shape, dtype);
    TensorData& data = at(out);
    data.parameter = true;
    data.requires_grad = requires_grad;
    data.copies = copies;
    return out;
}

Tensor Recorder::alias(const Tensor& of, const Shape& shape, const Strides& strides) {
    const std::int32_t storage = at(of).storage;
    const Dtype dtype = at(of).dtype;
    const Shape new_shape = shape;  // may be those of a tensor that moves
    const Strides new_strides = strides;
    ++storages[static_cast<std::size_t>(storage)].references;
    TensorData& data = new_tensor();
    data.storage = storage;
    data.dtype = dtype;
    data.shape = new_shape;
    data.strides = new_strides;
    data.view = true;
    return Tensor(this, static_cast<std::int32_t>(&data - tensors.data()));
}

void Recorder::release(std::int32_t id) {
    TensorData& data = tensors[static_cast<std::size_t>(id)];
    assert(data.references > 0);
    if (--data.references > 0) return;
    const std::int32_t storage = data.storage, node = data.node, grad = data.grad;
    data.storage = data.node = data.grad = -1;
    free_tensors_.push_back(id);
    release_storage(storage);
    if (node >= 0) release_node(*this, node);
    if (grad >= 0) release(grad);
}

void Recorder::release_storage(std::int32_t id) {
    StorageData& storage = storages[static_cast<std::size_t>(id)];
    assert(storage.references > 0);
    if (--storage.references > 0 || storage.resident || storage.empty) return;
    if (storage.graph >= 0) return release_sources(id);
    storage.died = static_cast<std::int32_t>(events.size());
    events.push_back({id, false, release_copies});
}

void Recorder::begin_segment(Phase phase, std::int32_t layer, std::int32_t copies) {
    const auto now = static_cast<std::int32_t>(events.size());
    if (!segments.empty()) segments.back().end = now;
    TapeSegment segment;
    segment.phase = phase;
    segment.micro_step = micro_step;
    segment.layer = layer;
    segment.copies = copies;
    segment.begin = segment.end = now;
    segments.push_back(segment);
}

void Recorder::enter(Unit next) {
    unit = static_cast<std::int32_t>(units.size());
    if (settings.compile == CompileVariant::Model) graph = unit;
    units.push_back(next);
    backward_unit_ = -2;
    begin_segment(next.forward, next.layer, next.copies);
}

void Recorder::enter_backward(std::int32_t next) {
    if (next == backward_unit_ || next < 0) return;
    backward_unit_ = next;
    const Unit& u = units[static_cast<std::size_t>(next)];
    begin_segment(u.backward, u.layer, u.copies);
}

DimId Recorder::product(DimId a, DimId b) {
    if (a == 0) return b;
    if (b == 0) return a;
    const Dim x = dims[a], y = dims[b];
    return dim(x.value * y.value, x.coefficient * y.coefficient, x.symbols * y.symbols);
}

void Recorder::clear_cast_cache(Scope scope) {
    for (CachedCast& entry : cast_cache) {
        if (scope == Scope::Step) release_copies = tensors[static_cast<std::size_t>(entry.parameter)].copies - 1;
        entry.cast.reset();
    }
    release_copies = 0;
    cast_cache.clear();
}

}  // namespace memwall
