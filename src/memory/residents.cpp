#include "memory/residents.hpp"

#include <algorithm>
#include <cassert>

#include "base/concat.hpp"
#include "memory/dtype_choices.hpp"
#include "memory/replay.hpp"
#include "memory/size_expression.hpp"
#include "plan/sharding.hpp"
#include "plan/target_modules.hpp"

namespace memwall {

namespace {

// Tensors of the weight's own size that the optimizer keeps.
Result<std::int64_t> states_of(OptimizerName name) {
    switch (name) {
        case OptimizerName::AdamW:
        case OptimizerName::Adam:
            return std::int64_t{2};
        case OptimizerName::SgdMomentum:
        case OptimizerName::Lion:
            return std::int64_t{1};
        case OptimizerName::Sgd:
        case OptimizerName::Adafactor:  // rows and columns, see add_state_rows
        case OptimizerName::AdafactorTorch:
            return std::int64_t{0};
        case OptimizerName::Adam8bit:
        case OptimizerName::Adamw8bit:
        case OptimizerName::AdamwFp8:
        case OptimizerName::Adamw4bit:
        case OptimizerName::PagedAdamw8bit:
        case OptimizerName::PagedAdamw32bit:
        case OptimizerName::Prodigy:
        case OptimizerName::Galore:
        case OptimizerName::Muon:
            break;
    }
    return Error{ErrorCode::NotYet, "optimizer.name", "The states of this optimizer are not computed yet.",
                 "adamw, adam, sgd, sgd_momentum, lion and adafactor are."};
}

Expression shape_expression(const ParameterTensor& t) {
    std::vector<Expression> dims;
    std::vector<Expression> terms;
    std::vector<Expression> factors;
    for (std::size_t i = 0; i < t.shape.size(); ++i) {
        const Factor& f = t.shape[i];
        factors.push_back(Expression::named(f.name, f.value));
        const bool last = i + 1 == t.shape.size();
        const bool term_ends = last || t.shape[i + 1].dimension != f.dimension || t.shape[i + 1].term != f.term;
        const bool dim_ends = last || t.shape[i + 1].dimension != f.dimension;
        if (!term_ends) continue;
        terms.push_back(factors.size() == 1 ? factors[0] : product(factors));
        factors.clear();
        if (!dim_ends) continue;
        dims.push_back(terms.size() == 1 ? terms[0] : sum(terms));
        terms.clear();
    }
    if (dims.empty()) return Expression::literal(1);
    return dims.size() == 1 ? dims[0] : product(dims);
}

bool is_linear(const ParameterTensor& t) {
    const Module m = module_of(t.role);
    return t.kind == ParameterKind::Weight && dimensions(t).size() >= 2 &&
           (m == Module::Attention || m == Module::Mlp || m == Module::Experts);
}

bool quantizes(const Scenario& s, const ParameterTensor& t) {
    if (is_plain(dtype_of(s.precision.weights))) return false;
    if (s.precision.weights == WeightFormat::Mxfp4Experts) return module_of(t.role) == Module::Experts && is_linear(t);
    switch (s.precision.quantized_modules) {
        case QuantizedModules::Linear:
            return is_linear(t);
        case QuantizedModules::LinearAndLmHead:
            return is_linear(t) || t.role == Role::LmHead;
        case QuantizedModules::Gguf:
            return t.kind == ParameterKind::Weight && dimensions(t).size() >= 2;
    }
    return false;
}

// How many of a tensor's copies train.
std::int64_t trained_copies(const Scenario& s, const ParameterTensor& t) {
    if (s.task == Task::Inference) return 0;
    if (s.method.name == MethodName::Full) return t.copies.value;
    if (s.method.name != MethodName::Freeze) return 0;
    const Module m = module_of(t.role);
    if (t.stack == Stack::Outside)
        return m == Module::Embedding || m == Module::Position || t.role == Role::EmbeddingNorm ? 0 : t.copies.value;
    std::int64_t out = 0;
    for (std::int64_t layer = s.method.first_trainable_layer; layer < s.model.architecture.num_hidden_layers; ++layer)
        out += t.layers.test(static_cast<std::size_t>(layer)) ? 1 : 0;
    return std::min(out, t.copies.value);  // layers that share one tensor (albert) train it once
}

bool carries_adapter(const Scenario& s, const ParameterTensor& t) {
    return s.method.name == MethodName::Lora && s.task != Task::Inference && is_target(s.method.target_modules, t);
}

Expression copies_of(const Factor& copies, std::int64_t count) {
    return count == copies.value ? Expression::named(copies.name, count)
                                 : Expression::named("layers of this kind", count);
}

std::string key_of(const ParameterTensor& t) {
    std::string out(name(t.role));
    if (t.kind == ParameterKind::Bias) out += ".bias";
    return out;
}

void set_factors(const ParameterTensor& t, ResidentTensor& r) {
    const std::vector<std::int64_t> dims = dimensions(t);
    if (dims.size() < 2) return;
    const std::int64_t all = elements(t).value;
    if (all == 0) return;
    r.rows = all / dims[dims.size() - 1];
    r.columns = all / dims[dims.size() - 2];
}

void add_adapters(const Scenario& s, const ParameterTensor& t, std::vector<ResidentTensor>& out) {
    const std::vector<std::int64_t> dims = dimensions(t);
    const Expression rank = Expression::named("rank", s.method.rank);
    const auto add = [&](std::string_view suffix, std::string_view width_name, std::int64_t width) {
        ResidentTensor r;
        r.name = concat({key_of(t), suffix});
        r.title = title(t.role);
        r.one = product({rank, Expression::named(width_name, width)});
        r.copies = copies_of(t.copies, t.copies.value);
        r.count = t.copies.value;
        r.rows = suffix == ".lora_A" ? s.method.rank : width;
        r.columns = suffix == ".lora_A" ? width : s.method.rank;
        r.trainable = true;
        r.adapter = true;
        out.push_back(std::move(r));
    };
    add(".lora_A", "in_features", dims[1]);
    add(".lora_B", "out_features", dims[0]);
}

}  // namespace

Result<std::vector<ResidentTensor>> resident_tensors(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    std::vector<ResidentTensor> out;
    const std::vector<ParameterTensor> tensors = parameters(a);
    if (tensors.empty()) {
        ResidentTensor r;
        r.name = "all_parameters";
        r.title = "All parameters";
        r.one = Expression::named("parameters", a.total_parameters);
        r.count = 1;
        r.trainable = s.task != Task::Inference;
        r.quantized = !is_plain(dtype_of(s.precision.weights));
        out.push_back(std::move(r));
        return out;
    }
    for (const ParameterTensor& t : tensors) {
        if (t.tying == Tying::SharesEmbedding || t.copies.value == 0) continue;
        const std::int64_t trained = trained_copies(s, t);
        const auto add = [&](std::int64_t count, bool trainable) {
            if (count == 0) return;
            ResidentTensor r;
            r.name = key_of(t);
            r.title = title(t.role);
            r.one = shape_expression(t);
            r.copies = copies_of(t.copies, count);
            r.count = count;
            r.trainable = trainable;
            r.quantized = quantizes(s, t);
            set_factors(t, r);
            out.push_back(std::move(r));
        };
        add(t.copies.value - trained, false);
        add(trained, true);
        if (carries_adapter(s, t)) add_adapters(s, t, out);
    }
    return out;
}

Dtype weight_dtype(const Scenario& s, const ResidentTensor& t) {
    if (t.adapter) return dtype_of(s.method.adapter_dtype);
    const Dtype stored = dtype_of(s.precision.weights);
    return is_plain(stored) || t.quantized ? stored : dtype_of(s.precision.unquantized_dtype);
}

namespace {

struct RowMaker {
    const Scenario& s;
    Policy policy;
    std::vector<Resident>& out;

