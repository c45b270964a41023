#include "plan/methods.hpp"

#include <array>

#include "base/word_list.hpp"
#include "plan/implementation_version.hpp"
#include "plan/target_modules.hpp"

namespace memwall {

namespace {

using enum TrainVariant;
using M = MethodName;

using A = AdapterVariant;
constexpr std::uint64_t kQueryValue = target_bit(TargetModule::QProj) | target_bit(TargetModule::VProj),
                        kOut = target_bit(TargetModule::OProj), kDown = target_bit(TargetModule::DownProj),
                        kIa3 = target_bit(TargetModule::KProj) | target_bit(TargetModule::VProj) | kDown;
constexpr std::uint64_t kEveryMatrix = kIa3 | kQueryValue | kOut | target_bit(TargetModule::GateProj) |
                                       target_bit(TargetModule::UpProj) | target_bit(TargetModule::LmHead);
constexpr std::uint64_t kNorms = target_bit(TargetModule::InputLayernorm) |
                                 target_bit(TargetModule::PostAttentionLayernorm) | target_bit(TargetModule::Norm);
constexpr std::int64_t kLoraRank = 8, kVeraRank = 256, kBottleneck = 64, kAdaloraRank = 12, kBoftBlock = 4,
                       kOftBlock = 32;

constexpr std::array kMethods = {
    MethodTraits{M::Full, Full},
    MethodTraits{M::Freeze, Freeze},
    MethodTraits{M::Lora, Adapters, A::Lora, kQueryValue, kLoraRank},
    MethodTraits{M::Qlora, Adapters, A::Lora, kQueryValue, kLoraRank},
    MethodTraits{M::Dora, Adapters, A::Dora, kQueryValue, kLoraRank},
    MethodTraits{M::Adalora, Adapters, A::Adalora, kQueryValue, kAdaloraRank},
    MethodTraits{M::Loha, Adapters, A::Loha, kQueryValue, kLoraRank},
    MethodTraits{M::Lokr, Adapters, A::Lokr, kQueryValue, kLoraRank},
    MethodTraits{M::Boft, Adapters, A::Boft, kQueryValue, kBoftBlock},
    MethodTraits{M::Oft, Adapters, A::Oft, kQueryValue, kOftBlock},
    MethodTraits{M::Vera, Adapters, A::Vera, kQueryValue, kVeraRank},
    MethodTraits{M::Adapter, Adapters, A::Prompt, kOut},
    MethodTraits{M::AdapterV2, Adapters, A::PromptAndScale, kEveryMatrix},
    MethodTraits{M::AdaptionPrompt, Adapters},
    MethodTraits{M::Ia3, Adapters, A::Ia3, kIa3, 1},
    MethodTraits{M::LnTuning, Norms},
    MethodTraits{M::Bitfit, Biases},
    MethodTraits{M::Prefix, Adapters},
    MethodTraits{M::PromptTuning, Adapters, A::TextPrompt},
    MethodTraits{M::Ptuning, Adapters, A::EncodedPrompt},
    MethodTraits{M::TrainableTokens, Adapters},
    MethodTraits{M::Rslora, Adapters, A::Lora, kQueryValue, kLoraRank},
    MethodTraits{M::LoraFa, Adapters, A::LoraFa, kQueryValue, kLoraRank},
    MethodTraits{M::Houlsby, Adapters, A::Bottleneck, kOut | kDown, kBottleneck},
    MethodTraits{M::Pfeiffer, Adapters, A::Bottleneck, kDown, kBottleneck},
    MethodTraits{.id = M::Lisa, .train = Freeze, .layers_at_once = 2, .trains_outside = true},
    MethodTraits{.id = M::Badam, .train = Freeze, .layers_at_once = 1},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < kMethods.size(); ++i)
        if (static_cast<std::size_t>(kMethods[i].id) != i) return false;
    return true;
}
static_assert(in_order() && kMethods.size() == static_cast<std::size_t>(M::Badam) + 1);

bool is_linear(const ParameterTensor& t) {
    const Module m = module_of(t.role);
    return t.kind == ParameterKind::Weight && dimensions(t).size() >= 2 &&
           (m == Module::Attention || m == Module::Mlp || m == Module::Experts || t.role == Role::EmbeddingProjection);
}

}  // namespace

