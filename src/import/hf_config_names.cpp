// Values that are read as they stand: their names in config.json, and the fact they are (model/facts.hpp).
#include <array>

#include "base/packed_rows.hpp"
#include "import/hf_config_parts.hpp"
#include "model/facts.hpp"

namespace memwall {
namespace {

enum class ReadAs : std::uint8_t { Size, SizeOrZero, Flag, Permille };

struct ValueRow {
    Names names;
    std::string_view fact;
    ReadAs as = ReadAs::Size;
};

constexpr std::array kValues{
    ValueRow{"hidden_size n_embd d_model dim model_dim", "hidden_size"},
    ValueRow{"num_hidden_layers n_layer n_layers num_layers", "num_hidden_layers"},
    ValueRow{"num_attention_heads n_head n_heads num_heads", "num_attention_heads"},
    ValueRow{"num_key_value_heads num_kv_heads n_head_kv", "num_key_value_heads"},
    ValueRow{"head_dim d_kv kv_channels", "head_dim"},
    ValueRow{"vocab_size padded_vocab_size", "vocab_size"},
    ValueRow{"max_position_embeddings n_positions max_seq_len seq_length n_ctx max_sequence_length",
             "max_position_embeddings"},
    ValueRow{"embedding_size word_embed_proj_dim", "embedding_size"},
    ValueRow{"num_labels", "num_labels"},
    ValueRow{"sliding_window attention_chunk_size", "sliding_window", ReadAs::SizeOrZero},
    ValueRow{"partial_rotary_factor rotary_pct rope_pct", "partial_rotary_permille", ReadAs::Permille},
    ValueRow{"tie_word_embeddings", "tie_word_embeddings", ReadAs::Flag},
    ValueRow{"use_qkv_bias qkv_bias add_qkv_bias", "qkv_bias", ReadAs::Flag},
    ValueRow{"mlp_bias", "mlp_bias", ReadAs::Flag},
    ValueRow{"use_parallel_residual", "parallel_residual", ReadAs::Flag},
    ValueRow{"attention_dropout attn_pdrop attention_probs_dropout_prob", "attention_dropout_permille",
             ReadAs::Permille},
    ValueRow{"resid_pdrop hidden_dropout residual_dropout hidden_dropout_prob dropout_rate dropout",
             "residual_dropout_permille", ReadAs::Permille},
    ValueRow{"embd_pdrop embedding_dropout embed_dropout hidden_dropout_prob dropout_rate",
             "embedding_dropout_permille", ReadAs::Permille},
    ValueRow{"activation_dropout mlp_dropout", "activation_dropout_permille", ReadAs::Permille},
    // Experts.
    ValueRow{"num_experts num_local_experts n_routed_experts moe_num_experts", "num_experts", ReadAs::SizeOrZero},
    ValueRow{"num_experts_per_tok num_experts_per_token moe_top_k moe_k moe_topk", "num_experts_per_tok",
             ReadAs::SizeOrZero},
    ValueRow{"moe_intermediate_size expert_ffn_hidden_size", "moe_intermediate_size", ReadAs::SizeOrZero},
    ValueRow{"n_shared_experts num_shared_experts moe_num_shared_experts num_shared_expert", "num_shared_experts",
             ReadAs::SizeOrZero},
    ValueRow{"shared_expert_intermediate_size shared_intermediate_size moe_shared_expert_intermediate_size",
             "shared_expert_intermediate_size", ReadAs::SizeOrZero},
    ValueRow{"first_k_dense_replace moe_layer_start_index num_dense_layers", "first_k_dense", ReadAs::SizeOrZero},
    ValueRow{"decoder_sparse_step moe_layer_freq expert_layer_period interleave_moe_layer_step", "moe_layer_step"},
    ValueRow{"expert_layer_offset", "moe_layer_offset", ReadAs::SizeOrZero},
    ValueRow{"norm_topk_prob", "norm_topk_prob", ReadAs::Flag},
    ValueRow{"n_group", "n_group", ReadAs::SizeOrZero},
    ValueRow{"topk_group", "topk_group", ReadAs::SizeOrZero},
    // Latent attention.
    ValueRow{"kv_lora_rank", "kv_lora_rank"},
    ValueRow{"q_lora_rank", "q_lora_rank"},
    ValueRow{"qk_nope_head_dim", "qk_nope_head_dim"},
    ValueRow{"qk_rope_head_dim", "qk_rope_head_dim"},
    ValueRow{"v_head_dim", "v_head_dim"},
    ValueRow{"index_n_heads", "index_n_heads"},
    ValueRow{"index_head_dim", "index_head_dim"},
    // Mixers that are not attention.
    ValueRow{"linear_num_key_heads", "linear_num_key_heads"},
    ValueRow{"linear_key_head_dim", "linear_key_head_dim"},
    ValueRow{"linear_num_value_heads", "linear_num_value_heads"},
    ValueRow{"linear_value_head_dim", "linear_value_head_dim"},
    ValueRow{"linear_conv_kernel_dim", "linear_conv_kernel_dim"},
    ValueRow{"mamba_d_state ssm_state_size state_size", "mamba_d_state"},
    ValueRow{"mamba_d_conv conv_kernel", "mamba_d_conv"},
    ValueRow{"mamba_n_groups n_groups", "mamba_n_groups"},
    ValueRow{"mamba_n_heads mamba_num_heads", "mamba_n_heads"},
    ValueRow{"mamba_d_ssm mamba_d_inner", "mamba_d_inner"},
    ValueRow{"conv_L_cache", "conv_l_cache"},
    // Encoders, encoder-decoders, images.
    ValueRow{"type_vocab_size", "type_vocab_size", ReadAs::SizeOrZero},
    ValueRow{"relative_attention_num_buckets", "relative_buckets"},
    ValueRow{"num_mel_bins", "num_mel_bins"},
    ValueRow{"max_source_positions", "max_source_positions"},
    ValueRow{"image_size", "image_size"},
    ValueRow{"patch_size", "patch_size"},
    ValueRow{"num_register_tokens", "register_tokens", ReadAs::SizeOrZero},
};

// Those of diffusers, whose classes are no model_type.
constexpr std::array kDiffusionValues{
    ValueRow{"num_layers", "num_hidden_layers"},
    ValueRow{"num_attention_heads", "num_attention_heads"},
    ValueRow{"ffn_dim", "intermediate_size"},
    ValueRow{"in_channels", "in_channels"},
    ValueRow{"in_channels", "out_channels"},
    ValueRow{"out_channels", "out_channels"},
    ValueRow{"num_layers", "num_double_layers"},
    ValueRow{"num_single_layers", "num_single_layers"},
    ValueRow{"joint_attention_dim text_dim", "text_dim"},
    ValueRow{"pooled_projection_dim", "pooled_dim"},
    ValueRow{"guidance_embeds", "guidance_embeds", ReadAs::Flag},
    ValueRow{"num_embeds_ada_norm", "num_labels"},
    ValueRow{"sample_size", "image_size"},
    ValueRow{"layers_per_block", "layers_per_block"},
    ValueRow{"cross_attention_dim", "cross_attention_dim"},
};

void read_values(std::span<const ValueRow> rows, ConfigReader& config, Architecture& a) {
    for (const ValueRow& row : rows) {
        if (!config.has(row.names)) continue;
        const FactRow& fact = *find_fact(row.fact);
        std::int64_t value = fact_value(fact, a);
        bool flag = value != 0;
        switch (row.as) {
            case ReadAs::Size: {
                std::vector<std::int64_t> of_stages;
                if (a.model_type == "swin")
                    config.size_or_sizes(row.names, value, of_stages);
                else
                    config.size(row.names, value);
                break;
            }
            case ReadAs::SizeOrZero:
                config.size(row.names, value, 0);
                break;
            case ReadAs::Permille:
                config.permille(row.names, value);
                break;
            case ReadAs::Flag:
                config.flag(row.names, flag);
                break;
        }
        set_fact(fact, a, row.as == ReadAs::Flag ? (flag ? 1 : 0) : value);
    }
}

}  // namespace

void read_plain_values(ConfigReader& config, Architecture& a) {
    read_values(packed_rows<kValues, &ValueRow::names, &ValueRow::fact>(), config, a);
}

void read_diffusion_values(ConfigReader& config, Architecture& a) {
    read_values(packed_rows<kDiffusionValues, &ValueRow::names, &ValueRow::fact>(), config, a);
}

}  // namespace memwall
