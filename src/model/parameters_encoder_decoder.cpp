// Tensors of encoder-decoders: T5, BART, Whisper.
//
// Layers are numbered through: the encoder's first, then the decoder's.
#include "model/inventory.hpp"

namespace memwall {
namespace {

Factor hidden(const Architecture& a) { return {"hidden_size", a.hidden_size, 0, 0}; }
Factor vocabulary(const Architecture& a) { return {"vocab_size", a.vocab_size, 0, 0}; }
Factor width(const Architecture& a) { return {"intermediate_size", a.intermediate_size, 0, 0}; }

Place encoder_layers(const Architecture& a, std::string_view prefix) {
    const std::int64_t n = a.encoder_decoder.num_encoder_layers;
    return {prefix, {}, Stack::Encoder, {"num_encoder_layers", n, 0, 0}, layers_from(0, n)};
}

Place decoder_layers(const Architecture& a, std::string_view prefix) {
    const std::int64_t n = a.encoder_decoder.num_decoder_layers;
    return {prefix,
            {},
            Stack::Decoder,
            {"num_decoder_layers", n, 0, 0},
            layers_from(a.encoder_decoder.num_encoder_layers, n)};
}

// The position table that only the first layer of a stack has.
Place first_of(Place place) {
    std::size_t first = 0;
    while (!place.layers.test(first))
        ++first;
    place.layers.reset();
    place.layers.set(first);
    place.copies = {"first layer", 1, 0, 0};
    return place;
}

struct AttentionNames {
    std::string_view scope, q, k, v, o;
};
enum class Attending : std::uint8_t { Itself, Encoder };
enum class BiasSet : std::uint8_t { None, All, AllButKey };

void add_attention(const Architecture& a, const AttentionNames& names, Attending to_what, BiasSet biases,
                   Inventory& to) {
    const bool cross = to_what == Attending::Encoder;
    const auto inner = [&] {
        ShapeBuilder shape;
        shape.by("num_attention_heads", a.num_attention_heads).times("head_dim", a.head_dim);
        return shape;
    };
    const auto project = [&](Role role, std::string_view stem, Bias with_bias) {
        to.weight(role, stem, inner().by("hidden_size", a.hidden_size));
        if (with_bias == Bias::Yes) to.bias(role, stem, inner());
    };
    const Bias usual = bias_if(biases != BiasSet::None);
    to.place.scope = names.scope;
    if (biases == BiasSet::None) project(cross ? Role::CrossQProj : Role::QProj, names.q, usual);
    project(cross ? Role::CrossKProj : Role::KProj, names.k, bias_if(biases == BiasSet::All));
    project(cross ? Role::CrossVProj : Role::VProj, names.v, usual);
    if (biases != BiasSet::None) project(cross ? Role::CrossQProj : Role::QProj, names.q, usual);
    const Role out = cross ? Role::CrossOProj : Role::OProj;
    ShapeBuilder weight;
    weight.by("hidden_size", a.hidden_size)
        .by("num_attention_heads", a.num_attention_heads)
        .times("head_dim", a.head_dim);
    to.weight(out, names.o, weight);
    if (usual == Bias::Yes) to.bias(out, names.o, ShapeBuilder().by("hidden_size", a.hidden_size));
    to.place.scope = {};
}

// --- T5: rmsnorm, no biases, relative positions in the first layer of each stack; in every one of umt5.

void add_t5_mlp(const Architecture& a, std::string_view scope, Inventory& to) {
    to.place.scope = scope;
    if (a.mlp_gated) {
        to.linear(Role::GateProj, "DenseReluDense.wi_0", width(a), hidden(a), Bias::No);
        to.linear(Role::UpProj, "DenseReluDense.wi_1", width(a), hidden(a), Bias::No);
    } else {
        to.linear(Role::UpProj, "DenseReluDense.wi", width(a), hidden(a), Bias::No);
    }
    to.linear(Role::DownProj, "DenseReluDense.wo", hidden(a), width(a), Bias::No);
    to.norm(Role::PreFeedforwardNorm, "layer_norm", Norm::RmsNorm, hidden(a));
    to.place.scope = {};
}

void add_t5_stack(const Architecture& a, const Place& layers, Inventory& to) {
    to.place = layers;
    add_attention(a, {"layer.0.SelfAttention.", "q", "k", "v", "o"}, Attending::Itself, BiasSet::None, to);
    if (a.model_type != "umt5") to.place = first_of(layers);
    to.linear(Role::RelativeBias, "layer.0.SelfAttention.relative_attention_bias",
              {"relative_attention_num_buckets", a.encoder_decoder.relative_buckets, 0, 0},
              {"num_attention_heads", a.num_attention_heads, 0, 0}, Bias::No);
    to.place = layers;
    to.norm(Role::InputNorm, "layer.0.layer_norm", Norm::RmsNorm, hidden(a));
    if (layers.stack == Stack::Decoder) {
        add_attention(a, {"layer.1.EncDecAttention.", "q", "k", "v", "o"}, Attending::Encoder, BiasSet::None, to);
        to.norm(Role::CrossNorm, "layer.1.layer_norm", Norm::RmsNorm, hidden(a));
    }
    add_t5_mlp(a, layers.stack == Stack::Decoder ? "layer.2." : "layer.1.", to);
    to.place = {};
}

// --- BART and Whisper: layernorm, biases, k before v before q.

constexpr AttentionNames kSelfAttention{"self_attn.", "q_proj", "k_proj", "v_proj", "out_proj"};
constexpr AttentionNames kCrossAttention{"encoder_attn.", "q_proj", "k_proj", "v_proj", "out_proj"};

void add_bart_layers(const Architecture& a, const Place& layers, BiasSet biases, Inventory& to) {
    to.place = layers;
    add_attention(a, kSelfAttention, Attending::Itself, biases, to);
    to.norm(Role::InputNorm, "self_attn_layer_norm", Norm::LayerNorm, hidden(a));
    if (layers.stack == Stack::Decoder) {
        add_attention(a, kCrossAttention, Attending::Encoder, biases, to);
        to.norm(Role::CrossNorm, "encoder_attn_layer_norm", Norm::LayerNorm, hidden(a));
    }
    to.linear(Role::UpProj, "fc1", width(a), hidden(a), Bias::Yes);
    to.linear(Role::DownProj, "fc2", hidden(a), width(a), Bias::Yes);
    to.norm(Role::PostFeedforwardNorm, "final_layer_norm", Norm::LayerNorm, hidden(a));
    to.place = {};
}

void add_tied_head(const Architecture& a, std::string_view stem, Inventory& to) {
    to.linear(Role::LmHead, stem, vocabulary(a), hidden(a), Bias::No);
    to.share_with_embedding();
}

void add_filter(const Architecture& a, std::string_view stem, const Factor& in, Inventory& to) {
    to.weight(Role::Convolution, stem, ShapeBuilder().by("hidden_size", a.hidden_size).by(in).by("kernel width", 3));
    to.bias(Role::Convolution, stem, ShapeBuilder().by("hidden_size", a.hidden_size));
}

}  // namespace

void add_t5(const Architecture& a, Inventory& to) {
    const bool has_decoder = a.encoder_decoder.num_decoder_layers != 0;
    to.linear(Role::Embedding, "shared", vocabulary(a), hidden(a), Bias::No);
    if (a.encoder_decoder.num_encoder_layers != 0) add_t5_stack(a, encoder_layers(a, "encoder.block.*."), to);
    to.norm(Role::FinalNorm, "encoder.final_layer_norm", Norm::RmsNorm, hidden(a));
    if (!has_decoder) return;
    add_t5_stack(a, decoder_layers(a, "decoder.block.*."), to);
    to.norm(Role::FinalNorm, "decoder.final_layer_norm", Norm::RmsNorm, hidden(a));
    to.linear(Role::LmHead, "lm_head", vocabulary(a), hidden(a), Bias::No);
    if (a.tie_word_embeddings) to.share_with_embedding();
}

void add_bart(const Architecture& a, Inventory& to) {
    const Factor positions{"learned_positions", a.learned_positions, 0, 0};
    const bool final_norms = a.encoder_decoder.final_encoder_norm;
    to.linear(Role::Embedding, "model.shared", vocabulary(a), hidden(a), Bias::No);
    to.linear(Role::PositionEmbedding, "model.encoder.embed_positions", positions, hidden(a), Bias::No);
    add_bart_layers(a, encoder_layers(a, "model.encoder.layers.*."), BiasSet::All, to);
    to.norm(Role::EmbeddingNorm, "model.encoder.layernorm_embedding", Norm::LayerNorm, hidden(a));
    if (final_norms) to.norm(Role::FinalNorm, "model.encoder.layer_norm", Norm::LayerNorm, hidden(a));
    to.linear(Role::PositionEmbedding, "model.decoder.embed_positions", positions, hidden(a), Bias::No);
    add_bart_layers(a, decoder_layers(a, "model.decoder.layers.*."), BiasSet::All, to);
    to.norm(Role::EmbeddingNorm, "model.decoder.layernorm_embedding", Norm::LayerNorm, hidden(a));
    if (final_norms) to.norm(Role::FinalNorm, "model.decoder.layer_norm", Norm::LayerNorm, hidden(a));
    add_tied_head(a, "lm_head", to);
}

void add_whisper(const Architecture& a, Inventory& to) {
    const EncoderDecoderParts& parts = a.encoder_decoder;
    add_filter(a, "model.encoder.conv1", {"num_mel_bins", parts.num_mel_bins, 0, 0}, to);
    add_filter(a, "model.encoder.conv2", hidden(a), to);
    to.linear(Role::PositionEmbedding, "model.encoder.embed_positions",
              {"max_source_positions", parts.max_source_positions, 0, 0}, hidden(a), Bias::No);
    add_bart_layers(a, encoder_layers(a, "model.encoder.layers.*."), BiasSet::AllButKey, to);
    to.norm(Role::FinalNorm, "model.encoder.layer_norm", Norm::LayerNorm, hidden(a));
    to.linear(Role::Embedding, "model.decoder.embed_tokens", vocabulary(a), hidden(a), Bias::No);
    to.linear(Role::PositionEmbedding, "model.decoder.embed_positions",
              {"learned_positions", a.learned_positions, 0, 0}, hidden(a), Bias::No);
    add_bart_layers(a, decoder_layers(a, "model.decoder.layers.*."), BiasSet::AllButKey, to);
    to.norm(Role::FinalNorm, "model.decoder.layer_norm", Norm::LayerNorm, hidden(a));
    add_tied_head(a, "proj_out", to);
}

}  // namespace memwall
