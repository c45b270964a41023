#include "memory/evaluate.hpp"

#include <algorithm>
#include <array>

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

using Categories = std::array<std::int64_t, kCategories>;

bool is_forward(Phase p) { return p == Phase::Embedding || p == Phase::Forward || p == Phase::HeadAndLoss; }
bool is_backward(Phase p) {
    return p == Phase::HeadBackward || p == Phase::Backward || p == Phase::EmbeddingBackward || p == Phase::GradientSum;
}

// One pass over the tape: instants of one step, without the optimizer state.
class Replay {
  public:
    Replay(const Program& program, const Sizes& sizes) : program_(program), bytes_(size_table(program, sizes)) {
        for (const TapeRole& role : program.tape.roles)
            category_.push_back(row(role.kind).category);
        for (const Resident& resident : program.residents) {
            auto& totals = resident.presence == Presence::Always ? always_ : state_;
            totals[static_cast<std::size_t>(resident.row.category)] += resident.row.bytes.value;
        }
        now_ = always_;
        instants_.reserve(program.tape.segments.size() * 3);
        for (const TapeSegment& segment : program.tape.segments)
            run(segment);
    }

    std::vector<Instant> instants() && { return std::move(instants_); }
    const Categories& state() const { return state_; }

  private:
    std::int64_t change(const TapeEvent& e, std::int64_t copies) const {
        const std::int64_t bytes = bytes_[static_cast<std::size_t>(e.size)] * copies;
        return e.allocate ? bytes : -bytes;
    }
    void apply(const TapeEvent& e) {
        now_[static_cast<std::size_t>(category_[static_cast<std::size_t>(e.role)])] += change(e, 1 + e.repeated);
    }
    void note(const TapeSegment& segment, std::int32_t event, std::int32_t copy) {
        Instant i;
        i.segment = static_cast<Segment>(segment.phase);
        i.micro_step = segment.micro_step;
        i.layer = segment.layer;
        i.event = event;
        i.copy = copy;
        const auto& events = program_.tape.events;
        if (event > segment.begin) {
            const TapeRole& role =
                program_.tape.roles[static_cast<std::size_t>(events[static_cast<std::size_t>(event - 1)].role)];
            i.operator_name = role.operator_name;
            i.module = role.module;
        }
        for (std::size_t c = 0; c < kCategories; ++c) {
            i.by_category[c] = Bytes(now_[c]);
            i.total += i.by_category[c];
        }
        instants_.push_back(i);
    }

    void run(const TapeSegment& segment);

    const Program& program_;
    std::vector<std::int64_t> bytes_;
    std::vector<Category> category_;
    Categories always_{}, state_{}, now_{};
    std::vector<Instant> instants_;
};

void Replay::run(const TapeSegment& segment) {
    const auto& events = program_.tape.events;
    std::int64_t total = 0, peak = 0;
    std::int32_t peak_at = segment.begin;
    for (std::int32_t i = segment.begin; i < segment.end; ++i) {
        const TapeEvent& e = events[static_cast<std::size_t>(i)];
        total += change(e, 1 + e.repeated);
        if (total > peak) {
            peak = total;
            peak_at = i + 1;
        }
    }
    const Categories before = now_;
    for (std::int32_t i = segment.begin; i < peak_at; ++i)
        apply(events[static_cast<std::size_t>(i)]);
    note(segment, peak_at, 0);
    const std::size_t first_copy = instants_.size() - 1;
    for (std::int32_t i = peak_at; i < segment.end; ++i)
        apply(events[static_cast<std::size_t>(i)]);
    // The other copies: each moves every later moment by what one copy leaves.
    if (segment.copies > 1) {
        Instant last = instants_[first_copy];
        last.copy = segment.copies - 1;
        for (std::size_t c = 0; c < kCategories; ++c) {
            const std::int64_t moved = (now_[c] - before[c]) * (segment.copies - 1);
            last.by_category[c] += Bytes(moved);
            last.total += Bytes(moved);
            now_[c] += moved;
        }
        instants_.push_back(last);
    }
    if (peak_at < segment.end) note(segment, segment.end, segment.copies - 1);
}

void add_state(Instant& instant, const Categories& state) {
    for (std::size_t c = 0; c < kCategories; ++c) {
        instant.by_category[c] += Bytes(state[c]);
        instant.total += Bytes(state[c]);
    }
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

std::int64_t divided_bytes(const Size& size, const SymbolValues& values, std::int32_t ranks) {
    const std::int64_t width = element_bytes(size.dtype);
    return ranks == 1 ? bytes(size, values) : ceil_div(bytes(size, values) / width, ranks) * width;
}

std::vector<std::int64_t> size_table(const Program& program, const Sizes& sizes) {
    const SymbolValues values = symbol_values(program.tape, sizes);
    std::vector<std::int64_t> out;
    out.reserve(program.tape.sizes.size());
    for (std::size_t i = 0; i < program.tape.sizes.size(); ++i) {
        const std::int64_t raw = divided_bytes(program.tape.sizes[i], values, program.shards[i]);
        out.push_back(program.policy == Policy::Device ? round_up(raw, kAllocatorBlock) : raw);
    }
    return out;
}

Evaluation evaluate(const Program& program, const Sizes& sizes) {
    Evaluation out;
    out.sizes = sizes;
    Replay replay(program, sizes);
    const Categories state = replay.state();
    out.instants = std::move(replay).instants();
    const std::size_t count = out.instants.size();
    const bool trains = std::any_of(out.instants.begin(), out.instants.end(),
                                    [](const Instant& i) { return i.segment == Segment::OptimizerStep; });
    // The first step differs by the optimizer state, which its own optimizer step creates.
    if (trains) {
        out.instants.reserve(count * 2);
        for (std::size_t i = 0; i < count; ++i) {
            if (out.instants[i].segment == Segment::Load) continue;
            Instant steady = out.instants[i];
            steady.step = 2;
            add_state(steady, state);
            const bool has_state = steady.segment == Segment::OptimizerStep || steady.segment == Segment::Idle;
            if (has_state) add_state(out.instants[i], state);
            out.instants.push_back(steady);
        }
    }
    for (std::size_t i = 0; i < out.instants.size(); ++i)
        if (out.instants[i].total > out.instants[out.peak].total) out.peak = i;
    out.phases = phase_totals(out.instants);
    return out;
}

Bytes peak(const Program& program, const Sizes& sizes) {
    const std::vector<std::int64_t> table = size_table(program, sizes);
    std::int64_t always = 0, state = 0;
    for (const Resident& resident : program.residents)
        (resident.presence == Presence::Always ? always : state) += resident.row.bytes.value;
    // The steady step is never below the first one.
    std::int64_t now = always + state, highest = now;
    for (const TapeSegment& segment : program.tape.segments) {
        std::int64_t total = 0, top = 0;
        for (std::int32_t i = segment.begin; i < segment.end; ++i) {
            const TapeEvent& e = program.tape.events[static_cast<std::size_t>(i)];
            const std::int64_t bytes = table[static_cast<std::size_t>(e.size)] * (1 + e.repeated);
            total += e.allocate ? bytes : -bytes;
            top = std::max(top, total);
        }
        highest = std::max(highest, now + top + std::max<std::int64_t>(0, total * (segment.copies - 1)));
        now += total * segment.copies;
    }
    return Bytes(highest);
}

}  // namespace memwall
