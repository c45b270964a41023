// Buffers: what the model code registers beside its parameters.
//
// One row per family; sizes follow from the architecture. Source: the model code of transformers 5.
#pragma once
#include <vector>

#include "memory/program.hpp"
#include "model/architecture.hpp"

namespace memwall {

std::vector<Resident> buffers(const Architecture&, Dtype weights, Policy);

}  // namespace memwall
