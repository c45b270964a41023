// Strings: every sentence and label of the interface, in one table with a column per language.
//
// strings.cpp has one row per Text; placeholders are {0} ... {9}. Only view code reads it, so faces get
// finished strings. Words of fields stand in the field table (plan/fields.hpp), reasons of rows in the
// rule table (memory/rules.hpp).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/concat.hpp"
#include "estimate/estimate.hpp"
#include "model/parameters.hpp"

namespace memwall {

// clang-format off
enum class Text : std::uint16_t {
    // The answer
    Fits, DoesNotFit, TightWithRoom, TightWithout, NeedsChooseAccelerator, ChooseModel,
    OnEachOf, Left, Missing, IntervalRange, PeakAt, PeakFirstStep, PeakSteadyStep, PeakRows, PeakRow, PeakBesideSteps,
    // Its neighbours
    TrainingMultiple, InferenceMultiple, RunIt, TrainIt, RunFits, RunTight, RunDoesNotFit, TrainFits, TrainTight,
    TrainDoesNotFit, SideCannotSay, SideRefused,
    LargestFits, LargestNothing, LargestAll, LargestIsTight,
    Baseline, BaselineText,
    // The four numbers
    Allocated, Reserved, DeviceTotal, Usable, Unknown,
    // Tables
    LiveFromUntil, OnItsWay,
    InstantStep, InstantLayer, StageLoading, FirstStep, SteadyStep, StageEvaluation, StageGeneration, StageSaving,
    // Parameters
    Times, Trained,
    // Throughput and cost
    TokensPerSecond, TimePerStep, TimePerToken, CostPerMillion, ThroughputSentence, Efficiency, EfficiencyOf,
    RoofCompute, RoofBandwidth,
    // Titles and assumptions
    TitleSeparator, GpuCount, AssumedRow,
    // Charts, for who cannot see them
    DescribeGauge, DescribeGaugeUnknown, DescribeBar, DescribeBarPart, DescribeTimeline, DescribeTimelineUnknown, DescribeWindow,
};
// Of the comparison of methods, which nobody sees before the rest: they come late (base/late_texts.hpp).
enum class CompareText : std::uint8_t {
    DoNotFinetune, DoNotMeaning, Needed, First, Second, Third, Fourth, Fifth,
    Trains, Kept, Checkpoint, Latency, Largest, Cheapest, Evidence,
    LastLayers, OfAll, OfAllAndLayers, Nothing, NothingOnceMerged, UntilThen, AddsOperators, UncountedMany, InEachPass, NoEvidence, FromAnHour,
    NoPrice, NoneSuffices, Refused,
    Needs, Usable, More, Less, Same, Side,
};
// clang-format on
enum class Language : std::uint8_t { English };

std::string_view string(Text, Language = Language::English);
// string(text) with {0}, {1} ... replaced.
std::string filled(Text, Pieces arguments);
std::string filled(CompareText, Pieces arguments = {});

std::string_view label(Category);
std::string_view label(Segment);
std::string_view label(Verdict);
std::string_view label(Confidence);
std::string_view label(Task);
std::string_view label(Module);
// Modules of the recorded step whose name in the code says little ("c_attn"); empty: none.
std::string_view module_label(std::string_view module);

}  // namespace memwall
