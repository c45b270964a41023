// Networks that are no stack of equal layers: ResNet and Swin, and those of diffusers by their class.
#include <array>
#include <string>

#include "import/hf_config_parts.hpp"
#include "model/families.hpp"

namespace memwall {

// Counted where it is one of the published ones: 64 channels first, and widths that double from stage to stage.
void read_resnet(ConfigReader& config, Architecture& a) {
    ConvolutionParts& c = a.convolution;
    std::int64_t first = 64;
    bool downsamples = false;
    config.size("embedding_size", first);
    config.flag("downsample_in_first_stage", downsamples);
    const auto kind = config.word("layer_type");
    c.bottleneck = !kind || *kind == "bottleneck";
    const std::vector<std::int64_t> depths = config.sizes("depths"), widths = config.sizes("hidden_sizes");
    bool known = first == 64 && !downsamples && depths.size() == 4 && widths.size() == 4;
    for (std::size_t i = 0; known && i < 4; ++i) {
        known = widths[i] == (c.bottleneck ? 256 : 64) << i && depths[i] > 0;
        c.blocks[i] = depths[i];
    }
    a.embedding_size = 0;
    a.layer_pattern.clear();
    if (!known) config.not_counted("hidden_sizes", {"such stages are"}, "those of ResNet-18 to ResNet-152");
}

// Heads double with the width from stage to stage, as in every published model: of others the total is needed.
void read_swin(ConfigReader& config, Architecture& a) {
    const std::vector<std::int64_t> blocks = config.sizes("depths"), heads = config.sizes("num_heads");
    std::int64_t ratio = 4, drop = 1;
    config.size("embed_dim", a.hidden_size);
    config.size("window_size", a.sliding_window);
    config.size("mlp_ratio", ratio);
    config.permille("drop_path_rate", drop);
    a.intermediate_size = a.hidden_size * ratio;
    a.image.drops_paths = drop > 0;
    bool known = blocks.size() <= 4;
    for (std::size_t i = 1; i < heads.size(); ++i)
        known = known && heads[i] == 2 * heads[i - 1];
    config.flag("use_absolute_embeddings", a.image.mask_token);
    if (!known || a.image.mask_token) a.kind = ArchitectureKind::TotalOnly;
    a.num_hidden_layers = 0;
    for (std::size_t i = 0; known && i < blocks.size(); ++i)
        a.num_hidden_layers += a.convolution.blocks[i] = blocks[i];
}

namespace {

// A word for each stage says whether it attends, and a number how often.
void read_unet(ConfigReader& config, Architecture& a) {
    DiffusionParts& d = a.diffusion;
    const std::vector<std::int64_t> widths = config.sizes("block_out_channels");
    const std::vector<std::string_view> kinds = config.words("down_block_types");
    std::int64_t depth = 1;
    std::vector<std::int64_t> depths;
    config.size_or_sizes("transformer_layers_per_block", depth, depths);
    if (widths.empty() || widths.size() > 4 || kinds.size() != widths.size() ||
        (!depths.empty() && depths.size() != widths.size()))
        return config.not_counted("down_block_types", {"such blocks are"}, "one for each of block_out_channels");
    for (std::size_t i = 0; i < widths.size(); ++i) {
        d.block_out_channels[i] = widths[i];
        d.mid_depth = depths.empty() ? depth : depths[i];
        d.transformer_layers_per_block[i] = kinds[i] == "CrossAttnDownBlock2D" ? d.mid_depth : 0;
    }
    if (config.has("addition_embed_type")) config.size("projection_class_embeddings_input_dim", d.add_embed_dim);
}

void read_sd3(ConfigReader& config, Architecture& a) {
    std::int64_t side = 96;
    config.size("pos_embed_max_size", side);
    a.diffusion.position_rows = side * side;
    a.diffusion.dual_attention_layers = config.entries("dual_attention_layers");
    if (config.has("qk_norm")) a.qk_norm = QkNorm::Head;
}

struct ClassRow {
    std::string_view class_name, model_type;
    Names uncounted;  // what none of them may state
};
constexpr std::array kClasses{
    ClassRow{"UNet2DConditionModel", "unet2d_cond",
             "class_embed_type num_class_embeds encoder_hid_dim encoder_hid_dim_type time_cond_proj_dim"},
    ClassRow{"Transformer2DModel", "dit", "caption_channels cross_attention_dim"},
    ClassRow{"DiTTransformer2DModel", "dit", "caption_channels"},
    ClassRow{"FluxTransformer2DModel", "flux", ""},
    ClassRow{"SD3Transformer2DModel", "sd3", ""},
    ClassRow{"WanTransformer3DModel", "wan", "image_dim added_kv_proj_dim"},
};

}  // namespace

Architecture read_diffusers(ConfigReader& config) {
    const std::string_view name = config.word("_class_name").value_or(std::string_view());
    for (const ClassRow& row : kClasses) {
        if (row.class_name != name) continue;
        Architecture a = architecture_from_family(family(row.model_type));
        const Blueprint network = family(row.model_type).blueprint;
        read_diffusion_values(config, a);
        if (network == Blueprint::Unet) read_unet(config, a);
        if (network == Blueprint::Sd3) read_sd3(config, a);
        if (network != Blueprint::Unet) config.size("attention_head_dim", a.head_dim);
        // One number, or frames, height and width.
        const std::vector<std::int64_t> patch = config.sizes("patch_size");
        if (patch.empty()) config.size("patch_size", a.image.patch_size);
        if (patch.size() == 3) {
            a.image.patch_frames = patch[0];
            a.image.patch_size = patch[1];
        }
        a.hidden_size = a.num_attention_heads * a.head_dim;
        if (config.has(row.uncounted)) config.not_counted("_class_name", {"what ", row.uncounted, " add is"}, name);
        return a;
    }
    config.not_counted("_class_name", {"networks of the class ", name, " are"},
                       "UNet2DConditionModel and the transformers of SD3, FLUX, DiT and Wan");
    return {};
}

}  // namespace memwall
