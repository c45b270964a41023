#include "plan/fields.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "base/concat.hpp"
#include "base/nearest.hpp"
#include "base/packed_rows.hpp"
#include "base/utf8.hpp"
#include "plan/field_rows_model.hpp"
#include "plan/field_rows_run.hpp"
#include "plan/field_rows_training.hpp"
#include "plan/number_text.hpp"

namespace memwall {
namespace {

struct GroupRow {
    FieldGroup id;
    std::string_view name, label;
};
constexpr GroupRow kGroups[] = {
    {FieldGroup::Model, "model", "Model"},
    {FieldGroup::Architecture, "architecture", "Model by hand"},
    {FieldGroup::Task, "task", "Task"},
    {FieldGroup::Method, "method", "Method"},
    {FieldGroup::Precision, "precision", "Precision"},
    {FieldGroup::Optimizer, "optimizer", "Optimizer"},
    {FieldGroup::Batch, "batch", "Batch"},
    {FieldGroup::Savers, "savers", "Memory savers"},
    {FieldGroup::Mesh, "mesh", "Parallelism"},
    {FieldGroup::Offload, "offload", "Offloading"},
    {FieldGroup::Serving, "serving", "Serving"},
    {FieldGroup::Phases, "phases", "Beside the step"},
    {FieldGroup::Implementation, "implementation", "Implementation"},
    {FieldGroup::Accelerator, "accelerator", "Accelerator"},
    {FieldGroup::Overhead, "overhead", "Overhead"},
};

constexpr std::string_view last_part(std::string_view key) {
    const std::size_t dot = key.rfind('.');
    return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

constexpr FieldGroup group_of(std::string_view key) {
    if (key.starts_with("model.config.") || key.starts_with("model.structure.")) return FieldGroup::Architecture;
    for (const GroupRow& group : kGroups)
        if (key.substr(0, key.find('.')) == group.name) return group.id;
    return FieldGroup::Model;
}

constexpr auto kWritten = [] {
    std::array<FieldRow, kFieldCount> rows{};
    std::size_t next = 0;
    for (const FieldRow& row : field_rows::kModelRows)
        rows[next++] = row;
    for (const FieldRow& row : field_rows::kTrainingRows)
        rows[next++] = row;
    for (const FieldRow& row : field_rows::kRunRows)
        rows[next++] = row;
    return rows;
}();
static_assert(std::size(field_rows::kModelRows) + std::size(field_rows::kTrainingRows) +
                  std::size(field_rows::kRunRows) ==
              kFieldCount);

constexpr auto kFields = [] {
    std::array<FieldRow, kFieldCount> rows = kWritten;
    for (std::size_t i = 0; i < kFieldCount; ++i) {
        FieldRow& row = rows[i];
        row.group = group_of(row.key);
        if (row.kind == FieldKind::Choice) row.maximum = static_cast<std::int64_t>(row.choices.size()) - 1;
        if (row.kind == FieldKind::Set) {
            row.minimum = 1;  // an empty set is one that is not given
            row.maximum = (std::int64_t{1} << row.choices.size()) - 1;
        }
        if (row.kind == FieldKind::Flag) row.maximum = 1;
    }
    return rows;
}();

constexpr bool each_row_at_its_id() {
    for (std::size_t i = 0; i < kFieldCount; ++i)
        if (index(kFields[i].id) != i) return false;
    return true;
}
static_assert(each_row_at_its_id());

std::string quoted(std::string_view words) { return concat({"\"", excerpt(words, 60), "\""}); }

Error refused(const FieldRow& row, ErrorCode code, Pieces what) {
    return {code, row.key, {row.label, " ", concat(what)}, {"allowed: ", allowed_text(row)}};
}
Error refused(const FieldRow& row, ErrorCode code, const Piece& what) { return refused(row, code, Pieces{what}); }

Error number_refused(const FieldRow& row, NumberFault fault, std::string_view words) {
    const std::string shown = quoted(words);
    switch (fault) {
        case NumberFault::None:
            break;
        case NumberFault::NotANumber:
            return refused(row, ErrorCode::Malformed, {shown, " is not a number"});
        case NumberFault::NotFinite:
            return refused(row, ErrorCode::Malformed, {shown, " is not a finite number"});
        case NumberFault::Negative:
            return refused(row, ErrorCode::OutOfRange, {shown, " is negative"});
        case NumberFault::Fractional:
            return refused(row, ErrorCode::OutOfRange,
                           row.scale == 1 ? concat({shown, " is not a whole number"})
                                          : concat({shown, " has more decimals than the ", with_commas(row.scale),
                                                    "ths this field counts"}));
        case NumberFault::TooLarge:
            return refused(row, ErrorCode::OutOfRange, {shown, " is too large"});
        case NumberFault::UnknownUnit: {
            Error error = refused(row, ErrorCode::Malformed, {shown, " has a unit that is not known here"});
            if (row.unit == "bytes") error.hint += "; write B, MB, GB (10^9) or MiB, GiB (2^30)";
            return error;
        }
    }
    assert(false);
    return {};
}

Failure check_limits(const FieldRow& row, std::int64_t value) {
    const std::string shown = text_from_value(row, value);
    if (value < row.minimum) return refused(row, ErrorCode::OutOfRange, {shown, " is below the least allowed"});
    if (value > row.maximum) return refused(row, ErrorCode::OutOfRange, {shown, " is above the most allowed"});
    return std::nullopt;
}

Result<std::int64_t> position(const FieldRow& row, std::string_view word) {
    for (std::size_t i = 0; i < row.choices.size(); ++i)
        if (same_word(row.choices[i], word)) return static_cast<std::int64_t>(i);
    Error error = refused(row, ErrorCode::UnknownName, {quoted(word), " is not known"});
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < row.choices.size(); ++i)
        if (!is_later(row) && (row.computed >> i & 1) != 0) known.push_back(row.choices[i]);
    const auto near = nearest(word, known, 1);
    if (!near.empty()) error.hint = concat({"did you mean ", near[0], "? ", error.hint});
    return error;
}

constexpr std::string_view kTrueWords[] = {"true", "yes", "on", "1"};
constexpr std::string_view kFalseWords[] = {"false", "no", "off", "0"};

Result<std::int64_t> truth(const FieldRow& row, std::string_view word) {
    for (const std::string_view known : kTrueWords)
        if (same_word(known, word)) return std::int64_t{1};
    for (const std::string_view known : kFalseWords)
        if (same_word(known, word)) return std::int64_t{0};
    return refused(row, ErrorCode::Malformed, {quoted(word), " is neither true nor false"});
}

std::string_view trimmed(std::string_view words) {
    while (words.starts_with(' '))
        words.remove_prefix(1);
    while (words.ends_with(' '))
        words.remove_suffix(1);
    return words;
}

Result<std::int64_t> set_of_words(const FieldRow& row, std::string_view words) {
    std::int64_t bits = 0;
    while (!words.empty()) {
        const std::size_t comma = words.find(',');
        MEMWALL_TRY(bit, position(row, trimmed(words.substr(0, comma))));
        bits |= std::int64_t{1} << bit;
        words.remove_prefix(comma == std::string_view::npos ? words.size() : comma + 1);
    }
    return bits;
}

Failure check_text(const FieldRow& row, std::string_view words) {
    const std::size_t longest = row.maximum > 0 ? static_cast<std::size_t>(row.maximum) : 200;
    if (words.size() > longest)
        return Error{ErrorCode::OutOfRange,
                     row.key,
                     {row.label, " has ", std::to_string(words.size()), " characters"},
                     {"allowed: ", std::to_string(longest)}};
    if (!is_utf8(words))
        return Error{ErrorCode::Malformed, row.key, {row.label, " is not UTF-8 text"}, "allowed: printable text"};
    for (const char c : words)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            return Error{
                ErrorCode::Malformed, row.key, {row.label, " contains a control character"}, "allowed: printable text"};
    return std::nullopt;
}

Error not_yet(const FieldRow& row, std::string_view shown) {
    std::string message = concat({row.label, " ", shown, " is not computed by this version"});
    if (!row.later.empty()) message += concat({"; ", row.later});
    std::string hint;
    if (is_later(row)) {
        hint = concat({"leave ", row.key, " out"});
    } else {
        hint = concat({"allowed: ", allowed_text(row)});
    }
    return {ErrorCode::NotYet, row.key, message, hint};
}

const Scenario& untouched() {
    static const Scenario scenario;
    return scenario;
}

std::string joined(const std::vector<std::string_view>& words) {
    std::string out;
    for (const std::string_view word : words)
        out += concat({out.empty() ? "" : ", ", word});
    return out;
}

// Digits alone, as a form sends them. Read here, so that a first answer, and those to changes in the form of an
// element, do without all the ways in which people write numbers (scripts/first_calls.mjs).
std::optional<std::int64_t> plain_number(const FieldRow& row, std::string_view words) {
    constexpr std::size_t kMostDigits = 15;
    if (row.scale != 1 || words.size() > kMostDigits) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : words) {
        if (c < '0' || c > '9') return std::nullopt;
        value = 10 * value + (c - '0');
    }
    return value;
}

}  // namespace

