#include "model/facts.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/packed_rows.hpp"

namespace memwall {
namespace {

constexpr WordList kFlag = "false|true";
constexpr WordList kActivationWords = "silu|gelu|gelu_new|gelu_pytorch_tanh|quick_gelu|relu|relu2|xielu|gegelu";
constexpr WordList kNormWords = "rmsnorm|layernorm|layernorm_nobias|layernorm_nonparam";
constexpr WordList kPositionWords = "rope|learned|alibi|relative|none";
constexpr WordList kQkNormWords = "none|head|full|head_ln|full_kvfull";
constexpr WordList kGateWords = "none|per_head|full";
constexpr WordList kClassifierWords = "none|linear|dense";
constexpr WordList kTaskHeadWords =
    "causal_lm|masked_lm|sequence_classification|seq2seq_lm|image_classification|token_classification|none";
constexpr WordList kTowerWords = "none|clip|siglip|qwen2_vl|qwen25_vl|qwen_vl3|gemma4|llama4|pixtral";

template <class T>
constexpr FactStorage storage_of() {
    if constexpr (std::is_same_v<T, std::int64_t>) {
        return FactStorage::Number;
    } else if constexpr (std::is_same_v<T, bool>) {
        return FactStorage::Flag;
    } else {
        static_assert(std::is_enum_v<T> && sizeof(T) == 1);
        return FactStorage::Choice;
    }
}

template <class Member>
constexpr FactRow fact_at(std::size_t place, std::string_view key, WordList words = {}) {
    return {key, words, storage_of<Member>(), static_cast<std::uint16_t>(place)};
}

static_assert(std::is_standard_layout_v<Architecture> && sizeof(Architecture) <= 0xffff);
// A macro, because only offsetof makes a place a constant. Entries of a fixed array are facts of their own: "blocks.0".
#define MEMWALL_FACT(path, ...)                                                                                    \
    fact_at<std::remove_reference_t<decltype((std::declval<Architecture&>().path))>>(offsetof(Architecture, path), \
                                                                                     __VA_ARGS__)

#define MEMWALL_ENTRY(path, index, key) fact_at<std::int64_t>(offsetof(Architecture, path) + 8 * (index), key)

constexpr std::array kFacts{
    MEMWALL_FACT(hidden_size, "hidden_size"),
    MEMWALL_FACT(intermediate_size, "intermediate_size"),
    MEMWALL_FACT(num_hidden_layers, "num_hidden_layers"),
    MEMWALL_FACT(num_attention_heads, "num_attention_heads"),
    MEMWALL_FACT(num_key_value_heads, "num_key_value_heads"),
    MEMWALL_FACT(head_dim, "head_dim"),
    MEMWALL_FACT(vocab_size, "vocab_size"),
    MEMWALL_FACT(max_position_embeddings, "max_position_embeddings"),
    MEMWALL_FACT(learned_positions, "learned_positions"),
    MEMWALL_FACT(sliding_window, "sliding_window"),
    MEMWALL_FACT(embedding_size, "embedding_size"),
    MEMWALL_FACT(norms_per_layer, "norms_per_layer"),
    MEMWALL_FACT(num_experts, "num_experts"),
    MEMWALL_FACT(num_experts_per_tok, "num_experts_per_tok"),
    MEMWALL_FACT(moe_intermediate_size, "moe_intermediate_size"),
    MEMWALL_FACT(num_shared_experts, "num_shared_experts"),
    MEMWALL_FACT(shared_expert_intermediate_size, "shared_expert_intermediate_size"),
    MEMWALL_FACT(first_k_dense, "first_k_dense"),
    MEMWALL_FACT(q_lora_rank, "q_lora_rank"),
    MEMWALL_FACT(kv_lora_rank, "kv_lora_rank"),
    MEMWALL_FACT(qk_nope_head_dim, "qk_nope_head_dim"),
    MEMWALL_FACT(qk_rope_head_dim, "qk_rope_head_dim"),
    MEMWALL_FACT(v_head_dim, "v_head_dim"),
    MEMWALL_FACT(conv_l_cache, "conv_l_cache"),
    MEMWALL_FACT(num_labels, "num_labels"),
    MEMWALL_FACT(partial_rotary_permille, "partial_rotary_permille"),
    MEMWALL_FACT(extra_parameters, "extra_params"),
    MEMWALL_FACT(extra_parameters_per_layer, "extra_params_per_layer"),
    MEMWALL_FACT(mlp_extra_parameters, "mlp_extra_params"),
    MEMWALL_FACT(attention_dropout_permille, "attention_dropout_permille"),
    MEMWALL_FACT(residual_dropout_permille, "residual_dropout_permille"),
    MEMWALL_FACT(embedding_dropout_permille, "embedding_dropout_permille"),
    MEMWALL_FACT(activation_dropout_permille, "activation_dropout_permille"),
    MEMWALL_FACT(hidden_act, "hidden_act", kActivationWords),
    MEMWALL_FACT(norm, "norm", kNormWords),
    MEMWALL_FACT(position, "position", kPositionWords),
    MEMWALL_FACT(qk_norm, "qk_norm", kQkNormWords),
    MEMWALL_FACT(task_head, "task_head", kTaskHeadWords),
    MEMWALL_FACT(final_norm, "final_norm", kFlag),
    MEMWALL_FACT(tie_word_embeddings, "tie_word_embeddings", kFlag),
    MEMWALL_FACT(mlp_gated, "mlp_gated", kFlag),
    MEMWALL_FACT(qkv_bias, "qkv_bias", kFlag),
    MEMWALL_FACT(o_bias, "o_bias", kFlag),
    MEMWALL_FACT(mlp_bias, "mlp_bias", kFlag),
    MEMWALL_FACT(lm_head_bias, "lm_head_bias", kFlag),
    MEMWALL_FACT(embedding_norm, "embedding_norm", kFlag),
    MEMWALL_FACT(parallel_residual, "parallel_residual", kFlag),
    MEMWALL_FACT(mlp_sub_norm, "mlp_sub_norm", kFlag),
    MEMWALL_FACT(moe.moe_layer_step, "moe_layer_step"),
    MEMWALL_FACT(moe.moe_layer_offset, "moe_layer_offset"),
    MEMWALL_FACT(moe.router_bias, "router_bias", kFlag),
    MEMWALL_FACT(moe.expert_bias, "expert_bias", kFlag),
    MEMWALL_FACT(moe.shared_expert_gate, "shared_expert_gate", kFlag),
    MEMWALL_FACT(moe.dense_mlp_beside_moe, "dense_mlp_beside_moe", kFlag),
    MEMWALL_FACT(moe.norm_topk_prob, "norm_topk_prob", kFlag),
    MEMWALL_FACT(moe.n_group, "n_group"),
    MEMWALL_FACT(moe.topk_group, "topk_group"),
    MEMWALL_FACT(attention.gate, "attn_gate_proj", kGateWords),
    MEMWALL_FACT(attention.output_gate, "attn_output_gate", kFlag),
    MEMWALL_FACT(attention.sinks, "attention_sinks", kFlag),
    MEMWALL_FACT(attention.sub_norm, "attn_sub_norm", kFlag),
    MEMWALL_FACT(attention.no_key_bias, "no_key_bias", kFlag),
    MEMWALL_FACT(attention.clip_qkv, "clip_qkv", kFlag),
    MEMWALL_FACT(attention.rotates_halves, "rotates_halves", kFlag),
    MEMWALL_FACT(attention.values_are_keys, "values_are_keys", kFlag),
    MEMWALL_FACT(attention.full_head_dim, "global_head_dim"),
    MEMWALL_FACT(attention.full_num_key_value_heads, "global_num_key_value_heads"),
    MEMWALL_FACT(attention.sliding_num_attention_heads, "sliding_num_attention_heads"),
    MEMWALL_FACT(attention.sliding_num_key_value_heads, "sliding_num_key_value_heads"),
    MEMWALL_FACT(attention.num_kv_shared_layers, "num_kv_shared_layers"),
    MEMWALL_FACT(attention.index_n_heads, "index_n_heads"),
    MEMWALL_FACT(attention.index_head_dim, "index_head_dim"),
    MEMWALL_FACT(linear_attention.num_key_heads, "linear_num_key_heads"),
    MEMWALL_FACT(linear_attention.key_head_dim, "linear_key_head_dim"),
    MEMWALL_FACT(linear_attention.num_value_heads, "linear_num_value_heads"),
    MEMWALL_FACT(linear_attention.value_head_dim, "linear_value_head_dim"),
    MEMWALL_FACT(linear_attention.num_heads, "linear_num_heads"),
    MEMWALL_FACT(linear_attention.head_dim, "linear_head_dim"),
    MEMWALL_FACT(linear_attention.conv_kernel_dim, "linear_conv_kernel_dim"),
    MEMWALL_FACT(mamba.d_inner, "mamba_d_inner"),
    MEMWALL_FACT(mamba.d_state, "mamba_d_state"),
    MEMWALL_FACT(mamba.d_conv, "mamba_d_conv"),
    MEMWALL_FACT(mamba.dt_rank, "mamba_dt_rank"),
    MEMWALL_FACT(mamba.n_groups, "mamba_n_groups"),
    MEMWALL_FACT(mamba.n_heads, "mamba_n_heads"),
    MEMWALL_FACT(mamba.only_block, "mamba_only_block", kFlag),
    MEMWALL_FACT(mamba.inner_norms, "mamba_inner_norms", kFlag),
    MEMWALL_FACT(mamba.no_gated_norm, "mamba_no_gated_norm", kFlag),
    MEMWALL_FACT(per_layer_embedding.hidden_size_per_layer_input, "hidden_size_per_layer_input"),
    MEMWALL_FACT(per_layer_embedding.vocab_size_per_layer_input, "vocab_size_per_layer_input"),
    MEMWALL_FACT(encoder.type_vocab_size, "type_vocab_size"),
    MEMWALL_FACT(encoder.relative_positions, "relative_positions"),
    MEMWALL_FACT(encoder.conv_kernel, "conv_kernel"),
    MEMWALL_FACT(encoder.pooler, "pooler", kFlag),
    MEMWALL_FACT(encoder.mlm_head, "mlm_head", kFlag),
    MEMWALL_FACT(encoder.shared_layers, "shared_layers", kFlag),
    MEMWALL_FACT(encoder.classifier, "cls_head", kClassifierWords),
    MEMWALL_FACT(encoder_decoder.num_encoder_layers, "num_encoder_layers"),
    MEMWALL_FACT(encoder_decoder.num_decoder_layers, "num_decoder_layers"),
    MEMWALL_FACT(encoder_decoder.relative_buckets, "relative_buckets"),
    MEMWALL_FACT(encoder_decoder.num_mel_bins, "num_mel_bins"),
    MEMWALL_FACT(encoder_decoder.max_source_positions, "max_source_positions"),
    MEMWALL_FACT(encoder_decoder.final_encoder_norm, "final_encoder_norm", kFlag),
    MEMWALL_FACT(encoder_decoder.plain_head, "plain_head", kFlag),
    MEMWALL_FACT(vision.kind, "vision.kind", kTowerWords),
    MEMWALL_FACT(vision.hidden_size, "vision.hidden_size"),
    MEMWALL_FACT(vision.intermediate_size, "vision.intermediate_size"),
    MEMWALL_FACT(vision.num_hidden_layers, "vision.num_hidden_layers"),
    MEMWALL_FACT(vision.num_attention_heads, "vision.num_attention_heads"),
    MEMWALL_FACT(vision.image_size, "vision.image_size"),
    MEMWALL_FACT(vision.patch_size, "vision.patch_size"),
    MEMWALL_FACT(vision.temporal_patch_size, "vision.temporal_patch_size"),
    MEMWALL_FACT(vision.num_positions, "vision.num_positions"),
    MEMWALL_FACT(vision.spatial_merge_size, "vision.spatial_merge_size"),
    MEMWALL_FACT(vision.out_hidden_size, "vision.out_hidden_size"),
    MEMWALL_FACT(vision.deepstack_layers, "vision.deepstack_layers"),
    MEMWALL_FACT(vision.projector_parameters, "vision.projector_parameters"),
    MEMWALL_FACT(vision.pooling_head, "vision.pooling_head", kFlag),
    MEMWALL_FACT(vision.standardize, "vision.standardize", kFlag),
    MEMWALL_FACT(vision.clipped_linears, "vision.clipped_linears", kFlag),
    MEMWALL_FACT(text.hidden_size, "text.hidden_size"),
    MEMWALL_FACT(text.intermediate_size, "text.intermediate_size"),
    MEMWALL_FACT(text.num_hidden_layers, "text.num_hidden_layers"),
    MEMWALL_FACT(text.num_attention_heads, "text.num_attention_heads"),
    MEMWALL_FACT(text.vocab_size, "text.vocab_size"),
    MEMWALL_FACT(text.learned_positions, "text.learned_positions"),
    MEMWALL_FACT(image.image_size, "image_size"),
    MEMWALL_FACT(image.patch_size, "patch_size"),
    MEMWALL_FACT(image.patch_frames, "patch_frames"),
    MEMWALL_FACT(image.in_channels, "in_channels"),
    MEMWALL_FACT(image.out_channels, "out_channels"),
    MEMWALL_FACT(image.register_tokens, "register_tokens"),
    MEMWALL_FACT(image.projection_dim, "projection_dim"),
    MEMWALL_FACT(image.no_cls_token, "no_cls_token", kFlag),
    MEMWALL_FACT(image.mask_token, "mask_token", kFlag),
    MEMWALL_FACT(image.distillation_token, "distillation_token", kFlag),
    MEMWALL_FACT(image.second_classifier, "second_classifier", kFlag),
    MEMWALL_FACT(image.layer_scale, "layer_scale", kFlag),
    MEMWALL_FACT(image.pre_norm, "pre_norm", kFlag),
    MEMWALL_FACT(image.packed_gate, "packed_gate", kFlag),
    MEMWALL_FACT(image.drops_paths, "drops_paths", kFlag),
    MEMWALL_FACT(diffusion.layers_per_block, "layers_per_block"),
    MEMWALL_FACT(diffusion.mid_depth, "mid_depth"),
    MEMWALL_FACT(diffusion.cross_attention_dim, "cross_attention_dim"),
    MEMWALL_FACT(diffusion.add_embed_dim, "add_embed_dim"),
    MEMWALL_FACT(diffusion.num_double_layers, "num_double_layers"),
    MEMWALL_FACT(diffusion.num_single_layers, "num_single_layers"),
    MEMWALL_FACT(diffusion.dual_attention_layers, "dual_attention_layers"),
    MEMWALL_FACT(diffusion.text_dim, "text_dim"),
    MEMWALL_FACT(diffusion.pooled_dim, "pooled_dim"),
    MEMWALL_FACT(diffusion.position_rows, "position_rows"),
    MEMWALL_FACT(diffusion.guidance_embeds, "guidance_embeds", kFlag),
    MEMWALL_ENTRY(diffusion.block_out_channels, 0, "block_out_channels.0"),
    MEMWALL_ENTRY(diffusion.block_out_channels, 1, "block_out_channels.1"),
    MEMWALL_ENTRY(diffusion.block_out_channels, 2, "block_out_channels.2"),
    MEMWALL_ENTRY(diffusion.block_out_channels, 3, "block_out_channels.3"),
    MEMWALL_ENTRY(diffusion.transformer_layers_per_block, 0, "transformer_layers_per_block.0"),
    MEMWALL_ENTRY(diffusion.transformer_layers_per_block, 1, "transformer_layers_per_block.1"),
    MEMWALL_ENTRY(diffusion.transformer_layers_per_block, 2, "transformer_layers_per_block.2"),
    MEMWALL_ENTRY(diffusion.transformer_layers_per_block, 3, "transformer_layers_per_block.3"),
    MEMWALL_ENTRY(convolution.blocks, 0, "blocks.0"),
    MEMWALL_ENTRY(convolution.blocks, 1, "blocks.1"),
    MEMWALL_ENTRY(convolution.blocks, 2, "blocks.2"),
    MEMWALL_ENTRY(convolution.blocks, 3, "blocks.3"),
    MEMWALL_ENTRY(convolution.blocks, 4, "blocks.4"),
    MEMWALL_FACT(convolution.width_multiplier, "width_multiplier"),
    MEMWALL_FACT(convolution.bottleneck, "bottleneck", kFlag),
};

}  // namespace

std::span<const FactRow> facts() { return packed_rows<kFacts, &FactRow::key, &FactRow::words>(); }

void set_fact(const FactRow& fact, Architecture& a, std::int64_t value) {
    char* place = reinterpret_cast<char*>(&a) + fact.offset;
    switch (fact.storage) {
        case FactStorage::Number:
            std::memcpy(place, &value, sizeof(value));
            return;
        case FactStorage::Flag:
            *place = value != 0 ? 1 : 0;
            return;
        case FactStorage::Choice:
            *place = static_cast<char>(value);  // an enumeration of one byte
            return;
    }
}

std::int64_t fact_value(const FactRow& fact, const Architecture& a) {
    const char* place = reinterpret_cast<const char*>(&a) + fact.offset;
    if (fact.storage != FactStorage::Number) return static_cast<unsigned char>(*place);
    std::int64_t value = 0;
    std::memcpy(&value, place, sizeof(value));
    return value;
}

const FactRow* find_fact(std::string_view key) {
    for (const FactRow& fact : facts())
        if (fact.key == key) return &fact;
    return nullptr;
}

std::int64_t index_of_word(const FactRow& fact, std::string_view word) {
    std::int64_t index = 0;
    for (const std::string_view known : fact.words) {
        if (known == word) return index;
        ++index;
    }
    return -1;
}

}  // namespace memwall
