// Residents: the rows that stay: weights, master weights, gradient buffers, optimizer state.
//
// One row per kind of tensor of the model (model/parameters.hpp), divided over ranks as plan/sharding.hpp says.
// Under the device policy each tensor occupies whole blocks of the allocator.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "memory/program.hpp"
#include "model/parameters.hpp"
#include "model/variant.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// One kind of tensor with what decides its rows.
struct ResidentTensor {
    std::string_view name;    // "q_proj"
    std::string_view detail;  // "bias", "lora_A"
    std::string_view title;
    const ParameterTensor* parameter = nullptr;  // its shape; without one it is `own`
    std::array<Factor, 4> own{};
    std::uint8_t own_factors = 0;
    Factor copies{"one", 1, 0, 0};
    std::int64_t rows = 0, columns = 0;  // elements without the last, and without the last but one dimension; 0: vector
    bool trainable = true;               // gets a gradient
    bool asks = true;                    // for one: two kinds of classifier leave weights beside their way
    bool adapter = false;
    bool quantized = false;
    bool row_scales = false;  // of a quantised matrix
    bool indices = false;     // a buffer of int64

    std::span<const Factor> shape() const {
        return parameter ? std::span(parameter->shape) : std::span(own).first(own_factors);
    }
};

// All tensors of the model, adapters included; one "all_parameters" where there is no formula.
struct ResidentTensors {
    std::shared_ptr<const std::vector<ParameterTensor>> parameters;
    std::vector<ResidentTensor> list;
};
ResidentTensors resident_tensors(const Scenario&);
Count size_of(const ResidentTensor&);  // elements of one copy
Count trainable_parameters(const ResidentTensors&);
Dtype weight_dtype(const Scenario&, const ResidentTensor&);
void write_shape(Formulas&, std::span<const Factor>);  // of one copy: a scalar has no factors

// Whether gradients are on the tape, or stay as a buffer of their own.
enum class GradientRows : std::uint8_t { OnTape, Resident };

struct ResidentLedgers {
    Ledger &device, &host;  // host: what is paged
};
Failure add_residents(const Scenario&, const ResidentTensors&, GradientRows, Policy, ResidentLedgers to);

// What the optimizer creates for each kind of weight, where it does so one after the other. On failure none.
std::vector<CreatedState> created_states(const Scenario&, const ResidentTensors&, Policy);

// One row of weights, in another format or beside the first: while they are loaded.
struct LoadedRow {
    std::string_view group;
    RuleId rule;
    Dtype dtype;
};
Failure add_weights(const Scenario&, const ResidentTensor&, const LoadedRow&, Policy, Ledger& to);

}  // namespace memwall
