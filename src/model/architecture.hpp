// Architecture: what the shapes of a model's tensors follow from.
//
// The words are those of Hugging Face's config.json in one canonical spelling for all families, plus
// the facts that model code fixes and config.json does not name (norm, biases, position ...).
// A value 0 means "not used by this family". Filled by the catalogue, by importers, or by hand.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/architecture_parts.hpp"

namespace memwall {

enum class ArchitectureKind : std::uint8_t {
    Decoder,         // decoder-only language model: counted, and run as a block program where one exists
    ParameterCount,  // nothing known but the number of parameters
    TotalOnly,       // a catalogue model without a formula: only its published total
    Encoder,         // bert, modernbert, deberta
    EncoderDecoder,  // t5, bart, whisper
    Vision,          // vit, clip, siglip, resnet, vgg
    Diffusion,       // unet, dit, flux, sd3, wan
};
enum class Norm : std::uint8_t { RmsNorm, LayerNorm, LayerNormNoBias, LayerNormNonParametric };
enum class Position : std::uint8_t { Rope, Learned, Alibi, Relative, None };
enum class QkNorm : std::uint8_t { None, Head, Full, HeadLayerNorm, FullRepeated };
enum class ActivationFunction : std::uint8_t {
    Silu,
    Gelu,
    GeluNew,
    GeluTanh,
    QuickGelu,
    Relu,
    ReluSquared,
    XIelu,
    Gegelu,
};
enum class TaskHead : std::uint8_t {  // what stands on the last hidden state
    CausalLm,
    MaskedLm,
    SequenceClassification,
    Seq2SeqLm,
    ImageClassification,
    TokenClassification,
    None,
};
enum class ParamsSource : std::uint8_t { Computed, Published, Given };

struct Architecture {
    ArchitectureKind kind = ArchitectureKind::ParameterCount;
    std::string model_type;  // as in config.json; chooses the block program

    std::int64_t hidden_size = 0;
    std::int64_t intermediate_size = 0;  // width of one MLP matrix
    std::int64_t num_hidden_layers = 0;
    std::int64_t num_attention_heads = 0;
    std::int64_t num_key_value_heads = 0;
    std::int64_t head_dim = 0;
    std::int64_t vocab_size = 0;
    std::int64_t max_position_embeddings = 0;
    std::int64_t learned_positions = 0;  // rows of a learned position table
    std::int64_t sliding_window = 0;
    std::int64_t embedding_size = 0;  // width of the token embedding where it differs from hidden_size
    std::int64_t partial_rotary_permille = 1000;

    ActivationFunction hidden_act = ActivationFunction::Silu;
    Norm norm = Norm::RmsNorm;
    Position position = Position::Rope;
    QkNorm qk_norm = QkNorm::None;
    std::int64_t norms_per_layer = 2;  // 1: parallel block with one shared norm; 4: norms before and after
    bool final_norm = true;
    bool tie_word_embeddings = false;
    bool mlp_gated = true;  // three matrices instead of two
    bool qkv_bias = false;
    bool o_bias = false;
    bool mlp_bias = false;
    bool lm_head_bias = false;
    bool embedding_norm = false;
    bool parallel_residual = false;

    // Dropout of the training mode, per mille (gpt2: 100); 0 allocates nothing.
    std::int64_t attention_dropout_permille = 0;
    std::int64_t residual_dropout_permille = 0;
    std::int64_t embedding_dropout_permille = 0;
    std::int64_t activation_dropout_permille = 0;  // after the activation of an MLP (bart)

    // Mixture of experts; num_experts 0 = dense.
    std::int64_t num_experts = 0;
    std::int64_t num_experts_per_tok = 0;
    std::int64_t moe_intermediate_size = 0;
    std::int64_t num_shared_experts = 0;
    std::int64_t shared_expert_intermediate_size = 0;
    std::int64_t first_k_dense = 0;

    // Latent attention (MLA); kv_lora_rank 0 = ordinary attention.
    std::int64_t q_lora_rank = 0;
    std::int64_t kv_lora_rank = 0;
    std::int64_t qk_nope_head_dim = 0;
    std::int64_t qk_rope_head_dim = 0;
    std::int64_t v_head_dim = 0;

