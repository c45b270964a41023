// Sources: linkedin/Liger-Kernel, benchmark/scripts and src/liger_kernel/ops, 0.2.1 and 0.4.2 (fused linear cross
// entropy); pytorch, aten/src/ATen/native/cuda/Reduce.cuh, torch/csrc/autograd (engine, accumulate_grad,
// derivatives.yaml).
#include "check/operator_runs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace memwall {
namespace {

// What is allocated now and was at most, in whole blocks.
class Pool {
  public:
    // Lives until it is released, or forever.
    using Block = std::int64_t;
    Block make(std::int64_t bytes) {
        constexpr std::int64_t kBlock = 512;
        const std::int64_t whole = (bytes + kBlock - 1) / kBlock * kBlock;
        live_ += whole;
        peak_ = std::max(peak_, live_);
        return whole;
    }
    void release(Block block) { live_ -= block; }
    // Exists while one expression is computed, beside all that is there.
    void brief(std::int64_t bytes) { release(make(bytes)); }
    std::int64_t peak() const { return peak_; }

  private:
    std::int64_t live_ = 0, peak_ = 0;
};

constexpr std::int64_t kFp32 = 4, kInt64 = 8, kBool = 1, kScalar = 8;
constexpr std::int64_t kMultiprocessors = 108, kThreads = 2048;  // of an A100
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t power_of_2_from(std::int64_t n) {
    std::int64_t out = 1;
    while (out < n)
        out *= 2;
    return out;
}

// What torch's sum over the rows of an fp32 matrix allocates where several blocks of threads share a column, and the
// semaphores they wait at.
void sum_columns(Pool& pool, std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t kVector = 4, kWidth = 32, kHeight = 4, kLeast = 16, kMost = 256;
    const std::int64_t each = rows / kHeight;
    if (each < kHeight * kLeast && each < kMost) return;
    const std::int64_t grid = ceil_div(columns / kVector, kWidth);
    const std::int64_t wanted = ceil_div(kMultiprocessors * (kThreads / (kWidth * kHeight)), grid);
    const std::int64_t blocks = std::max(std::min(wanted, ceil_div(each, kLeast)), ceil_div(each, kMost));
    if (blocks == 1) return;
    const auto staging = pool.make(kFp32 * columns * blocks * kWidth * kVector);
    pool.brief(kFp32 * grid);
    pool.release(staging);
}

using Run = OperatorRun;

// Logits, their gradient from the run before, log-probabilities and both gradients on the way back.
void eager_cross_entropy(const Run& r, Pool& pool) {
    const std::int64_t logits = r.rows * r.vocabulary * r.element_bytes;
    for (const std::int64_t each : {logits, logits, logits, r.rows * kInt64})
        pool.make(each);
    pool.make(kScalar);  // the loss
    pool.make(kScalar);  // what its weights add up to
    pool.make(logits);
    pool.brief(logits);
}

// In place: the gradient is the input, also in its .grad. Targets are counted as booleans made int64.
void fused_cross_entropy(const Run& r, Pool& pool) {
    pool.make(r.rows * r.vocabulary * r.element_bytes);
    for (const std::int64_t each : {kInt64, r.element_bytes, kBool, kInt64})
        pool.make(r.rows * each);
    pool.make(kScalar);
}

// Both modules exist, the gradients of one stay.
void make_heads(const Run& r, Pool& pool) {
    const std::int64_t weight = r.vocabulary * r.hidden * r.element_bytes, input = r.rows * r.hidden * r.element_bytes;
    for (const std::int64_t each : {kWorkspace, kWorkspace, weight, weight, weight, input, input, r.rows * kInt64})
        pool.make(each);
}

void eager_linear_cross_entropy(const Run& r, Pool& pool) {
    make_heads(r, pool);
    const std::int64_t logits = r.rows * r.vocabulary * r.element_bytes;
    const auto head = pool.make(logits);
    const auto log = pool.make(logits);
    pool.release(head);
    pool.make(kScalar);
    pool.make(kScalar);
    const auto of_log = pool.make(logits);
    pool.make(logits);
    pool.release(of_log);
    pool.release(log);
    pool.make(r.vocabulary * r.hidden * r.element_bytes);
    pool.brief(r.rows * r.hidden * r.element_bytes);
}

// In chunks; a chunk's first logits come while the last two tensors of the chunk before still have their names.
void fused_linear_cross_entropy(const Run& r, Pool& pool) {
    make_heads(r, pool);
    pool.make(r.vocabulary * r.hidden * r.element_bytes);
    pool.make(r.rows * r.hidden * r.element_bytes);
    pool.make(r.rows * kFp32);
    pool.make(kScalar);  // targets that count, of all
    pool.make(kScalar);  // and what a chunk's loss is multiplied by
    const std::int64_t rows = power_of_2_from(ceil_div(r.rows, ceil_div(r.vocabulary, r.hidden)));
    const std::int64_t chunk = rows * r.vocabulary;
    const auto last = pool.make(chunk * r.element_bytes);
    pool.make(chunk * r.element_bytes);  // the same times a number
    const auto logits = pool.make(chunk * r.element_bytes);
    pool.release(last);
    const auto upcast = pool.make(chunk * kFp32);
    pool.release(logits);
    pool.brief(chunk * r.element_bytes);
    pool.release(upcast);
}

// The weight of both modules is fp32. What backward() makes of the given gradient is held until it returns; the power's
// formula holds all its factors until its end.
void eager_rms_norm(const Run& r, Pool& pool) {
    const std::int64_t all = r.rows * r.hidden, given = all * r.element_bytes, upcast = all * kFp32;
    for (int of_weight = 0; of_weight < 3; ++of_weight)
        pool.make(r.hidden * kFp32);
    for (const std::int64_t each : {given, given, given})  // x, its gradient, the output's
        pool.make(each);
    for (const std::int64_t each : {upcast, r.rows * kFp32, given, upcast})  // kept: x, 1/rms, the product; the output
        pool.make(each);
    pool.make(upcast);  // the output's gradient
    pool.make(upcast);  // x's, from the product
    pool.make(upcast);  // that of the squares
    for (int factor = 0; factor < 3; ++factor)
        pool.make(upcast);
}

// The input's gradient takes the place of the output's; the weight's is made for every row, then added up.
void fused_rms_norm(const Run& r, Pool& pool) {
    const std::int64_t all = r.rows * r.hidden, given = all * r.element_bytes;
    for (int of_weight = 0; of_weight < 3; ++of_weight)
        pool.make(r.hidden * kFp32);
    for (const std::int64_t each : {given, given, given, r.rows * kFp32, all * kFp32, r.hidden * kFp32})
        pool.make(each);
    sum_columns(pool, r.rows, r.hidden);
}

void make_layer_norm(const Run& r, Pool& pool) {
    const std::int64_t all = r.rows * r.hidden * r.element_bytes, vector = r.hidden * r.element_bytes;
    for (int of_weights = 0; of_weights < 6; ++of_weights)  // two modules, and the gradients of one
        pool.make(vector);
    for (int given = 0; given < 3; ++given)
        pool.make(all);
    pool.make(all);  // the output
    for (int of_row = 0; of_row < 2; ++of_row)
        pool.make(r.rows * r.element_bytes);
    pool.make(all);  // the gradient of the input
    for (int of_vector = 0; of_vector < 2; ++of_vector)
        pool.make(vector);
}

void eager_layer_norm(const Run& r, Pool& pool) { make_layer_norm(r, pool); }

// Gradients of weight and bias are made for each multiprocessor, then added up.
void fused_layer_norm(const Run& r, Pool& pool) {
    make_layer_norm(r, pool);
    for (int of_vector = 0; of_vector < 2; ++of_vector)
        pool.make(kMultiprocessors * r.hidden * r.element_bytes);
}

struct MlpSizes {
    std::int64_t outer, inner, weight;
};

// One module with its gradients, x and its gradient.
MlpSizes make_mlp(const Run& r, Pool& pool) {
    const MlpSizes s{r.rows * r.hidden * r.element_bytes, r.rows * r.intermediate * r.element_bytes,
                     r.hidden * r.intermediate * r.element_bytes};
    for (int of_weight = 0; of_weight < 6; ++of_weight)
        pool.make(s.weight);
    for (const std::int64_t each : {kWorkspace, kWorkspace, s.outer, s.outer})
        pool.make(each);
    return s;
}

// Both matrices give x a gradient; their sum is a third tensor, beside the gradient of the second's weight.
void back_to_x(const MlpSizes& s, Pool& pool) {
    const auto first = pool.make(s.outer), second = pool.make(s.outer), weight = pool.make(s.weight);
    pool.brief(s.outer);
    for (const auto block : {first, second, weight})
        pool.release(block);
}

// The graph is retained: gate, its activation, up and their product stay throughout.
void eager_mlp(const Run& r, Pool& pool) {
    const MlpSizes s = make_mlp(r, pool);
    for (const std::int64_t each : {s.inner, s.inner, s.inner, s.inner, s.outer, s.outer})
        pool.make(each);
    const auto of_product = pool.make(s.inner);
    pool.brief(s.weight);
    const auto of_activation = pool.make(s.inner), of_up = pool.make(s.inner);
    pool.release(of_product);
    const auto of_x = pool.make(s.outer);
    pool.brief(s.weight);
    pool.release(of_up);
    pool.brief(s.inner);
    pool.release(of_activation);
    pool.release(of_x);
    pool.make(s.inner);
    back_to_x(s, pool);
}

// Gradients of gate and up take their places; the activation is computed again.
void fused_mlp(const Run& r, Pool& pool) {
    const MlpSizes s = make_mlp(r, pool);
    for (const std::int64_t each : {s.inner, s.inner, s.inner, s.outer, s.outer})
        pool.make(each);
    const auto of_product = pool.make(s.inner);
    pool.brief(s.weight);
    pool.release(of_product);
    back_to_x(s, pool);
}

struct RopeSizes {
    std::int64_t query, key;
};

// Queries, keys and the gradients of their results; cosines and sines; positions and frequencies.
RopeSizes make_rope(const Run& r, Pool& pool) {
    const std::int64_t head = r.hidden / r.heads;
    const RopeSizes s{r.rows * r.hidden * r.element_bytes, r.rows * r.kv_heads * head * r.element_bytes};
    for (const std::int64_t each : {s.query, s.key, s.query, s.key, r.rows * head * r.element_bytes,
                                    r.rows * head * r.element_bytes, r.rows * kInt64, head / 2 * kFp32, kWorkspace})
        pool.make(each);
    return s;
}

// Results stay; the keys' gradient waits while the queries' is added up from three tensors of their size: of the turned
// half before it is cut, and one for each cut.
void eager_rope(const Run& r, Pool& pool) {
    const RopeSizes s = make_rope(r, pool);
    for (const std::int64_t each : {s.query, s.key, s.key, s.query, s.query, s.query})
        pool.make(each);
}

void fused_rope(const Run& r, Pool& pool) { make_rope(r, pool); }  // in place

struct OperatorRow {
    std::string_view name;
    void (*eager)(const Run&, Pool&);
    void (*fused)(const Run&, Pool&);
    std::int64_t Run::*needs[3];  // sizes without which nothing can be said
};
constexpr OperatorRow kOperators[] = {
    {"cross_entropy", eager_cross_entropy, fused_cross_entropy, {&Run::rows, &Run::vocabulary, &Run::rows}},
    {"fused_linear_cross_entropy",
     eager_linear_cross_entropy,
     fused_linear_cross_entropy,
     {&Run::rows, &Run::vocabulary, &Run::hidden}},
    {"rms_norm", eager_rms_norm, fused_rms_norm, {&Run::rows, &Run::hidden, &Run::hidden}},
    {"layer_norm", eager_layer_norm, fused_layer_norm, {&Run::rows, &Run::hidden, &Run::hidden}},
    {"geglu", eager_mlp, fused_mlp, {&Run::rows, &Run::hidden, &Run::intermediate}},
    {"swiglu", eager_mlp, fused_mlp, {&Run::rows, &Run::hidden, &Run::intermediate}},
    {"rope", eager_rope, fused_rope, {&Run::rows, &Run::hidden, &Run::heads}},
};

constexpr std::int64_t kLargestSize = std::int64_t{1} << 20;  // three of them and a few bytes stay below 2^63

}  // namespace

Result<Bytes> peak_of(const OperatorRun& run) {
    for (const OperatorRow& row : kOperators) {
        if (row.name != run.name) continue;
        for (const auto size : row.needs)
            if (run.*size < 1 || run.*size > kLargestSize || run.element_bytes == 0)
                return Error{ErrorCode::OutOfRange, "op", {"a size or the type of ", run.name, " is missing"}, ""};
        Pool pool;
        (run.form == OperatorForm::Eager ? row.eager : row.fused)(run, pool);
        return Bytes(pool.peak());
    }
    return Error{ErrorCode::NotYet, "op", {run.name, " is not predicted by this version"}, ""};
}

}  // namespace memwall
