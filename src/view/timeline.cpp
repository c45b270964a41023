#include <algorithm>

#include "estimate/moments.hpp"
#include "view/format.hpp"
#include "view/moments.hpp"
#include "view/parts.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

std::vector<Category> categories_of(const std::vector<Instant>& instants) {
    std::vector<Category> out;
    for (int i = 0; i < kCategories; ++i)
        if (std::any_of(instants.begin(), instants.end(), [&](const Instant& instant) {
                return instant.by_category[static_cast<std::size_t>(i)].value > 0;
            }))
            out.push_back(static_cast<Category>(i));
    return out;
}

std::string_view step_text(const Estimate& e, const Instant& instant) {
    const bool alone = e.scenario.task == Task::Inference && instant.step == number(RunStage::FirstStep);
    return alone ? std::string_view() : stage_text(instant.step);
}

std::string layer_text(const Estimate& e, const Instant& instant) {
    const auto layer = layer_at(e, instant);
    if (!layer) return {};
    return filled(Text::InstantLayer, {grouped(*layer + 1), grouped(e.scenario.model.architecture.num_hidden_layers)});
}

InstantView instant_view(const Estimate& e, const Instant& instant, const std::vector<Category>& categories,
                         Bytes scale) {
    InstantView out;
    out.label = instant_label(e, instant);
    out.segment = label(instant.segment);
    out.step = step_text(e, instant);
    out.operator_name = instant.operator_name;
    out.text = text(instant.total);
    out.fraction = fraction(instant.total, scale);
    for (const Category category : categories)
        out.by_category.push_back(fraction(instant.by_category[static_cast<std::size_t>(category)], scale));
    return out;
}

// The curve shows what the allocator holds; slack, framework and others stand below the capacity, so it
// is lowered by them and the curve meets it exactly when the device total meets the usable memory.
Bytes capacity_of(const Estimate& e) {
    const Bytes beside = e.worst().device_total - e.worst().allocated;
    return e.usable && *e.usable > beside ? *e.usable - beside : Bytes(0);
}

// The scale is that of the whole step, also where only a part of it is drawn.
TimelineView curve(const Estimate& e, const std::vector<Instant>& instants) {
    TimelineView out;
    const Bytes capacity = capacity_of(e);
    const Bytes scale = std::max(e.worst().allocated, capacity);
    const std::vector<Category> categories = categories_of(e.worst().instants);
    for (const Category category : categories) {
        out.categories.emplace_back(name(category));
        out.category_labels.emplace_back(label(category));
    }
    for (const Instant& instant : instants)
        out.instants.push_back(instant_view(e, instant, categories, scale));
    out.capacity_fraction = fraction(capacity, scale);
    if (e.usable) out.capacity = text(capacity);
    return out;
}

std::size_t highest(const std::vector<Instant>& instants) {
    return static_cast<std::size_t>(
        std::max_element(instants.begin(), instants.end(),
                         [](const Instant& a, const Instant& b) { return a.total < b.total; }) -
        instants.begin());
}

}  // namespace

std::string_view stage_text(std::int32_t step) {
    return string(static_cast<Text>(static_cast<std::int32_t>(Text::StageLoading) + step));
}

bool is_still(std::int32_t step) { return step == number(RunStage::Loading) || step == number(RunStage::Saving); }

std::string instant_label(const Estimate& e, const Instant& instant) {
    std::string out(step_text(e, instant));
    const auto add = [&](std::string_view part) {
        if (part.empty()) return;
        out = out.empty() ? std::string(part) : filled(Text::InstantStep, {out, part});
    };
    if (!is_still(instant.step)) add(label(instant.segment));
    add(layer_text(e, instant));
    add(instant.module);
    add(instant.operator_name);
    return out;
}

TimelineView timeline_view(const Estimate& e) {
    if (!e.has_numbers()) return {};
    const RankEstimate& rank = e.worst();
    TimelineView out = curve(e, rank.instants);
    out.worst = static_cast<int>(rank.peak);
    const std::string count = grouped(static_cast<std::int64_t>(rank.instants.size()));
    const std::string most = text(rank.allocated);
    const std::string where = instant_label(e, rank.instants[rank.peak]);
    out.description = e.usable ? filled(Text::DescribeTimeline, {count, most, where, out.capacity})
                               : filled(Text::DescribeTimelineUnknown, {count, most, where});
    return out;
}

WindowView window_view(const Estimate& e, const std::vector<Instant>& every, std::optional<std::size_t> around) {
    WindowView out;
    out.count = every.size();
    out.peak = highest(every);
    const std::size_t size = std::min(kInstantsInWindow, every.size());
    const std::size_t middle = std::min(around.value_or(out.peak), every.size() - 1);
    out.first = std::min(middle - std::min(middle, size / 2), every.size() - size);
    const auto begin = every.begin() + static_cast<std::ptrdiff_t>(out.first);
    const std::vector<Instant> shown(begin, begin + static_cast<std::ptrdiff_t>(size));
    out.timeline = curve(e, shown);
    const std::size_t worst = highest(shown);
    out.timeline.worst = static_cast<int>(worst);
    out.timeline.description = filled(
        Text::DescribeWindow,
        {grouped(static_cast<std::int64_t>(out.first) + 1), grouped(static_cast<std::int64_t>(out.first + size)),
         grouped(static_cast<std::int64_t>(out.count)), text(shown[worst].total), instant_label(e, shown[worst])});
    return out;
}

}  // namespace memwall
