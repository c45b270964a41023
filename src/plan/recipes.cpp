#include "plan/recipes.hpp"

#include <cassert>

#include "plan/field_ids.hpp"

namespace memwall {
namespace {

// Activation bytes per token, layer and hidden unit: llama block with intermediate size 4 × hidden, as many
// key/value heads as heads, flash attention (fp32: memory-efficient), counted tensor by tensor.
constexpr std::int64_t kAutocastActivations = 66, kHalfActivations = 56, kFullActivations = 104;

constexpr RecipeRow kRecipes[] = {
    {.id = PrecisionRecipe::AmpBf16,
     .label = "bf16 autocast over fp32 weights",
     .weights = WeightFormat::Fp32,
     .compute = ComputeDtype::Bf16,
     .autocast = true,
     .gradients = FloatDtype::Fp32,
     .state_dtype = StateDtype::Fp32,
     .bytes_per_parameter = 16,
     .bytes_text = "4 weights + 4 gradients + 8 Adam states",
     .activation_bytes_per_hidden = kAutocastActivations},
    {.id = PrecisionRecipe::AmpFp16,
     .label = "fp16 autocast over fp32 weights",
     .weights = WeightFormat::Fp32,
     .compute = ComputeDtype::Fp16,
     .autocast = true,
     .gradients = FloatDtype::Fp32,
     .state_dtype = StateDtype::Fp32,
     .bytes_per_parameter = 16,
     .bytes_text = "4 weights + 4 gradients + 8 Adam states",
     .activation_bytes_per_hidden = kAutocastActivations},
    {.id = PrecisionRecipe::Fp32,
     .label = "all fp32",
     .weights = WeightFormat::Fp32,
     .compute = ComputeDtype::Fp32,
     .gradients = FloatDtype::Fp32,
     .state_dtype = StateDtype::Fp32,
     .bytes_per_parameter = 16,
     .bytes_text = "4 weights + 4 gradients + 8 Adam states",
     .activation_bytes_per_hidden = kFullActivations},
    {.id = PrecisionRecipe::Bf16,
     .label = "all bf16",
     .weights = WeightFormat::Bf16,
     .compute = ComputeDtype::Bf16,
     .gradients = FloatDtype::Bf16,
     .state_dtype = StateDtype::Bf16,
     .bytes_per_parameter = 8,
     .bytes_text = "2 weights + 2 gradients + 4 Adam states",
     .activation_bytes_per_hidden = kHalfActivations},
    {.id = PrecisionRecipe::Fp16,
     .label = "all fp16",
     .weights = WeightFormat::Fp16,
     .compute = ComputeDtype::Fp16,
     .gradients = FloatDtype::Fp16,
     .state_dtype = StateDtype::Fp16,
     .bytes_per_parameter = 8,
     .bytes_text = "2 weights + 2 gradients + 4 Adam states",
     .activation_bytes_per_hidden = kHalfActivations},
    {.id = PrecisionRecipe::Bf16Master,
     .label = "bf16 weights and gradients, fp32 master copy",
     .weights = WeightFormat::Bf16,
     .compute = ComputeDtype::Bf16,
     .master_weights = MasterWeights::Fp32,
     .gradients = FloatDtype::Bf16,
     .state_dtype = StateDtype::Fp32,
     .bytes_per_parameter = 16,
     .bytes_text = "2 weights + 2 gradients + 4 master weights + 8 Adam states",
     .activation_bytes_per_hidden = kHalfActivations},
    {.id = PrecisionRecipe::Bf16MasterFp32Gradients,
     .label = "bf16 weights, fp32 gradients and master copy",
     .weights = WeightFormat::Bf16,
     .compute = ComputeDtype::Bf16,
     .master_weights = MasterWeights::Fp32,
     .gradients = FloatDtype::Fp32,
     .state_dtype = StateDtype::Fp32,
     .bytes_per_parameter = 18,
     .bytes_text = "2 weights + 4 gradients + 4 master weights + 8 Adam states",
     .activation_bytes_per_hidden = kHalfActivations},
    {.id = PrecisionRecipe::Bf16MasterBothGradients,
     .label = "bf16 weights, bf16 and fp32 gradients, master copy",
     .weights = WeightFormat::Bf16,
     .compute = ComputeDtype::Bf16,
     .master_weights = MasterWeights::Fp32,
     .gradients = FloatDtype::Bf16,
     .gradient_accumulation_dtype = AccumulationDtype::Fp32,
     .state_dtype = StateDtype::Fp32,
     .bytes_per_parameter = 20,
     .bytes_text = "2 weights + 2 gradients + 4 summed gradients + 4 master weights + 8 Adam states",
     .activation_bytes_per_hidden = kHalfActivations},
    {.id = PrecisionRecipe::Fp16Master,
     .label = "fp16 weights and gradients, fp32 master copy",
     .weights = WeightFormat::Fp16,
     .compute = ComputeDtype::Fp16,
     .master_weights = MasterWeights::Fp32,
     .gradients = FloatDtype::Fp16,
     .state_dtype = StateDtype::Fp32,
     .bytes_per_parameter = 16,
     .bytes_text = "2 weights + 2 gradients + 4 master weights + 8 Adam states",
     .activation_bytes_per_hidden = kHalfActivations},
};

constexpr bool each_row_at_its_id() {
    for (std::size_t i = 0; i < std::size(kRecipes); ++i)
        if (static_cast<std::size_t>(kRecipes[i].id) != i) return false;
    return std::size(kRecipes) == static_cast<std::size_t>(PrecisionRecipe::Fp16Master) + 1;
}
static_assert(each_row_at_its_id());

// What people mean when they say only part of it, likeliest first.
constexpr PrecisionRecipe kTrainingOrder[] = {
    PrecisionRecipe::AmpBf16,
    PrecisionRecipe::AmpFp16,
    PrecisionRecipe::Fp32,
    PrecisionRecipe::Bf16,
    PrecisionRecipe::Fp16,
    PrecisionRecipe::Bf16Master,
    PrecisionRecipe::Bf16MasterFp32Gradients,
    PrecisionRecipe::Bf16MasterBothGradients,
    PrecisionRecipe::Fp16Master,
};
constexpr PrecisionRecipe kInferenceOrder[] = {
    PrecisionRecipe::Bf16,    PrecisionRecipe::Fp16,    PrecisionRecipe::Fp32,
    PrecisionRecipe::AmpBf16, PrecisionRecipe::AmpFp16,
};

bool agrees(const Scenario& s, const RecipeRow& row) {
    const Precision& p = s.precision;
    const auto agree = [&](FieldId id, bool equal) { return equal || !s.given.test(index(id)); };
    const bool quantized = p.weights > WeightFormat::F16;  // says nothing of the rest
    return agree(FieldId::Weights, quantized || p.weights == row.weights) &&
           agree(FieldId::Compute, p.compute == row.compute) && agree(FieldId::Autocast, p.autocast == row.autocast) &&
           agree(FieldId::MasterWeights, p.master_weights == row.master_weights) &&
           agree(FieldId::Gradients, p.gradients == row.gradients) &&
           agree(FieldId::GradientAccumulationDtype,
                 p.gradient_accumulation_dtype == row.gradient_accumulation_dtype) &&
           agree(FieldId::StateDtype,
                 s.optimizer.state_dtype > StateDtype::Fp16 || s.optimizer.state_dtype == row.state_dtype);
}

}  // namespace

std::span<const RecipeRow> recipes() { return kRecipes; }
const RecipeRow& recipe(PrecisionRecipe id) { return kRecipes[static_cast<std::size_t>(id)]; }

PrecisionRecipe recipe_for(const Scenario& s) {
    const std::span<const PrecisionRecipe> order =
        s.task == Task::Inference ? std::span<const PrecisionRecipe>(kInferenceOrder) : kTrainingOrder;
    for (const PrecisionRecipe id : order)
        if (agrees(s, recipe(id))) return id;
    return order.front();
}

}  // namespace memwall
