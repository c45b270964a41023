#include <array>

#include "plan/fields.hpp"
#include "plan/recipes.hpp"
#include "view/format.hpp"
#include "view/parts.hpp"
#include "view/strings.hpp"

namespace memwall {
namespace {

constexpr std::array<std::string_view, 4> kVerdictRoles{"good", "bad", "warning", "neutral"};
static_assert(static_cast<int>(Verdict::Fits) == 0 && static_cast<int>(Verdict::DoesNotFit) == 1 &&
              static_cast<int>(Verdict::Tight) == 2 && static_cast<int>(Verdict::CannotSay) == 3);

Bytes needed_of(const Estimate& e) { return e.worst().device_total; }

std::string usable_text(const Estimate& e) {
    return e.usable ? marked(text(*e.usable), e.scenario.accelerator.usable_trust) : "";
}

Text sentence_of(const Estimate& e) {
    switch (e.verdict) {
        case Verdict::Fits:
            return Text::Fits;
        case Verdict::DoesNotFit:
            return Text::DoesNotFit;
        case Verdict::Tight:
            return needed_of(e) > *e.usable ? Text::TightWithout : Text::TightWithRoom;
        case Verdict::CannotSay:
            break;
    }
    return e.has_numbers() ? Text::NeedsChooseAccelerator : Text::ChooseModel;
}

// What is left, or missing.
Bytes gap(const Estimate& e) { return needed_of(e) > *e.usable ? needed_of(e) - *e.usable : *e.usable - needed_of(e); }

std::string sentence(const Estimate& e) {
    const std::int64_t ranks = e.scenario.mesh.world_size;
    const std::string each = ranks > 1 ? filled(Text::OnEachOf, {grouped(ranks)}) : "";
    return filled(sentence_of(e), {text(needed_of(e)), each, text(e.interval.low), text(e.interval.high),
                                   usable_text(e), e.usable ? text(gap(e)) : ""});
}

[[gnu::noinline]] std::string peak_beside(const Instant& worst) {
    const std::string_view stage = stage_text(worst.step);
    if (is_still(worst.step)) return filled(Text::PeakAt, {stage, ""});
    return filled(Text::PeakAt, {label(worst.segment), filled(Text::PeakBesideSteps, {stage})});
}

std::string peak_text(const Estimate& e) {
    const Instant& worst = e.worst().instants[e.worst().peak];
    if (worst.step != number(RunStage::FirstStep) && worst.step != number(RunStage::SteadyStep))
        return peak_beside(worst);
    if (e.scenario.task == Task::Inference) return filled(Text::PeakAt, {label(worst.segment), ""});
    return filled(Text::PeakAt,
                  {label(worst.segment), string(worst.step == 1 ? Text::PeakFirstStep : Text::PeakSteadyStep)});
}

// The standard rule's total: bytes per parameter by recipe, without activations. It has none where only some train.
struct Baseline {
    std::string bytes_each;
    Bytes total;
};
Baseline baseline_of(const Estimate& e) {
    const bool runs = e.scenario.task == Task::Inference;
    if (!runs && e.scenario.method.name != MethodName::Full) return {};
    const std::int64_t each = runs ? 2 : recipe(e.scenario.precision.recipe).bytes_per_parameter;
    return {grouped(each), Bytes(e.total_parameters.value * each)};
}

PairSideView side(const std::optional<Companion>& c, std::array<Text, 4> sentences, Text label_text) {
    PairSideView out;
    out.label = string(label_text);
    if (!c) {
        out.state = name(Verdict::CannotSay);
        out.role = role(Verdict::CannotSay);
        out.sentence = filled(Text::SideRefused, {string(Text::Unknown)});
        return out;
    }
    out.state = name(c->verdict);
    out.role = role(c->verdict);
    out.needed = text(c->needed);
    out.sentence = filled(
        sentences[static_cast<std::size_t>(c->verdict)],
        {out.needed, c->usable ? marked(text(*c->usable), c->usable_trust) : std::string(string(Text::Unknown))});
    return out;
}

// "Micro-batch size" -> "micro-batch size"; abbreviations stay.
std::string inside_sentence(std::string_view label_text) {
    std::string out(label_text);
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (out.size() > 1 && is_upper(out[0]) && !is_upper(out[1])) out[0] = static_cast<char>(out[0] - 'A' + 'a');
    return out;
}

std::string largest_sentence(const Solution& s, std::string_view what) {
    switch (s.bound) {
        case Bound::Memory:
            return filled(Text::LargestFits, {what, grouped(s.value), grouped(*s.next), text(s.next_needed)});
        case Bound::FieldLimit:
            return filled(Text::LargestAll, {what, grouped(s.value)});
        case Bound::NothingFits:
            return filled(Text::LargestNothing, {what, grouped(s.value), text(s.needed)});
    }
    return {};
}

NumberView number(std::string_view key, Text label_text, std::optional<Bytes> value) {
    NumberView out;
    out.key = key;
    out.label = string(label_text);
    out.text = value ? text(*value) : std::string(string(Text::Unknown));
    if (value) out.exact = exact_bytes(*value);
    return out;
}

}  // namespace

std::string_view role(Verdict id) { return kVerdictRoles[static_cast<std::size_t>(id)]; }

std::string efficiency_text(const Throughput& t) {
    return filled(Text::EfficiencyOf, {permille(t.efficiency_permille),
                                       string(t.roof == Roof::Compute ? Text::RoofCompute : Text::RoofBandwidth)});
}

std::string title(const Scenario& s) {
    const std::string_view dot = string(Text::TitleSeparator);
    std::string out = s.model.name;
    if (!out.empty()) out += dot;
    out += label(s.task);
    if (s.accelerator.name.empty()) return out;
    const std::int64_t count = s.mesh.world_size;
    out.append(dot);
    return out + (count > 1 ? filled(Text::GpuCount, {grouped(count), s.accelerator.name}) : s.accelerator.name);
}

VerdictView verdict_view(const Estimate& e) {
    VerdictView out;
    out.state = name(e.verdict);
    out.role = role(e.verdict);
    out.sentence = sentence(e);
    if (!e.has_numbers()) return out;
    out.needed = text(needed_of(e));
    if (e.usable) {
        out.usable = usable_text(e);
        out.left = text(gap(e));
        out.left_label = string(needed_of(e) > *e.usable ? Text::Missing : Text::Left);
    }
    out.interval = filled(Text::IntervalRange, {text(e.interval.low), text(e.interval.high)});
    out.interval_basis = e.interval.basis;
    out.interval_kind = e.interval.kind;
    out.peak = peak_text(e);
    return out;
}

GaugeView gauge_view(const Estimate& e) {
    GaugeView out;
    if (!e.has_numbers()) return out;
    const Baseline baseline = baseline_of(e);
    Bytes scale = e.interval.high > baseline.total ? e.interval.high : baseline.total;
    if (e.usable && *e.usable > scale) scale = *e.usable;
    out.needed = fraction(needed_of(e), scale);
    out.low = fraction(e.interval.low, scale);
    out.high = fraction(e.interval.high, scale);
    out.baseline = fraction(baseline.total, scale);
    out.baseline_label = string(Text::Baseline);
    if (baseline.total > Bytes(0))
        out.baseline_text =
            filled(Text::BaselineText, {baseline.bytes_each, text(e.total_parameters), text(baseline.total)});
    const std::string needed = text(needed_of(e)), low = text(e.interval.low), high = text(e.interval.high);
    if (e.usable) {
        out.usable = fraction(*e.usable, scale);
        out.description = filled(Text::DescribeGauge, {needed, low, high, usable_text(e)});
    } else {
        out.description = filled(Text::DescribeGaugeUnknown, {needed, low, high});
    }
    return out;
}

MultipleView multiple_view(const Estimate& e) {
    MultipleView out;
    if (!e.has_numbers()) return out;
    const Bytes weights = weights_16bit(e);
    out.value = multiple(needed_of(e), weights);
    out.sentence = filled(e.scenario.task == Task::Inference ? Text::InferenceMultiple : Text::TrainingMultiple,
                          {out.value, text(weights)});
    return out;
}

PairView pair_view(const Companions& c) {
    return {
        side(c.run, {Text::RunFits, Text::RunDoesNotFit, Text::RunTight, Text::SideCannotSay}, Text::RunIt),
        side(c.train, {Text::TrainFits, Text::TrainDoesNotFit, Text::TrainTight, Text::SideCannotSay}, Text::TrainIt)};
}

LargestView largest_view(const Companions& c) {
    LargestView out;
    if (!c.largest) return out;
    const FieldRow& row = field(c.largest->field);
    out.field = row.key;
    if (c.largest->bound != Bound::NothingFits) out.value = grouped(c.largest->value);
    out.state = name(c.largest->verdict);
    out.sentence = largest_sentence(*c.largest, inside_sentence(row.label));
    if (c.largest->verdict == Verdict::Tight) out.sentence += filled(Text::LargestIsTight, {out.value});
    return out;
}

std::vector<NumberView> number_views(const Estimate& e) {
    if (!e.has_numbers()) return {};
    std::vector<NumberView> out{number("allocated", Text::Allocated, e.worst().allocated),
                                number("reserved", Text::Reserved, e.worst().reserved),
                                number("device_total", Text::DeviceTotal, e.worst().device_total),
                                number("usable", Text::Usable, e.usable)};
    if (e.usable) out.back().text = usable_text(e);
    return out;
}

ThroughputView throughput_view(const Estimate& e) {
    ThroughputView out;
    if (!e.throughput) return out;
    const Throughput& t = *e.throughput;
    const bool runs = e.scenario.task == Task::Inference;
    out.rate = filled(Text::TokensPerSecond, {rounded(t.tokens_per_second)});
    out.time = filled(runs ? Text::TimePerToken : Text::TimePerStep, {text(t.step)});
    if (t.dollars_per_million_tokens_low > 0)
        out.cost = filled(Text::CostPerMillion,
                          {dollars(t.dollars_per_million_tokens_low), dollars(t.dollars_per_million_tokens_high)});
    out.sentence = filled(Text::ThroughputSentence, {out.rate, efficiency_text(t)});
    out.confidence = label(Confidence::Assumed);
    return out;
}

}  // namespace memwall
