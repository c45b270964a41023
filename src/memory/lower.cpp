#include "memory/lower.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "memory/buffers.hpp"
#include "memory/dtype_choices.hpp"
#include "memory/residents.hpp"
#include "memory/tape_cache.hpp"
#include "memory/tensor_kinds.hpp"
#include "model/model_program.hpp"
#include "plan/implementation_version.hpp"
#include "plan/mesh.hpp"
#include "plan/sharding.hpp"

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
    const std::string& version = s.implementation.version;
    if (transformers_major(version) != 4) return LibraryVariant::Transformers5;
    if (version.find("4.47") == std::string::npos)
        notes.add("implementation.version",
                  concat({"\"", version, "\" is computed as transformers 4.47 with torch 2.6"}));
    return LibraryVariant::Transformers4;
}

// What torch's dispatcher takes instead of a kernel that cannot run here (sdp_utils.cpp).
AttentionVariant runnable(const Scenario& s, AttentionVariant wanted, Notes& notes) {
    const Architecture& a = s.model.architecture;
    const bool half = s.precision.compute != ComputeDtype::Fp32;
    const bool masked = s.batch.attention_mask == AttentionMask::Padded;
    constexpr std::int64_t kLargestFlashHead = 256;
    if (only_eager_attention(a) && wanted != AttentionVariant::Eager) {
        notes.add("savers.attention", "the model code of " + a.model_type + " has eager attention alone");
        return AttentionVariant::Eager;
    }
    AttentionVariant out = wanted;
    if (out == AttentionVariant::Flash && (!half || masked || a.head_dim > kLargestFlashHead))
        out = AttentionVariant::Efficient;
    // Layers whose window is shorter than the sequence have a mask, which repeats key/value heads; the blocks decide.
    const bool windows = a.sliding_window > 0 && s.batch.sequence_length >= a.sliding_window &&
                         a.layer_pattern.find('S') != std::string::npos;
    const bool repeats = library_of(s, notes) == LibraryVariant::Transformers4;
    const bool own_copies = a.model_type == "falcon" && a.num_key_value_heads > 1;  // it repeats them itself
    const bool equal_heads =
        own_copies || masked || windows || repeats || a.num_attention_heads == a.num_key_value_heads;
    if (out == AttentionVariant::Efficient && (!equal_heads || a.head_dim % (half ? 8 : 4) != 0))
        out = AttentionVariant::Math;
    if (out != wanted)
        notes.add("savers.attention",
                  concat({"scaled_dot_product_attention runs its ",
                          out == AttentionVariant::Math ? "math" : "memory-efficient",
                          " kernel here: the one asked for needs 16-bit operands without a mask, or "
                          "equal head counts"}));
    return out;
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

KeptVariant kept_of(SelectivePolicy policy) {
    switch (policy) {
        case SelectivePolicy::TorchtitanOp:
            return KeptVariant::EverySecondProduct;
        case SelectivePolicy::MatmulAndAttention:
            return KeptVariant::ProductsAndAttention;
        case SelectivePolicy::MegatronCoreAttention:  // refused by its field
        case SelectivePolicy::Attention:
            return KeptVariant::Attention;
    }
    return KeptVariant::Nothing;
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
};

Failure set_method(const Scenario& s, Variant& v) {
    switch (s.method.name) {
        case MethodName::Full:
            return std::nullopt;
        case MethodName::Freeze:
            v.train = TrainVariant::Freeze;
            v.first_trainable_layer = s.method.first_trainable_layer;
            return std::nullopt;
        case MethodName::Lora:
            v.train = TrainVariant::Lora;
            for (const ProjectionRow& row : kProjections)
                if ((s.method.target_modules >> static_cast<unsigned>(row.module) & 1U) != 0)
                    v.adapter_projections |= 1U << static_cast<unsigned>(row.projection);
            v.adapter_dropout_permille = s.method.dropout_permille;
            v.adapter_dtype = dtype_of(s.method.adapter_dtype);
            return std::nullopt;
        default:
            break;
    }
    return Error{ErrorCode::NotYet, "method.name", "This method is not computed yet.", "full, freeze and lora are."};
}

OptimizerVariant optimizer_of(const Optimizer& o) {
    if (o.name == OptimizerName::Sgd || o.name == OptimizerName::SgdMomentum) return OptimizerVariant::Sgd;
    if (o.name == OptimizerName::AdafactorTorch) return OptimizerVariant::AdafactorTorch;
    if (o.name == OptimizerName::Adafactor) return OptimizerVariant::AdafactorTransformers;
    switch (o.implementation) {
        case OptimizerImplementation::Foreach:
            return OptimizerVariant::Foreach;
        case OptimizerImplementation::Fused:
            return OptimizerVariant::Fused;
        case OptimizerImplementation::ForLoop:
            return OptimizerVariant::ForLoop;
    }
    return OptimizerVariant::Foreach;
}

Dtype compute_dtype(const Scenario& s) {
    switch (s.precision.compute) {
        case ComputeDtype::Fp32:
            return Dtype::Fp32;
        case ComputeDtype::Fp16:
            return Dtype::Fp16;
        case ComputeDtype::Bf16:
        case ComputeDtype::Fp8:
            return Dtype::Bf16;
    }
    return Dtype::Bf16;
}

Result<Variant> variant_of(const Scenario& s, Policy policy, Notes& notes) {
    Variant v;
    v.autocast = s.precision.autocast;
    v.autocast_dtype = compute_dtype(s);
    v.weights = v.autocast ? Dtype::Fp32 : compute_dtype(s);
    v.attention = runnable(s, attention_of(s.savers.attention), notes);
    v.mask = mask_of(s.batch.attention_mask);
    v.loss = loss_of(s.savers.loss);
    if (v.loss == LossVariant::Chunked) {
        v.loss_chunks = s.savers.loss_chunks;
        v.loss_chunk_tokens = s.savers.loss_chunk_tokens;
    }
    v.keep_outputs = s.savers.keep_outputs;
    if (s.savers.activation_checkpointing != Checkpointing::None) {
        v.recompute = s.savers.checkpoint_reentrant ? RecomputeVariant::FullReentrant : RecomputeVariant::Full;
        v.segment_layers = s.savers.checkpoint_every;
        if (s.savers.activation_checkpointing == Checkpointing::Selective) v.kept = kept_of(s.savers.selective_policy);
    }
    if (Failure f = set_method(s, v)) return *f;
    v.optimizer = optimizer_of(s.optimizer);
    v.step_in_backward = s.optimizer.in_backward;
    const bool fp32_sum = s.precision.gradients == FloatDtype::Fp32 && v.weights != Dtype::Fp32;
    v.gradients = fp32_sum && v.train != TrainVariant::Lora ? GradientVariant::IntoMain : GradientVariant::Keep;
    v.micro_steps = std::min<std::int64_t>(2, s.batch.gradient_accumulation_steps);
    v.composite_silu = v.accumulate_out_of_place = policy == Policy::Ledger;
    v.library = library_of(s, notes);
    return v;
}

// Gradients that are divided over ranks: their events take a size of their own.
void divide_gradients(Program& program, std::int64_t ranks) {
    program.shards.assign(program.tape.sizes.size(), 1);
    if (ranks == 1) return;
    std::vector<std::int16_t> divided(program.tape.sizes.size(), -1);
    for (TapeEvent& e : program.tape.events) {
        if (program.tape.roles[static_cast<std::size_t>(e.role)].kind != TensorKind::Gradient) continue;
        std::int16_t& own = divided[static_cast<std::size_t>(e.size)];
        if (own < 0) {
            own = static_cast<std::int16_t>(program.tape.sizes.size());
            program.tape.sizes.push_back(Size(program.tape.sizes[static_cast<std::size_t>(e.size)]));
            program.shards.push_back(static_cast<std::int32_t>(ranks));
        }
        e.size = own;
    }
}

// Weights of one layer, gathered while it runs, and the next one; or a bucket of gradients to be reduced.
void add_communication(const Scenario& s, const std::vector<ResidentTensor>& tensors, Program& program) {
    if (s.task == Task::Inference || s.mesh.world_size < 2) return;
    const auto add = [&](std::string_view key, std::string_view title, RuleId rule, Expression elements, Dtype dtype) {
        LedgerRow row;
        row.key = key;
        row.title = title;
        row.category = Category::Communication;
        row.rule = rule;
        row.elements = std::move(elements);
        row.dtype = dtype;
        row.live_from = "forward";
        row.live_until = "optimizer step";
        const auto count = row.elements.value();
        const auto bytes = count ? storage(dtype, Count(*count)) : Result<Bytes>(count.error());
        if (!bytes) return;
        row.bytes = *bytes;
        program.residents.push_back({std::move(row), Presence::Always});
    };
    std::vector<Expression> layer;
    Dtype dtype = Dtype::Bf16;
    for (const ResidentTensor& t : tensors) {
        if (t.count < 2) continue;
        layer.push_back(t.one);
        dtype = weight_dtype(s, t);
    }
    if (layer.empty()) return;
    const Expression one_layer = sum(layer);
    if (shard_count(s.mesh, StateRole::Weights) > 1)
        add("communication.gathered_parameters", "Gathered layers", RuleId::GatheredParameters,
            product({Expression::named("layers gathered at once", 2), one_layer}), dtype);
    if (data_parallel_ranks(s.mesh) < 2) return;
    if (s.mesh.sharding == Sharding::Ddp) return;  // its buckets are the gradients themselves (gradient_as_bucket_view)
    if (shard_count(s.mesh, StateRole::Gradients) > 1)
        add("communication.gradient_bucket", "Gradients being reduced", RuleId::GradientBuckets,
            product({Expression::named("layers reduced at once", 1), one_layer}), dtype);
}

// Of the weights as the blocks see them.
Dtype storage_dtype(const Scenario& s) { return s.precision.autocast ? Dtype::Fp32 : compute_dtype(s); }

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
    in.lora_rank = s.method.name == MethodName::Lora ? s.method.rank : 0;
    in.bytes_per_token = s.overhead.activation_bytes_per_token;
    return in;
}

