// Field rows: what the model is (catalogue id, parameter count, config.json words, structure).
//
// Included by fields.cpp only. Flag and group follow from the key where they are not written.
// Config words that only later engines read have no access: their keys are settled, setting them is
// refused with `later`.
#pragma once
#include <iterator>

#include "model/layer_letters.hpp"
#include "plan/field_access.hpp"
#include "plan/field_words.hpp"

namespace memwall::field_rows {

using Id = FieldId;
using A = Architecture;
inline constexpr std::int64_t kMaxWidth = 1 << 20;
inline constexpr std::int64_t kMaxWide = 1 << 24;
inline constexpr std::string_view kFromModel = "the model's";

constexpr std::int64_t kind_of(const Scenario& s) {
    switch (s.model.architecture.kind) {
        case ArchitectureKind::Decoder:
            return 0;
        case ArchitectureKind::Encoder:
            return 1;
        case ArchitectureKind::EncoderDecoder:
            return 2;
        case ArchitectureKind::Vision:
            return 5;
        case ArchitectureKind::Diffusion:
            return 9;
        case ArchitectureKind::ParameterCount:
        case ArchitectureKind::TotalOnly:
            return 10;
    }
    return 10;
}

constexpr ArchitectureKind kind_from(std::int64_t arch_word) {
    constexpr ArchitectureKind kKinds[] = {
        ArchitectureKind::Decoder,        ArchitectureKind::Encoder,        ArchitectureKind::EncoderDecoder,
        ArchitectureKind::EncoderDecoder, ArchitectureKind::EncoderDecoder, ArchitectureKind::Vision,
        ArchitectureKind::Vision,         ArchitectureKind::Vision,         ArchitectureKind::Diffusion,
        ArchitectureKind::Diffusion,      ArchitectureKind::TotalOnly};
    static_assert(std::size(kKinds) == kArchWords.size());
    return kKinds[arch_word];
}

// clang-format off
inline constexpr FieldRow kModelRows[] = {
    {.id = Id::ModelRef, .key = "model.ref", .flag = "model", .kind = FieldKind::Text,
     .access = text_at<&Scenario::model, &ModelChoice::ref>(), .label = "Model",
     .help = "A model of the catalogue; any part of its name in any case."},
    {.id = Id::ModelName, .key = "model.name", .flag = "model-name", .kind = FieldKind::Text,
     .access = text_at<&Scenario::model, &ModelChoice::name>(), .label = "Name of the model",
     .help = "What to call a model that is described by hand.", .default_from = kFromModel},
    {.id = Id::ModelParams, .key = "model.params", .alias = "parameters", .kind = FieldKind::Integer,
     .access = arch<&A::total_parameters>(), .label = "Parameters", .unit = "parameters",
     .help = "Number of parameters; given alone, the standard rule is used and activations are assumed.",
     .minimum = 1, .maximum = kMaxParameters, .default_from = kFromModel},

    {.id = Id::ModelType, .key = "model.config.model_type", .kind = FieldKind::Text,
     .access = text_at<&Scenario::model, &ModelChoice::architecture, &A::model_type>(), .label = "Model type",
     .help = "model_type of config.json; chooses the program of a block.", .default_from = kFromModel},
    {.id = Id::HiddenSize, .key = "model.config.hidden_size", .kind = FieldKind::Integer,
     .access = arch<&A::hidden_size>(), .label = "Hidden size",
     .help = "Width of the residual stream.", .minimum = 1, .maximum = kMaxWidth, .default_from = kFromModel},
    {.id = Id::IntermediateSize, .key = "model.config.intermediate_size", .kind = FieldKind::Integer,
     .access = arch<&A::intermediate_size>(), .label = "Intermediate size",
     .help = "Width of one MLP matrix.", .minimum = 1, .maximum = kMaxWide, .default_from = kFromModel},
    {.id = Id::NumHiddenLayers, .key = "model.config.num_hidden_layers", .alias = "layers", .kind = FieldKind::Integer,
     .access = arch<&A::num_hidden_layers>(), .label = "Layers",
     .help = "Number of blocks.", .minimum = 1, .maximum = kMaxLayers, .default_from = kFromModel},
    {.id = Id::NumAttentionHeads, .key = "model.config.num_attention_heads", .alias = "heads",
     .kind = FieldKind::Integer, .access = arch<&A::num_attention_heads>(), .label = "Attention heads",
     .help = "Query heads of a layer.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::NumKeyValueHeads, .key = "model.config.num_key_value_heads", .alias = "kv-heads",
     .kind = FieldKind::Integer, .access = arch<&A::num_key_value_heads>(), .label = "Key/value heads",
     .help = "Heads that keep a key and a value; fewer than attention heads is grouped-query attention.",
     .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::HeadDim, .key = "model.config.head_dim", .kind = FieldKind::Integer,
     .access = arch<&A::head_dim>(), .label = "Head dimension",
     .help = "Width of one attention head; hidden size ÷ attention heads where not stated.",
     .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::VocabSize, .key = "model.config.vocab_size", .alias = "vocab", .kind = FieldKind::Integer,
     .access = arch<&A::vocab_size>(), .label = "Vocabulary",
     .help = "Rows of the token embedding.", .minimum = 1, .maximum = kMaxWide, .default_from = kFromModel},
    {.id = Id::TieWordEmbeddings, .key = "model.config.tie_word_embeddings", .alias = "tied", .kind = FieldKind::Flag,
     .access = arch<&A::tie_word_embeddings>(), .label = "Tied embeddings",
     .help = "The output head shares the token embedding's storage.", .default_from = kFromModel},
    {.id = Id::HiddenAct, .key = "model.config.hidden_act", .kind = FieldKind::Choice,
     .access = arch<&A::hidden_act>(), .label = "Activation function",
     .help = "Function between the MLP matrices.", .choices = kHiddenActWords, .default_from = kFromModel},
    {.id = Id::MaxPositionEmbeddings, .key = "model.config.max_position_embeddings", .kind = FieldKind::Integer,
     .access = arch<&A::max_position_embeddings>(), .label = "Maximum positions", .unit = "tokens",
     .help = "Longest sequence the model was made for.", .minimum = 1, .maximum = 1 << 30, .default_from = kFromModel},
    {.id = Id::SlidingWindow, .key = "model.config.sliding_window", .kind = FieldKind::Integer,
     .access = arch<&A::sliding_window>(), .label = "Sliding window", .unit = "tokens",
     .help = "Tokens a sliding layer attends to; 0: no layer slides.", .maximum = 1 << 30, .default_from = kFromModel},
    {.id = Id::PartialRotaryFactor, .key = "model.config.partial_rotary_factor", .kind = FieldKind::Fraction,
     .access = arch<&A::partial_rotary_permille>(), .label = "Rotary part of a head",
     .help = "Part of a head's width that is rotated.", .minimum = 1, .maximum = 1000, .scale = 1000,
     .default_from = kFromModel},
    {.id = Id::EmbeddingSize, .key = "model.config.embedding_size", .alias = "model.config.word_embed_proj_dim",
     .kind = FieldKind::Integer, .access = arch<&A::embedding_size>(), .label = "Embedding size",
     .help = "Width of the token embedding where it differs from the hidden size.",
     .minimum = 1, .maximum = kMaxWidth, .default_from = kFromModel},
    {.id = Id::NumExperts, .key = "model.config.num_experts", .kind = FieldKind::Integer,
     .access = arch<&A::num_experts>(), .label = "Experts",
     .help = "Experts of a mixture layer.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::NumExpertsPerTok, .key = "model.config.num_experts_per_tok", .kind = FieldKind::Integer,
     .access = arch<&A::num_experts_per_tok>(), .label = "Experts per token",
     .help = "Experts that each token visits.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::MoeIntermediateSize, .key = "model.config.moe_intermediate_size", .kind = FieldKind::Integer,
     .access = arch<&A::moe_intermediate_size>(), .label = "Intermediate size of an expert",
     .help = "Width of one expert's MLP matrix.", .minimum = 1, .maximum = kMaxWide, .default_from = kFromModel},
    {.id = Id::NumSharedExperts, .key = "model.config.n_shared_experts", .kind = FieldKind::Integer,
     .access = arch<&A::num_shared_experts>(), .label = "Shared experts",
     .help = "Experts that every token visits.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::SharedExpertIntermediateSize, .key = "model.config.shared_expert_intermediate_size",
     .kind = FieldKind::Integer, .access = arch<&A::shared_expert_intermediate_size>(),
     .label = "Intermediate size of the shared expert", .help = "Width of the shared expert's MLP matrix.",
     .minimum = 1, .maximum = kMaxWide, .default_from = kFromModel},
    {.id = Id::FirstKDenseReplace, .key = "model.config.first_k_dense_replace", .kind = FieldKind::Integer,
     .access = arch<&A::first_k_dense>(), .label = "Leading dense layers",
     .help = "Layers before the first mixture layer.", .maximum = kMaxLayers, .default_from = kFromModel},
    {.id = Id::QLoraRank, .key = "model.config.q_lora_rank", .kind = FieldKind::Integer,
     .access = arch<&A::q_lora_rank>(), .label = "Query rank (MLA)",
     .help = "Rank of the query projection of latent attention.", .minimum = 1, .maximum = kMaxWidth,
     .default_from = kFromModel},
    {.id = Id::KvLoraRank, .key = "model.config.kv_lora_rank", .kind = FieldKind::Integer,
     .access = arch<&A::kv_lora_rank>(), .label = "Key/value rank (MLA)",
     .help = "Rank of the key/value projection of latent attention.", .minimum = 1, .maximum = kMaxWidth,
     .default_from = kFromModel},
    {.id = Id::QkNopeHeadDim, .key = "model.config.qk_nope_head_dim", .kind = FieldKind::Integer,
     .access = arch<&A::qk_nope_head_dim>(), .label = "Unrotated head width (MLA)",
     .help = "Width of a query/key head without rotation.", .minimum = 1, .maximum = 65'536,
     .default_from = kFromModel},
    {.id = Id::QkRopeHeadDim, .key = "model.config.qk_rope_head_dim", .kind = FieldKind::Integer,
     .access = arch<&A::qk_rope_head_dim>(), .label = "Rotated head width (MLA)",
     .help = "Width of a query/key head with rotation.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::VHeadDim, .key = "model.config.v_head_dim", .kind = FieldKind::Integer,
     .access = arch<&A::v_head_dim>(), .label = "Value head width (MLA)",
     .help = "Width of a value head.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::LayerTypes, .key = "model.config.layer_types", .kind = FieldKind::Text,
     .access = {.text = MemberAt<&Scenario::model, &ModelChoice::architecture, &A::layer_pattern>::text,
                .set_text = [](Scenario& s, std::string words) {
                    s.model.architecture.layer_pattern = layer_pattern_from_words(words);
                }},
     .label = "Layer types", .help = "Kind of every layer, in order: words separated by commas, or one letter a layer.",
     .maximum = 32'768, .default_from = kFromModel},
    {.id = Id::NumEncoderLayers, .key = "model.config.num_encoder_layers", .kind = FieldKind::Integer, .access = arch<&A::encoder_decoder, &EncoderDecoderParts::num_encoder_layers>(),
     .label = "Encoder layers", .help = "Blocks of the encoder.", .minimum = 1, .maximum = kMaxLayers, .default_from = kFromModel},
    {.id = Id::NumDecoderLayers, .key = "model.config.num_decoder_layers", .kind = FieldKind::Integer, .access = arch<&A::encoder_decoder, &EncoderDecoderParts::num_decoder_layers>(),
     .label = "Decoder layers", .help = "Blocks of the decoder of an encoder-decoder.", .minimum = 1,
     .maximum = kMaxLayers, .default_from = kFromModel},
    {.id = Id::RelativeAttentionNumBuckets, .key = "model.config.relative_attention_num_buckets",
     .kind = FieldKind::Integer, .access = arch<&A::encoder_decoder, &EncoderDecoderParts::relative_buckets>(), .label = "Relative position buckets",
     .help = "Rows of the table of relative positions.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::TypeVocabSize, .key = "model.config.type_vocab_size", .kind = FieldKind::Integer, .access = arch<&A::encoder, &EncoderParts::type_vocab_size>(),
     .label = "Token types", .help = "Rows of the token type embedding.", .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::ConfigImageSize, .key = "model.config.image_size", .flag = "model-image-size",
     .kind = FieldKind::Integer, .access = arch<&A::image, &ImageParts::image_size>(), .label = "Image size of the model", .unit = "pixels",
     .help = "Side of the image the model was made for.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::PatchSize, .key = "model.config.patch_size", .kind = FieldKind::Integer, .access = arch<&A::image, &ImageParts::patch_size>(), .label = "Patch size",
     .unit = "pixels", .help = "Side of an image patch.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::NumLabels, .key = "model.config.num_labels", .kind = FieldKind::Integer, .access = arch<&A::num_labels>(), .label = "Labels",
     .help = "Classes of a classification head.", .minimum = 1, .maximum = kMaxWidth, .default_from = kFromModel},
    {.id = Id::MaxSourcePositions, .key = "model.config.max_source_positions", .kind = FieldKind::Integer, .access = arch<&A::encoder_decoder, &EncoderDecoderParts::max_source_positions>(),
     .label = "Source positions", .help = "Positions of an audio encoder.", .minimum = 1, .maximum = kMaxWide, .default_from = kFromModel},
    {.id = Id::NumMelBins, .key = "model.config.num_mel_bins", .kind = FieldKind::Integer, .access = arch<&A::encoder_decoder, &EncoderDecoderParts::num_mel_bins>(), .label = "Mel bins",
     .help = "Channels of an audio encoder's input.", .minimum = 1, .maximum = 65'536, .default_from = kFromModel},
    {.id = Id::AttentionDropout, .key = "model.config.attention_dropout", .kind = FieldKind::Fraction,
     .access = arch<&A::attention_dropout_permille>(), .label = "Attention dropout",
     .help = "Dropout of the attention probabilities while training; 0 allocates nothing.", .maximum = 999,
     .scale = 1000, .default_from = kFromModel},
    {.id = Id::ResidualDropout, .key = "model.config.residual_dropout", .kind = FieldKind::Fraction,
     .access = arch<&A::residual_dropout_permille>(), .label = "Residual dropout",
     .help = "Dropout before a residual sum while training; 0 allocates nothing.", .maximum = 999, .scale = 1000,
     .default_from = kFromModel},
    {.id = Id::EmbeddingDropout, .key = "model.config.embedding_dropout", .kind = FieldKind::Fraction,
     .access = arch<&A::embedding_dropout_permille>(), .label = "Embedding dropout",
     .help = "Dropout after the embedding while training; 0 allocates nothing.", .maximum = 999, .scale = 1000,
     .default_from = kFromModel},
    {.id = Id::ActivationDropout, .key = "model.config.activation_dropout", .kind = FieldKind::Fraction,
     .access = arch<&A::activation_dropout_permille>(), .label = "Activation dropout",
     .help = "Dropout inside the MLP while training; 0 allocates nothing.", .maximum = 999, .scale = 1000,
     .default_from = kFromModel},

    {.id = Id::Arch, .key = "model.structure.arch", .kind = FieldKind::Choice,
     .access = {.get = kind_of,
                .set = [](Scenario& s, std::int64_t word) { s.model.architecture.kind = kind_from(word); }},
     .label = "Kind of network", .help = "What the model is made of.", .choices = kArchWords,
     .default_from = kFromModel},
    {.id = Id::Norm, .key = "model.structure.norm", .kind = FieldKind::Choice, .access = arch<&A::norm>(),
     .label = "Norm", .help = "Normalisation of the blocks.", .choices = kNormWords, .default_from = kFromModel},
    {.id = Id::NormsPerLayer, .key = "model.structure.norms_per_layer", .kind = FieldKind::Integer,
     .access = arch<&A::norms_per_layer>(), .label = "Norms per layer",
     .help = "1: one shared by parallel branches; 2: before each branch; 4: before and after each.", .maximum = 6,
     .default_from = kFromModel},
    {.id = Id::FinalNorm, .key = "model.structure.final_norm", .kind = FieldKind::Flag,
     .access = arch<&A::final_norm>(), .label = "Final norm", .help = "A norm after the last block.",
     .default_from = kFromModel},
    {.id = Id::MlpGated, .key = "model.structure.mlp_gated", .kind = FieldKind::Flag,
     .access = arch<&A::mlp_gated>(), .label = "Gated MLP", .help = "Three MLP matrices instead of two.",
     .default_from = kFromModel},
    {.id = Id::QkvBias, .key = "model.structure.qkv_bias", .kind = FieldKind::Flag, .access = arch<&A::qkv_bias>(),
     .label = "Bias of q, k, v", .help = "Query, key and value projections have a bias.",
     .default_from = kFromModel},
    {.id = Id::OBias, .key = "model.structure.o_bias", .kind = FieldKind::Flag, .access = arch<&A::o_bias>(),
     .label = "Bias of the attention output", .help = "The attention output projection has a bias.",
     .default_from = kFromModel},
    {.id = Id::MlpBias, .key = "model.structure.mlp_bias", .kind = FieldKind::Flag, .access = arch<&A::mlp_bias>(),
     .label = "Bias of the MLP", .help = "The MLP matrices have a bias.", .default_from = kFromModel},
    {.id = Id::LmHeadBias, .key = "model.structure.lm_head_bias", .kind = FieldKind::Flag,
     .access = arch<&A::lm_head_bias>(), .label = "Bias of the output head", .help = "The output head has a bias.",
     .default_from = kFromModel},
    {.id = Id::QkNorm, .key = "model.structure.qk_norm", .kind = FieldKind::Choice, .access = arch<&A::qk_norm>(),
     .label = "Norm of queries and keys", .help = "Normalisation of queries and keys, per head or over all heads.",
     .choices = kQkNormWords, .default_from = kFromModel},
    {.id = Id::Position, .key = "model.structure.position", .kind = FieldKind::Choice,
     .access = arch<&A::position>(), .label = "Positions", .help = "How positions enter the model.",
     .choices = kPositionWords, .default_from = kFromModel},
    {.id = Id::LearnedPositions, .key = "model.structure.learned_positions", .kind = FieldKind::Integer,
     .access = arch<&A::learned_positions>(), .label = "Learned positions", .unit = "tokens",
     .help = "Rows of a learned position table.", .minimum = 1, .maximum = 1 << 26, .default_from = kFromModel},
    {.id = Id::EmbeddingNorm, .key = "model.structure.embedding_norm", .kind = FieldKind::Flag,
     .access = arch<&A::embedding_norm>(), .label = "Norm after the embedding",
     .help = "A norm after the token embedding.", .default_from = kFromModel},
    {.id = Id::ParallelResidual, .key = "model.structure.parallel_residual", .kind = FieldKind::Flag,
     .access = arch<&A::parallel_residual>(), .label = "Parallel branches",
     .help = "Attention and MLP read the same input.", .default_from = kFromModel},
    {.id = Id::RouterBias, .key = "model.structure.router_bias", .kind = FieldKind::Flag, .access = arch<&A::moe, &MoeLayout::router_bias>(),
     .label = "Bias of the router", .help = "The router has a bias.", .default_from = kFromModel},
    {.id = Id::ExpertBias, .key = "model.structure.expert_bias", .kind = FieldKind::Flag, .access = arch<&A::moe, &MoeLayout::expert_bias>(),
     .label = "Bias of the experts", .help = "The experts' matrices have a bias.", .default_from = kFromModel},
    {.id = Id::SharedExpertGate, .key = "model.structure.shared_expert_gate", .kind = FieldKind::Flag, .access = arch<&A::moe, &MoeLayout::shared_expert_gate>(),
     .label = "Gate of the shared expert", .help = "The shared expert has a gate.", .default_from = kFromModel},
    {.id = Id::AttentionSinks, .key = "model.structure.attention_sinks", .kind = FieldKind::Flag, .access = arch<&A::attention, &AttentionExtras::sinks>(),
     .label = "Attention sinks", .help = "One learned sink a head.", .default_from = kFromModel},
    {.id = Id::ExtraParamsPerLayer, .key = "model.structure.extra_params_per_layer", .kind = FieldKind::Integer, .access = arch<&A::extra_parameters_per_layer>(),
     .label = "Further parameters per layer", .help = "Parameters of a layer that no word describes.",
     .maximum = kMaxParameters, .default_from = kFromModel},
    {.id = Id::ExtraParams, .key = "model.structure.extra_params", .kind = FieldKind::Integer, .access = arch<&A::extra_parameters>(),
     .label = "Further parameters", .help = "Parameters outside the layers, such as a vision tower's.",
     .maximum = kMaxParameters, .default_from = kFromModel},
    {.id = Id::Pooler, .key = "model.structure.pooler", .kind = FieldKind::Flag, .access = arch<&A::encoder, &EncoderParts::pooler>(), .label = "Pooler",
     .help = "An encoder's pooling layer.", .default_from = kFromModel},
    {.id = Id::MlmHead, .key = "model.structure.mlm_head", .kind = FieldKind::Flag, .access = arch<&A::encoder, &EncoderParts::mlm_head>(), .label = "Masked-LM head",
     .help = "The head of masked language modelling.", .default_from = kFromModel},
    {.id = Id::ClsHead, .key = "model.structure.cls_head", .kind = FieldKind::Choice, .access = arch<&A::encoder, &EncoderParts::classifier>(), .label = "Classification head",
     .help = "The head of a classifier.", .choices = kClsHeadWords, .default_from = kFromModel},
    {.id = Id::TaskHead, .key = "model.structure.task_head", .kind = FieldKind::Choice, .access = arch<&A::task_head>(), .label = "Head",
     .help = "What the model is trained for.", .choices = kTaskHeadWords, .default_from = kFromModel},
};
// clang-format on

}  // namespace memwall::field_rows
