// A Hugging Face config.json as an Architecture.
//
// Reads the names of every family (n_embd, d_model, ffn_dim, num_kv_heads, multi_query, text_config ...)
// into the canonical ones; what the file does not say comes from the family's row (model/families.hpp).
// Whatever had to be guessed is a note; a value that cannot be right is an error with its key and place.
#pragma once
#include <cstddef>
#include <string_view>

#include "base/notes.hpp"
#include "base/result.hpp"
#include "model/architecture.hpp"

namespace memwall {

inline constexpr std::size_t kMaxConfigBytes = 4 << 20;
inline constexpr int kMaxJsonDepth = 64;

// `file` is the name to print in errors: "config.json:3:17".
Result<Architecture> architecture_from_hf_config(std::string_view text, std::string_view file, Notes&);

}  // namespace memwall
