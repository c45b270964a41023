// Tensors of the token mixers that are not attention: linear attention, state-space models, short convolutions.
#include "model/parameters_slots.hpp"

namespace memwall {
namespace {

ShapeBuilder vector_of(std::string_view name, std::int64_t value) { return ShapeBuilder().by(name, value); }

ShapeBuilder per_head(std::string_view heads_name, std::int64_t heads, std::string_view dim_name, std::int64_t dim) {
    return ShapeBuilder().by(heads_name, heads).times(dim_name, dim);
}

// Gated delta net (Qwen3-Next): one projection for q, k, v and z, one for beta and alpha.
void add_gated_delta_net(const SlotContext& c) {
    const LinearAttention& l = c.a.linear_attention;
    const auto columns = [&](std::int64_t keys, std::int64_t values) {
        ShapeBuilder shape;
        shape.by("queries and keys", keys)
            .times("linear_num_key_heads", l.num_key_heads)
            .times("linear_key_head_dim", l.key_head_dim);
        shape.plus(values == 1 ? "values" : "values and gates", values);
        return shape.times("linear_num_value_heads", l.num_value_heads)
            .times("linear_value_head_dim", l.value_head_dim);
    };
    const Role role = Role::LinearAttention;
    c.to.weight(role, "dt_bias", vector_of("linear_num_value_heads", l.num_value_heads), "");
    c.to.weight(role, "A_log", vector_of("linear_num_value_heads", l.num_value_heads), "");
    c.to.weight(role, "conv1d",
                columns(2, 1).by("channels of a filter", 1).by("linear_conv_kernel_dim", l.conv_kernel_dim));
    c.to.weight(role, "in_proj_qkvz", matrix(columns(2, 2), hidden(c.a)));
    c.to.weight(
        role, "in_proj_ba",
        matrix(ShapeBuilder().by("alpha and beta", 2).times("linear_num_value_heads", l.num_value_heads), hidden(c.a)));
    c.to.weight(role, "norm", vector_of("linear_value_head_dim", l.value_head_dim));
    c.to.weight(role, "out_proj",
                ShapeBuilder()
                    .by("hidden_size", c.a.hidden_size)
                    .by("linear_num_value_heads", l.num_value_heads)
                    .times("linear_value_head_dim", l.value_head_dim));
}

// Kimi delta attention: q, k and v with a short convolution each, low-rank decay and gate.
void add_kimi_delta_attention(const SlotContext& c) {
    const LinearAttention& l = c.a.linear_attention;
    const Role role = Role::LinearAttention;
    const auto rows = [&] { return per_head("linear_num_heads", l.num_heads, "linear_head_dim", l.head_dim); };
    const Factor rank{"linear_head_dim", l.head_dim, 0, 0}, heads{"linear_num_heads", l.num_heads, 0, 0};
    for (const std::string_view stem : {"q_proj", "k_proj", "v_proj"})
        c.to.weight(role, stem, matrix(rows(), hidden(c.a)));
    for (const std::string_view stem : {"q_conv1d", "k_conv1d", "v_conv1d"})
        c.to.weight(role, stem, rows().by("channels of a filter", 1).by("linear_conv_kernel_dim", l.conv_kernel_dim));
    c.to.weight(role, "A_log", vector_of(heads.name, heads.value), "");
    c.to.linear(role, "f_a_proj", rank, hidden(c.a), Bias::No);
    c.to.weight(role, "f_b_proj", matrix(rows(), rank));
    c.to.weight(role, "dt_bias", rows(), "");
    c.to.linear(role, "b_proj", heads, hidden(c.a), Bias::No);
    c.to.linear(role, "g_a_proj", rank, hidden(c.a), Bias::No);
    c.to.weight(role, "g_b_proj", matrix(rows(), rank));
    c.to.weight(role, "o_norm", vector_of(rank.name, rank.value));
    c.to.weight(role, "o_proj",
                ShapeBuilder().by("hidden_size", c.a.hidden_size).by(heads).times(rank.name, rank.value));
}

// MiniMax lightning attention.
void add_lightning_attention(const SlotContext& c) {
    const Role role = Role::LinearAttention;
    const auto rows = [&](ShapeBuilder shape) {
        return shape.times("num_attention_heads", c.a.num_attention_heads).times("head_dim", c.a.head_dim);
    };
    const auto width = [&] {
        return per_head("num_attention_heads", c.a.num_attention_heads, "head_dim", c.a.head_dim);
    };
    c.to.weight(role, "norm", width());
    c.to.weight(role, "qkv_proj", matrix(rows(ShapeBuilder().by("q, k and v", 3)), hidden(c.a)));
    c.to.weight(role, "out_proj",
                ShapeBuilder()
                    .by("hidden_size", c.a.hidden_size)
                    .by("num_attention_heads", c.a.num_attention_heads)
                    .times("head_dim", c.a.head_dim));
    c.to.weight(role, "output_gate", matrix(width(), hidden(c.a)));
}

void add_mamba1(const SlotContext& c) {
    const Mamba& m = c.a.mamba;
    const Role role = Role::Mamba;
    const Factor inner{"mamba_d_inner", m.d_inner, 0, 0}, step{"mamba_dt_rank", m.dt_rank, 0, 0};
    c.to.weight(role, "A_log", ShapeBuilder().by(inner).by("mamba_d_state", m.d_state), "");
    c.to.weight(role, "D", vector_of(inner.name, inner.value), "");
    c.to.weight(role, "conv1d", ShapeBuilder().by(inner).by("channels of a filter", 1).by("mamba_d_conv", m.d_conv));
    c.to.bias(role, "conv1d", vector_of(inner.name, inner.value));
    c.to.weight(role, "in_proj",
                matrix(ShapeBuilder().by("input and gate", 2).times(inner.name, inner.value), hidden(c.a)));
    c.to.weight(role, "x_proj",
                matrix(ShapeBuilder().by(step).plus("B and C", 2).times("mamba_d_state", m.d_state), inner));
    c.to.linear(role, "dt_proj", inner, step, Bias::Yes);
    c.to.linear(role, "out_proj", hidden(c.a), inner, Bias::No);
    if (m.inner_norms) {
        c.to.weight(role, "dt_layernorm", vector_of(step.name, step.value));
        c.to.weight(role, "b_layernorm", vector_of("mamba_d_state", m.d_state));
        c.to.weight(role, "c_layernorm", vector_of("mamba_d_state", m.d_state));
    }
}

void add_mamba2(const SlotContext& c) {
    const Mamba& m = c.a.mamba;
    const Role role = Role::Mamba;
    const Factor inner{"mamba_d_inner", m.d_inner, 0, 0}, heads{"mamba_n_heads", m.n_heads, 0, 0};
    const auto states = [&](ShapeBuilder shape) {
        return shape.plus("B and C", 2).times("mamba_n_groups", m.n_groups).times("mamba_d_state", m.d_state);
    };
    const auto filtered = [&] { return states(vector_of(inner.name, inner.value)); };
    c.to.weight(role, "dt_bias", vector_of(heads.name, heads.value), "");
    c.to.weight(role, "A_log", vector_of(heads.name, heads.value), "");
    c.to.weight(role, "D", vector_of(heads.name, heads.value), "");
    c.to.weight(role, "conv1d", filtered().by("channels of a filter", 1).by("mamba_d_conv", m.d_conv));
    c.to.bias(role, "conv1d", filtered());
    ShapeBuilder in = states(ShapeBuilder().by("input and gate", 2).times(inner.name, inner.value));
    c.to.weight(role, "in_proj", matrix(in.plus(heads.name, heads.value), hidden(c.a)));
    if (!m.no_gated_norm) c.to.weight(role, "norm", vector_of(inner.name, inner.value));
    c.to.linear(role, "out_proj", hidden(c.a), inner, Bias::No);
}

}  // namespace

void add_linear_attention(const SlotContext& c) {
    c.to.place.scope = c.slot.stem;
    if (c.kind.letter == 'L') add_gated_delta_net(c);
    if (c.kind.letter == 'K') add_kimi_delta_attention(c);
    if (c.kind.letter == 'G') add_lightning_attention(c);
    c.to.place.scope = {};
}

void add_mamba(const SlotContext& c) {
    c.to.place.scope = c.slot.stem;
    if (c.kind.letter == 'm') add_mamba1(c);
    if (c.kind.letter == 'M' || c.kind.letter == 'P') add_mamba2(c);
    c.to.place.scope = {};
}

void add_short_convolution(const SlotContext& c) {
    if (c.kind.letter != 'C') return;
    const Factor h = hidden(c.a);
    c.to.place.scope = c.slot.stem;
    c.to.weight(Role::ShortConvolution, "conv",
                ShapeBuilder().by(h).by("channels of a filter", 1).by("conv_l_cache", c.a.conv_l_cache));
    c.to.weight(Role::ShortConvolution, "in_proj",
                matrix(ShapeBuilder().by("B, C and x", 3).times(h.name, h.value), h));
    c.to.linear(Role::ShortConvolution, "out_proj", h, h, Bias::No);
    c.to.place.scope = {};
}

}  // namespace memwall
