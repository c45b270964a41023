// Switches of single families that add or take parameters, and that no published model sets otherwise: a file that does
// is refused, not counted wrongly. Source: the model code of transformers 5.12.
#include <array>

#include "base/concat.hpp"
#include "base/word_list.hpp"
#include "import/hf_config_parts.hpp"

namespace memwall {
namespace {

enum class Usual : std::uint8_t { False, True, Three };

struct SwitchRow {
    std::string_view model_type, key;
    Usual usual;
};
constexpr std::array kSwitches{
    SwitchRow{"bart", "tie_word_embeddings", Usual::True},
    SwitchRow{"bert", "add_cross_attention", Usual::False},
    SwitchRow{"bert", "tie_word_embeddings", Usual::True},
    SwitchRow{"deepseek_v2", "attention_bias", Usual::False},
    SwitchRow{"deepseek_v3", "attention_bias", Usual::False},
    SwitchRow{"falcon_h1", "mamba_conv_bias", Usual::True},
    SwitchRow{"falcon_h1", "mamba_proj_bias", Usual::False},
    SwitchRow{"falcon_mamba", "use_bias", Usual::False},
    SwitchRow{"falcon_mamba", "use_conv_bias", Usual::True},
    SwitchRow{"gpt2", "add_cross_attention", Usual::False},
    SwitchRow{"jamba", "mamba_conv_bias", Usual::True},
    SwitchRow{"jamba", "mamba_proj_bias", Usual::False},
    SwitchRow{"lfm2", "conv_bias", Usual::False},
    SwitchRow{"lfm2_moe", "conv_bias", Usual::False},
    SwitchRow{"mamba", "use_bias", Usual::False},
    SwitchRow{"mamba", "use_conv_bias", Usual::True},
    SwitchRow{"mamba2", "use_bias", Usual::False},
    SwitchRow{"mamba2", "use_conv_bias", Usual::True},
    SwitchRow{"modernbert", "classifier_bias", Usual::False},
    SwitchRow{"modernbert", "decoder_bias", Usual::True},
    SwitchRow{"modernbert", "norm_bias", Usual::False},
    SwitchRow{"opt", "_remove_final_layer_norm", Usual::False},
    SwitchRow{"opt", "layer_norm_elementwise_affine", Usual::True},
    SwitchRow{"roberta", "add_cross_attention", Usual::False},
    SwitchRow{"roberta", "tie_word_embeddings", Usual::True},
    SwitchRow{"swin", "use_absolute_embeddings", Usual::False},
    SwitchRow{"vit", "num_channels", Usual::Three},
};

bool is_usual(ConfigReader& config, const SwitchRow& row) {
    if (row.usual == Usual::Three) {
        std::int64_t value = 3;
        config.size(row.key, value);
        return value == 3;
    }
    const bool usual = row.usual == Usual::True;
    bool value = usual;
    config.flag(row.key, value);
    return value == usual;
}

}  // namespace

void refuse_unusual(ConfigReader& config, const Architecture& a) {
    constexpr WordList kWords = "false|true|3";
    for (const SwitchRow& row : kSwitches)
        if (row.model_type == a.model_type && config.has(row.key) && !is_usual(config, row)) {
            const std::string_view usual = kWords[static_cast<std::size_t>(row.usual)];
            return config.not_counted(row.key, {"a ", row.model_type, " whose ", row.key, " is not ", usual, " is"},
                                      concat({row.key, " ", usual}));
        }
    std::int64_t encoder = 0, decoder = 0;
    config.size("encoder_ffn_dim", encoder);
    config.size("decoder_ffn_dim", decoder);
    if (a.kind == ArchitectureKind::EncoderDecoder && encoder != decoder && encoder != 0 && decoder != 0)
        config.not_counted("decoder_ffn_dim", {"a decoder with another width than its encoder is"}, "equal widths");
}

}  // namespace memwall
