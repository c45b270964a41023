// What an optimizer's step allocates. Steps that go tensor by tensor are walked in order of registration, with the
// variables of the loop that still hold what belonged to the tensor before; only their highest moment is recorded.
#include "model/optimizer_step.hpp"

#include <algorithm>
#include <utility>

#include "model/operators.hpp"
#include "model/tape_builder.hpp"

namespace memwall {

namespace {

struct Temporary {
    Shape shape;
    Dtype dtype{};
};
using Moment = std::vector<Temporary>;

class LoopWalk {
  public:
    LoopWalk(Recorder& r, std::span<const Tensor> trained) : r_(r), trained_(trained) {}

    // The parameters as the loop meets them; a repeated layer is met twice, so that its first tensor also follows its
    // last one.
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t from = 0; from < trained_.size();) {
            const std::int32_t copies = r_.at(trained_[from]).copies;
            std::size_t to = from;
            while (to < trained_.size() && r_.at(trained_[to]).copies == copies)
                ++to;
            for (int pass = 0; pass < (copies > 1 ? 2 : 1); ++pass)
                for (std::size_t i = from; i < to; ++i)
                    visit(trained_[i]);
            from = to;
        }
    }

    void moment(const Moment& alive) {
        std::int64_t total = 0;
        for (const Temporary& t : alive) {
            std::int64_t bytes = element_bytes(t.dtype);
            for (int i = 0; i < t.shape.rank; ++i)
                bytes *= r_.size(t.shape[i]);
            total += bytes;
        }
        if (total <= highest_) return;
        highest_ = total;
        best_ = alive;
    }

    void record() const {
        std::vector<Tensor> alive;
        for (const Temporary& t : best_)
            alive.push_back(r_.allocate(Operator::OptimizerStep, t.shape, t.dtype));
    }

  private:
    Recorder& r_;
    std::span<const Tensor> trained_;
    Moment best_;
    std::int64_t highest_ = -1;
};

[[gnu::noinline]] void adamw_loop(Recorder& r, std::span<const Tensor> trained) {
    LoopWalk walk(r, trained);
    Moment before;  // the denominator of the tensor before
    walk.each([&](const Tensor& p) {
        const Temporary one{p.shape(), p.dtype()};
        Moment now = before;
        now.push_back(one);  // root of the second moment
        now.push_back(one);  // divided, plus epsilon
        walk.moment(now);
        before = {one};
    });
    walk.record();
}

Temporary rows_of(const Tensor& p) {
    Shape s = p.shape();
    s[s.rank - 1] = 0;
    return {s, p.dtype()};
}
Temporary columns_of(const Tensor& p) {
    Shape s = p.shape();
    s[s.rank - 2] = 0;
    return {s, p.dtype()};
}

[[gnu::noinline]] void adafactor_torch(Recorder& r, std::span<const Tensor> trained) {
    LoopWalk walk(r, trained);
    Moment row_mean, column_mean, squares, update;  // variables of the loop
    const auto all = [&](std::initializer_list<Temporary> more) {
        Moment out(more);
        for (const Moment* m : {&row_mean, &column_mean, &squares, &update})
            out.insert(out.end(), m->begin(), m->end());
        return out;
    };
    walk.each([&](const Tensor& p) {
        const Temporary one{p.shape(), p.dtype()}, scalar{Shape{}, p.dtype()};
        if (p.shape().rank > 1) {
            walk.moment(all({rows_of(p)}));
            row_mean = {rows_of(p)};
            walk.moment(all({columns_of(p)}));
            column_mean = {columns_of(p)};
            Temporary matrices{p.shape(), p.dtype()};
            matrices.shape.rank = static_cast<std::int8_t>(p.shape().rank - 2);
            walk.moment(all({one, matrices}));  // the estimate, and the mean of each matrix that it is divided by
        } else {
            walk.moment(all({one}));
            squares = {one};
            walk.moment(all({one}));
        }
        update = {one};
        walk.moment(all({scalar}));
    });
    walk.record();
}

}  // namespace

void create_states(Recorder& r, const Tensor& p, std::int32_t times) {
    if (r.created.empty() || times < 1) return;
    const Shape shape = p.shape();
    std::int64_t elements = 1;
    for (int i = 0; i < shape.rank; ++i)
        elements *= r.size(shape[i]);
    const auto without = [&](int from_last) {
        return shape.rank < 2 ? 0 : elements / r.size(shape[shape.rank - from_last]);
    };
    const std::int64_t rows = without(1), columns = without(2);
    const InModule module(r, r.storage_of(p).module);
    for (const CreatedState& s : r.created) {
        const bool of_all = s.elements == 0;
        if (!of_all && (s.elements != elements || s.rows != rows || s.columns != columns || s.weight != p.dtype()))
            continue;
        const Shape whole = s.length == elements ? shape : Shape{r.dim(s.length, s.length, Monomial{})};
        r.allocate(Operator::OptimizerState, whole, s.dtype).detach_count();
        r.events.back().repeated = static_cast<std::int32_t>(s.tensors * times - 1);
    }
}

namespace {

// The body of the loop, with the variables that still hold what belonged to the weight before.
struct AdafactorLoop {
    Recorder& r;
    Tensor gradient{}, weight{}, update{};

