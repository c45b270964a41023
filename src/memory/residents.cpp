#include "memory/residents.hpp"

#include <algorithm>
#include <cassert>

#include "memory/dtype_choices.hpp"
#include "memory/replay.hpp"
#include "model/families.hpp"
#include "plan/methods.hpp"
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

bool is_factored(OptimizerName name) {
    return name == OptimizerName::Adafactor || name == OptimizerName::AdafactorTorch;
}

// CLIP's classifier takes the mean of the patches: the norm of the class token never gets a gradient. What corrects a
// router's scores is a buffer of the module.
bool is_never_reached(const Architecture& a, const ParameterTensor& t) {
    const bool unused_norm = t.role == Role::FinalNorm && family(a.model_type).block == BlockFamily::ClipVision;
    return unused_norm || t.suffix == kScoreCorrection;
}

// How many of a tensor's copies train.
std::int64_t trained_copies(const Scenario& s, const ParameterTensor& t) {
    if (s.task == Task::Inference || is_never_reached(s.model.architecture, t)) return 0;
    const TrainVariant train = traits(s.method.name).train;
    if (train == TrainVariant::Full) return t.copies.value;
    if (train != TrainVariant::Freeze) return 0;
    const Module m = module_of(t.role);
    const bool sees = s.model.architecture.kind == ArchitectureKind::Vision;
    if (t.stack == Stack::Outside && sees && t.role != Role::FinalNorm && t.role != Role::Classifier) return 0;
    if (t.stack == Stack::Outside)
        return m == Module::Embedding || m == Module::Position || t.role == Role::EmbeddingNorm ? 0 : t.copies.value;
    std::int64_t out = 0;
    for (std::int64_t layer = s.method.first_trainable_layer; layer < stacked_layers(s.model.architecture); ++layer)
        out += t.layers.test(static_cast<std::size_t>(layer)) ? 1 : 0;
    return std::min(out, t.copies.value);  // layers that share one tensor (albert) train it once
}

bool carries_adapter(const Scenario& s, const ParameterTensor& t) {
    return has_adapters(s) && is_target(s.method.target_modules, t);
}

Factor copies_of(const Factor& copies, std::int64_t count) {
    return count == copies.value ? copies : Factor{"layers of this kind", count, 0, 0};
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
    const AdapterSides sides{s.method.rank, dims[1], dims[0]};
    for (const AdapterTensorRow& row : adapter_tensors(traits(s.method.name).adapter)) {
        ResidentTensor r;
        r.name = name(t.role);
        r.detail = row.name;
        r.title = title(t.role);
        for (const AdapterSide side : row.sides) {
            if (side == AdapterSide::One) continue;
            const auto dimension = static_cast<std::uint8_t>(r.own_factors);
            r.own[r.own_factors++] = {name(side), side_value(side, sides), dimension, 0};
        }
        r.copies = t.copies;
        r.rows = side_value(row.sides[0], sides);
        r.columns = side_value(row.sides[1], sides);
        r.adapter = true;
        r.trainable = row.use == AdapterUse::Trained;
        out.push_back(r);
    }
}

// The scales of LLM.int8, one for each row.
void add_row_scales(const ParameterTensor& t, std::vector<ResidentTensor>& out) {
    ResidentTensor r;
    r.name = name(t.role);
    r.detail = "row scales";
    r.title = title(t.role);
    r.own[0] = {"out_features", dimensions(t)[0], 0, 0};
    r.own_factors = 1;
    r.copies = t.copies;
    r.trainable = false;
    r.row_scales = true;
    out.push_back(r);
}

ResidentTensor all_parameters(const Scenario& s) {
    ResidentTensor r;
    r.name = "all_parameters";
    r.title = "All parameters";
    r.own[0] = {"parameters", s.model.architecture.total_parameters, 0, 0};
    r.own_factors = 1;
    r.trainable = s.task != Task::Inference;
    r.quantized = !is_plain(dtype_of(s.precision.weights));
    return r;
}

}  // namespace

ResidentTensors resident_tensors(const Scenario& s) {
    ResidentTensors out{shared_parameters(s.model.architecture), {}};
    if (out.parameters->empty()) out.list.push_back(all_parameters(s));
    out.list.reserve(out.parameters->size() + 8);
    for (const ParameterTensor& t : *out.parameters) {
        if (t.tying == Tying::SharesEmbedding || t.copies.value == 0) continue;
        const std::int64_t trained = trained_copies(s, t);
        const auto add = [&](std::int64_t count, bool trainable) {
            if (count == 0) return;
            ResidentTensor r;
            r.name = name(t.role);
            if (t.kind == ParameterKind::Bias) r.detail = "bias";
            r.title = title(t.role);
            r.parameter = &t;
            r.copies = copies_of(t.copies, count);
            r.trainable = trainable;
            r.quantized = quantizes(s, t);
            if (is_factored(s.optimizer.name)) set_factors(t, r);
            out.list.push_back(r);
        };
        add(t.copies.value - trained, false);
        add(trained, true);
        if (s.precision.weights == WeightFormat::Int8 && quantizes(s, t)) add_row_scales(t, out.list);
        if (carries_adapter(s, t)) add_adapters(s, t, out.list);
    }
    return out;
}

Count trainable_parameters(const ResidentTensors& tensors) {
    Count out;
    for (const ResidentTensor& t : tensors.list) {
        if (!t.trainable) continue;
        std::int64_t elements = 1;
        for (const Factor& factor : std::span(t.own).first(t.own_factors))
            elements *= factor.value;
        out += t.copies.value * (t.parameter ? memwall::elements(*t.parameter) : Count(elements));
    }
    return out;
}

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
    Ledger& to;

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
    if (t.rows > 0) {
        factors.parameter = nullptr;
        factors.own = {Factor{"rows", t.rows, 0, 0}, Factor{"columns", t.columns, 0, 1}};
        factors.own_factors = 2;
    }
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
    scalars.copies = {"trained tensors", trained_tensors, 0, 0};
    return maker.add(scalars,
                     {"optimizer_state", Category::OptimizerState, RuleId::OptimizerStep, StateRole::OptimizerState,
                      Presence::FromFirstOptimizerStep},
                     Dtype::Fp32);
}

}  // namespace

Failure add_residents(const Scenario& s, const ResidentTensors& tensors, GradientRows gradients, Policy policy,
                      Ledger& to) {
    RowMaker maker{s, policy, to};
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

}  // namespace memwall
