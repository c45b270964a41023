// Buffers: what the model code registers beside its parameters.
//
// One row per family; sizes follow from the architecture. Source: the model code of transformers 5.
#pragma once
#include "base/result.hpp"
#include "memory/program.hpp"
#include "model/architecture.hpp"
#include "model/variant.hpp"

namespace memwall {

struct BufferInput {
    Dtype weights{};
    LibraryVariant library{};
    Policy policy{};
    std::int64_t tokens = 0;  // of a sequence
};

Failure add_buffers(const Architecture&, const BufferInput&, Ledger& to);

}  // namespace memwall
