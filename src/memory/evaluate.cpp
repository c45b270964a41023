#include "memory/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/checked.hpp"
#include "base/word_list.hpp"
#include "memory/replay.hpp"
#include "memory/tensor_kinds.hpp"

namespace memwall {

namespace {

constexpr WordList kSegmentNames =
    "load|embedding|forward|head and loss|head backward|backward|embedding backward|gradient sum|optimizer step|"
    "end of step|prefill|decode";
static_assert(kSegmentNames.size() == static_cast<std::size_t>(Segment::Decode) + 1);

bool is_forward(Phase p) { return p == Phase::Embedding || p == Phase::Forward || p == Phase::HeadAndLoss; }
bool is_backward(Phase p) {
    return p == Phase::HeadBackward || p == Phase::Backward || p == Phase::EmbeddingBackward || p == Phase::GradientSum;
}

// What a replay needs of a row.
struct RowValue {
    std::int64_t bytes;
    std::size_t category;
};

constexpr std::int32_t kFirst = number(RunStage::FirstStep), kSteady = number(RunStage::SteadyStep);

// States that the first step creates on its way, as large as the ledger made them; later they are residents.
[[gnu::noinline]] void set_states(const Tape& tape, const std::vector<std::int64_t>& raw, std::int32_t step,
                                  std::vector<RowValue>& out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const TapeRow& r = tape.rows[i];
        if (tape.roles[static_cast<std::size_t>(r.role)].kind != TensorKind::OptimizerState) continue;
        out[i].bytes = step == kFirst ? raw[static_cast<std::size_t>(r.size)] : 0;
    }
}

std::vector<RowValue> row_values(const Program& program, const Sizes& sizes, std::int32_t step) {
    const Tape& tape = *program.tape;
    const std::vector<std::int64_t> raw = raw_bytes(tape, sizes);
    std::vector<RowValue> out;
    out.reserve(tape.rows.size());
    constexpr std::int64_t kBelowBlock = kAllocatorBlock - 1;
    const std::int64_t rounding = program.policy == Policy::Device ? kBelowBlock : 0;
    for (const TapeRow& r : tape.rows) {
        const std::int64_t one = divided(program, r, raw[static_cast<std::size_t>(r.size)]);
        out.push_back({(one + rounding) & ~rounding,
                       static_cast<std::size_t>(row(tape.roles[static_cast<std::size_t>(r.role)].kind).category)});
    }
    if (tape.creates_states) set_states(tape, raw, step, out);
    return out;
}

void add_state(Instant& instant, Bytes state) {
    instant.by_category[static_cast<std::size_t>(Category::OptimizerState)] += state;
    instant.total += state;
}

// One pass over the tape: instants of one step, in the first one without the optimizer state. What happens now is
// itself an Instant: WebAssembly calls memcpy and memset for blocks of this size, and they are half of a replay; one
// copy each is least.
class Replay {
  public:
    Replay(const Program& program, const Sizes& sizes, std::int32_t step)
        : tape_(*program.tape), rows_(row_values(program, sizes, step)) {
        for (const LedgerRow& resident : program.residents.rows) {
            const bool always = resident.presence == Presence::Always;
            assert(always || resident.category == Category::OptimizerState);
            (always ? now_.by_category[static_cast<std::size_t>(resident.category)] : state_) += resident.bytes;
        }
        for (const Bytes part : now_.by_category)
            now_.total += part;
        now_.step = step;
        if (step == kSteady) add_state(now_, state_);
        instants_.reserve(tape_.segments.size() * 6);  // three a segment, in the first and the steady step
        for (const TapeSegment& segment : tape_.segments)
            run(segment);
    }

    std::vector<Instant> instants() && { return std::move(instants_); }
    // Of the optimizer, from its first step on.
    Bytes state() const { return state_; }