std::string_view name(FieldGroup group) { return kGroups[static_cast<std::size_t>(group)].name; }
std::string_view label(FieldGroup group) { return kGroups[static_cast<std::size_t>(group)].label; }

std::span<const FieldRow> fields() {
    using Row = FieldRow;
    return packed_rows<kFields, &Row::key, &Row::flag, &Row::alias, &Row::label, &Row::unit, &Row::choices,
                       &Row::choice_labels, &Row::later, &Row::default_from>(LateTexts<&Row::help>{});
}
const FieldRow& field(FieldId id) { return fields()[index(id)]; }

std::string_view short_name(const FieldRow& row) { return row.flag.empty() ? last_part(row.key) : row.flag; }
std::string flag_text(const FieldRow& row) {
    std::string out(short_name(row));
    std::replace(out.begin(), out.end(), '_', '-');
    return out;
}

const FieldRow* find_field(std::string_view words) {
    for (const FieldRow& row : fields())
        if (same_word(words, row.key)) return &row;
    for (const FieldRow& row : fields())
        if (same_word(words, short_name(row)) || (!row.alias.empty() && same_word(words, row.alias))) return &row;
    return nullptr;
}

Result<const FieldRow*> named_field(std::string_view words) {
    if (const FieldRow* row = find_field(words)) return row;
    std::vector<std::pair<int, const FieldRow*>> ranked;
    for (const FieldRow& row : fields()) {
        if (is_later(row)) continue;
        int distance = std::min(word_distance(words, row.key), word_distance(words, short_name(row)));
        if (!row.alias.empty()) distance = std::min(distance, word_distance(words, row.alias));
        if (distance > std::max(2, static_cast<int>(words.size() / 2))) continue;
        auto place = ranked.begin();  // behind all that are as near
        while (place != ranked.end() && place->first <= distance)
            ++place;
        ranked.insert(place, {distance, &row});
    }
    std::vector<std::string_view> near;
    for (const auto& [distance, row] : ranked)
        if (near.size() < 3) near.push_back(row->key);
    return Error{ErrorCode::UnknownName,
                 excerpt(words, 60),
                 {"No field is called ", quoted(words)},
                 near.empty() ? "the list of fields has all names" : concat({"did you mean ", joined(near), "?"})};
}

