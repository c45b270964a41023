// run_allocator(): a program's allocations and releases, one after the other, through PyTorch's caching allocator.
//
// What stays is loaded first, tensor by tensor; then come the first and the steady step (or the one forward pass of
// inference), every layer for itself. The states of the optimizer appear with its first step. The result stands beside
// the row allocator_slack and decides nothing: the real trace also has temporaries inside kernels, other streams and
// the history of loading. Of tensors of one kind the youngest is released first.
#pragma once
#include "memory/caching_allocator.hpp"
#include "memory/program.hpp"

namespace memwall {

struct AllocatorRun {
    Bytes allocated_peak, reserved_peak;
    std::int64_t segments = 0;
    std::int64_t allocations = 0;  // requests of the whole run
};
// A program of Policy::Device or Ledger; sizes as of evaluate(). No allocation is larger than 63 bits.
AllocatorRun run_allocator(const Program&, const Sizes&, const AllocatorSettings&);

}  // namespace memwall
