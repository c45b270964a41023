#include "model/model_program.hpp"

#include <algorithm>
#include <cassert>

#include "base/checked.hpp"
#include "model/autograd.hpp"
#include "model/losses.hpp"
#include "model/model_frame.hpp"
#include "model/optimizer_step.hpp"
#include "model/parameters.hpp"
#include "model/tape_builder.hpp"

namespace memwall {

bool has_block_program(const Architecture& a, LibraryVariant library) { return family_program(a, library) != nullptr; }

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
    set(Symbol::Vocabulary, a.vocab_size);
    set(Symbol::LearnedPositions, a.learned_positions);
    set(Symbol::EmbeddingSize, a.embedding_size);
    const HeadParts head = head_parts(a);
    set(Symbol::HeadDim, head.rotated + head.passed);
    set(Symbol::RotaryHalf, head.rotated / 2);
    set(Symbol::PassHeadDim, head.passed);
    set(Symbol::LoraRank, in.lora_rank);
    set(Symbol::ChunkTokens, chunk_tokens(a, in));
    set(Symbol::Experts, a.num_experts);
    set(Symbol::ExpertsPerToken, a.num_experts_per_tok);
    set(Symbol::ExpertIntermediate, a.moe_intermediate_size);
    set(Symbol::SharedIntermediate, shared_expert_width(a));
    set(Symbol::Labels, a.num_labels);
    set(Symbol::KvRank, a.kv_lora_rank);
    set(Symbol::QueryRank, a.q_lora_rank);
    set(Symbol::RopeHeadDim, a.qk_rope_head_dim);
    set(Symbol::ValueHeadDim, a.v_head_dim);
    set(Symbol::LatentAndRope, a.kv_lora_rank + a.qk_rope_head_dim);
    set(Symbol::NopeAndValue, a.qk_nope_head_dim + a.v_head_dim);
    set(Symbol::QueryKeyValue, 3);
    set(Symbol::GateAndUp, 2);
    set(Symbol::QueryAndCacheHeads, a.num_attention_heads + 2 * a.num_key_value_heads);
    set(Symbol::HeadSharing, a.num_key_value_heads > 0 ? a.num_attention_heads / a.num_key_value_heads : 0);
    set(Symbol::Channels, 3);
    set(Symbol::MelBins, a.encoder_decoder.num_mel_bins);
    set(Symbol::KernelWidth, 3);  // of whisper's convolutions
    set(Symbol::ImageSize, a.image.image_size);
    set(Symbol::PatchSize, a.image.patch_size);
    set(Symbol::PatchesASide, a.image.patch_size > 0 ? a.image.image_size / a.image.patch_size : 0);
    set(Symbol::RelativeBuckets, a.encoder_decoder.relative_buckets);
    set(Symbol::TypeVocabulary, a.encoder.type_vocab_size);
    set(Symbol::Positions, a.max_position_embeddings);
    set(Symbol::BytesPerToken, in.bytes_per_token);
    set(Symbol::WindowedSequence, a.sliding_window > 0 ? std::min(in.tokens, window_reach(a)) : in.tokens);
    return v;
}

namespace {

DimId symbol_dim(Recorder& r, const SymbolValues& values, Symbol s) {
    return r.dim(values[static_cast<std::size_t>(s)], 1, Monomial(s));
}

RecorderSettings settings_of(const Variant& v) {
    RecorderSettings settings;
    settings.autocast = v.autocast;
    settings.autocast_dtype = v.autocast_dtype;
    settings.quantized_compute = v.quantized_compute;
    settings.quantized_keeps_input = v.quantized_keeps_input;
    settings.quantized_from_half = v.quantized_from_half;
    settings.composite_silu = v.composite_silu;
    settings.gradients_into_main = v.gradients == GradientVariant::IntoMain;
    settings.softmax_keeps_input = v.softmax_keeps_input;
    settings.torch_2_6 = v.library == LibraryVariant::Transformers4;
    settings.step_in_backward = v.step_in_backward;
    settings.optimizer = v.optimizer;
    settings.optimizer_temporaries = v.optimizer_temporaries;
    settings.accumulate_in_place = !v.accumulate_out_of_place;
    settings.kept_operators = v.kept_operators;
    settings.every_second_product = v.every_second_product;
    settings.compile = v.compile;
    settings.offload = v.offload;
    return settings;
}

}  // namespace

