// Replay: what evaluate() and rows_at() share: the numbers behind a tape's sizes.
#pragma once
#include <vector>

#include "memory/program.hpp"

namespace memwall {

inline constexpr std::int64_t kAllocatorBlock = 512;  // CUDACachingAllocator rounds every request up to it

// The tape's symbols with other batch and sequence sizes.
SymbolValues symbol_values(const Tape&, const Sizes&);

// Bytes of one tensor of a size, divided over ranks in whole elements.
std::int64_t divided_bytes(const Size&, const SymbolValues&, std::int32_t ranks);

// Bytes of each of the tape's sizes; under the device policy rounded up to whole blocks.
std::vector<std::int64_t> size_table(const Program&, const Sizes&);

}  // namespace memwall
