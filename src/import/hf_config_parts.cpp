#include "import/hf_config_parts.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/concat.hpp"
#include "model/families.hpp"

namespace memwall {
namespace {

struct LayerTypeRow {
    std::string_view word;
    char letter;
};
constexpr std::array kLayerTypes{
    LayerTypeRow{"full_attention", 'F'},
    LayerTypeRow{"attention", 'F'},
    LayerTypeRow{"sliding_attention", 'S'},
    LayerTypeRow{"chunked_attention", 'S'},
    LayerTypeRow{"linear_attention", 'L'},
    LayerTypeRow{"mamba", 'M'},
    LayerTypeRow{"conv", 'C'},
    LayerTypeRow{"attention_and_mamba", 'P'},
    LayerTypeRow{"attention_only", 'A'},
    LayerTypeRow{"mlp_only", '-'},
    LayerTypeRow{"moe_only", 'E'},
};

char letter_of(std::string_view word, const Architecture& a) {
    const auto found =
        std::find_if(kLayerTypes.begin(), kLayerTypes.end(), [word](const LayerTypeRow& r) { return r.word == word; });
    if (found == kLayerTypes.end()) return '?';
    if (found->letter == 'L' && a.model_type == "minimax") return 'G';
    if (found->letter == 'L' && a.model_type == "kimi_linear") return 'K';
    return found->letter;
}

std::size_t layers(const Architecture& a) {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(a.num_hidden_layers, 0, kMaxLayers));
}

// Every n-th layer attends fully (counted so that layer n is one), the others have `letter`.
std::string every(const Architecture& a, std::int64_t n, char letter) {
    std::string out(layers(a), letter);
    for (std::size_t i = 0; i < out.size(); ++i)
        if ((static_cast<std::int64_t>(i) + 1) % n == 0) out[i] = 'F';
    return out;
}

// nemotron_h: "M-M*-" with * for attention.
std::string hybrid_pattern(std::string_view text) {
    std::string out(text);
    std::replace(out.begin(), out.end(), '*', 'A');
    return out;
}

std::string jamba_pattern(ConfigReader& config, const Architecture& a) {
    std::int64_t period = 8, offset = 4;
    config.size("attn_layer_period", period);
    config.size("attn_layer_offset", offset, 0);
    std::string out(layers(a), 'm');
    for (std::size_t i = 0; i < out.size(); ++i)
        if (static_cast<std::int64_t>(i) % period == offset) out[i] = 'F';
    return out;
}

bool slides(ConfigReader& config, const Architecture& a) {
    bool use = true;
    config.flag("use_sliding_window", use);
    return use && a.sliding_window != 0 && a.sliding_window < a.max_position_embeddings;
}

// The first layers attend fully, and all of them where the window is not said to be used.
std::string qwen_pattern(ConfigReader& config, const Architecture& a) {
    bool use = false;
    std::int64_t full = 28;
    config.flag("use_sliding_window", use);
    config.size("max_window_layers", full, 0);
    std::string out(layers(a), 'S');
    if (!use || a.sliding_window == 0 || full >= static_cast<std::int64_t>(out.size())) return {};
    std::fill_n(out.begin(), full, 'F');
    return out;
}

// What a family does where its config.json names no layer_types.
std::string default_pattern(ConfigReader& config, const Architecture& a) {
    const std::string_view type = a.model_type;
    std::int64_t every_nth = 0;
    config.size("sliding_window_pattern full_attention_interval", every_nth);
    if (type == "mamba" || type == "falcon_mamba") return std::string(layers(a), 'm');
    if (type == "mamba2") return std::string(layers(a), 'M');
    if (type == "falcon_h1") return std::string(layers(a), 'P');
    if (type == "jamba") return jamba_pattern(config, a);
    if (type == "qwen3_next" || type.substr(0, 7) == "qwen3_5") return every(a, every_nth != 0 ? every_nth : 4, 'L');
    if (type == "qwen2" || type == "qwen3") return qwen_pattern(config, a);
    const std::int64_t period = family(type).window_period;
    if (period > 1) return every(a, every_nth != 0 ? every_nth : period, 'S');
    return period == 1 && slides(config, a) ? std::string(layers(a), 'S') : std::string();
}

}  // namespace

void read_experts(ConfigReader&, Architecture& a) {
    if (a.num_experts == 0) a.num_experts_per_tok = a.moe_intermediate_size = a.num_shared_experts = 0;
}