  private:
    void apply(Instant& to, const std::vector<TapeEvent>& events, std::int32_t begin, std::int32_t end,
               std::int64_t times) const {
        for (std::int32_t i = begin; i < end; ++i) {
            const TapeEvent& e = events[static_cast<std::size_t>(i)];
            const RowValue& value = rows_[static_cast<std::size_t>(e.row)];
            to.by_category[value.category] += Bytes(value.bytes * e.tensors * times);
        }
    }
    void leave(Instant& to, const TapeSegment& segment, std::int64_t times) const {
        apply(to, tape_.nets, segment.net_begin, segment.net_end, times);
    }
    // The events of a segment before `event` have happened; the last one names the instant.
    void place(Instant& instant, const TapeSegment& segment, std::int32_t event, std::int32_t copy) const {
        instant.event = event;
        instant.copy = copy;
        if (event == segment.begin) return;
        const TapeEvent& latest = tape_.events[static_cast<std::size_t>(event - 1)];
        if (latest.tensors < 0) return;  // what was released was made elsewhere
        const TapeRow& last = tape_.rows[static_cast<std::size_t>(latest.row)];
        const TapeRole& role = tape_.roles[static_cast<std::size_t>(last.role)];
        instant.operator_name = role.operator_name;
        instant.module = role.module;
    }
    void run(const TapeSegment& segment);

    const Tape& tape_;
    std::vector<RowValue> rows_;
    Instant now_;
    Bytes state_;
    std::vector<Instant> instants_;
};

void Replay::run(const TapeSegment& segment) {
    std::int64_t total = 0, peak = 0;
    std::int32_t peak_at = segment.begin;
    for (std::int32_t i = segment.begin; i < segment.end; ++i) {
        const TapeEvent& e = tape_.events[static_cast<std::size_t>(i)];
        total += rows_[static_cast<std::size_t>(e.row)].bytes * e.tensors;
        if (total > peak) {
            peak = total;
            peak_at = i + 1;
        }
    }
    now_.segment = static_cast<Segment>(segment.phase);
    now_.micro_step = segment.micro_step;
    now_.layer = segment.layer;
    // From whichever end of the segment the peak is nearer to.
    const bool from_end = segment.end - peak_at < peak_at - segment.begin;
    const Bytes highest = now_.total + Bytes(peak);
    if (from_end) leave(now_, segment, 1);
    Instant& at_peak = instants_.emplace_back(now_);
    if (from_end) {
        apply(at_peak, tape_.events, peak_at, segment.end, -1);
    } else {
        leave(now_, segment, 1);
        apply(at_peak, tape_.events, segment.begin, peak_at, 1);
    }
    place(at_peak, segment, peak_at, 0);
    at_peak.total = highest;
    now_.total += Bytes(total);
    // The other copies: each moves every later moment by what one copy leaves.
    const std::int32_t others = segment.copies - 1;
    if (others > 0) {
        Instant& last = instants_.emplace_back(at_peak);
        leave(last, segment, others);
        leave(now_, segment, others);
        last.copy = others;
        last.total += Bytes(total * others);
        now_.total += Bytes(total * others);
    }
    if (peak_at < segment.end) place(instants_.emplace_back(now_), segment, segment.end, others);
}

// The totals instruments report, from the instants in order of time.
std::vector<PhaseTotals> phase_totals(const std::vector<Instant>& instants) {
    std::vector<PhaseTotals> out;
    Bytes last;
    const auto raise = [](Bytes& to, Bytes value) { to = std::max(to, value); };
    for (const Instant& i : instants) {
        const auto phase = static_cast<Phase>(i.segment);
        if (phase == Phase::Load) {
            last = i.total;
            continue;
        }
        if (out.empty() || out.back().step != i.step || out.back().micro_step != i.micro_step) {
            out.push_back({});
            out.back().step = i.step;
            out.back().micro_step = i.micro_step;
            out.back().forward_peak = last;
        }
        PhaseTotals& t = out.back();
        if (is_forward(phase) || phase == Phase::Prefill || phase == Phase::Decode) {
            raise(t.forward_peak, i.total);
            t.forward_end = i.total;
        } else if (is_backward(phase)) {
            raise(t.backward_peak, std::max(i.total, t.forward_end));
            t.backward_end = i.total;
        } else if (phase == Phase::OptimizerStep) {
            raise(t.optimizer_peak, i.total);
            t.optimizer_end = i.total;
        } else {
            t.end = i.total;
        }
        last = i.total;
    }
    return out;
}

}  // namespace

