// Blocks: one transformer block of each family as a program of operators.
//
// make_* creates the parameters of one block in order of registration; the run function is the block's forward.
// The variables of these functions live exactly as long as those of the real code (Hugging Face transformers 5):
// that is what decides peaks where nothing is kept for backward.
#pragma once
#include <functional>
#include <memory>

#include "model/modules.hpp"

namespace memwall {

using Block = std::function<Tensor(Context&, Tensor hidden)>;
using BlockMaker = Block (*)(Context&);

// llama, mistral, qwen2, qwen3, gemma ...: norm, attention with rotary positions, norm, gated MLP.
Block make_llama_block(Context&);
Block make_gpt2_block(Context&);
Block make_neox_block(Context&);
Block make_opt_block(Context&);
Block make_bert_block(Context&);
Block make_vit_block(Context&);
Block make_gptj_block(Context&);
Block make_mixtral_block(Context&);
Block make_qwen_moe_block(Context&);
Block make_distilbert_block(Context&);
// t5: `place` says whether the block holds the stack's relative positions.
enum class StackPlace : std::uint8_t { First, Later };
Block make_t5_encoder_block(Context&, StackPlace);
Block make_t5_decoder_block(Context&, StackPlace);
// The rms norm of t5: the weight's type decides the result's.
Tensor t5_norm(Context&, const NormWeights&, const Tensor& x);
Block make_phi_block(Context&);
Block make_phi3_block(Context&);

}  // namespace memwall
