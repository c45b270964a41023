// Losses: cross entropy over the vocabulary in all its forms.
//
// On whole logits (as they are, in fp32, shifted; by one kernel whose backward writes the gradient over the logits),
// in chunks of tokens, and fused with the head, where the logits of one chunk exist at a time and the gradients are
// made in forward. Sources: transformers/loss/loss_utils.py (5 and 4.47); flash-attn cross_entropy_loss with in-place
// backward; torchtune CEWithChunkedOutputLoss; Liger-Kernel fused_linear_cross_entropy and its patch of transformers.
#pragma once
#include <vector>

#include "model/modules.hpp"

namespace memwall {

struct ModelFrame;

// Logits of a chunk that stand for `copies` chunks, until the caller lets go of them.
struct ChunkLogits {
    Tensor logits;
    std::int32_t copies = 1;
};
void release(Recorder&, std::vector<ChunkLogits>&);

Tensor cross_entropy(Context&, Tensor logits, Tensor targets);  // logits [rows, vocabulary], targets [rows]
Tensor causal_loss(ModelFrame&, const Tensor& logits);

// With the head in it.
Tensor chunked_loss(ModelFrame&, const Tensor& hidden, std::vector<ChunkLogits>& logits);
Tensor fused_linear_loss(ModelFrame&, const Tensor& hidden);

// Tokens of a sequence in the first chunk; rows of all sequences where the loss is fused with the head.
std::int64_t chunk_tokens(const Architecture&, const StepInput&);

}  // namespace memwall