std::string_view name(Segment s) { return kSegmentNames[static_cast<std::size_t>(s)]; }

std::int32_t shards_of(const Program& program, const TapeRow& r) {
    const TapeRole& role = program.tape->roles[static_cast<std::size_t>(r.role)];
    if (role.kind == TensorKind::OptimizerTemporary) return program.state_shards;  // of its own part of the states
    return role.kind == TensorKind::Gradient ? program.shards : 1;
}

std::vector<std::int64_t> raw_bytes(const Tape& tape, const Sizes& sizes) {
    const SymbolValues values = symbol_values(tape, sizes);
    std::vector<std::int64_t> out = tape.fixed;
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::uint64_t rest = tape.sizes[i].symbols.powers[0] & kVaryingPowers; rest != 0;) {
            const unsigned symbol = static_cast<unsigned>(__builtin_ctzll(rest)) / Monomial::kASymbol;
            out[i] *= values[symbol];
            rest -= std::uint64_t{1} << (symbol * Monomial::kASymbol);
        }
    return out;
}

std::int64_t divided(const Program& program, const TapeRow& r, std::int64_t raw) {
    const std::int32_t ranks = shards_of(program, r);
    if (ranks == 1) return raw;
    const std::int64_t width = element_bytes(program.tape->sizes[static_cast<std::size_t>(r.size)].dtype);
    return ceil_div(raw / width, ranks) * width;
}

namespace {

// The first step differs by the optimizer state, which its own optimizer step creates.
void add_steady_step(std::vector<Instant>& instants, Bytes state) {
    const bool trains = std::any_of(instants.begin(), instants.end(),
                                    [](const Instant& i) { return i.segment == Segment::OptimizerStep; });
    if (!trains) return;
    const std::size_t count = instants.size();
    instants.reserve(count * 2);
    for (std::size_t i = 0; i < count; ++i) {
        if (instants[i].segment == Segment::Load) continue;
        instants.push_back(instants[i]);
        Instant& steady = instants.back();
        steady.step = 2;
        add_state(steady, state);
        const bool has_state = steady.segment == Segment::OptimizerStep || steady.segment == Segment::Idle;
        if (has_state) add_state(instants[i], state);
    }
}

using InstantsOf = std::vector<Instant> (*)(const Program&, const Sizes&, std::int32_t step);

// The first step differs also by when each state is created.
[[gnu::noinline]] void add_replayed(std::vector<Instant>& instants, const Program& program, const Sizes& sizes,
                                    InstantsOf instants_of) {
    for (const Instant& instant : instants_of(program, sizes, kSteady))
        if (instant.segment != Segment::Load) instants.push_back(instant);
}

std::vector<Instant> every_of_one(const Program& program, const Sizes& sizes, std::int32_t step) {
    const Tape& tape = *program.tape;
    const std::vector<RowValue> values = row_values(program, sizes, step);
    Instant now;
    now.step = step;
    Bytes state;
    for (const LedgerRow& resident : program.residents.rows) {
        const bool always = resident.presence == Presence::Always;
        (always ? now.by_category[static_cast<std::size_t>(resident.category)] : state) += resident.bytes;
        if (always) now.total += resident.bytes;
    }
    if (step == kSteady) add_state(now, state);
    std::vector<Instant> out;
    for (const TapeSegment& segment : tape.segments) {
        now.segment = static_cast<Segment>(segment.phase);
        now.micro_step = segment.micro_step;
        now.layer = segment.layer;
        for (now.copy = 0; now.copy < segment.copies; ++now.copy) {
            now.operator_name = now.module = {};
            now.event = segment.begin;
            if (now.copy == 0) out.push_back(now);  // as it begins: an optimizer step may allocate nothing but states
            for (std::int32_t i = segment.begin; i < segment.end; ++i) {
                const TapeEvent& e = tape.events[static_cast<std::size_t>(i)];
                const RowValue& value = values[static_cast<std::size_t>(e.row)];
                const TapeRow& made = tape.rows[static_cast<std::size_t>(e.row)];
                const TapeRole& role = tape.roles[static_cast<std::size_t>(made.role)];
                const Bytes change(value.bytes * e.tensors);
                now.total += change;
                now.by_category[value.category] += change;
                now.event = i + 1;
                if (e.tensors > 0) {
                    now.operator_name = role.operator_name;
                    now.module = role.module;
                }
                out.push_back(now);
            }
        }
    }
    if (step == kSteady) return out;
    if (tape.creates_states)
        add_replayed(out, program, sizes, every_of_one);
    else
        add_steady_step(out, state);
    return out;
}

// Of what happens beside the steps: once each, and but for the loading with the optimizer's states.
[[gnu::noinline]] void add_beside(std::vector<Instant>& instants, const Program& program, const Sizes& sizes,
                                  InstantsOf instants_of) {
    for (const Program& beside : program.beside) {
        std::vector<Instant> own = instants_of(beside, sizes_beside(beside, sizes), kFirst);
        for (Instant& instant : own) {
            instant.step = number(beside.stage);
            if (beside.stage == RunStage::Loading) continue;
            for (const LedgerRow& resident : beside.residents.rows)
                if (resident.presence != Presence::Always) add_state(instant, resident.bytes);
        }
        instants.insert(beside.stage == RunStage::Loading ? instants.begin() : instants.end(), own.begin(), own.end());
    }
}

}  // namespace

