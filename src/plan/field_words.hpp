// The words of every Choice and Set field, in the order of their enums.
//
// Words are those of the records' schema ("none" where a record says null). The static_asserts hold
// that no list is shorter or longer than its enum.
#pragma once
#include "base/word_list.hpp"
#include "model/architecture.hpp"
#include "plan/choices.hpp"

namespace memwall {

template <class Enum>
constexpr bool one_word_each(WordList words, Enum last) {
    return words.size() == static_cast<std::size_t>(last) + 1;
}

// clang-format off
inline constexpr WordList kTaskWords = "pretrain|finetune|inference";
static_assert(one_word_each(kTaskWords, Task::Inference));
inline constexpr WordList kTaskLabels = "Pretrain|Finetune|Run (inference)";
static_assert(one_word_each(kTaskLabels, Task::Inference));

inline constexpr WordList kMethodWords =
    "full|freeze|lora|qlora|dora|adalora|loha|lokr|boft|oft|vera|adapter|adapter_v2|adaption_prompt|ia3|"
    "ln_tuning|bitfit|prefix|prompt_tuning|ptuning|trainable_tokens|rslora|lora_fa|houlsby|pfeiffer|lisa|badam";
static_assert(one_word_each(kMethodWords, MethodName::Badam));

inline constexpr WordList kTargetModuleWords =
    "q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj|qkv_proj|lm_head|embed_tokens|mlm_transform|"
    "input_layernorm|post_attention_layernorm|norm|router|shared_expert_gate|q_a_proj|q_b_proj|kv_a_proj_with_mqa|kv_b_proj|"
    "q_norm|k_norm|pre_feedforward_layernorm|post_feedforward_layernorm|cross_attention_layernorm|embedding_norm|"
    "embed_positions|sinks|classifier|vision_tower|multi_modal_projector|all-linear|embedding_projection";
static_assert(one_word_each(kTargetModuleWords, TargetModule::EmbeddingProjection));

inline constexpr WordList kFloatWords = "fp32|bf16|fp16";
static_assert(one_word_each(kFloatWords, FloatDtype::Fp16));
static_assert(one_word_each(kFloatWords, AdapterDtype::Fp16));

inline constexpr WordList kObjectiveWords = "sft|dpo|rl";
static_assert(one_word_each(kObjectiveWords, Objective::Rl));

inline constexpr WordList kWeightWords =
    "fp32|bf16|fp16|f16|nf4|nf4_dq|fp4|fp4_dq|int8|int8_w8a8|int4|fp8|fp8_block128|gptq_int4|gptq_int8|"
    "awq_int4|mxfp4_experts|exl2|exl3|gguf_mixed|q2_k|q4_0|q4_k_m|q5_k_s|q5_k_m|q6_k|q8_0|iq4_xs";
static_assert(one_word_each(kWeightWords, WeightFormat::Iq4Xs));

inline constexpr WordList kComputeWords = "fp32|bf16|fp16|fp8";
static_assert(one_word_each(kComputeWords, ComputeDtype::Fp8));

inline constexpr WordList kRecipeWords =
    "amp_bf16|amp_fp16|fp32|bf16|fp16|bf16_master|bf16_master_fp32_gradients|bf16_master_both_gradients|"
    "fp16_master";
static_assert(one_word_each(kRecipeWords, PrecisionRecipe::Fp16Master));
inline constexpr WordList kRecipeLabels =
    "bf16 autocast over fp32 weights|fp16 autocast over fp32 weights|all fp32|all bf16|all fp16|"
    "bf16 weights and gradients, fp32 master copy|bf16 weights, fp32 gradients and master copy|"
    "bf16 weights, bf16 and fp32 gradients, master copy|fp16 weights and gradients, fp32 master copy";
static_assert(one_word_each(kRecipeLabels, PrecisionRecipe::Fp16Master));

inline constexpr WordList kNoneOrFp32Words = "none|fp32";
static_assert(one_word_each(kNoneOrFp32Words, AccumulationDtype::Fp32));
static_assert(one_word_each(kNoneOrFp32Words, MasterWeights::Fp32));

inline constexpr WordList kQuantizedModuleWords = "linear|linear+lm_head|gguf";
static_assert(one_word_each(kQuantizedModuleWords, QuantizedModules::Gguf));

inline constexpr WordList kOptimizerWords =
    "adamw|adam|adam_8bit|adamw_8bit|adamw_fp8|adamw_4bit|paged_adamw_8bit|paged_adamw_32bit|sgd|sgd_momentum|"
    "adafactor|adafactor_torch|lion|prodigy|galore|muon|adamw_amsgrad|nadam|radam|adamax|adagrad|rmsprop|adadelta|"
    "sgd_momentum_8bit|lion_8bit|paged_lion_8bit|rmsprop_8bit|adagrad_8bit|ademamix|ademamix_8bit|came|sm3|tiger|"
    "sophia|lamb|lars|adan|adam_mini|shampoo|soap|galore_8bit|fira|apollo|apollo_mini|lomo|adalomo|dadapt_adam|"
    "schedule_free_sgd|schedule_free_adamw|grokfast_adamw|q_galore|mezo";
static_assert(one_word_each(kOptimizerWords, OptimizerName::Mezo));

inline constexpr WordList kStateDtypeWords = "fp32|bf16|fp16|fp8|int8|int4|fp32_factored|bf16_factored";
static_assert(one_word_each(kStateDtypeWords, StateDtype::Bf16Factored));

inline constexpr WordList kOptimizerImplementationWords = "foreach|fused|for_loop";
static_assert(one_word_each(kOptimizerImplementationWords, OptimizerImplementation::ForLoop));

inline constexpr WordList kAttentionMaskWords = "none|full|padded";
static_assert(one_word_each(kAttentionMaskWords, AttentionMask::Padded));
inline constexpr WordList kAttentionMaskLabels = "none|given, no padding|given, with padding";
static_assert(one_word_each(kAttentionMaskLabels, AttentionMask::Padded));

inline constexpr WordList kCheckpointingWords = "none|full|selective";
static_assert(one_word_each(kCheckpointingWords, Checkpointing::Selective));
inline constexpr WordList kCheckpointingLabels = "none|every block|selected operators";
static_assert(one_word_each(kCheckpointingLabels, Checkpointing::Selective));

inline constexpr WordList kSelectivePolicyWords =
    "torchtitan_op|megatron_core_attention|matmul_and_attention|attention|operators";
static_assert(one_word_each(kSelectivePolicyWords, SelectivePolicy::Operators));
inline constexpr WordList kSelectivePolicyLabels =
    "half the products and attention|all but attention (Megatron)|all products and attention|attention alone|"
    "those of a list";
static_assert(one_word_each(kSelectivePolicyLabels, SelectivePolicy::Operators));
inline constexpr WordList kKeptOperatorWords =
    "linear|matrix product|grouped linear|flash attention|memory-efficient attention|softmax|layer norm|silu|gelu|relu|"
    "tanh|sigmoid|exp|power|mean|reciprocal root|multiply|divide|add|subtract|negate|copy|concatenate|dropout";
static_assert(one_word_each(kKeptOperatorWords, KeptOperator::Dropout));

inline constexpr WordList kAttentionWords = "eager|sdpa_math|sdpa_efficient|flash";
static_assert(one_word_each(kAttentionWords, AttentionKernel::Flash));
inline constexpr WordList kAttentionLabels = "eager|sdpa: math|sdpa: memory-efficient|flash";
static_assert(one_word_each(kAttentionLabels, AttentionKernel::Flash));

inline constexpr WordList kLossWords = "plain|fp32_upcast|fp32_upcast_shifted|chunked|fused|fused_linear";
static_assert(one_word_each(kLossWords, LossKind::FusedLinear));
inline constexpr WordList kLossLabels =
    "as the logits are|logits in fp32|logits in fp32, shifted copy|in chunks of tokens|one kernel, in place|"
    "fused with the head, no logits";
static_assert(one_word_each(kLossLabels, LossKind::FusedLinear));

inline constexpr WordList kPipelineScheduleWords = "1f1b|interleaved_1f1b|gpipe";
static_assert(one_word_each(kPipelineScheduleWords, PipelineSchedule::GPipe));

inline constexpr WordList kShardingWords = "fsdp1|fsdp2|deepspeed|megatron_distopt|ddp|tensor|layer_split";
static_assert(one_word_each(kShardingWords, Sharding::LayerSplit));

inline constexpr WordList kOffloadWords = "none|cpu|nvme";
static_assert(one_word_each(kOffloadWords, OffloadTarget::Nvme));

inline constexpr WordList kKvCacheWords = "fp32|bf16|fp16|f16|int8|q8_0|q4_0|k_iq4_nl_v_f16";
static_assert(one_word_each(kKvCacheWords, KvCacheDtype::KIq4NlVF16));

inline constexpr WordList kLoadingWords = "as_stored|second_copy|quantize_each|quantize_whole|cast";
static_assert(one_word_each(kLoadingWords, Loading::Cast));
inline constexpr WordList kLoadingLabels =
    "each tensor as it is stored|a second copy beside the model|each matrix in 16 bits, then quantised|"
    "all of it in 16 bits, then quantised|all of it in fp32, then cast";
static_assert(one_word_each(kLoadingLabels, Loading::Cast));
inline constexpr WordList kSavingWords = "divided|gathered";
static_assert(one_word_each(kSavingWords, Saving::Gathered));
inline constexpr WordList kSavingLabels = "each rank its own part|gathered on one rank";
static_assert(one_word_each(kSavingLabels, Saving::Gathered));

inline constexpr WordList kSplitModeWords = "layer|row";
static_assert(one_word_each(kSplitModeWords, SplitMode::Row));

inline constexpr WordList kImplementationWords =
    "hf_transformers|litgpt|torchtune|torchtitan|torchao|torchvision|megatron|ms_swift|ms_swift_megatron|"
    "deepspeed|nanotron|nanogpt|llm_foundry|llama_factory|axolotl|unsloth|xtuner|trl|openrlhf|mlx|sd_scripts|"
    "diffusers|liger|torch_compile|vllm|sglang|tgi|llama_cpp|ik_llama_cpp|ollama|exllama|ktransformers";
static_assert(one_word_each(kImplementationWords, ImplementationName::Ktransformers));

inline constexpr WordList kArchWords =
    "decoder|encoder|t5|bart|whisper|vit|cnn|vision_transformer|unet|diffusion_transformer|other";

inline constexpr WordList kNormWords = "rmsnorm|layernorm|layernorm_nobias|layernorm_nonparam";
static_assert(one_word_each(kNormWords, Norm::LayerNormNonParametric));

inline constexpr WordList kPositionWords = "rope|learned|alibi|relative|none";
static_assert(one_word_each(kPositionWords, Position::None));

inline constexpr WordList kQkNormWords = "none|head|full|head_ln|full_kvfull";
static_assert(one_word_each(kQkNormWords, QkNorm::FullRepeated));

inline constexpr WordList kHiddenActWords = "silu|gelu|gelu_new|gelu_pytorch_tanh|quick_gelu|relu|relu2|xielu|gegelu";
static_assert(one_word_each(kHiddenActWords, ActivationFunction::Gegelu));

inline constexpr WordList kClsHeadWords = "none|linear|dense";
inline constexpr WordList kTaskHeadWords =
    "causal_lm|masked_lm|sequence_classification|seq2seq_lm|image_classification|token_classification|none";
static_assert(one_word_each(kTaskHeadWords, TaskHead::None));
// clang-format on

}  // namespace memwall
