#include "model/tape_builder.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "model/model_program.hpp"
#include "model/operators.hpp"

namespace memwall {

void TapeBuilder::forward_ended() { forwards_.back().end = static_cast<std::int32_t>(r_.events.size()); }

void TapeBuilder::backward_ended() {
    const auto now = static_cast<std::int32_t>(r_.events.size());
    backward_ends_.push_back(now);
    forwards_.push_back(Span{now, now});
}

bool TapeBuilder::in_forward(const StorageData& s) const {
    for (std::size_t i = 0; i + 1 < forwards_.size(); ++i)
        if (s.born >= forwards_[i].begin && s.born < forwards_[i].end) return true;
    return false;
}

TensorKind TapeBuilder::kind_of(const StorageData& s) const {
    const Size& size = r_.sizes[static_cast<std::size_t>(s.size)];
    const bool vocabulary = size.symbols.power(Symbol::Vocabulary) > 0;
    const bool logits =
        vocabulary && size.symbols.power(Symbol::MicroBatch) + size.symbols.power(Symbol::ChunkTokens) > 0;
    if (s.input) return TensorKind::Input;
    if (s.gradient) return TensorKind::Gradient;
    if (s.module == kPredictions) return TensorKind::Predictions;
    if (s.made_by == Operator::Dequantize) return TensorKind::DequantizedWeight;
    if (s.made_by == Operator::KvCache) return TensorKind::KvCache;
    if (s.made_by == Operator::OptimizerState) return TensorKind::OptimizerState;
    if (s.made_by == Operator::Estimate) return working_ ? TensorKind::CacheEstimate : TensorKind::ActivationEstimate;
    if (s.born >= optimizer_begin_ || s.made_by == Operator::OptimizerStep)
        return r_.settings.optimizer == OptimizerVariant::OfTheLargest ? TensorKind::LoopTemporary
                                                                       : TensorKind::OptimizerTemporary;
    for (std::size_t i = 0; i + 1 < forwards_.size(); ++i) {
        if (s.born >= forwards_[i].end) continue;
        if (s.born < forwards_[i].begin) break;
        if (s.weight_cast) return TensorKind::WeightCast;
        if (logits) return TensorKind::Logits;
        if (s.died >= 0 && s.died < forwards_[i].end)
            return working_ ? TensorKind::WorkingBuffer : TensorKind::ForwardTemporary;
        if (s.mask) return TensorKind::DropoutMask;
        if (vocabulary) return TensorKind::TiedHeadGradient;
        const int rows = size.symbols.power(Symbol::Sequence) + size.symbols.power(Symbol::SequenceRounded8);
        if (rows > 1) return TensorKind::Scores;
        return s.checkpointed ? TensorKind::CheckpointedInput : TensorKind::SavedActivation;
    }
    if (logits) return TensorKind::LossTemporary;
    if (vocabulary) return TensorKind::TiedHeadGradient;
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

// Rotary tables, position ids and masks: made once outside the blocks, read by all of them, not one row a token.
bool TapeBuilder::is_shared_table(const StorageData& s, const std::vector<std::int16_t>& segments) const {
    if (s.gradient || s.weight_cast || s.input || s.born < 0 || !in_forward(s)) return false;
    const TapeSegment& from = r_.segments[static_cast<std::size_t>(segments[static_cast<std::size_t>(s.born)])];
    if (from.layer >= 0 || from.copies > 1) return false;
    const Monomial& powers = r_.sizes[static_cast<std::size_t>(s.size)].symbols;
    const int rows = powers.power(Symbol::Sequence) + powers.power(Symbol::SequenceRounded8);
    return powers.power(Symbol::MicroBatch) == 0 || rows > 1;
}

// A block frees what the one before it left (the hidden state, or its gradient) and leaves its own: the layers
// between the first and the last one cancel only if both are the same row.
bool TapeBuilder::rolls(const StorageData& s, const std::vector<std::int16_t>& segments) const {
    if (s.gradient || s.weight_cast || s.input || s.died < 0 || is_shared_table(s, segments)) return false;
    const TapeSegment& from = r_.segments[static_cast<std::size_t>(segments[static_cast<std::size_t>(s.born)])];
    const TapeSegment& to = r_.segments[static_cast<std::size_t>(segments[static_cast<std::size_t>(s.died)])];
    return from.layer != to.layer && std::max(from.layer, to.layer) >= 0 && (from.copies > 1 || to.copies > 1);
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
    tape.fixed.reserve(tape.sizes.size());
    for (const Size& size : tape.sizes)
        tape.fixed.push_back(fixed_bytes(size, symbols));
    tape.segments = r_.segments;
    tape.roles.reserve(128);
    tape.events.reserve(r_.events.size());
    const std::vector<std::int16_t> segments = segment_of_events();

    // Of hidden states that pass between blocks: as the first block's that is kept. The last block's may be kept for
    // another reason: the final norm saves its input, where the other blocks' outputs are inputs of checkpoints.
    TensorKind hidden_kind = TensorKind::ForwardTemporary;
    for (const StorageData& s : r_.storages)
        if (s.born >= 0 && s.born < forwards_[0].end && hidden_kind == TensorKind::ForwardTemporary &&
            rolls(s, segments))
            hidden_kind = kind_of(s);

    // Between the runs of a chunked loss sums replace each other as hidden states do between blocks.
    const auto passes_chunks = [&](const StorageData& s) {
        if (s.died < 0 || s.gradient || in_forward(s)) return false;
        const TapeSegment& from = r_.segments[static_cast<std::size_t>(segments[static_cast<std::size_t>(s.born)])];
        const TapeSegment& to = r_.segments[static_cast<std::size_t>(segments[static_cast<std::size_t>(s.died)])];
        return &from != &to && std::min(from.layer, to.layer) < -1;
    };
    Roles roles(tape.roles);
    std::vector<std::int16_t> row_of(r_.storages.size(), -1);  // the role first
    for (std::size_t i = 0; i < r_.storages.size(); ++i) {
        const StorageData& s = r_.storages[i];
        if (s.born < 0) continue;
        const TensorKind kind = kind_of(s);
        if (passes_chunks(s))
            row_of[i] = roles.find(kind, "lm_head", "gradient");
        else if (!rolls(s, segments))
            row_of[i] = roles.find(kind, s.module, row(s.made_by).name);
        else if (in_forward(s))
            row_of[i] = roles.find(hidden_kind, "hidden_states", "block output");
        else
            row_of[i] = roles.find(TensorKind::GradientInFlight, "hidden_states", "gradient");
    }
    make_rows(tape, row_of);
    add_events(tape, row_of, segments);
    add_nets(tape);
    return tape;
}

void TapeBuilder::add_nets(Tape& tape) {
    std::vector<std::int32_t> tensors(tape.rows.size(), 0);
    for (TapeSegment& segment : tape.segments) {
        segment.net_begin = static_cast<std::int32_t>(tape.nets.size());
        for (std::int32_t i = segment.begin; i < segment.end; ++i) {
            const TapeEvent& e = tape.events[static_cast<std::size_t>(i)];
            tensors[static_cast<std::size_t>(e.row)] += e.tensors;
        }
        for (std::int32_t i = segment.begin; i < segment.end; ++i) {
            const std::int16_t row = tape.events[static_cast<std::size_t>(i)].row;
            std::int32_t& left = tensors[static_cast<std::size_t>(row)];
            if (left != 0) tape.nets.push_back({row, left});
            left = 0;
        }
        segment.net_end = static_cast<std::int32_t>(tape.nets.size());
    }
}

// Roles of storages become rows: those pairs of role and size that exist, in their order.
void TapeBuilder::make_rows(Tape& tape, std::vector<std::int16_t>& row_of) const {
    const std::size_t sizes = tape.sizes.size();
    std::vector<std::int16_t> rows(tape.roles.size() * sizes, -1);
    const auto place = [&](std::size_t storage) -> std::int16_t& {
        return rows[static_cast<std::size_t>(row_of[storage]) * sizes +
                    static_cast<std::size_t>(r_.storages[storage].size)];
    };
    for (std::size_t i = 0; i < row_of.size(); ++i)
        if (row_of[i] >= 0) place(i) = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < 0) continue;
        rows[i] = static_cast<std::int16_t>(tape.rows.size());
        tape.rows.push_back({static_cast<std::int16_t>(i % sizes), static_cast<std::int16_t>(i / sizes)});
    }
    for (std::size_t i = 0; i < row_of.size(); ++i)
        if (row_of[i] >= 0) row_of[i] = place(i);
}

