// Every rule by one number that can be worked out by hand from the source the rule names. The products are our
// arithmetic; `of` says in words what is multiplied.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <vector>

#include "memory/evaluate.hpp"
#include "memory/lower.hpp"
#include "memory/rules.hpp"
#include "plan/defaults.hpp"
#include "scenario_of.hpp"

using namespace memwall;

namespace {

// GPT-2 small: 12 layers, hidden 768 (BERT-base too), 12 heads, vocabulary 50,257; Llama-3.2-1B: 16 layers, hidden
// 2048, 32 heads and 8 KV heads of 64, MLP 8192, vocabulary 128,256; Llama-3.1-8B: 32 layers, hidden 4096, 8 KV heads
// of 128.
constexpr std::int64_t kB = 2, kS = 512, kH = 768, kV = 50257, kHeads = 12, kLayers = 12;
constexpr Setting kGpt2{"model", "openai-community/gpt2"}, k1B{"model", "meta-llama/Llama-3.2-1B"},
    k8B{"model", "meta-llama/Llama-3.1-8B"}, kTrain{"task", "finetune"}, kInfer{"task", "inference"},
    kTwo{"micro-batch-size", "2"}, k512{"seq", "512"}, kEager{"attention", "eager"}, k16{"recipe", "bf16"},
    kFour{"accelerator.count", "4"}, kStage3{"mesh.zero_stage", "3"}, kCard{"gpu", "4090"};

struct RuleGolden {
    RuleId rule;
    std::vector<Setting> settings;
    std::string_view row;
    std::int64_t bytes;
    std::string_view of;
};

const RuleGolden kGoldens[] = {
    {RuleId::Weights, {kGpt2, kTrain}, "weights.embed_tokens", kV* kH * 4, "tokens × hidden × fp32"},
    {RuleId::FrozenWeights,
     {k1B, kTrain, k16, {"method", "lora"}},
     "weights.frozen.q_proj",
     16 * 2048 * 2048 * 2,
     "layers × out × in × bf16"},
    {RuleId::Adapters,
     {k1B, kTrain, k16, {"method", "lora"}, {"rank", "8"}},
     "weights.v_proj.lora_B",
     16 * 8 * 512 * 4,
     "layers × rank × out × fp32"},
    {RuleId::QuantizedWeights,
     {k8B, kInfer, {"precision.weights", "nf4"}},
     "weights.q_proj",
     std::int64_t{32} * 4096 * 4096 * 9 / 16,
     "layers × out × in × (4 bits + fp32 absmax of 64)"},
    {RuleId::DequantizedWeights,
     {k8B, kTrain, {"method", "qlora"}},
     "temporaries.down_proj.dequantise",
     std::int64_t{14336} * 4096 * 2,
     "out × in × bf16"},
    {RuleId::Gradients,
     {kGpt2, kTrain, kTwo, k512},
     "gradients.embed_tokens.cast",
     kV* kH * 4,
     "tokens × hidden × fp32"},
    {RuleId::GradientAccumulationBuffer,
     {kGpt2, kTrain, {"recipe", "bf16_master_both_gradients"}},
     "gradients.fp32_buffer.embed_tokens",
     kV* kH * 4,
     "tokens × hidden × fp32"},
    {RuleId::MasterWeights,
     {kGpt2, kTrain, {"recipe", "bf16_master"}},
     "master_weights.embed_tokens",
     kV* kH * 4,
     "tokens × hidden × fp32"},
    {RuleId::OptimizerState,
     {kGpt2, kTrain},
     "optimizer_state.embed_tokens",
     2 * kV* kH * 4,
     "two moments × tokens × hidden × fp32"},
    {RuleId::FactoredState,
     {kGpt2, kTrain, {"optimizer", "adafactor"}},
     "optimizer_state.position_embedding",
     (1024 + kH) * 4,
     "(rows + columns) × fp32"},
    {RuleId::ProjectedState,
     {k8B, kTrain, {"optimizer", "galore"}, {"optimizer.rank", "64"}},
     "optimizer_state.down_proj",
     std::int64_t{32} * 2 * 64 * 14336 * 4,
     "layers × two moments × rank × longer side × fp32"},
    {RuleId::SquareState,
     {kGpt2, kTrain, {"optimizer", "soap"}},
     "optimizer_state.o_proj_2",
     kLayers * 2 * (kH * kH + kH * kH) * 4,
     "layers × (preconditioner, eigenvectors) × (rows² + columns²) × fp32"},
    {RuleId::LoopTemporaries,
     {kGpt2, kTrain, {"optimizer", "sophia"}},
     "temporaries.step.optimizer_step",
     2 * kV* kH * 4,
     "two of the largest weight, tokens × hidden × fp32"},
    {RuleId::OptimizerStep,
     {kGpt2, kTrain, {"optimizer", "adafactor"}},
     "optimizer_state.rms",
     (4 + 12 * kLayers) * 512,
     "one scalar a tensor in a block of 512 bytes: 4 tensors and 12 a layer"},
    {RuleId::OptimizerTemporaries,
     {kGpt2, kTrain, {"optimizer.implementation", "foreach"}},
     "temporaries.embed_tokens.optimizer_step",
     kV* kH * 4,
     "foreach: one more set, tokens × hidden × fp32"},
    {RuleId::SavedActivation,
     {kGpt2, kTrain, kTwo, k512},
     "activations.c_attn.cast",
     kLayers* kB* kS* kH * 2,
     "layers × tokens × hidden × bf16"},
    {RuleId::CheckpointedInput,
     {kGpt2, kTrain, kTwo, k512, {"activation-checkpointing", "full"}},
     "activations.hidden_states.block_output",
     kLayers* kB* kS* kH * 4,
     "layers × tokens × hidden × fp32"},
    {RuleId::Recomputed,
     {kGpt2, kTrain, kTwo, k512, {"activation-checkpointing", "full"}},
     "activations.c_attn.linear",
     kB* kS * 3 * kH * 2,
     "one layer: tokens × 3 hidden × bf16"},
    {RuleId::AttentionScores,
     {kGpt2, kTrain, kTwo, k512, kEager},
     "activations.attention.softmax",
     kLayers* kB* kHeads* kS* kS * 4,
     "layers × sequences × heads × length² × fp32"},
    {RuleId::DropoutMask,
     {kGpt2, kTrain, kTwo, k512, kEager},
     "activations.attention.dropout_2",
     kLayers* kB* kHeads* kS* kS,
     "layers × sequences × heads × length² × one byte"},
    {RuleId::Logits, {kGpt2, kTrain, kTwo, k512}, "logits.loss.cast", kB* kS* kV * 4, "tokens × vocabulary × fp32"},
    {RuleId::LossTemporaries,
     {kGpt2, kTrain, kTwo, k512},
     "logits.loss.log-softmax_2",
     kB* kS* kV * 4,
     "tokens × vocabulary × fp32"},
    {RuleId::WeightCasts,
     {kGpt2, kTrain, kTwo, k512},
     "weight_casts.c_attn.cast",
     kLayers* kH * 3 * kH * 2,
     "layers × hidden × 3 hidden × bf16"},
    {RuleId::ForwardTemporaries,
     {kGpt2, kTrain, kTwo, k512},
     "temporaries.embed_positions.add",
     kB* kS* kH * 4,
     "tokens × hidden × fp32"},
    {RuleId::BackwardTemporaries,
     {kGpt2, kTrain, kTwo, k512},
     "temporaries.norm.layer_norm",
     kB* kS* kH * 4,
     "tokens × hidden × fp32"},
    {RuleId::GradientInFlight,
     {{"model", "google-bert/bert-base-uncased"}, kTrain, kTwo, k512},
     "temporaries.hidden_states.gradient",
     kB* kS* kH * 4,
     "tokens × hidden × fp32"},
    {RuleId::TiedHeadGradient,
     {kGpt2, kTrain, k16, kTwo, k512},
     "temporaries.lm_head.linear",
     kV* kH * 2,
     "tokens × hidden × bf16, kept until the embedding's own gradient"},
    {RuleId::Inputs, {kGpt2, kTrain, kTwo, k512}, "inputs.input_ids.data", kB* kS * 8, "tokens × int64"},
    {RuleId::Buffers, {k1B, kTrain}, "buffers.rotary", 2 * 512, "two tables of 32 × fp32, in blocks of 512 bytes"},
    {RuleId::KvCache,
     {k8B, kInfer, {"context-tokens", "2048"}},
     "kv_cache.keys_and_values.cache",
     std::int64_t{131'072} * 2048,
     "131,072 bytes a token (Chen, 2022)"},
    {RuleId::KvCacheEstimate,
     {{"model.params", "7e9"}, kInfer, {"context-tokens", "2048"}},
     "kv_cache.keys_and_values.estimate",
     std::int64_t{524'288} * 2048,
     "as Llama-2-7B: 2 × 32 × 32 × 128 × 2 bytes a token"},
    {RuleId::InferenceWorkingBuffers,
     {k8B, kInfer, {"context-tokens", "2048"}},
     "temporaries.embed_tokens.embedding",
     2048 * 4096 * 2,
     "tokens × hidden × bf16"},
    {RuleId::GatheredParameters,
     {k1B, kTrain, kCard, kFour, kStage3},
     "communication.gathered_parameters",
     2 * std::int64_t{60'821'504} * 4,
     "two layers of 60,821,504 parameters × fp32"},
    {RuleId::GradientBuckets,
     {k1B, kTrain, kCard, kFour, kStage3},
     "communication.gradient_bucket",
     std::int64_t{60'821'504} * 4,
     "one layer of 60,821,504 parameters × fp32"},
    {RuleId::Predictions,
     {kGpt2, kTrain, k512, {"phases.evaluation_batch_size", "8"}, {"phases.evaluation_samples", "32"}},
     "logits.predictions.concatenate",
     32 * kS* kV * 4,
     "samples × tokens × vocabulary × fp32"},
    {RuleId::LoadedWeights,
     {k1B, kTrain, k16, {"phases.loading", "second_copy"}},
     "weights.second_copy",
     std::int64_t{1'235'814'400} * 2,
     "parameters × bf16"},
    {RuleId::GatheredCheckpoint,
     {k1B, kTrain, k16, kCard, kFour, kStage3, {"phases.saving", "gathered"}},
     "communication.gathered_checkpoint",
     std::int64_t{1'235'814'400} * 2,
     "parameters × bf16, on one rank"},
    {RuleId::StandardRuleActivations,
     {{"model.params", "7e9"}, kTrain, {"seq", "2048"}},
     "activations.activations.estimate",
     std::int64_t{8'650'752} * 2048,
     "the default of activation_bytes_per_token"},
    {RuleId::AllocatorSlack,
     {{"model.params", "7e9"}, kInfer, {"context-tokens", "1"}, {"overhead.allocator_slack", "0.5"}},
     "allocator_slack",
     (std::int64_t{14'000'000'000} + 524'288) / 2,
     "half of weights and cache"},
    {RuleId::Framework, {k8B, kInfer, {"overhead.framework_bytes", "123456789"}}, "framework", 123'456'789, "as given"},
    {RuleId::InUseByOthers,
     {k8B, kInfer, {"overhead.in_use_by_others_bytes", "1000000000"}},
     "in_use_by_others",
     1'000'000'000,
     "as given"},
};

// The row at the instant of the step at which it is largest, or with what is added to the step.
std::int64_t most_of(const RuleGolden& golden) {
    const Scenario scenario = scenario_of(golden.settings);
    std::int64_t most = 0;
    const auto look = [&](const Ledger& ledger) {
        for (const LedgerRow& row : ledger.rows)
            if (row.rule == golden.rule && row.key() == golden.row) most = std::max(most, row.bytes.value);
    };
    const auto whole = estimate(scenario);
    REQUIRE(whole);
    look(whole->worst().device);
    Notes notes;
    const auto completed = complete(scenario, notes);
    const auto program = lower(*completed, notes);
    REQUIRE(program);
    const Evaluation evaluation = evaluate(*program, sizes_of(*completed));
    for (std::size_t at = 0; at < evaluation.instants.size(); ++at)
        look(*rows_at(*program, evaluation, at));
    return most;
}

}  // namespace

TEST_CASE("every rule gives the number that its source gives", "[golden]") {
    for (const RuleGolden& golden : kGoldens) {
        INFO(row(golden.rule).key << ", " << golden.row << ": " << golden.of);
        CHECK(most_of(golden) == golden.bytes);
    }
    for (const RuleRow& rule : rules()) {
        INFO(rule.key);
        CHECK(std::any_of(std::begin(kGoldens), std::end(kGoldens),
                          [&](const RuleGolden& golden) { return golden.rule == rule.id; }));
    }
}