const MethodTraits& traits(MethodName method) { return kMethods[static_cast<std::size_t>(method)]; }

bool trains(TrainVariant train, const ParameterTensor& t) {
    const bool bias = t.kind == ParameterKind::Bias && t.suffix != kScoreCorrection;  // which is a buffer
    return (train == Biases && bias) || (train == Norms && module_of(t.role) == Module::Norm);
}

// What is named and tied is trained by either name.
std::uint64_t trained_roles(const Scenario& s) {
    const TrainVariant train = traits(s.method.name).train;
    if (s.method.name == MethodName::AdapterV2) return roles_of(kNorms);
    if (train == TrainVariant::Adapters) {  // peft saves what ends with the word, as distilbert's pre_classifier
        const bool pooler = s.model.architecture.model_type == "distilbert";
        return roles_of(s.method.modules_to_save) & ~(pooler ? 0 : role_bit(Role::Pooler));
    }
    if (train != TrainVariant::Freeze || s.method.target_modules == 0) return kAllRoles;
    const std::uint64_t roles = roles_of(s.method.target_modules);
    const bool tied = s.model.architecture.tie_word_embeddings && (roles & role_bit(Role::LmHead)) != 0;
    return roles | (tied ? role_bit(Role::Embedding) : 0);
}

bool has_adapters(const Scenario& s) {
    return s.task != Task::Inference && traits(s.method.name).adapter != AdapterVariant::None;
}

std::int64_t prompt_length(const Scenario& s) {
    return has_adapters(s) && leads_text(traits(s.method.name).adapter) ? s.method.prompt_length : 0;
}

bool has_quantized_base(const Scenario& s) {
    return s.task != Task::Inference && s.precision.weights > WeightFormat::F16;
}

bool attends_in_16_bits(const Scenario& s) {
    const bool fp32_stream =
        has_quantized_base(s) && !s.precision.autocast && s.precision.unquantized_dtype == FloatDtype::Fp32;
    return s.precision.compute != ComputeDtype::Fp32 && !fp32_stream;
}

bool casts_bias(const Scenario& s, const ParameterTensor& t) {
    const Module m = module_of(t.role);
    return has_quantized_base(s) && s.precision.weights != WeightFormat::Int8 && t.kind == ParameterKind::Bias &&
           (m == Module::Attention || m == Module::Mlp);
}

// t5's wo is one of transformers' _keep_in_fp32_modules, which bitsandbytes leaves alone.
bool quantizes_down(const Scenario& s) {
    const Architecture& a = s.model.architecture;
    return a.position != Position::Relative || s.precision.quantized_modules == QuantizedModules::Gguf;
}

namespace {

// bitsandbytes replaces linears: experts joined in one parameter stay, as those of transformers 5 and of some families.
bool quantizes_experts(const Scenario& s) {
    constexpr WordList kJoined = "gpt_oss|llama4|qwen3_vl_moe";
    for (const std::string_view type : kJoined)
        if (type == s.model.architecture.model_type) return false;
    return library_of(s) == LibraryVariant::Transformers4;
}

// Apart, so that a first answer need not have it.
[[gnu::noinline]] bool takes_few_bits(const Scenario& s, const ParameterTensor& t) {
    if (t.role == Role::DownProj && !quantizes_down(s)) return false;
    if (s.precision.weights == WeightFormat::Mxfp4Experts) return module_of(t.role) == Module::Experts && is_linear(t);
    const bool of_experts = t.role == Role::ExpertsGateUp || t.role == Role::ExpertsUp || t.role == Role::ExpertsDown;
    if (of_experts && s.task != Task::Inference && !quantizes_experts(s)) return false;
    switch (s.precision.quantized_modules) {
        case QuantizedModules::Linear:
            return is_linear(t);
        case QuantizedModules::LinearAndLmHead:
            return is_linear(t) || t.role == Role::LmHead;
        case QuantizedModules::Gguf:
            return t.kind == ParameterKind::Weight && dimensions(t).size() >= 2;
    }
    return false;
}

}  // namespace

bool quantizes(const Scenario& s, const ParameterTensor& t) {
    return s.precision.weights > WeightFormat::F16 && takes_few_bits(s, t);
}

}  // namespace memwall
