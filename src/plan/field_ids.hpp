// FieldId: one number per settable field, in the order of the field table (plan/fields.hpp).
//
// The order is that of the groups in a scenario. Numbers are internal (keys are what is public), so a
// new field may stand anywhere; a static_assert in fields.cpp holds that row i has id i.
#pragma once
#include <cstdint>

#include "plan/scenario.hpp"

namespace memwall {

// clang-format off
enum class FieldId : std::uint8_t {
    // model
    ModelRef, ModelName, ModelParams,
    // model.config
    ModelType, HiddenSize, IntermediateSize, NumHiddenLayers, NumAttentionHeads, NumKeyValueHeads, HeadDim,
    VocabSize, TieWordEmbeddings, HiddenAct, MaxPositionEmbeddings, SlidingWindow, PartialRotaryFactor,
    EmbeddingSize, NumExperts, NumExpertsPerTok, MoeIntermediateSize, NumSharedExperts,
    SharedExpertIntermediateSize, FirstKDenseReplace, QLoraRank, KvLoraRank, QkNopeHeadDim, QkRopeHeadDim,
    VHeadDim, LayerTypes, NumEncoderLayers, NumDecoderLayers, RelativeAttentionNumBuckets, TypeVocabSize,
    ConfigImageSize, PatchSize, NumLabels, MaxSourcePositions, NumMelBins, AttentionDropout, ResidualDropout,
    EmbeddingDropout, ActivationDropout,
    // model.structure
    Arch, Norm, NormsPerLayer, FinalNorm, MlpGated, QkvBias, OBias, MlpBias, LmHeadBias, QkNorm, Position,
    LearnedPositions, EmbeddingNorm, ParallelResidual, RouterBias, ExpertBias, SharedExpertGate, AttentionSinks,
    ExtraParamsPerLayer, ExtraParams, Pooler, MlmHead, ClsHead, TaskHead,
    // task, method
    Task, MethodName, MethodRank, MethodAlpha, TargetModules, ModulesToSave, AdapterDtype, TrainableParams,
    FirstTrainableLayer, MethodDropout, PromptLength, AdapterStartLayer, Objective,
    // precision, optimizer
    PrecisionRecipe, Weights, Compute, Autocast, MasterWeights, Gradients, GradientAccumulationDtype, Reduce,
    UnquantizedDtype, QuantizedModules, BitsPerWeight, Fp8Linears,
    OptimizerName, StateDtype, OptimizerImplementation, InBackward, OptimizerRank,
    // batch, savers
    MicroBatchSize, SequenceLength, MeanLength, GradientAccumulationSteps, TargetSequenceLength, ImageSize, AttentionMask,
    ActivationCheckpointing, SelectivePolicy, KeptOperators, CheckpointEvery, Attention, Loss, LossChunks, LossChunkTokens, Compile,
    ActivationOffload, CheckpointReentrant, KeepOutputs,
    // mesh, offload
    WorldSize, DpReplicate, DpShard, Tp, SequenceParallel, Pp, PpSchedule, VirtualStages, PpMicrobatches, Cp, Ep,
    ZeroStage, ReshardAfterForward, Sharding, AsyncTp,
    OffloadOptimizer, OffloadParameters, OffloadExperts, OffloadEmbeddings,
    // serving
    ContextTokens, ConcurrentSequences, KvCacheDtype, KvCacheTokens, InputTokens, NewTokens, MaxModelLen,
    MaxNumBatchedTokens, MaxNumSeqs, NUbatch, GpuMemoryUtilization, FlashAttention, SplitMode,
    KvFullContextEveryLayer,
    // phases
    PhaseLoading, EvaluationBatchSize, EvaluationSamples, GenerationTokens, PhaseSaving,
    // implementation, accelerator, overhead
    ImplementationName, ImplementationVersion,
    AcceleratorName, AcceleratorCount, MemoryGb, UsableBytes,
    InUseByOthersBytes, FrameworkBytes, AllocatorSlack, ActivationBytesPerToken,
};
// clang-format on
inline constexpr int kFieldCount = static_cast<int>(FieldId::ActivationBytesPerToken) + 1;
static_assert(kFieldCount <= kMaxFields);

constexpr std::size_t index(FieldId id) { return static_cast<std::size_t>(id); }

}  // namespace memwall
