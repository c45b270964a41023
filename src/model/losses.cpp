#include "model/losses.hpp"

#include <algorithm>

#include "model/autograd.hpp"
#include "model/model_frame.hpp"

namespace memwall {

void release(Recorder& r, std::vector<ChunkLogits>& list) {
    for (ChunkLogits& chunk : list) {
        r.release_copies = chunk.copies - 1;
        chunk.logits.reset();
    }
    r.release_copies = 0;
    list.clear();
}

namespace {

// One kernel: the loss and the log-sum-exp of each row; the gradient takes the place of the logits.
[[gnu::noinline]] Tensor fused_cross_entropy(const Tensor& logits, const Tensor& targets) {
    Recorder& r = logits.recorder();
    const std::int32_t node = begin_node(r, Operator::FusedLoss, {&logits});
    const Shape rows{logits.shape()[0]};
    Tensor losses = r.allocate(Operator::FusedLoss, rows, Dtype::Fp32);
    const Tensor log_sum_exp = r.allocate(Operator::FusedLoss, rows, Dtype::Fp32);
    for (const Tensor* t : {&logits, &log_sum_exp, &targets})
        keep(r, node, *t);
    finish_node(r, node, losses);
    return losses;
}

// How many targets are not ignored.
Tensor count_targets(const Tensor& targets) {
    Recorder& r = targets.recorder();
    const Tensor counted = r.allocate(Operator::Compare, Shape(targets.shape()), Dtype::Bool);
    return r.allocate(Operator::Sum, Shape{}, Dtype::Int64);
}

// One more label, ignored, and all of them moved by one; both are variables of the loss.
struct ShiftedLabels {
    Tensor padded, moved;
    explicit ShiftedLabels(ModelFrame& m)
        : padded(m.c.r.allocate(Operator::Data, Shape{m.c.d.batch, m.c.d.tokens_plus_one}, Dtype::Int64)),
          moved(contiguous(slice(padded, 1, m.c.d.tokens))) {}
};

}  // namespace

Tensor cross_entropy(Context& c, Tensor logits, Tensor targets) {
    if (c.v.loss == LossVariant::Fused) {
        const Tensor losses = fused_cross_entropy(logits, targets);
        Tensor total = sum(losses, 0, KeepDimension::No);
        return divide(std::move(total), count_targets(targets));
    }
    Tensor log_probabilities = log_softmax(logits, logits.dtype());
    return nll_loss(std::move(log_probabilities), targets);
}

Tensor causal_loss(ModelFrame& m, const Tensor& given) {
    Context& c = m.c;
    const InModule module(c.r, "loss");
    if (c.a.task_head == TaskHead::SequenceClassification) return nll_loss(log_softmax(given, given.dtype()), m.labels);
    const bool as_they_are = c.v.loss == LossVariant::Plain || c.v.loss == LossVariant::Fused;
    Tensor logits = as_they_are ? given : cast(given, Dtype::Fp32);
    const ModelDims& d = c.d;
    // transformers 4 shifts the logits, whether they were converted before or not.
    const bool old_plain = c.v.loss == LossVariant::Plain && c.v.library == LibraryVariant::Transformers4;
    if (c.v.loss == LossVariant::UpcastShifted || old_plain) {
        Tensor shifted = contiguous(slice(logits, 1, d.tokens_minus_one));
        const Tensor targets = contiguous(slice(m.labels, 1, d.tokens_minus_one));
        const DimId rows = c.r.product(d.batch, d.tokens_minus_one);
        shifted = view(std::move(shifted), Shape{rows, d.vocabulary});
        return cross_entropy(c, std::move(shifted), view(targets, Shape{rows}));
    }
    const ShiftedLabels shifted(m);
    logits = view(std::move(logits), Shape{d.rows, d.vocabulary});
    return cross_entropy(c, std::move(logits), view(shifted.moved, Shape{d.rows}));
}

std::int64_t chunk_tokens(const Architecture& a, const StepInput& in) {
    const auto ceil_div = [](std::int64_t n, std::int64_t by) { return (n + by - 1) / by; };
    const std::int64_t rows = in.batch * in.tokens;
    if (a.hidden_size == 0 || a.vocab_size == 0) return rows;  // a bare parameter count has no head to cut
    if (in.variant.loss == LossVariant::FusedLinear) {
        std::int64_t power = 1;
        while (power < ceil_div(rows, ceil_div(a.vocab_size, a.hidden_size)))
            power *= 2;
        return std::min(power, rows);
    }
    if (in.variant.loss_chunk_tokens > 0) return std::min(in.variant.loss_chunk_tokens, in.tokens);
    return in.variant.loss_chunks > 0 ? ceil_div(in.tokens, in.variant.loss_chunks) : in.tokens;
}

namespace {

// Equal chunks, one after the other.
struct Chunks {
    DimId tokens = 0;
    std::int32_t copies = 1;
};

// The first chunk starts the sum of losses, the last one the gradients, to which the one before it adds in a new
// tensor: they stand alone. So does the first of the smaller ones: chunks of one token read the labels in place, and
// its backward pass is the last that does.
[[gnu::noinline]] std::vector<Chunks> chunks_of(ModelFrame& m) {
    const std::int64_t total = m.tokens, size = chunk_tokens(m.c.a, m.input), parts = m.c.v.loss_chunks;
    const bool by_size = m.c.v.loss_chunk_tokens > 0;
    const std::int64_t smaller = by_size ? total % size : total / parts;
    const std::int64_t whole = by_size || smaller == size ? total / size : total - smaller * parts;
    const std::int64_t others = by_size ? (smaller > 0 ? 1 : 0) : parts - whole;
    const Chunks runs[] = {
        {m.c.r.dim(size, 1, Monomial(Symbol::ChunkTokens)), static_cast<std::int32_t>(whole)},
        {m.c.r.dim(smaller, smaller, Monomial{}), static_cast<std::int32_t>(others)},
    };
    std::vector<Chunks> out;
    for (const Chunks& run : runs) {
        std::int32_t left = run.copies;
        // The last two of all chunks, wherever they are.
        const auto ends = static_cast<std::int32_t>(&run == &runs[1] ? std::min<std::int64_t>(others, 2)
                                                                     : std::max<std::int64_t>(2 - others, 0));
        for (const std::int32_t count : {1, left - 1 - ends, 1, 1}) {
            if (count <= 0 || left <= 0) continue;
            out.push_back({run.tokens, count});
            left -= count;
        }
    }
    return out;
}

}  // namespace

Tensor chunked_loss(ModelFrame& m, const Tensor& hidden, std::vector<ChunkLogits>& logits) {
    Context& c = m.c;
    struct Part {
        Tensor hidden, labels;
    };
    const std::vector<Chunks> chunks = chunks_of(m);
    std::vector<Part> parts(chunks.size());
    std::int32_t part = -1;  // tells the runs apart, as the layer's number does for blocks
    const auto each = [&](auto visit) {
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            c.r.enter({Phase::HeadAndLoss, Phase::HeadBackward, --part, chunks[i].copies});
            visit(i, chunks[i].tokens);
        }
        c.r.enter({Phase::HeadAndLoss, Phase::HeadBackward, --part, 1});
    };
    each([&](std::size_t i, DimId tokens) { parts[i].hidden = slice(hidden, 1, tokens); });
    each([&](std::size_t i, DimId) { logits.push_back({m.family.logits(m, parts[i].hidden), chunks[i].copies}); });
    if (c.v.library == LibraryVariant::Litgpt) {  // what the model returns is converted to fp32, all of it at once
        std::vector<ChunkLogits> converted;
        each([&](std::size_t i, DimId) {
            converted.push_back({cast(logits[i].logits, Dtype::Fp32), logits[i].copies});
        });
        release(c.r, logits);
        logits = std::move(converted);
        release(c.r, m.held);
    }
    const InModule module(c.r, "loss");
    const ShiftedLabels labels(m);
    const Tensor count = count_targets(labels.moved);
    const auto rows = [&](DimId tokens) { return c.r.product(c.d.batch, tokens); };
    each([&](std::size_t i, DimId tokens) {
        parts[i].labels = reshape(slice(labels.moved, 1, tokens), Shape{rows(tokens)});
    });
    Tensor total;
    each([&](std::size_t i, DimId tokens) {
        if (c.v.compile != CompileVariant::None) c.r.graph = c.r.unit;  // torchtune compiles the loss of a chunk
        const Tensor upcast = cast(view(logits[i].logits, Shape{rows(tokens), c.d.vocabulary}), Dtype::Fp32);
        Tensor one = nll_loss(log_softmax(upcast, Dtype::Fp32), parts[i].labels);
        total = total ? add_in_place(std::move(total), one) : unary(Operator::AddScalar, one);
    });
    Tensor loss = divide(std::move(total), count);
    if (!c.v.keep_outputs) release(c.r, logits);
    return loss;
}

