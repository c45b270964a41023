// Parts of an Architecture that only some families have, each a plain value of its own.
//
// All zero (or false) = not used. The words are those of config.json where it has one; the catalogue's
// facts table (model/facts.hpp) names every member once more for data files and records.
#pragma once
#include <array>
#include <cstdint>

namespace memwall {

// Which layers hold experts, and what a mixture has beside them. Sizes stand in Architecture.
struct MoeLayout {
    std::int64_t moe_layer_step = 1;    // every n-th layer holds experts ...
    std::int64_t moe_layer_offset = 0;  // ... counted from here, and never before first_k_dense
    bool router_bias = false;
    bool expert_bias = false;
    bool shared_expert_gate = false;
    bool dense_mlp_beside_moe = false;  // a dense MLP of intermediate_size in parallel
    bool norm_topk_prob = false;        // scores of the chosen experts are divided by their sum
    std::int64_t n_group = 0;           // groups of experts, of which topk_group are chosen first; 0 = none
    std::int64_t topk_group = 0;
    friend bool operator==(const MoeLayout&, const MoeLayout&) = default;
};

enum class AttentionGate : std::uint8_t { None, PerHead, Full };  // a gate projection beside q, k and v

struct AttentionExtras {
    AttentionGate gate = AttentionGate::None;
    bool output_gate = false;        // the query projection is doubled
    bool sinks = false;              // one learned scalar a head
    bool sub_norm = false;           // norm before the output projection
    bool no_key_bias = false;        // qkv_bias without the key
    bool clip_qkv = false;           // queries, keys and values are clamped
    bool rotates_halves = false;     // latent attention: halves are rotated, not neighbours
    bool values_are_keys = false;    // full-attention layers reuse keys as values
    std::int64_t full_head_dim = 0;  // sizes of full-attention layers where they differ
    std::int64_t full_num_key_value_heads = 0;
    std::int64_t sliding_num_attention_heads = 0;  // sizes of sliding layers where they differ
    std::int64_t sliding_num_key_value_heads = 0;
    std::int64_t num_kv_shared_layers = 0;  // the last n layers reuse keys and values of earlier ones
    std::int64_t index_n_heads = 0;         // sparse indexer beside latent attention
    std::int64_t index_head_dim = 0;
    friend bool operator==(const AttentionExtras&, const AttentionExtras&) = default;
};

struct LinearAttention {  // gated delta net (L) and Kimi delta attention (K)
    std::int64_t num_key_heads = 0, key_head_dim = 0;
    std::int64_t num_value_heads = 0, value_head_dim = 0;
    std::int64_t num_heads = 0, head_dim = 0;
    std::int64_t conv_kernel_dim = 0;
    friend bool operator==(const LinearAttention&, const LinearAttention&) = default;
};

struct Mamba {  // m: version 1 (dt_rank), M and P: version 2 (n_groups, n_heads)
    std::int64_t d_inner = 0, d_state = 0, d_conv = 0;
    std::int64_t dt_rank = 0;
    std::int64_t n_groups = 0, n_heads = 0;
    bool only_block = false;   // a Mamba layer has no MLP
    bool inner_norms = false;  // norms on dt, B and C
    bool no_gated_norm = false;
    friend bool operator==(const Mamba&, const Mamba&) = default;
};

struct PerLayerEmbedding {  // Gemma E models
    std::int64_t hidden_size_per_layer_input = 0;
    std::int64_t vocab_size_per_layer_input = 0;
    friend bool operator==(const PerLayerEmbedding&, const PerLayerEmbedding&) = default;
};

enum class ClassifierHead : std::uint8_t { None, Linear, Dense };  // Dense: one more square layer before it

struct EncoderParts {  // bert, deberta, modernbert
    std::int64_t type_vocab_size = 0;
    std::int64_t relative_positions = 0;
    std::int64_t conv_kernel = 0;
    bool pooler = false;
    bool mlm_head = false;
    bool shared_layers = false;  // one set of weights for all layers (albert)
    ClassifierHead classifier = ClassifierHead::None;
    friend bool operator==(const EncoderParts&, const EncoderParts&) = default;
};

struct EncoderDecoderParts {  // t5, bart, whisper
    std::int64_t num_encoder_layers = 0, num_decoder_layers = 0;
    std::int64_t relative_buckets = 0;
    std::int64_t num_mel_bins = 0, max_source_positions = 0;
    bool final_encoder_norm = false;
    bool plain_head = false;  // t5: what goes into a tied head is not scaled
    friend bool operator==(const EncoderDecoderParts&, const EncoderDecoderParts&) = default;
};

enum class TowerKind : std::uint8_t { None, Clip, Siglip, Qwen2Vl, Qwen25Vl, Qwen3Vl, Gemma4, Llama4, Pixtral };

struct VisionTower {  // of a vision-language model or of a dual encoder; a ViT alone uses Architecture's own sizes
    TowerKind kind = TowerKind::None;
    std::int64_t hidden_size = 0, intermediate_size = 0, num_hidden_layers = 0, num_attention_heads = 0;
    std::int64_t image_size = 0, patch_size = 0, temporal_patch_size = 0;
    std::int64_t num_positions = 0;
    std::int64_t spatial_merge_size = 0, out_hidden_size = 0, deepstack_layers = 0;
    std::int64_t projector_parameters = 0;  // of the projector into the language model, where only its size is known
    bool pooling_head = false;
    bool standardize = false;
    bool clipped_linears = false;
    friend bool operator==(const VisionTower&, const VisionTower&) = default;
};

struct TextTower {  // of a dual encoder (clip, siglip)
    std::int64_t hidden_size = 0, intermediate_size = 0, num_hidden_layers = 0, num_attention_heads = 0;
    std::int64_t vocab_size = 0, learned_positions = 0;
    friend bool operator==(const TextTower&, const TextTower&) = default;
};

struct ImageParts {                                                 // ViT family and image inputs of diffusion models
    std::int64_t image_size = 0, patch_size = 0, patch_frames = 1;  // patch_frames: of a video patch
    std::int64_t in_channels = 0, out_channels = 0;
    std::int64_t register_tokens = 0;
    std::int64_t projection_dim = 0;
    bool no_cls_token = false, mask_token = false;
    bool distillation_token = false;  // deit has it beside the class token, and may have a classifier on it
    bool second_classifier = false;
    bool layer_scale = false, pre_norm = false, packed_gate = false;  // packed_gate: gated MLP as one matrix
    bool drops_paths = false;                                         // stochastic depth
    friend bool operator==(const ImageParts&, const ImageParts&) = default;
};

struct DiffusionParts {  // unet, dit, flux, sd3, wan
    std::array<std::int64_t, 4> block_out_channels{}, transformer_layers_per_block{};
    std::int64_t layers_per_block = 0, mid_depth = 0, cross_attention_dim = 0, add_embed_dim = 0;
    std::int64_t num_double_layers = 0, num_single_layers = 0, dual_attention_layers = 0;
    std::int64_t text_dim = 0, pooled_dim = 0, position_rows = 0;
    bool guidance_embeds = false;
    friend bool operator==(const DiffusionParts&, const DiffusionParts&) = default;
};

struct ConvolutionParts {                  // resnet, vgg, swin
    std::array<std::int64_t, 5> blocks{};  // of each stage; vgg: convolutions of each stage
    std::int64_t width_multiplier = 1;
    bool bottleneck = false;
    friend bool operator==(const ConvolutionParts&, const ConvolutionParts&) = default;
};

}  // namespace memwall
