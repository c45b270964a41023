#include "memory/lower.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "memory/beside.hpp"
#include "memory/buffers.hpp"
#include "memory/creation.hpp"
#include "memory/dtype_choices.hpp"
#include "memory/residents.hpp"
#include "memory/tape_cache.hpp"
#include "memory/tensor_kinds.hpp"
#include "model/model_program.hpp"
#include "model/operators_table.hpp"
#include "model/parameters.hpp"
#include "plan/attention_kernel.hpp"
#include "plan/implementation_version.hpp"
#include "plan/mesh.hpp"
#include "plan/methods.hpp"
#include "plan/number_text.hpp"
#include "plan/optimizers.hpp"
#include "plan/sharding.hpp"
#include "plan/target_modules.hpp"

namespace memwall {

namespace {

AttentionVariant attention_of(AttentionKernel kernel) {
    switch (kernel) {
        case AttentionKernel::Eager:
            return AttentionVariant::Eager;
        case AttentionKernel::SdpaMath:
            return AttentionVariant::Math;
        case AttentionKernel::SdpaEfficient:
            return AttentionVariant::Efficient;
        case AttentionKernel::Flash:
            return AttentionVariant::Flash;
    }
    return AttentionVariant::Flash;
}

LibraryVariant library_of(const Scenario& s, Notes& notes) {
    const LibraryVariant library = library_of(s);
    if (s.task != Task::Inference && stands_in(s))
        notes.add("implementation.name",
                  "Its own code is not known here: assumed to keep what transformers' code keeps");
    const std::string& version = s.implementation.version;
    if (library != LibraryVariant::Transformers4) return library;
    if (version.find("4.47") == std::string::npos)
        notes.add("implementation.version", {"\"", version, "\" is computed as transformers 4.47 with torch 2.6"});
    if (s.model.architecture.num_experts > 0)
        notes.add("implementation.version",
                  "Experts run one after another in transformers 4; they are computed as the grouped products of 5");
    return LibraryVariant::Transformers4;
}

AttentionVariant runnable(const Scenario& s, Notes& notes) {
    const KernelChoice choice = kernel_here(s, s.savers.attention);
    if (choice.kernel != s.savers.attention)
        notes.add("savers.attention",
                  {"Not the ", name(s.savers.attention), " but the ", name(choice.kernel), " runs: ", choice.reason});
    return attention_of(choice.kernel);
}

MaskVariant mask_of(AttentionMask mask) {
    switch (mask) {
        case AttentionMask::None:
            return MaskVariant::None;
        case AttentionMask::Full:
            return MaskVariant::Full;
        case AttentionMask::Padded:
            return MaskVariant::Padded;
    }
    return MaskVariant::None;
}

LossVariant loss_of(LossKind loss) {
    switch (loss) {
        case LossKind::Plain:
            return LossVariant::Plain;
        case LossKind::Fp32Upcast:
            return LossVariant::Upcast;
        case LossKind::Fp32UpcastShifted:
            return LossVariant::UpcastShifted;
        case LossKind::Chunked:
            return LossVariant::Chunked;
        case LossKind::Fused:
            return LossVariant::Fused;
        case LossKind::FusedLinear:
            return LossVariant::FusedLinear;
    }
    return LossVariant::Upcast;
}

constexpr std::uint64_t bits() { return 0; }
template <class... Rest>
constexpr std::uint64_t bits(Operator first, Rest... rest) {
    return std::uint64_t{1} << static_cast<unsigned>(first) | bits(rest...);
}
constexpr std::uint64_t kKernels = bits(Operator::FlashAttention, Operator::EfficientAttention),
                        kProducts = bits(Operator::Mm, Operator::Addmm, Operator::Bmm, Operator::Baddbmm);

// What torch's dispatcher calls by one name: a constant is an operand of add and mul.
constexpr std::uint64_t kKept[] = {
    bits(Operator::Mm, Operator::Addmm),
    bits(Operator::Bmm, Operator::Baddbmm),
    bits(Operator::GroupedMm),
    bits(Operator::FlashAttention),
    bits(Operator::EfficientAttention),
    bits(Operator::Softmax),
    bits(Operator::LayerNorm),
    bits(Operator::Silu),
    bits(Operator::Gelu),
    bits(Operator::Relu),
    bits(Operator::Tanh),
    bits(Operator::Sigmoid),
    bits(Operator::Exp),
    bits(Operator::Power),
    bits(Operator::Mean),
    bits(Operator::Rsqrt),
    bits(Operator::Mul, Operator::Scale),
    bits(Operator::Divide),
    bits(Operator::Add, Operator::AddScalar),
    bits(Operator::Subtract),
    bits(Operator::Neg),
    bits(Operator::Clone),
    bits(Operator::Cat),
    bits(Operator::Dropout),
};
static_assert(std::size(kKept) == static_cast<std::size_t>(KeptOperator::Dropout) + 1);

std::uint64_t kept_of(const Savers& v) {
    switch (v.selective_policy) {
        case SelectivePolicy::TorchtitanOp:
            return kKernels | bits(Operator::Mm);
        case SelectivePolicy::MatmulAndAttention:
            return kKernels | kProducts;
        case SelectivePolicy::MegatronCoreAttention:  // refused by its field
        case SelectivePolicy::Attention:
            return kKernels;
        case SelectivePolicy::Operators:
            break;
    }
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < std::size(kKept); ++i)
        if ((v.kept_operators >> i & 1U) != 0) out |= kKept[i];
    return out;
}

struct ProjectionRow {
    TargetModule module;
    Projection projection;
};
constexpr ProjectionRow kProjections[] = {
    {TargetModule::QProj, Projection::Query},
    {TargetModule::KProj, Projection::Key},
    {TargetModule::VProj, Projection::Value},
    {TargetModule::OProj, Projection::Output},
    {TargetModule::GateProj, Projection::Gate},
    {TargetModule::UpProj, Projection::Up},
    {TargetModule::DownProj, Projection::Down},
    {TargetModule::QkvProj, Projection::Qkv},
    {TargetModule::MlmTransform, Projection::MlmTransform},
    {TargetModule::LmHead, Projection::Head},
    {TargetModule::EmbeddingProjection, Projection::Embedding},
    {TargetModule::Classifier, Projection::Classifier},
    {TargetModule::Router, Projection::Router},
    {TargetModule::SharedExpertGate, Projection::SharedExpertGate},
    {TargetModule::QAProj, Projection::QueryDown},
    {TargetModule::QBProj, Projection::QueryUp},
    {TargetModule::KvAProj, Projection::KvDown},
    {TargetModule::KvBProj, Projection::KvUp},
};

std::uint32_t projections_of(const Architecture& a, std::uint64_t modules) {
    std::uint32_t out = 0;
    const auto take = [&](TargetModule module, Projection projection) {
        if (has_target(modules, module)) out |= 1U << static_cast<unsigned>(projection);
        modules &= ~target_bit(module);
    };
    if (adapts_experts(a)) {
        take(TargetModule::GateProj, Projection::ExpertsUp);
        take(TargetModule::UpProj, Projection::ExpertsUp);
        take(TargetModule::DownProj, Projection::ExpertsDown);
    }
    if (!adapts_router(a)) modules &= ~target_bit(TargetModule::Router);
    for (const ProjectionRow& row : kProjections)
        if (has_target(modules, row.module)) out |= 1U << static_cast<unsigned>(row.projection);
    return out;
}

void set_method(const Scenario& s, Variant& v) {
    const MethodTraits& method = traits(s.method.name);
    v.train = method.train;
    v.adapter = method.adapter;
    v.trained_roles = trained_roles(s);
    v.trainable_layers = method.layers_at_once;
    v.trains_outside = method.trains_outside;
    if (v.train == TrainVariant::Freeze || v.train == TrainVariant::Adapters)
        v.first_trainable_layer = s.method.first_trainable_layer;
    if (v.train != TrainVariant::Adapters) return;
    v.adapter_projections = projections_of(s.model.architecture, s.method.target_modules);
    v.adapter_dropout_permille = s.method.dropout_permille;
    v.prompt_length = s.method.prompt_length;
    v.prompt_from_layer = s.method.adapter_start_layer;
    v.adapter_dtype = dtype_of(s.method.adapter_dtype);
}

// torch has AdamW and Adam in three ways; every other optimizer in one.
void set_optimizer(const Optimizer& o, Variant& v) {
    constexpr OptimizerVariant kAdam[] = {OptimizerVariant::Foreach, OptimizerVariant::Fused,
                                          OptimizerVariant::ForLoop};
    const OptimizerTraits& optimizer = traits(o.name);
    const bool adam = o.name == OptimizerName::AdamW || o.name == OptimizerName::Adam;
    v.optimizer = adam ? kAdam[static_cast<std::size_t>(o.implementation)] : optimizer.step;
    v.optimizer_temporaries = optimizer.temporaries;
    v.step_in_backward = o.in_backward;
}

// Of the weights as the blocks see them.
Dtype storage_dtype(const Scenario& s) {
    if (has_quantized_base(s)) return dtype_of(s.precision.unquantized_dtype);
    return s.precision.autocast ? Dtype::Fp32 : dtype_of(s.precision.compute);
}

// What holds the frozen weights: bitsandbytes replaces the linears of the blocks, and the head if it is told to.
[[gnu::noinline]] void set_base(const Scenario& s, Variant& v) {
    v.quantized = dtype_of(s.precision.weights);
    v.quantized_compute = dtype_of(s.precision.compute);
    v.quantized_projections = ~(1U << static_cast<unsigned>(Projection::Classifier));
    v.quantized_keeps_input = keeps_inputs_of_4_bits(s.implementation);
    v.quantized_from_half = s.implementation.name == ImplementationName::Litgpt;  // lightning, fabric/plugins/precision
    if (s.precision.quantized_modules == QuantizedModules::Linear)
        v.quantized_projections &= ~(1U << static_cast<unsigned>(Projection::Head));
    if (!quantizes_down(s)) v.quantized_projections &= ~(1U << static_cast<unsigned>(Projection::Down));
}

Result<Variant> variant_of(const Scenario& s, Policy policy, Notes& notes) {
    Variant v;
    v.autocast = s.precision.autocast;
    v.autocast_dtype = dtype_of(s.precision.compute);
    v.weights = storage_dtype(s);
    v.attention = runnable(s, notes);
    v.mask = mask_of(s.batch.attention_mask);
    v.loss = loss_of(s.savers.loss);
    if (v.loss == LossVariant::Chunked) {
        v.loss_chunks = s.savers.loss_chunks;
        v.loss_chunk_tokens = s.savers.loss_chunk_tokens;
    }
    const bool litgpt = s.implementation.name == ImplementationName::Litgpt;  // its loop holds them until the next step
    v.keep_outputs = s.savers.keep_outputs || litgpt;
    v.scales_in_fp32 = litgpt && s.implementation.version.find("2023") != std::string::npos;
    if (s.savers.compile) {
        v.compile =
            s.implementation.name == ImplementationName::Torchtune ? CompileVariant::Blocks : CompileVariant::Model;
        notes.add("savers.compile", "Assumed: all that is elementwise is fused");
    }
    v.offload = s.savers.activation_offload;
    if (s.savers.activation_checkpointing != Checkpointing::None) {
        v.recompute = s.savers.checkpoint_reentrant ? RecomputeVariant::FullReentrant : RecomputeVariant::Full;
        v.segment_layers = s.savers.checkpoint_every;
        if (s.savers.activation_checkpointing == Checkpointing::Selective) {
            v.kept_operators = kept_of(s.savers);
            v.every_second_product = s.savers.selective_policy == SelectivePolicy::TorchtitanOp;
        }
    }
    set_method(s, v);
    if (has_quantized_base(s)) set_base(s, v);
    set_optimizer(s.optimizer, v);
    const bool fp32_sum = s.precision.gradients == FloatDtype::Fp32 && v.weights != Dtype::Fp32;
    v.forward_only = traits(s.optimizer.name).forward_only;
    const bool into_main = fp32_sum && v.train != TrainVariant::Adapters && !v.forward_only;
    v.gradients = into_main ? GradientVariant::IntoMain : GradientVariant::Keep;
    // Gradients that stay as zeros are what a second micro-step finds.
    const bool zeroed = keeps_zeroed_gradients(s.implementation.version);
    // litgpt of 2023 begins with its longest sample; after it each step meets what the one before has left.
    v.holds_graph = litgpt && v.loss == LossVariant::Chunked && !v.scales_in_fp32;
    v.forgets_gradients = s.batch.gradient_accumulation_steps == 1;
    v.micro_steps = zeroed || v.holds_graph ? 2 : std::min<std::int64_t>(2, s.batch.gradient_accumulation_steps);
    if (v.forward_only) {  // nothing is kept that could be computed again, or summed
        v.recompute = RecomputeVariant::None;
        v.micro_steps = 1;
    }
    v.softmax_keeps_input = keeps_inputs_of_softmax(s.implementation.version);
    v.composite_silu = v.accumulate_out_of_place = policy == Policy::Ledger;
    v.library = library_of(s, notes);
    return v;
}

// Weights of one layer, gathered while it runs, and the next one; or a bucket of gradients to be reduced.
Failure add_communication(const Scenario& s, const ResidentTensors& tensors, Ledger& to) {
    if (s.task == Task::Inference || s.mesh.world_size < 2) return std::nullopt;
    LedgerRow row;
    row.category = Category::Communication;
    row.live_from = "forward";
    row.live_until = "optimizer step";
    int kinds = 0;
    for (const ResidentTensor& t : tensors.list) {
        if (t.copies.value < 2) continue;
        row.dtype = row.stored = weight_dtype(s, t);
        ++kinds;
    }
    if (kinds == 0) return std::nullopt;
    const auto add = [&](std::string_view times, std::int64_t value) {
        to.formulas.named(times, value);
        for (const ResidentTensor& t : tensors.list)
            if (t.copies.value > 1) write_shape(to.formulas, t.shape());
        to.formulas.apply(Operation::Sum, kinds);
        to.formulas.apply(Operation::Product, 2);
        return to.add(row);
    };
    if (shard_count(s.mesh, StateRole::Weights) > 1) {
        row.group = "communication.gathered_parameters";
        row.label = "Gathered layers";
        row.rule = RuleId::GatheredParameters;
        if (Failure failure = add("layers gathered at once", 2)) return failure;
    }
    // The buckets of DDP are the gradients themselves (gradient_as_bucket_view).
    if (data_parallel_ranks(s.mesh) < 2 || s.mesh.sharding == Sharding::Ddp) return std::nullopt;
    if (shard_count(s.mesh, StateRole::Gradients) == 1) return std::nullopt;
    row.group = "communication.gradient_bucket";
    row.label = "Gradients being reduced";
    row.rule = RuleId::GradientBuckets;
    return add("layers reduced at once", 1);
}

// Blocks of ggml (32 elements): q8_0 34 bytes, q4_0 and iq4_nl 18, f16 64.
CacheFormat cache_format(KvCacheDtype d) {
    switch (d) {
        case KvCacheDtype::Fp32:
            return {Dtype::Fp32};
        case KvCacheDtype::Bf16:
            return {Dtype::Bf16};
        case KvCacheDtype::Fp16:
        case KvCacheDtype::F16:
            return {Dtype::Fp16};
        case KvCacheDtype::Int8:
            return {Dtype::Int8};
        case KvCacheDtype::Q80:
            return {Dtype::Int8, 34, 34};
        case KvCacheDtype::Q40:
            return {Dtype::Int8, 18, 18};
        case KvCacheDtype::KIq4NlVF16:
            return {Dtype::Int8, 18, 64};
    }
    return {Dtype::Bf16};
}

StepInput step_input(const Scenario& s) {
    const Sizes sizes = sizes_of(s);
    StepInput in{.architecture = s.model.architecture, .variant = {}};
    in.batch = sizes.micro_batch_size;
    in.tokens = sizes.sequence_length;
    in.target_tokens = sizes.target_sequence_length;
    in.lora_rank = has_adapters(s) ? s.method.rank : 0;
    return in;
}

std::shared_ptr<const Tape> prefill_of(const Scenario& s, Notes& notes) {
    StepInput in = step_input(s);
    in.variant.run = RunVariant::Prefill;
    in.variant.weights = dtype_of(s.precision.compute);
    in.variant.attention = runnable(s, notes);
    const Architecture& a = s.model.architecture;
    if (s.implementation.name != ImplementationName::HfTransformers)
        notes.add("implementation.name",
                  "Working buffers are those of transformers, which reads the whole prompt at once");
    if (!has_block_program(a) && a.kind != ArchitectureKind::ParameterCount)
        notes.add("model", "Working buffers of this architecture are not modelled yet.");
    if (stacked_layers(a) > 0 && a.num_key_value_heads > 0)
        return recorded(Recording::Prefill, in,
                        {cache_format(s.serving.kv_cache_dtype), !s.serving.kv_full_context_every_layer});
    if (a.kind == ArchitectureKind::ParameterCount) {
        in.bytes_per_token = s.overhead.activation_bytes_per_token;
        notes.add("serving.context_tokens", {"The key/value cache is estimated: ", with_commas(in.bytes_per_token),
                                             " bytes a token (overhead.activation_bytes_per_token)"});
    }
    if (a.kind == ArchitectureKind::TotalOnly)
        notes.add("serving.context_tokens",
                  "A key/value cache is not counted: only the number of parameters is known of this model");
    return recorded(Recording::Estimate, in);
}

// Adapters stand beside weights that do not train: those are counted alone. What corrects a router's scores is a
// buffer.
bool trains_what_is_counted(const Scenario& s, const Tape& tape) {
    if (has_adapters(s)) return true;
    std::int64_t counted = count_parameters(s.model.architecture).total.value;
    for (const ParameterTensor& t : *shared_parameters(s.model.architecture))
        if (t.suffix == kScoreCorrection) counted -= parameters_of(t).value;
    return tape.parameters == counted;
}

}  // namespace

