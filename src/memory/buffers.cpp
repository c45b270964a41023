#include "memory/buffers.hpp"

#include <array>
#include <vector>

#include "memory/replay.hpp"
#include "model/families.hpp"
#include "model/model_program.hpp"
#include "model/parameters.hpp"

namespace memwall {

namespace {

// One buffer: `copies` tensors, each a product of at most two named numbers.
struct Buffer {
    std::string_view key, title;
    std::int64_t copies;
    Dtype dtype;
    std::array<Factor, 2> factors{};
    int count = 0;
    bool halved = false;
};

std::int64_t rotary_dim(const Architecture& a) { return head_parts(a).rotated; }

Factor positions(const Architecture& a) { return {"max_position_embeddings", a.learned_positions, 0, 0}; }

// inv_freq and the copy of it that dynamic scaling starts from; in transformers 4 both are one tensor.
Buffer rotary(const Architecture& a, LibraryVariant library, std::int64_t tables = 1) {
    const std::int64_t copies = library == LibraryVariant::Transformers4 ? 1 : 2;
    return {"buffers.rotary",
            "Rotary frequencies",
            copies * tables,
            Dtype::Fp32,
            {Factor{"rotary_dim", rotary_dim(a), 0, 0}},
            1,
            true};
}

// Transformers 4 keeps a causal mask in every block of gpt2 and gpt-neox.
std::vector<Buffer> masks_of_blocks(const Architecture& a, std::int64_t longest, Dtype weights) {
    const Factor positions{"max_position_embeddings", longest, 0, 0};
    return {{"buffers.causal_mask", "Causal masks", a.num_hidden_layers, Dtype::Bool, {positions, positions}, 2},
            {"buffers.masked_bias", "Masked bias", a.num_hidden_layers, weights}};
}

// Local and global ones have frequencies of their own.
std::int64_t kinds_of_layers(const Architecture& a) {
    const bool local = a.layer_pattern.find('S') != std::string::npos;
    const bool global = a.layer_pattern.find('F') != std::string::npos || !local;
    return local && global ? 2 : 1;
}

std::vector<Buffer> buffers_of(const Architecture& a, BlockFamily family, const BufferInput& in) {
    const Dtype weights = in.weights;
    const Buffer scale{"buffers.embed_scale", "Embedding scale", 1, weights};
    switch (family) {
        case BlockFamily::Gpt2:
            if (in.library == LibraryVariant::Transformers4) return masks_of_blocks(a, a.learned_positions, weights);
            break;
        case BlockFamily::GptNeox:  // there every block has frequencies of its own, beside the model's
            if (in.library == LibraryVariant::Transformers4) {
                std::vector<Buffer> out = masks_of_blocks(a, a.max_position_embeddings, weights);
                out.push_back(rotary(a, in.library, a.num_hidden_layers + 1));
                return out;
            }
            break;
        case BlockFamily::Phi:
            if (in.library == LibraryVariant::Transformers4) return {rotary(a, in.library, a.num_hidden_layers + 1)};
            break;
        case BlockFamily::Gemma:
            if (in.library == LibraryVariant::Transformers4) return {rotary(a, in.library, a.num_hidden_layers)};
            return {rotary(a, in.library), scale};
        case BlockFamily::Gemma2:
            return {rotary(a, in.library), scale};
        case BlockFamily::Gemma3:
            return {rotary(a, in.library, kinds_of_layers(a)), scale};
        case BlockFamily::ModernBert:
            return {rotary(a, in.library, kinds_of_layers(a))};
        case BlockFamily::Bert:
        case BlockFamily::Roberta:
        case BlockFamily::Electra:
            return {{"buffers.position_ids", "Position and type ids", 2, Dtype::Int64, {positions(a)}, 1}};
        case BlockFamily::SiglipVision:
        case BlockFamily::ClipVision: {
            const std::int64_t side = a.image.image_size / a.image.patch_size;
            const Factor patches{"patches and class token", side * side + class_tokens(a), 0, 0};
            return {{"buffers.position_ids", "Position ids", 1, Dtype::Int64, {patches}, 1}};
        }
        case BlockFamily::Swin: {
            const Factor area{"pixels of a window", a.sliding_window * a.sliding_window, 0, 0};
            return {{"buffers.relative_position_index",
                     "Relative positions",
                     a.num_hidden_layers,
                     Dtype::Int64,
                     {area, area},
                     2}};
        }
        case BlockFamily::DistilBert:
            return {{"buffers.position_ids", "Position ids", 1, Dtype::Int64, {positions(a)}, 1}};
        case BlockFamily::GptJ:
            return {{"buffers.embed_positions",
                     "Sines and cosines",
                     a.num_hidden_layers,
                     Dtype::Fp32,
                     {Factor{"max_position_embeddings", a.max_position_embeddings, 0, 0},
                      Factor{"rotary_dim", rotary_dim(a), 1, 0}},
                     2}};
        case BlockFamily::GptNeo:
            return {{"buffers.causal_mask",
                     "Causal masks",
                     a.num_hidden_layers,
                     Dtype::Bool,
                     {positions(a), positions(a)},
                     2}};
        case BlockFamily::Bart:
            return {{"buffers.final_logits_bias",
                     "Bias of the logits",
                     1,
                     weights,
                     {Factor{"vocab_size", a.vocab_size, 0, 0}},
                     1}};
        default:
            break;
    }
    if (a.position == Position::Rope || family == BlockFamily::Falcon) return {rotary(a, in.library)};
    return {};
}

Failure add_buffer(const Buffer& b, Policy policy, Ledger& to) {
    LedgerRow row;
    row.group = b.key;
    row.label = b.title;
    row.category = Category::Buffers;
    row.rule = RuleId::Buffers;
    row.live_from = "load";
    row.live_until = "end";
    row.dtype = row.stored = b.dtype;
    row.tensors = static_cast<std::int32_t>(b.copies);
    Formulas& formulas = to.formulas;
    if (b.copies > 1) formulas.named("tensors", b.copies);
    for (int i = 0; i < b.count; ++i)
        formulas.named(b.factors[static_cast<std::size_t>(i)].name, b.factors[static_cast<std::size_t>(i)].value);
    if (b.count == 0) formulas.literal(1);
    if (b.count > 1) formulas.apply(Operation::Product, b.count);
    if (b.halved) {
        formulas.literal(2);
        formulas.apply(Operation::Quotient, 2);
    }
    if (policy == Policy::Device && formulas.value() % (kAllocatorBlock / element_bytes(b.dtype)) != 0) {
        write_whole_blocks(formulas, b.dtype);
        row.dtype = Dtype::Int8;
    }
    if (b.copies > 1) formulas.apply(Operation::Product, 2);
    return to.add(row);
}

}  // namespace

Failure add_buffers(const Architecture& a, const BufferInput& in, Ledger& to) {
    if (in.library == LibraryVariant::Litgpt && a.position == Position::Rope)
        return add_buffer({"buffers.rotary",
                           "Sines and cosines",
                           2,
                           in.weights,
                           {Factor{"sequence_length", in.tokens, 0, 0}, Factor{"rotary_dim", rotary_dim(a), 0, 0}},
                           2},
                          in.policy, to);
    if (in.library == LibraryVariant::Torchtune)
        return add_buffer({"buffers.rotary",
                           "Sines and cosines",
                           1,
                           Dtype::Fp32,
                           {Factor{"max_position_embeddings", a.max_position_embeddings, 0, 0},
                            Factor{"rotary_dim", rotary_dim(a), 0, 0}},
                           2},
                          in.policy, to);
    const FamilyRow* family = find_family(a.model_type);
    if (!family || !has_block_program(a)) return std::nullopt;
    for (const Buffer& b : buffers_of(a, family->block, in))
        if (Failure failure = add_buffer(b, in.policy, to)) return failure;
    return std::nullopt;
}

}  // namespace memwall
