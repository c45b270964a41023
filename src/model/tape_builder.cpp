#include "model/tape_builder.hpp"

#include <array>
#include <cassert>
#include <utility>

#include "model/operators.hpp"

namespace memwall {

void TapeBuilder::forward_ended() { forwards_.back().end = static_cast<std::int32_t>(r_.events.size()); }

void TapeBuilder::backward_ended() {
    const auto now = static_cast<std::int32_t>(r_.events.size());
    backward_ends_.push_back(now);
    forwards_.push_back(Span{now, now});
}

namespace {

std::int64_t elements_of(const Recorder& r, const Shape& shape) {
    std::int64_t n = 1;
    for (int i = 0; i < shape.rank; ++i)
        n *= r.size(shape[i]);
    return n;
}

// Registration order with copies: the largest 2·n(i) + n(i-1), the step's temporaries of parameter i beside the
// denominator of the one before.
struct LoopPeak {
    const Tensor* previous = nullptr;
    const Tensor* current = nullptr;
    std::int64_t value = -1;
};

LoopPeak loop_peak(const Recorder& r, const std::vector<Tensor>& trained) {
    LoopPeak best;
    const auto consider = [&](const Tensor* previous, const Tensor& current) {
        const std::int64_t before = previous ? elements_of(r, previous->shape()) : 0;
        const std::int64_t value = 2 * elements_of(r, current.shape()) + before;
        if (value > best.value) best = {previous, &current, value};
    };
    for (std::size_t i = 0; i < trained.size(); ++i) {
        consider(i > 0 ? &trained[i - 1] : nullptr, trained[i]);
        // The first tensor of a repeated layer also follows the last one of the same layer.
        const std::int32_t copies = r.at(trained[i]).copies;
        if (copies < 2 || (i > 0 && r.at(trained[i - 1]).copies == copies)) continue;
        std::size_t last = i;
        while (last + 1 < trained.size() && r.at(trained[last + 1]).copies == copies)
            ++last;
        consider(&trained[last], trained[i]);
    }
    return best;
}

}  // namespace

void TapeBuilder::optimizer_step(const std::vector<Tensor>& parameters, OptimizerVariant optimizer) {
    optimizer_begin_ = static_cast<std::int32_t>(r_.events.size());
    r_.begin_segment(Phase::OptimizerStep, -1, 1);
    std::vector<Tensor> trained;
    for (const Tensor& p : parameters)
        if (r_.at(p).requires_grad) trained.push_back(p);
    switch (optimizer) {
        case OptimizerVariant::Fused:
        case OptimizerVariant::Sgd:
            break;
        case OptimizerVariant::Foreach: {  // torch._foreach_sqrt: a copy of every second moment at once
            std::vector<Tensor> roots;
            for (const Tensor& p : trained) {
                r_.module = r_.storage_of(p).module;
                roots.push_back(r_.allocate(Operator::OptimizerStep, Shape(p.shape()), p.dtype()));
                r_.events.back().repeated = r_.at(p).copies - 1;
            }
            while (!roots.empty()) {
                r_.release_copies = r_.at(trained[roots.size() - 1]).copies - 1;
                roots.pop_back();
            }
            r_.release_copies = 0;
            break;
        }
        case OptimizerVariant::ForLoop: {
            if (trained.empty()) break;
            const LoopPeak peak = loop_peak(r_, trained);
            Tensor before;
            if (peak.previous)
                before = r_.allocate(Operator::OptimizerStep, Shape(peak.previous->shape()), peak.previous->dtype());
            const Tensor root =
                r_.allocate(Operator::OptimizerStep, Shape(peak.current->shape()), peak.current->dtype());
            const Tensor denominator = like(Operator::OptimizerStep, root);
            break;
        }
    }
    r_.begin_segment(Phase::Idle, -1, 1);
    for (const Tensor& p : trained) {
        const std::int32_t grad = std::exchange(r_.at(p).grad, -1);
        r_.release_copies = r_.at(p).copies - 1;
        if (grad >= 0) r_.release(grad);
    }
    r_.release_copies = 0;
}

bool TapeBuilder::in_forward(const StorageData& s) const {
    for (std::size_t i = 0; i + 1 < forwards_.size(); ++i)
        if (s.born >= forwards_[i].begin && s.born < forwards_[i].end) return true;
    return false;
}

TensorKind TapeBuilder::kind_of(const StorageData& s) const {
    const Size& size = r_.sizes[static_cast<std::size_t>(s.size)];
    const bool logits = size.symbols.power(Symbol::Vocabulary) > 0 && size.symbols.power(Symbol::MicroBatch) > 0;
    if (s.input) return TensorKind::Input;
    if (s.gradient) return TensorKind::Gradient;
    if (s.made_by == Operator::KvCache) return TensorKind::KvCache;
    if (s.made_by == Operator::Estimate) return TensorKind::ActivationEstimate;
    if (s.born >= optimizer_begin_) return TensorKind::OptimizerTemporary;
    for (std::size_t i = 0; i + 1 < forwards_.size(); ++i) {
        if (s.born >= forwards_[i].end) continue;
        if (s.born < forwards_[i].begin) break;
        if (s.weight_cast) return TensorKind::WeightCast;
        if (logits) return TensorKind::Logits;
        if (s.died >= 0 && s.died < forwards_[i].end)
            return working_ ? TensorKind::WorkingBuffer : TensorKind::ForwardTemporary;
        if (s.mask) return TensorKind::DropoutMask;
        const int rows = size.symbols.power(Symbol::Sequence) + size.symbols.power(Symbol::SequenceRounded8);
        if (rows > 1) return TensorKind::Scores;
        return s.checkpointed ? TensorKind::CheckpointedInput : TensorKind::SavedActivation;
    }
    if (logits) return TensorKind::LossTemporary;
    if (size.symbols.power(Symbol::Vocabulary) > 0) return TensorKind::TiedHeadGradient;
    if (s.recomputed) return TensorKind::Recomputed;
    return TensorKind::BackwardTemporary;
}

std::vector<std::int16_t> TapeBuilder::segment_of_events() const {
    std::vector<std::int16_t> out(r_.events.size());
    for (std::size_t i = 0; i < r_.segments.size(); ++i)
        for (std::int32_t e = r_.segments[i].begin; e < r_.segments[i].end; ++e)
            out[static_cast<std::size_t>(e)] = static_cast<std::int16_t>(i);
    return out;
}

// A block frees what the one before it left (the hidden state, or its gradient) and leaves its own: the layers
// between the first and the last one cancel only if both are the same row.
bool TapeBuilder::rolls(const StorageData& s, const std::vector<std::int16_t>& segments) const {
    if (s.gradient || s.weight_cast || s.input || s.died < 0) return false;
    const TapeSegment& from = r_.segments[static_cast<std::size_t>(segments[static_cast<std::size_t>(s.born)])];
    const TapeSegment& to = r_.segments[static_cast<std::size_t>(segments[static_cast<std::size_t>(s.died)])];
    return from.layer != to.layer && (from.copies > 1 || to.copies > 1);
}

namespace {

// Roles by kind, module and operator; a small open hash, because every storage asks.
class Roles {
  public:
    explicit Roles(std::vector<TapeRole>& roles) : roles_(roles) { slots_.fill(-1); }
    std::int16_t find(TensorKind kind, std::string_view module, std::string_view operator_name) {
        std::uint64_t hash = reinterpret_cast<std::uintptr_t>(module.data()) * 0x9E3779B97F4A7C15ULL;
        hash ^= reinterpret_cast<std::uintptr_t>(operator_name.data()) * 0xC2B2AE3D27D4EB4FULL;
        hash = (hash ^ hash >> 31) * 0x165667B19E3779F9ULL + static_cast<std::uint64_t>(kind) * 0x9E3779B1ULL;
        for (std::size_t slot = hash >> 33;; ++slot) {
            std::int16_t& known = slots_[slot % slots_.size()];
            if (known < 0) {
                assert(roles_.size() < slots_.size() / 2);
                known = static_cast<std::int16_t>(roles_.size());
                roles_.push_back({kind, module, operator_name});
                return known;
            }
            const TapeRole& role = roles_[static_cast<std::size_t>(known)];
            if (role.kind == kind && role.module == module && role.operator_name == operator_name) return known;
        }
    }

