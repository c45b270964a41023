#include "plan/field_access.hpp"

#include <cassert>
#include <cstring>
#include <iterator>

#include "model/layer_letters.hpp"
#include "plan/field_words.hpp"

namespace memwall {
namespace {

// The words of model.structure.arch; several stand for one kind.
constexpr ArchitectureKind kKinds[] = {
    ArchitectureKind::Decoder,        ArchitectureKind::Encoder,        ArchitectureKind::EncoderDecoder,
    ArchitectureKind::EncoderDecoder, ArchitectureKind::EncoderDecoder, ArchitectureKind::Vision,
    ArchitectureKind::Vision,         ArchitectureKind::Vision,         ArchitectureKind::Diffusion,
    ArchitectureKind::Diffusion,      ArchitectureKind::TotalOnly};
static_assert(std::size(kKinds) == kArchWords.size());

std::int64_t word_of(ArchitectureKind kind) {
    for (std::size_t word = 0; word < std::size(kKinds); ++word)
        if (kKinds[word] == kind) return static_cast<std::int64_t>(word);
    return std::size(kKinds) - 1;  // a parameter count
}

const char* place(const Scenario& s, std::uint16_t offset) { return reinterpret_cast<const char*>(&s) + offset; }
char* place(Scenario& s, std::uint16_t offset) { return reinterpret_cast<char*>(&s) + offset; }

template <class T>
std::int64_t number_at(const char* place) {
    T value{};
    std::memcpy(&value, place, sizeof(T));
    return static_cast<std::int64_t>(value);
}
template <class T>
void put(char* place, std::int64_t number) {
    const T value = static_cast<T>(number);
    std::memcpy(place, &value, sizeof(T));
}

}  // namespace

std::int64_t FieldAccess::get(const Scenario& s) const {
    switch (kind) {
        case MemberKind::Number:
            return number_at<std::int64_t>(place(s, offset));
        case MemberKind::Mask:
            return number_at<std::uint64_t>(place(s, offset));
        case MemberKind::Byte:
            return number_at<std::uint8_t>(place(s, offset));
        case MemberKind::Arch:
            return word_of(s.model.architecture.kind);
        case MemberKind::None:
        case MemberKind::Text:
        case MemberKind::LayerPattern:
            break;
    }
    assert(false);
    return 0;
}

void FieldAccess::set(Scenario& s, std::int64_t value) const {
    switch (kind) {
        case MemberKind::Number:
            return put<std::int64_t>(place(s, offset), value);
        case MemberKind::Mask:
            return put<std::uint64_t>(place(s, offset), value);
        case MemberKind::Byte:
            return put<std::uint8_t>(place(s, offset), value);
        case MemberKind::Arch:
            s.model.architecture.kind = kKinds[value];
            return;
        case MemberKind::None:
        case MemberKind::Text:
        case MemberKind::LayerPattern:
            break;
    }
    assert(false);
}

const std::string& FieldAccess::text(const Scenario& s) const {
    if (kind == MemberKind::LayerPattern) return s.model.architecture.layer_pattern;
    assert(kind == MemberKind::Text);
    return *reinterpret_cast<const std::string*>(place(s, offset));
}

void FieldAccess::set_text(Scenario& s, std::string value) const {
    if (kind == MemberKind::LayerPattern) {
        s.model.architecture.layer_pattern = layer_pattern_from_words(value);
    } else {
        assert(kind == MemberKind::Text);
        *reinterpret_cast<std::string*>(place(s, offset)) = std::move(value);
    }
}

}  // namespace memwall
