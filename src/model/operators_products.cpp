// Matrix products and attention; autocast casts their operands from the last to the first.
#include <cassert>

#include "model/autograd.hpp"
#include "model/operators.hpp"

namespace memwall {

namespace {

Tensor mm_with_node(Tensor a, Tensor b) {
    Recorder& r = a.recorder();
    const std::int32_t node = begin_node(r, Operator::Mm, {&a, &b});
    if (node >= 0) {
        if (needs(r, node, 1)) keep(r, node, a);
        if (needs(r, node, 0)) keep(r, node, b);
    }
    Tensor out = matrix_product(Operator::Mm, a, b);
    finish_node(r, node, out);
    return out;
}

Tensor addmm_with_node(Tensor bias, Tensor a, Tensor b) {
    Recorder& r = a.recorder();
    const std::int32_t node = begin_node(r, Operator::Addmm, {&a, &b, &bias});
    if (node >= 0) {
        if (needs(r, node, 1)) keep(r, node, a);
        if (needs(r, node, 0)) keep(r, node, b);
    }
    Tensor out = matrix_product(Operator::Addmm, a, b);
    finish_node(r, node, out);
    return out;
}

// x as a matrix of rows; a view where PyTorch's is one.
Tensor as_rows(const Tensor& x) {
    Shape shape = x.shape();
    if (shape.rank == 2) return x;
    DimId rows = 0;
    for (int i = 0; i + 1 < shape.rank; ++i)
        rows = x.recorder().product(rows, shape[i]);
    return reshape(x, Shape{rows, shape[shape.rank - 1]});
}

Tensor as_before(Tensor y, const Shape& before) {
    if (before.rank == 2) return y;
    Shape shape = before;
    shape[shape.rank - 1] = y.shape()[1];
    return view(std::move(y), shape);
}

}  // namespace

Tensor linear(Tensor input, Tensor w, Tensor b) {
    if (is_quantized(w.dtype())) return quantized_linear(std::move(input), w, b);
    const Tensor bias = autocast_operand(std::move(b));
    const Tensor weight = autocast_operand(std::move(w));
    const Tensor x = autocast_operand(std::move(input));
    const Shape before = x.shape();
    const Tensor transposed_weight = transpose(weight, 0, 1);
    const Tensor rows = as_rows(x);
    Tensor y = bias ? addmm_with_node(bias, rows, transposed_weight) : mm_with_node(rows, transposed_weight);
    return as_before(std::move(y), before);
}

Tensor conv1d(Tensor input, Tensor w, Tensor b) {
    if (is_quantized(w.dtype())) return quantized_linear(std::move(input), w, b);
    const Shape before = input.shape();
    const Tensor rows = as_rows(input);
    input.reset();
    const Tensor weight = autocast_operand(std::move(w));
    const Tensor x = autocast_operand(rows);
    const Tensor bias = autocast_operand(std::move(b));
    return as_before(addmm_with_node(bias, x, weight), before);
}

Tensor mm(Tensor a, Tensor b) {
    const Tensor second = autocast_operand(std::move(b));
    const Tensor first = autocast_operand(std::move(a));
    const Shape before = first.shape();
    return as_before(mm_with_node(as_rows(first), second), before);
}

Tensor bmm(Tensor a, Tensor b) {
    const Tensor second = autocast_operand(std::move(b));
    const Tensor first = autocast_operand(std::move(a));
    Recorder& r = first.recorder();
    const std::int32_t node = begin_node(r, Operator::Bmm, {&first, &second});
    if (node >= 0) {
        if (needs(r, node, 1)) keep(r, node, first);
        if (needs(r, node, 0)) keep(r, node, second);
    }
    Tensor out = matrix_product(Operator::Bmm, first, second);
    finish_node(r, node, out);
    return out;
}

Tensor baddbmm(Tensor added, Tensor a, Tensor b) {
    const Tensor second = autocast_operand(std::move(b));
    const Tensor first = autocast_operand(std::move(a));
    const Tensor self = autocast_operand(std::move(added));
    Recorder& r = first.recorder();
    const std::int32_t node = begin_node(r, Operator::Baddbmm, {&first, &second, &self});
    if (node >= 0) {
        if (needs(r, node, 1)) keep(r, node, first);
        if (needs(r, node, 0)) keep(r, node, second);
    }
    Tensor out = matrix_product(Operator::Baddbmm, first, second);
    finish_node(r, node, out);
    return out;
}

Tensor matmul(Tensor a, Tensor b) {
    const Tensor second = autocast_operand(std::move(b));
    const Tensor first = autocast_operand(std::move(a));
    Recorder& r = first.recorder();
    const Shape sa = first.shape(), sb = second.shape();
    assert(sa.rank == 4 && sb.rank == 4);
    Tensor left = reshape(first, Shape{r.product(sa[0], sa[1]), sa[2], sa[3]});
    // One head is seen by all, or one prompt by all sequences.
    const bool broadcasts = r.size(sa[1]) != r.size(sb[1]) || r.size(sa[0]) != r.size(sb[0]);
    const Tensor other = broadcasts ? expand(second, Shape{sa[0], sa[1], sb[2], sb[3]}) : second;
    Tensor right = reshape(other, Shape{r.product(sa[0], sa[1]), sb[2], sb[3]});
    Tensor out = bmm(std::move(left), std::move(right));
    return view(std::move(out), Shape{sa[0], sa[1], sa[2], sb[3]});
}

namespace {

std::int32_t attention_node(Operator op, const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias) {
    Recorder& r = q.recorder();
    const std::int32_t node = begin_node(r, op, {&q, &k, &v, &bias});
    if (node < 0) return node;
    for (const Tensor* t : {&q, &k, &v})
        keep(r, node, *t);
    if (bias) keep(r, node, bias);
    return node;
}

Tensor finish_attention(std::int32_t node, Tensor out, std::span<const Tensor> kept_results) {
    Recorder& r = out.recorder();
    if (node >= 0) {
        keep(r, node, out);
        for (const Tensor& t : kept_results)
            keep(r, node, t);
    }
    finish_node(r, node, out);
    return out;
}

}  // namespace

// The output has query's order of dimensions, seen as [batch, tokens, heads, head_dim].
Tensor flash_attention(Tensor q_, Tensor k_, Tensor v_) {
    const Tensor q = std::move(q_), k = std::move(k_), v = std::move(v_);
    Recorder& r = q.recorder();
    const std::int32_t node = attention_node(Operator::FlashAttention, q, k, v, Tensor());
    Tensor out = like(Operator::FlashAttention, q);
    const Shape s = q.shape();
    const DimId two = r.dim(2, 2, Monomial{});
    const Tensor kept_results[] = {
        r.allocate(Operator::FlashAttention, Shape{s[0], s[1], s[2]}, Dtype::Fp32),  // log-sum-exp
        r.allocate(Operator::FlashAttention, r.settings.torch_2_6 ? Shape{} : Shape{two},
                   Dtype::Int64),  // random numbers
        r.allocate(Operator::FlashAttention, Shape{}, Dtype::Int64),
    };
    return finish_attention(node, std::move(out), kept_results);
}

Tensor efficient_attention(Tensor q_, Tensor k_, Tensor v_, Tensor bias_, DimId padded_rows) {
    const Tensor q = std::move(q_), k = std::move(k_), v = std::move(v_), bias = std::move(bias_);
    Recorder& r = q.recorder();
    const std::int32_t node = attention_node(Operator::EfficientAttention, q, k, v, bias);
    const Shape s = q.shape();
    const Tensor token_major =
        r.allocate(Operator::EfficientAttention, Shape{s[0], s[2], s[1], v.shape()[3]}, q.dtype());
    Tensor out = transposed(token_major, 1, 2);
    std::array<Tensor, 3> kept_results;
    const bool graph = q.requires_grad() || k.requires_grad() || v.requires_grad();
    std::size_t count = 0;
    if (r.grad_enabled && graph)
        kept_results[count++] = r.allocate(Operator::EfficientAttention, Shape{s[0], s[1], padded_rows}, Dtype::Fp32);
    kept_results[count++] = r.allocate(Operator::EfficientAttention, Shape{}, Dtype::Int64);
    kept_results[count++] = r.allocate(Operator::EfficientAttention, Shape{}, Dtype::Int64);
    return finish_attention(node, std::move(out), std::span(kept_results).first(count));
}

}  // namespace memwall
