// The kernels behind scaled_dot_product_attention.
#include "model/autograd.hpp"
#include "model/layout.hpp"
#include "model/modules.hpp"

namespace memwall {

namespace {

// Repeats key/value heads to the number of heads: an expanded view, copied where it cannot be one.
Tensor repeat_heads(Context& c, const Tensor& x) {
    if (c.d.groups == 0) return x;
    const Shape s = x.shape();
    Tensor wide = view(x, Shape{s[0], s[1], 0, s[2], s[3]});
    wide = expand(std::move(wide), Shape{s[0], s[1], c.d.groups, s[2], s[3]});
    return reshape(std::move(wide), Shape{s[0], c.d.heads, s[2], s[3]});
}

// repeat_interleave, as the math kernel does it: always a copy.
Tensor interleave_heads(Context& c, const Tensor& x) {
    const Shape s = x.shape();
    Tensor wide = view(x, Shape{s[0], s[1], 0, s[2], s[3]});
    wide = clone(expand(std::move(wide), Shape{s[0], s[1], c.d.groups, s[2], s[3]}));
    return view(std::move(wide), Shape{s[0], c.d.heads, s[2], s[3]});
}

// falcon calls the function itself, without asking for grouped heads: one key/value head is broadcast.
bool broadcasts_heads(const Context& c) { return c.program == BlockProgram::Falcon; }

// The additive form of a mask of booleans.
Tensor additive_mask(Recorder& r, const Shape& shape, Dtype dtype) {
    const Tensor blocked = r.allocate(Operator::MaskedFill, Shape{}, dtype);
    const Tensor open = r.allocate(Operator::MaskedFill, Shape{}, dtype);
    return r.allocate(Operator::MaskedFill, shape, dtype);
}

Tensor causal_mask(Context& c, Dtype dtype) {
    const Shape square{c.d.tokens, c.d.tokens};
    Tensor booleans = c.r.allocate(Operator::Compare, square, Dtype::Bool);
    booleans = c.r.allocate(Operator::Compare, square, Dtype::Bool);
    return additive_mask(c.r, square, dtype);
}

// Keys of another sequence: what an encoder has made.
bool is_cross(const Context& c, const Tensor& k) { return c.shared.encoded && k.shape()[2] == c.d.source_tokens; }
const Tensor& mask_of(const Context& c, const Tensor& k) {
    return is_cross(c, k) ? c.shared.encoded_mask : c.shared.mask;
}

// PyTorch's composite kernel: 16-bit operands are computed in fp32, every score exists.
Tensor attend_math(Context& c, const Tensor& q, const Tensor& k, const Tensor& v) {
    Recorder& r = c.r;
    const Dtype before = q.dtype();
    Tensor mask;
    if (const Tensor& given = mask_of(c, k))
        mask = given.dtype() == Dtype::Bool ? additive_mask(r, given.shape(), before) : autocast_operand(given);
    const bool autocast = std::exchange(r.settings.autocast, false);
    const Tensor query_fp32 = cast(q, Dtype::Fp32), key_fp32 = cast(k, Dtype::Fp32), value_fp32 = cast(v, Dtype::Fp32);
    const Tensor query = unary(Operator::Scale, query_fp32);
    if (!mask && c.causal && !is_cross(c, k)) mask = causal_mask(c, Dtype::Fp32);
    const bool repeats = key_fp32.shape()[1] != query.shape()[1] && !broadcasts_heads(c);
    const Tensor key = repeats ? interleave_heads(c, key_fp32) : key_fp32;
    const Tensor value = repeats ? interleave_heads(c, value_fp32) : value_fp32;
    Tensor weights = matmul(query, unary(Operator::Scale, transpose(key, 2, 3)));
    if (mask && (!r.settings.accumulate_in_place || mask.requires_grad()))
        weights = r.settings.accumulate_in_place ? add_in_place(std::move(weights), mask) : add(weights, mask);
    weights = softmax(weights);
    weights = dropout(weights, c.a.attention_dropout_permille);
    const Tensor returned_weights = cast(weights, before);
    Tensor product = matmul(weights, value);
    Tensor output = cast(std::move(product), before);
    r.settings.autocast = autocast;
    return output;
}

// Heads whose width is no multiple of 8 are padded to one, and what is too much is cut off.
Tensor padded_head(const Tensor& x) {
    Recorder& r = x.recorder();
    Shape shape = x.shape();
    const std::int64_t width = r.size(shape[3]), whole = (width + 7) / 8 * 8;
    if (whole == width) return x;
    shape[3] = r.dim(whole, whole, Monomial{});
    return pad(x, shape);
}

Tensor attend_flash(const Tensor& q, const Tensor& k, const Tensor& v) {
    const Tensor query = padded_head(q), key = padded_head(k), value = padded_head(v);
    Tensor output = flash_attention(query, key, value);
    return value.shape()[3] == v.shape()[3] ? output : slice(std::move(output), 3, v.shape()[3]);
}

// A bool mask becomes a bias of the operands' type; the rows of one are a multiple of 8 long.
Tensor attend_efficient(Context& c, const Tensor& q, const Tensor& k, const Tensor& v) {
    const Tensor& mask = mask_of(c, k);
    if (!mask) return efficient_attention(q, k, v, Tensor(), c.d.tokens_rounded_32);
    const Shape s = mask.shape();
    Tensor bias = autocast_operand(mask);
    const Tensor zeros = bias.dtype() == Dtype::Bool ? c.r.allocate(Operator::MaskedFill, s, q.dtype()) : bias;
    if (bias.dtype() == Dtype::Bool) {
        bias = zeros;
        const Tensor inverted = c.r.allocate(Operator::Compare, s, Dtype::Bool);
    }
    if (c.r.size(s[3]) % 8 != 0) {
        const std::int64_t keys = (c.r.size(s[3]) + 7) / 8 * 8;
        const Shape padded{s[0], s[1], s[2], s[3] == c.d.tokens ? c.d.tokens_rounded_8 : c.r.dim(keys, keys, {})};
        bias = slice(
            mask.requires_grad() ? pad(std::move(bias), padded) : c.r.allocate(Operator::MaskedFill, padded, q.dtype()),
            3, s[3]);
    }
    if (mask.requires_grad()) bias = expand(std::move(bias), Shape{q.shape()[0], q.shape()[1], s[2], s[3]});
    return efficient_attention(q, k, v, bias, c.d.tokens_rounded_32);
}

}  // namespace

namespace {

// A layer with a mask cannot run flash; one without, whose heads are shared, cannot run the memory-efficient kernel.
AttentionVariant kernel_for(const Context& c, const Tensor& q, const Tensor& k) {
    const AttentionVariant wanted = c.v.attention;
    if (broadcasts_heads(c) && q.shape()[1] != k.shape()[1]) return AttentionVariant::Math;
    if (wanted == AttentionVariant::Flash && mask_of(c, k))
        return c.a.head_dim % 8 == 0 ? AttentionVariant::Efficient : AttentionVariant::Math;
    if (wanted != AttentionVariant::Efficient || q.shape()[1] == k.shape()[1]) return wanted;
    return q.dtype() == Dtype::Fp32 ? AttentionVariant::Math : AttentionVariant::Flash;
}

}  // namespace

Tensor scaled_dot_product_attention(Context& c, const Tensor& q, const Tensor& k, const Tensor& v) {
    Tensor key = k, value = v;
    if (!broadcasts_heads(c) && (mask_of(c, k) || c.v.library == LibraryVariant::Transformers4)) {
        key = repeat_heads(c, k);
        value = repeat_heads(c, v);
    }
    Tensor output;
    {
        // Autocast casts the operands of the call.
        const Tensor query_cast = autocast_operand(q), key_cast = autocast_operand(key),
                     value_cast = autocast_operand(value);
        switch (kernel_for(c, query_cast, key_cast)) {
            case AttentionVariant::Flash:
                output = attend_flash(query_cast, key_cast, value_cast);
                break;
            case AttentionVariant::Efficient:
                output = attend_efficient(c, query_cast, key_cast, value_cast);
                break;
            case AttentionVariant::Math:
            case AttentionVariant::Eager:
                output = attend_math(c, query_cast, key_cast, value_cast);
                break;
        }
    }
    return contiguous(transpose(output, 1, 2));
}

}  // namespace memwall
