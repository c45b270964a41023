#include "model/blocks.hpp"

#include <array>

namespace memwall {

namespace {

struct BlockRow {
    std::string_view model_type;
    BlockMaker maker;
};

constexpr std::array kBlocks = {
    BlockRow{"llama", make_llama_block},
    BlockRow{"mistral", make_llama_block},
    BlockRow{"qwen2", make_llama_block},
    BlockRow{"qwen3", make_llama_block},
};

}  // namespace

BlockMaker block_maker(const Architecture& a) {
    for (const BlockRow& row : kBlocks)
        if (row.model_type == a.model_type) return row.maker;
    return nullptr;
}

}  // namespace memwall
