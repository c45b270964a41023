// Precision recipes: a name for the combinations people use, as values of the other precision fields.
//
// One row per PrecisionRecipe. Bytes per parameter are those of full training with Adam before
// activations: weights + gradients (+ accumulated copy) + master weights + two optimizer states.
// Sources: Micikevicius et al., Mixed Precision Training (2018); Rajbhandari et al., ZeRO (2020),
// section 3.1; torch.autocast.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "plan/scenario.hpp"

namespace memwall {

struct RecipeRow {
    PrecisionRecipe id{};
    std::string_view label{};  // "bf16 autocast over fp32 weights"
    WeightFormat weights{};
    ComputeDtype compute{};
    bool autocast = false;
    MasterWeights master_weights = MasterWeights::None;
    FloatDtype gradients{};
    AccumulationDtype gradient_accumulation_dtype = AccumulationDtype::None;
    StateDtype state_dtype{};
    std::int64_t bytes_per_parameter = 0;
    std::string_view bytes_text{};                 // "4 weights + 4 gradients + 8 Adam states"
    std::int64_t activation_bytes_per_hidden = 0;  // per token and layer of a llama-like block, flash attention
};

std::span<const RecipeRow> recipes();
const RecipeRow& recipe(PrecisionRecipe);
// The likeliest recipe of the task (bf16 autocast for training, 16-bit weights for inference first) that
// agrees with every precision field given; the task's first where none does.
PrecisionRecipe recipe_for(const Scenario&);

}  // namespace memwall
