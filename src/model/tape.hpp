// Tape: one training step (or one forward pass) as the list of its allocations and releases.
//
// Recorded once for everything discrete (model/recorder.hpp), replayed with numbers (memory/evaluate.hpp).
// Inside a run of equal layers memory is linear in the layer index and only the first layer differs, so a
// run is recorded as [first, rest] and `rest` stands for `copies` layers: Segment::copies. An event outside
// its run counts for every copy of it: TapeEvent::tensors.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/size.hpp"

namespace memwall {

// What a storage is, decided when its whole life is known.
enum class TensorKind : std::uint8_t {
    Input,            // ids, labels, masks given by the data loader
    SavedActivation,  // alive at the end of forward, kept for backward
    CheckpointedInput,
    Recomputed,  // made a second time in backward by activation checkpointing
    Scores,      // a tensor of sequence × sequence
    DropoutMask,
    Logits,         // a tensor of tokens × vocabulary
    LossTemporary,  // the same, in the backward of the loss
    WeightCast,     // low-precision copy of a weight
    ForwardTemporary,
    BackwardTemporary,
    GradientInFlight,  // gradient of an activation
    Gradient,          // of a parameter, until zero_grad
    TiedHeadGradient,  // waits in the buffer of the shared weight
    OptimizerState,
    OptimizerTemporary,
    GatheredParameters,
    GradientBucket,
    KvCache,
    Buffer,         // rotary tables, position ids, masks shared by all layers
    WorkingBuffer,  // forward without gradients (inference)
    ActivationEstimate,
    CacheEstimate,
    LoopTemporary,      // of an optimizer that goes tensor by tensor
    DequantizedWeight,  // of one product
    Predictions,        // logits that stay through an evaluation
};

// Where in the step (the words of memory/evaluate.hpp follow these).
enum class Phase : std::uint8_t {
    Load,
    Embedding,
    Forward,
    HeadAndLoss,
    HeadBackward,
    Backward,
    EmbeddingBackward,
    GradientSum,
    OptimizerStep,
    Idle,
    Prefill,
    Decode,
};

struct TapeRole {
    TensorKind kind{};
    std::string_view module;         // "gate_proj", "input_layernorm", "loss"
    std::string_view operator_name;  // "linear", "cast", "softmax"
    friend bool operator==(const TapeRole&, const TapeRole&) = default;
};

// One kind of tensor: a future row of the ledger.
struct TapeRow {
    std::int16_t size = 0;  // index into Tape::sizes
    std::int16_t role = 0;  // index into Tape::roles
};

struct TapeEvent {
    std::int16_t row = 0;      // index into Tape::rows
    std::int32_t tensors = 0;  // > 0: so many are allocated; < 0: released
};

struct TapeSegment {
    Phase phase{};
    std::int32_t step = 1;                    // 1 = first step, 2 = steady step
    std::int32_t micro_step = 1;              // under gradient accumulation
    std::int32_t layer = -1;                  // index of the first layer it stands for, or -1
    std::int32_t copies = 1;                  // layers it stands for
    std::int32_t begin = 0, end = 0;          // in Tape::events
    std::int32_t net_begin = 0, net_end = 0;  // in Tape::nets
};

struct Tape {
    std::vector<Size> sizes;
    std::vector<std::int64_t> fixed;  // of each size: the factor that no batch and no sequence length changes
    std::vector<TapeRole> roles;
    std::vector<TapeRow> rows;  // by role, then by size
    std::vector<TapeEvent> events;
    std::vector<TapeEvent> nets;  // what each segment leaves, by row: most of what it allocates it releases
    std::vector<TapeSegment> segments;
    SymbolValues symbols{};           // the numbers it was recorded with
    std::int64_t parameters = 0;      // of the model, as its program makes them
    bool creates_states = false;      // in the first step; later they stay, and what is on the tape is not
    std::int64_t sliding_window = 0;  // the longest attention of windowed layers; 0 = none
};

}  // namespace memwall
