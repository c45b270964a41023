// Vision transformers: patches, class token, learned positions; classification by the class token.
#include "model/model_frame.hpp"

namespace memwall {

void make_vit_outside(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    const DimId patch = c.r.dim(c.a.image.patch_size, 1, Monomial(Symbol::PatchSize));
    m.class_token = make_parameter(c, "cls_token", Shape{0, 0, d.hidden});
    m.position_weight = make_parameter(c, "position_embeddings", Shape{0, d.tokens, d.hidden});
    m.embedding_weight =
        make_parameter(c, "patch_embeddings", Shape{d.hidden, c.r.dim(3, 1, Monomial(Symbol::Channels)), patch, patch});
    m.patch_bias = make_parameter(c, "patch_embeddings", Shape{d.hidden}, ParameterPart::Bias);
}

void make_vit_head(ModelFrame& m) {
    Context& c = m.c;
    m.final_norm = make_norm(c, "layernorm", c.d.hidden);
    const DimId labels = c.r.dim(c.a.num_labels, 1, Monomial(Symbol::Labels));
    m.head = make_linear(c, Projection::Other, "classifier", c.d.hidden, labels, LinearBias::Yes);
}

namespace {

Tensor embed_patches(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    const InModule module(c.r, "patch_embeddings");
    const std::int64_t side = c.a.image.image_size / c.a.image.patch_size;
    const DimId edge = c.r.dim(side, 1, Monomial(Symbol::PatchesASide));
    const Tensor grid = convolution(m.ids, m.embedding_weight, m.patch_bias, Shape{d.batch, d.hidden, edge, edge});
    Tensor rows = view(grid, Shape{d.batch, d.hidden, c.r.product(edge, edge)});
    rows = transpose(std::move(rows), 1, 2);
    if (m.requires_input_grads()) c.r.at(rows).requires_grad = true;
    return rows;
}

}  // namespace

Tensor embed_vit(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    Tensor hidden = embed_patches(m);
    const InModule module(c.r, "embeddings");
    const Tensor class_token = expand(m.class_token, Shape{d.batch, 0, d.hidden});
    {
        const Tensor parts[] = {class_token, std::move(hidden)};
        hidden = cat(parts, 1, d.tokens);
    }
    hidden = add(hidden, m.position_weight);
    hidden = dropout(hidden, c.a.embedding_dropout_permille);
    return m.keep_local(hidden);
}

Tensor finish_vit(ModelFrame& m, Tensor hidden) { return run(m.c, m.final_norm, std::move(hidden)); }

Tensor vit_logits(ModelFrame& m, const Tensor& hidden) {
    m.pooled = select(hidden, 1);
    return run(m.c, m.head, m.pooled);
}

Tensor vit_loss(ModelFrame& m, const Tensor& logits) {
    const InModule module(m.c.r, "loss");
    Tensor log_probabilities = log_softmax(logits, logits.dtype());
    return nll_loss(std::move(log_probabilities), m.labels);
}

}  // namespace memwall
