// Optimizers: the states each keeps for a tensor, by its shape, and what its step allocates.
//
// One row an optimizer (optimizers.cpp), at its own index. Sources: torch.optim 2.14; bitsandbytes 0.49, optim/;
// torchao, optim/low_bit_optim; transformers, optimization.py; kozistr/pytorch_optimizer 3.8. Temporaries of torch's
// and pytorch_optimizer's were read off their own step under PyTorch's ledger.
#pragma once
#include "model/variant.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// How a state of the weight's own size is stored.
enum class StateFormat : std::uint8_t {
    Chosen,  // by optimizer.state_dtype
    Fp32,    // always
    Bits8,   // in blocks of 256 with an fp32 scale each
    Bits4,   // of 128
    Float8,  // of 256
};

struct OptimizerTraits {
    OptimizerName id;
    std::int8_t whole = 0;     // states of the weight's own size
    std::int8_t factored = 0;  // one number a row and one a column; a vector keeps one more whole state
    std::int8_t rows = 0;      // one number a row
    std::int8_t squares = 0;  // a matrix of rows × rows and one of columns × columns, for sides that are not too long
    StateFormat format = StateFormat::Chosen;
    enum class Rest : std::uint8_t { Same, Adam } rest = Rest::Same;      // of what is no matrix of a layer
    enum class Rank : std::uint8_t { Full, Low, One } rank = Rank::Full;  // of a layer's matrix: rank × its longer side
    std::int8_t projectors = 0;                                           // rank × the shorter side
    enum class Paging : std::uint8_t { None, Large } paging = Paging::None;
    OptimizerVariant step = OptimizerVariant::Foreach;
    StateFormat projector = StateFormat::Chosen;
    bool forward_only = false;    // no graph, no gradients
    std::int8_t temporaries = 0;  // of the step: tensors of each weight's size, or of the largest one's
};
const OptimizerTraits& traits(OptimizerName);

StateDtype dtype_of(StateFormat);                   // the word of optimizer.state_dtype
bool keeps_in(const OptimizerTraits&, StateDtype);  // whether its states can be of this type

}  // namespace memwall
