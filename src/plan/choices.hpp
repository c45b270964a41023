// Choices: the closed lists of words a scenario is made of.
//
// Every list is that of the records' schema in its order; the enumerator's number is the position in
// the field's `choices` (plan/fields.cpp), so words and numbers cannot drift apart: a static_assert
// there compares the lengths. Append only: positions are what share links of older versions mean.
#pragma once
#include <cstdint>

namespace memwall {

// clang-format off
enum class Task : std::uint8_t {  // task
    Pretrain, Finetune, Inference,
};
enum class MethodName : std::uint8_t {  // method.name
    Full, Freeze, Lora, Qlora, Dora, Adalora, Loha, Lokr, Boft, Oft, Vera, Adapter, AdapterV2,
    AdaptionPrompt, Ia3, LnTuning, Bitfit, Prefix, PromptTuning, Ptuning, TrainableTokens,
    Rslora, LoraFa, Houlsby, Pfeiffer, Lisa, Badam,
};
enum class TargetModule : std::uint8_t {  // method.target_modules and .modules_to_save, bit positions
    QProj, KProj, VProj, OProj, GateProj, UpProj, DownProj, QkvProj, LmHead, EmbedTokens, MlmTransform,
    InputLayernorm, PostAttentionLayernorm, Norm, Router, SharedExpertGate, QAProj, QBProj, KvAProj, KvBProj,
    QNorm, KNorm, PreFeedforwardLayernorm, PostFeedforwardLayernorm, CrossAttentionLayernorm, EmbeddingNorm,
    EmbedPositions, Sinks, Classifier, VisionTower, MultiModalProjector, AllLinear,
    EmbeddingProjection,
};
enum class AdapterDtype : std::uint8_t {  // method.adapter_dtype
    Fp32, Bf16, Fp16,
};
enum class Objective : std::uint8_t {  // method.objective
    Sft, Dpo, Rl,
};
enum class WeightFormat : std::uint8_t {  // precision.weights
    Fp32, Bf16, Fp16, F16, Nf4, Nf4Dq, Fp4, Fp4Dq, Int8, Int8W8a8, Int4, Fp8, Fp8Block128, GptqInt4,
    GptqInt8, AwqInt4, Mxfp4Experts, Exl2, Exl3, GgufMixed, Q2K, Q40, Q4KM, Q5KS, Q5KM, Q6K, Q80, Iq4Xs,
};
enum class ComputeDtype : std::uint8_t {  // precision.compute
    Fp32, Bf16, Fp16, Fp8,
};
enum class FloatDtype : std::uint8_t {  // precision.gradients, .reduce, .unquantized_dtype
    Fp32, Bf16, Fp16,
};
enum class PrecisionRecipe : std::uint8_t {  // precision.recipe: the defaults of the other precision fields
    AmpBf16, AmpFp16, Fp32, Bf16, Fp16, Bf16Master, Bf16MasterFp32Gradients, Bf16MasterBothGradients, Fp16Master,
};
enum class AccumulationDtype : std::uint8_t {  // precision.gradient_accumulation_dtype
    None, Fp32,
};
enum class MasterWeights : std::uint8_t {  // precision.master_weights
    None, Fp32,
};
enum class QuantizedModules : std::uint8_t {  // precision.quantized_modules
    Linear, LinearAndLmHead, Gguf,
};
enum class OptimizerName : std::uint8_t {  // optimizer.name
    AdamW, Adam, Adam8bit, Adamw8bit, AdamwFp8, Adamw4bit, PagedAdamw8bit, PagedAdamw32bit, Sgd,
    SgdMomentum, Adafactor, AdafactorTorch, Lion, Prodigy, Galore, Muon,
    AdamwAmsgrad, Nadam, Radam, Adamax, Adagrad, Rmsprop, Adadelta, SgdMomentum8bit, Lion8bit, PagedLion8bit,
    Rmsprop8bit, Adagrad8bit, Ademamix, Ademamix8bit, Came, Sm3, Tiger, Sophia, Lamb, Lars, Adan, AdamMini, Shampoo,
    Soap, Galore8bit, Fira, Apollo, ApolloMini, Lomo, Adalomo, DadaptAdam, ScheduleFreeSgd, ScheduleFreeAdamw,
    GrokfastAdamw, QGalore, Mezo,
};
enum class StateDtype : std::uint8_t {  // optimizer.state_dtype
    Fp32, Bf16, Fp16, Fp8, Int8, Int4, Fp32Factored, Bf16Factored,
};
enum class OptimizerImplementation : std::uint8_t {  // optimizer.implementation
    Foreach, Fused, ForLoop,
};
enum class AttentionMask : std::uint8_t {  // batch.attention_mask
    None, Full, Padded,
};
enum class Checkpointing : std::uint8_t {  // savers.activation_checkpointing
    None, Full, Selective,
};
enum class SelectivePolicy : std::uint8_t {  // savers.selective_policy
    TorchtitanOp, MegatronCoreAttention, MatmulAndAttention, Attention, Operators,
};
enum class KeptOperator : std::uint8_t {  // savers.kept_operators, bit positions: names of the operator table
    Linear, MatrixProduct, GroupedLinear, FlashAttention, EfficientAttention, Softmax, LayerNorm, Silu, Gelu, Relu,
    Tanh, Sigmoid, Exp, Power, Mean, ReciprocalRoot, Multiply, Divide, Add, Subtract, Negate, Copy, Concatenate,
    Dropout,
};
enum class AttentionKernel : std::uint8_t {  // savers.attention
    Eager, SdpaMath, SdpaEfficient, Flash,
};
enum class LossKind : std::uint8_t {  // savers.loss
    Plain, Fp32Upcast, Fp32UpcastShifted, Chunked, Fused, FusedLinear,
};
enum class PipelineSchedule : std::uint8_t {  // mesh.pp_schedule
    OneForwardOneBackward, InterleavedOneForwardOneBackward, GPipe,
};
enum class Sharding : std::uint8_t {  // mesh.sharding
    Fsdp1, Fsdp2, Deepspeed, MegatronDistopt, Ddp, Tensor, LayerSplit,
};
enum class OffloadTarget : std::uint8_t {  // offload.*
    None, Cpu, Nvme,
};
enum class Loading : std::uint8_t {  // phases.loading
    AsStored, SecondCopy, QuantizeEach, QuantizeWhole, Cast,
};
enum class Saving : std::uint8_t {  // phases.saving
    Divided, Gathered,
};
enum class KvCacheDtype : std::uint8_t {  // serving.kv_cache_dtype
    Fp32, Bf16, Fp16, F16, Int8, Q80, Q40, KIq4NlVF16,
};
enum class SplitMode : std::uint8_t {  // serving.split_mode
    Layer, Row,
};
enum class ImplementationName : std::uint8_t {  // implementation.name
    HfTransformers, Litgpt, Torchtune, Torchtitan, Torchao, Torchvision, Megatron, MsSwift,
    MsSwiftMegatron, Deepspeed, Nanotron, Nanogpt, LlmFoundry, LlamaFactory, Axolotl, Unsloth, Xtuner,
    Trl, Openrlhf, Mlx, SdScripts, Diffusers, Liger, TorchCompile, Vllm, Sglang, Tgi, LlamaCpp,
    IkLlamaCpp, Ollama, Exllama, Ktransformers,
};
// clang-format on

}  // namespace memwall
