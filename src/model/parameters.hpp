// Parameters: every kind of tensor of a model, once, with its name, shape and number of copies.
//
// parameters() lists them in the order in which the model code registers them (transformers 5.12), so a
// list of names and shapes equals that of the real model; total = sum of copies x elements. A shape is a
// list of dimensions, each a sum of products of named numbers: factors carry their dimension and term.
// The formulas were written from the model code; tests hold them against the published counts of the
// catalogue and against tensor shapes of real model code.
#pragma once
#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/architecture.hpp"

namespace memwall {

// clang-format off
enum class Role : std::uint8_t {
    Embedding, PositionEmbedding, TypeEmbedding, EmbeddingProjection, EmbeddingNorm, PerLayerEmbedding, QProj, KProj,
    VProj, QkvProj, OProj, QNorm, KNorm, AttentionNorm, AttentionGate, Sinks, RelativeBias, QLatentDown, QLatentNorm,
    QLatentUp, KvLatentDown, KvLatentNorm, KvLatentUp, Indexer, CrossQProj, CrossKProj, CrossVProj, CrossOProj,
    InputNorm, PostAttentionNorm, PreFeedforwardNorm, PostFeedforwardNorm, CrossNorm, MlpNorm, FinalNorm, GateProj,
    UpProj, GateUpProj, DownProj, MlpScalars, Router, ExpertsGateUp, ExpertsUp, ExpertsDown, SharedGate, SharedUp,
    SharedDown, SharedExpertGate, LinearAttention, Mamba, ShortConvolution, LmHead, MlmTransform, MlmNorm, Pooler,
    LayerScale, Classifier, Vision, Projector, Convolution, Diffusion, Other,
};
// clang-format on
inline constexpr int kRoles = static_cast<int>(Role::Other) + 1;
constexpr std::uint64_t role_bit(Role role) { return std::uint64_t{1} << static_cast<unsigned>(role); }
static_assert(kRoles <= 64);
std::string_view name(Role);   // "q_proj": words of the records where they have one
std::string_view title(Role);  // "Query projection"

enum class Module : std::uint8_t { Embedding, Position, Attention, Mlp, Experts, Norm, LmHead, Vision, Other };
inline constexpr int kModules = static_cast<int>(Module::Other) + 1;
std::string_view name(Module);
Module module_of(Role);

// Which repeated part of the model holds the tensor.
enum class Stack : std::uint8_t { Outside, Layers, Encoder, Decoder, Vision, Text };
enum class ParameterKind : std::uint8_t { Weight, Bias };
enum class Tying : std::uint8_t { Own, SharesEmbedding };  // SharesEmbedding: listed, counts no parameters

struct Factor {
    std::string_view name;  // static storage: "num_attention_heads", or "q, k and v" for a plain number
    std::int64_t value = 0;
    std::uint8_t dimension = 0;  // of the shape; ascending
    std::uint8_t term = 0;       // of the sum inside the dimension; ascending
};

using LayerSet = std::bitset<kMaxLayers>;

struct ParameterTensor {
    std::string_view prefix, scope, stem, suffix;  // "model.layers.*.", "self_attn.", "q_proj", ".weight"
    Role role{};
    Stack stack = Stack::Outside;
    ParameterKind kind = ParameterKind::Weight;
    Tying tying = Tying::Own;
    std::vector<Factor> shape;
    Factor copies{"one", 1, 0, 0};  // {"num_hidden_layers", 32}
    LayerSet layers;                // which layers of its stack have it (not filled for Vision and Text)
};

inline constexpr std::string_view kScoreCorrection = ".e_score_correction_bias";
std::string name(const ParameterTensor&);  // with `*` for the layer
std::vector<std::int64_t> dimensions(const ParameterTensor&);
Count elements(const ParameterTensor&);       // of one copy
Count parameters_of(const ParameterTensor&);  // all copies; 0 where storage is shared
bool is_expert(const ParameterTensor&);       // of the routed experts: first dimension num_experts

// Needs an architecture that passed check(). Empty for ParameterCount and TotalOnly.
std::vector<ParameterTensor> parameters(const Architecture&);

// The same list, kept for the architectures asked for last: one estimate reads it several times.
std::shared_ptr<const std::vector<ParameterTensor>> shared_parameters(const Architecture&);

struct ParameterCounts {
    Count total;
    Count active;  // per token: routed experts that a token does not choose left out
    Count by_module[kModules];
};
// Of the formula, or the given total where there is none.
ParameterCounts count_parameters(const Architecture&);

// A letter of the layer pattern: 'F' where there is no pattern.
char layer_letter(const Architecture&, std::int64_t layer);
bool is_moe_layer(const Architecture&, std::int64_t layer);
bool has_sliding_layers(const Architecture&);
std::int64_t intermediate_size(const Architecture&, std::int64_t layer);

}  // namespace memwall