Tape record_step(const StepInput& in) {
    Recorder r(settings_of(in.variant));
    r.grad_enabled = !in.variant.forward_only;
    r.created = in.created;
    TapeBuilder builder(r);
    r.begin_segment(Phase::Load, -1, 1);
    ModelFrame model(r, in);
    for (r.micro_step = 1; r.micro_step <= in.variant.micro_steps; ++r.micro_step) {
        StepOutputs out = model.forward();
        r.clear_cast_cache(Recorder::Scope::Step);
        builder.forward_ended();
        if (out.loss.requires_grad()) backward(r, out.loss);
        model.give_tower_gradients();
        out.loss.reset();
        if (in.variant.holds_graph && r.micro_step < in.variant.micro_steps) {
            r.begin_segment(Phase::Idle, -1, 1);
            if (in.variant.forgets_gradients) release_gradients(r, model.c.parameters);
            model.held = std::move(out.logits);
        }
        release(r, out.logits);
        builder.backward_ended();
    }
    --r.micro_step;
    builder.optimizer_step(model.c.parameters, in.variant.optimizer);
    Tape tape = builder.finish(symbol_values(in.architecture, in));
    tape.creates_states = !in.created.empty();
    for (const Tensor& p : model.c.parameters) {
        std::int64_t elements = r.at(p).copies;
        for (int i = 0; i < p.shape().rank; ++i)
            elements *= r.size(p.shape()[i]);
        tape.parameters += elements;
    }
    return tape;
}

namespace {

// Layers that keep keys and values: not those of state spaces, convolutions and linear attention, nor those that
// attend to what an earlier layer keeps. `windowed` of them keep no more than the window.
struct CacheLayers {
    std::int64_t full = 0, windowed = 0;
};

CacheLayers cache_layers(const Architecture& a, bool window_cache) {
    constexpr std::string_view kAttends = "FSPA";
    const bool all_windowed = a.layer_pattern.empty() && a.sliding_window > 0;
    CacheLayers out;
    for (std::int64_t layer = 0; layer < a.num_hidden_layers - a.attention.num_kv_shared_layers; ++layer) {
        const char letter = layer_letter(a, layer);
        if (kAttends.find(letter) == std::string_view::npos) continue;
        const bool windowed = window_cache && a.sliding_window > 0 && (all_windowed || letter == 'S');
        ++(windowed ? out.windowed : out.full);
    }
    return out;
}

constexpr std::int64_t kCacheBlock = 32;  // elements of a block of ggml

// A key and a value, or one latent and one rotated key, a token and layer; in an encoder-decoder, of what it has
// written and of what it reads.
void allocate_cache(Recorder& r, const StepInput& in, CacheFormat cache, bool window_cache) {
    const Architecture& a = in.architecture;
    if (a.kind == ArchitectureKind::Encoder || a.kind == ArchitectureKind::Vision) return;  // nothing is read again
    const SymbolValues values = symbol_values(a, in);
    const auto dim = [&](Symbol s) { return symbol_dim(r, values, s); };
    const auto allocate = [&](std::int64_t tensors, const Shape& shape, std::string_view module) {
        if (tensors == 0) return;
        r.module = module;
        Tensor kept = r.allocate(Operator::KvCache, shape, cache.dtype);
        r.events.back().repeated = static_cast<std::int32_t>(tensors - 1);
        kept.detach_count();  // it stays
    };
    const bool blocks = cache.key_block_bytes > 0;
    const auto width = [&](Symbol symbol, std::int64_t elements, std::int64_t block_bytes) {
        const std::int64_t bytes = ceil_div(elements, kCacheBlock) * block_bytes;
        return blocks ? r.dim(bytes, bytes, Monomial{}) : dim(symbol);
    };
    struct Names {
        std::string_view both, keys, values;
    };
    const auto allocate_layers = [&](std::int64_t layers, Symbol length, Names names) {
        const DimId batch = dim(Symbol::MicroBatch), tokens = dim(length);
        const std::int64_t key_bytes = cache.key_block_bytes, value_bytes = cache.value_block_bytes;
        if (a.kv_lora_rank > 0) {
            allocate(layers, Shape{batch, tokens, width(Symbol::KvRank, a.kv_lora_rank, key_bytes)}, "latents");
            allocate(layers, Shape{batch, tokens, width(Symbol::RopeHeadDim, a.qk_rope_head_dim, key_bytes)},
                     "rotated keys");
            return;
        }
        const DimId heads = dim(Symbol::KvHeads);
        const Shape keys{batch, heads, tokens, width(Symbol::HeadDim, a.head_dim, key_bytes)};
        if (key_bytes == value_bytes) return allocate(2 * layers, keys, names.both);
        allocate(layers, keys, names.keys);
        allocate(layers, Shape{batch, heads, tokens, width(Symbol::HeadDim, a.head_dim, value_bytes)}, names.values);
    };
    if (a.kind == ArchitectureKind::EncoderDecoder) {
        const std::int64_t decoders = a.encoder_decoder.num_decoder_layers;
        allocate_layers(decoders, Symbol::Target, {"keys and values", "keys", "values"});
        allocate_layers(decoders, Symbol::Sequence,
                        {"keys and values of the source", "keys of the source", "values of the source"});
        r.module = {};
        return;
    }
    const CacheLayers layers = cache_layers(a, window_cache);
    allocate_layers(layers.full, Symbol::Sequence, {"keys and values", "keys", "values"});
    allocate_layers(layers.windowed, Symbol::WindowedSequence,
                    {"keys and values in the window", "keys in the window", "values in the window"});
    r.module = {};
}

}  // namespace

