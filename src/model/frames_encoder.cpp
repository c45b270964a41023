// Encoders: embedding sums with norm, masked-LM and classification heads.
#include "model/model_frame.hpp"

namespace memwall {

namespace {

bool is_modern(const ModelFrame& m) { return m.family.family == BlockFamily::ModernBert; }

bool labels_something(const ModelFrame& m) {
    return m.c.a.task_head == TaskHead::SequenceClassification || m.c.a.task_head == TaskHead::TokenClassification;
}

}  // namespace

void make_encoder_outside(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    m.embedding_weight = make_parameter(c, "word_embeddings", Shape{d.vocabulary, d.embedding});
    // In order of registration: roberta makes its positions anew behind the norm.
    const bool positions_last = m.family.family == BlockFamily::Roberta;
    const auto make_positions = [&] {
        m.position_weight = make_parameter(c, "position_embeddings", Shape{d.positions, d.embedding});
    };
    if (c.a.position == Position::Learned && !positions_last) make_positions();
    if (c.a.encoder.type_vocab_size > 0) {
        const DimId types = c.r.dim(c.a.encoder.type_vocab_size, 1, Monomial(Symbol::TypeVocabulary));
        m.type_weight = make_parameter(c, "token_type_embeddings", Shape{types, d.embedding});
    }
    m.embedding_norm = make_norm(c, "embeddings.LayerNorm", d.embedding);
    if (positions_last) make_positions();
    if (d.embedding == d.hidden) return;
    c.trainable = true;
    m.project_in = make_linear(c, Projection::Embedding, "embeddings_project", d.embedding, d.hidden, LinearBias::Yes);
}

// ModernBERT's transform stands before a classifier too, and has no biases.
void make_encoder_head(ModelFrame& m) {
    Context& c = m.c;
    const ModelDims& d = c.d;
    // Where it is a parameter of the head itself, its bias comes before the head's modules.
    const bool bias_first = m.family.family == BlockFamily::Bert || m.family.family == BlockFamily::Roberta;
    const auto make_bias = [&] {
        m.head.bias = make_parameter(c, "decoder", Shape{d.vocabulary}, ParameterPart::Bias);
    };
    if (bias_first && !labels_something(m)) make_bias();
    if (is_modern(m)) m.final_norm = make_norm(c, "final_norm", d.hidden);
    if (!labels_something(m) || is_modern(m)) {
        m.head_dense =
            make_linear(c, Projection::MlmTransform, "transform", d.hidden, d.embedding, bias_if(!is_modern(m)));
        m.head_norm = make_norm(c, "transform.LayerNorm", d.embedding);
    } else if (c.a.task_head == TaskHead::SequenceClassification) {
        m.head_dense = make_linear(c, Projection::MlmTransform, "pooler", d.hidden, d.hidden, LinearBias::Yes);
    }
    if (labels_something(m)) {
        const DimId labels = c.r.dim(c.a.num_labels, 1, Monomial(Symbol::Labels));
        m.head = make_linear(c, Projection::Classifier, "classifier", d.hidden, labels, LinearBias::Yes);
        return;
    }
    m.head.name = "decoder";
    m.head.weight = m.embedding_weight;
    if (!bias_first) make_bias();
    adapt_head(c, m.head, d.embedding);
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
    Tensor hidden = embed_bert(m);
    if (m.project_in.weight) hidden = run(m.c, m.project_in, std::move(hidden));
    m.keep_local(hidden);
    make_mask(m, MaskShape::Bidirectional);
    return hidden;
}

// What the masks are made with holds the embedded tokens.
Tensor embed_modernbert(ModelFrame& m) {
    Context& c = m.c;
    m.keep_local(c.r.allocate(Operator::Data, Shape{c.d.tokens}, Dtype::Int64));
    Tensor hidden = m.embed_tokens();
    {
        const InModule module(c.r, "embeddings");
        hidden = run(c, m.embedding_norm, std::move(hidden));
        hidden = m.keep_local(dropout(std::move(hidden), c.a.embedding_dropout_permille));
    }
    make_mask(m, MaskShape::Bidirectional);
    make_rotary_tables(m);
    return hidden;
}

Tensor finish_encoder(ModelFrame& m, Tensor hidden) {
    Context& c = m.c;
    if (is_modern(m)) return run(c, m.final_norm, hidden);
    if (c.a.task_head != TaskHead::SequenceClassification || m.family.family != BlockFamily::Bert) return hidden;
    m.pooler_input = hidden;
    Tensor pooled = run(c, m.head_dense, select(hidden, 1));
    return unary(Operator::Tanh, pooled);
}

namespace {

Tensor transformed(ModelFrame& m, Tensor x) {
    x = run(m.c, m.head_dense, std::move(x));
    x = activation(m.c, std::move(x));
    return run(m.c, m.head_norm, std::move(x));
}

Operator dense_activation(BlockFamily family) {
    if (family == BlockFamily::Electra) return Operator::Gelu;
    return family == BlockFamily::DistilBert ? Operator::Relu : Operator::Tanh;
}

Tensor sequence_logits(ModelFrame& m, const Tensor& hidden) {
    Context& c = m.c;
    if (is_modern(m)) {
        m.pooled = transformed(m, select(hidden, 1));
        return run(c, m.head, m.pooled);
    }
    if (m.family.family == BlockFamily::Bert) {
        m.pooled = dropout(hidden, c.a.residual_dropout_permille);
        return run(c, m.head, m.pooled);
    }
    const bool distilled = m.family.family == BlockFamily::DistilBert;
    Tensor x = select(hidden, 1);
    if (!distilled) x = dropout(x, c.a.residual_dropout_permille);
    x = run(c, m.head_dense, x);
    x = unary(dense_activation(m.family.family), x);
    x = dropout(x, c.a.residual_dropout_permille);
    return run(c, m.head, x);
}

}  // namespace

Tensor encoder_logits(ModelFrame& m, const Tensor& hidden) {
    Context& c = m.c;
    if (c.a.task_head == TaskHead::SequenceClassification) return sequence_logits(m, hidden);
    if (c.a.task_head == TaskHead::TokenClassification) {
        m.pooled = is_modern(m) ? transformed(m, hidden) : dropout(hidden, c.a.residual_dropout_permille);
        return run(c, m.head, m.pooled);
    }
    return run(c, m.head, transformed(m, hidden));
}

Tensor encoder_loss(ModelFrame& m, const Tensor& given) {
    Context& c = m.c;
    const InModule module(c.r, "loss");
    if (c.a.task_head == TaskHead::SequenceClassification) {
        Tensor log_probabilities = log_softmax(given, given.dtype());
        return nll_loss(std::move(log_probabilities), m.labels);
    }
    const Tensor targets = view(m.labels, Shape{c.d.rows});
    if (c.a.task_head == TaskHead::TokenClassification) {
        const Tensor rows = view(given, Shape{c.d.rows, given.shape()[2]});
        return nll_loss(log_softmax(rows, given.dtype()), targets);
    }
    const bool converts = is_modern(m) && c.v.loss != LossVariant::Fused;
    Tensor logits = converts ? cast(given, Dtype::Fp32) : given;
    logits = view(std::move(logits), Shape{c.d.rows, c.d.vocabulary});
    return cross_entropy(c, std::move(logits), targets);
}

}  // namespace memwall
