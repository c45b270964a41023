#include "plan/methods.hpp"

#include <array>
#include <cassert>

namespace memwall {

namespace {

using enum TrainVariant;
using M = MethodName;

constexpr std::array kMethods = {
    MethodTraits{M::Full, Full},
    MethodTraits{M::Freeze, Freeze},
    MethodTraits{M::Lora, Adapters, AdapterVariant::Lora},
    MethodTraits{M::Qlora, Adapters, AdapterVariant::Lora},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < kMethods.size(); ++i)
        if (static_cast<std::size_t>(kMethods[i].id) != i) return false;
    return true;
}
static_assert(in_order());

bool is_linear(const ParameterTensor& t) {
    const Module m = module_of(t.role);
    return t.kind == ParameterKind::Weight && dimensions(t).size() >= 2 &&
           (m == Module::Attention || m == Module::Mlp || m == Module::Experts || t.role == Role::EmbeddingProjection);
}

}  // namespace

const MethodTraits& traits(MethodName method) {
    const auto index = static_cast<std::size_t>(method);
    return kMethods[index < kMethods.size() ? index : 0];  // the field refuses the others
}

bool has_adapters(const Scenario& s) {
    return s.task != Task::Inference && traits(s.method.name).adapter != AdapterVariant::None;
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

bool quantizes(const Scenario& s, const ParameterTensor& t) {
    if (s.precision.weights <= WeightFormat::F16) return false;
    if (s.precision.weights == WeightFormat::Mxfp4Experts) return module_of(t.role) == Module::Experts && is_linear(t);
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

}  // namespace memwall