// A shared table that dies in a block dies once, with the last of the equal blocks: after their segment.
void TapeBuilder::add_events(Tape& tape, const std::vector<std::int16_t>& row_of,
                             const std::vector<std::int16_t>& segments) const {
    std::vector<TapeEvent> waiting;
    for (TapeSegment& segment : tape.segments) {
        const std::int32_t begin = segment.begin, end = segment.end;
        segment.begin = static_cast<std::int32_t>(tape.events.size());
        if (segment.copies == 1) {
            tape.events.insert(tape.events.end(), waiting.begin(), waiting.end());
            waiting.clear();
        }
        for (std::int32_t e = begin; e < end; ++e) {
            const Recorder::RawEvent& raw = r_.events[static_cast<std::size_t>(e)];
            const auto i = static_cast<std::size_t>(raw.storage);
            const TapeEvent event{row_of[i], raw.allocate ? 1 + raw.repeated : -1 - raw.repeated};
            const bool waits = segment.copies > 1 && !raw.allocate && is_shared_table(r_.storages[i], segments);
            (waits ? waiting : tape.events).push_back(event);
        }
        segment.end = static_cast<std::int32_t>(tape.events.size());
    }
    tape.events.insert(tape.events.end(), waiting.begin(), waiting.end());
    if (!tape.segments.empty()) tape.segments.back().end = static_cast<std::int32_t>(tape.events.size());
    assert(tape.events.size() == r_.events.size());
}

}  // namespace memwall