Result<Program> lower_inference(const Scenario& s, Notes& notes, Policy policy) {
    Program program;
    program.policy = policy;
    StepInput in = step_input(s);
    in.variant.run = RunVariant::Prefill;
    in.variant.weights = compute_dtype(s);
    in.variant.attention = runnable(s, attention_of(s.savers.attention), notes);
    const Architecture& a = s.model.architecture;
    if (s.implementation.name != ImplementationName::HfTransformers)
        notes.add("implementation.name",
                  "Working buffers are those of transformers, which reads the whole prompt at once");
    if (a.num_hidden_layers > 0 && a.num_key_value_heads > 0) {
        program.tape =
            record_prefill(in, cache_format(s.serving.kv_cache_dtype), !s.serving.kv_full_context_every_layer);
        return program;
    }
    if (a.kind == ArchitectureKind::ParameterCount)
        notes.add("serving.context_tokens",
                  concat({"The key/value cache is estimated: ", std::to_string(in.bytes_per_token),
                          " bytes a token (overhead.activation_bytes_per_token)"}));
    else
        in.bytes_per_token = 0;
    if (a.kind == ArchitectureKind::TotalOnly)
        notes.add("serving.context_tokens",
                  "A key/value cache is not counted: only the number of parameters is known of this model");
    program.tape = record_estimate(in);
    return program;
}

}  // namespace