void read_mixers(ConfigReader& config, Architecture& a) {
    if (a.linear_attention.num_key_heads != 0) a.attention.output_gate = true;
    Mamba& m = a.mamba;
    if (m.d_state == 0) return;
    std::int64_t expand = 2;
    config.size("mamba_expand expand", expand);
    if (m.d_inner == 0) m.d_inner = expand * a.hidden_size;
    if (m.n_heads == 0 && a.model_type == "mamba2") config.size("num_heads", m.n_heads);
    if (a.model_type == "nemotron_h") {
        std::int64_t width = 0;
        config.size("mamba_head_dim", width);
        m.d_inner = width * m.n_heads;
    }
    if (a.model_type == "mamba" || a.model_type == "falcon_mamba" || a.model_type == "jamba") {
        m.dt_rank = (a.hidden_size + 15) / 16;
        if (!config.is_text("mamba_dt_rank time_step_rank"))  // "auto"
            config.size("mamba_dt_rank time_step_rank", m.dt_rank);
    }
}

namespace {

void refuse_layer_type(ConfigReader& config, std::string_view type) {
    std::string all;
    for (const LayerTypeRow& row : kLayerTypes)
        all += concat({all.empty() ? "" : ", ", row.word});
    config.fail(
        {ErrorCode::UnknownName, config.where("layer_types"), {"layer_types has \"", type, "\""}, {"allowed: ", all}});
}

}  // namespace

void read_layer_pattern(ConfigReader& config, Architecture& a) {
    constexpr Names kNames = "layer_types layers_block_type";
    const std::vector<std::string_view> types = config.words(kNames);
    if (types.empty()) {
        const auto hybrid = config.word("hybrid_override_pattern");
        a.layer_pattern = hybrid ? hybrid_pattern(*hybrid) : default_pattern(config, a);
    }
    for (const std::string_view type : types) {
        const char letter = letter_of(type, a);
        a.layer_pattern += letter;
        if (letter == '?') return refuse_layer_type(config, type);
    }
    // All layers full, and nothing that slides: the same as no pattern.
    if (a.layer_pattern.find_first_not_of('F') == std::string::npos &&
        static_cast<std::int64_t>(a.layer_pattern.size()) == a.num_hidden_layers)
        a.layer_pattern.clear();
    // Their code then has no window at all.
    if ((a.model_type == "qwen2" || a.model_type == "qwen3") && a.layer_pattern.empty()) a.sliding_window = 0;
}

void read_encoder_parts(ConfigReader& config, Architecture& a) {
    const FamilyRow& row = family(a.model_type);
    if (row.kind == ArchitectureKind::Encoder) {
        if (a.model_type == "distilbert") a.encoder.type_vocab_size = 0;
        a.encoder.shared_layers = a.model_type == "albert";
        if (a.model_type == "deberta-v2") {
            std::int64_t buckets = 256;
            bool relative = false, absolute = true;
            config.flag("relative_attention", relative);
            config.flag("position_biased_input", absolute);
            const bool norms =
                config.word("norm_rel_ebd").value_or("none").find("layer_norm") != std::string_view::npos;
            if (!relative || absolute || !norms)
                config.not_counted("relative_attention", {"such positions are"},
                                   "those of deberta-v2 and v3 as published");
            config.size("position_buckets", buckets);
            config.size("conv_kernel_size", a.encoder.conv_kernel, 0);
            a.encoder.relative_positions = 2 * buckets;
        }
    }
    if (row.kind == ArchitectureKind::EncoderDecoder) {
        EncoderDecoderParts& parts = a.encoder_decoder;
        parts.num_encoder_layers = a.num_hidden_layers;
        config.size("encoder_layers num_encoder_layers num_layers", parts.num_encoder_layers);
        parts.num_decoder_layers = parts.num_encoder_layers;
        config.size("decoder_layers num_decoder_layers", parts.num_decoder_layers);
        if (config.class_name().ends_with("EncoderModel")) parts.num_decoder_layers = 0;
        config.size("encoder_attention_heads", a.num_attention_heads);
        config.size("encoder_ffn_dim", a.intermediate_size);
        config.size("max_target_positions", a.learned_positions);
        a.num_hidden_layers = 0;
    }
    if (row.block == BlockFamily::Swin) read_swin(config, a);
    if (row.blueprint == Blueprint::Resnet) read_resnet(config, a);
    if (row.blueprint == Blueprint::Vit) {
        a.image.mask_token = a.image.layer_scale = a.model_type.substr(0, 4) == "dino";
        if (a.intermediate_size == 0) a.intermediate_size = 4 * a.hidden_size;
    }
}

}  // namespace memwall
