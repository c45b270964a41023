#include "memory/buffers.hpp"

#include "base/checked.hpp"
#include "memory/replay.hpp"
#include "model/families.hpp"
#include "model/model_program.hpp"

namespace memwall {

namespace {

// One buffer: `copies` tensors of `elements` each.
struct Buffer {
    std::string_view key, title;
    std::int64_t copies;
    Expression elements;
    Dtype dtype;
};

Expression rotary_frequencies(const Architecture& a) {
    const std::int64_t rotary = a.head_dim * a.partial_rotary_permille / 1000 / 2 * 2;
    return quotient(Expression::named("rotary_dim", rotary), Expression::literal(2));
}

Expression positions(const Architecture& a) {
    return Expression::named("max_position_embeddings", a.learned_positions);
}

// inv_freq and the copy of it that dynamic scaling starts from; in transformers 4 both are one tensor.
Buffer rotary(const Architecture& a, LibraryVariant library, std::int64_t tables = 1) {
    const std::int64_t copies = library == LibraryVariant::Transformers4 ? 1 : 2;
    return {"buffers.rotary", "Rotary frequencies", copies * tables, rotary_frequencies(a), Dtype::Fp32};
}

// Transformers 4 keeps a causal mask in every block of gpt2 and gpt-neox.
std::vector<Buffer> masks_of_blocks(const Architecture& a, std::int64_t longest, Dtype weights) {
    const Expression positions = Expression::named("max_position_embeddings", longest);
    return {{"buffers.causal_mask", "Causal masks", a.num_hidden_layers, product({positions, positions}), Dtype::Bool},
            {"buffers.masked_bias", "Masked bias", a.num_hidden_layers, Expression::literal(1), weights}};
}

std::vector<Buffer> buffers_of(const Architecture& a, BlockFamily family, const BufferInput& in) {
    const Dtype weights = in.weights;
    const Buffer scale{"buffers.embed_scale", "Embedding scale", 1, Expression::literal(1), weights};
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
            return {rotary(a, in.library, 2), scale};  // one for local, one for global layers
        case BlockFamily::Bert:
        case BlockFamily::Roberta:
        case BlockFamily::Electra:
            return {{"buffers.position_ids", "Position and type ids", 2, positions(a), Dtype::Int64}};
        case BlockFamily::DistilBert:
            return {{"buffers.position_ids", "Position ids", 1, positions(a), Dtype::Int64}};
        case BlockFamily::GptJ:
            return {{"buffers.embed_positions", "Sines and cosines", a.num_hidden_layers,
                     product({Expression::named("max_position_embeddings", a.max_position_embeddings),
                              Expression::named("rotary_dim", a.head_dim * a.partial_rotary_permille / 1000 / 2 * 2)}),
                     Dtype::Fp32}};
        case BlockFamily::GptNeo:
            return {{"buffers.causal_mask", "Causal masks", a.num_hidden_layers, product({positions(a), positions(a)}),
                     Dtype::Bool}};
        case BlockFamily::Bart:
            return {{"buffers.final_logits_bias", "Bias of the logits", 1,
                     Expression::named("vocab_size", a.vocab_size), weights}};
        default:
            break;
    }
    if (a.position == Position::Rope) return {rotary(a, in.library)};
    return {};
}

}  // namespace

std::vector<Resident> buffers(const Architecture& a, const BufferInput& in) {
    std::vector<Resident> out;
    const FamilyRow* family = find_family(a.model_type);
    if (!family || !has_block_program(a)) return out;
    for (const Buffer& b : buffers_of(a, family->block, in)) {
        LedgerRow row;
        row.key = b.key;
        row.title = b.title;
        row.category = Category::Buffers;
        row.rule = RuleId::Buffers;
        row.live_from = "load";
        row.live_until = "end";
        row.dtype = b.dtype;
        Expression one = b.elements;
        const auto elements = one.value();
        if (!elements) continue;
        std::int64_t bytes = *elements * element_bytes(b.dtype);
        if (in.policy == Policy::Device && bytes % kAllocatorBlock != 0) {
            one = round_up(product({one, Expression::named("bytes an element", element_bytes(b.dtype))}),
                           Expression::named("block", kAllocatorBlock));
            row.dtype = Dtype::Int8;
            bytes = round_up(bytes, kAllocatorBlock);
        }
        row.elements = b.copies == 1 ? one : product({Expression::named("tensors", b.copies), one});
        row.bytes = Bytes(bytes * b.copies);
        out.push_back({std::move(row), Presence::Always});
    }
    return out;
}

}  // namespace memwall
