// Scenario: one question, as a plain value.
//
// Groups and words are those of the records (model, task, method, precision ... accelerator), plus
// `overhead` for what no framework names. `given` remembers what the user stated; everything else is
// filled by complete() (plan/defaults.hpp) and shown as a default. Fractions are whole numbers of a
// fixed unit (per mille), so that share links and comparisons stay exact.
// The field table (plan/fields.hpp) is the only code that maps keys to these members.
#pragma once
#include <bitset>
#include <cstdint>
#include <string>

#include "model/architecture.hpp"
#include "model/dtype.hpp"
#include "plan/choices.hpp"

namespace memwall {

inline constexpr int kMaxFields = 192;
using FieldSet = std::bitset<kMaxFields>;  // indexed by FieldId

enum class Trust : std::uint8_t;  // catalogue/catalogue.hpp

struct ModelChoice {
    std::string ref;   // catalogue id, or empty for a model described by hand
    std::string name;  // what to call it
    Architecture architecture;
    Trust count_trust{};  // of the number of parameters; completed from the catalogue
};

struct Method {
    MethodName name = MethodName::Full;
    std::int64_t rank = 8;
    std::int64_t alpha_permille = 16'000;
    std::uint64_t target_modules = 0;   // bits of TargetModule
    std::uint64_t modules_to_save = 0;  // bits of TargetModule
    AdapterDtype adapter_dtype = AdapterDtype::Fp32;
    std::int64_t first_trainable_layer = 0;  // freeze: this many leading layers and the embeddings
    std::int64_t dropout_permille = 0;
    std::int64_t prompt_length = 0;
    std::int64_t adapter_start_layer = 0;
    Objective objective = Objective::Sft;
};

struct Precision {
    PrecisionRecipe recipe = PrecisionRecipe::AmpBf16;
    WeightFormat weights = WeightFormat::Fp32;
    ComputeDtype compute = ComputeDtype::Bf16;
    bool autocast = true;  // torch AMP with its weight cache
    MasterWeights master_weights = MasterWeights::None;
    FloatDtype gradients = FloatDtype::Fp32;
    AccumulationDtype gradient_accumulation_dtype = AccumulationDtype::None;  // a second, fp32 copy
    FloatDtype reduce = FloatDtype::Fp32;
    FloatDtype unquantized_dtype = FloatDtype::Bf16;
    QuantizedModules quantized_modules = QuantizedModules::Linear;
    std::int64_t bits_per_weight_permille = 0;
    bool fp8_linears = false;
};

struct Optimizer {
    OptimizerName name = OptimizerName::AdamW;
    StateDtype state_dtype = StateDtype::Fp32;
    OptimizerImplementation implementation = OptimizerImplementation::Foreach;
    bool in_backward = false;
    std::int64_t rank = 128;  // of the projected gradients of galore, fira and apollo
};

struct Batch {
    std::int64_t micro_batch_size = 1;
    std::int64_t sequence_length = 2048;
    std::int64_t mean_length = 0;  // of samples whose batches are padded to their longest; 0: all are as long
    std::int64_t gradient_accumulation_steps = 1;
    std::int64_t target_sequence_length = 0;
    std::int64_t image_size = 0;
    AttentionMask attention_mask = AttentionMask::None;
};

struct Savers {
    Checkpointing activation_checkpointing = Checkpointing::None;
    SelectivePolicy selective_policy = SelectivePolicy::TorchtitanOp;
    std::uint64_t kept_operators = 0;   // bits of KeptOperator, under SelectivePolicy::Operators
    std::int64_t checkpoint_every = 1;  // blocks checkpointed together
    AttentionKernel attention = AttentionKernel::Flash;
    LossKind loss = LossKind::Fp32Upcast;
    std::int64_t loss_chunks = 0;
    std::int64_t loss_chunk_tokens = 0;
    bool compile = false;
    bool activation_offload = false;
    bool checkpoint_reentrant = false;
    bool keep_outputs = false;
};

struct Mesh {  // world_size = dp_replicate * dp_shard * cp * tp * pp
    std::int64_t world_size = 1;
    std::int64_t dp_replicate = 1;
    std::int64_t dp_shard = 1;
    std::int64_t tp = 1;
    bool sequence_parallel = false;
    std::int64_t pp = 1;
    PipelineSchedule pp_schedule = PipelineSchedule::OneForwardOneBackward;
    std::int64_t virtual_stages = 1;
    std::int64_t pp_microbatches = 0;
    std::int64_t cp = 1;
    std::int64_t ep = 1;
    std::int64_t zero_stage = 0;
    bool reshard_after_forward = true;
    Sharding sharding = Sharding::Ddp;
    bool async_tp = false;
};

struct Offload {
    OffloadTarget optimizer = OffloadTarget::None;
    OffloadTarget parameters = OffloadTarget::None;
    OffloadTarget experts = OffloadTarget::None;
    OffloadTarget embeddings = OffloadTarget::None;
};

struct Serving {
    std::int64_t context_tokens = 0;  // tokens in the cache of one sequence
    std::int64_t concurrent_sequences = 1;
    KvCacheDtype kv_cache_dtype = KvCacheDtype::Bf16;
    std::int64_t kv_cache_tokens = 0;  // size of the pool; used instead of context_tokens when given
    std::int64_t input_tokens = 0;
    std::int64_t new_tokens = 0;
    std::int64_t max_model_len = 0;
    std::int64_t max_num_batched_tokens = 0;
    std::int64_t max_num_seqs = 0;
    std::int64_t n_ubatch = 0;
    std::int64_t gpu_memory_utilization_permille = 900;
    bool flash_attention = true;
    SplitMode split_mode = SplitMode::Layer;
    bool kv_full_context_every_layer = false;
};

struct Phases {  // beside the step
    Loading loading = Loading::AsStored;
    std::int64_t evaluation_batch_size = 0;  // 0 = no evaluation
    std::int64_t evaluation_samples = 0;     // whose logits stay on the device
    std::int64_t generation_tokens = 0;      // 0 = no generation
    Saving saving = Saving::Divided;
};

struct Implementation {
    ImplementationName name = ImplementationName::HfTransformers;
    std::string version;
};

struct Accelerator {
    std::string name;  // catalogue name, or empty for a card described by memory_gb / usable_bytes
    std::int64_t count = 1;
    std::int64_t memory_gb_permille = 0;  // as sold
    std::int64_t usable_bytes = 0;        // as the driver reports it; 0 = by the catalogue or the rule
    Trust usable_trust{};                 // completed from the catalogue
};

struct Overhead {
    std::int64_t in_use_by_others_bytes = 0;
    std::int64_t framework_bytes = 0;             // context and libraries
    std::int64_t allocator_slack_permille = 0;    // of the allocated peak
    std::int64_t activation_bytes_per_token = 0;  // parameter-count-only mode
};

struct Scenario {
    ModelChoice model;
    Task task = Task::Finetune;
    Method method;
    Precision precision;
    Optimizer optimizer;
    Batch batch;
    Savers savers;
    Mesh mesh;
    Offload offload;
    Serving serving;
    Phases phases;
    Implementation implementation;
    Accelerator accelerator;
    Overhead overhead;
    FieldSet given;
};

}  // namespace memwall
