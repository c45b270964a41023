#include "model/modules.hpp"

#include "base/word_list.hpp"
#include "model/parameters.hpp"
#include "model/program.hpp"

namespace memwall {

namespace {

DimId dimension(Recorder& r, std::int64_t value, Symbol s, std::int64_t coefficient = 1) {
    return value == 0 ? DimId{0} : r.dim(value * coefficient, coefficient, Monomial(s));
}

}  // namespace

namespace {

// Widths that only some programs use.
void set_derived_dims(Recorder& r, const Architecture& a, ModelDims& d) {
    const auto number = [&](std::int64_t value, Symbol s) { return r.dim(value, 1, Monomial(s)); };
    d.two = r.dim(2, 2, Monomial{});
    d.three = number(3, Symbol::QueryKeyValue);
    d.batch_heads = r.product(d.batch, d.heads);
    d.heads_and_cache = number(a.num_attention_heads + 2 * a.num_key_value_heads, Symbol::QueryAndCacheHeads);
    const std::int64_t sharing = a.num_attention_heads / a.num_key_value_heads + 2;
    d.groups_and_two = r.dim(sharing, sharing, Monomial{});
    d.positions_at_most = number(a.max_position_embeddings, Symbol::Positions);
    d.relative_buckets = number(a.encoder_decoder.relative_buckets, Symbol::RelativeBuckets);
    d.two_intermediate = r.product(number(2, Symbol::GateAndUp), d.intermediate);
    d.three_head_dim = r.product(d.three, d.head_dim);
    const bool square = a.num_attention_heads == a.num_key_value_heads && query_width(a) == a.hidden_size;
    d.qkv_width = square ? d.three_hidden : r.product(d.heads_and_cache, d.head_dim);
    if (a.num_experts == 0) return;
    d.experts = number(a.num_experts, Symbol::Experts);
    d.chosen = number(a.num_experts_per_tok, Symbol::ExpertsPerToken);
    d.expert_rows = r.product(d.rows, d.chosen);
    d.expert_width = number(a.moe_intermediate_size, Symbol::ExpertIntermediate);
    d.two_expert_width = r.product(number(2, Symbol::GateAndUp), d.expert_width);
    d.shared_width = dimension(r, shared_expert_width(a), Symbol::SharedIntermediate);
    if (a.moe.n_group == 0) return;
    const auto plain = [&](std::int64_t value) { return r.dim(value, value, Monomial{}); };
    d.router_groups = plain(a.moe.n_group);
    d.chosen_groups = plain(a.moe.topk_group);
    d.experts_of_group = plain(a.num_experts / a.moe.n_group);
}

void set_latent_dims(Recorder& r, const Architecture& a, ModelDims& d) {
    if (a.kv_lora_rank == 0) return;
    d.query_rank = dimension(r, a.q_lora_rank, Symbol::QueryRank);
    d.kv_rank = dimension(r, a.kv_lora_rank, Symbol::KvRank);
    d.latent_and_rope = dimension(r, a.kv_lora_rank + a.qk_rope_head_dim, Symbol::LatentAndRope);
    d.value_dim = dimension(r, a.v_head_dim, Symbol::ValueHeadDim);
    d.nope_and_value = dimension(r, a.qk_nope_head_dim + a.v_head_dim, Symbol::NopeAndValue);
    d.nope_and_value_width = r.product(d.heads, d.nope_and_value);
    d.value_width = r.product(d.heads, d.value_dim);
}

}  // namespace

ModelDims model_dims(Recorder& r, const StepInput& in) {
    const Architecture& a = in.architecture;
    const SymbolValues values = symbol_values(a, in);
    const auto symbol = [&](Symbol s) { return r.dim(values[static_cast<std::size_t>(s)], 1, Monomial(s)); };
    ModelDims d;
    const std::int64_t sharing = a.num_attention_heads / a.num_key_value_heads;
    if (sharing > 1) d.groups = dimension(r, sharing, Symbol::HeadSharing);
    d.batch = symbol(Symbol::MicroBatch);
    d.tokens = symbol(Symbol::Sequence);
    d.tokens_rounded_8 = symbol(Symbol::SequenceRounded8);
    d.tokens_rounded_32 = symbol(Symbol::SequenceRounded32);
    d.tokens_plus_one = symbol(Symbol::SequencePlusOne);
    d.tokens_minus_one = symbol(Symbol::SequenceMinusOne);
    d.rows = r.product(d.batch, d.tokens);
    d.hidden = dimension(r, a.hidden_size, Symbol::Hidden);
    d.two_hidden = dimension(r, a.hidden_size, Symbol::Hidden, 2);
    d.three_hidden = r.product(r.dim(3, 1, Monomial(Symbol::QueryKeyValue)), d.hidden);
    d.intermediate = dimension(r, a.intermediate_size, Symbol::Intermediate);
    d.heads = dimension(r, a.num_attention_heads, Symbol::Heads);
    d.kv_heads =
        a.num_key_value_heads == a.num_attention_heads ? d.heads : dimension(r, a.num_key_value_heads, Symbol::KvHeads);
    const auto [rotary, passed] = head_parts(a);
    d.head_dim = dimension(r, rotary + passed, Symbol::HeadDim);
    d.query_width =
        a.num_attention_heads * (rotary + passed) == a.hidden_size ? d.hidden : r.product(d.heads, d.head_dim);
    d.kv_width = key_value_width(a) == a.hidden_size ? d.hidden : r.product(d.kv_heads, d.head_dim);
    d.rotary_half = dimension(r, rotary / 2, Symbol::RotaryHalf);
    d.rotary = passed == 0 ? d.head_dim : dimension(r, rotary / 2, Symbol::RotaryHalf, 2);
    d.pass = dimension(r, passed, Symbol::PassHeadDim);
    d.pass_or_nothing = passed > 0 ? d.pass : r.dim(0, 0, Monomial{});
    d.vocabulary = dimension(r, a.vocab_size, Symbol::Vocabulary);
    d.embedding = a.embedding_size == 0 || a.embedding_size == a.hidden_size
                      ? d.hidden
                      : dimension(r, a.embedding_size, Symbol::EmbeddingSize);
    d.positions = dimension(r, a.learned_positions, Symbol::LearnedPositions);
    d.rank = dimension(r, in.lora_rank, Symbol::LoraRank);
    const bool keys = (in.variant.adapter_projections >> static_cast<unsigned>(Projection::Key) & 1U) != 0;
    const std::int64_t adapted = query_width(a) + key_value_width(a) * (keys ? 2 : 1);
    d.adapted_width = r.dim(adapted, adapted, Monomial{});
    d.double_rank = dimension(r, in.lora_rank, Symbol::LoraRank, 2);
    d.prompt = r.dim(in.variant.prompt_length, in.variant.prompt_length, Monomial{});
    set_derived_dims(r, a, d);
    set_latent_dims(r, a, d);
    return d;
}

void use_target_tokens(Context& c, const StepInput& in) {
    const SymbolValues values = symbol_values(in.architecture, in);
    const auto symbol = [&](Symbol s) { return c.r.dim(values[static_cast<std::size_t>(s)], 1, Monomial(s)); };
    c.d.source_tokens = c.d.tokens;
    c.d.tokens = symbol(Symbol::Target);
    c.d.tokens_rounded_32 = symbol(Symbol::TargetRounded32);
    c.d.tokens_plus_one = symbol(Symbol::TargetPlusOne);
    c.d.tokens_minus_one = symbol(Symbol::TargetMinusOne);
    c.d.rows = c.r.product(c.d.batch, c.d.tokens);
}

namespace {

// The module that a parameter belongs to, where its name alone says so.
struct NamedRole {
    Role role;
    WordList names;
};
constexpr NamedRole kNamed[] = {
    {Role::Embedding, "embed_tokens|word_embeddings|shared"},
    {Role::PositionEmbedding,
     "embed_positions|position_embeddings|position_embedding|token_type_embeddings|relative_attention_bias|"
     "relative_position_bias_table|encoder.embed_positions|decoder.embed_positions"},
    {Role::EmbeddingNorm,
     "word_embeddings_layernorm|embeddings.LayerNorm|embeddings.norm|encoder.layernorm_embedding|"
     "decoder.layernorm_embedding|pre_layrnorm"},
    {Role::InputNorm,
     "input_layernorm|layernorm_before|self_attention.layer_norm|self_attn_layer_norm|attn_norm|"
     "ln_1|norm_1|layer_norm1"},
    {Role::PostAttentionNorm,
     "post_attention_layernorm|attention.output.LayerNorm|sa_layer_norm|layernorm_after|"
     "ln_2|norm_2|layer_norm2"},
    {Role::PreFeedforwardNorm, "pre_feedforward_layernorm|feed_forward.layer_norm|mlp_norm"},
    {Role::PostFeedforwardNorm, "post_feedforward_layernorm|output.LayerNorm|output_layer_norm|final_layer_norm"},
    {Role::CrossNorm, "cross_attention.layer_norm|encoder_attn_layer_norm"},
    {Role::FinalNorm,
     "norm|final_norm|layernorm|post_layernorm|encoder.final_layer_norm|decoder.final_layer_norm|"
     "encoder.layer_norm|decoder.layer_norm"},
    {Role::QNorm, "q_norm|q_a_layernorm"},
    {Role::KNorm, "k_norm|kv_a_layernorm"},
    {Role::MlmTransform, "transform.LayerNorm"},
    {Role::LmHead, "lm_head|decoder"},
    {Role::Router, "router"},
    {Role::ExpertsGateUp, "experts.gate_up_proj|experts.gate_up_proj_bias"},
    {Role::ExpertsDown, "experts.down_proj|experts.down_proj_bias"},
    {Role::Sinks, "sinks"},
    {Role::Classifier, "classifier|pooler"},
    {Role::Vision, "vision|patch_embeddings|patch_embedding|cls_token|class_embedding|conv1|conv2"},
    {Role::Projector, "projector"},
    {Role::MlpNorm, "downsample.norm"},
};
constexpr Role kOfProjections[] = {
    Role::QProj,
    Role::KProj,
    Role::VProj,
    Role::OProj,
    Role::GateProj,
    Role::UpProj,
    Role::DownProj,
    Role::QkvProj,
    Role::MlmTransform,
    Role::LmHead,
    Role::Other,
    Role::QLatentDown,
    Role::QLatentUp,
    Role::KvLatentDown,
    Role::KvLatentUp,
    Role::Router,
    Role::ExpertsGateUp,
    Role::ExpertsDown,
    Role::SharedExpertGate,
    Role::EmbeddingProjection,
    Role::Classifier,
};

Role role_of(const Architecture& a, std::string_view name, Projection p) {
    // opt has its MLP's norm before it, bart and whisper behind it.
    if (name == "final_layer_norm" && a.kind == ArchitectureKind::Decoder) return Role::PostAttentionNorm;
    if (p == Projection::MlmTransform && name == "pooler")
        return a.model_type == "bert" ? Role::Pooler : Role::Classifier;
    if (p != Projection::Other) return kOfProjections[static_cast<std::size_t>(p)];
    for (const NamedRole& row : kNamed)
        for (const std::string_view known : row.names)
            if (known == name) return row.role;
    return Role::Other;
}

bool trains(const Context& c, std::string_view name, ParameterPart part, Projection p) {
    switch (c.v.train) {
        case TrainVariant::Full:
            return true;
        case TrainVariant::Freeze:
        case TrainVariant::Adapters:
            if (name.find(".adapter_") != std::string_view::npos) return true;
            if (c.v.trained_roles == 0 || c.v.trained_roles == kAllRoles) return c.v.trained_roles != 0;
            return (c.v.trained_roles >> static_cast<unsigned>(role_of(c.a, name, p)) & 1U) != 0;
        case TrainVariant::Biases:
            return part == ParameterPart::Bias || part == ParameterPart::NormBias;
        case TrainVariant::Norms:
            return part == ParameterPart::Norm || part == ParameterPart::NormBias;
    }
    return false;
}

bool has(std::uint32_t projections, Projection p) { return (projections >> static_cast<unsigned>(p) & 1U) != 0; }

Tensor made(Context& c, std::string_view name, const Shape& shape, Dtype dtype, bool trained) {
    Tensor out = c.r.parameter(shape, dtype, trained, c.copies);
    c.r.storage_of(out).module = name;
    c.parameters.push_back(out);
    return out;
}

}  // namespace

Tensor make_parameter(Context& c, std::string_view name, const Shape& shape, ParameterPart part, Projection p) {
    return made(c, name, shape, c.v.weights, c.trainable && trains(c, name, part, p));
}

namespace {

constexpr std::uint32_t bit(Projection p) { return std::uint32_t{1} << static_cast<unsigned>(p); }

// litgpt: one lora_A for all parts of the matrix that are adapted, and a lora_B each: of queries, values, keys.
[[gnu::noinline]] void add_fused_adapter(Context& c, Linear& l, DimId in) {
    const std::uint32_t on = c.v.adapter_projections;
    const std::int64_t adapted = (on & bit(Projection::Key)) != 0 ? 3 : 2;
    if ((on & bit(Projection::Query)) == 0) return;
    const DimId ranks = c.r.product(c.r.dim(adapted, adapted, Monomial{}), c.d.rank);
    const DimId widths[] = {c.d.query_width, c.d.kv_width, c.d.kv_width};
    AdapterParts parts;
    parts.tensors[0] = made(c, "lora_A", Shape{ranks, in}, c.v.adapter_dtype, true);
    for (std::int64_t i = 0; i < adapted; ++i)
        parts.tensors[static_cast<std::size_t>(i + 1)] =
            made(c, "lora_B", Shape{widths[i], c.d.rank}, c.v.adapter_dtype, true);
    parts.handle = l.adapter = c.r.resident(Shape{}, c.v.adapter_dtype);
    c.adapters.push_back(std::move(parts));
}

[[gnu::noinline]] void add_adapter(Context& c, Linear& l, Projection p, DimId in, DimId out, DimId rank) {
    if (c.v.library == LibraryVariant::Litgpt && p == Projection::Qkv && c.v.adapter == AdapterVariant::Lora)
        return add_fused_adapter(c, l, in);
    const Projection asked = c.v.library == LibraryVariant::Litgpt && p == Projection::Qkv ? Projection::Query : p;
    if (!c.trainable || c.v.adapter == AdapterVariant::Prompt || !has(c.v.adapter_projections, asked)) return;
    AdapterParts parts;
    const AdapterVariant adapter = p == Projection::Down ? at_down_projection(c.v.adapter) : c.v.adapter;
    std::size_t count = adapter == AdapterVariant::Ia3Input ? 1 : 0;  // behind that of the output
    const AdapterSides sides{c.r.size(rank), c.r.size(in), c.r.size(out)};
    for (const AdapterTensorRow& row : adapter_tensors(adapter)) {
        const auto side = [&](AdapterSide s) -> DimId {
            if (s <= AdapterSide::Out) return std::array<DimId, 4>{0, rank, in, out}[static_cast<std::size_t>(s)];
            const std::int64_t value = side_value(s, sides);
            return c.r.dim(value, value, Monomial{});
        };
        if (side_value(row.sides[0], sides) == 0) continue;
        const DimId first = side(row.sides[0]);
        const Shape shape = row.sides[1] == AdapterSide::One ? Shape{first} : Shape{first, side(row.sides[1])};
        const Dtype type = row.use == AdapterUse::Indices ? Dtype::Int64 : c.v.adapter_dtype;
        parts.tensors[count++] = made(c, row.name, shape, type, row.use == AdapterUse::Trained);
    }
    parts.handle = l.adapter = c.r.resident(Shape{}, c.v.adapter_dtype);
    c.adapters.push_back(std::move(parts));
}

// Quantised ones are stored as they are and never train; with 4 bits the bias takes the type of the product.
void make_matrix(Context& c, Linear& l, Projection p, const Shape& shape, DimId out, LinearBias bias) {
    const bool quantized = has(c.v.quantized_projections, p);
    l.weight = quantized ? made(c, l.name, shape, c.v.quantized, false)
                         : make_parameter(c, l.name, shape, ParameterPart::Weight, p);
    if (bias == LinearBias::No) return;
    const bool cast = quantized && c.v.quantized != Dtype::Int8;
    l.bias = cast ? made(c, l.name, Shape{out}, c.v.quantized_compute, false)
                  : make_parameter(c, l.name, Shape{out}, ParameterPart::Bias, p);
}

}  // namespace

Linear make_linear(Context& c, Projection p, std::string_view name, DimId in, DimId out, LinearBias bias) {
    Linear l;
    l.name = name;
    make_matrix(c, l, p, Shape{out, in}, out, bias);
    if (c.v.adapter != AdapterVariant::None) add_adapter(c, l, p, in, out, c.d.rank);
    return l;
}

void adapt_head(Context& c, Linear& l, DimId in) {
    if (c.v.adapter != AdapterVariant::None) add_adapter(c, l, Projection::Head, in, c.d.vocabulary, c.d.rank);
}

Linear make_conv1d(Context& c, Projection p, std::string_view name, DimId in, DimId out) {
    Linear l;
    l.name = name;
    make_matrix(c, l, p, has(c.v.quantized_projections, p) ? Shape{out, in} : Shape{in, out}, out, LinearBias::Yes);
    if (c.v.adapter != AdapterVariant::None) add_adapter(c, l, p, in, out, c.d.rank);
    return l;
}

// One adapter for all: each matrix has its rank, and gate and up, which are one, twice of it.
Linear make_matrices(Context& c, Projection p, std::string_view name, DimId count, DimId in, DimId out) {
    Linear l;
    l.name = name;
    l.weight = make_parameter(c, name, count == 0 ? Shape{out, in} : Shape{count, out, in}, ParameterPart::Weight, p);
    if (c.v.adapter != AdapterVariant::None)
        add_adapter(c, l, p, in, out, c.r.product(count, p == Projection::ExpertsUp ? c.d.double_rank : c.d.rank));
    return l;
}

NormWeights make_norm(Context& c, std::string_view name, DimId width) {
    NormWeights n;
    n.name = name;
    if (c.a.norm == Norm::LayerNormNonParametric) return n;
    n.weight = make_parameter(c, name, Shape{width}, ParameterPart::Norm);
    if (c.a.norm == Norm::LayerNorm) n.bias = make_parameter(c, name, Shape{width}, ParameterPart::NormBias);
    return n;
}

Tensor run(Context& c, const Linear& l, Tensor x) {
    const InModule module(c.r, l.name);
    const Tensor arguments[] = {std::move(x), l.weight, l.bias, l.adapter};
    return call(c, SharedFunction::Linear, arguments);
}

Tensor run(Context& c, const NormWeights& n, Tensor x) {
    const InModule module(c.r, n.name);
    const Tensor arguments[] = {std::move(x), n.weight, n.bias};
    return call(c, SharedFunction::Norm, arguments);
}

Tensor activation(Context& c, Tensor x) { return call(c, SharedFunction::Act, std::span(&x, 1)); }

}  // namespace memwall