namespace {

// What exists while the chunks are worked on; two of them, because the first leaves autocast's copy of the weight.
[[gnu::noinline]] void run_chunks(ModelFrame& m, const Tensor& x, bool weight_trains) {
    Context& c = m.c;
    Recorder& r = c.r;
    const DimId rows = r.dim(chunk_tokens(c.a, m.input), 1, Monomial(Symbol::ChunkTokens));
    const Dtype wanted = r.settings.autocast ? r.settings.autocast_dtype : x.dtype();
    const Shape wide{rows, c.d.vocabulary}, narrow{rows, c.d.embedding};
    if (wanted == x.dtype()) {  // written into one buffer, and into the gradients
        const Tensor logits = r.allocate(Operator::Mm, wide, wanted);
        return;
    }
    for (int chunk = 0; chunk < 2; ++chunk) {
        Tensor logits;
        {
            const Tensor weight = convert(Operator::Cast, m.head.weight, wanted);
            const Tensor input = r.allocate(Operator::Cast, narrow, wanted);
            logits = r.allocate(Operator::Mm, wide, wanted);
        }
        {
            const Tensor weight = autocast_operand(m.head.weight);
            const Tensor gradient = r.allocate(Operator::Mm, narrow, wanted);
        }
        if (weight_trains) {
            const Tensor input = r.allocate(Operator::Cast, narrow, wanted);
        }
    }
}

}  // namespace

