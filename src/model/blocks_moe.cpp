// Blocks of llama's shape whose MLP is a mixture of experts (transformers 5: experts run as grouped products).
#include "model/autograd.hpp"
#include "model/blocks.hpp"

namespace memwall {

namespace {

struct Router {
    Tensor weight;
    DimId experts = 0, chosen = 0;
    bool normalises = true;     // the chosen probabilities are divided by their sum
    bool casts_scores = false;  // scores go back to the logits' type

    struct Choice {
        Tensor logits, scores, ids;
    };
    Choice operator()(Context& c, const Tensor& hidden) const;
};

Router::Choice Router::operator()(Context& c, const Tensor& hidden) const {
    const InModule module(c.r, "router");
    const Tensor logits = linear(hidden, weight, Tensor());
    const Tensor probabilities = softmax(logits, Dtype::Fp32);
    TopK top = top_k(probabilities, chosen);
    if (normalises) {
        Tensor total = sum(top.values, 1, KeepDimension::Yes);
        top.values = divide_in_place(top.values, std::move(total));
    }
    if (casts_scores) top.values = cast(top.values, logits.dtype());
    return {logits, std::move(top.values), std::move(top.indices)};
}

struct Experts {
    Tensor gate_up, down;
    DimId experts = 0, chosen = 0, width = 0;

    Tensor product(Context& c, const Tensor& x, const Tensor& weights, const Tensor& ends) const;
    Tensor gated(Context& c, const Tensor& both) const;
    Tensor operator()(Context& c, const Tensor& hidden, const Tensor& ids, const Tensor& scores) const;
};

Tensor Experts::product(Context& c, const Tensor& x, const Tensor& weights, const Tensor& ends) const {
    const Tensor turned = transpose(weights, 1, 2);
    (void)c;
    return grouped_mm(cast(x, weights.dtype()), turned, ends);
}

Tensor Experts::gated(Context& c, const Tensor& both) const {
    const DimId parts[] = {width, width};
    auto halves = split(both, 1, parts);
    const Tensor gate = std::move(halves[0]), up = std::move(halves[1]);
    return mul(activation(c, gate), up);
}

// Rows are sorted by expert, so that each expert's are a group; afterwards their order is restored.
Tensor Experts::operator()(Context& c, const Tensor& hidden, const Tensor& ids, const Tensor& scores) const {
    const InModule module(c.r, "experts");
    Recorder& r = c.r;
    const DimId rows = r.product(c.d.rows, chosen);
    const Shape each{rows};
    const Tensor flat_scores = reshape(scores, each);
    const Tensor flat_ids = reshape(ids, each);
    const Tensor sorted = r.allocate(Operator::Gather, each, Dtype::Int64);
    const Tensor order = r.allocate(Operator::Gather, each, Dtype::Int64);
    Tensor selected = gather_rows(hidden, r.allocate(Operator::Divide, each, Dtype::Int64));
    const Tensor selected_scores = gather_rows(flat_scores, order);
    const Tensor counted = r.allocate(Operator::Cast, each, Dtype::Int32);
    const Tensor count = r.allocate(Operator::Sum, Shape{experts}, Dtype::Int32);
    const Tensor ends = r.allocate(Operator::Sum, Shape{experts}, Dtype::Int32);
    const Tensor outside = view(r.allocate(Operator::Compare, each, Dtype::Bool), Shape{rows, 0});
    selected = masked_fill_in_place(std::move(selected), outside);
    Tensor out = product(c, selected, gate_up, ends);
    out = gated(c, out);
    out = product(c, out, down, ends);
    Tensor weighted = mul(out, view(selected_scores, Shape{rows, 0}));
    weighted = masked_fill_in_place(std::move(weighted), outside);
    const Tensor restored = r.allocate(Operator::Gather, each, Dtype::Int64);
    { const Tensor range = r.allocate(Operator::Data, each, Dtype::Int64); }
    weighted = gather_rows(weighted, restored);
    const Tensor summed = sum(view(weighted, Shape{c.d.rows, chosen, c.d.hidden}), 1, KeepDimension::No);
    return cast(summed, hidden.dtype());
}

struct SharedExpert {
    Linear gate, up, down, weight;

    Tensor operator()(Context& c, const Tensor& hidden) const;
};

Tensor SharedExpert::operator()(Context& c, const Tensor& hidden) const {
    Tensor product = mul(activation(c, run(c, gate, hidden)), run(c, up, hidden));
    return run(c, down, std::move(product));
}

struct MoeBlock {
    Linear q, k, v, o;
    NormWeights input_norm, post_norm, q_norm, k_norm;
    Router router;
    Experts experts;
    SharedExpert shared;