    struct Kind {
        std::string_view prefix;
        Category category;
        RuleId rule;
        StateRole sharded_as;
        Presence presence;
        std::int64_t tensors = 1;  // of each parameter: Adam keeps two
        std::string_view tensors_name{};
    };

    Failure add(const ResidentTensor& t, const Kind& kind, Dtype dtype);
};

Failure RowMaker::add(const ResidentTensor& t, const Kind& kind, Dtype dtype) {
    LedgerRow row;
    row.key = concat({kind.prefix, ".", t.name});
    row.title = t.title;
    row.category = kind.category;
    row.rule = kind.rule;
    row.live_from = kind.presence == Presence::Always ? "load" : "optimizer step";
    row.live_until = "end";
    row.dtype = dtype;
    Expression one = t.one;
    std::vector<Expression> ranks;
    for (const ShardFactor& f : shard_factors(s.mesh, kind.sharded_as))
        ranks.push_back(Expression::named(f.axis, f.ranks));
    if (!ranks.empty()) one = ceil_div(one, ranks.size() == 1 ? ranks[0] : product(ranks));
    const auto elements = one.value();
    if (!elements) return elements.error();
    const auto bytes = storage(dtype, Count(*elements));
    if (!bytes) return bytes.error();
    if (policy == Policy::Device && bytes->value % kAllocatorBlock != 0 && is_plain(dtype)) {
        one = round_up(product({one, Expression::named("bytes an element", element_bytes(dtype))}),
                       Expression::named("block", kAllocatorBlock));
        row.dtype = Dtype::Int8;
    }
    std::vector<Expression> all;
    if (kind.tensors > 1) all.push_back(Expression::named(kind.tensors_name, kind.tensors));
    if (t.count != 1) all.push_back(t.copies);
    all.push_back(one);
    row.elements = product(std::move(all));
    const auto total = row.elements.value();
    if (!total) return total.error();
    const auto total_bytes = storage(row.dtype, Count(*total));
    if (!total_bytes) return total_bytes.error();
    row.bytes = *total_bytes;
    out.push_back({std::move(row), kind.presence});
    return std::nullopt;
}

}  // namespace

namespace {

bool is_factored(OptimizerName name) {
    return name == OptimizerName::Adafactor || name == OptimizerName::AdafactorTorch;
}

// What a tensor that trains adds to its weights.
Failure add_training_rows(RowMaker& maker, const ResidentTensor& t, GradientRows gradients, Dtype stored) {
    const Precision& p = maker.s.precision;
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

// Adam's two moments, momentum; Adafactor's one number a row and one a column.
Failure add_state_rows(RowMaker& maker, const ResidentTensor& t, Dtype stored) {
    const Optimizer& o = maker.s.optimizer;
    const auto states = states_of(o.name);
    if (!states) return states.error();
    const RowMaker::Kind moments{"optimizer_state",         Category::OptimizerState,         RuleId::OptimizerState,
                                 StateRole::OptimizerState, Presence::FromFirstOptimizerStep, *states,
                                 "running moments"};
    if (*states > 0) return maker.add(t, moments, t.adapter ? stored : dtype_of(o.state_dtype));
    if (!is_factored(o.name)) return std::nullopt;
    ResidentTensor factors = t;
    if (t.rows > 0) factors.one = sum({Expression::named("rows", t.rows), Expression::named("columns", t.columns)});
    RowMaker::Kind kind = moments;
    kind.tensors = 1;
    kind.rule = RuleId::FactoredState;
    return maker.add(factors, kind, o.name == OptimizerName::Adafactor ? Dtype::Fp32 : stored);
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
    scalars.one = Expression::literal(1);
    scalars.copies = Expression::named("trained tensors", trained_tensors);
    scalars.count = trained_tensors;
    return maker.add(scalars,
                     {"optimizer_state", Category::OptimizerState, RuleId::OptimizerStep, StateRole::OptimizerState,
                      Presence::FromFirstOptimizerStep},
                     Dtype::Fp32);
}

}  // namespace

Result<std::vector<Resident>> residents(const Scenario& s, const std::vector<ResidentTensor>& tensors,
                                        GradientRows gradients, Policy policy) {
    std::vector<Resident> out;
    RowMaker maker{s, policy, out};
    std::int64_t trained_tensors = 0;
    for (const ResidentTensor& t : tensors) {
        const Dtype stored = weight_dtype(s, t);
        const bool trains = t.trainable && s.task != Task::Inference;
        const RuleId rule = t.adapter                             ? RuleId::Adapters
                            : t.quantized                         ? RuleId::QuantizedWeights
                            : trains || s.task == Task::Inference ? RuleId::Weights
                                                                  : RuleId::FrozenWeights;
        const std::string_view prefix = trains || s.task == Task::Inference ? "weights" : "weights.frozen";
        if (Failure f = maker.add(t, {prefix, Category::Weights, rule, StateRole::Weights, Presence::Always}, stored))
            return *f;
        if (!trains) continue;
        trained_tensors += t.count;
        if (Failure f = add_training_rows(maker, t, gradients, stored)) return *f;
        if (Failure f = add_state_rows(maker, t, stored)) return *f;
    }
    if (Failure f = add_scalars(maker, trained_tensors)) return *f;
    return out;
}

}  // namespace memwall
