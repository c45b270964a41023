#include "memory/residents.hpp"

#include <algorithm>

#include "memory/dtype_choices.hpp"
#include "model/families.hpp"
#include "plan/methods.hpp"
#include "plan/target_modules.hpp"

namespace memwall {

namespace {

// The classifiers of CLIP and SigLIP take the mean of the patches: the norm of the class token and the pooling head
// never get a gradient, although they ask for one.
bool is_never_reached(const Architecture& a, const ParameterTensor& t) {
    const bool unused_norm = t.role == Role::FinalNorm && family(a.model_type).block == BlockFamily::ClipVision;
    const bool unused_head = family(a.model_type).block == BlockFamily::SiglipVision && t.scope == "vision_model.head.";
    return unused_norm || unused_head;
}

// What corrects a router's scores is a buffer of the module, and whisper's encoder has fixed waves for positions.
bool is_fixed(const Architecture& a, const ParameterTensor& t) {
    const bool waves = a.encoder_decoder.max_source_positions > 0 && t.stem == "model.encoder.embed_positions";
    return waves || t.suffix == kScoreCorrection;
}

// Copies in the layers that are not left as they were; layers that share one tensor (albert) have it once.
std::int64_t chosen_copies(const Scenario& s, const ParameterTensor& t) {
    const std::int64_t at_once = traits(s.method.name).layers_at_once, first = s.method.first_trainable_layer;
    const std::int64_t layers = stacked_layers(s.model.architecture);
    std::int64_t out = 0;
    for (std::int64_t layer = first; layer < (at_once > 0 ? std::min(first + at_once, layers) : layers); ++layer)
        out += t.layers.test(static_cast<std::size_t>(layer)) ? 1 : 0;
    return std::min(out, t.copies.value);
}

// How many of a tensor's copies train.
std::int64_t trained_copies(const Scenario& s, const ParameterTensor& t) {
    if (s.task == Task::Inference || is_fixed(s.model.architecture, t)) return 0;
    const TrainVariant train = traits(s.method.name).train;
    if (train == TrainVariant::Full) return t.copies.value;
    if (train != TrainVariant::Freeze) return trains(train, t) ? t.copies.value : 0;
    const std::uint64_t roles = trained_roles(s);
    if ((roles & role_bit(t.role)) == 0) return 0;
    if (traits(s.method.name).layers_at_once > 0 && t.stack == Stack::Outside)
        return traits(s.method.name).trains_outside ? t.copies.value : 0;
    const bool in_layers = t.stack == Stack::Layers || t.stack == Stack::Encoder || t.stack == Stack::Decoder;
    if (roles != kAllRoles && !in_layers) return t.copies.value;
    const Module m = module_of(t.role);
    const bool sees = s.model.architecture.kind == ArchitectureKind::Vision;
    if (is_never_reached(s.model.architecture, t)) return t.copies.value;
    if (t.stack == Stack::Outside && sees && t.role != Role::FinalNorm && t.role != Role::Classifier) return 0;
    if (t.stack == Stack::Outside)
        return m == Module::Embedding || m == Module::Position || t.role == Role::EmbeddingNorm ||
                       t.role == Role::Convolution
                   ? 0
                   : t.copies.value;
    return chosen_copies(s, t);
}

bool carries_adapter(const Scenario& s, const ParameterTensor& t) {
    return has_adapters(s) && is_target(s.model.architecture, s.method.target_modules, t);
}

Factor copies_of(const Factor& copies, std::int64_t count) {
    return count == copies.value ? copies : Factor{"layers of this kind", count, 0, 0};
}

void set_factors(const ParameterTensor& t, ResidentTensor& r) {
    const std::vector<std::int64_t> dims = dimensions(t);
    if (dims.size() < 2) return;
    const std::int64_t all = elements(t).value;
    if (all == 0) return;
    r.rows = all / dims[dims.size() - 1];
    r.columns = all / dims[dims.size() - 2];
}

struct MatrixSides {
    std::int64_t out, in;
};

// gpt2 stores its matrices the other way round.
MatrixSides sides_of(const Architecture& a, const std::vector<std::int64_t>& dims) {
    const std::int64_t rows = dims[dims.size() - 2], columns = dims[dims.size() - 1];
    return family(a.model_type).names == TensorNames::Gpt2 ? MatrixSides{columns, rows} : MatrixSides{rows, columns};
}

[[gnu::noinline]] void add_adapters(const Scenario& s, const ParameterTensor& t, std::vector<ResidentTensor>& out) {
    const std::vector<std::int64_t> dims = dimensions(t);
    // One adapter for all experts: each has its rank, and gate and up, which are one matrix, twice of it.
    const std::int64_t experts = dims.size() == 3 ? dims[0] : 1, joined = t.role == Role::ExpertsGateUp ? 2 : 1;
    const auto [out_features, in_features] = sides_of(s.model.architecture, dims);
    AdapterSides sides{s.method.rank * experts * joined, in_features, out_features};
    // litgpt: one lora_A for all adapted parts of the joint matrix, as wide as their ranks.
    const Architecture& a = s.model.architecture;
    const bool of_parts = s.implementation.name == ImplementationName::Litgpt && t.role == Role::QkvProj;
    const std::int64_t parts = !of_parts ? 1 : has_target(s.method.target_modules, TargetModule::KProj) ? 3 : 2;
    if (of_parts) sides.out = query_width(a) + key_value_width(a) * (parts - 1);
    AdapterVariant adapter = traits(s.method.name).adapter;
    if (t.role == Role::DownProj) adapter = at_down_projection(adapter);
    for (const AdapterTensorRow& row : adapter_tensors(adapter)) {
        const auto is_empty = [&](AdapterSide side) { return side_value(side, sides) == 0; };
        if (row.use == AdapterUse::Shared || std::any_of(row.sides.begin(), row.sides.end(), is_empty)) continue;
        ResidentTensor r;
        r.name = name(t.role);
        r.detail = row.name;
        r.title = title(t.role);
        for (const AdapterSide side : row.sides) {
            if (side == AdapterSide::One) continue;
            const auto dimension = static_cast<std::uint8_t>(side == row.sides[0] ? 0 : 1);
            const auto times = [&](std::string_view of, std::int64_t value) {
                r.own[r.own_factors++] = {of, value, dimension, 0};
            };
            if (side != AdapterSide::Rank) {
                times(name(side), side_value(side, sides));
                continue;
            }
            times(name(side), s.method.rank);
            if (experts > 1) times("num_experts", experts);
            if (joined > 1) times("gate and up", joined);
            if (parts > 1 && dimension == 0) times("adapted parts", parts);
        }
        r.copies = t.stack == Stack::Outside ? t.copies : copies_of(t.copies, chosen_copies(s, t));
        if (r.copies.value == 0) continue;
        if (row.sides[1] != AdapterSide::One) {
            r.rows = side_value(row.sides[0], sides) * (row.sides[0] == AdapterSide::Rank ? parts : 1);
            r.columns = side_value(row.sides[1], sides);
        }
        r.indices = row.use == AdapterUse::Indices;
        r.adapter = !r.indices;
        r.asks = row.use == AdapterUse::Trained;
        r.trainable = r.asks && !is_never_reached(a, t);
        out.push_back(r);
    }
}

// Matrices that all adapters share: as long as the longest sides of those that have one.
[[gnu::noinline]] void add_shared(const Scenario& s, std::vector<ResidentTensor>& out, const ResidentTensors& tensors) {
    AdapterSides sides{s.method.rank, 0, 0};
    for (const ParameterTensor& t : *tensors.parameters) {
        if (!is_target(s.model.architecture, s.method.target_modules, t)) continue;
        const auto [out_features, in_features] = sides_of(s.model.architecture, dimensions(t));
        sides.in = std::max(sides.in, in_features);
        sides.out = std::max(sides.out, out_features);
    }
    for (const AdapterTensorRow& row : adapter_tensors(traits(s.method.name).adapter)) {
        if (row.use != AdapterUse::Shared) continue;
        ResidentTensor r;
        r.name = row.name;
        r.title = "Shared adapter matrix";
        for (const AdapterSide side : row.sides)
            r.own[r.own_factors++] = {name(side), side_value(side, sides), r.own_factors, 0};
        r.adapter = true;
        r.trainable = r.asks = false;
        out.push_back(r);
    }
}

// Of every attention from some layer on.
[[gnu::noinline]] void add_prompts(const Scenario& s, std::vector<ResidentTensor>& out) {
    const Architecture& a = s.model.architecture;
    const Factor layers{"layers of this kind", a.num_hidden_layers - s.method.adapter_start_layer, 0, 0};
    const Factor tokens{"tokens", s.method.prompt_length, 0, 0}, width{"hidden_size", a.hidden_size, 1, 0},
        heads{"num_attention_heads", a.num_attention_heads, 0, 0};
    ResidentTensor r;
    r.copies = layers;
    r.adapter = r.trainable = r.asks = true;
    r.name = "adapter_wte";
    r.title = "Prompt";
    r.own = {tokens, width};
    r.own_factors = 2;
    r.rows = tokens.value;
    r.columns = width.value;
    out.push_back(r);
    r.name = "gating_factor";
    r.title = "Prompt";
    r.own[0] = heads;
    r.own_factors = 1;
    r.rows = r.columns = 0;
    out.push_back(r);
}

// Embeddings of trained tokens, and the three linears that make them.
[[gnu::noinline]] void add_text_prompt(const Scenario& s, std::vector<ResidentTensor>& out) {
    const Architecture& a = s.model.architecture;
    const Factor width{"hidden_size", a.embedding_size > 0 ? a.embedding_size : a.hidden_size, 0, 0};
    const auto add = [&](std::string_view name, std::int64_t copies, std::initializer_list<Factor> sides) {
        ResidentTensor r;
        r.name = "prompt";
        r.detail = name;
        r.title = "Trained prompt";
        for (const Factor& side : sides)
            r.own[r.own_factors++] = {side.name, side.value, static_cast<std::uint8_t>(r.own_factors), 0};
        r.copies = {"linears", copies, 0, 0};
        if (sides.size() == 2) {
            r.rows = sides.begin()[0].value;
            r.columns = sides.begin()[1].value;
        }
        r.adapter = true;
        out.push_back(r);
    };
    add("embedding", 1, {{"prompt_length", s.method.prompt_length, 0, 0}, width});
    if (traits(s.method.name).adapter != AdapterVariant::EncodedPrompt) return;
    add("weight", 3, {width, width});
    add("bias", 3, {width});
}

// The scales of LLM.int8, one for each row.
[[gnu::noinline]] void add_row_scales(const ParameterTensor& t, std::vector<ResidentTensor>& out) {
    ResidentTensor r;
    r.name = name(t.role);
    r.detail = "row scales";
    r.title = title(t.role);
    r.own[0] = {"out_features", dimensions(t)[0], 0, 0};
    r.own_factors = 1;
    r.copies = t.copies;
    r.trainable = r.asks = false;
    r.row_scales = true;
    out.push_back(r);
}

ResidentTensor all_parameters(const Scenario& s) {
    ResidentTensor r;
    r.name = "all_parameters";
    r.title = "All parameters";
    r.own[0] = {"parameters", s.model.architecture.total_parameters, 0, 0};
    r.own_factors = 1;
    r.trainable = r.asks = s.task != Task::Inference;
    r.quantized = !is_plain(dtype_of(s.precision.weights));
    return r;
}

}  // namespace

ResidentTensors resident_tensors(const Scenario& s) {
    ResidentTensors out{shared_parameters(s.model.architecture), {}};
    if (out.parameters->empty()) out.list.push_back(all_parameters(s));
    out.list.reserve(out.parameters->size() + 8);
    for (const ParameterTensor& t : *out.parameters) {
        const bool saved = has_adapters(s) && (trained_roles(s) & role_bit(t.role)) != 0;
        const bool shares = t.tying == Tying::SharesEmbedding && !saved;
        if (t.copies.value == 0) continue;
        if (shares) {
            if (carries_adapter(s, t)) add_adapters(s, t, out.list);
            continue;
        }
        const std::int64_t trained = trained_copies(s, t);
        const auto add = [&](std::int64_t count, bool trainable) {
            if (count == 0) return;
            ResidentTensor r;
            r.name = name(t.role);
            if (t.kind == ParameterKind::Bias) r.detail = "bias";
            r.title = title(t.role);
            r.parameter = &t;
            r.copies = copies_of(t.copies, count);
            r.asks = trainable;
            r.trainable = trainable && !is_never_reached(s.model.architecture, t);
            r.quantized = quantizes(s, t);
            set_factors(t, r);
            out.list.push_back(r);
        };
        const bool in_place = saved && s.method.name == MethodName::AdapterV2;
        if (t.tying == Tying::Own && !in_place) add(t.copies.value - trained, false);
        add(saved ? t.copies.value : trained, true);  // peft trains a copy of what it saves
        if (s.precision.weights == WeightFormat::Int8 && quantizes(s, t)) add_row_scales(t, out.list);
        if (carries_adapter(s, t)) add_adapters(s, t, out.list);
    }
    if (prompt_length(s) > 0) add_text_prompt(s, out.list);
    if (has_adapters(s) && prompt_length(s) == 0) add_shared(s, out.list, out);
    if (has_adapters(s) && has_prompts(traits(s.method.name).adapter)) add_prompts(s, out.list);
    return out;
}

Count size_of(const ResidentTensor& t) {
    if (t.parameter) return elements(*t.parameter);
    std::int64_t out = 1;
    for (const Factor& factor : t.shape())
        out *= factor.value;
    return Count(out);
}

Count trainable_parameters(const ResidentTensors& tensors) {
    Count out;
    for (const ResidentTensor& t : tensors.list)
        if (t.asks) out += t.copies.value * size_of(t);
    return out;
}

}  // namespace memwall