Result<std::int64_t> value_from_text(const FieldRow& row, std::string_view words) {
    if (words.empty()) return refused(row, ErrorCode::Malformed, "is empty");
    switch (row.kind) {
        case FieldKind::Integer:
        case FieldKind::Fraction: {
            if (const auto value = plain_number(row, words)) {
                if (Failure bad = check_limits(row, *value)) return *bad;
                return *value;
            }
            const NumberRead read = number_from_text(words, row.unit, row.scale);
            if (read.fault != NumberFault::None) return number_refused(row, read.fault, words);
            if (Failure bad = check_limits(row, read.value)) return *bad;
            return read.value;
        }
        case FieldKind::Choice:
            return position(row, words);
        case FieldKind::Flag:
            return truth(row, words);
        case FieldKind::Set:
            return set_of_words(row, words);
        case FieldKind::Text:
            break;
    }
    assert(false);
    return std::int64_t{0};
}

std::string text_from_value(const FieldRow& row, std::int64_t value) {
    switch (row.kind) {
        case FieldKind::Integer:
        case FieldKind::Fraction:
            return text_from_number(value, row.scale);
        case FieldKind::Choice:
            return std::string(row.choices[static_cast<std::size_t>(value)]);
        case FieldKind::Flag:
            return value != 0 ? "true" : "false";
        case FieldKind::Set: {
            std::string out;
            for (std::size_t i = 0; i < row.choices.size(); ++i) {
                if (((value >> i) & 1) == 0) continue;
                if (!out.empty()) out += ',';
                out += row.choices[i];
            }
            return out;
        }
        case FieldKind::Text:
            break;
    }
    return {};
}

