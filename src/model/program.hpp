// Program: one transformer block as rows, and the small machine that runs them.
//
// A family's block is written in src/model/programs/*.program, in the words of the real model code; the build
// packs it into bytes (scripts/generate_programs.py). Here the bytes are run on the recorder's tensors. A name
// lives as a Python variable does: until it is bound again, deleted, or its function returns. That decides the
// peaks where nothing is kept for backward.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/modules.hpp"
#include "model/programs.hpp"

namespace memwall {

// A block of one layer (or of a run of equal ones): its program and its parameters.
class Block {
  public:
    // Makes the parameters, in order of registration.
    Block(Context&, BlockProgram);
    Tensor operator()(Context&, Tensor hidden) const;

  private:
    BlockProgram program_;
    char letter_;  // kind of its layer
    std::vector<Tensor> weights_;
};

// A function of shared.program on its own, as the model's program has it: frames use the same norms and activations.
Tensor call(Context&, SharedFunction, std::span<const Tensor> arguments);
Tensor call_with(Context&, SharedFunction, Tensor argument);  // which nobody else holds

}  // namespace memwall
