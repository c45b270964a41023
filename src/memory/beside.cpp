#include "memory/beside.hpp"

#include <algorithm>
#include <utility>

#include "memory/dtype_choices.hpp"
#include "memory/lower.hpp"
#include "memory/tape_cache.hpp"
#include "plan/fields.hpp"
#include "plan/number_text.hpp"
#include "plan/sharding.hpp"

namespace memwall {
namespace {

// A stage in which nothing is computed.
std::shared_ptr<const Tape> still(Phase phase) {
    Tape tape;
    tape.segments.push_back({.phase = phase});
    return std::make_shared<const Tape>(std::move(tape));
}

// With the residents of the steps.
Program program_of(const Program& step, RunStage stage) {
    Program out = step;
    out.beside.clear();
    out.host = {};
    out.stage = stage;
    out.words = SizeWords::Serving;
    return out;
}

// A checkpoint that is quantised on its way comes in the format of computation.
Dtype half_of(const Scenario& s) { return dtype_of(s.precision.compute); }

// What the checkpoint holds of a tensor where it is not what the model keeps.
std::optional<Dtype> loaded_as(const Scenario& s, const ResidentTensor& t) {
    switch (s.phases.loading) {
        case Loading::AsStored:
        case Loading::SecondCopy:
        case Loading::QuantizeEach:
            break;
        case Loading::QuantizeWhole:
            if (t.quantized) return half_of(s);
            break;
        case Loading::Cast:
            if (weight_dtype(s, t) != Dtype::Fp32 && !t.quantized) return Dtype::Fp32;
            break;
    }
    return std::nullopt;
}

// What exists of one tensor beside all the others, while it becomes what the model keeps.
std::optional<Dtype> in_flight(const Scenario& s, const ResidentTensor& t) {
    if (s.phases.loading == Loading::QuantizeEach) return t.quantized ? std::optional(half_of(s)) : std::nullopt;
    return loaded_as(s, t) ? std::optional(weight_dtype(s, t)) : std::nullopt;
}

// Adapters are made when the model is there.
bool is_loaded(const ResidentTensor& t) { return !t.adapter && !t.indices; }

// All tensors whole, one row a format.
struct Whole {
    std::string_view group, label;
    Category category;
    RuleId rule;
    std::string_view live;
};

Failure add_whole(const Scenario& s, const ResidentTensors& tensors, const Whole& of, Ledger& to) {
    std::vector<Dtype> formats;
    for (const ResidentTensor& t : tensors.list)
        if (const Dtype d = weight_dtype(s, t); std::find(formats.begin(), formats.end(), d) == formats.end())
            formats.push_back(d);
    for (const Dtype format : formats) {
        int kinds = 0;
        for (const ResidentTensor& t : tensors.list) {
            if (weight_dtype(s, t) != format) continue;
            to.formulas.named(t.copies.name, t.copies.value);
            write_shape(to.formulas, t.shape());
            to.formulas.apply(Operation::Product, 2);
            ++kinds;
        }
        if (kinds > 1) to.formulas.apply(Operation::Sum, kinds);
        LedgerRow row;
        row.group = of.group;
        row.label = of.label;
        row.category = of.category;
        row.rule = of.rule;
        row.live_from = row.live_until = of.live;
        row.dtype = row.stored = format;
        if (Failure f = to.add(row)) return f;
    }
    return std::nullopt;
}

// The weights as they come, and beside them what one of them becomes, or all of them a second time.
Failure add_loading(const Scenario& s, const ResidentTensors& tensors, Policy policy, Ledger& to) {
    const ResidentTensor* largest = nullptr;
    Bytes most;
    for (const ResidentTensor& t : tensors.list) {
        if (!is_loaded(t) || (t.row_scales && s.phases.loading == Loading::QuantizeWhole)) continue;
        const auto other = loaded_as(s, t);
        const RuleId rule = other ? RuleId::LoadedWeights : t.quantized ? RuleId::QuantizedWeights : RuleId::Weights;
        if (Failure f = add_weights(s, t, {"weights", rule, other.value_or(weight_dtype(s, t))}, policy, to)) return f;
        const auto beside = in_flight(s, t);
        const auto bytes = beside ? storage(*beside, size_of(t)) : Result<Bytes>(Bytes());
        if (!bytes || *bytes <= most) continue;
        most = *bytes;
        largest = &t;
    }
    if (s.phases.loading == Loading::SecondCopy)
        return add_whole(
            s, tensors,
            {"weights.second_copy", "Second copy of the weights", Category::Weights, RuleId::LoadedWeights, "load"},
            to);
    if (!largest) return std::nullopt;
    ResidentTensor one = *largest;
    one.copies = {"one", 1, 0, 0};
    one.title = "Largest matrix on its way";
    return add_weights(s, one, {"weights.on_its_way", RuleId::LoadedWeights, *in_flight(s, one)}, policy, to);
}

// The model as an evaluation runs it.
struct Evaluated {
    Architecture architecture;
    StepInput input;

