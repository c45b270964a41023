// rows_at(): the explained ledger of one instant.
#include <algorithm>
#include <cassert>
#include <string>

#include "base/checked.hpp"
#include "memory/evaluate.hpp"
#include "memory/replay.hpp"
#include "memory/size_expression.hpp"
#include "memory/tensor_kinds.hpp"

namespace memwall {

namespace {

// Rows of which tensors exist at an instant.
struct Live {
    std::size_t row;
    std::int64_t count;
    std::int64_t decoder;  // of them, those made in layers of the second stack
};

// How many tensors of each row exist: the tape up to the instant, copies composed.
std::vector<Live> live_at(const Program& program, const Instant& instant) {
    const Tape& tape = *program.tape;
    const std::size_t rows = tape.rows.size();
    const bool stacks = program.stacks[1] > 0;
    std::vector<std::int64_t> counts(stacks ? rows * 2 : rows, 0);
    const auto add = [&](const TapeSegment& segment, const std::vector<TapeEvent>& events, std::int32_t begin,
                         std::int32_t end, std::int64_t copies) {
        std::int64_t* const decoder = stacks && segment.layer >= program.stacks[0] ? counts.data() + rows : nullptr;
        for (std::int32_t i = begin; i < end; ++i) {
            const TapeEvent& e = events[static_cast<std::size_t>(i)];
            counts[static_cast<std::size_t>(e.row)] += e.tensors * copies;
            if (decoder) decoder[e.row] += e.tensors * copies;
        }
    };
    for (const TapeSegment& segment : tape.segments) {
        const bool last = instant.event <= segment.end && static_cast<Phase>(instant.segment) == segment.phase &&
                          instant.micro_step == segment.micro_step && instant.layer == segment.layer;
        add(segment, tape.nets, segment.net_begin, segment.net_end, last ? instant.copy : segment.copies);
        if (!last) continue;
        add(segment, tape.events, segment.begin, instant.event, 1);
        break;
    }
    std::vector<Live> out;
    out.reserve(64);
    for (std::size_t row = 0; row < rows; ++row)
        if (const std::int64_t count = counts[row]; count != 0)
            out.push_back({row, count, stacks ? counts[rows + row] : 0});
    return out;
}

// A key and a value, or one latent, for each of the layers that keep them.
void write_caches(Formulas& to, const Program& program, const TapeRole& role, std::int64_t count) {
    const bool pairs = role.module.starts_with("keys and values");
    const std::int64_t layers = pairs ? count / 2 : count;
    std::string_view name = program.stacks[1] > 0 ? "num_decoder_layers" : "num_hidden_layers";
    if (program.stacks[1] == 0 && layers != program.layers)
        name = role.module.ends_with("window") ? "layers with a window" : "layers with full attention";
    if (pairs) to.named("K and V", 2);
    to.named(name, layers);
    if (pairs) to.apply(Operation::Product, 2);
}

void write_tensors(Formulas& to, const Program& program, const TapeRole& role, const Live& live) {
    if (role.kind == TensorKind::KvCache) return write_caches(to, program, role, live.count);
    const auto [encoders, decoders] = program.stacks;
    const std::int64_t encoder = live.count - live.decoder;
    if (decoders == 0 || encoder < 0 || live.decoder < 0)
        return write_count(to, live.count, {"num_hidden_layers", program.layers});
    if (encoder > 0) write_count(to, encoder, {"num_encoder_layers", encoders});
    if (live.decoder > 0) write_count(to, live.decoder, {"num_decoder_layers", decoders});
    if (encoder > 0 && live.decoder > 0) to.apply(Operation::Sum, 2);
}

Failure add_row(Ledger& to, const Program& program, const SymbolValues& values, const Live& live) {
    const Tape& tape = *program.tape;
    const TapeRow& at = tape.rows[live.row];
    const Size& size = tape.sizes[static_cast<std::size_t>(at.size)];
    const TapeRole& role = tape.roles[static_cast<std::size_t>(at.role)];
    const TensorKindRow& kind = row(role.kind);
    LedgerRow out;
    out.group = name(kind.category);
    out.subject = role.module.empty() ? "model" : role.module;
    out.detail = role.operator_name;
    out.category = kind.category;
    out.rule = kind.rule;
    out.live_from = kind.live_from;
    out.live_until = kind.live_until;
    out.dtype = out.stored = size.dtype;
    out.tensors = static_cast<std::int32_t>(live.count);

    Formulas& formulas = to.formulas;
    const std::int32_t shards = shards_of(program, at);
    const std::int64_t raw = divided(program, at, bytes(size, values));
    const bool created = role.kind == TensorKind::OptimizerState;  // of the ledger, which has rounded it
    const bool rounds = program.policy == Policy::Device && raw % kAllocatorBlock != 0 && !created;
    const bool several = live.count != 1;
    if (several) write_tensors(formulas, program, role, live);
    const bool cache = role.kind == TensorKind::KvCache || role.kind == TensorKind::CacheEstimate;
    int factors =
        write_factors(formulas, size, values, program.words, cache ? FactorOrder::BatchLast : FactorOrder::BatchFirst);
    if (rounds || shards > 1) {
        formulas.apply(Operation::Product, factors);
        factors = 1;
    }
    if (shards > 1) {
        formulas.named("ranks", shards);
        formulas.apply(Operation::CeilDiv, 2);
    }
    if (rounds) {  // tensors occupy whole blocks of the allocator: the row counts bytes
        write_whole_blocks(formulas, size.dtype);
        out.dtype = Dtype::Int8;
    }
    formulas.apply(Operation::Product, factors + (several ? 1 : 0));
    return to.add(out);
}

}  // namespace

void write_whole_blocks(Formulas& to, Dtype dtype) {
    if (const std::int64_t width = element_bytes(dtype); width > 1) {
        to.named("bytes an element", width);
        to.apply(Operation::Product, 2);
    }
    to.named("block", kAllocatorBlock);
    to.apply(Operation::RoundUp, 2);
}

SymbolValues symbol_values(const Tape& tape, const Sizes& sizes) {
    SymbolValues v = tape.symbols;
    const auto set = [&](Symbol s, std::int64_t value) { v[static_cast<std::size_t>(s)] = value; };
    set(Symbol::MicroBatch, sizes.micro_batch_size);
    const std::int64_t n = sizes.sequence_length, target = sizes.target_sequence_length;
    set(Symbol::Sequence, n);
    set(Symbol::SequenceMinusOne, n - 1);
    set(Symbol::SequencePlusOne, n + 1);
    set(Symbol::SequenceRounded8, round_up(n, 8));
    set(Symbol::SequenceRounded32, round_up(n, 32));
    set(Symbol::WindowedSequence, tape.sliding_window > 0 ? std::min(n, tape.sliding_window) : n);
    set(Symbol::Target, target);
    set(Symbol::TargetMinusOne, std::max<std::int64_t>(target - 1, 0));
    set(Symbol::TargetPlusOne, target + 1);
    set(Symbol::TargetRounded32, round_up(target, 32));
    return v;
}

namespace {

Result<Ledger> rows_of(const Program& program, const Sizes& sizes, const Instant& instant) {
    const bool on_tape = program.tape->creates_states && instant.step == number(RunStage::FirstStep);
    const bool updates = instant.segment == Segment::OptimizerStep || instant.segment == Segment::Idle;
    const bool has_state = instant.step > number(RunStage::FirstStep) || (updates && !on_tape);
    const std::vector<Live> live = live_at(program, instant);
    const SymbolValues values = symbol_values(*program.tape, sizes);
    const std::vector<LedgerRow>& residents = program.residents.rows;
    Ledger out;
    out.rows.reserve(residents.size() + live.size() + 4);
    out.formulas = program.residents.formulas;
    out.formulas.reserve(static_cast<std::size_t>(out.formulas.root() + 1) + live.size() * 12);
    // By category; within one, what stays comes first.
    auto resident = residents.begin();
    for (int c = 0; c < kCategories; ++c) {
        const auto category = static_cast<Category>(c);
        for (; resident != residents.end() && resident->category == category; ++resident)
            if (resident->presence == Presence::Always || has_state) out.rows.push_back(*resident);
        for (const Live& tensors : live) {
            assert(tensors.count > 0);
            const TapeRow& r = program.tape->rows[tensors.row];
            if (row(program.tape->roles[static_cast<std::size_t>(r.role)].kind).category != category) continue;
            if (category == Category::OptimizerState && !on_tape) continue;
            if (Failure failure = add_row(out, program, values, tensors)) return *failure;
        }
    }
    out.make_keys_unique();
    return out;
}

}  // namespace

Result<Ledger> rows_at(const Program& program, const Evaluation& evaluation, std::size_t at) {
    const Instant& instant = evaluation.instants[at];
    for (const Program& beside : program.beside)
        if (number(beside.stage) == instant.step)
            return rows_of(beside, sizes_beside(beside, evaluation.sizes), instant);
    return rows_of(program, evaluation.sizes, instant);
}

}  // namespace memwall
