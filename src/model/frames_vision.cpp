// Vision transformers: patches, class token, learned positions; classification by the class token (vit) or the mean of
// the patches (clip).
#include "model/model_frame.hpp"

namespace memwall {

namespace {

Tensor make_kernel(ModelFrame& m, std::string_view name) {
    Context& c = m.c;
    const DimId patch = c.r.dim(c.a.image.patch_size, 1, Monomial(Symbol::PatchSize));
    return make_parameter(c, name, Shape{c.d.hidden, c.r.dim(3, 1, Monomial(Symbol::Channels)), patch, patch});
}

}  // namespace

void make_classifier(ModelFrame& m, DimId width) {
    const DimId labels = m.c.r.dim(m.c.a.num_labels, 1, Monomial(Symbol::Labels));
    m.head = make_linear(m.c, Projection::Classifier, "classifier", width, labels, LinearBias::Yes);
}

void make_patch_filter(ModelFrame& m) {
    m.embedding_weight = make_kernel(m, "patch_embeddings");
    m.patch_bias = make_parameter(m.c, "patch_embeddings", Shape{m.c.d.hidden}, ParameterPart::Bias);
}

void make_vit_outside(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    m.class_token = make_parameter(c, "cls_token", Shape{0, 0, d.hidden});
    m.position_weight = make_parameter(c, "position_embeddings", Shape{0, d.tokens, d.hidden});
    if (c.a.image.distillation_token)
        m.distillation_token = make_parameter(c, "distillation_token", Shape{0, 0, d.hidden});
    make_patch_filter(m);
}

void make_vit_head(ModelFrame& m) {
    m.final_norm = make_norm(m.c, "layernorm", m.c.d.hidden);
    make_classifier(m, m.c.d.hidden);
}

void make_clip_outside(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    m.class_token = make_parameter(c, "class_embedding", Shape{d.hidden});
    m.embedding_weight = make_kernel(m, "patch_embedding");
    m.position_weight = make_parameter(c, "position_embedding", Shape{d.tokens, d.hidden});
    m.embedding_norm = make_norm(c, "pre_layrnorm", d.hidden);
}

// The norm of the class token runs, but nothing that is learned follows it.
void make_clip_head(ModelFrame& m) {
    m.c.trainable = false;
    m.final_norm = make_norm(m.c, "post_layernorm", m.c.d.hidden);
    m.c.trainable = true;
    make_classifier(m, m.c.d.hidden);
}

namespace {

Tensor filtered(ModelFrame& m) {
    Context& c = m.c;
    const std::int64_t side = c.a.image.image_size / c.a.image.patch_size;
    const DimId edge = c.r.dim(side, 1, Monomial(Symbol::PatchesASide));
    return convolution(m.ids, m.embedding_weight, m.patch_bias, Shape{c.d.batch, c.d.hidden, edge, edge});
}

Tensor rows_of(ModelFrame& m, const Tensor& grid) {
    const Shape s = grid.shape();
    return transpose(view(grid, Shape{s[0], s[1], m.c.r.product(s[2], s[3])}), 1, 2);
}

}  // namespace

Tensor patch_rows(ModelFrame& m) {
    const InModule module(m.c.r, "patch_embeddings");
    return rows_of(m, filtered(m));
}

Tensor embed_clip(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    const InModule module(c.r, "embeddings");
    Tensor hidden;
    {
        Tensor rows = rows_of(m, filtered(m));
        const Tensor parts[] = {expand(m.class_token, Shape{d.batch, 0, d.hidden}), std::move(rows)};
        hidden = cat(parts, 1, d.tokens);
        const Tensor ids = c.r.resident(Shape{0, d.tokens}, Dtype::Int64);
        hidden = add(hidden, embedding(ids, m.position_weight));
    }
    return m.keep_local(run(c, m.embedding_norm, std::move(hidden)));
}

Tensor finish_clip(ModelFrame& m, Tensor hidden) {
    m.pooled = run(m.c, m.final_norm, select(hidden, 1));
    return hidden;
}

Tensor clip_logits(ModelFrame& m, const Tensor& hidden) {
    m.pooler_input = mean(slice(hidden, 1, m.c.d.tokens_minus_one), 1);
    return run(m.c, m.head, m.pooler_input);
}

Tensor embed_vit(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    Tensor hidden = patch_rows(m);
    const InModule module(c.r, "embeddings");
    const Tensor class_token = expand(m.class_token, Shape{d.batch, 0, d.hidden});
    if (m.distillation_token) {
        const Tensor second = expand(m.distillation_token, Shape{d.batch, 0, d.hidden});
        const Tensor parts[] = {class_token, second, std::move(hidden)};
        hidden = cat(parts, 1, d.tokens);
    } else {
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

Tensor vit_classifier(ModelFrame& m, const Tensor& pooled) { return run(m.c, m.head, pooled); }

Tensor vit_loss(ModelFrame& m, const Tensor& logits) {
    const InModule module(m.c.r, "loss");
    Tensor log_probabilities = log_softmax(logits, logits.dtype());
    return nll_loss(std::move(log_probabilities), m.labels);
}

}  // namespace memwall
