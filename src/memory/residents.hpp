// Residents: the rows that stay: weights, master weights, gradient buffers, optimizer state.
//
// One row per kind of tensor of the model (model/parameters.hpp), divided over ranks as plan/sharding.hpp says.
// Under the device policy each tensor occupies whole blocks of the allocator.
#pragma once
#include <string>
#include <vector>

#include "base/result.hpp"
#include "memory/program.hpp"
#include "model/parameters.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// One kind of tensor with what decides its rows.
struct ResidentTensor {
    std::string name;  // "q_proj", "q_proj.lora_A"
    std::string_view title;
    Expression one;     // elements of one copy
    Expression copies;  // unused where count is 1
    std::int64_t count = 1;
    std::int64_t rows = 0, columns = 0;  // elements without the last, and without the last but one dimension; 0: vector
    bool trainable = true;
    bool adapter = false;
    bool quantized = false;
};

// Whether gradients are on the tape, or stay as a buffer of their own.
enum class GradientRows : std::uint8_t { OnTape, Resident };

// All tensors of the model, adapters included; one "all_parameters" where there is no formula.
Result<std::vector<ResidentTensor>> resident_tensors(const Scenario&);
Dtype weight_dtype(const Scenario&, const ResidentTensor&);

Result<std::vector<Resident>> residents(const Scenario&, const std::vector<ResidentTensor>&, GradientRows, Policy);

}  // namespace memwall
