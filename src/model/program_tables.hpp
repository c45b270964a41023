// Program tables: what scripts/generate_programs.py makes of src/model/programs, and how to read it.
//
// An instruction is: verb; a byte with the number of its tensors (two bits) and where its result goes (six);
// one byte a tensor; what the verb needs besides. A tensor is a variable of the running function, one of the
// SharedTensors, nothing, or one of the block's parameters; the highest bit takes it out of its variable.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/families.hpp"
#include "model/modules.hpp"
#include "model/programs.hpp"

namespace memwall {

inline constexpr std::uint8_t kFirstShared = 47, kNothing = 55, kFirstWeight = 56, kTakesIt = 128;
inline constexpr std::uint8_t kNoTarget = 63, kNoModule = 255;
inline constexpr std::uint8_t kWeightDtype = 254, kAdapterDtype = 253;  // instead of a Dtype
inline constexpr std::uint8_t kNever = 126, kAlways = 127;              // instead of a condition

struct ProgramFunction {
    std::uint16_t code;   // where it begins; the highest bit: in the second part
    std::uint8_t slots;   // variables
    std::uint8_t module;  // its name, or kNoModule: the caller's
};
struct ProgramRow {
    std::uint16_t parameters, forward;  // functions
    std::uint8_t weights;               // tensors
    std::uint16_t shared[kSharedFunctions];
};

// A part of the code is reached through a function: what only functions of core-rest.wasm read stands there too.
using ProgramCode = const std::uint8_t* (*)(std::size_t place);

struct ProgramTables {
    std::span<const ProgramCode> code;
    std::span<const ProgramFunction> functions;
    std::span<const ProgramRow> programs;
    std::span<DimId ModelDims::*const> dims;  // the first stands for 1
    std::span<Tensor SharedTensors::*const> shared;
    std::span<const std::string_view> names;
};
const ProgramTables& program_tables();

// Which conditions of shared.program hold, a bit each.
std::uint64_t program_conditions(const Context&);

}  // namespace memwall
