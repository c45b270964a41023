#include "memory/residents.hpp"

#include <algorithm>

#include "memory/dtype_choices.hpp"
#include "memory/replay.hpp"
#include "plan/methods.hpp"
#include "plan/optimizers.hpp"
#include "plan/sharding.hpp"

namespace memwall {

void write_shape(Formulas& to, std::span<const Factor> shape) {
    int dimensions = 0, terms = 0, factors = 0;
    const auto close = [&](Operation operation, int& operands, int& outer) {
        if (operands > 1) to.apply(operation, operands);
        operands = 0;
        ++outer;
    };
    for (std::size_t i = 0; i < shape.size(); ++i) {
        to.named(shape[i].name, shape[i].value);
        ++factors;
        const bool last = i + 1 == shape.size();
        const bool dimension_ends = last || shape[i + 1].dimension != shape[i].dimension;
        if (dimension_ends || shape[i + 1].term != shape[i].term) close(Operation::Product, factors, terms);
        if (dimension_ends) close(Operation::Sum, terms, dimensions);
    }
    if (dimensions == 0) to.literal(1);
    if (dimensions > 1) to.apply(Operation::Product, dimensions);
}

Dtype weight_dtype(const Scenario& s, const ResidentTensor& t) {
    if (t.indices) return Dtype::Int64;
    if (t.adapter) return dtype_of(s.method.adapter_dtype);
    if (t.row_scales) return Dtype::Fp32;
    const Dtype stored = dtype_of(s.precision.weights);
    if (is_plain(stored) || t.quantized) return stored;
    const bool cast = t.parameter && casts_bias(s, *t.parameter);
    return cast ? dtype_of(s.precision.compute) : dtype_of(s.precision.unquantized_dtype);
}

namespace {

struct RowMaker {
    const Scenario& s;
    Policy policy;
    Ledger &device, &host;

    struct Kind {
        std::string_view prefix;
        Category category;
        RuleId rule;
        StateRole sharded_as;
        Presence presence;
        std::int64_t tensors = 1;  // of each parameter: Adam keeps two
        std::string_view tensors_name{};
        Placement placement = Placement::Device;
    };

    Failure add(const ResidentTensor& t, const Kind& kind, Dtype dtype);
};

Failure RowMaker::add(const ResidentTensor& t, const Kind& kind, Dtype dtype) {
    LedgerRow row;
    row.group = kind.prefix;
    row.subject = t.name;
    row.detail = t.detail;
    row.label = t.title;
    row.category = kind.category;
    row.rule = kind.rule;
    row.presence = kind.presence;
    row.live_from = kind.presence == Presence::Always ? "load" : "optimizer step";
    row.live_until = "end";
    row.dtype = row.stored = dtype;
    row.placement = kind.placement;
    row.tensors = static_cast<std::int32_t>(kind.tensors * t.copies.value);
    Ledger& to = kind.placement == Placement::Host ? host : device;
    Formulas& formulas = to.formulas;
    int factors = 1;
    const auto times = [&](std::string_view name, std::int64_t value) {
        if (value == 1) return;
        formulas.named(name, value);
        ++factors;
    };
    times(kind.tensors_name, kind.tensors);
    times(t.copies.name, t.copies.value);
    write_shape(formulas, t.shape());
    int axes = 0;
    for (const ShardFactor& f : shard_factors(s.mesh, kind.sharded_as)) {
        formulas.named(f.axis, f.ranks);
        ++axes;
    }
    if (axes > 1) formulas.apply(Operation::Product, axes);
    if (axes > 0) formulas.apply(Operation::CeilDiv, 2);
    if (policy == Policy::Device && is_plain(dtype) &&
        formulas.value() % (kAllocatorBlock / element_bytes(dtype)) != 0) {
        write_whole_blocks(formulas, dtype);
        row.dtype = Dtype::Int8;
    }
    formulas.apply(Operation::Product, factors);
    return to.add(row);
}

// What a tensor that trains adds to its weights.
Failure add_training_rows(RowMaker& maker, const ResidentTensor& t, GradientRows gradients, Dtype stored) {
    const Precision& p = maker.s.precision;
    if (traits(maker.s.optimizer.name).forward_only) return std::nullopt;
    if (gradients == GradientRows::Resident)
        if (Failure f = maker.add(
                t, {"gradients", Category::Gradients, RuleId::Gradients, StateRole::Gradients, Presence::Always},
                dtype_of(p.gradients)))
            return f;
    if (p.gradient_accumulation_dtype == AccumulationDtype::Fp32)
        if (Failure f = maker.add(t,
                                  {"gradients.fp32_buffer", Category::Gradients, RuleId::GradientAccumulationBuffer,
                                   StateRole::Gradients, Presence::Always},
                                  Dtype::Fp32))
            return f;
    if (p.master_weights == MasterWeights::Fp32 && stored != Dtype::Fp32)
        return maker.add(t,
                         {"master_weights", Category::MasterWeights, RuleId::MasterWeights, StateRole::MasterWeights,
                          Presence::Always},
                         Dtype::Fp32);
    return std::nullopt;
}

Dtype state_dtype(const Scenario& s, const ResidentTensor& t, StateFormat format, std::int64_t elements, Dtype stored) {
    constexpr std::int64_t kLeastInBlocks = 4096;  // smaller tensors keep their states in fp32
    constexpr Dtype kBlocks[] = {Dtype::Int8Block256, Dtype::Int4Block128, Dtype::Fp8Block256};
    if (format == StateFormat::Chosen)
        return t.adapter || traits(s.optimizer.name).factored > 0 ? stored : dtype_of(s.optimizer.state_dtype);
    if (format == StateFormat::Fp32 || elements < kLeastInBlocks) return Dtype::Fp32;
    return kBlocks[static_cast<int>(format) - static_cast<int>(StateFormat::Bits8)];
}

// What the optimizer keeps for one kind of tensor, part by part.
struct StateRows {
    RowMaker& maker;
    const ResidentTensor& t;
    Dtype stored;
    const OptimizerTraits& optimizer = traits(maker.s.optimizer.name);
    bool matrix = t.rows > 0;
    bool of_a_layer = matrix && (t.adapter || (t.parameter && t.parameter->stack != Stack::Outside));

