// rows_at(): the explained ledger of one instant.
#include <algorithm>
#include <cassert>
#include <string>

#include "base/checked.hpp"
#include "base/concat.hpp"
#include "memory/evaluate.hpp"
#include "memory/replay.hpp"
#include "memory/size_expression.hpp"
#include "memory/tensor_kinds.hpp"

namespace memwall {

namespace {

struct Live {
    std::int16_t size, role;
    std::int64_t count;
    std::int64_t decoder;  // of them, those made in layers of the second stack
};

// How many tensors of each size and role exist: the tape up to the instant, copies composed.
std::vector<Live> live_at(const Program& program, const Instant& instant) {
    const Tape& tape = program.tape;
    const std::size_t roles = tape.roles.size(), all = tape.sizes.size() * roles;
    const bool stacks = program.stacks[1] > 0;
    std::vector<std::int64_t> counts(stacks ? all * 2 : all, 0);
    const auto add = [&](const TapeSegment& segment, const TapeEvent& e, std::int64_t copies) {
        const std::size_t at = static_cast<std::size_t>(e.size) * roles + static_cast<std::size_t>(e.role);
        const std::int64_t change = (e.allocate ? 1 : -1) * copies;
        counts[at] += change;
        if (stacks && segment.layer >= program.stacks[0]) counts[all + at] += change;
    };
    for (const TapeSegment& segment : tape.segments) {
        const bool last = instant.event <= segment.end && static_cast<Phase>(instant.segment) == segment.phase &&
                          instant.micro_step == segment.micro_step && instant.layer == segment.layer;
        for (std::int32_t i = segment.begin; i < segment.end; ++i) {
            const TapeEvent& e = tape.events[static_cast<std::size_t>(i)];
            const std::int64_t whole = last ? instant.copy : segment.copies;
            const std::int64_t partial = last && i < instant.event ? 1 : 0;
            add(segment, e, (whole + partial) + (whole > 0 || partial > 0 ? e.repeated : 0));
        }
        if (last) break;
    }
    std::vector<Live> out;
    for (std::size_t role = 0; role < roles; ++role)
        for (std::size_t size = 0; size < tape.sizes.size(); ++size)
            if (const std::int64_t count = counts[size * roles + role]; count != 0)
                out.push_back({static_cast<std::int16_t>(size), static_cast<std::int16_t>(role), count,
                               stacks ? counts[all + size * roles + role] : 0});
    return out;
}

std::string slug(std::string_view text) {
    std::string out(text);
    std::replace(out.begin(), out.end(), ' ', '_');
    return out;
}

// "Gate projection" comes from the view's strings; here the module and what the operator made.
std::string title_of(const TapeRole& role, Dtype dtype) {
    std::string out(role.module.empty() ? "model" : role.module);
    out += ": ";
    out += role.operator_name;
    if (role.operator_name == "cast") out += concat({" to ", row(dtype).name});
    return out;
}

// A key and a value, or one latent, for each of the layers that keep them.
Expression count_of_caches(const Program& program, const TapeRole& role, std::int64_t count) {
    const bool pairs = role.module.starts_with("keys and values");
    const std::int64_t layers = pairs ? count / 2 : count;
    std::string_view name = "num_hidden_layers";
    if (layers != program.layers)
        name = role.module.ends_with("window") ? "layers with a window" : "layers with full attention";
    const Expression all = Expression::named(name, layers);
    return pairs ? product({Expression::named("K and V", 2), all}) : all;
}

Expression count_of(const Program& program, const TapeRole& role, const Live& live) {
    if (role.kind == TensorKind::KvCache) return count_of_caches(program, role, live.count);
    const auto [encoders, decoders] = program.stacks;
    const std::int64_t encoder = live.count - live.decoder;
    if (decoders == 0 || encoder < 0 || live.decoder < 0)
        return count_of_tensors(live.count, {"num_hidden_layers", program.layers});
    const Expression first = count_of_tensors(encoder, {"num_encoder_layers", encoders});
    const Expression second = count_of_tensors(live.decoder, {"num_decoder_layers", decoders});
    if (encoder == 0) return second;
    return live.decoder == 0 ? first : sum({first, second});
}

Result<LedgerRow> row_of(const Program& program, const SymbolValues& values, const Live& live) {
    const Tape& tape = program.tape;
    const Size& size = tape.sizes[static_cast<std::size_t>(live.size)];
    const TapeRole& role = tape.roles[static_cast<std::size_t>(live.role)];
    const TensorKindRow& kind = row(role.kind);
    const std::int32_t shards = program.shards[static_cast<std::size_t>(live.size)];

    LedgerRow out;
    out.key = concat(
        {name(kind.category), ".", role.module.empty() ? "model" : slug(role.module), ".", slug(role.operator_name)});
    out.title = title_of(role, size.dtype);
    out.category = kind.category;
    out.rule = kind.rule;
    out.live_from = kind.live_from;
    out.live_until = kind.live_until;
    out.dtype = size.dtype;
    const bool cache = role.kind == TensorKind::KvCache || role.kind == TensorKind::CacheEstimate;
    const FactorOrder order = cache ? FactorOrder::BatchLast : FactorOrder::BatchFirst;
    std::vector<Expression> factors = factors_of(size, values, program.words, order);
    Expression one = product(factors);
    if (shards > 1) one = ceil_div(one, Expression::named("ranks", shards));
    const std::int64_t raw = divided_bytes(size, values, shards);
    const bool rounds = program.policy == Policy::Device && raw % kAllocatorBlock != 0;
    if (rounds) {  // tensors occupy whole blocks of the allocator: the row counts bytes
        if (const std::int64_t width = element_bytes(size.dtype); width > 1)
            one = product({one, Expression::named("bytes an element", width)});
        one = round_up(one, Expression::named("block", kAllocatorBlock));
        out.dtype = Dtype::Int8;
    }
    std::vector<Expression> all;
    if (live.count != 1) all.push_back(count_of(program, role, live));
    if (rounds || shards > 1)
        all.push_back(std::move(one));
    else
        all.insert(all.end(), factors.begin(), factors.end());
    out.elements = product(std::move(all));
    MEMWALL_TRY(elements, out.elements.value());
    MEMWALL_TRY(total, storage(out.dtype, Count(elements)));
    out.bytes = total;
    return out;
}

void make_keys_unique(std::vector<LedgerRow>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        int same = 1;
        for (std::size_t j = i + 1; j < rows.size() && rows[j].category == rows[i].category; ++j)
            if (rows[j].key == rows[i].key) rows[j].key += concat({"_", std::to_string(++same)});
    }
}

}  // namespace

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

Result<Ledger> rows_at(const Program& program, const Evaluation& evaluation, std::size_t at) {
    const Instant& instant = evaluation.instants[at];
    Ledger out;
    const bool has_state =
        instant.step > 1 || instant.segment == Segment::OptimizerStep || instant.segment == Segment::Idle;
    const std::vector<Live> live = live_at(program, instant);
    const SymbolValues values = symbol_values(program.tape, evaluation.sizes);
    out.rows.reserve(program.residents.size() + live.size());
    // By category; within one, what stays comes first.
    for (int c = 0; c < kCategories; ++c) {
        const auto category = static_cast<Category>(c);
        for (const Resident& resident : program.residents)
            if (resident.row.category == category && (resident.presence == Presence::Always || has_state))
                out.rows.push_back(resident.row);
        for (const Live& tensor : live) {
            assert(tensor.count > 0);
            if (row(program.tape.roles[static_cast<std::size_t>(tensor.role)].kind).category != category) continue;
            MEMWALL_TRY(made, row_of(program, values, tensor));
            out.rows.push_back(std::move(made));
        }
    }
    make_keys_unique(out.rows);
    return out;
}

}  // namespace memwall
