#include "model/parameters.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/checked.hpp"
#include "base/packed_rows.hpp"
#include "base/word_list.hpp"
#include "model/inventory.hpp"
#include "model/parameters_blocks.hpp"

namespace memwall {
namespace {

struct RoleRow {
    Role id;
    Module module;
    std::string_view name, title;
};

constexpr std::array kRoleRows{
    RoleRow{Role::Embedding, Module::Embedding, "embed_tokens", "Token embedding"},
    RoleRow{Role::PositionEmbedding, Module::Position, "position_embedding", "Position embedding"},
    RoleRow{Role::TypeEmbedding, Module::Position, "type_embedding", "Token type embedding"},
    RoleRow{Role::EmbeddingProjection, Module::Other, "embedding_projection", "Embedding projection"},
    RoleRow{Role::EmbeddingNorm, Module::Norm, "embedding_norm", "Embedding norm"},
    RoleRow{Role::PerLayerEmbedding, Module::Embedding, "per_layer_embedding", "Per-layer embedding"},
    RoleRow{Role::QProj, Module::Attention, "q_proj", "Query projection"},
    RoleRow{Role::KProj, Module::Attention, "k_proj", "Key projection"},
    RoleRow{Role::VProj, Module::Attention, "v_proj", "Value projection"},
    RoleRow{Role::QkvProj, Module::Attention, "qkv_proj", "Query, key and value projection"},
    RoleRow{Role::OProj, Module::Attention, "o_proj", "Attention output projection"},
    RoleRow{Role::QNorm, Module::Attention, "q_norm", "Query norm"},
    RoleRow{Role::KNorm, Module::Attention, "k_norm", "Key norm"},
    RoleRow{Role::AttentionNorm, Module::Attention, "attention_norm", "Norm before the attention output"},
    RoleRow{Role::AttentionGate, Module::Attention, "attention_gate", "Attention gate"},
    RoleRow{Role::Sinks, Module::Attention, "sinks", "Attention sinks"},
    RoleRow{Role::RelativeBias, Module::Position, "relative_bias", "Relative positions"},
    RoleRow{Role::QLatentDown, Module::Attention, "q_a_proj", "Query down projection"},
    RoleRow{Role::QLatentNorm, Module::Attention, "q_a_norm", "Latent query norm"},
    RoleRow{Role::QLatentUp, Module::Attention, "q_b_proj", "Query up projection"},
    RoleRow{Role::KvLatentDown, Module::Attention, "kv_a_proj", "Key/value down projection"},
    RoleRow{Role::KvLatentNorm, Module::Attention, "kv_a_norm", "Latent key/value norm"},
    RoleRow{Role::KvLatentUp, Module::Attention, "kv_b_proj", "Key/value up projection"},
    RoleRow{Role::Indexer, Module::Attention, "indexer", "Sparse attention indexer"},
    RoleRow{Role::CrossQProj, Module::Attention, "cross_q_proj", "Cross-attention query projection"},
    RoleRow{Role::CrossKProj, Module::Attention, "cross_k_proj", "Cross-attention key projection"},
    RoleRow{Role::CrossVProj, Module::Attention, "cross_v_proj", "Cross-attention value projection"},
    RoleRow{Role::CrossOProj, Module::Attention, "cross_o_proj", "Cross-attention output projection"},
    RoleRow{Role::InputNorm, Module::Norm, "input_layernorm", "Norm before attention"},
    RoleRow{Role::PostAttentionNorm, Module::Norm, "post_attention_layernorm", "Norm after attention"},
    RoleRow{Role::PreFeedforwardNorm, Module::Norm, "pre_feedforward_layernorm", "Norm before the MLP"},
    RoleRow{Role::PostFeedforwardNorm, Module::Norm, "post_feedforward_layernorm", "Norm after the MLP"},
    RoleRow{Role::CrossNorm, Module::Norm, "cross_attention_layernorm", "Norm of cross-attention"},
    RoleRow{Role::MlpNorm, Module::Mlp, "mlp_norm", "Norm inside the MLP"},
    RoleRow{Role::FinalNorm, Module::Norm, "norm", "Final norm"},
    RoleRow{Role::GateProj, Module::Mlp, "gate_proj", "MLP gate projection"},
    RoleRow{Role::UpProj, Module::Mlp, "up_proj", "MLP up projection"},
    RoleRow{Role::GateUpProj, Module::Mlp, "gate_up_proj", "MLP gate and up projection"},
    RoleRow{Role::DownProj, Module::Mlp, "down_proj", "MLP down projection"},
    RoleRow{Role::MlpScalars, Module::Mlp, "mlp_scalars", "Learned scalars of the activation"},
    RoleRow{Role::Router, Module::Experts, "router", "Router"},
    RoleRow{Role::ExpertsGateUp, Module::Experts, "experts_gate_up", "Experts: gate and up projection"},
    RoleRow{Role::ExpertsUp, Module::Experts, "experts_up", "Experts: up projection"},
    RoleRow{Role::ExpertsDown, Module::Experts, "experts_down", "Experts: down projection"},
    RoleRow{Role::SharedGate, Module::Experts, "shared_gate", "Shared expert: gate projection"},
    RoleRow{Role::SharedUp, Module::Experts, "shared_up", "Shared expert: up projection"},
    RoleRow{Role::SharedDown, Module::Experts, "shared_down", "Shared expert: down projection"},
    RoleRow{Role::SharedExpertGate, Module::Experts, "shared_expert_gate", "Gate of the shared expert"},
    RoleRow{Role::LinearAttention, Module::Attention, "linear_attention", "Linear attention"},
    RoleRow{Role::Mamba, Module::Attention, "mamba", "State-space mixer"},
    RoleRow{Role::ShortConvolution, Module::Attention, "short_convolution", "Short convolution"},
    RoleRow{Role::LmHead, Module::LmHead, "lm_head", "Output head"},
    RoleRow{Role::MlmTransform, Module::LmHead, "mlm_transform", "Masked-LM transform"},
    RoleRow{Role::MlmNorm, Module::LmHead, "mlm_norm", "Masked-LM norm"},
    RoleRow{Role::Pooler, Module::Other, "pooler", "Pooler"},
    RoleRow{Role::LayerScale, Module::Other, "layer_scale", "Layer scale"},
    RoleRow{Role::Classifier, Module::LmHead, "classifier", "Classifier"},
    RoleRow{Role::Vision, Module::Vision, "vision", "Vision tower"},
    RoleRow{Role::Projector, Module::Vision, "projector", "Vision projector"},
    RoleRow{Role::Convolution, Module::Other, "convolution", "Convolution"},
    RoleRow{Role::Diffusion, Module::Other, "diffusion", "Diffusion network"},
    RoleRow{Role::Other, Module::Other, "other", "Other parameters"},
};

constexpr bool rows_stand_at_their_index() {
    for (std::size_t i = 0; i < kRoleRows.size(); ++i)
        if (static_cast<std::size_t>(kRoleRows[i].id) != i) return false;
    return kRoleRows.size() == static_cast<std::size_t>(kRoles);
}
static_assert(rows_stand_at_their_index());

constexpr WordList kModuleNames = "embedding|position|attention|mlp|experts|norm|lm_head|vision|other";
static_assert(kModuleNames.size() == kModules);

const RoleRow& row(Role role) {
    return packed_rows<kRoleRows, &RoleRow::name, &RoleRow::title>()[static_cast<std::size_t>(role)];
}

// check() keeps every architecture far below 2^63; leaving it here is a bug.
std::int64_t product(std::int64_t a, std::int64_t b) {
    const auto out = checked_multiply(a, b);
    assert(out);
    return *out;
}

}  // namespace

std::string_view name(Role role) { return row(role).name; }
std::string_view title(Role role) { return row(role).title; }
Module module_of(Role role) { return row(role).module; }
std::string_view name(Module module) { return kModuleNames[static_cast<std::size_t>(module)]; }

std::string name(const ParameterTensor& t) {
    std::string out;
    for (const std::string_view part : {t.prefix, t.scope, t.stem, t.suffix})
        out += part;
    return out;
}

std::vector<std::int64_t> dimensions(const ParameterTensor& t) {
    std::vector<std::int64_t> out;
    std::int64_t term = 0;
    for (std::size_t i = 0; i < t.shape.size(); ++i) {
        const Factor& f = t.shape[i];
        const bool new_dimension = i == 0 || f.dimension != t.shape[i - 1].dimension;
        const bool new_term = new_dimension || f.term != t.shape[i - 1].term;
        if (new_dimension) out.push_back(0);
        if (!new_term) out.back() -= term;  // the term so far is counted again with the next factor
        term = new_term ? f.value : product(term, f.value);
        out.back() += term;
    }
    return out;
}

Count elements(const ParameterTensor& t) {
    std::int64_t out = 1;
    for (const std::int64_t dimension : dimensions(t))
        out = product(out, dimension);
    return Count(out);
}

Count parameters_of(const ParameterTensor& t) {
    if (t.tying == Tying::SharesEmbedding) return Count(0);
    return Count(product(t.copies.value, elements(t).value));
}

bool is_expert(const ParameterTensor& t) {
    return t.role == Role::ExpertsGateUp || t.role == Role::ExpertsUp || t.role == Role::ExpertsDown;
}

std::vector<ParameterTensor> parameters(const Architecture& a) {
    Inventory inventory;
    if (a.kind == ArchitectureKind::ParameterCount || a.kind == ArchitectureKind::TotalOnly) return {};
    const Blueprint blueprint = family(a.model_type).blueprint;
    switch (blueprint) {
        case Blueprint::Decoder:
        case Blueprint::Bert:
        case Blueprint::DebertaV2:
        case Blueprint::ModernBert:
            add_stack(a, inventory);
            break;
        case Blueprint::T5:
            add_t5(a, inventory);
            break;
        case Blueprint::Bart:
            add_bart(a, inventory);
            break;
        case Blueprint::Whisper:
            add_whisper(a, inventory);
            break;
        case Blueprint::Vit:
            add_vit(a, inventory);
            break;
        case Blueprint::DualEncoder:
            add_dual_encoder(a, inventory);
            break;
        case Blueprint::ClipText:
            add_clip_text(a, inventory);
            break;
        case Blueprint::Resnet:
            add_resnet(a, inventory);
            break;
        case Blueprint::Vgg:
            add_vgg(a, inventory);
            break;
        case Blueprint::Swin:
            add_swin(a, inventory);
            break;
        case Blueprint::Unet:
        case Blueprint::Flux:
        case Blueprint::Sd3:
        case Blueprint::Dit:
        case Blueprint::Wan:
            add_diffusion(a, blueprint, inventory);
            break;
        case Blueprint::None:
            break;
    }
    return inventory.take();
}

std::shared_ptr<const std::vector<ParameterTensor>> shared_parameters(const Architecture& a) {
    struct Known {
        Architecture architecture;
        std::shared_ptr<const std::vector<ParameterTensor>> tensors;
    };
    static thread_local std::array<Known, 2> known;
    static thread_local std::size_t next = 0;
    for (const Known& k : known)
        if (k.tensors && k.architecture == a) return k.tensors;
    Known& fresh = known[next];
    next = (next + 1) % known.size();
    fresh = {a, std::make_shared<const std::vector<ParameterTensor>>(parameters(a))};
    return fresh.tensors;
}

ParameterCounts count_parameters(const Architecture& a) {
    ParameterCounts out;
    const auto shared = shared_parameters(a);
    const std::vector<ParameterTensor>& tensors = *shared;
    if (tensors.empty()) {
        out.total = Count(a.total_parameters);
        out.active = Count(a.active_parameters != 0 ? a.active_parameters : a.total_parameters);
        return out;
    }
    for (const ParameterTensor& t : tensors) {
        const Count n = parameters_of(t);
        out.total += n;
        out.by_module[static_cast<std::size_t>(module_of(t.role))] += n;
        out.active += is_expert(t) ? Count(product(n.value / a.num_experts, a.num_experts_per_tok)) : n;
    }
    return out;
}

char layer_letter(const Architecture& a, std::int64_t layer) {
    const auto index = static_cast<std::size_t>(layer);
    const char letter = index < a.layer_pattern.size() ? a.layer_pattern[index] : 'F';
    return letter == 'f' ? 'F' : letter == 's' ? 'S' : letter;
}

bool is_moe_layer(const Architecture& a, std::int64_t layer) {
    const char letter = layer_letter(a, layer);
    if (a.num_experts == 0 || letter == '-') return false;
    if (letter == 'E') return true;
    const auto index = static_cast<std::size_t>(layer);
    const bool dense =
        index < a.layer_pattern.size() && (a.layer_pattern[index] == 'f' || a.layer_pattern[index] == 's');
    if (layer < a.first_k_dense || dense) return false;
    const std::int64_t step = std::max<std::int64_t>(a.moe.moe_layer_step, 1);
    return ((layer - a.moe.moe_layer_offset) % step + step) % step == 0;
}

bool has_sliding_layers(const Architecture& a) {
    return a.sliding_window > 0 && a.layer_pattern.find_first_of("Ss") != std::string::npos;
}

std::int64_t intermediate_size(const Architecture& a, std::int64_t layer) {
    const auto index = static_cast<std::size_t>(layer);
    return index < a.intermediate_sizes.size() ? a.intermediate_sizes[index] : a.intermediate_size;
}

}  // namespace memwall
