#include "view/lineup.hpp"

#include <algorithm>

#include "view/format.hpp"
#include "view/parts.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

std::string more_than(Bytes value, Bytes first) {
    if (value == first) return filled(CompareText::Same);
    return value > first ? filled(CompareText::More, {text(value - first)})
                         : filled(CompareText::Less, {text(first - value)});
}

LineupRow needed_row(const Lineup& l) {
    LineupRow out{filled(CompareText::Needs), {}, {}};
    std::optional<Bytes> first;
    for (const LineupEntry& entry : l.entries) {
        const bool counts = entry.cost.has_value();
        out.values.push_back(counts ? text(entry.cost->needed) : "");
        out.more.push_back(counts && first ? more_than(entry.cost->needed, *first) : "");
        if (counts && !first) first = entry.cost->needed;
    }
    return out;
}

LineupRow usable_row(const Lineup& l) {
    LineupRow out{filled(CompareText::Usable), {}, {}};
    for (const LineupEntry& entry : l.entries)
        out.values.push_back(
            entry.cost && entry.cost->usable ? marked(text(*entry.cost->usable), entry.cost->usable_trust) : "");
    return out;
}

LineupRow category_row(const Lineup& l, std::size_t category) {
    LineupRow out{std::string(label(static_cast<Category>(category))), {}, {}};
    std::optional<Bytes> first;
    for (const LineupEntry& entry : l.entries) {
        const bool counts = entry.cost.has_value();
        const Bytes value = counts ? entry.cost->categories[category] : Bytes();
        out.values.push_back(counts ? text(value) : "");
        out.more.push_back(counts && first ? more_than(value, *first) : "");
        if (counts && !first) first = value;
    }
    return out;
}

LineupRow field_row(const Lineup& l, FieldId id) {
    LineupRow out{std::string(field(id).label), {}, {}};
    for (const LineupEntry& entry : l.entries)
        out.values.push_back(entry.cost ? text(entry.scenario, id) : "");
    return out;
}

}  // namespace

std::string entry_title(const LineupEntry& entry) { return title(entry.scenario); }

std::string entry_sentence(const LineupEntry& entry) {
    return entry.cost ? std::string(label(entry.cost->verdict)) : filled(CompareText::Refused, {entry.refusal});
}

std::vector<LineupRow> lineup_rows(const Lineup& l) {
    std::vector<LineupRow> out{needed_row(l), usable_row(l)};
    for (std::size_t i = 0; i < kCategories; ++i)
        if (std::any_of(l.entries.begin(), l.entries.end(),
                        [&](const LineupEntry& entry) { return entry.cost && entry.cost->categories[i].value > 0; }))
            out.push_back(category_row(l, i));
    for (const FieldId id : l.differing)
        out.push_back(field_row(l, id));
    return out;
}

}  // namespace memwall
