// Methods: what each of them trains, as the engine and the ledger read it.
//
// One row a method (methods.cpp), at its own index. Who teaches memwall a method adds a row here, the tensors of its
// adapter (model/adapters.cpp) and what is computed with them (model/programs).
#pragma once
#include "model/parameters.hpp"
#include "model/variant.hpp"
#include "plan/scenario.hpp"

namespace memwall {

struct MethodTraits {
    MethodName id;
    TrainVariant train;
    AdapterVariant adapter = AdapterVariant::None;
    std::uint64_t targets = 0;  // bits of TargetModule, where the user names none
    std::int64_t rank = 1;
    // Of those that train some layers at a time, taken to be the first ones, which need most: how many, and whether the
    // embedding and the head train all the time. What trained before is taken to have lost its states.
    std::int64_t layers_at_once = 0;
    bool trains_outside = false;
};
const MethodTraits& traits(MethodName);

bool trains(TrainVariant, const ParameterTensor&);  // of the methods that train one kind of parameters
std::uint64_t trained_roles(const Scenario&);       // bits of Role: named to be trained, beside adapters or alone
bool has_adapters(const Scenario&);                 // a training run with a method that puts adapters beside matrices
std::int64_t prompt_length(const Scenario&);        // trained tokens in front of the text; 0: none
bool has_quantized_base(const Scenario&);           // a training run over weights of few bits

bool quantizes_down(const Scenario&);  // the second matrix of an MLP
// Whether a tensor of the model is stored in the format of precision.weights, where that is one of few bits.
bool quantizes(const Scenario&, const ParameterTensor&);
// Whether queries, keys and values have 16 bits: the stream of an fp32 model around quantised matrices has not.
bool attends_in_16_bits(const Scenario&);
bool casts_bias(const Scenario&, const ParameterTensor&);  // of a 4-bit matrix: to the type of its product

}  // namespace memwall
