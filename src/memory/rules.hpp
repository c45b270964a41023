// Rules: why a ledger row exists, once, with its source and how sure it is.
//
// One constexpr row per RuleId (rules.cpp); a static_assert there holds that each row stands at its
// own index, a test that each has a source and is reached by a golden. Shown by the explain panel, the
// CLI's `explain`, the JSON export and the page of every formula.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace memwall {

enum class Confidence : std::uint8_t { Exact, Published, Measured, Assumed };
std::string_view name(Confidence);

enum class RuleId : std::uint8_t {
    Weights,
    FrozenWeights,
    Gradients,
    GradientAccumulationBuffer,
    MasterWeights,
    OptimizerState,
    FactoredState,
    ProjectedState,
    SquareState,
    OptimizerStep,  // the per-tensor step counter
    OptimizerTemporaries,
    LoopTemporaries,
    SavedActivation,
    Recomputed,
    CheckpointedInput,
    AttentionScores,
    DropoutMask,
    Logits,
    LossTemporaries,
    WeightCasts,
    ForwardTemporaries,
    BackwardTemporaries,
    GradientInFlight,
    TiedHeadGradient,
    Adapters,
    QuantizedWeights,
    DequantizedWeights,
    Inputs,
    Buffers,
    KvCache,
    KvCacheEstimate,  // parameter-count-only mode
    InferenceWorkingBuffers,
    GatheredParameters,       // ZeRO-3 / FSDP: layers gathered at one instant
    GradientBuckets,          // data-parallel reduction
    Predictions,              // evaluation
    LoadedWeights,            // loading
    GatheredCheckpoint,       // saving
    StandardRuleActivations,  // parameter-count-only mode
    AllocatorSlack,
    Framework,
    InUseByOthers,
};
inline constexpr int kRules = static_cast<int>(RuleId::InUseByOthers) + 1;

struct RuleRow {
    RuleId id;
    std::string_view key;         // "kv_cache"
    std::string_view title;       // "Key/value cache"
    std::string_view because;     // one sentence
    std::string_view source;      // paper, documentation or measurement
    std::string_view source_url;  // may be empty
    Confidence confidence;
};

std::span<const RuleRow> rules();
const RuleRow& row(RuleId);

}  // namespace memwall
