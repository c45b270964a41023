#include "model/model_program.hpp"

#include <algorithm>
#include <cassert>

#include "model/autograd.hpp"
#include "model/model_frame.hpp"
#include "model/tape_builder.hpp"

namespace memwall {

bool has_block_program(const Architecture& a) { return family_program(a) != nullptr; }

SymbolValues symbol_values(const Architecture& a, const StepInput& in) {
    SymbolValues v{};
    const auto set = [&](Symbol s, std::int64_t value) { v[static_cast<std::size_t>(s)] = value; };
    const auto rounded = [](std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; };
    set(Symbol::MicroBatch, in.batch);
    set(Symbol::Sequence, in.tokens);
    set(Symbol::SequenceMinusOne, in.tokens - 1);
    set(Symbol::SequencePlusOne, in.tokens + 1);
    set(Symbol::SequenceRounded8, rounded(in.tokens, 8));
    set(Symbol::SequenceRounded32, rounded(in.tokens, 32));
    set(Symbol::Target, in.target_tokens);
    set(Symbol::TargetMinusOne, in.target_tokens - 1);
    set(Symbol::TargetPlusOne, in.target_tokens + 1);
    set(Symbol::TargetRounded32, rounded(in.target_tokens, 32));
    set(Symbol::Hidden, a.hidden_size);
    set(Symbol::Intermediate, a.intermediate_size);
    set(Symbol::Heads, a.num_attention_heads);
    set(Symbol::KvHeads, a.num_key_value_heads);
    set(Symbol::HeadDim, a.head_dim);
    set(Symbol::Vocabulary, a.vocab_size);
    set(Symbol::LearnedPositions, a.learned_positions);
    set(Symbol::EmbeddingSize, a.embedding_size);
    const std::int64_t rotary = a.head_dim * a.partial_rotary_permille / 1000 / 2 * 2;
    set(Symbol::RotaryHalf, rotary / 2);
    set(Symbol::PassHeadDim, a.head_dim - rotary);
    set(Symbol::LoraRank, in.lora_rank);
    set(Symbol::Experts, a.num_experts);
    set(Symbol::ExpertsPerToken, a.num_experts_per_tok);
    set(Symbol::ExpertIntermediate, a.moe_intermediate_size);
    set(Symbol::SharedIntermediate, a.shared_expert_intermediate_size);
    set(Symbol::Labels, a.num_labels);
    set(Symbol::WindowedSequence, a.sliding_window > 0 ? std::min(in.tokens, a.sliding_window) : in.tokens);
    return v;
}

namespace {

DimId symbol_dim(Recorder& r, const SymbolValues& values, Symbol s) {
    return r.dim(values[static_cast<std::size_t>(s)], 1, Monomial(s));
}

}  // namespace

Tape record_step(const StepInput& in) {
    RecorderSettings settings;
    settings.autocast = in.variant.autocast;
    settings.autocast_dtype = in.variant.autocast_dtype;
    settings.composite_silu = in.variant.composite_silu;
    settings.gradients_into_main = in.variant.gradients == GradientVariant::IntoMain;
    settings.torch_2_6 = in.variant.library == LibraryVariant::Transformers4;
    settings.accumulate_in_place = !in.variant.accumulate_out_of_place;
    Recorder r(settings);
    TapeBuilder builder(r);
    r.begin_segment(Phase::Load, -1, 1);
    ModelFrame model(r, in);
    for (r.micro_step = 1; r.micro_step <= in.variant.micro_steps; ++r.micro_step) {
        auto [loss, outputs] = model.forward();
        r.clear_cast_cache(Recorder::Scope::Step);
        builder.forward_ended();
        backward(r, loss);
        loss.reset();
        outputs.reset();
        builder.backward_ended();
    }
    --r.micro_step;
    builder.optimizer_step(model.c.parameters, in.variant.optimizer);
    return builder.finish(symbol_values(in.architecture, in));
}

namespace {

// Two vectors a token and layer; layers with a window keep no more than it.
void allocate_cache(Recorder& r, const StepInput& in, Dtype cache, bool window_cache) {
    const Architecture& a = in.architecture;
    if (a.kind == ArchitectureKind::Encoder || a.kind == ArchitectureKind::Vision) return;  // nothing is read again
    const SymbolValues values = symbol_values(a, in);
    std::int64_t windowed = 0;
    if (window_cache && a.sliding_window > 0)
        windowed = a.layer_pattern.empty() ? a.num_hidden_layers
                                           : std::count(a.layer_pattern.begin(), a.layer_pattern.end(), 'S');
    const bool latent = a.kv_lora_rank > 0;
    const DimId batch = symbol_dim(r, values, Symbol::MicroBatch);
    const auto allocate = [&](std::int64_t layers, Symbol tokens, std::string_view module) {
        if (layers == 0) return Tensor();
        r.module = module;
        const DimId count = r.dim(layers * (latent ? 1 : 2), layers * (latent ? 1 : 2), Monomial{});
        const DimId length = symbol_dim(r, values, tokens);
        if (latent)
            return r.allocate(
                Operator::KvCache,
                Shape{count, batch, length,
                      r.dim(a.kv_lora_rank + a.qk_rope_head_dim, a.kv_lora_rank + a.qk_rope_head_dim, Monomial{})},
                cache);
        return r.allocate(
            Operator::KvCache,
            Shape{count, batch, symbol_dim(r, values, Symbol::KvHeads), length, symbol_dim(r, values, Symbol::HeadDim)},
            cache);
    };
    Tensor full = allocate(a.num_hidden_layers - windowed, Symbol::Sequence, "keys and values");
    Tensor window = allocate(windowed, Symbol::WindowedSequence, "keys and values in the window");
    full.detach_count();  // they stay
    window.detach_count();
}

}  // namespace

Tape record_prefill(const StepInput& in, Dtype cache, bool window_cache) {
    Recorder r(RecorderSettings{});
    TapeBuilder builder(r);
    builder.without_gradients();
    r.grad_enabled = false;
    r.begin_segment(Phase::Load, -1, 1);
    allocate_cache(r, in, cache, window_cache);
    if (has_block_program(in.architecture)) {
        ModelFrame model(r, in);
        model.prefill();
        builder.forward_ended();
        builder.backward_ended();
        r.begin_segment(Phase::Decode, -1, 1);
        Tape tape = builder.finish(symbol_values(in.architecture, in));
        tape.sliding_window = in.architecture.sliding_window;
        return tape;
    }
    builder.forward_ended();
    builder.backward_ended();
    Tape tape = builder.finish(symbol_values(in.architecture, in));
    tape.sliding_window = in.architecture.sliding_window;
    return tape;
}

Tape record_estimate(const StepInput& in, std::int64_t bytes_per_token) {
    Recorder r(RecorderSettings{});
    TapeBuilder builder(r);
    r.begin_segment(Phase::Load, -1, 1);
    r.begin_segment(Phase::Forward, -1, 1);
    const SymbolValues values = symbol_values(in.architecture, in);
    if (bytes_per_token > 0) {
        r.module = "activations";
        const Shape shape{symbol_dim(r, values, Symbol::MicroBatch), symbol_dim(r, values, Symbol::Sequence),
                          r.dim(bytes_per_token, bytes_per_token, Monomial{})};
        Tensor estimate = r.allocate(Operator::Estimate, shape, Dtype::Int8);
        builder.forward_ended();
        r.begin_segment(Phase::Backward, -1, 1);
    }
    builder.backward_ended();
    r.begin_segment(Phase::OptimizerStep, -1, 1);
    r.begin_segment(Phase::Idle, -1, 1);
    return builder.finish(values);
}

}  // namespace memwall