    RowMaker::Kind kind(RuleId rule, std::int64_t tensors = 1, std::string_view name = {}) const {
        return {"optimizer_state",
                Category::OptimizerState,
                rule,
                StateRole::OptimizerState,
                Presence::FromFirstOptimizerStep,
                tensors,
                name};
    }
    Failure add(const ResidentTensor& shaped, RowMaker::Kind with, StateFormat format) const {
        const std::int64_t each = size_of(shaped).value;
        constexpr std::int64_t kLeastPaged = 100'000;
        if (optimizer.paging == OptimizerTraits::Paging::Large && each >= kLeastPaged) with.placement = Placement::Host;
        return with.tensors == 0 ? std::nullopt
                                 : maker.add(shaped, with, state_dtype(maker.s, t, format, each, stored));
    }
    ResidentTensor shaped(std::initializer_list<Factor> factors) const {
        ResidentTensor out = t;
        out.parameter = nullptr;
        out.own_factors = 0;
        for (const Factor& f : factors)
            out.own[out.own_factors++] = f;
        return out;
    }
    Failure whole() const {
        using Traits = OptimizerTraits;
        if (optimizer.rank != Traits::Rank::Full && of_a_layer) return low_rank();
        const std::int64_t of_adam = optimizer.rest == Traits::Rest::Adam && !of_a_layer ? 2 : optimizer.whole;
        if (Failure f = add(t, kind(RuleId::OptimizerState, of_adam, "running moments"), optimizer.format)) return f;
        const bool of_vector = !matrix && optimizer.factored > 0;
        return of_vector ? add(t, kind(RuleId::FactoredState), optimizer.format) : std::nullopt;
    }
    Failure low_rank() const {
        const std::int64_t rank =
            optimizer.rank == OptimizerTraits::Rank::One ? 1 : std::min({maker.s.optimizer.rank, t.rows, t.columns});
        const Factor kept{"optimizer.rank", rank, 0, 0};
        const ResidentTensor states = shaped({kept, {"longer side", std::max(t.rows, t.columns), 1, 0}});
        if (Failure f = add(states, kind(RuleId::ProjectedState, optimizer.whole, "running moments"), optimizer.format))
            return f;
        const ResidentTensor projector = shaped({kept, {"shorter side", std::min(t.rows, t.columns), 1, 0}});
        return add(projector, kind(RuleId::ProjectedState, optimizer.projectors), optimizer.projector);
    }
    Failure factors() const {
        const ResidentTensor sums = shaped({{"rows", t.rows, 0, 0}, {"columns", t.columns, 0, 1}});
        return add(sums, kind(RuleId::FactoredState, optimizer.factored, "pairs"), optimizer.format);
    }
    Failure squares() const {
        constexpr std::int64_t kLongestSide = 10'000;
        const auto side = [](std::int64_t n) { return n <= kLongestSide ? n : 0; };
        const std::int64_t rows = side(t.rows), columns = side(t.columns);
        if (rows == 0 && columns == 0) return std::nullopt;
        const ResidentTensor sides = shaped(
            {{"rows", rows, 0, 0}, {"rows", rows, 0, 0}, {"columns", columns, 0, 1}, {"columns", columns, 0, 1}});
        return add(sides, kind(RuleId::SquareState, optimizer.squares, "matrices a side"), optimizer.format);
    }
};

Failure add_state_rows(RowMaker& maker, const ResidentTensor& t, Dtype stored) {
    const StateRows states{maker, t, stored};
    if (Failure f = states.whole()) return f;
    if (!states.matrix) return std::nullopt;
    if (Failure f = states.factors()) return f;
    const ResidentTensor rows = states.shaped({{"rows", t.rows, 0, 0}});
    if (Failure f = states.add(rows, states.kind(RuleId::FactoredState, states.optimizer.rows), StateFormat::Chosen))
        return f;
    return states.optimizer.squares > 0 ? states.squares() : std::nullopt;
}

// One fp32 number a trained tensor, on the device: the step of fused AdamW, the root mean square of Adafactor.
Failure add_scalars(RowMaker& maker, std::int64_t trained_tensors) {
    const Optimizer& o = maker.s.optimizer;
    const bool adam = o.name == OptimizerName::AdamW || o.name == OptimizerName::Adam;
    const bool counts = adam && o.implementation == OptimizerImplementation::Fused;
    if (trained_tensors == 0 || !(counts || o.name == OptimizerName::Adafactor)) return std::nullopt;
    ResidentTensor scalars;
    scalars.name = counts ? "step" : "rms";
    scalars.title = counts ? "Step counters" : "Root mean squares";
    scalars.copies = {"trained tensors", trained_tensors, 0, 0};
    return maker.add(scalars,
                     {"optimizer_state", Category::OptimizerState, RuleId::OptimizerStep, StateRole::OptimizerState,
                      Presence::FromFirstOptimizerStep},
                     Dtype::Fp32);
}

}  // namespace

Failure add_residents(const Scenario& s, const ResidentTensors& tensors, GradientRows gradients, Policy policy,
                      ResidentLedgers to) {
    RowMaker maker{s, policy, to.device, to.host};
    std::int64_t trained_tensors = 0;
    for (const ResidentTensor& t : tensors.list) {
        const Dtype stored = weight_dtype(s, t);
        const bool trains = t.trainable && s.task != Task::Inference;
        const RuleId rule = t.adapter                             ? RuleId::Adapters
                            : t.quantized                         ? RuleId::QuantizedWeights
                            : trains || s.task == Task::Inference ? RuleId::Weights
                                                                  : RuleId::FrozenWeights;
        const std::string_view prefix = trains || s.task == Task::Inference ? "weights" : "weights.frozen";
        if (Failure f = maker.add(t, {prefix, Category::Weights, rule, StateRole::Weights, Presence::Always}, stored))
            return f;
        if (!trains) continue;
        trained_tensors += t.copies.value;
        if (Failure f = add_training_rows(maker, t, gradients, stored)) return f;
        if (Failure f = add_state_rows(maker, t, stored)) return f;
    }
    return add_scalars(maker, trained_tensors);
}

std::vector<CreatedState> created_states(const Scenario& s, const ResidentTensors& tensors, Policy policy) {
    std::vector<CreatedState> out;
    Ledger made, host;
    RowMaker maker{s, policy, made, host};
    const auto take = [&](const CreatedState& weight) {
        for (const LedgerRow& row : made.rows) {
            CreatedState& state = out.emplace_back(weight);
            state.dtype = is_plain(row.dtype) ? row.dtype : Dtype::Int8;
            state.tensors = row.tensors;
            state.length = row.bytes.value / row.tensors / element_bytes(state.dtype);
        }
        made.rows.clear();
    };
    // A step counter comes before the moments, a root mean square behind them.
    const bool counts_first = s.optimizer.name != OptimizerName::Adafactor;
    if (counts_first && add_scalars(maker, 1)) return {};
    take({});
    for (ResidentTensor t : tensors.list) {
        if (!t.trainable) continue;
        t.copies.value = 1;
        const CreatedState weight{size_of(t).value, t.rows, t.columns, weight_dtype(s, t)};
        const auto same = [&](const CreatedState& w) {
            return w.elements == weight.elements && w.rows == weight.rows && w.columns == weight.columns &&
                   w.weight == weight.weight;
        };
        if (std::any_of(out.begin(), out.end(), same)) continue;
        if (add_state_rows(maker, t, weight.weight)) return {};
        take(weight);
    }
    if (!counts_first && add_scalars(maker, 1)) return {};
    take({});
    return out;
}

Failure add_weights(const Scenario& s, const ResidentTensor& t, const LoadedRow& row, Policy policy, Ledger& to) {
    RowMaker maker{s, policy, to, to};
    return maker.add(t, {row.group, Category::Weights, row.rule, StateRole::Weights, Presence::Always}, row.dtype);
}

}  // namespace memwall
