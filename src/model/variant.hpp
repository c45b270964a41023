// Variant: everything discrete that decides which operators a step runs, apart from the architecture.
//
// memory/lower.cpp makes it from a scenario. Enumerators are those of the model layer: what the real code
// branches on, after kernels and defaults have been resolved.
#pragma once
#include <cstdint>

#include "model/adapters.hpp"
#include "model/dtype.hpp"

namespace memwall {

enum class AttentionVariant : std::uint8_t { Eager, Math, Efficient, Flash };
enum class MaskVariant : std::uint8_t { None, Full, Padded };
enum class LossVariant : std::uint8_t { Plain, Upcast, UpcastShifted, Chunked, Fused, FusedLinear };
constexpr bool is_chunked(LossVariant v) { return v == LossVariant::Chunked || v == LossVariant::FusedLinear; }
enum class RecomputeVariant : std::uint8_t { None, Full, FullReentrant };
enum class TrainVariant : std::uint8_t { Full, Freeze, Adapters, Biases, Norms };
enum class OptimizerVariant : std::uint8_t {
    Fused,
    Foreach,
    ForLoop,
    Sgd,
    AdafactorTorch,         // torch.optim, one tensor at a time
    AdafactorTransformers,  // transformers.optimization, in fp32
    OfTheLargest,           // one tensor at a time, so many temporaries of its size
};
enum class LibraryVariant : std::uint8_t { Transformers5, Transformers4, Litgpt, Torchtune };
enum class CompileVariant : std::uint8_t { None, Blocks, Model };  // what torch.compile makes one graph of each
enum class GradientVariant : std::uint8_t {
    Keep,      // gradients stay in the type of their weights
    IntoMain,  // added into a resident fp32 buffer as soon as they exist
};
inline constexpr std::uint64_t kAllRoles = ~std::uint64_t{0};
enum class RunVariant : std::uint8_t { Train, Prefill };

// The linears that carry adapters.
enum class Projection : std::uint8_t {
    Query,
    Key,
    Value,
    Output,
    Gate,
    Up,
    Down,
    Qkv,
    MlmTransform,
    Head,
    Other,
    QueryDown,
    QueryUp,
    KvDown,
    KvUp,
    Router,
    ExpertsUp,
    ExpertsDown,
    SharedExpertGate,
    Embedding,
    Classifier,
};

// What the optimizer creates for a weight of this shape as soon as it meets it: tensors of its state, one alike the
// other.
struct CreatedState {
    std::int64_t elements = 0, rows = 0, columns = 0;  // of the weight: without its last, without its last but one
    Dtype weight{};                                    // dimension; a vector has none. No elements: any weight
    Dtype dtype{};
    std::int64_t length = 0, tensors = 1;
};

struct Variant {
    RunVariant run = RunVariant::Train;
    Dtype weights = Dtype::Fp32;
    bool autocast = false;
    Dtype autocast_dtype = Dtype::Bf16;
    AttentionVariant attention = AttentionVariant::Flash;
    MaskVariant mask = MaskVariant::None;
    LossVariant loss = LossVariant::Upcast;
    std::int64_t loss_chunks = 0, loss_chunk_tokens = 0;  // of a chunked loss: one of the two
    bool keep_outputs = false;
    CompileVariant compile = CompileVariant::None;
    bool offload = false;  // what the model keeps for backward waits in the host's memory, but for the head's
    RecomputeVariant recompute = RecomputeVariant::None;
    std::int64_t segment_layers = 1;  // blocks that are checkpointed together
    // Operators whose results a checkpointed block keeps (torch: create_selective_checkpoint_contexts), as bits.
    std::uint64_t kept_operators = 0;
    bool every_second_product = false;
    TrainVariant train = TrainVariant::Full;
    std::int64_t first_trainable_layer = 0, trainable_layers = 0;  // 0: all from the first one on
    bool trains_outside = false;                                   // what stands beside the layers too
    bool forward_only = false;
    std::int64_t kept_samples = 0;            // of an evaluation
    std::uint64_t trained_roles = kAllRoles;  // bits of Role: where modules are frozen by name, and beside adapters
    AdapterVariant adapter = AdapterVariant::None;
    std::uint32_t adapter_projections = 0;  // bits of Projection
    std::int64_t adapter_dropout_permille = 0;
    bool scales_in_fp32 = false;  // RMS norms, before they are cast back: litgpt until February 2024
    std::int64_t prompt_length = 0, prompt_from_layer = 0;
    Dtype adapter_dtype = Dtype::Fp32;
    // How the matrices of `quantized_projections` are stored, and in which type their products are computed.
    Dtype quantized = Dtype::Nf4;
    std::uint32_t quantized_projections = 0;  // bits of Projection
    Dtype quantized_compute = Dtype::Bf16;
    bool quantized_keeps_input = false;  // bitsandbytes before 0.43.2
    bool quantized_from_half = false;    // so that a matrix turned back is fp16 first
    OptimizerVariant optimizer = OptimizerVariant::Foreach;
    std::int64_t optimizer_temporaries = 1;  // of its step, for each weight or for the largest
    bool step_in_backward = false;
    GradientVariant gradients = GradientVariant::Keep;
    LibraryVariant library = LibraryVariant::Transformers5;
    bool softmax_keeps_input = false;  // torch before 1.11
    bool holds_graph = false;          // the loop's logits live until the next ones: so does what functions keep aside
    bool forgets_gradients = false;    // between two steps that are recorded for its sake
    std::int64_t micro_steps = 1;      // 1, or 2: the second one with resident gradients
    bool composite_silu = false;       // the two artifacts of the instrument (memory/program.hpp)
    bool accumulate_out_of_place = false;
    // Embeddings too, and what stands beside them: unless those are named that train.
    bool freezes_embeddings() const {
        return train == TrainVariant::Freeze && trained_roles == kAllRoles && !trains_outside;
    }
    friend bool operator==(const Variant&, const Variant&) = default;
};

}  // namespace memwall
