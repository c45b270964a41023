// The number formats behind a scenario's words.
#pragma once
#include "model/dtype.hpp"
#include "plan/choices.hpp"

namespace memwall {

Dtype dtype_of(WeightFormat);
Dtype dtype_of(ComputeDtype);
Dtype dtype_of(FloatDtype);
Dtype dtype_of(AdapterDtype);
Dtype dtype_of(StateDtype);

// The types a step computes in; everything else is a storage format.
constexpr bool is_plain(Dtype d) { return d == Dtype::Fp32 || d == Dtype::Bf16 || d == Dtype::Fp16; }

}  // namespace memwall
