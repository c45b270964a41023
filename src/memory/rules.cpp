#include "memory/rules.hpp"

#include <array>

#include "base/packed_rows.hpp"

namespace memwall {

namespace {

using enum RuleId;

// clang-format off
constexpr std::string_view kChen = "Chen, Transformer Inference Arithmetic (2022)";
constexpr std::string_view kChenUrl = "https://kipp.ly/transformer-inference-arithmetic/";
constexpr std::string_view kAnthony = "Anthony, Biderman, Schoelkopf, Transformer Math 101 (EleutherAI, 2023)";
constexpr std::string_view kAnthonyUrl = "https://blog.eleuther.ai/transformer-math/";
constexpr std::string_view kZero = "Rajbhandari, Rasley, Ruwase, He, ZeRO: Memory Optimizations Toward Training Trillion Parameter Models (2020)";
constexpr std::string_view kZeroUrl = "https://arxiv.org/abs/1910.02054";
constexpr std::string_view kMixed = "Micikevicius et al., Mixed Precision Training (2018)";
constexpr std::string_view kMixedUrl = "https://arxiv.org/abs/1710.03740";
constexpr std::string_view kSublinear = "Chen, Xu, Zhang, Guestrin, Training Deep Nets with Sublinear Memory Cost (2016)";
constexpr std::string_view kSublinearUrl = "https://arxiv.org/abs/1604.06174";
constexpr std::string_view kAutograd = "PyTorch, derivatives.yaml and autograd engine; held against PyTorch's own accounting of real model code";
constexpr std::string_view kAutogradUrl = "https://docs.pytorch.org/docs/stable/notes/autograd.html";
constexpr std::string_view kCudaNotes = "PyTorch documentation, CUDA semantics: memory management";
constexpr std::string_view kCudaNotesUrl = "https://docs.pytorch.org/docs/stable/notes/cuda.html";

constexpr std::array kRuleTable = {
    RuleRow{Weights, "weights", "Weights", "Every parameter is stored once, in the type it is loaded in.", kAnthony, kAnthonyUrl, Confidence::Exact},
    RuleRow{FrozenWeights, "frozen_weights", "Frozen weights", "Parameters that are not trained are stored, but have neither gradients nor optimizer state.", "Hu et al., LoRA: Low-Rank Adaptation of Large Language Models (2021)", "https://arxiv.org/abs/2106.09685", Confidence::Exact},
    RuleRow{Gradients, "gradients", "Gradients", "Each trained parameter has a gradient of its own size from its backward to the end of the step.", kZero, kZeroUrl, Confidence::Exact},
    RuleRow{GradientAccumulationBuffer, "gradient_accumulation_buffer", "fp32 gradient buffer", "Gradients are summed in fp32 in a buffer that stays for the whole run.", kMixed, kMixedUrl, Confidence::Published},
    RuleRow{MasterWeights, "master_weights", "Master weights", "The optimizer updates an fp32 copy of 16-bit weights, because small updates would be rounded away.", kMixed, kMixedUrl, Confidence::Published},
    RuleRow{OptimizerState, "optimizer_state", "Optimizer state", "Adam keeps a running mean of each gradient and of its square; the first step creates them.", "Kingma, Ba, Adam: A Method for Stochastic Optimization (2015); Loshchilov, Hutter, Decoupled Weight Decay Regularization (2019)", "https://arxiv.org/abs/1711.05101", Confidence::Exact},
    RuleRow{FactoredState, "factored_state", "Factored optimizer state", "Adafactor keeps one number a row and one a column of each matrix instead of one an element.", "Shazeer, Stern, Adafactor: Adaptive Learning Rates with Sublinear Memory Cost (2018)", "https://arxiv.org/abs/1804.04235", Confidence::Exact},
    RuleRow{ProjectedState, "projected_state", "Optimizer state in low rank", "Gradients of a layer's matrices are projected to a low rank; the states have that rank and the longer side, the projector the shorter side. Projectors that are drawn again from a seed take no memory.", "Zhao et al., GaLore (2024); Zhu et al., APOLLO (2024)", "https://arxiv.org/abs/2403.03507", Confidence::Published},
    RuleRow{SquareState, "square_state", "Preconditioners", "For each side of a matrix that is not longer than 10,000 a square matrix of statistics and one of its roots or its eigenvectors.", "Gupta et al., Shampoo (2018); Vyas et al., SOAP (2024)", "https://arxiv.org/abs/2409.11321", Confidence::Published},
    RuleRow{OptimizerStep, "optimizer_step_counter", "Step counters", "Fused optimizers keep one fp32 step number a tensor on the device.", "PyTorch, torch.optim.AdamW(fused=True)", "https://docs.pytorch.org/docs/stable/generated/torch.optim.AdamW.html", Confidence::Exact},
    RuleRow{OptimizerTemporaries, "optimizer_temporaries", "Optimizer temporaries", "The step needs working copies: one of all second moments at once (foreach), or those of one tensor at a time (for-loop); a fused step needs none.", "PyTorch, torch.optim implementation choices; held against PyTorch's own accounting", "https://docs.pytorch.org/docs/stable/optim.html", Confidence::Exact},
    RuleRow{LoopTemporaries, "loop_temporaries", "Working tensors of the optimizer", "An optimizer that goes tensor by tensor holds a few working tensors of the largest weight: so many as its published step made under PyTorch's accounting, or as its formula names.", "kozistr, pytorch_optimizer; the papers of the optimizers", "https://github.com/kozistr/pytorch_optimizer", Confidence::Published},
    RuleRow{SavedActivation, "saved_activation", "Saved activations", "An operator's gradient needs its input or result, so autograd keeps it from forward until that operator's backward.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{Recomputed, "recomputed", "Recomputed activations", "Under checkpointing a block runs again in backward, and what it keeps exists for that block alone.", kSublinear, kSublinearUrl, Confidence::Exact},
    RuleRow{CheckpointedInput, "checkpointed_input", "Checkpointed inputs", "A checkpointed block keeps its input alone, and runs again in backward.", kSublinear, kSublinearUrl, Confidence::Exact},
    RuleRow{AttentionScores, "attention_scores", "Attention scores", "Without a fused kernel every head keeps a matrix of sequence × sequence; fused kernels keep one number a row.", "Dao, Fu, Ermon, Rudra, Ré, FlashAttention (2022); Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models (2022)", "https://arxiv.org/abs/2205.14135", Confidence::Exact},
    RuleRow{DropoutMask, "dropout_mask", "Dropout masks", "Dropout keeps which elements it dropped, one byte each.", "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models (2022)", "https://arxiv.org/abs/2205.05198", Confidence::Exact},
    RuleRow{Logits, "logits", "Logits", "The head gives one number for every token and every word of the vocabulary; the loss keeps log-probabilities in fp32.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{LossTemporaries, "loss_temporaries", "Gradients of the logits", "The backward of cross entropy holds log-probabilities and two gradients of their size at once.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{WeightCasts, "weight_casts", "16-bit copies of weights", "Autocast converts each fp32 weight once a forward pass; the copy stays in its cache to the end of forward, and for a matrix product until its backward.", "PyTorch documentation, torch.amp; held against PyTorch's own accounting", "https://docs.pytorch.org/docs/stable/amp.html", Confidence::Exact},
    RuleRow{ForwardTemporaries, "forward_temporaries", "Working tensors of forward", "Tensors that the model code still holds, or that an operator is reading, at this moment.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{BackwardTemporaries, "backward_temporaries", "Working tensors of backward", "Gradients of activations and what their formulas compute on the way, at this moment.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{GradientInFlight, "gradient_in_flight", "Gradient in flight", "The gradient of an activation, from the operator that made it to the one that needs it.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{TiedHeadGradient, "tied_head_gradient", "Gradient of the shared embedding", "A tied embedding gets two gradients, from the head and from the lookup; the first waits through the whole backward, and both exist when they are added.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{Adapters, "adapters", "Adapter weights", "Low-rank adapters add two small matrices to each chosen projection.", "Hu et al., LoRA: Low-Rank Adaptation of Large Language Models (2021)", "https://arxiv.org/abs/2106.09685", Confidence::Exact},
    RuleRow{QuantizedWeights, "quantized_weights", "Quantised weights", "Blocks of few-bit numbers with their scales, rounded up to whole blocks.", "Dettmers et al., QLoRA: Efficient Finetuning of Quantized LLMs (2023); llama.cpp, quantisation formats", "https://arxiv.org/abs/2305.14314", Confidence::Published},
    RuleRow{DequantizedWeights, "dequantized_weights", "Weight of one product in 16 bits", "A matrix of few bits is turned back for each product, in forward and again in backward; the copy, and with double quantisation the scales of its blocks, exist while the product runs.", "bitsandbytes, autograd/_functions.py (MatMul4Bit, MatMul8bitLt); held against the ledger with these functions written in", "https://github.com/bitsandbytes-foundation/bitsandbytes", Confidence::Published},
    RuleRow{Inputs, "inputs", "Inputs", "Token ids, labels and masks are 64-bit integers.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{Buffers, "buffers", "Buffers", "Tables shared by all blocks: rotary angles, position ids, masks.", kAutograd, kAutogradUrl, Confidence::Exact},
    RuleRow{KvCache, "kv_cache", "Key/value cache", "Each layer keeps one key and one value vector per key/value head and token.", kChen, kChenUrl, Confidence::Exact},
    RuleRow{KvCacheEstimate, "kv_cache_estimate", "Key/value cache (estimate)", "Only the number of parameters is known: the cache is a rule of thumb per token that you can edit, one key and one value as wide as the hidden state in every layer.", kChen, kChenUrl, Confidence::Assumed},
    RuleRow{InferenceWorkingBuffers, "inference_working_buffers", "Working tensors of prefill", "A forward pass without gradients holds the tensors of one block at a time, and the logits of the last token.", kChen, kChenUrl, Confidence::Assumed},
    RuleRow{GatheredParameters, "gathered_parameters", "Gathered layers", "With divided weights a layer is gathered whole while it runs, and the next one is fetched meanwhile.", "Rajbhandari et al., ZeRO (2020); Zhao et al., PyTorch FSDP (2023)", "https://arxiv.org/abs/2304.11277", Confidence::Assumed},
    RuleRow{GradientBuckets, "gradient_buckets", "Gradient buckets", "Gradients are reduced across ranks in buckets, which exist beside them.", "Li et al., PyTorch Distributed (2020); DeepSpeed documentation, reduce_bucket_size", "https://arxiv.org/abs/2006.15704", Confidence::Assumed},
    RuleRow{Predictions, "predictions", "Kept predictions", "An evaluation keeps the logits of every sequence until its metrics are computed; each batch's are joined to those before, and while they are both exist.", "transformers, trainer_pt_utils.py (EvalLoopContainer, nested_concat)", "https://github.com/huggingface/transformers", Confidence::Published},
    RuleRow{LoadedWeights, "loaded_weights", "Weights while loading", "What a checkpoint holds exists beside what becomes of it: a second copy, a matrix before it is quantised, a tensor before it is cast.", "PyTorch documentation, torch.load and Module.to; bitsandbytes, nn/modules.py (Params4bit)", "https://docs.pytorch.org/docs/stable/generated/torch.load.html", Confidence::Assumed},
    RuleRow{GatheredCheckpoint, "gathered_checkpoint", "Gathered checkpoint", "Divided weights are gathered whole on one rank before it writes them, beside its own part.", "PyTorch documentation, StateDictType.FULL_STATE_DICT; DeepSpeed documentation, stage3_gather_16bit_weights_on_model_save", "https://docs.pytorch.org/docs/stable/fsdp.html", Confidence::Assumed},
    RuleRow{StandardRuleActivations, "standard_rule_activations", "Activations (estimate)", "Only the number of parameters is known: activations are a rule of thumb per token that you can edit.", kAnthony, kAnthonyUrl, Confidence::Assumed},
    RuleRow{AllocatorSlack, "allocator_slack", "Allocator slack", "The caching allocator hands out blocks of segments it has reserved; what lies between them is not usable.", kCudaNotes, kCudaNotesUrl, Confidence::Measured},
    RuleRow{Framework, "framework", "Context and libraries", "The CUDA context, kernels and the workspaces of cuBLAS and cuDNN occupy the device before the first tensor.", kCudaNotes, kCudaNotesUrl, Confidence::Assumed},
    RuleRow{InUseByOthers, "in_use_by_others", "In use by others", "Memory that other programs hold, a desktop for instance.", "as entered", "", Confidence::Exact},
};
// clang-format on

constexpr bool in_order() {
    for (std::size_t i = 0; i < kRuleTable.size(); ++i)
        if (static_cast<std::size_t>(kRuleTable[i].id) != i) return false;
    return true;
}
static_assert(in_order() && kRuleTable.size() == kRules);

}  // namespace

std::span<const RuleRow> rules() {
    using Row = RuleRow;
    return packed_rows<kRuleTable, &Row::key, &Row::title>(LateTexts<&Row::because, &Row::source, &Row::source_url>{});
}
const RuleRow& row(RuleId id) { return rules()[static_cast<std::size_t>(id)]; }

std::string_view name(Confidence c) {
    switch (c) {
        case Confidence::Exact:
            return "exact";
        case Confidence::Published:
            return "published";
        case Confidence::Measured:
            return "measured";
        case Confidence::Assumed:
            return "assumed";
    }
    return "";
}

}  // namespace memwall
