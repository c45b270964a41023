// Tensors of diffusion networks: the conditional UNet of Stable Diffusion, DiT, SD3, FLUX and Wan (diffusers).
#include <cassert>
#include <vector>

#include "model/inventory.hpp"

namespace memwall {
namespace {

constexpr Factor kSinusoids{"timestep frequencies", 256, 0, 0};

Factor channels(std::int64_t n) { return {"channels", n, 0, 0}; }
Factor times(std::string_view name, std::int64_t n, const Factor& of) { return {name, n * of.value, 0, 0}; }

class Network {
  public:
    explicit Network(Inventory& to) : to_(to) {}
    void linear(std::string_view stem, const Factor& out, const Factor& in, Bias with_bias = Bias::Yes) {
        to_.linear(Role::Diffusion, stem, out, in, with_bias);
    }
    // out = n x width, shown as a product.
    void wide(std::string_view stem, std::string_view what, std::int64_t n, const Factor& width, const Factor& in) {
        to_.weight(Role::Diffusion, stem, ShapeBuilder().by(what, n).times(width.name, width.value).by(in));
        to_.bias(Role::Diffusion, stem, ShapeBuilder().by(what, n).times(width.name, width.value));
    }
    void filter(std::string_view stem, const Factor& out, const Factor& in, std::int64_t kernel) {
        to_.weight(Role::Diffusion, stem, ShapeBuilder().by(out).by(in).by("kernel", kernel).by("kernel", kernel));
        to_.bias(Role::Diffusion, stem, ShapeBuilder().by(out));
    }
    void norm(std::string_view stem, Norm kind, const Factor& width) { to_.norm(Role::Diffusion, stem, kind, width); }
    void table(std::string_view stem, const Factor& rows, const Factor& width) {
        to_.weight(Role::Diffusion, stem, ShapeBuilder().by(rows).by(width), "");
    }
    void layers(std::string_view prefix, std::string_view count_name, std::int64_t count) {
        to_.place = {prefix, {}, Stack::Outside, {count_name, count, 0, 0}, {}};
    }
    void outside() { to_.place = {}; }
    void four(std::string_view stem, const Factor& width) {  // q, k, v and output
        to_.weight(Role::Diffusion, stem, ShapeBuilder().by("q, k, v and output", 4).by(width).by(width));
        to_.bias(Role::Diffusion, stem, ShapeBuilder().by("q, k, v and output", 4).by(width));
    }
    // Two layers that make a conditioning vector of width h.
    void embedder(std::string_view first, std::string_view second, const Factor& in, const Factor& h) {
        linear(first, h, in);
        linear(second, h, h);
    }

