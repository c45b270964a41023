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
Block make_mixtral_block(Context&);
Block make_qwen_moe_block(Context&);
Block make_distilbert_block(Context&);
Block make_phi_block(Context&);
Block make_phi3_block(Context&);

}  // namespace memwall
