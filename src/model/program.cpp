#include "model/program.hpp"

#include <array>
#include <cassert>

#include "model/program_tables.hpp"

namespace memwall {

namespace {

constexpr std::size_t kStack = 160;  // variables of all functions that run at once

// Operators that take tensors and nothing else, in the order of their verbs.
Tensor same(Tensor x) { return x; }
Tensor softmax_native(Tensor x) { return softmax(std::move(x)); }
Tensor type_of(Tensor x) { return x.recorder().resident(Shape{}, x.dtype()); }  // carries a type, takes no memory
Tensor leaf(Tensor x) {
    x.recorder().at(x).requires_grad = true;
    return x;
}
Tensor add_to(Tensor x, Tensor y) { return add_in_place(std::move(x), y); }
Tensor cast_like(Tensor x, Tensor like) { return cast(std::move(x), like.dtype()); }
Tensor softmax_like(Tensor x, Tensor like) { return softmax(std::move(x), like.dtype()); }
Tensor clamp_both(Tensor x) { return clamp(std::move(x), Bounds::Both); }
Tensor clamp_max(Tensor x) { return clamp(std::move(x), Bounds::Upper); }

constexpr Tensor (*kOne[])(Tensor) = {
    same,       contiguous, clone,     mean,           softmax_native,   type_of,       leaf,
    bloom_gelu, clamp_both, clamp_max, clamp_in_place, autocast_operand, scale_in_place};
constexpr Tensor (*kTwo[])(Tensor, Tensor) = {
    add,    add_to, subtract,    mul,       divide,    divide_in_place, masked_fill_in_place,
    matmul, bmm,    gather_rows, embedding, cast_like, softmax_like,    masked_fill,
    where,  pick,   mul_complex, mm};
constexpr Tensor (*kThree[])(Tensor, Tensor, Tensor) = {linear, conv1d, baddbmm, layer_norm, grouped_mm};

constexpr int number(Verb v) { return static_cast<int>(v); }
static_assert(number(Verb::Copy) == 0 && number(Verb::ScaleInPlace) + 1 == std::size(kOne));
static_assert(number(Verb::Mm) + 1 - number(Verb::Add) == std::size(kTwo));
static_assert(number(Verb::GroupedMm) + 1 - number(Verb::Linear) == std::size(kThree));

struct Machine {
    Context& c;
    std::span<const Tensor> weights;        // of the block
    std::vector<Tensor>* making = nullptr;  // those that are being made
    const ProgramTables& tables = program_tables();
    std::uint64_t conditions = program_conditions(c);
    const std::uint8_t* at = nullptr;
    std::array<Tensor, kStack> stack{};
    Tensor* frame = stack.data();
    Tensor* top = stack.data();
    std::array<Tensor, 4> results{};  // of the latest operator or function that has several

    std::uint8_t next() { return *at++; }
    bool holds(std::uint8_t condition) const {
        return condition == kAlways || (condition != kNever && (conditions >> condition & 1U) != 0);
    }
    std::string_view name() { return tables.names[next()]; }
    DimId dim();
    Shape shape();
    Dtype dtype();
    int axis(const Tensor& x);
    Tensor* variable(std::uint8_t code);
    const Tensor* place(std::uint8_t code);
    Tensor take();
    void put(std::uint8_t code, Tensor);