    Evaluated(const StepInput& step, std::int64_t batch) : architecture(step.architecture), input{architecture, {}} {
        input.variant = step.variant;
        input.batch = batch;
        input.tokens = step.tokens;
        input.target_tokens = step.target_tokens;
        input.lora_rank = step.lora_rank;
        architecture.attention_dropout_permille = architecture.residual_dropout_permille = 0;
        architecture.embedding_dropout_permille = architecture.activation_dropout_permille = 0;
        Variant& v = input.variant;
        v.adapter_dropout_permille = 0;
        v.recompute = RecomputeVariant::None;
        v.offload = v.step_in_backward = v.holds_graph = false;
        v.keep_outputs = true;
        v.micro_steps = 1;
        if (v.loss == LossVariant::FusedLinear) v.loss = LossVariant::Upcast;  // Liger's patch computes logits here
    }
    Evaluated(const Evaluated&) = delete;
    Evaluated& operator=(const Evaluated&) = delete;
};

void add_evaluation(const Scenario& s, const StepInput& step, Program& to) {
    Evaluated model(step, s.phases.evaluation_batch_size);
    Program program = program_of(to, RunStage::Evaluation);
    model.input.variant.kept_samples = s.phases.evaluation_samples;
    program.own_batch = program.recorded.micro_batch_size = model.input.batch;
    program.tape = recorded(Recording::Evaluation, model.input);
    to.beside.push_back(std::move(program));
}

// As the model that trains runs it: adapters are not merged.
Failure add_generation(const Scenario& s, const StepInput& step, Program& to) {
    const std::int64_t batch = s.phases.evaluation_batch_size;
    Evaluated model(step, batch > 0 ? batch : s.batch.micro_batch_size);
    Program program = program_of(to, RunStage::Generation);
    program.more_tokens = s.phases.generation_tokens;
    program.own_batch = batch;
    program.recorded = sizes_beside(program, to.recorded);
    model.input.tokens = program.recorded.sequence_length;
    model.input.target_tokens = program.recorded.target_sequence_length;
    const std::int64_t longest =
        model.architecture.position == Position::Learned ? model.architecture.learned_positions : 0;
    if (longest > 0 && model.input.tokens > longest)
        return Error{ErrorCode::Inconsistent,
                     field(FieldId::GenerationTokens).key,
                     {with_commas(model.input.tokens), " tokens are beyond the ", with_commas(longest),
                      " positions the model has"},
                     "shorten batch.sequence_length or what is generated"};
    model.input.variant.run = RunVariant::Prefill;
    model.input.variant.loss = LossVariant::Plain;  // none
    program.chunked = false;
    const Dtype keys = s.precision.autocast ? dtype_of(s.precision.compute) : model.input.variant.weights;
    program.tape = recorded(Recording::Prefill, model.input, {{keys}, true});
    to.beside.push_back(std::move(program));
    return std::nullopt;
}

bool writes(const Architecture& a) {
    return a.kind == ArchitectureKind::EncoderDecoder || a.task_head == TaskHead::CausalLm;
}

}  // namespace

bool has_beside(const Scenario& s) {
    const Phases& p = s.phases;
    return p.loading != Loading::AsStored || p.evaluation_batch_size > 0 || p.generation_tokens > 0 ||
           p.saving != Saving::Divided || p.evaluation_samples > 0;
}

Failure add_beside(const Scenario& s, const ResidentTensors& tensors, const StepInput& step, Program& program,
                   Notes& notes) {
    const Phases& p = s.phases;
    const bool trains = s.task != Task::Inference;
    const auto no_meaning = [&](FieldId id, std::string_view why) { notes.add(field(id).key, {"not used: ", why}); };
    if (p.loading != Loading::AsStored) {
        Program loading = program_of(program, RunStage::Loading);
        loading.residents = {};
        loading.tape = still(Phase::Load);
        if (Failure f = add_loading(s, tensors, program.policy, loading.residents)) return f;
        loading.residents.sort_by_category();
        program.beside.push_back(std::move(loading));
    }
    const bool runs = trains && has_block_program(s.model.architecture, step.variant.library);
    const std::string_view not_run =
        trains ? "not known of this model and loss" : "it belongs to training, and the task is inference";
    // How long the chunks of a chunked loss live without gradients no run has shown.
    const bool evaluates = runs && !is_chunked(step.variant.loss);
    if (p.evaluation_batch_size > 0 && evaluates) add_evaluation(s, step, program);
    if (p.evaluation_batch_size > 0 && !evaluates) no_meaning(FieldId::EvaluationBatchSize, not_run);
    if (p.evaluation_samples > 0 && p.evaluation_batch_size == 0)
        no_meaning(FieldId::EvaluationSamples, "phases.evaluation_batch_size is 0, which is no evaluation");
    const bool generates =
        runs && writes(s.model.architecture) && step.variant.library <= LibraryVariant::Transformers4;
    if (p.generation_tokens > 0 && generates)
        if (Failure f = add_generation(s, step, program)) return f;
    if (p.generation_tokens > 0 && !generates) no_meaning(FieldId::GenerationTokens, not_run);
    if (p.saving == Saving::Divided) return std::nullopt;
    if (!trains || shard_count(s.mesh, StateRole::Weights) < 2) {
        no_meaning(FieldId::PhaseSaving, trains ? "no rank holds a part of the weights alone" : not_run);
        return std::nullopt;
    }
    Program saving = program_of(program, RunStage::Saving);
    saving.tape = still(Phase::Idle);
    const Whole gathered{"communication.gathered_checkpoint", "Gathered checkpoint", Category::Communication,
                         RuleId::GatheredCheckpoint, "saving"};
    if (Failure f = add_whole(s, tensors, gathered, saving.residents)) return f;
    saving.residents.sort_by_category();
    program.beside.push_back(std::move(saving));
    return std::nullopt;
}

}  // namespace memwall
