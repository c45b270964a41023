// What single families spell in their own way. One function a family, one row in the table below.
#include <algorithm>
#include <array>
#include <string>

#include "import/hf_config_parts.hpp"
#include "model/families.hpp"

namespace memwall {
namespace {

void widen_fourfold(Architecture& a) {
    if (a.intermediate_size == 0) a.intermediate_size = 4 * a.hidden_size;
}

void set_all_biases(Architecture& a, bool value) { a.qkv_bias = a.o_bias = a.mlp_bias = value; }

void read_openai_gpt(ConfigReader&, Architecture& a) {
    widen_fourfold(a);
    a.final_norm = false;  // norms after each sum
}

void read_falcon_h1(ConfigReader& config, Architecture& a) {
    bool norm = false;
    config.flag("mamba_rms_norm", norm);
    a.mamba.no_gated_norm = !norm;
}

void read_fourfold(ConfigReader&, Architecture& a) { widen_fourfold(a); }

void read_gpt_bigcode(ConfigReader& config, Architecture& a) {
    bool multi_query = true;
    config.flag("multi_query", multi_query);
    if (multi_query) a.num_key_value_heads = 1;
    widen_fourfold(a);
}

void read_gpt_neo(ConfigReader& config, Architecture& a) {
    widen_fourfold(a);
    config.size("window_size", a.sliding_window);
    std::string pattern;
    for (const std::string_view kind : config.words("attention_layers"))
        pattern += kind == "local" ? 'S' : 'F';
    if (pattern.find('S') != std::string::npos) a.layer_pattern = pattern;
}

// hidden_dropout is that of the embeddings too.
void read_gpt_neox(ConfigReader& config, Architecture& a) {
    if (config.has("hidden_dropout")) a.embedding_dropout_permille = a.residual_dropout_permille;
}

void read_opt(ConfigReader& config, Architecture& a) {
    a.learned_positions = a.max_position_embeddings + 2;  // OPT skips two rows of its table
    config.flag("do_layer_norm_before", a.final_norm);    // norms after each sum: none is left for the end
    bool biases = true;
    config.flag("enable_bias", biases);
    set_all_biases(a, biases);
}

void read_falcon(ConfigReader& config, Architecture& a) {
    bool multi_query = true, new_decoder = false, parallel = true, alibi = false, biases = false;
    config.flag("multi_query", multi_query);
    config.flag("new_decoder_architecture", new_decoder);
    config.flag("parallel_attn", parallel);
    config.flag("alibi", alibi);
    config.flag("bias", biases);
    std::int64_t shared_norms = 2;
    config.size("num_ln_in_parallel_attn", shared_norms);
    if (!new_decoder) a.num_key_value_heads = multi_query ? 1 : a.num_attention_heads;
    a.norms_per_layer = parallel && !(new_decoder && shared_norms == 2) ? 1 : 2;
    a.parallel_residual = parallel;
    if (alibi) a.position = Position::Alibi;
    set_all_biases(a, biases);
    widen_fourfold(a);
}

// The code of transformers has neither biases nor another width than four times, whatever the file says.
void read_mpt(ConfigReader& config, Architecture& a) {
    widen_fourfold(a);
    bool alibi = true;
    if (auto attention = config.object("attn_config")) {
        attention->size("kv_n_heads", a.num_key_value_heads);
        attention->flag("alibi", alibi);
        config.take_failure(*attention);
    }
    a.position = alibi ? Position::Alibi : Position::Learned;
}

void read_qwen(ConfigReader&, Architecture& a) {
    a.intermediate_size /= 2;  // the first Qwen stores the width of gate and up together
}

void read_chatglm(ConfigReader& config, Architecture& a) {
    bool grouped = false;
    config.flag("multi_query_attention", grouped);
    if (grouped) config.size("multi_query_group_num", a.num_key_value_heads);
    a.partial_rotary_permille = 500;
}

void read_starcoder2(ConfigReader& config, Architecture& a) {
    bool biases = true;
    config.flag("use_bias", biases);
    set_all_biases(a, biases);
}

void read_internlm(ConfigReader& config, Architecture& a) {
    config.flag("bias", a.qkv_bias);
    a.o_bias = a.qkv_bias;
}

void read_out_bias(ConfigReader& config, Architecture& a) { config.flag("attention_out_bias", a.o_bias); }

void read_phimoe(ConfigReader& config, Architecture& a) { config.flag("lm_head_bias", a.lm_head_bias); }

void read_ernie(ConfigReader& config, Architecture& a) {
    bool biases = false;
    config.flag("use_bias", biases);
    set_all_biases(a, biases);
}

// A norm before the output of attention and one before that of the MLP.
void read_bitnet(ConfigReader&, Architecture& a) { a.extra_parameters_per_layer = a.hidden_size + a.intermediate_size; }

// Two numbers that each activation learns.
void read_apertus(ConfigReader&, Architecture& a) { a.mlp_extra_parameters = 2; }

void read_cohere(ConfigReader& config, Architecture& a) {
    bool norms = false;
    config.flag("use_qk_norm", norms);
    if (norms) a.qk_norm = QkNorm::Full;
}

void read_olmo(ConfigReader& config, Architecture& a) { a.attention.clip_qkv = config.has("clip_qkv"); }

void read_stablelm(ConfigReader& config, Architecture& a) {
    bool norms = false;
    config.flag("qk_layernorm", norms);
    if (norms) a.qk_norm = QkNorm::Full;
    if (a.parallel_residual) a.norms_per_layer = 1;
}

void read_phi(ConfigReader& config, Architecture& a) {
    bool norms = false;
    config.flag("qk_layernorm", norms);
    if (norms) a.qk_norm = QkNorm::HeadLayerNorm;
}

void read_router_bias(ConfigReader&, Architecture& a) { a.moe.router_bias = a.num_experts != 0; }

void read_glm4_moe(ConfigReader& config, Architecture& a) {
    read_router_bias(config, a);
    bool norms = false;
    config.flag("use_qk_norm", norms);
    if (norms) a.qk_norm = QkNorm::Head;
}

void read_deepseek_v3(ConfigReader& config, Architecture& a) {
    read_router_bias(config, a);
    bool pairs = true;
    config.flag("rope_interleave", pairs);
    a.attention.rotates_halves = !pairs;
}

void read_deepseek_v2(ConfigReader& config, Architecture& a) {
    const std::string_view method = config.word("topk_method").value_or(std::string_view());
    a.moe.router_bias = method == "noaux_tc";
    if (method != "group_limited_greedy") a.moe.n_group = 0;
}

void read_qwen_moe(ConfigReader& config, Architecture& a) {
    a.moe.moe_layer_offset = a.moe.moe_layer_step - 1;
    bool slides = false;
    std::int64_t at_most = 28;
    config.flag("use_sliding_window", slides);
    config.size("max_window_layers", at_most, 0);
    if (!slides) a.sliding_window = 0;
    const bool every_second = a.model_type == "qwen2_moe";
    if (slides && a.layer_pattern.empty())
        for (std::int64_t i = 0; i < std::min(a.num_hidden_layers, kMaxLayers); ++i)
            a.layer_pattern += every_second && (i % 2 != 0 || i >= at_most) ? 'F' : 'S';
    for (const std::int64_t layer : config.sizes("mlp_only_layers")) {
        if (layer >= a.num_hidden_layers || layer >= kMaxLayers) continue;
        if (a.layer_pattern.empty()) a.layer_pattern.assign(static_cast<std::size_t>(a.num_hidden_layers), 'F');
        char& letter = a.layer_pattern[static_cast<std::size_t>(layer)];
        letter = letter == 'S' ? 's' : 'f';
    }
    a.moe.shared_expert_gate = a.num_experts != 0 && a.shared_expert_intermediate_size != 0;
}

void read_shared_gate(ConfigReader&, Architecture& a) {
    a.moe.shared_expert_gate = a.num_experts != 0 && a.shared_expert_intermediate_size != 0;
}

void read_gpt_oss(ConfigReader& config, Architecture& a) {
    config.size("experts_per_token", a.num_experts_per_tok);
    a.attention.sinks = a.moe.router_bias = a.moe.expert_bias = true;
}

void read_dbrx(ConfigReader& config, Architecture& a) {
    if (auto experts = config.object("ffn_config")) {
        experts->size("ffn_hidden_size", a.moe_intermediate_size);
        experts->size("moe_num_experts", a.num_experts);
        experts->size("moe_top_k", a.num_experts_per_tok);
        config.take_failure(*experts);
    }
    if (auto attention = config.object("attn_config")) {
        attention->size("kv_n_heads", a.num_key_value_heads);
        config.take_failure(*attention);
    }
    if (a.intermediate_size == 0) a.intermediate_size = a.moe_intermediate_size;
}

void read_llama4(ConfigReader& config, Architecture& a) {
    a.moe_intermediate_size = a.shared_expert_intermediate_size = a.intermediate_size;
    a.num_shared_experts = 1;
    config.size("intermediate_size_mlp", a.intermediate_size);
    a.moe.moe_layer_offset = a.moe.moe_layer_step - 1;
}

// A layer's MLP is the shared one; without experts nothing else is there.
void read_granite_hybrid(ConfigReader&, Architecture& a) {
    if (a.num_experts != 0 || a.shared_expert_intermediate_size == 0) return;
    a.intermediate_size = a.shared_expert_intermediate_size;
    a.shared_expert_intermediate_size = 0;
}

void read_mamba(ConfigReader&, Architecture& a) {
    a.mamba.only_block = true;
    a.num_attention_heads = a.num_key_value_heads = a.head_dim = a.intermediate_size = 0;
}

void read_jamba(ConfigReader&, Architecture& a) {
    a.mamba.inner_norms = true;
    if (a.num_experts <= 1) a.num_experts = 0;
}

void read_nemotron_h(ConfigReader& config, Architecture& a) {
    a.mamba.only_block = true;
    read_router_bias(config, a);
}

void read_lfm2(ConfigReader& config, Architecture& a) {
    bool adjust = true;
    std::int64_t multiple = 256;
    config.size("block_ff_dim", a.intermediate_size);
    config.flag("block_auto_adjust_ff_dim", adjust);
    config.size("block_multiple_of", multiple);
    if (adjust) {
        const std::int64_t width = 2 * a.intermediate_size / 3;
        a.intermediate_size = (width + multiple - 1) / multiple * multiple;
    }
    const std::vector<std::int64_t> full = config.sizes("full_attn_idxs");
    if (!full.empty()) {
        a.layer_pattern.assign(static_cast<std::size_t>(std::clamp<std::int64_t>(a.num_hidden_layers, 0, kMaxLayers)),
                               'C');
        for (const std::int64_t layer : full)
            if (layer < a.num_hidden_layers && layer < kMaxLayers)
                a.layer_pattern[static_cast<std::size_t>(layer)] = 'F';
    }
    read_router_bias(config, a);
}

// dropout_rate is that of the scores too.
void read_t5(ConfigReader& config, Architecture& a) {
    if (config.has("dropout_rate")) a.attention_dropout_permille = a.residual_dropout_permille;
    if (const auto word = config.word("feed_forward_proj")) {
        a.mlp_gated = word->substr(0, 5) == "gated";
        if (word->find("relu") == std::string_view::npos) a.hidden_act = ActivationFunction::GeluNew;
    }
}

void read_bart(ConfigReader&, Architecture& a) { a.learned_positions = a.max_position_embeddings + 2; }

void read_modernbert(ConfigReader& config, Architecture& a) {
    std::int64_t nth = 3;
    config.size("global_attn_every_n_layers", nth);
    config.size("local_attention", a.sliding_window);
    if (!a.layer_pattern.empty()) return;
    for (std::int64_t i = 0; i < std::min(a.num_hidden_layers, kMaxLayers); ++i)
        a.layer_pattern += i % nth == 0 ? 'F' : 'S';
}

void read_dinov2(ConfigReader& config, Architecture& a) {
    bool packed = false;
    config.flag("use_swiglu_ffn", packed);
    if (packed) {
        a.image.packed_gate = a.mlp_gated = true;
        a.intermediate_size = (4 * a.hidden_size * 2 / 3 + 7) / 8 * 8;
    }
    if (a.task_head == TaskHead::ImageClassification)
        config.not_counted("architectures", {"the head of DINOv2 is"}, "Dinov2Model");
}

void read_dinov3(ConfigReader& config, Architecture& a) {
    bool key_bias = false;
    config.flag("key_bias", key_bias);
    a.attention.no_key_bias = !key_bias;
    config.flag("use_gated_mlp", a.mlp_gated);
}

void read_clip_vision(ConfigReader&, Architecture& a) { a.image.pre_norm = true; }

struct SpecialRow {
    std::string_view model_type;
    void (*read)(ConfigReader&, Architecture&);
};
constexpr std::array kSpecials{
    SpecialRow{"gpt2", read_fourfold},
    SpecialRow{"openai-gpt", read_openai_gpt},
    SpecialRow{"falcon_h1", read_falcon_h1},
    SpecialRow{"gptj", read_fourfold},
    SpecialRow{"bloom", read_fourfold},
    SpecialRow{"gpt_bigcode", read_gpt_bigcode},
    SpecialRow{"gpt_neo", read_gpt_neo},
    SpecialRow{"gpt_neox", read_gpt_neox},
    SpecialRow{"opt", read_opt},
    SpecialRow{"falcon", read_falcon},
    SpecialRow{"mpt", read_mpt},
    SpecialRow{"qwen", read_qwen},
    SpecialRow{"chatglm", read_chatglm},
    SpecialRow{"starcoder2", read_starcoder2},
    SpecialRow{"internlm", read_internlm},
    SpecialRow{"cohere", read_cohere},
    SpecialRow{"stablelm", read_stablelm},
    SpecialRow{"olmo", read_olmo},
    SpecialRow{"phi", read_phi},
    SpecialRow{"deepseek_v2", read_deepseek_v2},
    SpecialRow{"deepseek_v3", read_deepseek_v3},
    SpecialRow{"deepseek_v32", read_router_bias},
    SpecialRow{"kimi_k2", read_router_bias},
    SpecialRow{"kimi_linear", read_router_bias},
    SpecialRow{"glm4_moe", read_glm4_moe},
    SpecialRow{"seed_oss", read_out_bias},
    SpecialRow{"phimoe", read_phimoe},
    SpecialRow{"ernie4_5", read_ernie},
    SpecialRow{"bitnet", read_bitnet},
    SpecialRow{"apertus", read_apertus},
    SpecialRow{"glm4_moe_lite", read_router_bias},
    SpecialRow{"glm_moe_dsa", read_router_bias},
    SpecialRow{"dots1", read_router_bias},
    SpecialRow{"ernie4_5_moe", read_router_bias},
    SpecialRow{"minimax_m2", read_router_bias},
    SpecialRow{"qwen2_moe", read_qwen_moe},
    SpecialRow{"qwen3_moe", read_qwen_moe},
    SpecialRow{"qwen3_next", read_shared_gate},
    SpecialRow{"qwen3_5_moe", read_shared_gate},
    SpecialRow{"qwen3_5_moe_text", read_shared_gate},
    SpecialRow{"gpt_oss", read_gpt_oss},
    SpecialRow{"dbrx", read_dbrx},
    SpecialRow{"llama4", read_llama4},
    SpecialRow{"granitemoehybrid", read_granite_hybrid},
    SpecialRow{"mamba", read_mamba},
    SpecialRow{"falcon_mamba", read_mamba},
    SpecialRow{"mamba2", read_mamba},
    SpecialRow{"jamba", read_jamba},
    SpecialRow{"nemotron_h", read_nemotron_h},
    SpecialRow{"lfm2", read_lfm2},
    SpecialRow{"lfm2_moe", read_lfm2},
    SpecialRow{"t5", read_t5},
    SpecialRow{"mt5", read_t5},
    SpecialRow{"umt5", read_t5},
    SpecialRow{"bart", read_bart},
    SpecialRow{"mbart", read_bart},
    SpecialRow{"modernbert", read_modernbert},
    SpecialRow{"dinov2", read_dinov2},
    SpecialRow{"dinov3_vit", read_dinov3},
    SpecialRow{"clip_vision_model", read_clip_vision},
};

}  // namespace

void read_family_specials(ConfigReader& config, Architecture& a) {
    for (const SpecialRow& r : kSpecials)
        if (r.model_type == a.model_type) r.read(config, a);
}

}  // namespace memwall
