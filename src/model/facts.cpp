#include "model/facts.hpp"

#include <array>
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

// The member a path of member pointers leads to.
template <auto First>
auto& member(Architecture& a) {
    return a.*First;
}
template <auto First, auto Second>
auto& member(Architecture& a) {
    return (a.*First).*Second;
}

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

template <auto... Path>
constexpr FactRow fact(std::string_view key, WordList words = {}) {
    using Member = std::remove_reference_t<decltype(member<Path...>(std::declval<Architecture&>()))>;
    return {key, words, storage_of<Member>(), [](Architecture& a) -> void* { return &member<Path...>(a); }};
}

// Entries of a fixed array are facts of their own: "blocks.0", "blocks.1".
template <auto Part, auto Array, std::size_t Index>
constexpr FactRow entry(std::string_view key) {
    return {key, {}, FactStorage::Number, [](Architecture& a) -> void* { return &((a.*Part).*Array)[Index]; }};
}

using A = Architecture;

constexpr std::array kFacts{
    fact<&A::hidden_size>("hidden_size"),
    fact<&A::intermediate_size>("intermediate_size"),
    fact<&A::num_hidden_layers>("num_hidden_layers"),
    fact<&A::num_attention_heads>("num_attention_heads"),
    fact<&A::num_key_value_heads>("num_key_value_heads"),
    fact<&A::head_dim>("head_dim"),
    fact<&A::vocab_size>("vocab_size"),
    fact<&A::max_position_embeddings>("max_position_embeddings"),
    fact<&A::learned_positions>("learned_positions"),
    fact<&A::sliding_window>("sliding_window"),
    fact<&A::embedding_size>("embedding_size"),
    fact<&A::norms_per_layer>("norms_per_layer"),
    fact<&A::num_experts>("num_experts"),
    fact<&A::num_experts_per_tok>("num_experts_per_tok"),
    fact<&A::moe_intermediate_size>("moe_intermediate_size"),
    fact<&A::num_shared_experts>("num_shared_experts"),
    fact<&A::shared_expert_intermediate_size>("shared_expert_intermediate_size"),
    fact<&A::first_k_dense>("first_k_dense"),
    fact<&A::q_lora_rank>("q_lora_rank"),
    fact<&A::kv_lora_rank>("kv_lora_rank"),
    fact<&A::qk_nope_head_dim>("qk_nope_head_dim"),
    fact<&A::qk_rope_head_dim>("qk_rope_head_dim"),
    fact<&A::v_head_dim>("v_head_dim"),
    fact<&A::conv_l_cache>("conv_l_cache"),
    fact<&A::num_labels>("num_labels"),
    fact<&A::partial_rotary_permille>("partial_rotary_permille"),
    fact<&A::extra_parameters>("extra_params"),
    fact<&A::extra_parameters_per_layer>("extra_params_per_layer"),
    fact<&A::mlp_extra_parameters>("mlp_extra_params"),
    fact<&A::attention_dropout_permille>("attention_dropout_permille"),
    fact<&A::residual_dropout_permille>("residual_dropout_permille"),
    fact<&A::embedding_dropout_permille>("embedding_dropout_permille"),
    fact<&A::activation_dropout_permille>("activation_dropout_permille"),
    fact<&A::hidden_act>("hidden_act", kActivationWords),
    fact<&A::norm>("norm", kNormWords),
    fact<&A::position>("position", kPositionWords),
    fact<&A::qk_norm>("qk_norm", kQkNormWords),
    fact<&A::task_head>("task_head", kTaskHeadWords),
    fact<&A::final_norm>("final_norm", kFlag),
    fact<&A::tie_word_embeddings>("tie_word_embeddings", kFlag),
    fact<&A::mlp_gated>("mlp_gated", kFlag),
    fact<&A::qkv_bias>("qkv_bias", kFlag),
    fact<&A::o_bias>("o_bias", kFlag),
    fact<&A::mlp_bias>("mlp_bias", kFlag),
    fact<&A::lm_head_bias>("lm_head_bias", kFlag),
    fact<&A::embedding_norm>("embedding_norm", kFlag),
    fact<&A::parallel_residual>("parallel_residual", kFlag),
    fact<&A::mlp_sub_norm>("mlp_sub_norm", kFlag),
    fact<&A::moe, &MoeLayout::moe_layer_step>("moe_layer_step"),
    fact<&A::moe, &MoeLayout::moe_layer_offset>("moe_layer_offset"),
    fact<&A::moe, &MoeLayout::router_bias>("router_bias", kFlag),
    fact<&A::moe, &MoeLayout::expert_bias>("expert_bias", kFlag),
    fact<&A::moe, &MoeLayout::shared_expert_gate>("shared_expert_gate", kFlag),
    fact<&A::moe, &MoeLayout::dense_mlp_beside_moe>("dense_mlp_beside_moe", kFlag),
    fact<&A::moe, &MoeLayout::norm_topk_prob>("norm_topk_prob", kFlag),
    fact<&A::moe, &MoeLayout::n_group>("n_group"),
    fact<&A::moe, &MoeLayout::topk_group>("topk_group"),
    fact<&A::attention, &AttentionExtras::gate>("attn_gate_proj", kGateWords),
    fact<&A::attention, &AttentionExtras::output_gate>("attn_output_gate", kFlag),
    fact<&A::attention, &AttentionExtras::sinks>("attention_sinks", kFlag),
    fact<&A::attention, &AttentionExtras::sub_norm>("attn_sub_norm", kFlag),
    fact<&A::attention, &AttentionExtras::no_key_bias>("no_key_bias", kFlag),
    fact<&A::attention, &AttentionExtras::clip_qkv>("clip_qkv", kFlag),
    fact<&A::attention, &AttentionExtras::rotates_halves>("rotates_halves", kFlag),
    fact<&A::attention, &AttentionExtras::values_are_keys>("values_are_keys", kFlag),
    fact<&A::attention, &AttentionExtras::full_head_dim>("global_head_dim"),
    fact<&A::attention, &AttentionExtras::full_num_key_value_heads>("global_num_key_value_heads"),
    fact<&A::attention, &AttentionExtras::sliding_num_attention_heads>("sliding_num_attention_heads"),
    fact<&A::attention, &AttentionExtras::sliding_num_key_value_heads>("sliding_num_key_value_heads"),
    fact<&A::attention, &AttentionExtras::num_kv_shared_layers>("num_kv_shared_layers"),
    fact<&A::attention, &AttentionExtras::index_n_heads>("index_n_heads"),
    fact<&A::attention, &AttentionExtras::index_head_dim>("index_head_dim"),
    fact<&A::linear_attention, &LinearAttention::num_key_heads>("linear_num_key_heads"),
    fact<&A::linear_attention, &LinearAttention::key_head_dim>("linear_key_head_dim"),
    fact<&A::linear_attention, &LinearAttention::num_value_heads>("linear_num_value_heads"),
    fact<&A::linear_attention, &LinearAttention::value_head_dim>("linear_value_head_dim"),
    fact<&A::linear_attention, &LinearAttention::num_heads>("linear_num_heads"),
    fact<&A::linear_attention, &LinearAttention::head_dim>("linear_head_dim"),
    fact<&A::linear_attention, &LinearAttention::conv_kernel_dim>("linear_conv_kernel_dim"),
    fact<&A::mamba, &Mamba::d_inner>("mamba_d_inner"),
    fact<&A::mamba, &Mamba::d_state>("mamba_d_state"),
    fact<&A::mamba, &Mamba::d_conv>("mamba_d_conv"),
    fact<&A::mamba, &Mamba::dt_rank>("mamba_dt_rank"),
    fact<&A::mamba, &Mamba::n_groups>("mamba_n_groups"),
    fact<&A::mamba, &Mamba::n_heads>("mamba_n_heads"),
    fact<&A::mamba, &Mamba::only_block>("mamba_only_block", kFlag),
    fact<&A::mamba, &Mamba::inner_norms>("mamba_inner_norms", kFlag),
    fact<&A::mamba, &Mamba::no_gated_norm>("mamba_no_gated_norm", kFlag),
    fact<&A::per_layer_embedding, &PerLayerEmbedding::hidden_size_per_layer_input>("hidden_size_per_layer_input"),
    fact<&A::per_layer_embedding, &PerLayerEmbedding::vocab_size_per_layer_input>("vocab_size_per_layer_input"),
    fact<&A::encoder, &EncoderParts::type_vocab_size>("type_vocab_size"),
    fact<&A::encoder, &EncoderParts::relative_positions>("relative_positions"),
    fact<&A::encoder, &EncoderParts::conv_kernel>("conv_kernel"),
    fact<&A::encoder, &EncoderParts::pooler>("pooler", kFlag),
    fact<&A::encoder, &EncoderParts::mlm_head>("mlm_head", kFlag),
    fact<&A::encoder, &EncoderParts::shared_layers>("shared_layers", kFlag),
    fact<&A::encoder, &EncoderParts::classifier>("cls_head", kClassifierWords),
    fact<&A::encoder_decoder, &EncoderDecoderParts::num_encoder_layers>("num_encoder_layers"),
    fact<&A::encoder_decoder, &EncoderDecoderParts::num_decoder_layers>("num_decoder_layers"),
    fact<&A::encoder_decoder, &EncoderDecoderParts::relative_buckets>("relative_buckets"),
    fact<&A::encoder_decoder, &EncoderDecoderParts::num_mel_bins>("num_mel_bins"),
    fact<&A::encoder_decoder, &EncoderDecoderParts::max_source_positions>("max_source_positions"),
    fact<&A::encoder_decoder, &EncoderDecoderParts::final_encoder_norm>("final_encoder_norm", kFlag),
    fact<&A::vision, &VisionTower::kind>("vision.kind", kTowerWords),
    fact<&A::vision, &VisionTower::hidden_size>("vision.hidden_size"),
    fact<&A::vision, &VisionTower::intermediate_size>("vision.intermediate_size"),
    fact<&A::vision, &VisionTower::num_hidden_layers>("vision.num_hidden_layers"),
    fact<&A::vision, &VisionTower::num_attention_heads>("vision.num_attention_heads"),
    fact<&A::vision, &VisionTower::image_size>("vision.image_size"),
    fact<&A::vision, &VisionTower::patch_size>("vision.patch_size"),
    fact<&A::vision, &VisionTower::temporal_patch_size>("vision.temporal_patch_size"),
    fact<&A::vision, &VisionTower::num_positions>("vision.num_positions"),
    fact<&A::vision, &VisionTower::spatial_merge_size>("vision.spatial_merge_size"),
    fact<&A::vision, &VisionTower::out_hidden_size>("vision.out_hidden_size"),
    fact<&A::vision, &VisionTower::deepstack_layers>("vision.deepstack_layers"),
    fact<&A::vision, &VisionTower::projector_parameters>("vision.projector_parameters"),
    fact<&A::vision, &VisionTower::pooling_head>("vision.pooling_head", kFlag),
    fact<&A::vision, &VisionTower::standardize>("vision.standardize", kFlag),
    fact<&A::vision, &VisionTower::clipped_linears>("vision.clipped_linears", kFlag),
    fact<&A::text, &TextTower::hidden_size>("text.hidden_size"),
    fact<&A::text, &TextTower::intermediate_size>("text.intermediate_size"),
    fact<&A::text, &TextTower::num_hidden_layers>("text.num_hidden_layers"),
    fact<&A::text, &TextTower::num_attention_heads>("text.num_attention_heads"),
    fact<&A::text, &TextTower::vocab_size>("text.vocab_size"),
    fact<&A::text, &TextTower::learned_positions>("text.learned_positions"),
    fact<&A::image, &ImageParts::image_size>("image_size"),
    fact<&A::image, &ImageParts::patch_size>("patch_size"),
    fact<&A::image, &ImageParts::patch_frames>("patch_frames"),
    fact<&A::image, &ImageParts::in_channels>("in_channels"),
    fact<&A::image, &ImageParts::out_channels>("out_channels"),
    fact<&A::image, &ImageParts::register_tokens>("register_tokens"),
    fact<&A::image, &ImageParts::projection_dim>("projection_dim"),
    fact<&A::image, &ImageParts::no_cls_token>("no_cls_token", kFlag),
    fact<&A::image, &ImageParts::mask_token>("mask_token", kFlag),
    fact<&A::image, &ImageParts::layer_scale>("layer_scale", kFlag),
    fact<&A::image, &ImageParts::pre_norm>("pre_norm", kFlag),
    fact<&A::image, &ImageParts::packed_gate>("packed_gate", kFlag),
    fact<&A::diffusion, &DiffusionParts::layers_per_block>("layers_per_block"),
    fact<&A::diffusion, &DiffusionParts::mid_depth>("mid_depth"),
    fact<&A::diffusion, &DiffusionParts::cross_attention_dim>("cross_attention_dim"),
    fact<&A::diffusion, &DiffusionParts::add_embed_dim>("add_embed_dim"),
    fact<&A::diffusion, &DiffusionParts::num_double_layers>("num_double_layers"),
    fact<&A::diffusion, &DiffusionParts::num_single_layers>("num_single_layers"),
    fact<&A::diffusion, &DiffusionParts::dual_attention_layers>("dual_attention_layers"),
    fact<&A::diffusion, &DiffusionParts::text_dim>("text_dim"),
    fact<&A::diffusion, &DiffusionParts::pooled_dim>("pooled_dim"),
    fact<&A::diffusion, &DiffusionParts::position_rows>("position_rows"),
    fact<&A::diffusion, &DiffusionParts::guidance_embeds>("guidance_embeds", kFlag),
    entry<&A::diffusion, &DiffusionParts::block_out_channels, 0>("block_out_channels.0"),
    entry<&A::diffusion, &DiffusionParts::block_out_channels, 1>("block_out_channels.1"),
    entry<&A::diffusion, &DiffusionParts::block_out_channels, 2>("block_out_channels.2"),
    entry<&A::diffusion, &DiffusionParts::block_out_channels, 3>("block_out_channels.3"),
    entry<&A::diffusion, &DiffusionParts::transformer_layers_per_block, 0>("transformer_layers_per_block.0"),
    entry<&A::diffusion, &DiffusionParts::transformer_layers_per_block, 1>("transformer_layers_per_block.1"),
    entry<&A::diffusion, &DiffusionParts::transformer_layers_per_block, 2>("transformer_layers_per_block.2"),
    entry<&A::diffusion, &DiffusionParts::transformer_layers_per_block, 3>("transformer_layers_per_block.3"),
    entry<&A::convolution, &ConvolutionParts::blocks, 0>("blocks.0"),
    entry<&A::convolution, &ConvolutionParts::blocks, 1>("blocks.1"),
    entry<&A::convolution, &ConvolutionParts::blocks, 2>("blocks.2"),
    entry<&A::convolution, &ConvolutionParts::blocks, 3>("blocks.3"),
    entry<&A::convolution, &ConvolutionParts::blocks, 4>("blocks.4"),
    fact<&A::convolution, &ConvolutionParts::width_multiplier>("width_multiplier"),
    fact<&A::convolution, &ConvolutionParts::bottleneck>("bottleneck", kFlag),
};

}  // namespace

std::span<const FactRow> facts() { return packed_rows<kFacts, &FactRow::key, &FactRow::words>(); }

void set_fact(const FactRow& fact, Architecture& a, std::int64_t value) {
    void* place = fact.place(a);
    switch (fact.storage) {
        case FactStorage::Number:
            *static_cast<std::int64_t*>(place) = value;
            return;
        case FactStorage::Flag:
            *static_cast<bool*>(place) = value != 0;
            return;
        case FactStorage::Choice: {
            const auto byte = static_cast<std::uint8_t>(value);
            std::memcpy(place, &byte, 1);  // an enumeration of one byte
            return;
        }
    }
}

std::int64_t fact_value(const FactRow& fact, const Architecture& a) {
    const void* place = fact.place(const_cast<Architecture&>(a));
    switch (fact.storage) {
        case FactStorage::Number:
            return *static_cast<const std::int64_t*>(place);
        case FactStorage::Flag:
            return *static_cast<const bool*>(place) ? 1 : 0;
        case FactStorage::Choice: {
            std::uint8_t byte = 0;
            std::memcpy(&byte, place, 1);
            return byte;
        }
    }
    return 0;
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
