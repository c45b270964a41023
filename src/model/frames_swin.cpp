// swin: stages of blocks over windows of a feature map; each stage but the last joins four patches to one of twice the
// width. Classification by the mean of the last map.
#include <algorithm>

#include "model/autograd.hpp"
#include "model/model_frame.hpp"
#include "model/parameters.hpp"

namespace memwall {

namespace {

constexpr std::int64_t whole_multiple(std::int64_t n, std::int64_t of) { return (n + of - 1) / of * of; }

// A number that only the architecture decides.
DimId fixed(Recorder& r, std::int64_t n) { return r.dim(n, n, Monomial{}); }

std::int64_t first_side(const Architecture& a) { return a.image.image_size / a.image.patch_size; }
std::int64_t next_side(std::int64_t side) { return (side + 1) / 2; }

std::size_t stages_of(const Architecture& a) {
    std::size_t stages = 0;
    while (stages < 4 && a.convolution.blocks[stages] > 0)
        ++stages;
    return stages;
}

// A window as wide as the map does not shift.
bool shifts(const Architecture& a, std::int64_t side) { return side > a.sliding_window; }

void enter_stage(ModelFrame& m, std::int64_t side, std::int64_t scale) {
    Recorder& r = m.c.r;
    const Architecture& a = m.c.a;
    ModelDims& d = m.c.d;
    const std::int64_t window = a.sliding_window, padded = whole_multiple(side, window), windows = padded / window;
    const auto scaled = [&](std::int64_t n, Symbol s) { return r.dim(n * scale, scale, Monomial(s)); };
    d.hidden = d.query_width = scaled(a.hidden_size, Symbol::Hidden);
    d.intermediate = scaled(a.intermediate_size, Symbol::Intermediate);
    d.heads = d.kv_heads = scaled(a.num_attention_heads, Symbol::Heads);
    d.grid = fixed(r, side);
    d.padded_grid = fixed(r, padded);
    d.windows_a_side = fixed(r, windows);
    d.window = fixed(r, window);
    d.window_row = r.product(d.window, d.hidden);
    d.window_area = fixed(r, window * window);
    d.image_windows = fixed(r, windows * windows);
    d.batch_windows = r.product(d.batch, d.image_windows);
    d.bias_rows = fixed(r, (2 * window - 1) * (2 * window - 1));
    d.tokens = fixed(r, side * side);
    d.tokens_rounded_8 = fixed(r, whole_multiple(window * window, 8));
    d.tokens_rounded_32 = fixed(r, whole_multiple(window * window, 32));
}

// Maps are few and small: every block stands alone.
void make_blocks(ModelFrame& m, std::int32_t first, std::int32_t blocks, bool shifting) {
    Context& c = m.c;
    const bool freezes = c.v.train == TrainVariant::Freeze;
    for (std::int32_t i = 0; i < blocks; ++i) {
        c.trainable = !freezes || first + i >= c.v.first_trainable_layer;
        c.letter = shifting && i % 2 != 0 ? 'H' : first + i == 0 ? 'N' : 'F';
        m.groups.push_back({{Block(c, m.family.block)}, {c.letter}, first + i, 1, c.d});
    }
}

}  // namespace

// The window is the one its table of distances was made for, so no map may be smaller than it.
bool runs_as_swin(const Architecture& a) {
    const std::size_t stages = stages_of(a);
    const ImageParts& i = a.image;
    if (stages == 0 || i.patch_size == 0 || a.sliding_window == 0 || i.image_size % i.patch_size != 0) return false;
    std::int64_t side = first_side(a), blocks = 0;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        if (side < a.sliding_window) return false;
        side = next_side(side);
        blocks += a.convolution.blocks[stage];
    }
    return blocks == a.num_hidden_layers && a.position == Position::None && !a.mlp_gated && i.no_cls_token &&
           a.num_labels > 0 && a.num_key_value_heads == a.num_attention_heads &&
           a.head_dim * a.num_attention_heads == a.hidden_size && a.norm == Norm::LayerNorm;
}

void make_swin_outside(ModelFrame& m) {
    make_patch_filter(m);
    m.embedding_norm = make_norm(m.c, "embeddings.norm", m.c.d.hidden);
}

void make_swin_stages(ModelFrame& m) {
    Context& c = m.c;
    const std::size_t stages = stages_of(c.a);
    std::int64_t side = first_side(c.a), scale = 1;
    std::int32_t first = 0;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        const auto blocks = static_cast<std::int32_t>(c.a.convolution.blocks[stage]);
        enter_stage(m, side, scale);
        make_blocks(m, first, blocks, shifts(c.a, side));
        StageEnd end;
        end.first_group = m.groups.size() - static_cast<std::size_t>(blocks);
        end.groups = m.groups.size();
        end.last_layer = first + blocks - 1;
        if (stage + 1 < stages) {
            const DimId four = c.r.dim(4 * c.a.hidden_size * scale, 4 * scale, Monomial(Symbol::Hidden)),
                        two = c.r.dim(2 * c.a.hidden_size * scale, 2 * scale, Monomial(Symbol::Hidden));
            end.reduction = make_linear(c, Projection::Embedding, "downsample.reduction", four, two, LinearBias::No);
            end.norm = make_norm(c, "downsample.norm", four);
            scale *= 2;
            side = next_side(side);
        }
        m.stages.push_back(std::move(end));
        first += blocks;
    }
}

