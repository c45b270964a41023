// Replay: what evaluate() and rows_at() share: the numbers behind a tape's rows.
#pragma once
#include <vector>

#include "memory/program.hpp"

namespace memwall {

inline constexpr std::int64_t kAllocatorBlock = 512;  // CUDACachingAllocator rounds every request up to it

// The tape's symbols with other batch and sequence sizes.
SymbolValues symbol_values(const Tape&, const Sizes&);

// Over how many ranks a row's tensors are divided: gradients under ZeRO are.
std::int32_t shards_of(const Program&, const TapeRow&);

// Bytes of one tensor of each size.
std::vector<std::int64_t> raw_bytes(const Tape&, const Sizes&);
// Those that one rank holds of a row's tensor, in whole elements.
std::int64_t divided(const Program&, const TapeRow&, std::int64_t raw);

// The expression written last counts elements; afterwards bytes in whole blocks of the allocator.
void write_whole_blocks(Formulas&, Dtype);

}  // namespace memwall
