#include "model/size.hpp"

#include "base/word_list.hpp"

namespace memwall {

namespace {

constexpr WordList kNames =
    "micro_batch_size|sequence_length|(sequence_length - 1)|(sequence_length + 1)|"
    "sequence_length rounded up to 8|sequence_length rounded up to 32|target_sequence_length|"
    "(target_sequence_length - 1)|(target_sequence_length + 1)|min(sequence_length, sliding_window)|"
    "target_sequence_length rounded up to 32|hidden_size|intermediate_size|num_attention_heads|"
    "num_key_value_heads|head_dim|vocab_size|max_position_embeddings|embedding_size|(rotary_dim ÷ 2)|rank|"
    "tokens of a chunk|num_experts|num_experts_per_tok|moe_intermediate_size|shared_expert_intermediate_size|"
    "q_lora_rank|kv_lora_rank|qk_rope_head_dim|head_dim without rotation|v_head_dim|num_labels|q, k and v|"
    "gate and up|(num_attention_heads + 2 × num_key_value_heads)|query heads a key/value head|num_channels|"
    "image_size|patch_size|(image_size ÷ patch_size)|relative_attention_num_buckets|type_vocab_size|"
    "max_position_embeddings|activation_bytes_per_token|(kv_lora_rank + qk_rope_head_dim)|"
    "(qk_nope_head_dim + v_head_dim)|num_mel_bins|kernel width";
static_assert(kNames.size() == kSymbols);

}  // namespace

std::string_view name(Symbol s) { return kNames[static_cast<std::size_t>(s)]; }

std::int64_t bytes(const Size& size, const SymbolValues& values) {
    std::int64_t out = size.coefficient * element_bytes(size.dtype);
    std::size_t first = 0;
    for (std::uint64_t rest : size.symbols.powers) {
        while (rest != 0) {
            const auto symbol = static_cast<unsigned>(__builtin_ctzll(rest)) / Monomial::kASymbol;
            out *= values[first + symbol];
            rest -= std::uint64_t{1} << (symbol * Monomial::kASymbol);
        }
        first += Monomial::kAWord;
    }
    return out;
}

std::int64_t fixed_bytes(Size size, const SymbolValues& values) {
    size.symbols.powers[0] &= ~kVaryingPowers;
    return bytes(size, values);
}

}  // namespace memwall
