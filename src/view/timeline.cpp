#include <algorithm>

#include "estimate/moments.hpp"
#include "view/format.hpp"
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
    if (e.scenario.task == Task::Inference) return {};
    return string(instant.step == 1 ? Text::FirstStep : Text::SteadyStep);
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

}  // namespace

std::string instant_label(const Estimate& e, const Instant& instant) {
    std::string out(step_text(e, instant));
    const auto add = [&](std::string_view part) {
        if (part.empty()) return;
        out = out.empty() ? std::string(part) : filled(Text::InstantStep, {out, part});
    };
    add(label(instant.segment));
    add(layer_text(e, instant));
    add(instant.module);
    add(instant.operator_name);
    return out;
}

// The curve shows what the allocator holds; slack, framework and others stand below the capacity, so it
// is lowered by them and the curve meets it exactly when the device total meets the usable memory.
TimelineView timeline_view(const Estimate& e) {
    TimelineView out;
    if (!e.has_numbers()) return out;
    const RankEstimate& rank = e.worst();
    const Bytes beside = rank.device_total - rank.allocated;
    const Bytes capacity = e.usable && *e.usable > beside ? *e.usable - beside : Bytes(0);
    const Bytes scale = std::max(rank.allocated, capacity);
    const std::vector<Category> categories = categories_of(rank.instants);
    for (const Category category : categories) {
        out.categories.emplace_back(name(category));
        out.category_labels.emplace_back(label(category));
    }
    for (const Instant& instant : rank.instants)
        out.instants.push_back(instant_view(e, instant, categories, scale));
    out.worst = static_cast<int>(rank.peak);
    out.capacity_fraction = fraction(capacity, scale);
    const std::string count = grouped(static_cast<std::int64_t>(rank.instants.size()));
    const std::string most = text(rank.allocated);
    const std::string where = instant_label(e, rank.instants[rank.peak]);
    if (e.usable) {
        out.capacity = text(capacity);
        out.description = filled(Text::DescribeTimeline, {count, most, where, out.capacity});
    } else {
        out.description = filled(Text::DescribeTimelineUnknown, {count, most, where});
    }
    return out;
}

}  // namespace memwall
