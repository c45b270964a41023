#include "view/strings.hpp"

#include <array>
#include <cassert>

#include "base/packed_rows.hpp"
#include "base/word_list.hpp"

namespace memwall {
namespace {

struct StringRow {
    Text id;
    std::string_view english;
};

constexpr auto kStrings = std::to_array<StringRow>({
    {Text::Fits, "It fits: {0} needed{1} ({2} to {3}), {4} usable, {5} left."},
    {Text::DoesNotFit, "It does not fit: {0} needed{1} ({2} to {3}), {4} usable, {5} missing."},
    {Text::TightWithRoom, "It is tight: {0} needed{1}, {4} usable, {5} left, but it may take {2} to {3}."},
    {Text::TightWithout, "It is tight: {0} needed{1}, {4} usable, {5} missing, but it may take {2} to {3}."},
    {Text::NeedsChooseAccelerator, "{0} needed{1} ({2} to {3}). Choose a GPU to see whether that fits."},
    {Text::ChooseModel, "Choose a model, or give its dimensions or its number of parameters."},
    {Text::OnEachOf, " on each of {0} GPUs"},
    {Text::Left, "left"},
    {Text::Missing, "missing"},
    {Text::IntervalRange, "{0} to {1}"},
    {Text::PeakAt, "most during the {0}{1}"},
    {Text::PeakFirstStep, " of the first step"},
    {Text::PeakSteadyStep, " of every step after the first"},
    {Text::PeakRows, "{0}; largest: {1}; {2}"},
    {Text::PeakRow, "{0} ({1}), {2}"},
    {Text::PeakBesideSteps, " of the {0}"},

    {Text::TrainingMultiple, "Training needs {0} × the weights ({1} in 16 bits)."},
    {Text::InferenceMultiple, "Running it needs {0} × the weights ({1} in 16 bits)."},
    {Text::RunIt, "Run it"},
    {Text::TrainIt, "Train it"},
    {Text::RunFits, "Runs: {0} of {1}."},
    {Text::RunTight, "Running it is tight: {0} of {1}."},
    {Text::RunDoesNotFit, "Does not run: {0} needed, {1} usable."},
    {Text::TrainFits, "Trains: {0} of {1}."},
    {Text::TrainTight, "Training it is tight: {0} of {1}."},
    {Text::TrainDoesNotFit, "Does not train: {0} needed, {1} usable."},
    {Text::SideCannotSay, "{0} needed."},
    {Text::SideRefused, "Not computed: {0}"},
    {Text::LargestFits, "Largest that fits: {0} {1}; {2} would need {3}."},
    {Text::LargestNothing, "Nothing fits: {0} {1} already needs {2}."},
    {Text::LargestAll, "Everything up to the limit fits: {0} {1}."},
    {Text::LargestIsTight, " At {0} it is tight."},
    {Text::Baseline, "standard rule"},
    {Text::BaselineText, "standard rule: {0} bytes × {1} parameters = {2}, without activations"},

    {Text::Allocated, "allocated peak"},
    {Text::Reserved, "reserved"},
    {Text::DeviceTotal, "device total"},
    {Text::Usable, "usable"},
    {Text::Unknown, "unknown"},

    {Text::LiveFromUntil, "{0} to {1}"},
    {Text::OnItsWay, "Still being loaded: explanations come after the numbers."},
    {Text::InstantStep, "{0}, {1}"},
    {Text::InstantLayer, "layer {0} of {1}"},
    {Text::StageLoading, "loading"},
    {Text::FirstStep, "first step"},
    {Text::SteadyStep, "steady step"},
    {Text::StageEvaluation, "evaluation"},
    {Text::StageGeneration, "generation"},
    {Text::StageSaving, "saving"},

    {Text::Times, "× {0}"},
    {Text::Trained, "{0} of them train ({1})."},

    {Text::TokensPerSecond, "{0} tokens/s"},
    {Text::TimePerStep, "{0} per step"},
    {Text::TimePerToken, "{0} per token"},
    {Text::CostPerMillion, "{0} to {1} per million tokens"},
    {Text::ThroughputSentence, "About {0}, assuming {1}."},
    {Text::Efficiency, "Efficiency"},
    {Text::EfficiencyOf, "{0} of the peak {1}"},
    {Text::RoofCompute, "arithmetic rate"},
    {Text::RoofBandwidth, "memory bandwidth"},

    {Text::TitleSeparator, " · "},
    {Text::GpuCount, "{0} × {1}"},
    {Text::AssumedRow, "{0} ({1})"},

    {Text::DescribeGauge, "Gauge: {0} needed, between {1} and {2}, of {3} usable."},
    {Text::DescribeGaugeUnknown, "Gauge: {0} needed, between {1} and {2}; usable memory unknown."},
    {Text::DescribeBar, "Stacked bar of {0}: {1}."},
    {Text::DescribeBarPart, "{0} {1}"},
    {Text::DescribeTimeline, "Memory over one step in {0} instants: most is {1} in the {2}, of {3} for tensors."},
    {Text::DescribeTimelineUnknown, "Memory over one step in {0} instants: most is {1} in the {2}."},
    {Text::DescribeWindow, "Instants {0} to {1} of {2}: most is {3} in the {4}."},
});

constexpr bool each_at_its_index() {
    for (std::size_t i = 0; i < kStrings.size(); ++i)
        if (static_cast<std::size_t>(kStrings[i].id) != i) return false;
    return static_cast<std::size_t>(Text::DescribeWindow) + 1 == kStrings.size();
}
static_assert(each_at_its_index(), "strings in the order of Text, one row each");

struct CompareRow {
    CompareText id;
    std::string_view english;
};

constexpr auto kCompareStrings = std::to_array<CompareRow>({
    {CompareText::DoNotFinetune, "Do not finetune"},
    {CompareText::DoNotMeaning, "prompting and retrieval: the model runs as it is"},
    {CompareText::Needed, "Needed, or only wanted?"},
    {CompareText::First,
     "Has a careful prompt with a few examples in it been tried, and on a larger model too? It costs the memory of the "
     "first row alone."},
    {CompareText::Second,
     "Does the model lack facts, or a way of behaving? Facts, above all those that change, are looked up better than "
     "learned; training teaches form, tone and skill."},
    {CompareText::Third,
     "Is there a test that the prompted model fails, with a number that would be good enough? Without one nobody can "
     "tell whether training has helped."},
    {CompareText::Fourth,
     "How many good examples are there? Full finetuning wants tens of thousands to millions, some adapter methods a "
     "few thousand."},
    {CompareText::Fifth,
     "Who repeats it? Every new base model and every change of the data asks for another run, and all that time the "
     "result has to be served."},
    {CompareText::Trains, "Trains"},
    {CompareText::Kept, "Kept for backward"},
    {CompareText::Checkpoint, "Checkpoint on disk"},
    {CompareText::Latency, "Added to inference"},
    {CompareText::Largest, "Largest micro-batch"},
    {CompareText::Cheapest, "Cheapest GPU that suffices"},
    {CompareText::Evidence, "Quality"},
    {CompareText::LastLayers, "{0}: the last {1} of {2} layers train"},
    {CompareText::OfAll, "{0} of all parameters"},
    {CompareText::OfAllAndLayers, "{0} of all parameters, {1} of those in layers"},
    {CompareText::Nothing, "nothing"},
    {CompareText::NothingOnceMerged, "nothing once merged"},
    {CompareText::UntilThen, "{0} operators until then"},
    {CompareText::AddsOperators, "{0} operators"},
    {CompareText::UncountedMany, "uncounted"},
    {CompareText::InEachPass, "in every forward pass"},
    {CompareText::NoEvidence, "no evidence on file"},
    {CompareText::FromAnHour, "from {0} an hour"},
    {CompareText::NoPrice, "no price on file"},
    {CompareText::NoneSuffices, "none on file"},
    {CompareText::Refused, "Not computed: {0}"},
    {CompareText::Needs, "Needed"},
    {CompareText::Usable, "Usable"},
    {CompareText::More, "+{0}"},
    {CompareText::Less, "−{0}"},
    {CompareText::Same, "the same"},
    {CompareText::Side, "Scenario {0}"},
});
static_assert(kCompareStrings.size() == static_cast<std::size_t>(CompareText::Side) + 1);

constexpr WordList kCategoryLabels =
    "Weights|Gradients|Master weights|Optimizer state|Activations|Logits|Weight casts|KV cache|Inputs|Buffers|"
    "Temporaries|Communication|Allocator slack|Framework|In use by others";
static_assert(kCategoryLabels.size() == kCategories);

constexpr WordList kSegmentLabels =
    "load|embedding|forward|head and loss|backward of the head|backward|backward of the embedding|gradient sum|"
    "optimizer step|idle|prefill|decoding";
static_assert(kSegmentLabels.size() == static_cast<std::size_t>(Segment::Decode) + 1);

constexpr WordList kVerdictLabels = "fits|does not fit|tight|cannot say";
static_assert(kVerdictLabels.size() == static_cast<std::size_t>(Verdict::CannotSay) + 1);

constexpr WordList kConfidenceLabels = "exact|published|measured|assumed";
static_assert(kConfidenceLabels.size() == static_cast<std::size_t>(Confidence::Assumed) + 1);

constexpr WordList kTaskLabels = "pretrain|finetune|inference";
static_assert(kTaskLabels.size() == static_cast<std::size_t>(Task::Inference) + 1);

constexpr WordList kModuleLabels = "Embedding|Positions|Attention|MLP|Experts|Norms|Output head|Vision|Other";
static_assert(kModuleLabels.size() == kModules);

struct ModuleLabel {
    std::string_view module, label;
};
constexpr ModuleLabel kModuleWords[] = {
    {"predictions", "Kept predictions"},
    {"act_fn", "Activation function"},
    {"c_attn", "Query, key and value projection"},
    {"attn.c_proj", "Attention output projection"},
    {"c_fc", "MLP up projection"},
    {"mlp.c_proj", "MLP down projection"},
    {"mlp", "MLP"},
    {"rotary_emb", "Rotary positions"},
    {"embed_positions", "Position embedding"},
};

template <class Enum>
std::string_view at(WordList table, Enum id) {
    return table[static_cast<std::size_t>(id)];
}

}  // namespace

std::string_view string(Text id, Language) {
    return packed_rows<kStrings, &StringRow::english>()[static_cast<std::size_t>(id)].english;
}

namespace {

std::string filled(std::string_view pattern, Pieces arguments) {
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '{') {
            out += pattern[i];
            continue;
        }
        const auto index = static_cast<std::size_t>(pattern[i + 1] - '0');
        assert(index < arguments.size() && pattern[i + 2] == '}');
        out += arguments.begin()[index].text;
        i += 2;
    }
    return out;
}

}  // namespace

std::string filled(Text id, Pieces arguments) { return filled(string(id), arguments); }

std::string filled(CompareText id, Pieces arguments) {
    using Row = CompareRow;
    return filled(packed_rows<kCompareStrings>(LateTexts<&Row::english>{})[static_cast<std::size_t>(id)].english,
                  arguments);
}

std::string_view label(Category id) { return at(kCategoryLabels, id); }
std::string_view label(Segment id) { return at(kSegmentLabels, id); }
std::string_view label(Verdict id) { return at(kVerdictLabels, id); }
std::string_view label(Confidence id) { return at(kConfidenceLabels, id); }
std::string_view label(Task id) { return at(kTaskLabels, id); }
std::string_view module_label(std::string_view module) {
    for (const ModuleLabel& row : kModuleWords)
        if (row.module == module) return row.label;
    return {};
}
std::string_view label(Module id) { return at(kModuleLabels, id); }

}  // namespace memwall
