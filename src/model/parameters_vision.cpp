// Tensors of vision towers: ViT, dual encoders (CLIP, SigLIP), and the towers of vision-language models.
#include <array>

#include "model/parameters_slots.hpp"

namespace memwall {
namespace {

// One transformer encoder of a tower.
struct TowerSizes {
    Factor hidden, width, layers;
};

TowerSizes vision_sizes(const VisionTower& v) {
    return {{"vision.hidden_size", v.hidden_size, 0, 0},
            {"vision.intermediate_size", v.intermediate_size, 0, 0},
            {"vision.num_hidden_layers", v.num_hidden_layers, 0, 0}};
}

ShapeBuilder vector_of(const Factor& f) { return ShapeBuilder().by(f); }

Place layers_of(const TowerSizes& s, std::string_view prefix, Stack stack) { return {prefix, {}, stack, s.layers, {}}; }

void leave(Inventory& to) { to.place = {}; }

// What a tower's tensors are shown as: the parts of a language model, or one tower.
struct BlockRoles {
    Role k, v, q, o, norm1, up, down, norm2;
};
constexpr BlockRoles kImage{Role::Vision, Role::Vision, Role::Vision, Role::Vision,
                            Role::Vision, Role::Vision, Role::Vision, Role::Vision};
constexpr BlockRoles kText{Role::KProj,     Role::VProj,  Role::QProj,    Role::OProj,
                           Role::InputNorm, Role::UpProj, Role::DownProj, Role::PostAttentionNorm};

// Pre-norm block with biases everywhere: CLIP, SigLIP, Llama 4.
void add_biased_blocks(const TowerSizes& s, std::string_view prefix, Stack stack, Inventory& to) {
    const BlockRoles& r = stack == Stack::Text ? kText : kImage;
    to.place = layers_of(s, prefix, stack);
    to.linear(r.k, "self_attn.k_proj", s.hidden, s.hidden, Bias::Yes);
    to.linear(r.v, "self_attn.v_proj", s.hidden, s.hidden, Bias::Yes);
    to.linear(r.q, "self_attn.q_proj", s.hidden, s.hidden, Bias::Yes);
    to.linear(r.o, "self_attn.out_proj", s.hidden, s.hidden, Bias::Yes);
    to.norm(r.norm1, "layer_norm1", Norm::LayerNorm, s.hidden);
    to.linear(r.up, "mlp.fc1", s.width, s.hidden, Bias::Yes);
    to.linear(r.down, "mlp.fc2", s.hidden, s.width, Bias::Yes);
    to.norm(r.norm2, "layer_norm2", Norm::LayerNorm, s.hidden);
    leave(to);
}

// Pre-norm block without biases, gated MLP, rmsnorm: Pixtral, Gemma 4.
void add_plain_blocks(const TowerSizes& s, std::string_view prefix, std::int64_t norms, Inventory& to) {
    constexpr std::array<std::string_view, 4> kNorms{"input_layernorm", "post_attention_layernorm",
                                                     "pre_feedforward_layernorm", "post_feedforward_layernorm"};
    to.place = layers_of(s, prefix, Stack::Vision);
    for (const std::string_view stem : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"})
        to.linear(Role::Vision, stem, s.hidden, s.hidden, Bias::No);
    to.linear(Role::Vision, "mlp.gate_proj", s.width, s.hidden, Bias::No);
    to.linear(Role::Vision, "mlp.up_proj", s.width, s.hidden, Bias::No);
    to.linear(Role::Vision, "mlp.down_proj", s.hidden, s.width, Bias::No);
    for (std::int64_t i = 0; i < norms; ++i)
        to.norm(Role::Vision, kNorms[static_cast<std::size_t>(i)], Norm::RmsNorm, s.hidden);
    leave(to);
}

void add_patches(std::string_view stem, const Factor& hidden, std::int64_t patch_size, Bias with_bias, Inventory& to) {
    to.weight(
        Role::Vision, stem,
        ShapeBuilder().by(hidden).by("image channels", 3).by("patch_size", patch_size).by("patch_size", patch_size));
    if (with_bias == Bias::Yes) to.bias(Role::Vision, stem, vector_of(hidden));
}

void add_projector(const VisionTower& v, Inventory& to) {
    if (v.projector_parameters != 0)
        to.weight(Role::Projector, "multi_modal_projector",
                  ShapeBuilder().by("projector parameters", v.projector_parameters), "");
}

// Attention pooling of SigLIP: a probe, its attention, a norm and an MLP. Of a tower alone peft adapts its matrices.
constexpr std::array kOfATower{Role::Vision, Role::Vision, Role::Vision};
constexpr std::array kAlone{Role::OProj, Role::UpProj, Role::DownProj};
void add_pooling_head(const TowerSizes& s, std::string_view scope, const std::array<Role, 3>& roles, Inventory& to) {
    to.place.scope = scope;
    to.weight(Role::Vision, "probe", vector_of(s.hidden), "");
    to.weight(Role::Vision, "attention.in_proj_weight",
              ShapeBuilder().by("q, k and v", 3).times(s.hidden.name, s.hidden.value).by(s.hidden), "");
    to.bias(Role::Vision, "attention.in_proj_bias",
            ShapeBuilder().by("q, k and v", 3).times(s.hidden.name, s.hidden.value), "");
    to.linear(roles[0], "attention.out_proj", s.hidden, s.hidden, Bias::Yes);
    to.norm(Role::Vision, "layernorm", Norm::LayerNorm, s.hidden);
    to.linear(roles[1], "mlp.fc1", s.width, s.hidden, Bias::Yes);
    to.linear(roles[2], "mlp.fc2", s.hidden, s.width, Bias::Yes);
    leave(to);
}

void add_siglip_tower(const VisionTower& v, Inventory& to) {
    const TowerSizes s = vision_sizes(v);
    add_patches("vision_tower.embeddings.patch_embedding", s.hidden, v.patch_size, Bias::Yes, to);
    to.linear(Role::Vision, "vision_tower.embeddings.position_embedding", {"num_positions", v.num_positions, 0, 0},
              s.hidden, Bias::No);
    add_biased_blocks(s, "vision_tower.encoder.layers.*.", Stack::Vision, to);
    to.norm(Role::Vision, "vision_tower.post_layernorm", Norm::LayerNorm, s.hidden);
    if (v.pooling_head) add_pooling_head(s, "vision_tower.head.", kOfATower, to);
    add_projector(v, to);
}

void add_llama4_tower(const VisionTower& v, Inventory& to) {
    const TowerSizes s = vision_sizes(v);
    to.linear(Role::Vision, "vision_model.patch_embedding.linear", s.hidden,
              {"values of a patch", 3 * v.patch_size * v.patch_size, 0, 0}, Bias::No);
    to.weight(Role::Vision, "vision_model.class_embedding", vector_of(s.hidden), "");
    to.weight(Role::Vision, "vision_model.positional_embedding_vlm",
              ShapeBuilder().by("num_positions", v.num_positions).by(s.hidden), "");
    to.norm(Role::Vision, "vision_model.layernorm_pre", Norm::LayerNorm, s.hidden);
    to.norm(Role::Vision, "vision_model.layernorm_post", Norm::LayerNorm, s.hidden);
    add_biased_blocks(s, "vision_model.model.layers.*.", Stack::Vision, to);
    add_projector(v, to);
}

void add_pixtral_tower(const VisionTower& v, Inventory& to) {
    const TowerSizes s = vision_sizes(v);
    add_patches("vision_tower.patch_conv", s.hidden, v.patch_size, Bias::No, to);
    to.norm(Role::Vision, "vision_tower.ln_pre", Norm::RmsNorm, s.hidden);
    add_plain_blocks(s, "vision_tower.transformer.layers.*.", 2, to);
    add_projector(v, to);
}

void add_gemma4_tower(const VisionTower& v, Inventory& to) {
    const TowerSizes s = vision_sizes(v);
    const Factor out{"vision.out_hidden_size", v.out_hidden_size, 0, 0};
    add_patches("vision_tower.patch_embedder.input_proj", s.hidden, v.patch_size, Bias::No, to);
    to.weight(Role::Vision, "vision_tower.patch_embedder.position_embedding_table",
              ShapeBuilder().by("rows and columns", 2).by("num_positions", v.num_positions).by(s.hidden), "");
    add_plain_blocks(s, "vision_tower.encoder.layers.*.", 4, to);
    to.place = layers_of(s, "vision_tower.encoder.layers.*.", Stack::Vision);
    const Factor head{"vision head_dim", v.hidden_size / v.num_attention_heads, 0, 0};
    to.norm(Role::Vision, "self_attn.q_norm", Norm::RmsNorm, head);
    to.norm(Role::Vision, "self_attn.k_norm", Norm::RmsNorm, head);
    if (v.clipped_linears)
        to.weight(Role::Vision, "clip_bounds", ShapeBuilder().by("linears", 7).by("input and output, low and high", 4),
                  "");
    leave(to);
    if (v.standardize) {
        to.weight(Role::Vision, "vision_tower.std_bias", vector_of(s.hidden), "");
        to.weight(Role::Vision, "vision_tower.std_scale", vector_of(s.hidden), "");
    }
    to.linear(Role::Projector, "embed_vision.embedding_projection", out, s.hidden, Bias::No);
}

void add_video_patches(const VisionTower& v, const Factor& hidden, Bias with_bias, Inventory& to) {
    const std::int64_t frames = v.temporal_patch_size != 0 ? v.temporal_patch_size : 2;
    to.weight(Role::Vision, "visual.patch_embed.proj",
              ShapeBuilder()
                  .by(hidden)
                  .by("image channels", 3)
                  .by("temporal_patch_size", frames)
                  .by("patch_size", v.patch_size)
                  .by("patch_size", v.patch_size));
    if (with_bias == Bias::Yes) to.bias(Role::Vision, "visual.patch_embed.proj", vector_of(hidden));
}

// The patches of a spatial merge become one vector, then two linear layers.
void add_merger(const VisionTower& v, std::string_view norm_stem, Norm norm, const Factor& norm_width,
                std::string_view scope, Inventory& to) {
    const Factor merged{"merged patches", v.hidden_size * v.spatial_merge_size * v.spatial_merge_size, 0, 0};
    const Factor out{"vision.out_hidden_size", v.out_hidden_size, 0, 0};
    to.place.scope = scope;
    to.norm(Role::Projector, norm_stem, norm, norm_width);
    to.linear(Role::Projector, "linear_fc1", merged, merged, Bias::Yes);
    to.linear(Role::Projector, "linear_fc2", out, merged, Bias::Yes);
    to.place.scope = {};
}

// Qwen2-VL (layernorm), Qwen2.5-VL (rmsnorm, gated MLP), Qwen3-VL (position table, deepstack mergers).
void add_qwen_tower(const VisionTower& v, Inventory& to) {
    const TowerSizes s = vision_sizes(v);
    const bool gated = v.kind == TowerKind::Qwen25Vl, third = v.kind == TowerKind::Qwen3Vl;
    const Norm norm = gated ? Norm::RmsNorm : Norm::LayerNorm;
    add_video_patches(v, s.hidden, bias_if(third), to);
    if (third)
        to.linear(Role::Vision, "visual.pos_embed", {"num_positions", v.num_positions, 0, 0}, s.hidden, Bias::No);
    to.place = layers_of(s, "visual.blocks.*.", Stack::Vision);
    to.norm(Role::Vision, "norm1", norm, s.hidden);
    to.norm(Role::Vision, "norm2", norm, s.hidden);
    const auto qkv = [&] { return ShapeBuilder().by("q, k and v", 3).times(s.hidden.name, s.hidden.value); };
    to.weight(Role::Vision, "attn.qkv", matrix(qkv(), s.hidden));
    to.bias(Role::Vision, "attn.qkv", qkv());
    to.linear(Role::Vision, "attn.proj", s.hidden, s.hidden, Bias::Yes);
    if (gated) to.linear(Role::Vision, "mlp.gate_proj", s.width, s.hidden, Bias::Yes);
    to.linear(Role::Vision, gated ? "mlp.up_proj" : "mlp.fc1", s.width, s.hidden, Bias::Yes);
    to.linear(Role::Vision, gated ? "mlp.down_proj" : "mlp.fc2", s.hidden, s.width, Bias::Yes);
    leave(to);
    add_merger(v, third ? "norm" : "ln_q", norm, s.hidden, "visual.merger.", to);
    if (v.deepstack_layers == 0) return;
    to.place.copies = {"deepstack layers", v.deepstack_layers, 0, 0};
    add_merger(v, "norm", Norm::LayerNorm,
               {"merged patches", v.hidden_size * v.spatial_merge_size * v.spatial_merge_size, 0, 0},
               "visual.deepstack_merger_list.*.", to);
    leave(to);
}

std::int64_t patches(std::int64_t image_size, std::int64_t patch_size) {
    const std::int64_t side = patch_size == 0 ? 0 : image_size / patch_size;
    return side * side;
}

void add_text_tower(const TowerSizes& s, const Factor& vocabulary, const Factor& positions, Inventory& to) {
    to.linear(Role::Embedding, "text_model.embeddings.token_embedding", vocabulary, s.hidden, Bias::No);
    to.linear(Role::PositionEmbedding, "text_model.embeddings.position_embedding", positions, s.hidden, Bias::No);
    add_biased_blocks(s, "text_model.encoder.layers.*.", Stack::Text, to);
    to.norm(Role::FinalNorm, "text_model.final_layer_norm", Norm::LayerNorm, s.hidden);
}

}  // namespace

void add_vision_tower(const Architecture& a, Inventory& to) {
    switch (a.vision.kind) {
        case TowerKind::None:
        case TowerKind::Clip:
            return;
        case TowerKind::Siglip:
            return add_siglip_tower(a.vision, to);
        case TowerKind::Qwen2Vl:
        case TowerKind::Qwen25Vl:
        case TowerKind::Qwen3Vl:
            return add_qwen_tower(a.vision, to);
        case TowerKind::Gemma4:
            return add_gemma4_tower(a.vision, to);
        case TowerKind::Llama4:
            return add_llama4_tower(a.vision, to);
        case TowerKind::Pixtral:
            return add_pixtral_tower(a.vision, to);
    }
}

namespace {

TowerSizes sizes_of(const Architecture& a) {
    return {
        hidden(a), {"intermediate_size", a.intermediate_size, 0, 0}, {"num_hidden_layers", a.num_hidden_layers, 0, 0}};
}

void add_siglip_vision(const Architecture& a, Inventory& to) {
    const Factor h = hidden(a);
    add_patches("vision_model.embeddings.patch_embedding", h, a.image.patch_size, Bias::Yes, to);
    to.linear(Role::PositionEmbedding, "vision_model.embeddings.position_embedding",
              {"patches", patches(a.image.image_size, a.image.patch_size), 0, 0}, h, Bias::No);
    add_stack(a, to);
    add_pooling_head(sizes_of(a), "vision_model.head.", kAlone, to);
}

// A class token, positions of the patches and a norm before the blocks; no bias in the convolution.
void add_clip_vision(const Architecture& a, Inventory& to) {
    const Factor h = hidden(a);
    if (family(a.model_type).block == BlockFamily::SiglipVision) return add_siglip_vision(a, to);
    to.weight(Role::Other, "vision_model.embeddings.class_embedding", vector_of(h), "");
    add_patches("vision_model.embeddings.patch_embedding", h, a.image.patch_size, Bias::No, to);
    to.linear(Role::PositionEmbedding, "vision_model.embeddings.position_embedding",
              {"patches and class token", patches(a.image.image_size, a.image.patch_size) + 1, 0, 0}, h, Bias::No);
    to.norm(Role::EmbeddingNorm, "vision_model.pre_layrnorm", Norm::LayerNorm, h);
    add_stack(a, to);
    if (a.image.projection_dim != 0)
        to.linear(Role::Projector, "visual_projection", {"projection_dim", a.image.projection_dim, 0, 0}, h, Bias::No);
}

}  // namespace

void add_vit(const Architecture& a, Inventory& to) {
    if (family(a.model_type).names == TensorNames::ClipVision) return add_clip_vision(a, to);
    const Factor h = hidden(a);
    to.place.scope = "vit.embeddings.";
    if (!a.image.no_cls_token) to.weight(Role::Other, "cls_token", ShapeBuilder().by("one", 1).by("one", 1).by(h), "");
    if (a.image.mask_token) to.weight(Role::Other, "mask_token", ShapeBuilder().by("one", 1).by(h), "");
    if (a.image.register_tokens != 0)
        to.weight(Role::Other, "register_tokens",
                  ShapeBuilder().by("one", 1).by("register_tokens", a.image.register_tokens).by(h), "");
    if (a.position == Position::Learned)
        to.weight(Role::PositionEmbedding, "position_embeddings",
                  ShapeBuilder()
                      .by("one", 1)
                      .by("patches and class token", patches(a.image.image_size, a.image.patch_size) + class_tokens(a))
                      .by(h),
                  "");
    if (a.image.distillation_token)
        to.weight(Role::Other, "distillation_token", ShapeBuilder().by("one", 1).by("one", 1).by(h), "");
    to.place.scope = {};
    add_patches("vit.embeddings.patch_embeddings.projection", h, a.image.patch_size, Bias::Yes, to);
    if (a.image.pre_norm) to.norm(Role::EmbeddingNorm, "vit.layernorm_pre", Norm::LayerNorm, h);
    add_stack(a, to);
    if (a.image.second_classifier)
        to.linear(Role::Classifier, "distillation_classifier", {"num_labels", a.num_labels, 0, 0}, h, Bias::Yes);
}

void add_dual_encoder(const Architecture& a, Inventory& to) {
    const VisionTower& v = a.vision;
    const TextTower& t = a.text;
    const TowerSizes vision = vision_sizes(v);
    const TowerSizes text{{"text.hidden_size", t.hidden_size, 0, 0},
                          {"text.intermediate_size", t.intermediate_size, 0, 0},
                          {"text.num_hidden_layers", t.num_hidden_layers, 0, 0}};
    const bool clip = v.kind == TowerKind::Clip;
    to.weight(Role::Other, "logit_scale", ShapeBuilder().by("one", 1), "");
    if (!clip) to.weight(Role::Other, "logit_bias", ShapeBuilder().by("one", 1), "");
    add_text_tower(text, {"text.vocab_size", t.vocab_size, 0, 0}, {"text.learned_positions", t.learned_positions, 0, 0},
                   to);
    if (!clip) to.linear(Role::Projector, "text_model.head", text.hidden, text.hidden, Bias::Yes);
    if (clip) to.weight(Role::Vision, "vision_model.embeddings.class_embedding", vector_of(vision.hidden), "");
    add_patches("vision_model.embeddings.patch_embedding", vision.hidden, v.patch_size, bias_if(!clip), to);
    to.linear(Role::Vision, "vision_model.embeddings.position_embedding",
              {"patches and class token", patches(v.image_size, v.patch_size) + (clip ? 1 : 0), 0, 0}, vision.hidden,
              Bias::No);
    if (clip) to.norm(Role::Vision, "vision_model.pre_layrnorm", Norm::LayerNorm, vision.hidden);
    add_biased_blocks(vision, "vision_model.encoder.layers.*.", Stack::Vision, to);
    to.norm(Role::Vision, "vision_model.post_layernorm", Norm::LayerNorm, vision.hidden);
    if (!clip) return add_pooling_head(vision, "vision_model.head.", kOfATower, to);
    const Factor projected{"projection_dim", a.image.projection_dim, 0, 0};
    to.linear(Role::Projector, "visual_projection", projected, vision.hidden, Bias::No);
    to.linear(Role::Projector, "text_projection", projected, text.hidden, Bias::No);
}

void add_clip_text(const Architecture& a, Inventory& to) {
    const TowerSizes s = sizes_of(a);
    add_text_tower(s, {"vocab_size", a.vocab_size, 0, 0}, {"learned_positions", a.learned_positions, 0, 0}, to);
    if (a.model_type == "siglip_text_model")
        to.linear(Role::Projector, "text_model.head", s.hidden, s.hidden, Bias::Yes);
    if (a.image.projection_dim != 0)
        to.linear(Role::Projector, "text_projection", {"projection_dim", a.image.projection_dim, 0, 0}, s.hidden,
                  Bias::No);
}

}  // namespace memwall
