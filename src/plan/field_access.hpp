// How a row of the field table reaches its member of a scenario: by a path of member pointers.
#pragma once
#include <string>
#include <type_traits>
#include <utility>

#include "plan/fields.hpp"

namespace memwall {

template <auto... Path>
struct MemberAt {
    static std::int64_t get(const Scenario& s) { return static_cast<std::int64_t>((s.*....*Path)); }
    static void set(Scenario& s, std::int64_t value) {
        using Member = std::remove_reference_t<decltype((s.*....*Path))>;
        (s.*....*Path) = static_cast<Member>(value);
    }
    static const std::string& text(const Scenario& s) { return (s.*....*Path); }
    static void set_text(Scenario& s, std::string value) { (s.*....*Path) = std::move(value); }
};

// at<&Scenario::batch, &Batch::micro_batch_size>()
template <auto... Path>
constexpr FieldAccess at() {
    return {.get = MemberAt<Path...>::get, .set = MemberAt<Path...>::set};
}
template <auto... Path>
constexpr FieldAccess text_at() {
    return {.text = MemberAt<Path...>::text, .set_text = MemberAt<Path...>::set_text};
}
// A member of the architecture: arch<&Architecture::hidden_size>(), arch<&Architecture::moe,
// &MoeLayout::router_bias>().
template <auto... Members>
constexpr FieldAccess arch() {
    return at<&Scenario::model, &ModelChoice::architecture, Members...>();
}

}  // namespace memwall
