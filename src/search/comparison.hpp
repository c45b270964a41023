// Comparison of methods: the same model, data and accelerator under each method of finetuning.
//
// The first row is not to finetune: inference alone. A method that is refused keeps its row, with the sentence. What
// the user stated about low-rank adapters holds for all of them, what they stated about a base of few bits for QLoRA;
// every other method has its own defaults. "Suffices" is the verdict "fits", "largest" is that of the solver.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "catalogue/catalogue.hpp"
#include "estimate/estimate.hpp"

namespace memwall {

struct MethodCost {
    Verdict verdict{};
    Bytes needed;  // device total
    std::array<Bytes, kCategories> categories{};
    Count all_parameters, trained_parameters, layer_parameters,
        trained_layer_parameters;                     // layer: without outside ones
    Bytes kept;                                       // activations and logits at the end of forward, for backward
    Bytes checkpoint;                                 // written to disk
    std::optional<std::int64_t> added_operators = 0;  // of a forward pass with the adapters; nullopt: no block program
    std::optional<std::int64_t> largest;              // micro-batch, or sequences for inference; nullopt: none fits
    const AcceleratorRow* cheapest = nullptr;         // by the hour, else the smallest; nullptr: none suffices
};

struct ComparedMethod {
    std::optional<MethodName> method;  // nullopt: do not finetune
    std::int64_t last_layers = 0;      // of freezing: how many train
    std::optional<MethodCost> cost;    // nullopt: refused
    std::string refusal;               // why
};

struct MethodComparison {
    std::vector<ComparedMethod> rows;
    Scenario scenario;            // of training, completed
    std::optional<Bytes> usable;  // of the accelerator
    Trust usable_trust{};
    std::int64_t layers = 0;  // of the model: freezing can train 1 to all of them
};

// The same statements under another method: what of them holds, see above.
Scenario with_method(Scenario, MethodName);

// Bits of MethodName. Words: "lora,qlora"; none: those that are usually compared.
using MethodSet = std::uint32_t;
Result<MethodSet> methods_from_words(std::string_view words);

// In an order of ours: from training in full to the least. last_layers: how many train under freezing; 0: what is
// stated, or a quarter.
Result<MethodComparison> compare(const Scenario&, MethodSet, std::int64_t last_layers);

// Activations and logits that the end of the first forward pass leaves for backward.
Bytes kept_for_backward(const Estimate&);

}  // namespace memwall