    Tensor projected(Context& c, const Linear& linear, const NormWeights& norm, const Tensor& hidden,
                     DimId heads) const;
    Attended attention(Context& c, const Tensor& hidden) const;
    Tensor mlp(Context& c, const Tensor& hidden) const;
    Tensor operator()(Context& c, Tensor hidden) const;
};

Tensor MoeBlock::projected(Context& c, const Linear& linear, const NormWeights& norm, const Tensor& hidden,
                           DimId heads) const {
    Tensor x = view(run(c, linear, hidden), Shape{c.d.batch, c.d.tokens, heads, c.d.head_dim});
    if (norm.weight) x = run(c, norm, std::move(x));
    return transpose(std::move(x), 1, 2);
}

Attended MoeBlock::attention(Context& c, const Tensor& hidden) const {
    Tensor query = projected(c, q, q_norm, hidden, c.d.heads);
    Tensor key = projected(c, k, k_norm, hidden, c.d.kv_heads);
    const Tensor value = heads_of(c, run(c, v, hidden), c.d.kv_heads);
    {
        const InModule module(c.r, "rotary_pos_emb");
        Tensor query_rotated = rotate(c, query, c.shared.cos, c.shared.sin);
        Tensor key_rotated = rotate(c, key, c.shared.cos, c.shared.sin);
        query = std::move(query_rotated);
        key = std::move(key_rotated);
    }
    Attended attended = attend(c, query, key, value, EagerStyle::Fp32Softmax);
    attended.output = reshape(std::move(attended.output), Shape{c.d.batch, c.d.tokens, c.d.query_width});
    attended.output = run(c, o, attended.output);
    return attended;
}

Tensor MoeBlock::mlp(Context& c, const Tensor& given) const {
    const ModelDims& d = c.d;
    const Tensor hidden = view(given, Shape{d.rows, d.hidden});
    Tensor beside;
    if (shared.gate.weight) beside = shared(c, hidden);
    const Router::Choice choice = router(c, hidden);
    Tensor out = experts(c, hidden, choice.ids, choice.scores);
    if (beside) {
        Tensor weight = unary(Operator::Sigmoid, run(c, shared.weight, hidden));
        beside = mul(std::move(weight), beside);
        out = add(out, beside);
    }
    return reshape(std::move(out), Shape{d.batch, d.tokens, d.hidden});
}

Tensor MoeBlock::operator()(Context& c, Tensor hidden) const {
    Tensor residual = hidden;
    hidden = run(c, input_norm, std::move(hidden));
    const Attended attended = attention(c, hidden);
    hidden = add(residual, attended.output);
    residual = hidden;
    hidden = run(c, post_norm, std::move(hidden));
    hidden = mlp(c, hidden);
    hidden = add(residual, hidden);
    return hidden;
}

void make_attention(Context& c, MoeBlock& b) {
    const ModelDims& d = c.d;
    b.q = make_linear(c, Projection::Query, "q_proj", d.hidden, d.query_width, bias_if(c.a.qkv_bias));
    b.k = make_linear(c, Projection::Key, "k_proj", d.hidden, d.kv_width, bias_if(c.a.qkv_bias));
    b.v = make_linear(c, Projection::Value, "v_proj", d.hidden, d.kv_width, bias_if(c.a.qkv_bias));
    b.o = make_linear(c, Projection::Output, "o_proj", d.query_width, d.hidden, bias_if(c.a.o_bias));
    if (c.a.qk_norm != QkNorm::Head) return;
    b.q_norm = make_norm(c, "q_norm", d.head_dim);
    b.k_norm = make_norm(c, "k_norm", d.head_dim);
}

void make_mixture(Context& c, MoeBlock& b) {
    Recorder& r = c.r;
    const DimId hidden = c.d.hidden;
    const auto symbol = [&](Symbol s, std::int64_t value) { return r.dim(value, 1, Monomial(s)); };
    b.router.experts = b.experts.experts = symbol(Symbol::Experts, c.a.num_experts);
    b.router.chosen = b.experts.chosen = symbol(Symbol::ExpertsPerToken, c.a.num_experts_per_tok);
    b.experts.width = symbol(Symbol::ExpertIntermediate, c.a.moe_intermediate_size);
    const DimId twice = r.product(symbol(Symbol::GateAndUp, 2), b.experts.width);
    b.router.weight = make_parameter(c, "router", Shape{b.experts.experts, hidden});
    b.experts.gate_up = make_parameter(c, "experts.gate_up_proj", Shape{b.experts.experts, twice, hidden});
    b.experts.down = make_parameter(c, "experts.down_proj", Shape{b.experts.experts, hidden, b.experts.width});
    if (c.a.shared_expert_intermediate_size == 0) return;
    const DimId width = symbol(Symbol::SharedIntermediate, c.a.shared_expert_intermediate_size);
    const auto make = [&](std::string_view name, DimId in, DimId out) {
        return make_linear(c, Projection::Other, name, in, out, LinearBias::No);
    };
    b.shared.gate = make("shared_expert.gate_proj", hidden, width);
    b.shared.up = make("shared_expert.up_proj", hidden, width);
    b.shared.down = make("shared_expert.down_proj", width, hidden);
    b.shared.weight = make("shared_expert_gate", hidden, 0);
}

MoeBlock make_block(Context& c) {
    MoeBlock b;
    make_attention(c, b);
    make_mixture(c, b);
    b.input_norm = make_norm(c, "input_layernorm", c.d.hidden);
    b.post_norm = make_norm(c, "post_attention_layernorm", c.d.hidden);
    return b;
}

}  // namespace

Block make_mixtral_block(Context& c) { return make_block(c); }

Block make_qwen_moe_block(Context& c) {
    MoeBlock b = make_block(c);
    b.router.normalises = false;
    b.router.casts_scores = true;
    return b;
}

}  // namespace memwall
