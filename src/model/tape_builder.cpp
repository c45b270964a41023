#include "model/tape_builder.hpp"

#include <algorithm>
#include <cassert>

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

// A block frees its input and leaves its output: the layers between the first and the last one cancel only if both
// are the same row. So an output that is kept anywhere is called by that kind everywhere.
std::vector<TapeBuilder::Rolling> TapeBuilder::rolling_tensors() const {
    std::vector<Rolling> out;
    for (const StorageData& s : r_.storages) {
        if (s.born < 0 || s.born >= forwards_[0].end) continue;
        if (segment_of(s.born) == segment_of(s.died < 0 ? s.born : s.died)) continue;
        const TensorKind kind = kind_of(s);
        if (kind == TensorKind::SavedActivation || kind == TensorKind::CheckpointedInput)
            out.push_back({s.made_by, s.size, s.module, kind});
    }
    return out;
}

std::int32_t TapeBuilder::segment_of(std::int32_t event) const {
    std::int32_t at = 0;
    for (std::size_t i = 0; i < r_.segments.size(); ++i)
        if (r_.segments[i].begin <= event) at = static_cast<std::int32_t>(i);
    return at;
}

Tape TapeBuilder::finish(const SymbolValues& symbols) {
    if (!r_.segments.empty()) r_.segments.back().end = static_cast<std::int32_t>(r_.events.size());
    Tape tape;
    tape.symbols = symbols;
    tape.sizes = r_.sizes;
    tape.segments = r_.segments;
    std::vector<std::int16_t> role_of(r_.storages.size(), -1);
    const std::vector<Rolling> rolling = rolling_tensors();
    tape.events.reserve(r_.events.size());
    for (const Recorder::RawEvent& raw : r_.events) {
        const StorageData& s = r_.storages[static_cast<std::size_t>(raw.storage)];
        std::int16_t& role = role_of[static_cast<std::size_t>(raw.storage)];
        if (role < 0) {
            TapeRole wanted{kind_of(s), s.module, row(s.made_by).name};
            if (wanted.kind == TensorKind::ForwardTemporary)
                for (const Rolling& known : rolling)
                    if (known.made_by == s.made_by && known.size == s.size && known.module == s.module)
                        wanted.kind = known.kind;
            const auto found = std::find(tape.roles.begin(), tape.roles.end(), wanted);
            role = static_cast<std::int16_t>(found - tape.roles.begin());
            if (found == tape.roles.end()) tape.roles.push_back(wanted);
        }
        tape.events.push_back({s.size, role, raw.allocate, raw.repeated});
    }
    return tape;
}

}  // namespace memwall
