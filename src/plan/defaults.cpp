#include "plan/defaults.hpp"

#include <algorithm>

#include "base/concat.hpp"
#include "catalogue/catalogue.hpp"
#include "model/families.hpp"
#include "model/model_program.hpp"
#include "model/parameters.hpp"
#include "plan/attention_kernel.hpp"
#include "plan/fields.hpp"
#include "plan/implementation_version.hpp"
#include "plan/methods.hpp"
#include "plan/model_defaults.hpp"
#include "plan/number_text.hpp"
#include "plan/optimizers.hpp"
#include "plan/recipes.hpp"
#include "plan/target_modules.hpp"

namespace memwall {
namespace {

// One completion: what was given, what it becomes.
struct Completion {
    const Scenario& given;
    Scenario& s;
    Notes& notes;

    bool open(FieldId id) const { return !is_given(given, id); }  // to be filled
    template <class T, class U>
    void fill(FieldId id, T& member, U value) const {
        if (open(id)) member = static_cast<T>(value);
    }
};

void copy_given(const Scenario& given, Scenario& s) {
    for (const FieldRow& row : fields()) {
        if (!is_given(given, row.id) || row.group == FieldGroup::Architecture || row.group == FieldGroup::Model)
            continue;
        if (row.kind == FieldKind::Text)
            row.access.set_text(s, row.access.text(given));
        else
            row.access.set(s, row.access.get(given));
    }
    s.given = given.given;
}

// ---- accelerator -------------------------------------------------------------------------------

void note_usable(const Completion& c, const UsableMemory& usable) {
    c.s.accelerator.usable_trust = usable.trust;
    const bool recalled = usable.trust == Trust::Recalled;
    if (usable.trust == Trust::Assumed || recalled)
        c.notes.add("accelerator.usable_bytes",
                    {recalled ? "* " : "", with_commas(usable.bytes.value), " usable bytes, ",
                     recalled ? "recalled, not read from a source" : usable.source});
}

Failure complete_accelerator(const Completion& c, const AcceleratorRow*& row) {
    Accelerator& a = c.s.accelerator;
    if (!c.open(FieldId::AcceleratorName)) {
        auto found = find_accelerator(a.name);
        if (!found) {
            Error error = found.error();
            error.where = field(FieldId::AcceleratorName).key;
            return error;
        }
        row = *found;
        a.name = row->name;
        c.fill(FieldId::MemoryGb, a.memory_gb_permille, row->memory_gb_permille);
        if (a.memory_gb_permille != row->memory_gb_permille)
            c.notes.add("accelerator.memory_gb",
                        {"stated as ", text(c.s, FieldId::MemoryGb), " GB; ", row->name, " is sold with ",
                         text_from_value(field(FieldId::MemoryGb), row->memory_gb_permille), " GB"});
    }
    if (!c.open(FieldId::UsableBytes)) return std::nullopt;
    if (row != nullptr && c.open(FieldId::MemoryGb)) {
        const UsableMemory usable = usable_memory(*row);
        a.usable_bytes = usable.bytes.value;
        note_usable(c, usable);
    } else if (!c.open(FieldId::MemoryGb)) {
        const UsableMemory usable = usable_memory_by_rule(a.memory_gb_permille, MemoryProtection::None);
        a.usable_bytes = usable.bytes.value;
        note_usable(c, usable);
    }
    return std::nullopt;
}

void note_device(const Completion& c, const AcceleratorRow* row) {
    if (row == nullptr) return;
    if (row->vendor != "NVIDIA")
        c.notes.add("accelerator.name", {row->name,
                                         " is not a CUDA device: kernels, context and allocator slack are those of "
                                         "CUDA and assumed to hold"});
    constexpr std::int32_t kFirstWithBf16 = 80;  // compute capability 8.0
    const bool uses_bf16 = c.s.precision.compute == ComputeDtype::Bf16;
    if (uses_bf16 && row->compute_capability_tenths > 0 && row->compute_capability_tenths < kFirstWithBf16)
        c.notes.add("precision.compute", {row->name, " has no bf16 units; precision.recipe amp_fp16 or fp16 suits it"});
}

// ---- mesh --------------------------------------------------------------------------------------

// The ranks that are left for an axis, or 1 where the others do not divide (check(Mesh) then says so).
std::int64_t rest(std::int64_t world, std::int64_t taken) {
    return taken > 0 && world % taken == 0 ? world / taken : 1;
}

std::int64_t stage_of(Sharding sharding) {
    switch (sharding) {
        case Sharding::Fsdp1:
        case Sharding::Fsdp2:
            return 3;
        case Sharding::MegatronDistopt:
            return 1;
        case Sharding::Deepspeed:
        case Sharding::Ddp:
        case Sharding::Tensor:
        case Sharding::LayerSplit:
            return 0;
    }
    return 0;
}

void complete_mesh(const Completion& c) {
    Mesh& m = c.s.mesh;
    c.fill(FieldId::WorldSize, m.world_size, c.s.accelerator.count);
    c.fill(FieldId::AcceleratorCount, c.s.accelerator.count, m.world_size);
    if (!c.open(FieldId::Sharding)) c.fill(FieldId::ZeroStage, m.zero_stage, stage_of(m.sharding));
    c.fill(FieldId::Sharding, m.sharding, m.zero_stage == 0 ? Sharding::Ddp : Sharding::Deepspeed);
    const std::int64_t others = m.cp * m.tp * m.pp;
    const bool shards = m.zero_stage > 0;
    if (c.open(FieldId::DpReplicate) && c.open(FieldId::DpShard)) {
        (shards ? m.dp_shard : m.dp_replicate) = rest(m.world_size, others);
    } else {
        c.fill(FieldId::DpReplicate, m.dp_replicate, rest(m.world_size, others * m.dp_shard));
        c.fill(FieldId::DpShard, m.dp_shard, rest(m.world_size, others * m.dp_replicate));
    }
    if (c.s.task == Task::Inference && m.world_size > 1 && m.tp * m.pp == 1)
        c.notes.add("accelerator.count", "each accelerator holds a whole copy of the model; dividing it comes later");
}

// ---- precision, optimizer ----------------------------------------------------------------------

FloatDtype float_of(ComputeDtype compute) {
    switch (compute) {
        case ComputeDtype::Fp32:
            return FloatDtype::Fp32;
        case ComputeDtype::Fp16:
            return FloatDtype::Fp16;
        case ComputeDtype::Bf16:
        case ComputeDtype::Fp8:
            return FloatDtype::Bf16;
    }
    return FloatDtype::Bf16;
}

void complete_precision(const Completion& c) {
    Precision& p = c.s.precision;
    c.fill(FieldId::PrecisionRecipe, p.recipe, recipe_for(c.s));
    const RecipeRow& row = recipe(p.recipe);
    c.fill(FieldId::Weights, p.weights, c.s.method.name == MethodName::Qlora ? WeightFormat::Nf4 : row.weights);
    c.fill(FieldId::Compute, p.compute, row.compute);
    c.fill(FieldId::Autocast, p.autocast, row.autocast);
    c.fill(FieldId::MasterWeights, p.master_weights, row.master_weights);
    c.fill(FieldId::Gradients, p.gradients, row.gradients);
    c.fill(FieldId::GradientAccumulationDtype, p.gradient_accumulation_dtype, row.gradient_accumulation_dtype);
    c.fill(FieldId::Reduce, p.reduce, p.gradients);
    const bool upcasts = has_quantized_base(c.s) && c.s.implementation.name == ImplementationName::HfTransformers;
    c.fill(FieldId::UnquantizedDtype, p.unquantized_dtype, upcasts ? FloatDtype::Fp32 : float_of(p.compute));
    if (upcasts && c.open(FieldId::UnquantizedDtype))
        c.notes.add("precision.unquantized_dtype",
                    "norms, embeddings and head are in fp32, as peft's prepare_model_for_kbit_training makes them");
    const bool gguf = p.weights >= WeightFormat::GgufMixed;  // the words behind it are those of GGUF
    c.fill(FieldId::QuantizedModules, p.quantized_modules, gguf ? QuantizedModules::Gguf : QuantizedModules::Linear);
    const StateFormat format = traits(c.s.optimizer.name).format;
    c.fill(FieldId::StateDtype, c.s.optimizer.state_dtype,
           format == StateFormat::Chosen ? row.state_dtype : dtype_of(format));
    const bool in_backward = c.s.optimizer.name == OptimizerName::Lomo || c.s.optimizer.name == OptimizerName::Adalomo;
    c.fill(FieldId::InBackward, c.s.optimizer.in_backward, in_backward);
}

// ---- batch, serving ----------------------------------------------------------------------------

std::int64_t longest_sequence(const Architecture& a) {
    if (a.encoder_decoder.max_source_positions > 0) return a.encoder_decoder.max_source_positions;
    const bool learned = a.position == Position::Learned && a.learned_positions > 0;
    // Some tables have rows that no token stands on (validate.cpp).
    const bool fewer = a.max_position_embeddings > 0 && a.max_position_embeddings < a.learned_positions;
    return learned && !fewer ? a.learned_positions : a.max_position_embeddings;
}

// litgpt: finetune/lora.py and full.py of 2024, model.py. Its head has a matrix of its own. torchtune 0.4:
// recipes/configs.
void complete_library(const Completion& c) {
    Scenario& s = c.s;
    const bool litgpt = s.implementation.name == ImplementationName::Litgpt;
    if ((!litgpt && s.implementation.name != ImplementationName::Torchtune) || s.task == Task::Inference) return;
    if (litgpt && s.model.architecture.tie_word_embeddings) {
        s.model.architecture.tie_word_embeddings = false;
        c.notes.add("model.config.tie_word_embeddings", "litgpt keeps a head of its own beside the embedding");
    }
    constexpr std::int64_t kChunk = 128, kDropoutPermille = 50;
    c.fill(FieldId::Loss, s.savers.loss, LossKind::Chunked);
    if (litgpt && c.open(FieldId::LossChunks)) c.fill(FieldId::LossChunkTokens, s.savers.loss_chunk_tokens, kChunk);
    const AdapterDtype adapters = s.precision.compute == ComputeDtype::Fp32   ? AdapterDtype::Fp32
                                  : s.precision.compute == ComputeDtype::Fp16 ? AdapterDtype::Fp16
                                                                              : AdapterDtype::Bf16;
    if (!has_adapters(s)) return;
    c.fill(FieldId::AdapterDtype, s.method.adapter_dtype, s.precision.autocast ? AdapterDtype::Fp32 : adapters);
    if (litgpt) c.fill(FieldId::MethodDropout, s.method.dropout_permille, kDropoutPermille);
}

// litgpt adapts parts of the joint matrix, queries and values if nothing else is said, also where transformers has no
// matrix for each.
void adapt_joint_matrix(Scenario& s) {
    const auto bit = target_bit;
    std::uint64_t& modules = s.method.target_modules;
    const std::uint64_t parts = bit(TargetModule::QProj) | bit(TargetModule::KProj) | bit(TargetModule::VProj);
    const std::uint64_t joint = bit(TargetModule::QkvProj);
    if ((existing_targets(s.model.architecture) & joint) == 0 || (modules & (parts | joint)) == 0) return;
    if ((modules & parts) == 0) modules |= bit(TargetModule::QProj) | bit(TargetModule::VProj);
    modules |= joint;
}

// What was stated and has no meaning under this method.
void note_unused(const Completion& c) {
    const bool freezes = c.s.method.name == MethodName::Freeze;
    const bool prompted = leads_text(traits(c.s.method.name).adapter);
    for (const FieldId id : {FieldId::MethodRank, FieldId::MethodAlpha, FieldId::TargetModules, FieldId::ModulesToSave,
                             FieldId::AdapterDtype, FieldId::MethodDropout, FieldId::FirstTrainableLayer}) {
        const bool beside = has_adapters(c.s) && !(prompted && id == FieldId::TargetModules);
        const bool means = (freezes && (id == FieldId::FirstTrainableLayer || id == FieldId::TargetModules)) || beside;
        if (!means && !c.open(id))
            c.notes.add(field(id).key, {"not used: it means nothing under method ", text(c.s, FieldId::MethodName)});
    }
}

// As peft does, which refuses a list only where no word of it matches.
[[gnu::noinline]] void note_left_out(const Completion& c, FieldId id, std::uint64_t missing, std::uint64_t existing) {
    const auto words = [id](std::uint64_t list) { return text_from_value(field(id), static_cast<std::int64_t>(list)); };
    c.notes.add(field(id).key,
                {words(missing), " left out, for want of such modules; the model has: ", words(existing)});
}
void leave_out(const Completion& c, FieldId id, std::uint64_t& modules, std::uint64_t existing) {
    const std::uint64_t missing = modules & ~existing;
    if (missing == 0 || missing == modules) return;
    note_left_out(c, id, missing, existing);
    modules &= existing;
}

// What the model has of the words that were given, and what is taken where none was.
void complete_modules(const Completion& c) {
    Method& m = c.s.method;
    const Architecture& a = c.s.model.architecture;
    const bool adapts = has_adapters(c.s), litgpt = c.s.implementation.name == ImplementationName::Litgpt;
    if (!adapts && m.name != MethodName::Freeze) return;
    if (has_target(m.target_modules, TargetModule::AllLinear)) m.target_modules |= all_linear(a);
    m.target_modules &= ~target_bit(TargetModule::AllLinear);
    if (adapts && leads_text(traits(m.name).adapter)) {
        m.target_modules = 0;
        return;
    }
    if (adapts && c.open(FieldId::TargetModules)) {
        const auto [adapter, usual] = std::pair(traits(m.name).adapter, traits(m.name).targets);
        c.fill(FieldId::TargetModules, m.target_modules,
               default_targets(a, litgpt ? usual : wanted_targets(a, adapter, usual)));
        if (m.target_modules == 0 && (m.target_modules = all_linear(a)) != 0)
            c.notes.add("method.target_modules", {"all-linear: peft knows no default for ", a.model_type});
    }
    if (!litgpt && (adapts || m.target_modules != 0))
        leave_out(c, FieldId::TargetModules, m.target_modules, adapts ? existing_targets(a) : existing_modules(a));
    const bool labels = a.task_head == TaskHead::SequenceClassification || a.task_head == TaskHead::TokenClassification;
    if (labels && adapts && m.first_trainable_layer == 0 && !litgpt &&
        has_block_program(a))  // peft's task_type SEQ_CLS and TOKEN_CLS
        c.fill(FieldId::ModulesToSave, m.modules_to_save, target_bit(TargetModule::Classifier));
    if (m.modules_to_save != 0) leave_out(c, FieldId::ModulesToSave, m.modules_to_save, existing_modules(a));
}

void complete_method(const Completion& c) {
    Method& m = c.s.method;
    if (c.s.task != Task::Inference) note_unused(c);
    complete_modules(c);
    if (!has_adapters(c.s)) return;
    const MethodTraits& method = traits(m.name);
    if (has_prompts(method.adapter)) {  // litgpt's adapter.py
        m.target_modules = default_targets(c.s.model.architecture, method.targets);
        c.fill(FieldId::PromptLength, m.prompt_length, 10);
        c.fill(FieldId::AdapterStartLayer, m.adapter_start_layer, 2);
    }
    if (c.s.implementation.name == ImplementationName::Litgpt) adapt_joint_matrix(c.s);
    c.fill(FieldId::MethodRank, m.rank, method.rank);
    constexpr std::int64_t kPrompt = 20;  // of peft's examples
    if (leads_text(method.adapter)) c.fill(FieldId::PromptLength, m.prompt_length, kPrompt);
    const bool of_the_model = method.adapter == AdapterVariant::Bottleneck && !c.s.precision.autocast;
    if (of_the_model && c.s.precision.compute != ComputeDtype::Fp32)
        c.fill(FieldId::AdapterDtype, m.adapter_dtype,
               c.s.precision.compute == ComputeDtype::Fp16 ? AdapterDtype::Fp16 : AdapterDtype::Bf16);
}

// Sizes that only some kinds of models have.
void complete_other_sizes(const Completion& c) {
    Batch& b = c.s.batch;
    const Architecture& a = c.s.model.architecture;
    if (const std::int64_t tokens = image_tokens(a); tokens > 0) {
        c.fill(FieldId::ImageSize, b.image_size, a.image.image_size);
        c.fill(FieldId::SequenceLength, b.sequence_length, tokens);
    }
    if (a.kind == ArchitectureKind::EncoderDecoder) {
        const std::int64_t written = c.s.task == Task::Inference ? c.s.serving.new_tokens : 0;
        const bool hears = a.encoder_decoder.max_source_positions > 0 && a.learned_positions > 0;
        const std::int64_t usual = hears ? a.learned_positions : b.sequence_length;
        c.fill(FieldId::TargetSequenceLength, b.target_sequence_length, written > 0 ? written : usual);
    } else if (!c.open(FieldId::TargetSequenceLength)) {
        c.notes.add("batch.target_sequence_length", "not used: the model is no encoder-decoder");
    }
}

// The tokens of one sequence that is served, where something says how many; 0: nothing does.
std::int64_t served_tokens(const Completion& c) {
    const Serving& v = c.s.serving;
    if (!c.open(FieldId::ContextTokens)) return v.context_tokens;
    const bool two_stacks = c.s.model.architecture.kind == ArchitectureKind::EncoderDecoder;
    if (two_stacks && !c.open(FieldId::InputTokens)) return v.input_tokens;  // the encoder reads them alone
    if (!two_stacks && (!c.open(FieldId::InputTokens) || !c.open(FieldId::NewTokens)))
        return v.input_tokens + v.new_tokens;
    return c.open(FieldId::MaxModelLen) ? 0 : v.max_model_len;  // a server must have room for one of them
}

void complete_batch(const Completion& c) {
    constexpr std::int64_t kUsualSequence = 2048;
    Batch& b = c.s.batch;
    const std::int64_t longest = longest_sequence(c.s.model.architecture);
    std::int64_t usual = longest > 0 ? std::min(kUsualSequence, longest) : kUsualSequence;
    if (c.s.task == Task::Inference) {
        // The prompt fills the context, and all sequences are read at once, unless said otherwise.
        if (const std::int64_t served = served_tokens(c); served > 0) usual = served;
        if (!c.open(FieldId::ConcurrentSequences))
            c.fill(FieldId::MicroBatchSize, b.micro_batch_size, c.s.serving.concurrent_sequences);
    }
    c.fill(FieldId::SequenceLength, b.sequence_length, usual);
    if (longest > 0 && b.sequence_length > longest && c.s.model.architecture.position != Position::Learned)
        c.notes.add("batch.sequence_length", {with_commas(b.sequence_length), " tokens are beyond the ",
                                              with_commas(longest), " positions the model was made for"});
}

KvCacheDtype cache_of(const Precision& p) {
    switch (p.compute) {
        case ComputeDtype::Fp32:
            return KvCacheDtype::Fp32;
        case ComputeDtype::Fp16:
            return KvCacheDtype::Fp16;
        case ComputeDtype::Bf16:
        case ComputeDtype::Fp8:
            return KvCacheDtype::Bf16;
    }
    return KvCacheDtype::Bf16;
}

void complete_serving(const Completion& c) {
    Serving& v = c.s.serving;
    if (c.s.task != Task::Inference) return;
    c.fill(FieldId::ContextTokens, v.context_tokens, c.s.batch.sequence_length);
    c.fill(FieldId::ConcurrentSequences, v.concurrent_sequences, c.s.batch.micro_batch_size);
    c.fill(FieldId::KvCacheDtype, v.kv_cache_dtype, cache_of(c.s.precision));
}

// ---- kernels -----------------------------------------------------------------------------------

// Of what no program runs the kernel is a guess, and nothing follows from it.
bool chooses_a_kernel(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    return a.kind == ArchitectureKind::Decoder || has_block_program(a);
}

// transformers 4.47 shifts an fp32 copy of the logits, or takes them as they are. Source: its model code.
void complete_old_loss(const Completion& c) {
    const Architecture& a = c.s.model.architecture;
    const bool old = c.s.implementation.name == ImplementationName::HfTransformers &&
                     transformers_major(c.s.implementation.version) == 4;
    if (!old || c.s.task == Task::Inference || a.kind != ArchitectureKind::Decoder ||
        a.task_head != TaskHead::CausalLm || c.s.batch.sequence_length < 2)
        return;
    const FamilyRow* row = find_family(a.model_type);
    if (!row || !c.open(FieldId::Loss)) return;
    c.fill(FieldId::Loss, c.s.savers.loss, row->plain_loss_in_4 ? LossKind::Plain : LossKind::Fp32UpcastShifted);
    c.notes.add("savers.loss", row->plain_loss_in_4 ? "transformers 4 takes the logits of this model as they are"
                                                    : "transformers 4 shifts a copy of the logits in fp32");
}

void complete_savers(const Completion& c) {
    Savers& v = c.s.savers;
    complete_old_loss(c);
    if (v.kept_operators != 0) c.fill(FieldId::SelectivePolicy, v.selective_policy, SelectivePolicy::Operators);
    // Source: unslothai/unsloth-zoo, gradient_checkpointing.py, a function that runs its block without a graph.
    if (c.s.implementation.name == ImplementationName::Unsloth && v.activation_checkpointing == Checkpointing::Full)
        c.fill(FieldId::CheckpointReentrant, v.checkpoint_reentrant, true);
    constexpr std::int64_t kUsualChunks = 8;  // torchtune
    if (v.loss == LossKind::Chunked && v.loss_chunk_tokens == 0 && c.open(FieldId::LossChunkTokens))
        c.fill(FieldId::LossChunks, v.loss_chunks, std::min(kUsualChunks, c.s.batch.sequence_length));
    if (!chooses_a_kernel(c.s) || !c.open(FieldId::Attention)) return;
    const bool no_flash =
        c.s.task == Task::Inference && !c.open(FieldId::FlashAttention) && !c.s.serving.flash_attention;
    // transformers has no sdpa path for scores with something added.
    const bool biased = c.s.model.architecture.position == Position::Alibi;
    const bool none = biased || !attends_by_kernels(c.s.implementation, c.s.model.architecture.model_type);
    const KernelChoice choice = kernel_here(c.s, none ? AttentionKernel::Eager : AttentionKernel::Flash);
    v.attention = no_flash ? AttentionKernel::Eager : choice.kernel;
    if (no_flash) return;
    const bool keeps = v.attention == AttentionKernel::Eager || v.attention == AttentionKernel::SdpaMath;
    c.notes.add("savers.attention", {"Attention takes its ", name(v.attention), ": ", choice.reason,
                                     keeps ? "; every attention score is kept" : ""});
}

void complete_overhead(const Completion& c) {
    Overhead& o = c.s.overhead;
    c.fill(FieldId::FrameworkBytes, o.framework_bytes, default_framework_bytes(c.s));
    c.fill(FieldId::AllocatorSlack, o.allocator_slack_permille, default_allocator_slack_permille(c.s.task));
    c.fill(FieldId::ActivationBytesPerToken, o.activation_bytes_per_token, default_activation_bytes_per_token(c.s));
}

// The largest n with n³ <= value.
std::int64_t cube_root(std::int64_t value) {
    std::int64_t low = 0, high = 2'000'000;
    while (low < high) {
        const std::int64_t middle = (low + high + 1) / 2;
        if (middle * middle <= value / middle)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

}  // namespace

std::int64_t image_tokens(const Architecture& a) {
    if (a.kind != ArchitectureKind::Vision || a.image.image_size == 0 || a.image.patch_size == 0) return 0;
    const std::int64_t side = a.image.image_size / a.image.patch_size;
    return side * side + class_tokens(a) + a.image.register_tokens;
}

// Published readings of an empty process and of what the driver counts beyond the allocator lie between 0.7 and
// 1.4 GiB; several ranks add communicators.
std::int64_t default_framework_bytes(const Scenario& s) {
    constexpr std::int64_t kMiB = 1 << 20;
    return (s.mesh.world_size > 1 ? 1434 : 1024) * kMiB;
}

// Training: median of reserved / allocated over replays of the caching allocator with real allocation traces, 1.06.
// Inference: few large blocks, each rounded up to 2 MiB.
std::int64_t default_allocator_slack_permille(Task task) { return task == Task::Inference ? 10 : 60; }

// Per token: bytes per hidden unit and layer (training: the recipe's; inference: one key and one value) × hidden_size
// × layers; under checkpointing every layer's input, and all of one layer. Where these are not known they follow from
// the number of parameters P: a llama-like model has about 12 × hidden_size² parameters a layer and hidden_size = 128 ×
// layers, so layers = ∛(P ÷ 196,608).
std::int64_t default_activation_bytes_per_token(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const std::int64_t element = s.serving.kv_cache_dtype == KvCacheDtype::Fp32 ? 4 : 2;
    const std::int64_t per_hidden =
        s.task == Task::Inference ? 2 * element : recipe(s.precision.recipe).activation_bytes_per_hidden;
    const bool recomputes = s.task != Task::Inference && s.savers.activation_checkpointing != Checkpointing::None;
    const std::int64_t input = s.precision.weights == WeightFormat::Fp32 ? 4 : 2;
    const auto of_layers = [&](std::int64_t layers) {
        return recomputes ? input * layers + per_hidden : per_hidden * layers;
    };
    if (a.hidden_size > 0 && a.num_hidden_layers > 0) return of_layers(a.num_hidden_layers) * a.hidden_size;
    constexpr std::int64_t kHiddenPerLayer = 128;
    constexpr std::int64_t kPerCube = 12 * kHiddenPerLayer * kHiddenPerLayer;
    const std::int64_t layers = std::max<std::int64_t>(1, cube_root(count_parameters(a).total.value / kPerCube));
    return of_layers(layers) * kHiddenPerLayer * layers;
}

Result<Scenario> complete(Scenario given, Notes& notes) {
    Scenario out;
    copy_given(given, out);
    if (Failure bad = complete_model(given, out, notes)) return *bad;
    const Completion c{given, out, notes};
    const AcceleratorRow* row = nullptr;
    if (Failure bad = complete_accelerator(c, row)) return *bad;
    complete_mesh(c);
    if (has_prompts(traits(out.method.name).adapter))
        c.fill(FieldId::ImplementationName, out.implementation.name, ImplementationName::Litgpt);
    complete_precision(c);
    complete_library(c);
    complete_method(c);
    complete_batch(c);
    complete_other_sizes(c);
    complete_serving(c);
    complete_savers(c);
    complete_overhead(c);
    note_device(c, row);
    return out;
}

}  // namespace memwall
