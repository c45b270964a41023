// How a row of the field table says where its member of a scenario is: MEMWALL_MEMBER(batch.micro_batch_size).
//
// A macro, because only offsetof makes a place a constant; what is stored there follows from the member's type.
#pragma once
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "plan/fields.hpp"

namespace memwall {

template <class Member>
constexpr FieldAccess access_at(std::size_t place) {
    constexpr MemberKind kind = std::is_same_v<Member, std::int64_t>    ? MemberKind::Number
                                : std::is_same_v<Member, std::uint64_t> ? MemberKind::Mask
                                : std::is_same_v<Member, std::string>   ? MemberKind::Text
                                                                        : MemberKind::Byte;
    static_assert(kind != MemberKind::Byte ||
                  ((std::is_enum_v<Member> || std::is_same_v<Member, bool>)&&sizeof(Member) == 1));
    return {static_cast<std::uint16_t>(place), kind};
}

static_assert(std::is_standard_layout_v<Scenario> && sizeof(Scenario) <= 0xffff);
#define MEMWALL_MEMBER(path) \
    ::memwall::access_at<decltype(std::declval<::memwall::Scenario&>().path)>(offsetof(::memwall::Scenario, path))

}  // namespace memwall
