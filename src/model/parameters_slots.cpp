// The table of adders, and those of embeddings, norms and heads.
#include "model/parameters_slots.hpp"

#include <array>
#include <cassert>

namespace memwall {
namespace {

Factor vocabulary(const Architecture& a) { return {"vocab_size", a.vocab_size, 0, 0}; }

void add_embedding(const SlotContext& c) {
    c.to.linear(c.slot.role, c.slot.stem, vocabulary(c.a), embedding_width(c.a), Bias::No);
}

void add_positions(const SlotContext& c) {
    if (c.a.position != Position::Learned || c.a.learned_positions == 0) return;
    const bool narrow = c.a.kind == ArchitectureKind::Encoder;  // decoders project first
    c.to.linear(c.slot.role, c.slot.stem, {"learned_positions", c.a.learned_positions, 0, 0},
                narrow ? embedding_width(c.a) : hidden(c.a), Bias::No);
}

void add_types(const SlotContext& c) {
    if (c.a.encoder.type_vocab_size != 0)
        c.to.linear(c.slot.role, c.slot.stem, {"type_vocab_size", c.a.encoder.type_vocab_size, 0, 0},
                    embedding_width(c.a), Bias::No);
}

// Between a narrow token embedding and the hidden size: one matrix in encoders, two in OPT.
void add_embedding_projection(const SlotContext& c) {
    const Factor narrow = embedding_width(c.a);
    if (narrow.value == c.a.hidden_size) return;
    if (c.a.kind == ArchitectureKind::Encoder) {
        c.to.linear(c.slot.role, c.slot.stem, hidden(c.a), narrow, Bias::Yes);
        return;
    }
    c.to.place.scope = c.slot.stem;
    c.to.linear(c.slot.role, "project_out", narrow, hidden(c.a), Bias::No);
    c.to.linear(c.slot.role, "project_in", hidden(c.a), narrow, Bias::No);
    c.to.place.scope = {};
}

void add_embedding_norm(const SlotContext& c) {
    const bool encoder = c.a.kind == ArchitectureKind::Encoder;
    if (encoder || c.a.embedding_norm) c.to.norm(c.slot.role, c.slot.stem, c.a.norm, embedding_width(c.a));
}

// Gemma E models: a narrow embedding for every layer, and what lets it into the block.
void add_per_layer_embedding(const SlotContext& c) {
    const PerLayerEmbedding& p = c.a.per_layer_embedding;
    if (p.hidden_size_per_layer_input == 0) return;
    const Factor width{"hidden_size_per_layer_input", p.hidden_size_per_layer_input, 0, 0};
    if (c.to.place.stack == Stack::Layers) {
        c.to.linear(c.slot.role, "per_layer_input_gate", width, hidden(c.a), Bias::No);
        c.to.linear(c.slot.role, "per_layer_projection", hidden(c.a), width, Bias::No);
        return;
    }
    ShapeBuilder all;
    all.by("num_hidden_layers", c.a.num_hidden_layers).times(width.name, width.value);
    c.to.place.scope = c.slot.stem;
    c.to.weight(c.slot.role, "embed_tokens_per_layer",
                ShapeBuilder()
                    .by("vocab_size_per_layer_input", p.vocab_size_per_layer_input)
                    .by("num_hidden_layers", c.a.num_hidden_layers)
                    .times(width.name, width.value));
    c.to.weight(Role::Other, "per_layer_model_projection", matrix(all, hidden(c.a)));
    c.to.norm(Role::Other, "per_layer_projection_norm", Norm::RmsNorm, width);
    c.to.place.scope = {};
}

// How many norms a block of this kind has; blocks of a mixer or an MLP alone have one.
std::int64_t norms(const SlotContext& c) {
    const char letter = c.kind.letter;
    const bool mixer_only = c.a.mamba.only_block && (letter == 'm' || letter == 'M');
    return letter == 'A' || letter == '-' || letter == 'E' || mixer_only ? 1 : c.a.norms_per_layer;
}

void add_block_norm(const SlotContext& c) {
    if (c.slot.norm_number > norms(c)) return;
    if (c.kind.first && c.slot.role == Role::InputNorm) return;  // ModernBERT: the embedding norm stands before it
    c.to.norm(c.slot.role, c.slot.stem, c.a.norm, hidden(c.a));
}

void add_final_norm(const SlotContext& c) {
    if (c.a.final_norm) c.to.norm(c.slot.role, c.slot.stem, c.a.norm, hidden(c.a));
}

void add_decoder_head(const SlotContext& c) {
    if (c.a.task_head == TaskHead::None) return;
    if (c.a.task_head == TaskHead::SequenceClassification) {
        c.to.linear(Role::Classifier, "score", {"num_labels", c.a.num_labels, 0, 0}, embedding_width(c.a), Bias::No);
        return;
    }
    c.to.linear(c.slot.role, c.slot.stem, vocabulary(c.a), embedding_width(c.a), Bias::No);
    if (c.a.tie_word_embeddings) c.to.share_with_embedding();
    if (c.a.lm_head_bias) c.to.bias(c.slot.role, c.slot.stem, ShapeBuilder().by("vocab_size", c.a.vocab_size));
}

void add_masked_lm_head(const SlotContext& c) {
    if (!c.a.encoder.mlm_head) return;
    if (c.slot.part != SlotPart::Bias) {
        c.to.linear(c.slot.role, c.slot.stem, vocabulary(c.a), embedding_width(c.a), Bias::No);
        c.to.share_with_embedding();
    }
    if (c.slot.part != SlotPart::Weight)
        c.to.bias(c.slot.role, c.slot.stem, ShapeBuilder().by("vocab_size", c.a.vocab_size));
}

void add_head(const SlotContext& c) {
    if (c.a.kind == ArchitectureKind::Encoder)
        add_masked_lm_head(c);
    else
        add_decoder_head(c);
}

// ModernBERT has it before a classifier too.
bool has_transform(const SlotContext& c) {
    return c.a.encoder.mlm_head ||
           (c.a.norm == Norm::LayerNormNoBias && c.a.encoder.classifier != ClassifierHead::None);
}

void add_mlm_transform(const SlotContext& c) {
    const bool biased = c.a.norm == Norm::LayerNorm;  // ModernBERT has no biases
    if (has_transform(c)) c.to.linear(c.slot.role, c.slot.stem, embedding_width(c.a), hidden(c.a), bias_if(biased));
}

void add_mlm_norm(const SlotContext& c) {
    if (has_transform(c)) c.to.norm(c.slot.role, c.slot.stem, c.a.norm, embedding_width(c.a));
}

void add_pooler(const SlotContext& c) {
    if (c.a.encoder.pooler) c.to.linear(c.slot.role, c.slot.stem, hidden(c.a), hidden(c.a), Bias::Yes);
}

void add_classifier(const SlotContext& c) {
    const Factor labels{"num_labels", c.a.num_labels, 0, 0};
    const bool image = c.a.kind == ArchitectureKind::Vision && c.a.num_labels != 0;
    switch (image ? ClassifierHead::Linear : c.a.encoder.classifier) {
        case ClassifierHead::None:
            return;
        case ClassifierHead::Linear:
            c.to.linear(c.slot.role, c.slot.stem, labels, hidden(c.a), Bias::Yes);
            return;
        case ClassifierHead::Dense:
            c.to.linear(c.slot.role, "classifier.dense", hidden(c.a), hidden(c.a), Bias::Yes);
            c.to.linear(c.slot.role, "classifier.out_proj", labels, hidden(c.a), Bias::Yes);
            return;
    }
}

void add_relative_positions(const SlotContext& c) {
    if (c.a.encoder.relative_positions != 0)
        c.to.linear(c.slot.role, c.slot.stem, {"relative_positions", c.a.encoder.relative_positions, 0, 0}, hidden(c.a),
                    Bias::No);
}

void add_encoder_convolution(const SlotContext& c) {
    if (c.a.encoder.conv_kernel == 0) return;
    const Factor h = hidden(c.a);
    c.to.place.scope = c.slot.stem;
    c.to.weight(c.slot.role, "conv", ShapeBuilder().by(h).by(h).by("conv_kernel", c.a.encoder.conv_kernel));
    c.to.bias(c.slot.role, "conv", ShapeBuilder().by(h));
    c.to.norm(c.slot.role, "LayerNorm", Norm::LayerNorm, h);
    c.to.place.scope = {};
}

void add_layer_scale(const SlotContext& c) {
    if (c.a.image.layer_scale)
        c.to.weight(c.slot.role, c.slot.stem, ShapeBuilder().by("hidden_size", c.a.hidden_size), ".lambda1");
}

void add_other(const SlotContext& c) {
    if (c.a.extra_parameters_per_layer != 0)
        c.to.weight(c.slot.role, c.slot.stem,
                    ShapeBuilder().by("extra_params_per_layer", c.a.extra_parameters_per_layer), "");
}

struct AdderRow {
    Role role;
    Adder add;
};

constexpr std::array kAdders{
    AdderRow{Role::Embedding, add_embedding},
    AdderRow{Role::PositionEmbedding, add_positions},
    AdderRow{Role::TypeEmbedding, add_types},
    AdderRow{Role::EmbeddingProjection, add_embedding_projection},
    AdderRow{Role::EmbeddingNorm, add_embedding_norm},
    AdderRow{Role::PerLayerEmbedding, add_per_layer_embedding},
    AdderRow{Role::QProj, add_query},
    AdderRow{Role::KProj, add_key},
    AdderRow{Role::VProj, add_value},
    AdderRow{Role::QkvProj, add_fused_qkv},
    AdderRow{Role::OProj, add_attention_output},
    AdderRow{Role::QNorm, add_query_norm},
    AdderRow{Role::KNorm, add_key_norm},
    AdderRow{Role::AttentionNorm, add_attention_norm},
    AdderRow{Role::AttentionGate, add_attention_gate},
    AdderRow{Role::Sinks, add_sinks},
    AdderRow{Role::RelativeBias, add_relative_positions},
    AdderRow{Role::KvLatentDown, add_latent_attention},
    AdderRow{Role::InputNorm, add_block_norm},
    AdderRow{Role::PostAttentionNorm, add_block_norm},
    AdderRow{Role::PreFeedforwardNorm, add_block_norm},
    AdderRow{Role::PostFeedforwardNorm, add_block_norm},
    AdderRow{Role::MlpNorm, add_mlp_norm},
    AdderRow{Role::FinalNorm, add_final_norm},
    AdderRow{Role::GateProj, add_gate},
    AdderRow{Role::UpProj, add_up},
    AdderRow{Role::GateUpProj, add_gate_up},
    AdderRow{Role::DownProj, add_down},
    AdderRow{Role::MlpScalars, add_mlp_scalars},
    AdderRow{Role::Router, add_router},
    AdderRow{Role::ExpertsGateUp, add_experts},
    AdderRow{Role::SharedGate, add_shared_expert},
    AdderRow{Role::SharedExpertGate, add_shared_expert_gate},
    AdderRow{Role::LinearAttention, add_linear_attention},
    AdderRow{Role::Mamba, add_mamba},
    AdderRow{Role::ShortConvolution, add_short_convolution},
    AdderRow{Role::LmHead, add_head},
    AdderRow{Role::MlmTransform, add_mlm_transform},
    AdderRow{Role::MlmNorm, add_mlm_norm},
    AdderRow{Role::Pooler, add_pooler},
    AdderRow{Role::LayerScale, add_layer_scale},
    AdderRow{Role::Classifier, add_classifier},
    AdderRow{Role::Convolution, add_encoder_convolution},
    AdderRow{Role::Other, add_other},
};

// Adders by role: nullptr where no slot has the role.
constexpr std::array<Adder, kRoles> adders_by_role() {
    std::array<Adder, kRoles> out{};
    for (const AdderRow& r : kAdders)
        out[static_cast<std::size_t>(r.role)] = r.add;
    return out;
}
constexpr std::array<Adder, kRoles> kAdderOf = adders_by_role();

}  // namespace

Factor hidden(const Architecture& a) { return {"hidden_size", a.hidden_size, 0, 0}; }

Factor embedding_width(const Architecture& a) {
    return a.embedding_size != 0 ? Factor{"embedding_size", a.embedding_size, 0, 0} : hidden(a);
}

ShapeBuilder matrix(ShapeBuilder out, const Factor& in) {
    out.by(in);
    return out;
}

void add_slot(const Architecture& a, const FamilyRow& family, const LayerKind& kind, const Slot& slot, Inventory& to) {
    const Adder add = kAdderOf[static_cast<std::size_t>(slot.role)];
    assert(add != nullptr);
    add({a, family, kind, slot, to});
}

}  // namespace memwall