Tape record_prefill(const StepInput& in, CacheFormat cache, bool window_cache) {
    Recorder r(settings_of(in.variant));
    TapeBuilder builder(r);
    builder.without_gradients();
    r.grad_enabled = false;
    r.begin_segment(Phase::Load, -1, 1);
    allocate_cache(r, in, cache, window_cache);
    if (has_block_program(in.architecture)) {
        ModelFrame model(r, in);
        model.prefill();
        r.clear_cast_cache(Recorder::Scope::Step);
        builder.forward_ended();
        builder.backward_ended();
        r.begin_segment(Phase::Decode, -1, 1);
        Tape tape = builder.finish(symbol_values(in.architecture, in));
        tape.sliding_window = window_reach(in.architecture);
        return tape;
    }
    builder.forward_ended();
    builder.backward_ended();
    Tape tape = builder.finish(symbol_values(in.architecture, in));
    tape.sliding_window = window_reach(in.architecture);
    return tape;
}

namespace {

// Of so many sequences, until an evaluation ends: logits, and what an encoder made.
std::vector<Tensor> predictions(ModelFrame& model, Operator made_by, std::int64_t sequences) {
    Recorder& r = model.c.r;
    std::vector<Tensor> out;
    if (sequences < 1) return out;
    const InModule module(r, kPredictions);
    const DimId samples = r.dim(sequences, sequences, Monomial{});
    const ModelDims& d = model.c.d;
    const Dtype dtype = model.c.v.autocast ? Dtype::Fp32 : model.c.v.weights;
    const bool two_stacks = model.c.a.kind == ArchitectureKind::EncoderDecoder;
    const DimId tokens = two_stacks ? r.dim(model.input.target_tokens, 1, Monomial(Symbol::Target)) : d.tokens;
    out.push_back(r.allocate(made_by, Shape{samples, tokens, d.vocabulary}, dtype));
    if (two_stacks)
        out.push_back(r.allocate(
            made_by, Shape{samples, symbol_dim(r, symbol_values(model.c.a, model.input), Symbol::Sequence), d.hidden},
            dtype));
    return out;
}

}  // namespace

// As transformers' Trainer does (trainer.py, prediction_step; trainer_pt_utils.py, EvalLoopContainer): every batch's
// logits are joined to those before, and what leaves an autocast model is fp32 (accelerate, ConvertOutputsToFp32).
Tape record_evaluation(const StepInput& in) {
    Recorder r(settings_of(in.variant));
    r.grad_enabled = false;
    TapeBuilder builder(r);
    r.begin_segment(Phase::Load, -1, 1);
    ModelFrame model(r, in);
    const std::int64_t samples = in.variant.kept_samples;
    std::vector<Tensor> before = predictions(model, Operator::Data, samples - in.batch);
    StepOutputs out = model.forward();
    r.clear_cast_cache(Recorder::Scope::Step);
    std::vector<Tensor> logits;
    for (const ChunkLogits& chunk : out.logits)
        logits.push_back(in.variant.autocast ? cast(chunk.logits, Dtype::Fp32) : chunk.logits);
    Tensor mean = r.allocate(Operator::Mean, Shape{}, Dtype::Fp32);
    out.loss.reset();
    release(r, out.logits);
    const std::vector<Tensor> all = before.empty() ? before : predictions(model, Operator::Cat, samples);
    if (!before.empty() || samples == 0) logits.clear();
    before.clear();
    mean.reset();
    builder.forward_ended();
    builder.backward_ended();
    r.begin_segment(Phase::Idle, -1, 1);
    return builder.finish(symbol_values(in.architecture, in));
}

Tape record_estimate(const StepInput& in) {
    Recorder r(RecorderSettings{});
    TapeBuilder builder(r);
    const SymbolValues values = symbol_values(in.architecture, in);
    const Shape shape{symbol_dim(r, values, Symbol::MicroBatch), symbol_dim(r, values, Symbol::Sequence),
                      symbol_dim(r, values, Symbol::BytesPerToken)};
    r.begin_segment(Phase::Load, -1, 1);
    if (in.variant.run == RunVariant::Prefill) {
        builder.without_gradients();
        r.module = "keys and values";
        if (in.bytes_per_token > 0) r.allocate(Operator::Estimate, shape, Dtype::Int8).detach_count();
        builder.forward_ended();
        builder.backward_ended();
        return builder.finish(values);
    }
    r.begin_segment(Phase::Forward, -1, 1);
    if (in.bytes_per_token > 0) {
        r.module = "activations";
        const Tensor estimate = r.allocate(Operator::Estimate, shape, Dtype::Int8);
        builder.forward_ended();
        r.begin_segment(Phase::Backward, -1, 1);
    }
    builder.backward_ended();
    r.begin_segment(Phase::OptimizerStep, -1, 1);
    r.begin_segment(Phase::Idle, -1, 1);
    return builder.finish(values);
}

}  // namespace memwall
