// Scenarios and estimates from field keys and words, as a user types them.
#pragma once
#include <catch_amalgamated.hpp>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "estimate/estimate.hpp"
#include "plan/fields.hpp"

namespace memwall {

using Setting = std::pair<std::string_view, std::string_view>;

inline Scenario scenario_of(const std::vector<Setting>& settings) {
    Scenario scenario;
    for (const auto& [key, words] : settings) {
        const Failure wrong = set_field(scenario, key, words);
        INFO(key << " = " << words << ": " << (wrong ? wrong->message : ""));
        REQUIRE_FALSE(wrong);
    }
    return scenario;
}

inline Scenario scenario_of(std::initializer_list<Setting> settings) {
    return scenario_of(std::vector<Setting>(settings));
}

inline Estimate estimate_of(const std::vector<Setting>& settings) {
    auto made = estimate(scenario_of(settings));
    INFO((made ? "" : made.error().where + ": " + made.error().message));
    REQUIRE(made);
    return std::move(*made);
}

inline Estimate estimate_of(std::initializer_list<Setting> settings) {
    return estimate_of(std::vector<Setting>(settings));
}

}  // namespace memwall
