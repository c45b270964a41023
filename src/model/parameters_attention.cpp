// Tensors of attention: ordinary, grouped, gated, with sinks, and latent (MLA) with its sparse indexer.
#include "model/parameters_slots.hpp"

namespace memwall {
namespace {

// Latent attention replaces the ordinary one in full-attention layers.
bool is_latent(const SlotContext& c) { return c.a.kv_lora_rank != 0 && c.kind.letter == 'F'; }

bool attends(const SlotContext& c) {
    const char letter = c.kind.letter;
    return (letter == 'F' || letter == 'S' || letter == 'A' || letter == 'P') && !is_latent(c);
}

struct Heads {
    std::int64_t query, key_value, dim;
};

// Head counts and widths of this kind of layer.
Heads heads(const SlotContext& c) {
    Heads h{c.a.num_attention_heads, c.a.num_key_value_heads, c.a.head_dim};
    const AttentionExtras& x = c.a.attention;
    if (c.kind.letter == 'F') {
        if (x.full_num_key_value_heads != 0) h.key_value = x.full_num_key_value_heads;
        if (x.full_head_dim != 0) h.dim = x.full_head_dim;
    } else if (c.kind.letter == 'S') {
        if (x.sliding_num_attention_heads != 0) h.query = x.sliding_num_attention_heads;
        if (x.sliding_num_key_value_heads != 0) h.key_value = x.sliding_num_key_value_heads;
    }
    return h;
}

ShapeBuilder query_rows(const Heads& h) {
    ShapeBuilder shape;
    shape.by("num_attention_heads", h.query).times("head_dim", h.dim);
    return shape;
}

ShapeBuilder key_value_rows(const Heads& h) {
    ShapeBuilder shape;
    shape.by("num_key_value_heads", h.key_value).times("head_dim", h.dim);
    return shape;
}

void add_norm(const SlotContext& c, const Heads& h, ShapeBuilder full) {
    switch (c.a.qk_norm) {
        case QkNorm::None:
            return;
        case QkNorm::Head:
            c.to.weight(c.slot.role, c.slot.stem, ShapeBuilder().by("head_dim", h.dim));
            return;
        case QkNorm::HeadLayerNorm:
            c.to.norm(c.slot.role, c.slot.stem, Norm::LayerNorm, {"head_dim", h.dim, 0, 0});
            return;
        case QkNorm::Full:
            c.to.weight(c.slot.role, c.slot.stem, full);
            return;
        case QkNorm::FullRepeated:
            c.to.weight(c.slot.role, c.slot.stem, query_rows(h));
            return;
    }
}

void add_key_or_value(const SlotContext& c, bool has_bias) {
    const Heads h = heads(c);
    c.to.weight(c.slot.role, c.slot.stem, matrix(key_value_rows(h), hidden(c.a)));
    if (has_bias) c.to.bias(c.slot.role, c.slot.stem, key_value_rows(h));
}

ShapeBuilder& add_fused_rows(ShapeBuilder& shape, const Heads& h) {
    shape.by("num_attention_heads", h.query).times("head_dim", h.dim);
    return shape.plus("keys and values", 2).times("num_key_value_heads", h.key_value).times("head_dim", h.dim);
}

}  // namespace

void add_query(const SlotContext& c) {
    if (!attends(c)) return;
    const auto rows = [&] {
        ShapeBuilder shape = query_rows(heads(c));
        if (c.a.attention.output_gate) shape.times("query and gate", 2);
        return shape;
    };
    c.to.weight(c.slot.role, c.slot.stem, matrix(rows(), hidden(c.a)));
    if (c.a.qkv_bias) c.to.bias(c.slot.role, c.slot.stem, rows());
}

void add_key(const SlotContext& c) {
    if (!attends(c) || c.kind.shares_keys_and_values) return;
    add_key_or_value(c, c.a.qkv_bias && !c.a.attention.no_key_bias);
}

void add_value(const SlotContext& c) {
    const bool is_key = c.a.attention.values_are_keys && c.kind.letter == 'F';
    if (!attends(c) || c.kind.shares_keys_and_values || is_key) return;
    add_key_or_value(c, c.a.qkv_bias);
}

void add_fused_qkv(const SlotContext& c) {
    if (!attends(c)) return;
    const Heads h = heads(c);
    ShapeBuilder weight, bias;
    if (is_transposed(c.family)) {
        weight.by("hidden_size", c.a.hidden_size);
        add_fused_rows(weight, h);
    } else {
        add_fused_rows(weight, h).by("hidden_size", c.a.hidden_size);
    }
    c.to.weight(c.slot.role, c.slot.stem, weight);
    if (c.a.qkv_bias) c.to.bias(c.slot.role, c.slot.stem, add_fused_rows(bias, h));
}

void add_attention_output(const SlotContext& c) {
    if (!attends(c)) return;
    const Heads h = heads(c);
    ShapeBuilder weight;
    if (is_transposed(c.family))
        weight.by("num_attention_heads", h.query).times("head_dim", h.dim).by("hidden_size", c.a.hidden_size);
    else
        weight.by("hidden_size", c.a.hidden_size).by("num_attention_heads", h.query).times("head_dim", h.dim);
    c.to.weight(c.slot.role, c.slot.stem, weight);
    if (c.a.o_bias) c.to.bias(c.slot.role, c.slot.stem, ShapeBuilder().by("hidden_size", c.a.hidden_size));
}

void add_query_norm(const SlotContext& c) {
    if (attends(c)) add_norm(c, heads(c), query_rows(heads(c)));
}

void add_key_norm(const SlotContext& c) {
    if (attends(c) && !c.kind.shares_keys_and_values) add_norm(c, heads(c), key_value_rows(heads(c)));
}

void add_attention_norm(const SlotContext& c) {
    if (attends(c) && c.a.attention.sub_norm) c.to.weight(c.slot.role, c.slot.stem, query_rows(heads(c)));
}

void add_attention_gate(const SlotContext& c) {
    if (!attends(c)) return;
    const Heads h = heads(c);
    switch (c.a.attention.gate) {
        case AttentionGate::None:
            return;
        case AttentionGate::PerHead:
            c.to.linear(c.slot.role, c.slot.stem, {"num_attention_heads", h.query, 0, 0}, hidden(c.a), Bias::No);
            return;
        case AttentionGate::Full:
            c.to.weight(c.slot.role, c.slot.stem, matrix(query_rows(h), hidden(c.a)));
            return;
    }
}

void add_sinks(const SlotContext& c) {
    if (attends(c) && c.a.attention.sinks)
        c.to.weight(c.slot.role, c.slot.stem, ShapeBuilder().by("num_attention_heads", heads(c).query), "");
}

void add_latent_attention(const SlotContext& c) {
    if (!is_latent(c)) return;
    const Architecture& a = c.a;
    const Factor query_rank{"q_lora_rank", a.q_lora_rank, 0, 0}, rank{"kv_lora_rank", a.kv_lora_rank, 0, 0};
    const auto query_rows_latent = [&] {
        ShapeBuilder shape;
        shape.by("num_attention_heads", a.num_attention_heads).times("qk_nope_head_dim", a.qk_nope_head_dim);
        shape.plus("num_attention_heads", a.num_attention_heads).times("qk_rope_head_dim", a.qk_rope_head_dim);
        return shape;
    };
    Inventory& to = c.to;
    to.place.scope = c.slot.stem;
    if (a.q_lora_rank != 0) {
        to.linear(Role::QLatentDown, "q_a_proj", query_rank, hidden(a), Bias::No);
        to.norm(Role::QLatentNorm, "q_a_layernorm", Norm::RmsNorm, query_rank);
        to.weight(Role::QLatentUp, "q_b_proj", matrix(query_rows_latent(), query_rank));
    } else {
        to.weight(Role::QProj, "q_proj", matrix(query_rows_latent(), hidden(a)));
    }
    to.weight(Role::KvLatentDown, "kv_a_proj_with_mqa",
              matrix(ShapeBuilder().by(rank).plus("qk_rope_head_dim", a.qk_rope_head_dim), hidden(a)));
    to.norm(Role::KvLatentNorm, "kv_a_layernorm", Norm::RmsNorm, rank);
    ShapeBuilder up;
    up.by("num_attention_heads", a.num_attention_heads).times("qk_nope_head_dim", a.qk_nope_head_dim);
    up.plus("num_attention_heads", a.num_attention_heads).times("v_head_dim", a.v_head_dim);
    to.weight(Role::KvLatentUp, "kv_b_proj", matrix(up, rank));
    to.weight(Role::OProj, "o_proj",
              ShapeBuilder()
                  .by("hidden_size", a.hidden_size)
                  .by("num_attention_heads", a.num_attention_heads)
                  .times("v_head_dim", a.v_head_dim));
    if (a.attention.index_n_heads != 0) {
        const Factor width{"index_head_dim", a.attention.index_head_dim, 0, 0};
        ShapeBuilder rows;
        rows.by("index_n_heads", a.attention.index_n_heads).times(width.name, width.value);
        to.weight(Role::Indexer, "indexer.wq_b", matrix(rows, query_rank));
        to.linear(Role::Indexer, "indexer.wk", width, hidden(a), Bias::No);
        to.norm(Role::Indexer, "indexer.k_norm", Norm::LayerNorm, width);
        to.linear(Role::Indexer, "indexer.weights_proj", {"index_n_heads", a.attention.index_n_heads, 0, 0}, hidden(a),
                  Bias::No);
    }
    to.place.scope = {};
}

}  // namespace memwall