  private:
    std::vector<TapeRole>& roles_;
    std::array<std::int16_t, 1024> slots_{};
};

}  // namespace

Tape TapeBuilder::finish(const SymbolValues& symbols) {
    if (!r_.segments.empty()) r_.segments.back().end = static_cast<std::int32_t>(r_.events.size());
    Tape tape;
    tape.symbols = symbols;
    tape.sizes = r_.sizes;
    tape.segments = r_.segments;
    tape.roles.reserve(128);
    tape.events.reserve(r_.events.size());
    const std::vector<std::int16_t> segments = segment_of_events();

    TensorKind hidden_kind = TensorKind::ForwardTemporary;  // of hidden states that pass between blocks
    for (const StorageData& s : r_.storages)
        if (s.born >= 0 && s.born < forwards_[0].end && rolls(s, segments))
            if (const TensorKind kind = kind_of(s); kind != TensorKind::ForwardTemporary) hidden_kind = kind;

    Roles roles(tape.roles);
    std::vector<std::int16_t> role_of(r_.storages.size(), -1);
    for (std::size_t i = 0; i < r_.storages.size(); ++i) {
        const StorageData& s = r_.storages[i];
        if (s.born < 0) continue;
        const TensorKind kind = kind_of(s);
        if (!rolls(s, segments))
            role_of[i] = roles.find(kind, s.module, row(s.made_by).name);
        else if (in_forward(s))
            role_of[i] = roles.find(hidden_kind, "hidden_states", "block output");
        else
            role_of[i] = roles.find(TensorKind::GradientInFlight, "hidden_states", "gradient");
    }
    for (const Recorder::RawEvent& raw : r_.events) {
        const auto i = static_cast<std::size_t>(raw.storage);
        tape.events.push_back({r_.storages[i].size, role_of[i], raw.allocate, raw.repeated});
    }
    return tape;
}

}  // namespace memwall
