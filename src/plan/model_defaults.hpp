// The model of a scenario: catalogue row, config words by hand, or a bare number of parameters.
//
// Only plan/defaults.cpp includes this. Words given by hand stand over the catalogue's row.
#pragma once
#include "base/notes.hpp"
#include "base/result.hpp"
#include "plan/scenario.hpp"

namespace memwall {

// The sentence that refuses a model_type nobody knows; `where` is a field or a place in a file.
Error unknown_model_type(std::string_view where, std::string_view type);

// `given`: what the user stated; `completed` gets model.*.
Failure complete_model(const Scenario& given, Scenario& completed, Notes&);

}  // namespace memwall