Sizes sizes_of(const Scenario& s) {
    Sizes out;
    if (s.task == Task::Inference) {
        out.micro_batch_size = std::max<std::int64_t>(1, s.serving.concurrent_sequences);
        out.sequence_length = std::max<std::int64_t>(1, s.serving.context_tokens);
        if (s.model.architecture.kind == ArchitectureKind::EncoderDecoder)
            out.target_sequence_length = std::max<std::int64_t>(1, s.batch.target_sequence_length);
        return out;
    }
    out.micro_batch_size = s.batch.micro_batch_size;
    out.sequence_length = s.batch.sequence_length + prompt_length(s);
    out.target_sequence_length = prompt_length(s) > 0 ? s.batch.sequence_length : s.batch.target_sequence_length;
    if (s.model.architecture.kind == ArchitectureKind::EncoderDecoder && out.target_sequence_length == 0)
        out.target_sequence_length = out.sequence_length;
    return out;
}

bool covers(const Program& program, const Sizes& sizes) {
    if (program.one_length && sizes.sequence_length != program.recorded.sequence_length) return false;
    for (const Program& beside : program.beside)
        if (!covers(beside, sizes_beside(beside, sizes))) return false;
    return records_alike({program.sliding_window, program.chunked}, program.recorded, sizes);
}

