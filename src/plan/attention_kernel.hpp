// Which attention kernel runs, by the rules of PyTorch and of the model's code, and why.
#pragma once
#include <string_view>

#include "plan/scenario.hpp"

namespace memwall {

// What runs where `wanted` is asked for, and why: eager where the model's code has nothing else, else what
// torch.nn.functional.scaled_dot_product_attention takes on a CUDA device (sdp_utils.cpp): flash for 16 bits without a
// mask, memory-efficient for equal head counts, else math.
struct KernelChoice {
    AttentionKernel kernel;
    std::string_view reason;
};
KernelChoice kernel_here(const Scenario&, AttentionKernel wanted);
std::string_view name(AttentionKernel);  // in a sentence

}  // namespace memwall