    // One letter a layer, empty = all full: F full attention, S sliding or chunked, L gated delta net, K Kimi
    // delta attention, G lightning attention, m Mamba-1, M Mamba-2, C short convolution, P attention and
    // Mamba-2 in parallel, A attention only, - MLP only, E experts only; f and s: F and S without experts.
    std::string layer_pattern;
    std::int64_t conv_l_cache = 0;  // kernel of a short convolution (C)

    // One number a layer where layers differ; empty = all alike.
    std::vector<std::int64_t> intermediate_sizes;

    TaskHead task_head = TaskHead::CausalLm;
    std::int64_t num_labels = 0;        // outputs of a classifier
    bool mlp_sub_norm = false;          // norm before the down projection
    std::int64_t extra_parameters = 0;  // counted, but not described
    std::int64_t extra_parameters_per_layer = 0;
    std::int64_t mlp_extra_parameters = 0;  // learned scalars of an activation, a layer

    MoeLayout moe;
    AttentionExtras attention;
    LinearAttention linear_attention;
    Mamba mamba;
    PerLayerEmbedding per_layer_embedding;
    EncoderParts encoder;
    EncoderDecoderParts encoder_decoder;
    VisionTower vision;
    TextTower text;
    ImageParts image;
    DiffusionParts diffusion;
    ConvolutionParts convolution;

    // The number of parameters where no formula gives it (TotalOnly, ParameterCount), or the computed one.
    std::int64_t total_parameters = 0;
    std::int64_t active_parameters = 0;  // per token, experts not chosen left out; 0 = all

    friend bool operator==(const Architecture&, const Architecture&) = default;
};

inline constexpr std::int64_t kMaxLayers = 1024;
inline constexpr std::int64_t kMaxParameters = 100'000'000'000'000;  // 10^14

// Fills what follows from the rest: key/value heads = heads, head_dim = hidden_size / heads where that
// divides, rows of a learned position table.
Architecture with_defaults(Architecture);

// Widths that several modules need.
constexpr std::int64_t query_width(const Architecture& a) { return a.num_attention_heads * a.head_dim; }
constexpr std::int64_t key_value_width(const Architecture& a) { return a.num_key_value_heads * a.head_dim; }
constexpr std::int64_t shared_expert_width(const Architecture& a) {
    return a.shared_expert_intermediate_size != 0 ? a.shared_expert_intermediate_size
                                                  : a.num_shared_experts * a.moe_intermediate_size;
}

// Of a query head: the part that is rotated, and the rest.
struct HeadParts {
    std::int64_t rotated = 0, passed = 0;
};
constexpr HeadParts head_parts(const Architecture& a) {
    if (a.kv_lora_rank != 0) return {a.qk_rope_head_dim, a.qk_nope_head_dim};
    const std::int64_t rotated = a.head_dim * a.partial_rotary_permille / 1000 / 2 * 2;
    return {rotated, a.head_dim - rotated};
}

// All layers, numbered through: those of an encoder before those of its decoder.
constexpr std::int64_t stacked_layers(const Architecture& a) {
    return a.num_hidden_layers + a.encoder_decoder.num_encoder_layers + a.encoder_decoder.num_decoder_layers;
}
// How far a layer with a window sees: back, or in an encoder half of it to either side.
constexpr std::int64_t window_reach(const Architecture& a) {
    return a.kind == ArchitectureKind::Encoder ? a.sliding_window / 2 : a.sliding_window;
}

// What stands before the patches of an image.
constexpr std::int64_t class_tokens(const Architecture& a) {
    return (a.image.no_cls_token ? 0 : 1) + (a.image.distillation_token ? 1 : 0);
}

// Sizes positive, heads divide, at most kMaxLayers and kMaxParameters; the error names the config word
// ("model.config.num_attention_heads"), the value and what is allowed.
Failure check(const Architecture&);

}  // namespace memwall