void make_swin_head(ModelFrame& m) {
    m.final_norm = make_norm(m.c, "layernorm", m.c.d.hidden);
    make_classifier(m, m.c.d.hidden);
}

namespace {

// Every second row and column, four times.
Tensor joined(ModelFrame& m, const StageEnd& end, const Tensor& hidden) {
    Context& c = m.c;
    const std::int64_t side = c.r.size(c.d.grid);
    const InModule module(c.r, "downsample");
    const DimId half = fixed(c.r, next_side(side));
    Tensor feature = view(hidden, Shape{c.d.batch, c.d.grid, c.d.grid, c.d.hidden});
    if (side % 2 != 0) {
        const DimId even = fixed(c.r, side + 1);
        feature = pad(std::move(feature), Shape{c.d.batch, even, even, c.d.hidden});
    }
    {
        std::array<Tensor, 4> parts;
        for (Tensor& part : parts)
            part = slice(slice(feature, 1, half, 2), 2, half, 2);
        const DimId four = end.norm.weight.shape()[0];
        feature = cat(parts, 3, four);
        feature = view(std::move(feature), Shape{c.d.batch, fixed(c.r, next_side(side) * next_side(side)), four});
    }
    feature = run(c, end.norm, std::move(feature));
    return run(c, end.reduction, std::move(feature));
}

// The model's output holds the map of each stage, channels first, until the next stage has its own.
Tensor channels_first(ModelFrame& m, const Tensor& hidden) {
    const InModule module(m.c.r, "reshaped_hidden_state");
    const DimId side = m.c.d.grid;
    const Tensor map = view(hidden, Shape{m.c.d.batch, side, side, hidden.shape()[2]});
    return contiguous(transpose(transpose(map, 2, 3), 1, 2));
}

Tensor pooled(ModelFrame& m, Tensor hidden) {
    Context& c = m.c;
    const InModule module(c.r, "pooler");
    const DimId width = hidden.shape()[2];
    Tensor mean_of_map = view(mean(transpose(std::move(hidden), 1, 2), 2), Shape{c.d.batch, width, 0});
    return select(std::move(mean_of_map), 2);
}

// Blocks, what joins patches, and the map of channels: results 1 and 2 of the model's loop.
void run_stage(void* model, const void* what, BlockTensors& x) {
    ModelFrame& m = *static_cast<ModelFrame*>(model);
    const StageEnd& stage = *static_cast<const StageEnd*>(what);
    Context& c = m.c;
    Tensor hidden = x[0];
    c.d = m.groups[stage.first_group].dims;
    c.shared.position_ids = c.r.resident(Shape{c.r.product(c.d.window_area, c.d.window_area)}, Dtype::Int64);
    for (std::size_t at = stage.first_group; at < stage.groups; ++at)
        hidden = m.run_group(m.groups[at], std::move(hidden));
    const Tensor before = hidden;
    if (!c.r.recomputing) c.r.enter({Phase::Forward, Phase::Backward, stage.last_layer, 1});
    if (stage.reduction.weight) {
        hidden = joined(m, stage, before);
        c.d.grid = fixed(c.r, next_side(c.r.size(c.d.grid)));
    }
    x[1] = channels_first(m, hidden);
    x[2] = std::move(c.held);
    x[0] = std::move(hidden);
}

}  // namespace

Tensor run_swin_stages(ModelFrame& m) {
    Context& c = m.c;
    c.r.enter({Phase::Embedding, Phase::EmbeddingBackward, -1, 1});
    c.d = m.groups.front().dims;
    Tensor hidden = patch_rows(m);
    hidden = run(c, m.embedding_norm, std::move(hidden));
    hidden = m.keep_local(dropout(std::move(hidden), c.a.embedding_dropout_permille));
    BlockTensors held;
    for (const StageEnd& stage : m.stages) {
        BlockTensors x(3);
        x[0] = std::move(hidden);
        const Tensor given = x[0];
        if (c.v.recompute == RecomputeVariant::None)
            run_stage(&m, &stage, x);
        else
            checkpoint(c.r, {run_stage, &m, &stage}, x);
        hidden = std::move(x[0]);
        std::swap(held, x);
    }
    c.r.enter({Phase::HeadAndLoss, Phase::HeadBackward, -1, 1});
    held.clear();
    c.shared.position_ids.reset();
    m.pooler_input = run(c, m.final_norm, m.keep_local(hidden));
    hidden = pooled(m, m.pooler_input);
    m.locals.clear();
    return hidden;
}

}  // namespace memwall
