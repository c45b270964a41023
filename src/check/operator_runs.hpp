// Operators run alone, as Liger-Kernel's benchmarks run them: forward and backward over random tensors, many times.
//
// What such a run holds is written down tensor by tensor, in the order of the benchmark's and the operator's own code,
// and the highest sum is its peak. Each is there as model code has it (eager) and as Liger's kernel. They test what the
// engine takes for granted of autograd: what is kept, what waits, what an expression holds while it is computed.
#pragma once
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/units.hpp"

namespace memwall {

enum class OperatorForm : std::uint8_t { Eager, Fused };

struct OperatorRun {
    std::string name;  // "cross_entropy"; empty: the record is of none
    OperatorForm form{};
    std::int64_t element_bytes = 0;
    std::int64_t rows = 0, hidden = 0, intermediate = 0, vocabulary = 0, heads = 0, kv_heads = 0;  // 0: has none
};

Result<Bytes> peak_of(const OperatorRun&);

// cuBLAS takes a workspace from PyTorch's allocator for each thread that multiplies, so its counters see it: one of
// forward, one of backward (aten/src/ATen/cuda/CublasHandlePool.cpp; larger on compute capability 9.0).
inline constexpr std::int64_t kWorkspace = 8'519'680, kWorkspaceOfHopper = 33'554'432;

}  // namespace memwall