  private:
    Inventory& to_;
};

// --- UNet

struct UnetSizes {
    Factor time, cross;
};

void add_residual(const UnetSizes& s, std::int64_t in, std::int64_t out, Network& net) {
    net.norm("resnets.norm1", Norm::LayerNorm, channels(in));
    net.filter("resnets.conv1", channels(out), channels(in), 3);
    net.linear("resnets.time_emb_proj", channels(out), s.time);
    net.norm("resnets.norm2", Norm::LayerNorm, channels(out));
    net.filter("resnets.conv2", channels(out), channels(out), 3);
    if (in != out) net.filter("resnets.conv_shortcut", channels(out), channels(in), 1);
}

void add_transformer(const UnetSizes& s, std::int64_t width, std::int64_t depth, Network& net) {
    if (depth == 0) return;
    const Factor c = channels(width);
    net.norm("attentions.norm", Norm::LayerNorm, c);
    net.linear("attentions.proj_in", c, c);
    net.layers("attentions.transformer_blocks.*.", "transformer blocks", depth);
    for (const std::string_view stem : {"attn1.to_q", "attn1.to_k", "attn1.to_v", "attn2.to_q"})
        net.linear(stem, c, c, Bias::No);
    net.linear("attn1.to_out.0", c, c);
    net.linear("attn2.to_k", c, s.cross, Bias::No);
    net.linear("attn2.to_v", c, s.cross, Bias::No);
    net.linear("attn2.to_out.0", c, c);
    net.wide("ff.net.0.proj", "gate and up, 4 each", 8, c, c);
    net.linear("ff.net.2", c, times("inner width", 4, c));
    for (const std::string_view stem : {"norm1", "norm2", "norm3"})
        net.norm(stem, Norm::LayerNorm, c);
    net.outside();
    net.linear("attentions.proj_out", c, c);
}

struct UnetStage {
    std::int64_t width, depth;
};

std::vector<UnetStage> stages(const DiffusionParts& d) {
    std::vector<UnetStage> out;
    for (std::size_t i = 0; i < d.block_out_channels.size(); ++i)
        if (d.block_out_channels[i] != 0) out.push_back({d.block_out_channels[i], d.transformer_layers_per_block[i]});
    return out;
}

void add_unet_stem(const Architecture& a, const UnetSizes& s, const Factor& first, Network& net) {
    net.filter("conv_in", first, {"in_channels", a.image.in_channels, 0, 0}, 3);
    net.embedder("time_embedding.linear_1", "time_embedding.linear_2", first, s.time);
    if (a.diffusion.add_embed_dim != 0)
        net.embedder("add_embedding.linear_1", "add_embedding.linear_2",
                     {"add_embed_dim", a.diffusion.add_embed_dim, 0, 0}, s.time);
}

void add_unet(const Architecture& a, Network& net) {
    const DiffusionParts& d = a.diffusion;
    const std::vector<UnetStage> down = stages(d);
    if (down.empty()) return;
    const Factor first = channels(down.front().width);
    const UnetSizes s{times("time embedding", 4, first), {"cross_attention_dim", d.cross_attention_dim, 0, 0}};
    add_unet_stem(a, s, first, net);
    std::vector<std::int64_t> skips{first.value};
    std::int64_t in = first.value;
    for (std::size_t i = 0; i < down.size(); ++i) {
        for (std::int64_t block = 0; block < d.layers_per_block; ++block) {
            add_residual(s, in, down[i].width, net);
            add_transformer(s, down[i].width, down[i].depth, net);
            in = down[i].width;
            skips.push_back(in);
        }
        if (i + 1 == down.size()) continue;
        net.filter("downsamplers.0.conv", channels(in), channels(in), 3);
        skips.push_back(in);
    }
    add_residual(s, in, in, net);
    add_transformer(s, in, d.mid_depth, net);
    add_residual(s, in, in, net);
    for (std::size_t i = down.size(); i-- > 0;) {
        for (std::int64_t block = 0; block <= d.layers_per_block; ++block) {
            assert(!skips.empty());
            add_residual(s, in + skips.back(), down[i].width, net);
            skips.pop_back();
            add_transformer(s, down[i].width, down[i].depth, net);
            in = down[i].width;
        }
        if (i > 0) net.filter("upsamplers.0.conv", channels(in), channels(in), 3);
    }
    net.norm("conv_norm_out", Norm::LayerNorm, first);
    net.filter("conv_out", {"out_channels", a.image.out_channels, 0, 0}, first, 3);
}

// --- Transformers: width = heads x head_dim

Factor width(const Architecture& a) {
    return {"num_attention_heads x head_dim", a.num_attention_heads * a.head_dim, 0, 0};
}

Factor patch(const Architecture& a, std::int64_t image_channels) {
    return {"values of a patch", a.image.patch_frames * a.image.patch_size * a.image.patch_size * image_channels, 0, 0};
}

void add_conditioning(const Architecture& a, const Factor& h, Network& net) {
    net.linear("context_embedder", h, {"text_dim", a.diffusion.text_dim, 0, 0});
    net.embedder("timestep_embedder.linear_1", "timestep_embedder.linear_2", kSinusoids, h);
    net.embedder("text_embedder.linear_1", "text_embedder.linear_2", {"pooled_dim", a.diffusion.pooled_dim, 0, 0}, h);
}

void add_mlp(std::string_view up, std::string_view down, const Factor& h, Network& net) {
    net.wide(up, "inner width", 4, h, h);
    net.linear(down, h, times("inner width", 4, h));
}

void add_flux(const Architecture& a, Network& net) {
    const Factor h = width(a), head{"head_dim", a.head_dim, 0, 0};
    net.linear("x_embedder", h, {"in_channels", a.image.in_channels, 0, 0});
    add_conditioning(a, h, net);
    if (a.diffusion.guidance_embeds)
        net.embedder("guidance_embedder.linear_1", "guidance_embedder.linear_2", kSinusoids, h);
    net.layers("transformer_blocks.*.", "num_double_layers", a.diffusion.num_double_layers);
    for (const std::string_view stem : {"norm1.linear", "norm1_context.linear"})
        net.wide(stem, "modulations", 6, h, h);
    for (const std::string_view stem : {"attn.to", "attn.add_to"})
        net.four(stem, h);
    for (const std::string_view stem : {"attn.norm_q", "attn.norm_k", "attn.norm_added_q", "attn.norm_added_k"})
        net.norm(stem, Norm::RmsNorm, head);
    add_mlp("ff.net.0.proj", "ff.net.2", h, net);
    add_mlp("ff_context.net.0.proj", "ff_context.net.2", h, net);
    net.layers("single_transformer_blocks.*.", "num_single_layers", a.diffusion.num_single_layers);
    net.wide("norm.linear", "modulations", 3, h, h);
    for (const std::string_view stem : {"attn.to_q", "attn.to_k", "attn.to_v"})
        net.linear(stem, h, h);
    for (const std::string_view stem : {"attn.norm_q", "attn.norm_k"})
        net.norm(stem, Norm::RmsNorm, head);
    net.wide("proj_mlp", "inner width", 4, h, h);
    net.linear("proj_out", h, times("attention and inner width", 5, h));
    net.outside();
    net.wide("norm_out.linear", "modulations", 2, h, h);
    net.linear("proj_out", {"out_channels", a.image.out_channels, 0, 0}, h);
}

// The last block of SD3 drops its text branch after attention.
void add_sd3_blocks(const Architecture& a, const Factor& h, Network& net) {
    const Factor head{"head_dim", a.head_dim, 0, 0};
    const std::int64_t layers = a.num_hidden_layers, dual = a.diffusion.dual_attention_layers;
    net.layers("transformer_blocks.*.", "num_hidden_layers", layers);
    net.wide("norm1.linear", "modulations", 6, h, h);
    net.four("attn.to", h);
    for (const std::string_view stem : {"attn.add_q_proj", "attn.add_k_proj", "attn.add_v_proj"})
        net.linear(stem, h, h);
    if (a.qk_norm != QkNorm::None)
        for (const std::string_view stem : {"attn.norm_q", "attn.norm_k", "attn.norm_added_q", "attn.norm_added_k"})
            net.norm(stem, Norm::RmsNorm, head);
    add_mlp("ff.net.0.proj", "ff.net.2", h, net);
    if (dual != 0) {
        net.layers("transformer_blocks.*.", "dual_attention_layers", dual);
        net.wide("norm1.linear, second attention", "modulations", 3, h, h);
        net.four("attn2.to", h);
        if (a.qk_norm != QkNorm::None)
            for (const std::string_view stem : {"attn2.norm_q", "attn2.norm_k"})
                net.norm(stem, Norm::RmsNorm, head);
    }
    net.layers("transformer_blocks.*.", "all layers but the last", layers - 1);
    net.wide("norm1_context.linear", "modulations", 6, h, h);
    net.linear("attn.to_add_out", h, h);
    add_mlp("ff_context.net.0.proj", "ff_context.net.2", h, net);
    net.layers("transformer_blocks.*.", "last layer", 1);
    net.wide("norm1_context.linear", "modulations", 2, h, h);
    net.outside();
}

void add_sd3(const Architecture& a, Network& net) {
    const Factor h = width(a);
    net.linear("pos_embed.proj", h, patch(a, a.image.in_channels));
    if (a.diffusion.position_rows != 0)
        net.table("pos_embed.pos_embed", {"position_rows", a.diffusion.position_rows, 0, 0}, h);
    add_conditioning(a, h, net);
    add_sd3_blocks(a, h, net);
    net.wide("norm_out.linear", "modulations", 2, h, h);
    net.linear("proj_out", patch(a, a.image.out_channels), h);
}

void add_dit(const Architecture& a, Network& net) {
    const Factor h{"hidden_size", a.hidden_size, 0, 0};
    const std::int64_t side = a.image.image_size / a.image.patch_size;
    net.linear("pos_embed.proj", h, patch(a, a.image.in_channels));
    net.table("pos_embed", {"patches", side * side, 0, 0}, h);
    net.embedder("timestep_embedder.linear_1", "timestep_embedder.linear_2", kSinusoids, h);
    net.table("class_embedder", {"num_labels and one for none", a.num_labels + 1, 0, 0}, h);
    net.layers("transformer_blocks.*.", "num_hidden_layers", a.num_hidden_layers);
    net.four("attn1.to", h);
    add_mlp("ff.net.0.proj", "ff.net.2", h, net);
    net.wide("norm1.linear", "modulations", 6, h, h);
    net.outside();
    net.wide("proj_out_1", "modulations", 2, h, h);
    net.linear("proj_out_2", patch(a, a.image.out_channels), h);
}

void add_wan(const Architecture& a, Network& net) {
    const Factor h{"hidden_size", a.hidden_size, 0, 0}, inner{"intermediate_size", a.intermediate_size, 0, 0};
    net.linear("patch_embedding", h, patch(a, a.image.in_channels));
    net.embedder("text_embedder.linear_1", "text_embedder.linear_2", {"text_dim", a.diffusion.text_dim, 0, 0}, h);
    net.embedder("time_embedder.linear_1", "time_embedder.linear_2", kSinusoids, h);
    net.wide("time_proj", "modulations", 6, h, h);
    net.layers("blocks.*.", "num_hidden_layers", a.num_hidden_layers);
    for (const std::string_view stem : {"attn1.to", "attn2.to"})
        net.four(stem, h);
    for (const std::string_view stem : {"attn1.norm_q", "attn1.norm_k", "attn2.norm_q", "attn2.norm_k"})
        net.norm(stem, Norm::RmsNorm, h);
    net.norm("norm2", Norm::LayerNorm, h);
    net.linear("ffn.net.0.proj", inner, h);
    net.linear("ffn.net.2", h, inner);
    net.table("scale_shift_table", {"modulations", 6, 0, 0}, h);
    net.outside();
    net.linear("proj_out", patch(a, a.image.out_channels), h);
    net.table("scale_shift_table", {"modulations", 2, 0, 0}, h);
}

}  // namespace

void add_diffusion(const Architecture& a, Blueprint blueprint, Inventory& to) {
    Network net(to);
    if (blueprint == Blueprint::Unet) add_unet(a, net);
    if (blueprint == Blueprint::Flux) add_flux(a, net);
    if (blueprint == Blueprint::Sd3) add_sd3(a, net);
    if (blueprint == Blueprint::Dit) add_dit(a, net);
    if (blueprint == Blueprint::Wan) add_wan(a, net);
}

}  // namespace memwall