    void run(const ProgramFunction&, Tensor* variables);
    void call(std::uint8_t target);
    bool step();
    bool control(Verb, std::uint8_t head);
    void make(Verb);
    Tensor apply(Verb, std::span<Tensor, 3> x, std::size_t count);
    Tensor with_shape(Verb, std::span<Tensor, 3> x);
};

DimId Machine::dim() {
    const std::uint8_t n = next();
    return n == 0 ? DimId{0} : c.d.*tables.dims[n];
}

Shape Machine::shape() {
    Shape out;
    out.rank = static_cast<std::int8_t>(next());
    for (int i = 0; i < out.rank; ++i)
        out[i] = dim();
    return out;
}

Dtype Machine::dtype() {
    const std::uint8_t n = next();
    if (n == kWeightDtype) return c.v.weights;
    return n == kAdapterDtype ? c.v.adapter_dtype : static_cast<Dtype>(n);
}

int Machine::axis(const Tensor& x) {
    const auto n = static_cast<std::int8_t>(next());
    return n < 0 ? n + x.shape().rank : n;
}

// Null for what no program changes.
Tensor* Machine::variable(std::uint8_t code) {
    if (code < kFirstShared) return frame + code;
    return code < kNothing ? &(c.shared.*tables.shared[static_cast<std::size_t>(code - kFirstShared)]) : nullptr;
}

const Tensor* Machine::place(std::uint8_t code) {
    static const Tensor nothing;
    if (code == kNothing) return &nothing;
    return code < kNothing ? variable(code) : &weights[static_cast<std::size_t>(code - kFirstWeight)];
}

Tensor Machine::take() {
    const std::uint8_t code = next();
    // Not a conditional expression: one of a Tensor&& and a const Tensor& makes clang copy where gcc moves.
    if (code >= kTakesIt) return std::move(*variable(code & 127U));
    return *place(code);
}

void Machine::put(std::uint8_t code, Tensor value) {
    if (code != kNoTarget) *variable(code) = std::move(value);
}

void Machine::run(const ProgramFunction& function, Tensor* variables) {
    assert(variables + function.slots <= stack.data() + kStack);
    const std::uint8_t* const after = std::exchange(at, tables.code[function.code >> 15U](function.code & 0x7fffU));
    Tensor* const outer = std::exchange(frame, variables);
    top = variables + function.slots;
    while (step()) {
    }
    for (Tensor* t = variables; t != top; ++t)
        t->reset();
    top = variables;
    frame = outer;
    at = after;
}

void Machine::call(std::uint8_t target) {
    const std::uint8_t low = next();
    const ProgramFunction& function = tables.functions[static_cast<std::size_t>(low + 256 * next())];
    const std::uint8_t given = next(), module = given == kNoModule ? function.module : given;
    const std::uint8_t count = next();
    for (std::uint8_t i = 0; i < count; ++i)
        top[i] = take();
    const InModule inside(c.r, module == kNoModule ? c.r.module : tables.names[module]);
    run(function, top);
    if (target != kNoTarget) put(target, std::move(results[0]));
}

bool Machine::step() {
    const auto verb = static_cast<Verb>(next());
    const std::uint8_t head = next(), target = head & 63U;
    if (verb >= Verb::Call) return control(verb, head);
    std::array<Tensor, 3> x;
    const std::size_t count = head >> 6U;
    for (std::size_t i = 0; i < count; ++i)
        x[i] = take();
    put(target, apply(verb, x, count));
    return true;
}

bool Machine::control(Verb verb, std::uint8_t head) {
    const auto skip_if = [this](bool skips) {
        const std::uint8_t distance = next();
        if (skips) at += distance;
    };
    if (verb == Verb::Call) {
        call(head & 63U);
    } else if (verb == Verb::Take) {
        put(head & 63U, std::move(results[next()]));
    } else if (verb == Verb::Return) {
        for (std::uint8_t i = 0; i < results.size(); ++i)
            results[i] = i < head >> 6U ? take() : Tensor();
        return false;
    } else if (verb == Verb::Delete) {
        variable(next())->reset();
    } else if (verb == Verb::If) {
        const std::uint8_t condition = next();
        skip_if(holds(condition & 127U) != (condition < 128));
    } else if (verb == Verb::IfSome) {
        const std::uint8_t code = next();
        skip_if(static_cast<bool>(*place(code & 127U)) != (code < 128));
    } else if (verb == Verb::Jump) {
        skip_if(true);
    } else {
        make(verb);
    }
    return true;
}

void Machine::make(Verb verb) {
    Tensor* const made = making->data() + next();
    const std::string_view called = name();
    if (verb == Verb::MakeWeight) {
        made[0] = make_parameter(c, called, shape());
    } else if (verb == Verb::MakeMatrices) {
        const auto projection = static_cast<Projection>(next());
        const DimId count = dim(), in = dim(), out = dim();
        Linear matrices = make_matrices(c, projection, called, count, in, out);
        made[0] = std::move(matrices.weight);
        made[1] = std::move(matrices.adapter);
    } else if (verb == Verb::MakeNorm) {
        NormWeights norm = make_norm(c, called, dim());
        made[0] = std::move(norm.weight);
        made[1] = std::move(norm.bias);
    } else {
        const auto projection = static_cast<Projection>(next());
        const DimId in = dim(), out = dim();
        Linear linear = verb == Verb::MakeConv1d ? make_conv1d(c, projection, called, in, out)
                                                 : make_linear(c, projection, called, in, out, bias_if(holds(next())));
        made[0] = std::move(linear.weight);
        made[1] = std::move(linear.bias);
        made[2] = std::move(linear.adapter);
    }
}

Tensor Machine::apply(Verb verb, std::span<Tensor, 3> x, std::size_t count) {
    if (verb < Verb::Add) return kOne[number(verb)](std::move(x[0]));
    if (verb < Verb::Linear) return kTwo[number(verb) - number(Verb::Add)](std::move(x[0]), std::move(x[1]));
    if (verb < Verb::Sdpa)
        return kThree[number(verb) - number(Verb::Linear)](std::move(x[0]), std::move(x[1]), std::move(x[2]));
    if (verb == Verb::Sdpa) return scaled_dot_product_attention(c, x[0], x[1], x[2]);
    if (verb == Verb::Unary) return unary(static_cast<Operator>(next()), std::move(x[0]));
    if (verb == Verb::CastTo) return cast(std::move(x[0]), dtype());
    if (verb == Verb::SoftmaxAs) return softmax(std::move(x[0]), dtype());
    if (verb == Verb::Dropout) {
        const std::int64_t rates[] = {c.a.attention_dropout_permille, c.a.residual_dropout_permille,
                                      c.a.embedding_dropout_permille, c.v.adapter_dropout_permille,
                                      c.a.activation_dropout_permille};
        return dropout(std::move(x[0]), rates[next()]);
    }
    if (verb == Verb::Cat) {
        const int along = axis(x[0]);
        return cat(std::span<const Tensor>(x).first(count), along, dim());
    }
    return with_shape(verb, x);
}

Tensor Machine::with_shape(Verb verb, std::span<Tensor, 3> x) {
    if (verb == Verb::View) return view(std::move(x[0]), shape());
    if (verb == Verb::Reshape) return reshape(std::move(x[0]), shape());
    if (verb == Verb::Expand) return expand(std::move(x[0]), shape());
    if (verb == Verb::Pad) return pad(std::move(x[0]), shape());
    if (verb == Verb::New) {
        const auto made_by = static_cast<Operator>(next());
        const Dtype type = dtype();
        return c.r.allocate(made_by, shape(), type);
    }
    if (verb == Verb::NewLike) {
        const auto made_by = static_cast<Operator>(next());
        return c.r.allocate(made_by, shape(), x[0].dtype());
    }
    if (verb == Verb::DoraNorm) {
        results = dora_norm(x[0], x[1], x[2]);
        return Tensor();
    }
    if (verb == Verb::AdapterWeight) return adapter_weight(c, x[0]);
    if (verb == Verb::Rotated) return rotated(c, x[0], x[1]);
    if (verb == Verb::Finished) return finished(c, std::move(x[0]), std::move(x[1]), x[2]);
    if (verb == Verb::Parts) {
        results = parts_of(c, x[0]);
        return Tensor();
    }
    if (verb == Verb::TopK) {
        TopK top_values = top_k(std::move(x[0]), dim());
        results = {std::move(top_values.values), std::move(top_values.indices), {}, {}};
        return Tensor();
    }
    if (verb == Verb::Spread) return spread(std::move(x[0]), dim());
    const int first = axis(x[0]);
    if (verb == Verb::Transpose) {
        const int second = axis(x[0]);
        return transpose(std::move(x[0]), first, second);
    }
    if (verb == Verb::Slice) return slice(std::move(x[0]), first, dim());
    if (verb == Verb::EverySecond) return slice(std::move(x[0]), first, dim(), 2);
    if (verb == Verb::Select) return select(std::move(x[0]), first);
    if (verb == Verb::GatherOne) return gather_one(std::move(x[0]), first);
    if (verb == Verb::Sum) return sum(std::move(x[0]), first, KeepDimension::No);
    if (verb == Verb::SumKeepDimension) return sum(std::move(x[0]), first, KeepDimension::Yes);
    assert(verb == Verb::Split);
    const Shape parts = shape();
    results = split(std::move(x[0]), first, std::span(parts.dims).first(static_cast<std::size_t>(parts.rank)));
    return Tensor();
}

}  // namespace

Block::Block(Context& c, BlockProgram program) : program_(program), letter_(c.letter) {
    Machine m{.c = c, .weights = {}, .making = &weights_};
    const ProgramRow& row = m.tables.programs[static_cast<std::size_t>(program)];
    weights_.resize(row.weights);
    m.run(m.tables.functions[row.parameters], m.top);
}

Tensor Block::operator()(Context& c, Tensor hidden) const {
    c.letter = letter_;
    Machine m{.c = c, .weights = weights_};
    const ProgramRow& row = m.tables.programs[static_cast<std::size_t>(program_)];
    *m.top = std::move(hidden);
    m.run(m.tables.functions[row.forward], m.top);
    if (!c.r.recomputing || c.r.packing >= 0) c.held = std::move(m.results[1]);
    return std::move(m.results[0]);
}

namespace {

Tensor run_shared(Machine& m, SharedFunction function) {
    Context& c = m.c;
    const ProgramRow& program = m.tables.programs[static_cast<std::size_t>(c.program)];
    const ProgramFunction& row = m.tables.functions[program.shared[static_cast<std::size_t>(function)]];
    const InModule inside(c.r, row.module == kNoModule ? c.r.module : m.tables.names[row.module]);
    m.run(row, m.top);
    return std::move(m.results[0]);
}

}  // namespace

Tensor call(Context& c, SharedFunction function, std::span<const Tensor> arguments) {
    Machine m{.c = c, .weights = {}};
    std::size_t count = 0;
    for (const Tensor& t : arguments)
        m.top[count++] = t;
    return run_shared(m, function);
}

Tensor call_with(Context& c, SharedFunction function, Tensor argument) {
    Machine m{.c = c, .weights = {}};
    *m.top = std::move(argument);
    return run_shared(m, function);
}

}  // namespace memwall
