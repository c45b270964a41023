// Trained tokens in front of the text of a decoder. Source: huggingface/peft 0.20, peft_model.py (PeftModelForCausalLM,
// get_prompt) and tuners/prompt_tuning, tuners/p_tuning.
#include <array>

#include "model/model_frame.hpp"

namespace memwall {

// One embedding a token; p-tuning makes it with a network of three linears.
void make_prompt(ModelFrame& m) {
    Context& c = m.c;
    if (!leads_text(c.v.adapter)) return;
    const auto make = [&](const Shape& shape) {
        Tensor out = c.r.parameter(shape, c.v.adapter_dtype, true, 1);
        c.r.storage_of(out).module = "prompt";
        c.parameters.push_back(out);
        return out;
    };
    const DimId length = c.r.dim(c.v.prompt_length, c.v.prompt_length, Monomial{});
    m.prompt.push_back(make(Shape{length, c.d.embedding}));
    for (int layer = 0; layer < 3 && c.v.adapter == AdapterVariant::EncodedPrompt; ++layer) {
        m.prompt.push_back(make(Shape{c.d.embedding, c.d.embedding}));
        m.prompt.push_back(make(Shape{c.d.embedding}));
    }
}

namespace {

Tensor embedded_prompt(ModelFrame& m, const Tensor& numbers) {
    Tensor out = embedding(numbers, m.prompt[0]);
    for (std::size_t i = 1; i < m.prompt.size(); i += 2) {
        if (i > 1) out = unary(Operator::Relu, std::move(out));
        out = linear(std::move(out), m.prompt[i], m.prompt[i + 1]);
    }
    return out;
}

}  // namespace

Tensor with_prompt(ModelFrame& m, Tensor embedded) {
    if (m.prompt.empty()) return embedded;
    Context& c = m.c;
    Recorder& r = c.r;
    const InModule module(r, "prompt");
    const DimId length = m.prompt[0].shape()[0];
    const auto make = [&](const Shape& shape, Dtype type) { return r.allocate(Operator::Data, shape, type); };
    const auto hold = [&m](Tensor t) { return m.wrapped.emplace_back(std::move(t)); };
    if (m.mask_input) {
        hold(make(Shape{c.d.batch, length}, Dtype::Fp32));
        hold(make(Shape{c.d.batch, c.d.tokens}, Dtype::Fp32));
    }
    hold(make(Shape{c.d.batch, length}, Dtype::Int64));
    hold(make(Shape{c.d.batch, c.d.tokens}, Dtype::Int64));  // labels, none for the prompt
    Tensor numbers = slice(make(Shape{c.d.batch, length}, Dtype::Int64), 0, 0);
    Tensor prompts = embedded_prompt(m, numbers);
    numbers.reset();
    prompts = clone(expand(std::move(prompts), Shape{c.d.batch, length, c.d.embedding}));
    prompts = hold(cast(std::move(prompts), embedded.dtype()));
    const std::array<Tensor, 2> both{std::move(prompts), std::move(embedded)};
    return hold(cat(both, 1, c.d.tokens));
}

}  // namespace memwall
