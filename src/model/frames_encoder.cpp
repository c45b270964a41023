// Encoders: embedding sums with norm, masked-LM and classification heads.
#include "model/model_frame.hpp"

namespace memwall {

void make_encoder_outside(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    m.embedding_weight = make_parameter(c, "word_embeddings", Shape{d.vocabulary, d.embedding});
    m.position_weight = make_parameter(c, "position_embeddings", Shape{d.positions, d.embedding});
    if (c.a.encoder.type_vocab_size > 0) {
        const DimId types = c.r.dim(c.a.encoder.type_vocab_size, 1, Monomial(Symbol::TypeVocabulary));
        m.type_weight = make_parameter(c, "token_type_embeddings", Shape{types, d.embedding});
    }
    m.embedding_norm = make_norm(c, "embeddings.LayerNorm", d.embedding);
}

void make_encoder_head(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    if (c.a.task_head == TaskHead::SequenceClassification) {
        const DimId labels = c.r.dim(c.a.num_labels, 1, Monomial(Symbol::Labels));
        m.head_dense = make_linear(c, Projection::MlmTransform, "pooler", d.hidden, d.hidden, LinearBias::Yes);
        m.head = make_linear(c, Projection::Other, "classifier", d.hidden, labels, LinearBias::Yes);
        return;
    }
    m.head_dense = make_linear(c, Projection::MlmTransform, "transform", d.hidden, d.embedding, LinearBias::Yes);
    m.head_norm = make_norm(c, "transform.LayerNorm", d.embedding);
    m.head.name = "decoder";
    m.head.weight = m.embedding_weight;
    m.head.bias = make_parameter(c, "decoder", Shape{d.vocabulary}, ParameterPart::Bias);
}

namespace {

// Position ids of bert are a slice of a buffer, those of roberta are computed from the token ids.
Tensor bert_position_ids(ModelFrame& m) {
    Context& c = m.c;
    if (m.family.family != BlockFamily::Roberta) {
        const Tensor buffer = c.r.resident(Shape{0, c.d.positions}, Dtype::Int64);
        return slice(buffer, 1, c.d.tokens);
    }
    const Shape each{c.d.batch, c.d.tokens};
    Tensor count = c.r.allocate(Operator::Data, each, Dtype::Int64);
    return c.r.allocate(Operator::AddScalar, each, Dtype::Int64);
}

}  // namespace

namespace {

Tensor embed_bert(ModelFrame& m) {
    Context& c = m.c;
    const InModule module(c.r, "embeddings");
    const Tensor positions = bert_position_ids(m);
    Tensor types;
    if (m.type_weight) {
        types = c.r.allocate(Operator::Gather, positions.shape(), Dtype::Int64);
        types = expand(types, Shape{c.d.batch, c.d.tokens});
    }
    const Tensor words = m.embed_tokens();
    Tensor embedded = words;
    Tensor type_embedded;
    if (types) {
        type_embedded = embedding(types, m.type_weight);
        embedded = add(words, type_embedded);
    }
    const Tensor position_embedded = embedding(positions, m.position_weight);
    embedded = add(embedded, position_embedded);
    embedded = run(c, m.embedding_norm, embedded);
    embedded = dropout(embedded, c.a.embedding_dropout_permille);
    return embedded;
}

}  // namespace

Tensor embed_encoder(ModelFrame& m) {
    Tensor hidden = m.keep_local(embed_bert(m));
    make_mask(m, MaskShape::Bidirectional);
    return hidden;
}

Tensor finish_encoder(ModelFrame& m, Tensor hidden) {
    Context& c = m.c;
    if (c.a.task_head != TaskHead::SequenceClassification || m.family.family == BlockFamily::Roberta) return hidden;
    m.pooler_input = hidden;
    Tensor pooled = run(c, m.head_dense, select(hidden, 1));
    return unary(Operator::Tanh, pooled);
}

Tensor encoder_logits(ModelFrame& m, const Tensor& hidden) {
    Context& c = m.c;
    if (c.a.task_head == TaskHead::SequenceClassification) {
        if (m.family.family != BlockFamily::Roberta) {
            m.pooled = dropout(hidden, c.a.residual_dropout_permille);
            return run(c, m.head, m.pooled);
        }
        Tensor x = select(hidden, 1);
        x = dropout(x, c.a.residual_dropout_permille);
        x = run(c, m.head_dense, x);
        x = unary(Operator::Tanh, x);
        x = dropout(x, c.a.residual_dropout_permille);
        return run(c, m.head, x);
    }
    Tensor x = run(c, m.head_dense, hidden);
    x = activation(c, x);
    x = run(c, m.head_norm, x);
    return run(c, m.head, x);
}

Tensor encoder_loss(ModelFrame& m, const Tensor& given) {
    Context& c = m.c;
    const InModule module(c.r, "loss");
    if (c.a.task_head == TaskHead::SequenceClassification) {
        Tensor log_probabilities = log_softmax(given, given.dtype());
        return nll_loss(std::move(log_probabilities), m.labels);
    }
    return cross_entropy(c, view(given, Shape{c.d.rows, c.d.vocabulary}), view(m.labels, Shape{c.d.rows}));
}

}  // namespace memwall