std::vector<Instant> every_instant(const Program& program, const Sizes& sizes) {
    std::vector<Instant> out = every_of_one(program, sizes, kFirst);
    if (!program.beside.empty()) add_beside(out, program, sizes, every_of_one);
    return out;
}

Evaluation evaluate(const Program& program, const Sizes& sizes) {
    Evaluation out;
    out.sizes = sizes;
    Replay replay(program, sizes, kFirst);
    const Bytes state = replay.state();
    out.instants = std::move(replay).instants();
    const InstantsOf instants_of = [](const Program& p, const Sizes& s, std::int32_t step) {
        return Replay(p, s, step).instants();
    };
    if (program.tape->creates_states)
        add_replayed(out.instants, program, sizes, instants_of);
    else
        add_steady_step(out.instants, state);
    out.phases = phase_totals(out.instants);
    if (!program.beside.empty()) add_beside(out.instants, program, sizes, instants_of);
    for (std::size_t i = 0; i < out.instants.size(); ++i)
        if (out.instants[i].total > out.instants[out.peak].total) out.peak = i;
    return out;
}

Sizes sizes_beside(const Program& beside, const Sizes& of_step) {
    Sizes out = of_step;
    if (beside.own_batch > 0) out.micro_batch_size = beside.own_batch;
    const bool two_stacks = beside.stacks[1] > 0;
    if (two_stacks && beside.more_tokens > 0) out.target_sequence_length = 0;
    (two_stacks ? out.target_sequence_length : out.sequence_length) += beside.more_tokens;
    return out;
}

Bytes certain_bytes(const Program& program, Bytes in_use_by_others) {
    return program.residents.total() + in_use_by_others;
}

Bytes peak(const Program& program, const Sizes& sizes) {
    const std::vector<RowValue> values = row_values(program, sizes, kSteady);
    // The steady step is never below the first one.
    std::int64_t now = program.residents.total().value, highest = now;
    for (const Program& beside : program.beside)
        highest = std::max(highest, peak(beside, sizes_beside(beside, sizes)).value);
    for (const TapeSegment& segment : program.tape->segments) {
        std::int64_t total = 0, top = 0;
        for (std::int32_t i = segment.begin; i < segment.end; ++i) {
            const TapeEvent& e = program.tape->events[static_cast<std::size_t>(i)];
            total += values[static_cast<std::size_t>(e.row)].bytes * e.tensors;
            top = std::max(top, total);
        }
        highest = std::max(highest, now + top + std::max<std::int64_t>(0, total * (segment.copies - 1)));
        now += total * segment.copies;
    }
    return Bytes(highest);
}

}  // namespace memwall
