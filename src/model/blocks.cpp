#include "model/blocks.hpp"

#include "model/families.hpp"

namespace memwall {

namespace {

struct BlockRow {
    BlockFamily family;
    BlockMaker maker;
};

constexpr BlockRow kBlocks[] = {
    {BlockFamily::Llama, make_llama_block}, {BlockFamily::Mistral, make_llama_block},
    {BlockFamily::Qwen2, make_llama_block}, {BlockFamily::Qwen3, make_llama_block},
    {BlockFamily::Gpt2, make_gpt2_block},
};

}  // namespace

BlockMaker block_maker(const Architecture& a) {
    const FamilyRow* family = find_family(a.model_type);
    if (!family || a.kind == ArchitectureKind::ParameterCount || a.kind == ArchitectureKind::TotalOnly) return nullptr;
    for (const BlockRow& row : kBlocks)
        if (row.family == family->block) return row.maker;
    return nullptr;
}

}  // namespace memwall
