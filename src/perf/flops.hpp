// Floating-point operations of one token, the way papers count them.
//
// Forward: 2 per parameter that multiplies, plus the attention scores and their sum over the context.
// Training: three times that (backward is two forwards), four with full recomputation. Sources: Kaplan
// et al., Scaling Laws for Neural Language Models (2020), 2N and 6N; Chowdhery et al., PaLM (2022),
// appendix B, 12 × layers × heads × head_dim × sequence for attention; Chen, Transformer Inference
// Arithmetic (2022).
#pragma once
#include <cstdint>

#include "base/units.hpp"
#include "model/architecture.hpp"

namespace memwall {

enum class Recompute : std::uint8_t { None, FullBlocks };

Flops forward_flops_per_token(const Architecture&, Count active_parameters, std::int64_t context);
Flops training_flops_per_token(const Architecture&, Count active_parameters, std::int64_t sequence_length, Recompute);

}  // namespace memwall
