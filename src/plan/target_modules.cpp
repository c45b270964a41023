#include "plan/target_modules.hpp"

#include "base/word_list.hpp"

namespace memwall {
namespace {

// Where a row holds for adapters: in every model, in those whose experts keep out, in those whose experts are meant, in
// models of images, whose head peft takes for one of their linears, in bert, whose pooler is one; AsModule: for none,
// the word means the module where it trains or stays frozen as a whole.
enum class Holds : std::uint8_t { Always, WithoutExperts, InExperts, OfImages, InBert, AsModule };

struct TargetRow {
    TargetModule module;
    Role role;
    Holds holds = Holds::Always;
};
constexpr TargetRow kTargets[] = {
    {TargetModule::QProj, Role::QProj},
    {TargetModule::QProj, Role::CrossQProj},
    {TargetModule::KProj, Role::KProj},
    {TargetModule::KProj, Role::CrossKProj},
    {TargetModule::VProj, Role::VProj},
    {TargetModule::VProj, Role::CrossVProj},
    {TargetModule::OProj, Role::OProj},
    {TargetModule::OProj, Role::CrossOProj},
    {TargetModule::QAProj, Role::QLatentDown},
    {TargetModule::QBProj, Role::QLatentUp},
    {TargetModule::KvAProj, Role::KvLatentDown},
    {TargetModule::KvBProj, Role::KvLatentUp},
    {TargetModule::GateProj, Role::GateProj, Holds::WithoutExperts},
    {TargetModule::UpProj, Role::UpProj, Holds::WithoutExperts},
    {TargetModule::UpProj, Role::GateUpProj, Holds::WithoutExperts},
    {TargetModule::DownProj, Role::DownProj, Holds::WithoutExperts},
    {TargetModule::GateProj, Role::SharedGate, Holds::WithoutExperts},
    {TargetModule::UpProj, Role::SharedUp, Holds::WithoutExperts},
    {TargetModule::DownProj, Role::SharedDown, Holds::WithoutExperts},
    {TargetModule::SharedExpertGate, Role::SharedExpertGate},
    {TargetModule::GateProj, Role::ExpertsGateUp, Holds::InExperts},
    {TargetModule::UpProj, Role::ExpertsGateUp, Holds::InExperts},
    {TargetModule::DownProj, Role::ExpertsDown, Holds::InExperts},
    {TargetModule::Router, Role::Router, Holds::InExperts},
    {TargetModule::QkvProj, Role::QkvProj},
    {TargetModule::LmHead, Role::LmHead},
    {TargetModule::EmbeddingProjection, Role::EmbeddingProjection},
    {TargetModule::MlmTransform, Role::MlmTransform},
    {TargetModule::MlmTransform, Role::Pooler, Holds::InBert},
    {TargetModule::MlmTransform, Role::MlmNorm, Holds::AsModule},
    {TargetModule::UpProj, Role::ExpertsUp, Holds::AsModule},
    {TargetModule::EmbedTokens, Role::Embedding, Holds::AsModule},
    {TargetModule::EmbedTokens, Role::PerLayerEmbedding, Holds::AsModule},
    {TargetModule::InputLayernorm, Role::InputNorm, Holds::AsModule},
    {TargetModule::PostAttentionLayernorm, Role::PostAttentionNorm, Holds::AsModule},
    {TargetModule::Norm, Role::FinalNorm, Holds::AsModule},
    {TargetModule::QNorm, Role::QNorm, Holds::AsModule},
    {TargetModule::QNorm, Role::QLatentNorm, Holds::AsModule},
    {TargetModule::KNorm, Role::KNorm, Holds::AsModule},
    {TargetModule::KNorm, Role::KvLatentNorm, Holds::AsModule},
    {TargetModule::PreFeedforwardLayernorm, Role::PreFeedforwardNorm, Holds::AsModule},
    {TargetModule::PostFeedforwardLayernorm, Role::PostFeedforwardNorm, Holds::AsModule},
    {TargetModule::CrossAttentionLayernorm, Role::CrossNorm, Holds::AsModule},
    {TargetModule::EmbeddingNorm, Role::EmbeddingNorm, Holds::AsModule},
    {TargetModule::EmbedPositions, Role::PositionEmbedding, Holds::AsModule},
    {TargetModule::EmbedPositions, Role::TypeEmbedding, Holds::AsModule},
    {TargetModule::EmbedPositions, Role::RelativeBias, Holds::AsModule},
    {TargetModule::Sinks, Role::Sinks, Holds::AsModule},
    {TargetModule::Classifier, Role::Classifier, Holds::OfImages},
    {TargetModule::Classifier, Role::Pooler, Holds::AsModule},
    {TargetModule::VisionTower, Role::Vision, Holds::AsModule},
    {TargetModule::VisionTower, Role::Convolution, Holds::AsModule},
    {TargetModule::VisionTower, Role::Other, Holds::AsModule},
    {TargetModule::MultiModalProjector, Role::Projector, Holds::AsModule},
};

constexpr WordList kAdaptedExperts = "mixtral|qwen3_moe|deepseek_v2|deepseek_v3|kimi_k2";

bool is_matrix(const ParameterTensor& t) {
    const bool own = t.tying == Tying::Own || t.role == Role::LmHead;  // a tied head is a linear of its own
    return t.kind == ParameterKind::Weight && own && t.copies.value > 0 && dimensions(t).size() >= 2;
}

bool holds(const Architecture& a, const TargetRow& row) {
    if (row.holds == Holds::Always) return true;
    if (row.holds == Holds::AsModule) return false;
    if (row.holds == Holds::OfImages) return a.kind == ArchitectureKind::Vision && a.num_attention_heads > 0;
    if (row.holds == Holds::InBert) return a.model_type == "bert" && a.task_head == TaskHead::SequenceClassification;
    if (row.role == Role::Router) return adapts_router(a);
    return (row.holds == Holds::InExperts) == adapts_experts(a);
}

}  // namespace

bool adapts_experts(const Architecture& a) {
    for (const std::string_view type : kAdaptedExperts)
        if (type == a.model_type) return a.num_experts > 0;
    return false;
}

bool adapts_router(const Architecture& a) { return adapts_experts(a) && a.kv_lora_rank == 0; }

bool is_target(const Architecture& a, std::uint64_t modules, const ParameterTensor& t) {
    if (!is_matrix(t)) return false;
    for (const TargetRow& row : kTargets)
        if (row.role == t.role && (modules & target_bit(row.module)) != 0 && holds(a, row)) return true;
    return false;
}

std::uint64_t existing_targets(const Architecture& a) {
    std::uint64_t out = 0;
    for (const ParameterTensor& t : parameters(a))
        for (const TargetRow& row : kTargets)
            if (row.role == t.role && is_matrix(t) && holds(a, row)) out |= target_bit(row.module);
    return out;
}

std::uint64_t existing_modules(const Architecture& a) {
    const bool classifies = a.task_head == TaskHead::SequenceClassification;  // others leave the pooler out
    std::uint64_t out = 0;
    for (const ParameterTensor& t : parameters(a))
        for (const TargetRow& row : kTargets)
            if (row.role == t.role && t.copies.value > 0 && row.holds != Holds::InBert &&
                (row.role != Role::Pooler || classifies))
                out |= target_bit(row.module);
    return out;
}

std::uint64_t roles_of(std::uint64_t modules) {
    std::uint64_t out = 0;
    for (const TargetRow& row : kTargets)
        if ((modules & target_bit(row.module)) != 0 && row.holds != Holds::InBert) out |= role_bit(row.role);
    return out;
}

namespace {

using enum TargetModule;
constexpr std::uint64_t bits(std::initializer_list<TargetModule> modules) {
    std::uint64_t out = 0;
    for (const TargetModule m : modules)
        out |= target_bit(m);
    return out;
}

// Families for which peft takes others than for most. Source: huggingface/peft 0.20, utils/constants.py.
struct OwnTargets {
    AdapterVariant adapter;
    std::string_view model_type;
    std::uint64_t modules;
};
constexpr std::uint64_t kAllSix = bits({QProj, KProj, VProj, OProj, UpProj, DownProj}),
                        kQueryValueDown = bits({QProj, VProj, DownProj});
constexpr OwnTargets kOwn[] = {
    {AdapterVariant::Ia3, "roberta", bits({KProj, VProj, OProj, DownProj})},
    {AdapterVariant::Ia3, "bert", bits({KProj, VProj, OProj, DownProj})},
    {AdapterVariant::Ia3, "opt", bits({QProj, KProj, DownProj})},
    {AdapterVariant::Ia3, "mt5", bits({KProj, VProj, UpProj})},
    {AdapterVariant::Adalora, "t5", kAllSix},
    {AdapterVariant::Adalora, "mt5", kAllSix | target_bit(GateProj)},
    {AdapterVariant::Adalora, "bart", kAllSix},
    {AdapterVariant::Adalora, "opt", kAllSix},
    {AdapterVariant::Adalora, "roberta", kAllSix},
};
// IA3 takes queries in place of keys.
constexpr WordList kQueriesOfIa3 = "gptj|gpt_neo|bart|llama4|phi|gemma|gemma2|gemma3_text|qwen2|qwen3";

}  // namespace

std::uint64_t wanted_targets(const Architecture& a, AdapterVariant adapter, std::uint64_t usual) {
    for (const OwnTargets& row : kOwn)
        if (row.adapter == adapter && row.model_type == a.model_type) return row.modules;
    for (const std::string_view type : kQueriesOfIa3)
        if (adapter == AdapterVariant::Ia3 && type == a.model_type) return kQueryValueDown;
    const bool alike = adapter != AdapterVariant::Ia3 && adapter != AdapterVariant::Adalora &&
                       adapter != AdapterVariant::Vera && adapter != AdapterVariant::Bottleneck;
    return alike && a.model_type == "phi" ? usual | target_bit(UpProj) | target_bit(DownProj) : usual;
}

std::uint64_t all_linear(const Architecture& a) { return existing_targets(a) & ~target_bit(TargetModule::LmHead); }

std::uint64_t default_targets(const Architecture& a, std::uint64_t wanted) {
    const std::uint64_t existing = existing_targets(a);
    constexpr std::uint64_t kSeparate =
        target_bit(TargetModule::QProj) | target_bit(TargetModule::KProj) | target_bit(TargetModule::VProj);
    const bool joined = (wanted & kSeparate) != 0 && (existing & kSeparate) == 0;
    return (wanted | (joined ? target_bit(TargetModule::QkvProj) : 0)) & existing;
}

}  // namespace memwall
