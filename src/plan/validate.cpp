#include "plan/validate.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/concat.hpp"
#include "model/adapters.hpp"
#include "model/families.hpp"
#include "model/model_program.hpp"
#include "model/parameters.hpp"
#include "plan/defaults.hpp"
#include "plan/fields.hpp"
#include "plan/implementation_version.hpp"
#include "plan/mesh.hpp"
#include "plan/methods.hpp"
#include "plan/number_text.hpp"
#include "plan/optimizers.hpp"
#include "plan/target_modules.hpp"

namespace memwall {
namespace {

// "batch.sequence_length (2,048)"
[[gnu::cold]] std::string named(const Scenario& s, FieldId id) {
    const FieldRow& row = field(id);
    const std::string shown = row.kind == FieldKind::Integer ? with_commas(row.access.get(s)) : text(s, id);
    return concat({row.key, " (", shown, ")"});
}

// Message and hint are one piece, or several in braces.
[[gnu::cold]] Error inconsistent(FieldId id, Pieces message, Pieces hint) {
    return {ErrorCode::Inconsistent, field(id).key, message, hint};
}
[[gnu::cold]] Error inconsistent(FieldId id, Pieces message, const Piece& hint) {
    return inconsistent(id, message, Pieces{hint});
}
[[gnu::cold]] Error inconsistent(FieldId id, const Piece& message, const Piece& hint) {
    return inconsistent(id, Pieces{message}, Pieces{hint});
}

Failure check_count(const Scenario& s) {
    if (s.accelerator.count == s.mesh.world_size) return std::nullopt;
    return inconsistent(FieldId::WorldSize,
                        {named(s, FieldId::WorldSize), " is not ", named(s, FieldId::AcceleratorCount)},
                        "one rank runs on one accelerator; leave one of the two out");
}

Failure check_mesh(const Scenario& s) { return check(s.mesh); }

// An encoder of sound has one length; its decoder as many positions as were learned.
[[gnu::noinline]] Failure check_sound(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const std::int64_t source = a.encoder_decoder.max_source_positions;
    const FieldId id = s.task == Task::Inference ? FieldId::ContextTokens : FieldId::SequenceLength;
    if (field(id).access.get(s) != source)
        return inconsistent(id, concat({named(s, id), " is not ", named(s, FieldId::MaxSourcePositions)}),
                            concat({"allowed: ", with_commas(source)}));
    if (s.batch.target_sequence_length <= a.learned_positions) return std::nullopt;
    return inconsistent(FieldId::TargetSequenceLength,
                        concat({named(s, FieldId::TargetSequenceLength), " is beyond the model's ",
                                named(s, FieldId::LearnedPositions)}),
                        concat({"allowed: 1 to ", with_commas(a.learned_positions)}));
}

Failure check_positions(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    if (a.position != Position::Learned || a.learned_positions == 0) return std::nullopt;
    if (a.encoder_decoder.max_source_positions > 0) return check_sound(s);
    const bool serves = s.task == Task::Inference && s.serving.context_tokens > s.batch.sequence_length;
    const FieldId id = serves ? FieldId::ContextTokens : FieldId::SequenceLength;
    // A table may have rows that no token stands on: opt, roberta and bart leave the first two out.
    const bool fewer = a.max_position_embeddings > 0 && a.max_position_embeddings < a.learned_positions;
    const FieldId of_the_model = fewer ? FieldId::MaxPositionEmbeddings : FieldId::LearnedPositions;
    const std::int64_t most = fewer ? a.max_position_embeddings : a.learned_positions;
    const bool writes = a.kind == ArchitectureKind::EncoderDecoder && s.batch.target_sequence_length > most;
    const FieldId wrong = writes ? FieldId::TargetSequenceLength : id;
    if (field(wrong).access.get(s) <= most) return std::nullopt;
    return inconsistent(wrong, {named(s, wrong), " is beyond the model's ", named(s, of_the_model)},
                        {"allowed: 1 to ", with_commas(most)});
}

// Tokens of an image: one a patch, and one for the class.
Failure check_images(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const std::int64_t tokens = image_tokens(a);
    if (tokens == 0) return std::nullopt;
    if (s.batch.image_size != a.image.image_size)
        return inconsistent(FieldId::ImageSize,
                            {named(s, FieldId::ImageSize), " is not the model's ", named(s, FieldId::ConfigImageSize)},
                            "its positions are learned for images of that side; give model.config.image_size too");
    if (s.batch.sequence_length != tokens)
        return inconsistent(FieldId::SequenceLength,
                            {named(s, FieldId::SequenceLength), " is not the ", with_commas(tokens),
                             " tokens of an image of side ", with_commas(a.image.image_size)},
                            "leave batch.sequence_length out");
    return std::nullopt;
}

Failure check_context(const Scenario& s) {
    if (s.task != Task::Inference || s.serving.context_tokens == 0 ||
        s.batch.sequence_length <= s.serving.context_tokens)
        return std::nullopt;
    return inconsistent(FieldId::SequenceLength,
                        {named(s, FieldId::SequenceLength), " does not fit into ", named(s, FieldId::ContextTokens)},
                        "the prompt is part of the context");
}

Failure check_prompt(const Scenario& s) {
    const bool two_stacks = s.model.architecture.kind == ArchitectureKind::EncoderDecoder;
    const std::int64_t turn = s.serving.input_tokens + (two_stacks ? 0 : s.serving.new_tokens);
    if (s.task != Task::Inference || turn <= s.serving.context_tokens) return std::nullopt;
    return inconsistent(FieldId::ContextTokens,
                        named(s, FieldId::ContextTokens) + " is less than " + named(s, FieldId::InputTokens) + " and " +
                            named(s, FieldId::NewTokens) + " together",
                        "leave one of the three out");
}

Failure check_tensor_parallel(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    if (a.num_attention_heads == 0 || a.num_attention_heads % s.mesh.tp == 0) return std::nullopt;
    return inconsistent(FieldId::Tp, {named(s, FieldId::Tp), " must divide ", named(s, FieldId::NumAttentionHeads)},
                        "every rank holds the same number of heads");
}

Failure check_sharding(const Scenario& s) {
    if (s.mesh.sharding == Sharding::Ddp && s.mesh.zero_stage > 0)
        return inconsistent(FieldId::ZeroStage,
                            {named(s, FieldId::ZeroStage), " needs a library that shards; mesh.sharding is ddp"},
                            "leave mesh.sharding out, or take deepspeed, fsdp2 or megatron_distopt");
    if (s.mesh.sharding == Sharding::MegatronDistopt && s.mesh.zero_stage > 1)
        return inconsistent(FieldId::ZeroStage,
                            {named(s, FieldId::ZeroStage), " is more than the Megatron distributed optimizer divides"},
                            "allowed with mesh.sharding megatron_distopt: 0, 1");
    return std::nullopt;
}

Failure check_precision(const Scenario& s) {
    if (s.precision.autocast && s.precision.compute == ComputeDtype::Fp32)
        return inconsistent(FieldId::Autocast, "autocast to precision.compute fp32 casts nothing",
                            "take precision.compute bf16 or fp16, or autocast false");
    return std::nullopt;
}

Failure check_attention(const Scenario& s) {
    if (s.model.architecture.kind != ArchitectureKind::Decoder || s.savers.attention != AttentionKernel::Flash)
        return std::nullopt;
    constexpr std::int64_t kLargestHead = 256;
    if (s.precision.compute == ComputeDtype::Fp32)
        return inconsistent(FieldId::Attention, "flash attention computes in 16 bits; precision.compute is fp32",
                            "take savers.attention sdpa_efficient, sdpa_math or eager");
    if (s.model.architecture.head_dim > kLargestHead)
        return inconsistent(FieldId::Attention,
                            {"flash attention has no heads wider than 256; ", named(s, FieldId::HeadDim)},
                            "take savers.attention sdpa_efficient, sdpa_math or eager");
    return std::nullopt;
}

bool is_over_vocabulary(TaskHead head) {
    return head == TaskHead::CausalLm || head == TaskHead::MaskedLm || head == TaskHead::Seq2SeqLm;
}

// Into how many parts a chunked loss cuts a sequence, and that no other loss is cut.
[[gnu::noinline]] Failure check_chunks(const Scenario& s) {
    const Savers& v = s.savers;
    const bool chunked = v.loss == LossKind::Chunked;
    for (const FieldId id : {FieldId::LossChunks, FieldId::LossChunkTokens})
        if (!chunked && is_given(s, id))
            return inconsistent(id, named(s, id) + " cuts no loss but a chunked one", "take savers.loss chunked");
    if (!chunked) return std::nullopt;
    if (v.loss_chunks > 0 && v.loss_chunk_tokens > 0)
        return inconsistent(FieldId::LossChunkTokens,
                            named(s, FieldId::LossChunkTokens) + " beside " + named(s, FieldId::LossChunks),
                            "leave one of the two out");
    if (v.loss_chunks > s.batch.sequence_length)
        return inconsistent(FieldId::LossChunks,
                            named(s, FieldId::LossChunks) + " is more than " + named(s, FieldId::SequenceLength),
                            "allowed: 1 to " + with_commas(s.batch.sequence_length));
    return std::nullopt;
}

Failure check_loss(const Scenario& s) {
    if (s.task == Task::Inference) return std::nullopt;
    const LossKind loss = s.savers.loss;
    const TaskHead head = s.model.architecture.task_head;
    const std::string word = "savers.loss is " + text(s, FieldId::Loss);
    const bool needs_vocabulary = loss == LossKind::Fp32UpcastShifted || loss == LossKind::Fused;
    if (needs_vocabulary && !is_over_vocabulary(head))
        return inconsistent(FieldId::Loss, "a classifier predicts no tokens; " + word,
                            "take savers.loss plain or leave it out");
    const bool has_head = loss == LossKind::Chunked || loss == LossKind::FusedLinear;
    const bool unlike = loss == LossKind::FusedLinear && !s.model.architecture.final_norm;
    if (has_head && (head != TaskHead::CausalLm || unlike))
        return inconsistent(FieldId::Loss, "this loss calls the normed head of a causal language model; " + word,
                            "take savers.loss plain or leave it out");
    if (Failure f = check_chunks(s)) return f;
    if (loss != LossKind::Fp32UpcastShifted || s.batch.sequence_length > 1) return std::nullopt;
    return inconsistent(FieldId::SequenceLength,
                        named(s, FieldId::SequenceLength) + " leaves the shifted loss without a token to predict",
                        "allowed with savers.loss fp32_upcast_shifted: 2 or more");
}

Failure check_reentrant(const Scenario& s) {
    const bool checkpoints = s.savers.activation_checkpointing != Checkpointing::None;
    if (!checkpoints || !s.savers.checkpoint_reentrant || s.task == Task::Inference) return std::nullopt;
    const Architecture& a = s.model.architecture;
    const bool no_tokens = a.kind == ArchitectureKind::Vision || a.encoder_decoder.max_source_positions > 0;
    if (!no_tokens || s.method.name == MethodName::Full) return std::nullopt;
    return inconsistent(FieldId::CheckpointReentrant,
                        "re-entrant checkpointing trains no block whose input needs no gradient, and none of an "
                        "image or a sound does under " +
                            named(s, FieldId::MethodName),
                        "allowed here: false");
}

Failure check_checkpointing(const Scenario& s) {
    const Savers& v = s.savers;
    const Architecture& a = s.model.architecture;
    if (s.task == Task::Inference) return std::nullopt;
    const bool none = v.activation_checkpointing == Checkpointing::None;
    const bool stages = a.model_type == "swin" && !none;  // checkpoints of blocks inside those of stages
    if (stages && (v.checkpoint_reentrant || v.activation_checkpointing == Checkpointing::Selective))
        return Error{ErrorCode::NotYet, std::string(field(FieldId::ActivationCheckpointing).key),
                     "Of swin's checkpoints only full ones are computed, not re-entrant", "allowed here: full"};
    const bool selective = v.activation_checkpointing == Checkpointing::Selective;
    if (selective && v.checkpoint_reentrant)
        return inconsistent(FieldId::CheckpointReentrant, "re-entrant checkpointing keeps no results of operators",
                            "allowed with savers.activation_checkpointing selective: false");
    if (v.kept_operators != 0 && !(selective && v.selective_policy == SelectivePolicy::Operators))
        return inconsistent(FieldId::KeptOperators,
                            {field(FieldId::KeptOperators).key, " is the list of savers.selective_policy operators"},
                            "take savers.activation_checkpointing selective, and leave savers.selective_policy out");
    if (selective && v.selective_policy == SelectivePolicy::Operators && v.kept_operators == 0)
        return inconsistent(FieldId::KeptOperators, {"savers.selective_policy operators keeps those of a list"},
                            {"give savers.kept_operators: ", allowed_text(field(FieldId::KeptOperators))});
    if (v.checkpoint_every == 1) return std::nullopt;
    if (none)
        return inconsistent(FieldId::CheckpointEvery,
                            named(s, FieldId::CheckpointEvery) + " without savers.activation_checkpointing",
                            "take savers.activation_checkpointing full or selective");
    const bool two_stacks = a.kind == ArchitectureKind::EncoderDecoder;
    const std::int64_t layers =
        two_stacks ? std::max(a.encoder_decoder.num_encoder_layers, a.encoder_decoder.num_decoder_layers)
                   : a.num_hidden_layers;
    if (layers > 0 && v.checkpoint_every > layers)
        return inconsistent(FieldId::CheckpointEvery,
                            concat({named(s, FieldId::CheckpointEvery), " is more than ",
                                    two_stacks ? "the layers of either stack" : named(s, FieldId::NumHiddenLayers)}),
                            "allowed: 1 to " + with_commas(layers));
    if (!stages) return std::nullopt;
    return Error{ErrorCode::NotYet, std::string(field(FieldId::CheckpointEvery).key),
                 "Checkpointing several blocks of this model together is not computed by this version",
                 "allowed here: 1"};
}

// Whether a fused kernel can run, which keeps no scores; else torch takes its math kernel (memory/lower.cpp says
// which).
bool runs_fused(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const AttentionKernel kernel = s.savers.attention;
    if (only_eager_attention(a) || kernel == AttentionKernel::Eager || kernel == AttentionKernel::SdpaMath)
        return false;
    const bool flash = kernel == AttentionKernel::Flash && attends_in_16_bits(s) && a.head_dim <= 256;
    return flash || (a.num_attention_heads == a.num_key_value_heads && a.head_dim % 8 == 0);
}

// Every sum of the engine is below tokens × widest row × layers × this many bytes.
Failure check_products(const Scenario& s) {
    constexpr std::int64_t kBytesPerElement = 1024;
    const Architecture& a = s.model.architecture;
    const bool serves = s.task == Task::Inference;
    const std::int64_t length =
        std::max({s.batch.sequence_length, s.batch.target_sequence_length, serves ? s.serving.context_tokens : 0}) +
        s.phases.generation_tokens;
    const std::int64_t sequences = std::max({s.batch.micro_batch_size, serves ? s.serving.concurrent_sequences : 0,
                                             s.phases.evaluation_batch_size, s.phases.evaluation_samples});
    const bool keeps_scores = s.batch.attention_mask == AttentionMask::Padded || !runs_fused(s);
    const auto scores = checked_multiply(a.num_attention_heads, keeps_scores ? length : 0);
    const auto experts = checked_multiply(a.moe_intermediate_size, a.num_experts_per_tok);
    std::int64_t widest = std::max({a.hidden_size, a.intermediate_size, a.vocab_size, query_width(a),
                                    a.shared_expert_intermediate_size, experts.value_or(a.moe_intermediate_size)});
    if (scores) widest = std::max(widest, *scores);
    const std::optional<std::int64_t> tokens = checked_multiply(length, sequences);
    std::optional<std::int64_t> product = tokens;
    for (const std::int64_t factor : {widest, std::max(std::int64_t{1}, stacked_layers(a)), kBytesPerElement})
        if (product) product = checked_multiply(*product, factor);
    if (scores && product && checked_multiply(*tokens, s.overhead.activation_bytes_per_token)) return std::nullopt;
    return Error{ErrorCode::Overflow,
                 "batch.sequence_length",
                 {with_commas(sequences), " sequences of ", with_commas(length),
                  " tokens need more bytes than can be counted (2^63)"},
                 "take a smaller batch.micro_batch_size or batch.sequence_length"};
}

// global_batch_size in tokens stays a number that can be counted.
Failure check_global_batch(const Scenario& s) {
    std::optional<std::int64_t> tokens = s.batch.sequence_length;
    for (const std::int64_t factor :
         {s.batch.micro_batch_size, s.batch.gradient_accumulation_steps, data_parallel_ranks(s.mesh)})
        if (tokens) tokens = checked_multiply(*tokens, factor);
    if (tokens) return std::nullopt;
    return Error{ErrorCode::Overflow,
                 std::string(field(FieldId::GradientAccumulationSteps).key),
                 {named(s, FieldId::GradientAccumulationSteps), " of ", with_commas(s.batch.micro_batch_size), " × ",
                  with_commas(s.batch.sequence_length), " tokens on ", with_commas(data_parallel_ranks(s.mesh)),
                  " ranks are more tokens in a step than can be counted (2^63)"},
                 "take fewer"};
}

// Libraries that train with the model code of transformers.
constexpr ImplementationName kOverTransformers[] = {
    ImplementationName::HfTransformers, ImplementationName::Deepspeed, ImplementationName::LlamaFactory,
    ImplementationName::Axolotl,        ImplementationName::MsSwift,   ImplementationName::Trl,
    ImplementationName::Openrlhf,       ImplementationName::Xtuner,    ImplementationName::Torchao};

// Methods of litgpt and torchtune; litgpt adapts a joint matrix.
[[gnu::noinline]] Failure check_own_code(const Scenario& s) {
    const auto bit = target_bit;
    const std::uint64_t both = bit(TargetModule::QProj) | bit(TargetModule::VProj);
    const std::uint64_t joint =
        s.method.target_modules & (both | bit(TargetModule::KProj) | bit(TargetModule::QkvProj));
    const AdapterVariant adapter = traits(s.method.name).adapter;
    const bool litgpt = s.implementation.name == ImplementationName::Litgpt;
    if (adapter != AdapterVariant::None && adapter != AdapterVariant::Lora && !(litgpt && has_prompts(adapter)))
        return inconsistent(FieldId::MethodName,
                            {text(s, FieldId::ImplementationName), " has no method ", text(s, FieldId::MethodName)},
                            "take method.name lora, or implementation.name hf_transformers");
    if (has_prompts(adapter) && family(s.model.architecture.model_type).block == BlockFamily::Gemma2)
        return Error{ErrorCode::NotYet, std::string(field(FieldId::MethodName).key),
                     "litgpt's adapters where scores are capped are not computed by this version",
                     "take method.name lora"};
    if (has_prompts(adapter) && s.method.adapter_start_layer >= s.model.architecture.num_hidden_layers)
        return inconsistent(FieldId::AdapterStartLayer,
                            {named(s, FieldId::AdapterStartLayer), " is beyond ", named(s, FieldId::NumHiddenLayers)},
                            "take fewer");
    if (!litgpt || !has_adapters(s) || joint == 0 || (joint & both) == both) return std::nullopt;
    return inconsistent(FieldId::TargetModules, "litgpt adapts q_proj and v_proj together", "add q_proj and v_proj");
}

// Graphs of dense stacks; and what is offloaded where nothing is computed again is not the engine's list of tensors.
[[gnu::noinline]] Failure check_graph(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const auto refused = [](FieldId id, const Piece& what, const Piece& hint) {
        return Error{ErrorCode::NotYet, field(id).key, Pieces{what}, Pieces{hint}};
    };
    const Checkpointing how = s.savers.activation_checkpointing;
    const bool again = how != Checkpointing::None && s.savers.checkpoint_reentrant;
    if (s.savers.compile && (again || prompt_length(s) > 0 || a.num_experts > 0 ||
                             a.kind == ArchitectureKind::EncoderDecoder || a.model_type == "swin"))
        return refused(FieldId::Compile, "Not computed with experts, two stacks, windows or re-entrant checkpoints",
                       "allowed here: false");
    if (s.savers.activation_offload && (how != Checkpointing::Full || again))
        return refused(FieldId::ActivationOffload, "Computed under full checkpointing alone, not a re-entrant one",
                       "take savers.activation_checkpointing full");
    return std::nullopt;
}

Failure check_compile(const Scenario& s) {
    const bool asked = s.savers.compile || s.savers.activation_offload;
    return asked && s.task != Task::Inference ? check_graph(s) : std::nullopt;
}

Failure check_implementation(const Scenario& s) {
    if (s.task == Task::Inference) return std::nullopt;
    const bool prompts = has_prompts(traits(s.method.name).adapter);
    for (const ImplementationName name : kOverTransformers)
        if (name == s.implementation.name && !prompts) return std::nullopt;
    const LibraryVariant library = library_of(s);
    if (library == LibraryVariant::Litgpt || library == LibraryVariant::Torchtune) return check_own_code(s);
    if (stands_in(s) && !prompts) return std::nullopt;
    return Error{
        ErrorCode::NotYet, std::string(field(FieldId::ImplementationName).key),
        "Training this model with " + text(s, FieldId::ImplementationName) + " is not computed by this version",
        "hf_transformers, or a library that trains its models: deepspeed, llama_factory, axolotl, ms_swift, "
        "trl, openrlhf, xtuner, unsloth; litgpt and torchtune for llama, mistral, qwen2; litgpt for phi, gpt_neox, "
        "gemma, gemma2, falcon"};
}

// What bitsandbytes trains adapters over: matrices of 4 and 8 bits that stay as they are.
[[gnu::noinline]] Failure check_base(const Scenario& s) {
    constexpr WeightFormat kBases[] = {WeightFormat::Nf4,   WeightFormat::Nf4Dq, WeightFormat::Fp4,
                                       WeightFormat::Fp4Dq, WeightFormat::Int8,  WeightFormat::Int4};
    const WeightFormat w = s.precision.weights;
    const Architecture& a = s.model.architecture;
    const bool four_bits = (w >= WeightFormat::Nf4 && w <= WeightFormat::Fp4Dq) || w == WeightFormat::Int4;
    if (s.method.name == MethodName::Qlora && !four_bits)
        return inconsistent(FieldId::Weights, {"qlora trains over 4-bit weights; ", named(s, FieldId::Weights)},
                            "take precision.weights nf4, nf4_dq, fp4 or fp4_dq, or method.name lora");
    const auto refused = [](std::string message, std::string hint) {
        return Error{ErrorCode::NotYet, std::string(field(FieldId::Weights).key), std::move(message), std::move(hint)};
    };
    if (std::find(std::begin(kBases), std::end(kBases), w) == std::end(kBases))
        return refused(
            "Training over " + text(s, FieldId::Weights) + " weights is not computed by this version",
            "allowed in training: fp32, bf16, fp16, and under adapters nf4, nf4_dq, fp4, fp4_dq, int4, int8");
    if (!has_adapters(s))
        return inconsistent(FieldId::Weights,
                            {"method ", text(s, FieldId::MethodName), " trains the weights themselves, and ",
                             text(s, FieldId::Weights), " ones cannot be trained"},
                            "take method.name qlora or lora, or precision.weights fp32, bf16 or fp16");
    const AdapterVariant adapter = traits(s.method.name).adapter;
    if (adapter != AdapterVariant::Lora && adapter != AdapterVariant::LoraFa && adapter != AdapterVariant::Vera &&
        !has_prompts(adapter))
        return refused(concat({"Method ", text(s, FieldId::MethodName),
                               " over quantised weights is not computed by this version"}),
                       "take method.name lora, qlora, lora_fa or vera, or weights in fp32, bf16 or fp16");
    const bool runs = a.kind == ArchitectureKind::Decoder || a.kind == ArchitectureKind::EncoderDecoder;
    if (!runs)
        return refused("Adapters over quantised weights of encoders and image models are not computed by this version",
                       "allowed here: fp32, bf16, fp16");
    if (a.num_experts > 0 && transformers_major(s.implementation.version) == 0)
        return Error{ErrorCode::Missing, field(FieldId::ImplementationVersion).key,
                     Pieces{"transformers 4 quantises experts, 5 joins them in one parameter, which stays as it is"},
                     Pieces{}};
    return std::nullopt;
}

Failure check_quantized(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const bool plain = s.precision.weights <= WeightFormat::F16 && s.method.name != MethodName::Qlora;
    const bool usual = s.method.name == MethodName::Qlora && s.precision.weights >= WeightFormat::Nf4 &&
                       s.precision.weights <= WeightFormat::Fp4Dq && a.kind == ArchitectureKind::Decoder &&
                       a.num_experts == 0;
    return plain || usual || s.task == Task::Inference ? std::nullopt : check_base(s);
}

Failure check_version(const Scenario& s) {
    const std::string& version = s.implementation.version;
    const int major = transformers_major(version), minor = transformers_minor(version);
    if (s.implementation.name != ImplementationName::HfTransformers) return std::nullopt;
    const int first = major == 4 ? first_minor_of(s.model.architecture.model_type) : 0;
    if (minor < first && minor != 0)
        return Error{ErrorCode::Inconsistent,
                     "implementation.version",
                     {"transformers 4.", std::to_string(minor), " has no ", s.model.architecture.model_type,
                      ": it came with 4.", std::to_string(first)},
                     {"allowed here: 4.", std::to_string(first), " or later, 5"}};
    if (is_version(version) && (major == 0 || major == 4 || major == 5)) return std::nullopt;
    return Error{ErrorCode::NotYet,
                 "implementation.version",
                 {"Version \"", version, "\" is not computed by this version"},
                 "transformers 5 or 4 (computed as 4.47), as 5, 4.47.1 or \"transformers 5.12.1, torch 2.14.1\""};
}

// Gradients that are gone after each parameter cannot be summed, over micro-batches or over ranks.
Failure check_forward_only(const Scenario& s) {
    if (s.task == Task::Inference || !traits(s.optimizer.name).forward_only) return std::nullopt;
    if (!has_block_program(s.model.architecture, library_of(s)) || s.optimizer.in_backward ||
        s.savers.loss == LossKind::FusedLinear)
        return Error{ErrorCode::NotYet, field(FieldId::OptimizerName).key,
                     Pieces{"Training without a backward pass is computed for models that have a program alone"},
                     Pieces{"take optimizer.name adamw; leave optimizer.in_backward and savers.loss out"}};
    return std::nullopt;
}

Failure check_in_backward(const Scenario& s) {
    if (!s.optimizer.in_backward || s.task == Task::Inference) return std::nullopt;
    const auto refused = [](FieldId id, std::string message, std::string hint) {
        return inconsistent(id, std::move(message) + ": optimizer.in_backward is true", std::move(hint));
    };
    if (s.batch.gradient_accumulation_steps > 1)
        return refused(FieldId::GradientAccumulationSteps,
                       named(s, FieldId::GradientAccumulationSteps) + " needs gradients that stay", "allowed here: 1");
    if (s.mesh.world_size > 1)
        return Error{ErrorCode::NotYet, std::string(field(FieldId::InBackward).key),
                     "Steps inside backward on several accelerators are not computed by this version",
                     "take optimizer.in_backward false"};
    const bool fp32_sum = s.precision.gradients == FloatDtype::Fp32 && s.precision.weights != WeightFormat::Fp32;
    if (fp32_sum || s.precision.gradient_accumulation_dtype != AccumulationDtype::None)
        return refused(FieldId::Gradients, "gradients summed in fp32 stay until the step",
                       "take precision.recipe fp32, bf16 or amp_bf16");
    return std::nullopt;
}

Failure check_states(const Scenario& s) {
    const OptimizerTraits& optimizer = traits(s.optimizer.name);
    if (s.task == Task::Inference) return std::nullopt;
    const bool steps_in_backward =
        s.optimizer.name == OptimizerName::Lomo || s.optimizer.name == OptimizerName::Adalomo;
    if (steps_in_backward && !s.optimizer.in_backward)
        return inconsistent(FieldId::InBackward,
                            {text(s, FieldId::OptimizerName), " updates each weight inside backward"},
                            "allowed here: true");
    if (keeps_in(optimizer, s.optimizer.state_dtype)) return std::nullopt;
    return inconsistent(
        FieldId::StateDtype,
        {named(s, FieldId::StateDtype), " is not how ", text(s, FieldId::OptimizerName), " keeps its states"},
        "leave optimizer.state_dtype out, or take an optimizer of its name");
}

// Something outside the layers that trains when all of them are frozen.
bool trains_outside(const Architecture& a) {
    for (const ParameterTensor& t : parameters(a)) {
        const Module m = module_of(t.role);
        const bool frozen = m == Module::Embedding || m == Module::Position || t.role == Role::EmbeddingNorm;
        if (t.stack == Stack::Outside && !frozen && t.tying == Tying::Own) return true;
    }
    return false;
}

std::string words_of(std::uint64_t modules) {
    return modules == 0 ? "none" : text_from_value(field(FieldId::TargetModules), static_cast<std::int64_t>(modules));
}

// Words without a module are left out with a note (defaults.cpp), unless there is no other.
[[gnu::noinline]] Failure check_words(const Scenario& s, FieldId id, std::uint64_t existing) {
    const auto words = static_cast<std::uint64_t>(field(id).access.get(s));
    if ((words & existing) != 0) return std::nullopt;
    if (existing == 0)
        return Error{ErrorCode::NotYet, std::string(field(FieldId::MethodName).key),
                     "Adapters and single modules of this architecture are not computed by this version",
                     "take method.name full"};
    return inconsistent(id,
                        {field(id).key, " (", words_of(words), ") match no ",
                         has_adapters(s) && id == FieldId::TargetModules ? "matrix" : "module", " of the model"},
                        {"the model has: ", words_of(existing)});
}

// Some of the modules named stand where nothing is frozen by its layer.
[[gnu::noinline]] Failure check_trained_modules(const Scenario& s) {
    if (s.method.target_modules == 0) return std::nullopt;
    const Architecture& a = s.model.architecture;
    if (Failure f = check_words(s, FieldId::TargetModules, existing_modules(a))) return f;
    const std::uint64_t roles = trained_roles(s);
    for (const ParameterTensor& t : parameters(a)) {
        if ((roles & role_bit(t.role)) == 0 || t.tying != Tying::Own || t.copies.value == 0) continue;
        const bool in_layers = t.stack == Stack::Layers || t.stack == Stack::Encoder || t.stack == Stack::Decoder;
        if (!in_layers) return std::nullopt;
        for (std::int64_t layer = s.method.first_trainable_layer; layer < stacked_layers(a); ++layer)
            if (t.layers.test(static_cast<std::size_t>(layer))) return std::nullopt;
    }
    return inconsistent(FieldId::TargetModules,
                        {named(s, FieldId::TargetModules), " stand in the ",
                         with_commas(s.method.first_trainable_layer), " layers that are frozen: nothing trains"},
                        "take a smaller method.first_trainable_layer");
}

[[gnu::noinline]] Failure check_frozen_layers(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    if (!has_block_program(a) && a.kind != ArchitectureKind::Decoder && a.kind != ArchitectureKind::Encoder)
        return Error{ErrorCode::NotYet, std::string(field(FieldId::MethodName).key),
                     "Freezing layers of this architecture is not computed by this version",
                     existing_targets(a) != 0 ? "take method.name full or lora" : "take method.name full"};
    const std::int64_t frozen = s.method.first_trainable_layer, layers = stacked_layers(a);
    const bool two_stacks = a.kind == ArchitectureKind::EncoderDecoder;
    if (frozen > layers)
        return inconsistent(FieldId::FirstTrainableLayer,
                            concat({named(s, FieldId::FirstTrainableLayer), " is beyond ",
                                    two_stacks ? "the layers of both stacks" : named(s, FieldId::NumHiddenLayers)}),
                            concat({"allowed: 0 to ", with_commas(layers)}));
    if (s.method.target_modules != 0) return check_trained_modules(s);
    if (frozen == layers && !trains_outside(a))
        return inconsistent(FieldId::FirstTrainableLayer,
                            {named(s, FieldId::FirstTrainableLayer),
                             " freezes everything: the head shares the embedding's weights and no norm has any"},
                            {"allowed: 0 to ", with_commas(layers - 1)});
    return std::nullopt;
}

Failure check_freeze(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const bool usual = a.kind == ArchitectureKind::Decoder && s.method.target_modules == 0 &&
                       s.method.first_trainable_layer < a.num_hidden_layers;
    return usual ? std::nullopt : check_frozen_layers(s);
}

// Adapters of parameters, not of modules: gate and up are one, and nothing is dropped between their two matrices.
[[gnu::noinline]] Failure check_adapted_experts(const Scenario& s) {
    const std::uint64_t modules = s.method.target_modules;
    const bool adapted = has_target(modules, TargetModule::UpProj) || has_target(modules, TargetModule::DownProj) ||
                         has_target(modules, TargetModule::Router);
    const AdapterVariant adapter = traits(s.method.name).adapter;
    if (adapted && adapter != AdapterVariant::Lora && adapter != AdapterVariant::LoraFa)
        return inconsistent(FieldId::TargetModules,
                            {"method ", text(s, FieldId::MethodName), " has no adapter for experts and routers"},
                            "name attention's modules alone, or take method.name lora");
    if (has_target(modules, TargetModule::GateProj) != has_target(modules, TargetModule::UpProj))
        return inconsistent(FieldId::TargetModules, "gate_proj and up_proj are one parameter of the experts",
                            "name both, or neither");
    if (adapted && s.method.dropout_permille != 0)
        return inconsistent(FieldId::MethodDropout, "adapters of experts and routers take no dropout",
                            "0, or attention's modules alone");
    return std::nullopt;
}

// Copies that train beside the adapters.
[[gnu::noinline]] Failure check_saved(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const std::uint64_t saved = s.method.modules_to_save;
    if (Failure failure = check_words(s, FieldId::ModulesToSave, existing_modules(a))) return failure;
    if ((saved & s.method.target_modules) != 0)
        return inconsistent(
            FieldId::ModulesToSave,
            {"method.modules_to_save and method.target_modules both name ", words_of(saved & s.method.target_modules)},
            "name it once");
    const auto refused = [](const Piece& what, const Piece& hint) {
        return Error{ErrorCode::NotYet, field(FieldId::ModulesToSave).key, Pieces{what}, Pieces{hint}};
    };
    if (!has_block_program(a) || s.implementation.name == ImplementationName::Litgpt)
        return refused("Modules trained beside adapters are not computed here", "leave method.modules_to_save out");
    const bool tied = a.tie_word_embeddings && a.kind != ArchitectureKind::Decoder;
    if (tied && (has_target(saved, TargetModule::LmHead) || has_target(saved, TargetModule::EmbedTokens)))
        return refused("Copies of tied weights are computed for decoders alone", "leave lm_head and embed_tokens out");
    for (const ParameterTensor& t : parameters(a))
        if ((roles_of(saved) & role_bit(t.role)) != 0 && has_quantized_base(s) && quantizes(s, t))
            return inconsistent(FieldId::ModulesToSave, {name(t.role), " is quantised and cannot be trained"},
                                "name modules that stay unquantised: lm_head, embed_tokens, norms");
    return std::nullopt;
}

// peft's layers_to_transform, as far as they are the last ones.
[[gnu::noinline]] Failure check_adapted_layers(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const std::int64_t first = s.method.first_trainable_layer;
    const bool stack = a.kind == ArchitectureKind::Decoder || a.kind == ArchitectureKind::Encoder;
    if (!stack || s.method.modules_to_save != 0)
        return Error{ErrorCode::NotYet, field(FieldId::FirstTrainableLayer).key,
                     Pieces{"Adapters in the last layers alone are not computed here"},
                     Pieces{"leave method.first_trainable_layer out"}};
    if (first >= a.num_hidden_layers)
        return inconsistent(FieldId::FirstTrainableLayer,
                            {named(s, FieldId::FirstTrainableLayer), " leaves no layer for adapters"},
                            {"allowed: 0 to ", with_commas(a.num_hidden_layers - 1)});
    return std::nullopt;
}

// In front of the text of a decoder alone.
[[gnu::noinline]] Failure check_prompted(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const bool runs = a.kind == ArchitectureKind::Decoder && a.task_head == TaskHead::CausalLm &&
                      s.implementation.name == ImplementationName::HfTransformers;
    if (!runs || s.method.modules_to_save != 0 || has_quantized_base(s))
        return Error{ErrorCode::NotYet, field(FieldId::MethodName).key,
                     Pieces{"Trained prompts are computed for language models of transformers in 16 or 32 bits alone"},
                     Pieces{"take method.name lora"}};
    return std::nullopt;
}

// Their sides, where rank or blocks do not suit them.
[[gnu::noinline]] Failure check_sides(const Scenario& s, const ParameterTensor& t) {
    const Architecture& a = s.model.architecture;
    const std::vector<std::int64_t> sides = dimensions(t);
    const std::int64_t least = std::min(sides[0], sides[1]);
    const bool single = sides.size() == 2 && t.role != Role::SharedExpertGate;  // which has one row
    if (single && has_low_rank(traits(s.method.name).adapter) && s.method.rank > least)
        return inconsistent(FieldId::MethodRank,
                            {named(s, FieldId::MethodRank), " is larger than ", name(t.role), " (",
                             with_commas(sides[0]), " × ", with_commas(sides[1]), ")"},
                            {"allowed: 1 to ", with_commas(least)});
    const std::int64_t in = sides[family(a.model_type).names == TensorNames::Gpt2 ? 0 : 1];
    if (s.method.name == MethodName::Oft && block_width({s.method.rank, in, 1}) < 2)
        return inconsistent(FieldId::MethodRank,
                            {"oft finds no blocks for the inputs of ", name(t.role), " (", with_commas(in), ")"},
                            "take other method.target_modules");
    if (s.method.name == MethodName::Boft && in % s.method.rank != 0)
        return inconsistent(FieldId::MethodRank,
                            {named(s, FieldId::MethodRank), " does not divide the inputs of ", name(t.role), " (",
                             with_commas(in), ")"},
                            "4 and 8 divide most");
    // peft takes the nearest width that divides the inputs.
    const std::int64_t block = s.method.name == MethodName::Oft ? block_width({s.method.rank, in, sides[0]}) : 2;
    if (block < 2 || block >= in)
        return inconsistent(FieldId::MethodRank,
                            {named(s, FieldId::MethodRank), " is near no width of blocks of the inputs of ",
                             name(t.role), " (", with_commas(in), ")"},
                            "16 and 32 suit most");
    return std::nullopt;
}

// What is usual enters no check that may refuse it: those come behind a first answer.
Failure check_adapters(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    if (s.method.first_trainable_layer != 0)
        if (Failure failure = check_adapted_layers(s)) return failure;
    if (prompt_length(s) > 0) return check_prompted(s);
    if (adapts_experts(a))
        if (Failure failure = check_adapted_experts(s)) return failure;
    const std::uint64_t existing = existing_targets(a);
    if ((s.method.target_modules & existing) == 0) return check_words(s, FieldId::TargetModules, existing);
    if (s.method.modules_to_save != 0)
        if (Failure failure = check_saved(s)) return failure;
    const bool usual = s.method.name <= MethodName::Qlora;
    for (const ParameterTensor& t : parameters(a)) {
        if (!is_target(a, s.method.target_modules, t)) continue;
        const std::vector<std::int64_t> sides = dimensions(t);
        if (usual && s.method.rank < std::min(sides[0], sides[1])) continue;
        if (Failure failure = check_sides(s, t)) return failure;
    }
    return std::nullopt;
}

[[gnu::noinline]] Failure check_layers_at_once(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    const bool stack = a.kind == ArchitectureKind::Decoder || a.kind == ArchitectureKind::Encoder;
    if (stack && a.vision.kind == TowerKind::None && a.num_hidden_layers > traits(s.method.name).layers_at_once)
        return std::nullopt;
    return Error{ErrorCode::NotYet, field(FieldId::MethodName).key,
                 Pieces{"Training some layers at a time is computed for one stack of layers alone"},
                 Pieces{"take method.name full or freeze"}};
}

[[gnu::noinline]] Failure check_chosen(const Scenario& s) {
    for (const ParameterTensor& t : parameters(s.model.architecture))
        if (trains(traits(s.method.name).train, t) && module_of(t.role) != Module::Vision) return std::nullopt;
    return inconsistent(
        FieldId::MethodName,
        concat({"method ", text(s, FieldId::MethodName), " trains nothing: the model has no such parameters"}),
        "take method.name full, freeze or lora");
}

[[gnu::noinline]] Failure refuse_without_layers(const Scenario& s) {
    return inconsistent(FieldId::MethodName,
                        {named(s, FieldId::MethodName), " needs the model's layers; only their total is known"},
                        "take method.name full, or give the model's dimensions");
}

// Apart, so that a first answer need not have it.
[[gnu::noinline]] Failure check_partial_training(const Scenario& s) {
    const ArchitectureKind kind = s.model.architecture.kind;
    if (kind == ArchitectureKind::ParameterCount || kind == ArchitectureKind::TotalOnly)
        return refuse_without_layers(s);
    if (s.method.name == MethodName::Freeze) return check_freeze(s);
    if (traits(s.method.name).layers_at_once > 0) return check_layers_at_once(s);
    return has_adapters(s) ? check_adapters(s) : check_chosen(s);
}

Failure check_method(const Scenario& s) {
    const bool whole = s.method.name == MethodName::Full || s.task == Task::Inference;
    return whole ? std::nullopt : check_partial_training(s);
}

using Check = Failure (*)(const Scenario&);
constexpr Check kChecks[] = {check_implementation, check_quantized,       check_version,     check_count,
                             check_mesh,           check_tensor_parallel, check_sharding,    check_positions,
                             check_context,        check_prompt,          check_precision,   check_attention,
                             check_loss,           check_compile,         check_reentrant,   check_checkpointing,
                             check_method,         check_states,          check_in_backward, check_forward_only,
                             check_images,         check_products,        check_global_batch};

}  // namespace

Failure validate(const Scenario& completed) {
    for (const Check check_one : kChecks)
        if (Failure failure = check_one(completed)) return failure;
    return std::nullopt;
}

}  // namespace memwall