Sizes sizes_of(const Scenario& s) {
    Sizes out;
    if (s.task == Task::Inference) {
        out.micro_batch_size = std::max<std::int64_t>(1, s.serving.concurrent_sequences);
        out.sequence_length = std::max<std::int64_t>(1, s.serving.context_tokens);
        return out;
    }
    out.micro_batch_size = s.batch.micro_batch_size;
    out.sequence_length = s.batch.sequence_length;
    out.target_sequence_length = s.batch.target_sequence_length;
    if (s.model.architecture.kind == ArchitectureKind::EncoderDecoder && out.target_sequence_length == 0)
        out.target_sequence_length = out.sequence_length;
    return out;
}

bool covers(const Program& program, const Sizes& sizes) {
    return records_alike({program.sliding_window, program.chunked}, program.recorded, sizes);
}

Result<Program> lower(const Scenario& s, Notes& notes, Policy policy) {
    const Architecture& a = s.model.architecture;
    MEMWALL_TRY(tensors, resident_tensors(s));
    const bool blocks = has_block_program(a);
    Program program;
    program.policy = policy;
    GradientRows gradients = GradientRows::OnTape;
    if (s.task == Task::Inference) {
        MEMWALL_TRY(inference, lower_inference(s, notes, policy));
        program = std::move(inference);
    } else {
        MEMWALL_TRY(variant, variant_of(s, policy, notes));
        StepInput in = step_input(s);
        in.variant = variant;
        if (blocks) {
            program.tape = recorded_step(in);
            program.chunked = is_chunked(variant.loss);
            if (variant.gradients == GradientVariant::IntoMain) gradients = GradientRows::Resident;
        } else {
            notes.add("model", concat({"Activations of this architecture are estimated: ",
                                       std::to_string(s.overhead.activation_bytes_per_token),
                                       " bytes a token (overhead.activation_bytes_per_token)."}));
            program.tape = record_estimate(in);
            gradients = GradientRows::Resident;
        }
    }
    program.recorded = sizes_of(s);
    program.layers = a.num_hidden_layers;
    if (a.kind == ArchitectureKind::EncoderDecoder)
        program.stacks = {a.encoder_decoder.num_encoder_layers, a.encoder_decoder.num_decoder_layers};
    if (s.task == Task::Inference) program.words = SizeWords::Serving;
    program.sliding_window = a.sliding_window;
    MEMWALL_TRY(rows, residents(s, tensors, gradients, policy));
    program.residents = std::move(rows);
    for (Resident& buffer : buffers(a, {storage_dtype(s), library_of(s, notes), policy}))
        program.residents.push_back(std::move(buffer));
    add_communication(s, tensors, program);
    divide_gradients(program, s.task == Task::Inference ? 1 : shard_count(s.mesh, StateRole::Gradients));
    return program;
}

}  // namespace memwall
