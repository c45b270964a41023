// Model program: one training step of a model, recorded from the embedding to the optimizer.
//
// Every distinct block is run once: a run of equal layers as [first, rest], where `rest` stands for all others.
// Micro-step 1 starts without gradients, micro-step 2 (under accumulation) with all of them resident; later ones
// are equal to it. Source: the model code of Hugging Face transformers and torch.optim.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "model/architecture.hpp"
#include "model/tape.hpp"
#include "model/variant.hpp"

namespace memwall {

struct StepInput {
    const Architecture& architecture;
    Variant variant;
    std::int64_t batch = 1;
    std::int64_t tokens = 1;
    std::int64_t target_tokens = 0;
    std::int64_t lora_rank = 0;
    std::int64_t bytes_per_token = 0;  // of record_estimate()
    // Where the first step creates states one weight after the other; otherwise they are no part of the tape.
    std::span<const CreatedState> created{};
};

// Whether blocks of this architecture can be run.
bool has_block_program(const Architecture&, LibraryVariant = LibraryVariant::Transformers5);
// Model code that has no other attention function.
bool only_eager_attention(const Architecture&);

Tape record_step(const StepInput&);

// How keys and values are stored: numbers of a format, or blocks of 32 elements with their scales.
struct CacheFormat {
    Dtype dtype = Dtype::Bf16;
    std::int64_t key_block_bytes = 0, value_block_bytes = 0;  // 0: no blocks
    friend bool operator==(const CacheFormat&, const CacheFormat&) = default;
};

// Inference: the cache of `tokens` tokens for `batch` sequences, and the forward pass that fills it.
Tape record_prefill(const StepInput&, CacheFormat, bool window_cache);

// A batch without gradients, and the logits of Variant::kept_samples sequences that stay.
Tape record_evaluation(const StepInput&);
inline constexpr std::string_view kPredictions = "predictions";  // the module of what stays

// Where no block program runs: `bytes_per_token` of activations in forward and backward; without gradients, of keys
// and values.
Tape record_estimate(const StepInput&);

// The numbers of the symbols for these sizes.
SymbolValues symbol_values(const Architecture&, const StepInput&);

}  // namespace memwall