Result<Program> lower(const Scenario& s, Notes& notes, Policy policy) {
    const Architecture& a = s.model.architecture;
    Program program;
    program.policy = policy;
    if (a.vision.kind != TowerKind::None && a.kind == ArchitectureKind::Decoder)
        notes.add("model",
                  "The weights of the vision tower are counted, in training with gradients and states; its "
                  "activations are not computed.");
    GradientRows gradients = GradientRows::OnTape;
    StepInput in = step_input(s);
    program.one_length = s.implementation.name == ImplementationName::Litgpt;
    if (s.task == Task::Inference) {
        program.tape = prefill_of(s, notes);
        program.words = SizeWords::Serving;
    } else {
        MEMWALL_TRY(variant, variant_of(s, policy, notes));
        in.variant = variant;
        if (has_block_program(a, variant.library)) program.tape = recorded(Recording::Step, in);
        if (program.tape && !trains_what_is_counted(s, *program.tape)) {
            notes.add("model",
                      {"This model departs from its family: a step would train ", with_commas(program.tape->parameters),
                       " parameters, and it has ", with_commas(count_parameters(a).total.value)});
            program.tape.reset();
        }
        if (program.tape) {
            program.chunked = is_chunked(variant.loss);
            if (variant.gradients == GradientVariant::IntoMain) gradients = GradientRows::Resident;
        } else {
            in.bytes_per_token = s.overhead.activation_bytes_per_token;
            notes.add("model",
                      {"Activations of this architecture are not modelled yet and estimated: ",
                       with_commas(in.bytes_per_token), " bytes a token (overhead.activation_bytes_per_token)."});
            program.tape = recorded(Recording::Estimate, in);
            gradients = GradientRows::Resident;
        }
        program.shards = static_cast<std::int32_t>(shard_count(s.mesh, StateRole::Gradients));
        program.state_shards = static_cast<std::int32_t>(shard_count(s.mesh, StateRole::OptimizerState));
    }
    program.recorded = sizes_of(s);
    program.layers = a.num_hidden_layers;
    if (a.kind == ArchitectureKind::EncoderDecoder)
        program.stacks = {a.encoder_decoder.num_encoder_layers, a.encoder_decoder.num_decoder_layers};
    program.sliding_window = window_reach(a);
    const ResidentTensors tensors = resident_tensors(s);
    program.trainable_parameters = trainable_parameters(tensors);
    Ledger& rows = program.residents;
    rows.rows.reserve(tensors.list.size() * 4 + 8);
    rows.formulas.reserve(tensors.list.size() * 32);
    if (Failure failure = add_residents(s, tensors, gradients, policy, {rows, program.host})) return *failure;
    if (const Bytes paged = program.host.total(); paged.value > 0)
        notes.add("optimizer.name", {with_commas(paged.value),
                                     " bytes of its states are paged: they wait in the host's memory and cross the "
                                     "bus in every step"});
    const BufferInput buffers{storage_dtype(s), library_of(s, notes), policy, s.batch.sequence_length};
    if (Failure failure = add_buffers(a, buffers, rows)) return *failure;
    if (Failure failure = add_communication(s, tensors, rows)) return *failure;
    rows.sort_by_category();
    const bool one_by_one =
        in.variant.step_in_backward || in.variant.optimizer == OptimizerVariant::AdafactorTransformers;
    if (one_by_one && gradients == GradientRows::OnTape) record_creation(s, tensors, in, program, notes);
    if (has_beside(s))
        if (Failure failure = add_beside(s, tensors, in, program, notes)) return *failure;
    return program;
}

}  // namespace memwall
