#include "memory/tensor_kinds.hpp"

#include <array>

namespace memwall {

namespace {

// clang-format off
constexpr std::array kKinds = {
    TensorKindRow{TensorKind::Input, Category::Inputs, RuleId::Inputs, "load", "end"},
    TensorKindRow{TensorKind::SavedActivation, Category::Activations, RuleId::SavedActivation, "forward", "backward"},
    TensorKindRow{TensorKind::CheckpointedInput, Category::Activations, RuleId::CheckpointedInput, "forward", "backward"},
    TensorKindRow{TensorKind::Recomputed, Category::Activations, RuleId::Recomputed, "backward", "backward"},
    TensorKindRow{TensorKind::Scores, Category::Activations, RuleId::AttentionScores, "forward", "backward"},
    TensorKindRow{TensorKind::DropoutMask, Category::Activations, RuleId::DropoutMask, "forward", "backward"},
    TensorKindRow{TensorKind::Logits, Category::Logits, RuleId::Logits, "head and loss", "head backward"},
    TensorKindRow{TensorKind::LossTemporary, Category::Logits, RuleId::LossTemporaries, "head backward", "head backward"},
    TensorKindRow{TensorKind::WeightCast, Category::WeightCasts, RuleId::WeightCasts, "forward", "backward"},
    TensorKindRow{TensorKind::ForwardTemporary, Category::Temporaries, RuleId::ForwardTemporaries, "forward", "forward"},
    TensorKindRow{TensorKind::BackwardTemporary, Category::Temporaries, RuleId::BackwardTemporaries, "backward", "backward"},
    TensorKindRow{TensorKind::GradientInFlight, Category::Temporaries, RuleId::GradientInFlight, "backward", "backward"},
    TensorKindRow{TensorKind::Gradient, Category::Gradients, RuleId::Gradients, "backward", "optimizer step"},
    TensorKindRow{TensorKind::TiedHeadGradient, Category::Temporaries, RuleId::TiedHeadGradient, "head backward", "embedding backward"},
    TensorKindRow{TensorKind::OptimizerState, Category::OptimizerState, RuleId::OptimizerState, "optimizer step", "end"},
    TensorKindRow{TensorKind::OptimizerTemporary, Category::Temporaries, RuleId::OptimizerTemporaries, "optimizer step", "optimizer step"},
    TensorKindRow{TensorKind::GatheredParameters, Category::Communication, RuleId::GatheredParameters, "forward", "backward"},
    TensorKindRow{TensorKind::GradientBucket, Category::Communication, RuleId::GradientBuckets, "backward", "backward"},
    TensorKindRow{TensorKind::KvCache, Category::KvCache, RuleId::KvCache, "prefill", "end"},
    TensorKindRow{TensorKind::Buffer, Category::Buffers, RuleId::Buffers, "embedding", "backward"},
    TensorKindRow{TensorKind::WorkingBuffer, Category::Temporaries, RuleId::InferenceWorkingBuffers, "prefill", "prefill"},
    TensorKindRow{TensorKind::ActivationEstimate, Category::Activations, RuleId::StandardRuleActivations, "forward", "backward"},
    TensorKindRow{TensorKind::CacheEstimate, Category::KvCache, RuleId::KvCacheEstimate, "prefill", "end"},
    TensorKindRow{TensorKind::LoopTemporary, Category::Temporaries, RuleId::LoopTemporaries, "optimizer step", "optimizer step"},
    TensorKindRow{TensorKind::DequantizedWeight, Category::Temporaries, RuleId::DequantizedWeights, "forward", "backward"},
    TensorKindRow{TensorKind::Predictions, Category::Logits, RuleId::Predictions, "evaluation", "evaluation"},
};
// clang-format on

constexpr bool in_order() {
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        if (static_cast<std::size_t>(kKinds[i].id) != i) return false;
    return true;
}
static_assert(in_order() && kKinds.size() == static_cast<std::size_t>(TensorKind::Predictions) + 1);

}  // namespace

const TensorKindRow& row(TensorKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

}  // namespace memwall