Tensor fused_linear_loss(ModelFrame& m, const Tensor& hidden) {
    Context& c = m.c;
    Recorder& r = c.r;
    const InModule module(r, "loss");
    const ShiftedLabels labels(m);
    const Tensor x = view(hidden, Shape{c.d.rows, c.d.embedding});
    const Tensor* operands[] = {&x, &m.head.weight, &m.head.bias};
    const std::int32_t node = begin_node(r, Operator::FusedLoss, {&x, &m.head.weight, &m.head.bias});
    std::vector<Tensor> gradients;
    for (int i = 0; i < 3; ++i)
        if (i == 0 || needs(r, node, i)) gradients.push_back(copy(Operator::FusedLoss, *operands[i]));
    Tensor loss;
    {
        const Tensor losses = r.allocate(Operator::FusedLoss, Shape{c.d.rows}, Dtype::Fp32);
        const Tensor counted = r.allocate(Operator::Compare, Shape{c.d.rows}, Dtype::Bool);
        { const Tensor count = r.allocate(Operator::Sum, Shape{}, Dtype::Int64); }
        const bool grad_enabled = std::exchange(r.grad_enabled, false);
        run_chunks(m, x, needs(r, node, 1));
        r.grad_enabled = grad_enabled;
        loss = r.allocate(Operator::Sum, Shape{}, Dtype::Fp32);
    }
    for (const Tensor& t : gradients)
        keep(r, node, t);
    finish_node(r, node, loss);
    return loss;
}

}  // namespace memwall