Failure check_computed(const FieldRow& row, std::int64_t value) {
    bool computed = !is_later(row);
    switch (row.kind) {
        case FieldKind::Integer:
        case FieldKind::Fraction:
            computed = computed && value <= row.computed_maximum;
            break;
        case FieldKind::Choice:
        case FieldKind::Flag:
            computed = computed && ((row.computed >> value) & 1) != 0;
            break;
        case FieldKind::Set:
            computed = computed && (static_cast<std::uint64_t>(value) & ~row.computed) == 0;
            break;
        case FieldKind::Text:
            break;
    }
    if (computed) return std::nullopt;
    return not_yet(row, text_from_value(row, value));
}

Failure set_value(Scenario& scenario, FieldId id, std::int64_t value) {
    const FieldRow& row = field(id);
    assert(row.kind != FieldKind::Text);
    if (Failure bad = check_limits(row, value)) return bad;
    if (Failure later = check_computed(row, value)) return later;
    row.access.set(scenario, value);
    scenario.given.set(index(id));
    return std::nullopt;
}

Failure set_field(Scenario& scenario, FieldId id, std::string_view words) {
    const FieldRow& row = field(id);
    if (row.kind == FieldKind::Text) {
        if (words.empty()) return refused(row, ErrorCode::Malformed, "is empty");
        if (Failure bad = check_text(row, words)) return bad;
        if (is_later(row)) return not_yet(row, quoted(words));
        row.access.set_text(scenario, std::string(words));
        scenario.given.set(index(id));
        return std::nullopt;
    }
    const auto value = value_from_text(row, words);
    if (!value) return value.error();
    return set_value(scenario, id, *value);
}

Failure set_field(Scenario& scenario, std::string_view name_of_field, std::string_view words) {
    const auto row = named_field(name_of_field);
    if (!row) return row.error();
    return set_field(scenario, (*row)->id, words);
}

void clear_field(Scenario& scenario, FieldId id) {
    const FieldRow& row = field(id);
    scenario.given.reset(index(id));
    if (is_later(row)) return;
    if (row.kind == FieldKind::Text)
        row.access.set_text(scenario, row.access.text(untouched()));
    else
        row.access.set(scenario, row.access.get(untouched()));
}

bool is_given(const Scenario& scenario, FieldId id) { return scenario.given.test(index(id)); }
bool is_default(const Scenario& scenario, FieldId id) { return !is_given(scenario, id); }

std::string text(const Scenario& scenario, FieldId id) {
    const FieldRow& row = field(id);
    if (is_later(row)) return {};
    if (row.kind == FieldKind::Text) return row.access.text(scenario);
    const std::int64_t value = row.access.get(scenario);
    // 0 below the least allowed value is how a scenario says "not set".
    if (value < row.minimum) return {};
    return text_from_value(row, value);
}

std::string default_text(FieldId id) {
    const FieldRow& row = field(id);
    return row.default_from.empty() ? text(untouched(), id) : std::string(row.default_from);
}

std::string allowed_text(const FieldRow& row) {
    switch (row.kind) {
        case FieldKind::Integer:
        case FieldKind::Fraction: {
            const std::int64_t most = std::min(row.maximum, row.computed_maximum);
            const auto shown = [&](std::int64_t value) {
                return row.scale == 1 ? with_commas(value) : text_from_number(value, row.scale);
            };
            if (row.minimum == most) return shown(most);
            return concat({shown(row.minimum), " to ", shown(most)});
        }
        case FieldKind::Choice:
        case FieldKind::Set: {
            std::vector<std::string_view> words;
            for (std::size_t i = 0; i < row.choices.size(); ++i)
                if ((row.computed >> i) & 1) words.push_back(row.choices[i]);
            return joined(words);
        }
        case FieldKind::Flag:
            return row.computed == 0b01 ? "false" : row.computed == 0b10 ? "true" : "true, false";
        case FieldKind::Text:
            return "text";
    }
    return {};
}

}  // namespace memwall
