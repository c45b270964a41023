// The names of a family's tensors, in the order in which its model code registers them.
//
// A row lists slots before the blocks, in one block and after the blocks. A slot stands for what its role
// has in the architecture at hand: nothing, a weight, a weight and a bias, or a whole part (experts,
// latent attention, Mamba), whose inner names parameters*.cpp knows.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "model/families.hpp"
#include "model/parameters.hpp"

namespace memwall {

enum class SlotPart : std::uint8_t { Both, Weight, Bias };

struct Slot {
    Role role;
    std::string_view stem;         // of a part: the scope with its dot, "self_attn."
    std::uint8_t norm_number = 0;  // of a block's norms: there if norms_per_layer reaches it
    SlotPart part = SlotPart::Both;
};

struct TensorNamesRow {
    TensorNames id;
    std::string_view layer_prefix;  // "model.layers.*."
    std::span<const Slot> before, layer, after;
};

const TensorNamesRow& row(TensorNames);

}  // namespace memwall
