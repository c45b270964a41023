// Fields: one constexpr row per thing that can be set, instead of seven edits.
//
// A key is the JSON path, the URL key and (its last part, with '-') the command-line flag; keys are
// public from the first release and are the words of the records. A row whose engine comes later
// exists too: setting it, or a value outside `computed`, is refused with NotYet and a sentence.
// Every value is one whole number (Choice: position in `choices`; Flag: 0 or 1; Set: bits; Fraction:
// whole number of 1/scale), except Text. `set_*` mark the field as given.
//
// Numbers are read as people write them: 2048, 8k, 7B, 1.5e9, 1_000, 1,000 (groups of three). k, M, B
// (or G), T are powers of 1000; k of a field counted in tokens is 1024, as context lengths are written.
// Bytes take B, kB, MB, GB, TB, KiB, MiB, GiB, TiB. Refused with a sentence: signs, nan, inf, fractions
// of whole things, anything outside the limits.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/word_list.hpp"
#include "plan/field_ids.hpp"
#include "plan/scenario.hpp"

namespace memwall {

enum class FieldKind : std::uint8_t { Integer, Fraction, Choice, Flag, Set, Text };
enum class FieldGroup : std::uint8_t {
    Model,
    Architecture,
    Task,
    Method,
    Precision,
    Optimizer,
    Batch,
    Savers,
    Mesh,
    Offload,
    Serving,
    Phases,
    Implementation,
    Accelerator,
    Overhead,
};
std::string_view name(FieldGroup);   // "batch"
std::string_view label(FieldGroup);  // "Batch"

// Where a row's member stands in a scenario, and what is stored there (plan/field_access.hpp).
enum class MemberKind : std::uint8_t {
    None,  // the engine comes later
    Number,
    Mask,
    Byte,  // a flag or an enumeration
    Text,
    Arch,          // the words of model.structure.arch
    LayerPattern,  // a text that is read
};
struct FieldAccess {
    std::uint16_t offset = 0;
    MemberKind kind = MemberKind::None;

    std::int64_t get(const Scenario&) const;
    void set(Scenario&, std::int64_t) const;
    const std::string& text(const Scenario&) const;  // Text fields
    void set_text(Scenario&, std::string) const;
};

struct FieldRow {
    FieldId id{};
    std::string_view key{};    // "batch.micro_batch_size"
    std::string_view flag{};   // --flag, where it is not the last part of the key
    std::string_view alias{};  // one more name, or empty: "batch"
    FieldGroup group{};
    FieldKind kind{};
    FieldAccess access{};
    std::string_view label{}, unit{}, help{};
    std::int64_t minimum = 0, maximum = 0, step = 1;
    std::int64_t scale = 1;                      // Fraction: this many units are 1
    WordList choices{};                          // Choice, Set: words
    WordList choice_labels{};                    // for people, parallel to choices{}; empty: the words
    std::uint64_t computed = ~std::uint64_t{0};  // Choice, Flag, Set: bits of values computed now
    std::int64_t computed_maximum = INT64_MAX;   // Integer, Fraction: largest value computed now
    std::string_view later{};                    // who is refused reads this: "tensor parallelism comes later"
    std::string_view default_from{};             // where the default comes from when it is not fixed
};

std::span<const FieldRow> fields();            // in the order of FieldId
std::string_view short_name(const FieldRow&);  // "micro_batch_size"
std::string flag_text(const FieldRow&);        // "micro-batch-size"
const FieldRow& field(FieldId);
// By key, flag or alias; '-' and '_' are the same. nullptr: nobody knows it.
const FieldRow* find_field(std::string_view words);
// The same; UnknownName with the nearest keys in the hint.
Result<const FieldRow*> named_field(std::string_view words);
constexpr bool is_later(const FieldRow& r) { return r.access.kind == MemberKind::None; }

// What `words` mean for a field, within its limits; NotYet is not looked at.
Result<std::int64_t> value_from_text(const FieldRow&, std::string_view words);
std::string text_from_value(const FieldRow&, std::int64_t value);  // inverse: "0.9", "flash", "q_proj,v_proj", "true"
// NotYet with the sentence when this version does not compute the value.
Failure check_computed(const FieldRow&, std::int64_t value);

Failure set_field(Scenario&, FieldId, std::string_view text);
Failure set_field(Scenario&, std::string_view key_or_flag_or_alias, std::string_view text);
Failure set_value(Scenario&, FieldId, std::int64_t value);
void clear_field(Scenario&, FieldId);  // back to the default

bool is_given(const Scenario&, FieldId);
bool is_default(const Scenario&, FieldId);  // not stated by the user
// The value as set_field would read it; empty: not set.
std::string text(const Scenario&, FieldId);
// The value of an untouched scenario, or where it comes from ("the model's", "by precision.recipe").
std::string default_text(FieldId);
std::string allowed_text(const FieldRow&);  // "1 to 1,048,576", "none, full": for hints

}  // namespace memwall