    void visit(const Tensor& p) {
        const auto make = [&](const Shape& shape) { return r.allocate(Operator::OptimizerStep, shape, Dtype::Fp32); };
        const Shape whole = p.shape();
        const bool half = p.dtype() != Dtype::Fp32;
        gradient = half ? make(whole) : Tensor();
        create_states(r, p, 1);
        weight.reset();
        if (half) weight = make(whole);
        mean_square(Shape{});
        Tensor square = make(whole);
        Tensor plus = make(whole);
        square.reset();
        update = std::move(plus);
        if (whole.rank > 1) {
            make(rows_of(p).shape);
            make(columns_of(p).shape);
            Shape matrices = whole;
            matrices.rank = static_cast<std::int8_t>(whole.rank - 2);
            Tensor mean = make(matrices);
            const Tensor row_factor = make(rows_of(p).shape);
            mean.reset();
            const Tensor column_factor = make(columns_of(p).shape);
            update = make(whole);
        } else {
            update = make(whole);
        }
        mean_square(Shape{});
        make(whole);  // the negated update
    }
    void mean_square(const Shape& scalar) const {
        const Tensor norm = r.allocate(Operator::OptimizerStep, scalar, Dtype::Fp32);
        const Tensor divided = r.allocate(Operator::OptimizerStep, scalar, Dtype::Fp32);
    }
};

// A repeated layer is met as the first and as the last of its kind; those between create their states.
[[gnu::noinline]] void adafactor_transformers(Recorder& r, std::span<const Tensor> trained) {
    AdafactorLoop loop{r};
    for (std::size_t from = 0; from < trained.size();) {
        const std::int32_t copies = r.at(trained[from]).copies;
        std::size_t to = from;
        while (to < trained.size() && r.at(trained[to]).copies == copies)
            ++to;
        for (int pass = 0; pass < (copies > 1 ? 2 : 1); ++pass) {
            for (std::size_t i = from; pass == 1 && i < to; ++i)
                create_states(r, trained[i], copies - 2);
            for (std::size_t i = from; i < to; ++i)
                loop.visit(trained[i]);
        }
        from = to;
    }
}

// torch._foreach_*: all weights at once; AdamW's copy of every second moment, for instance.
void of_all_weights(Recorder& r, std::span<const Tensor> trained) {
    std::vector<Tensor> made;
    for (std::int64_t i = 0; i < r.settings.optimizer_temporaries; ++i)
        for (const Tensor& p : trained) {
            r.module = r.storage_of(p).module;
            made.push_back(r.allocate(Operator::OptimizerStep, Shape(p.shape()), p.dtype()));
            r.events.back().repeated = r.at(p).copies - 1;
        }
    while (!made.empty()) {
        r.release_copies = r.at(trained[(made.size() - 1) % trained.size()]).copies - 1;
        made.pop_back();
    }
    r.release_copies = 0;
}

[[gnu::noinline]] void of_the_largest(Recorder& r, std::span<const Tensor> trained) {
    LoopWalk walk(r, trained);
    walk.each([&](const Tensor& p) {
        walk.moment(
            Moment(static_cast<std::size_t>(r.settings.optimizer_temporaries), Temporary{p.shape(), p.dtype()}));
    });
    walk.record();
}

}  // namespace

void record_update(Recorder& r, std::span<const Tensor> trained, OptimizerVariant optimizer) {
    switch (optimizer) {
        case OptimizerVariant::Fused:
        case OptimizerVariant::Sgd:
            break;
        case OptimizerVariant::Foreach:
            of_all_weights(r, trained);
            break;
        case OptimizerVariant::OfTheLargest:
            of_the_largest(r, trained);
            break;
        case OptimizerVariant::ForLoop:
            adamw_loop(r, trained);
            break;
        case OptimizerVariant::AdafactorTorch:
            adafactor_torch(r, trained);
            break;
        case OptimizerVariant::AdafactorTransformers:
            adafactor_transformers(r, trained);
            break;
    }
}

void record_update_of_one(Recorder& r, const Tensor& parameter, OptimizerVariant optimizer) {
    const std::int32_t copies = std::exchange(r.at(parameter).copies, 1);  // each copy has its own moment
    if (optimizer != OptimizerVariant::AdafactorTransformers) create_states(r, parameter, 1);
    record_update(r, std::span(&parameter, 1), optimizer);
    r.at(parameter).copies = copies;
}

void release_gradients(Recorder& r, std::span<const Tensor> parameters) {
    for (const Tensor& p : parameters) {
        const std::int32_t grad = std::exchange(r.at(p).grad, -1);
        r.release_copies = r.at(p).copies - 1;
        if (grad >= 0) r.release(grad);
    }
    r.release_copies = 0;
}

void TapeBuilder::optimizer_step(const std::vector<Tensor>& parameters, OptimizerVariant optimizer) {
    optimizer_begin_ = static_cast<std::int32_t>(r_.events.size());
    r_.begin_segment(Phase::OptimizerStep, -1, 1);
    r_.module = "step";
    std::vector<Tensor> trained;
    for (const Tensor& p : parameters)
        if (r_.at(p).requires_grad) trained.push_back(p);
    if (!r_.settings.step_in_backward) record_update(r_, trained, optimizer);
    r_.begin_segment(Phase::Idle, -1, 1);
    release_gradients(r_, trained);
}

}  // namespace memwall
