#include "plan/model_defaults.hpp"

#include <utility>

#include "base/checked.hpp"
#include "base/concat.hpp"
#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "catalogue/catalogue.hpp"
#include "model/families.hpp"
#include "plan/defaults.hpp"
#include "plan/fields.hpp"
#include "plan/implementation_version.hpp"
#include "plan/number_text.hpp"

namespace memwall {
namespace {

bool any_given(const Scenario& s, FieldGroup group) {
    for (const FieldRow& row : fields())
        if (row.group == group && is_given(s, row.id)) return true;
    return false;
}

// The words given by hand, over what is there.
void lay_over(const Scenario& given, Scenario& completed) {
    for (const FieldRow& row : fields()) {
        if (row.group != FieldGroup::Architecture || !is_given(given, row.id)) continue;
        if (row.kind == FieldKind::Text)
            row.access.set_text(completed, row.access.text(given));
        else
            row.access.set(completed, row.access.get(given));
    }
}

// What is stated over a model of the catalogue: a dimension is noted, another family is another model.
Failure note_stated_over(const Scenario& given, const Architecture& own, std::string_view ref, Notes& notes) {
    const std::string& type = given.model.architecture.model_type;
    if (is_given(given, FieldId::ModelType) && type != own.model_type)
        return Error{ErrorCode::Inconsistent,
                     field(FieldId::ModelType).key,
                     {field(FieldId::ModelType).key, " is ", type, ", and ", ref, " is a ", own.model_type},
                     "leave one of the two out"};
    std::string keys;
    for (const FieldRow& row : fields())
        if (row.group == FieldGroup::Architecture && is_given(given, row.id) && row.id != FieldId::ModelType)
            keys += concat({keys.empty() ? "" : ", ", row.key});
    if (!keys.empty()) notes.add("model.ref", {"stated over ", ref, ": ", keys});
    return std::nullopt;
}

Failure from_catalogue(const Scenario& given, Scenario& completed, Notes& notes) {
    auto found = find_model(given.model.ref);
    if (!found) {
        Error error = found.error();
        error.where = field(FieldId::ModelRef).key;
        return error;
    }
    const ModelRow& row = **found;
    completed.model.ref = row.id;
    completed.model.architecture = architecture_from_row(row);
    if (completed.model.architecture.kind == ArchitectureKind::TotalOnly)
        notes.add("model.ref", {row.id, ": only the total number of parameters is known, activations are assumed"});
    completed.model.count_trust = row.count_trust;
    if (row.count_trust == Trust::Recalled)
        notes.add("model.ref", {"* ", row.id, ": its number of parameters is recalled, not read from a source"});
    if (!is_given(given, FieldId::ModelName)) completed.model.name = row.id;
    return note_stated_over(given, completed.model.architecture, row.id, notes);
}

// What a model of the catalogue has only because of sizes that are stated otherwise here, and that follows from them
// again.
void forget_derived(const Scenario& given, Architecture& a) {
    if (a.kind != ArchitectureKind::Decoder && a.kind != ArchitectureKind::Encoder) return;
    const bool heads = is_given(given, FieldId::NumAttentionHeads);
    if ((heads || is_given(given, FieldId::HiddenSize)) && a.head_dim * a.num_attention_heads == a.hidden_size)
        a.head_dim = 0;
    if (heads && a.num_key_value_heads == a.num_attention_heads) a.num_key_value_heads = 0;
}

// ---- by hand -----------------------------------------------------------------------------------

bool has_learned_positions(const Scenario& s) {
    return is_given(s, FieldId::LearnedPositions) ||
           (is_given(s, FieldId::Position) && s.model.architecture.position == Position::Learned);
}

void guess_type(const Scenario& given, Architecture& out, Notes& notes) {
    if (is_given(given, FieldId::ModelType)) {
        out.model_type = given.model.architecture.model_type;
        return;
    }
    out.model_type = has_learned_positions(given) ? "gpt2" : "llama";
    notes.add("model.config.model_type", {"model_type is not given: read as a ", out.model_type, "-style decoder"});
}

struct Guess {
    FieldId id;
    std::int64_t Architecture::*member;
    std::int64_t (*value)(const Architecture&);
    std::string_view why;
};

std::int64_t heads_of_128(const Architecture& a) {
    for (const std::int64_t width : {128, 64, 32, 16, 8, 4, 2})
        if (a.hidden_size % width == 0) return a.hidden_size / width;
    return 1;
}
std::int64_t usual_intermediate(const Architecture& a) {
    return a.mlp_gated ? round_up(ceil_div(a.hidden_size * 8, 3), 256) : a.hidden_size * 4;
}

// What is left out of a model by hand, in an order in which each may use the ones before.
constexpr Guess kGuesses[] = {
    {FieldId::NumAttentionHeads, &Architecture::num_attention_heads, heads_of_128,
     "heads of width 128 where that divides"},
    {FieldId::IntermediateSize, &Architecture::intermediate_size, usual_intermediate,
     "8/3 × hidden_size rounded up to 256 for a gated MLP, else 4 × hidden_size"},
    {FieldId::VocabSize, &Architecture::vocab_size, [](const Architecture&) -> std::int64_t { return 32'000; },
     "the size of llama's vocabulary"},
};

Failure incomplete(FieldId id) {
    const FieldRow& row = field(id);
    return Error{ErrorCode::Incomplete,
                 row.key,
                 {row.label, " is missing"},
                 {"allowed: ", allowed_text(row), "; a model by hand has at least ", field(FieldId::HiddenSize).key,
                  " and ", field(FieldId::NumHiddenLayers).key}};
}

Failure fill_decoder(Architecture& out, Notes& notes) {
    if (out.hidden_size == 0) return incomplete(FieldId::HiddenSize);
    if (out.num_hidden_layers == 0) return incomplete(FieldId::NumHiddenLayers);
    for (const Guess& guess : kGuesses) {
        if (out.*guess.member != 0) continue;
        out.*guess.member = guess.value(out);
        const FieldRow& row = field(guess.id);
        notes.add(std::string(row.key),
                  {row.label, ": not given, taken as ", with_commas(out.*guess.member), " (", guess.why, ")"});
    }
    return std::nullopt;
}

// Families whose sizes are no fields: of them the number of parameters is needed.
bool has_sizes_of_its_own(Blueprint blueprint) {
    constexpr std::uint32_t kBy = 1;
    constexpr std::uint32_t own = kBy << static_cast<int>(Blueprint::DualEncoder) |
                                  kBy << static_cast<int>(Blueprint::Resnet) | kBy << static_cast<int>(Blueprint::Vgg) |
                                  kBy << static_cast<int>(Blueprint::Unet) | kBy << static_cast<int>(Blueprint::Flux) |
                                  kBy << static_cast<int>(Blueprint::Sd3) | kBy << static_cast<int>(Blueprint::Dit) |
                                  kBy << static_cast<int>(Blueprint::Wan) | kBy << static_cast<int>(Blueprint::Swin);
    return (own >> static_cast<int>(blueprint) & 1) != 0;
}

Failure only_total(const Scenario& given, std::string_view type, Architecture& out) {
    const FieldRow& row = field(FieldId::ModelParams);
    if (!is_given(given, row.id))
        return Error{ErrorCode::Incomplete,
                     row.key,
                     {row.label, " is missing: the sizes of a ", type, " cannot be stated by hand"},
                     {"allowed: ", allowed_text(row), "; or take a model of the catalogue"}};
    out.kind = ArchitectureKind::TotalOnly;
    out.total_parameters = given.model.architecture.total_parameters;
    return std::nullopt;
}

// A window that is stated slides in the layers in which the family's code uses it.
void fill_windows(const Scenario& given, Architecture& a) {
    const std::int64_t period = family(a.model_type).window_period;
    const bool reaches = a.max_position_embeddings > 0 && a.sliding_window >= a.max_position_embeddings;
    if (period == 0 || reaches || a.sliding_window == 0 || !is_given(given, FieldId::SlidingWindow) ||
        is_given(given, FieldId::LayerTypes) || !a.layer_pattern.empty())
        return;
    for (std::int64_t layer = 1; layer <= std::min(a.num_hidden_layers, kMaxLayers); ++layer)
        a.layer_pattern += period > 1 && layer % period == 0 ? 'F' : 'S';
}

Failure by_hand(const Scenario& given, Scenario& completed, Notes& notes) {
    Notes about_type;
    Architecture typed;
    guess_type(given, typed, about_type);
    Architecture& out = completed.model.architecture;
    out = architecture_from_family(family(typed.model_type));
    out.model_type = typed.model_type;
    lay_over(given, completed);
    if (has_sizes_of_its_own(family(out.model_type).blueprint))
        if (Failure bad = only_total(given, out.model_type, out)) return bad;
    if (out.kind == ArchitectureKind::Decoder)
        if (Failure bad = fill_decoder(out, about_type)) return bad;
    fill_windows(given, out);
    for (const Note& note : about_type.all())
        notes.add(note.where, note.message);
    if (!is_given(given, FieldId::ModelName)) completed.model.name = "model by hand";
    return std::nullopt;
}

// "7B parameters", where the number has at most three digits behind the point of its unit; else in full.
std::string name_of_count(std::int64_t parameters) {
    struct Unit {
        std::int64_t size;
        std::string_view letter;
    };
    for (const auto& [size, letter] : {Unit{1'000'000'000'000, "T"}, Unit{1'000'000'000, "B"}, Unit{1'000'000, "M"}})
        if (parameters >= size && parameters % (size / 1000) == 0)
            return concat({text_from_number(parameters / (size / 1000), 1000), letter, " parameters"});
    return concat({with_commas(parameters), " parameters"});
}

Failure no_model() {
    return Error{ErrorCode::Missing, "model.ref", "No model is given",
                 "give a model of the catalogue, its dimensions, or model.params"};
}

// An importer or complete() itself has filled the architecture; setters alone leave the kind as it is.
bool is_filled(const Scenario& s) {
    return s.model.architecture.kind != ArchitectureKind::ParameterCount && !is_given(s, FieldId::Arch);
}

void complete_labels(Architecture& a, Notes& notes) {
    const bool classifies = a.task_head == TaskHead::SequenceClassification ||
                            a.task_head == TaskHead::ImageClassification ||
                            a.task_head == TaskHead::TokenClassification;
    if (!classifies || a.num_labels != 0) return;
    a.num_labels = 2;
    notes.add("model.config.num_labels", "Labels: not given, taken as 2 (the default of transformers)");
}

// What is trained has a head, and what is counted is what the program of the family runs.
void settle_head(const Scenario& given, Architecture& a, Notes& notes) {
    if (a.kind == ArchitectureKind::Decoder && a.task_head == TaskHead::None && given.task != Task::Inference) {
        a.task_head = TaskHead::CausalLm;
        notes.add("model.structure.task_head", "none, so a language model is trained, with its head");
    }
    if (a.kind != ArchitectureKind::Encoder || family(a.model_type).block == BlockFamily::None) return;
    if (a.task_head == TaskHead::None && a.encoder.classifier != ClassifierHead::None)
        a.task_head = TaskHead::SequenceClassification;
    if (a.task_head == TaskHead::None) {
        if (given.task == Task::Inference) return;
        a.task_head = TaskHead::MaskedLm;
        notes.add("model.structure.task_head", "not given, so a masked language model is trained, with its head");
    }
    EncoderParts& parts = a.encoder;
    parts.mlm_head = a.task_head == TaskHead::MaskedLm;
    if (!parts.mlm_head && parts.classifier != ClassifierHead::None) return;
    parts.pooler = false;
    const BlockFamily block = family(a.model_type).block;
    const bool dense = a.task_head == TaskHead::SequenceClassification &&
                       (block == BlockFamily::Roberta || block == BlockFamily::Electra);
    parts.classifier = parts.mlm_head ? ClassifierHead::None : dense ? ClassifierHead::Dense : ClassifierHead::Linear;
}

// transformers 5 ties the head of t5 to its embedding whatever the file says, unless a checkpoint is loaded that has
// both; 4 does as the file says.
void settle_tying(const Scenario& given, Architecture& a, Notes& notes) {
    const Implementation& of = given.implementation;
    const bool heads = family(a.model_type).block == BlockFamily::T5 && a.encoder_decoder.num_decoder_layers > 0;
    if (!heads || a.tie_word_embeddings || given.task != Task::Pretrain ||
        of.name != ImplementationName::HfTransformers || transformers_major(of.version) == 4)
        return;
    a.tie_word_embeddings = a.encoder_decoder.plain_head = true;
    notes.add("model.config.tie_word_embeddings",
              "transformers 5 ties the output head of this model although its configuration does not; 4 does not");
}

// What a family is not made of has no shapes that could be counted; its total may be known.
Failure settle_kind(const Scenario& given, Architecture& a) {
    const bool stack = a.kind == ArchitectureKind::Decoder || a.kind == ArchitectureKind::Encoder;
    const bool counts = stack ? a.hidden_size > 0 : family(a.model_type).kind == a.kind;
    if (counts || !is_given(given, FieldId::Arch)) return std::nullopt;
    if (is_given(given, FieldId::ModelParams)) a.total_parameters = given.model.architecture.total_parameters;
    if (stack && a.total_parameters == 0) return std::nullopt;
    if (a.total_parameters == 0)
        return Error{ErrorCode::Inconsistent, "model.structure.arch",
                     "model.structure.arch: the model's dimensions are those of another kind of model",
                     "leave it out, or give model.params"};
    a.kind = ArchitectureKind::TotalOnly;
    return std::nullopt;
}

// The value the field would have if it were not given.
bool follows_from_family(const FieldRow& row, const Scenario& scenario, const Scenario& untouched) {
    if (row.kind == FieldKind::Text) return row.access.text(scenario).empty();
    return row.access.get(scenario) == row.access.get(untouched) || row.access.get(scenario) < row.minimum;
}

}  // namespace

Error unknown_model_type(std::string_view where, std::string_view type) {
    std::vector<std::string_view> known;
    for (const FamilyRow& row : families())
        known.push_back(row.model_type);
    std::string near;
    for (const std::string_view name : nearest(type, known, 3))
        near += concat({near.empty() ? "did you mean " : ", ", name});
    return {ErrorCode::UnknownName,
            where,
            {"model_type is \"", excerpt(type, 60), "\", which is not known"},
            {near, near.empty() ? "" : "? ",
             "allowed: the model_type of any model in the catalogue; llama is any llama-style decoder"}};
}

void give_architecture(Scenario& scenario, Architecture architecture, std::string name) {
    Scenario untouched;
    untouched.model.architecture = architecture_from_family(family(architecture.model_type));
    scenario.model.ref.clear();
    scenario.given.reset(index(FieldId::ModelRef));
    scenario.model.name = std::move(name);
    scenario.given.set(index(FieldId::ModelName), !scenario.model.name.empty());
    scenario.model.architecture = std::move(architecture);
    for (const FieldRow& row : fields()) {
        if (row.group != FieldGroup::Architecture || is_later(row) || row.id == FieldId::Arch) continue;
        scenario.given.set(index(row.id), !follows_from_family(row, scenario, untouched));
    }
    // What with_defaults() makes of the other sizes follows them when they are stated otherwise.
    const Architecture& a = scenario.model.architecture;
    if (a.num_key_value_heads == a.num_attention_heads) scenario.given.reset(index(FieldId::NumKeyValueHeads));
    if (a.head_dim * a.num_attention_heads == a.hidden_size) scenario.given.reset(index(FieldId::HeadDim));
}

Failure complete_model(const Scenario& given, Scenario& completed, Notes& notes) {
    completed.model = {};
    const std::string& type = given.model.architecture.model_type;
    if (is_given(given, FieldId::ModelType) && find_family(type) == nullptr)
        return unknown_model_type(field(FieldId::ModelType).key, type);
    if (is_given(given, FieldId::ModelName)) completed.model.name = given.model.name;
    if (is_given(given, FieldId::ModelRef)) {
        if (Failure bad = from_catalogue(given, completed, notes)) return bad;
        forget_derived(given, completed.model.architecture);
        lay_over(given, completed);
    } else if (is_filled(given)) {
        completed.model.name = given.model.name;
        Architecture& a = completed.model.architecture = given.model.architecture;
        if (any_given(given, FieldGroup::Architecture)) {
            if (!is_given(given, FieldId::NumKeyValueHeads)) a.num_key_value_heads = 0;
            if (!is_given(given, FieldId::HeadDim)) a.head_dim = 0;
        }
    } else if (any_given(given, FieldGroup::Architecture)) {
        if (Failure bad = by_hand(given, completed, notes)) return bad;
    } else if (is_given(given, FieldId::ModelParams)) {
        completed.model.architecture.total_parameters = given.model.architecture.total_parameters;
        if (completed.model.name.empty())
            completed.model.name = name_of_count(given.model.architecture.total_parameters);
        return std::nullopt;
    } else {
        return no_model();
    }
    Architecture& out = completed.model.architecture;
    if (Failure bad = settle_kind(given, out)) return bad;
    settle_head(given, out, notes);
    settle_tying(given, out, notes);
    out = with_defaults(std::move(out));
    if (is_given(given, FieldId::ModelParams)) {
        const bool used = out.kind == ArchitectureKind::TotalOnly;
        if (used) out.total_parameters = given.model.architecture.total_parameters;
        if (!used) notes.add("model.params", "not used: the parameters are counted from the model's dimensions");
    }
    complete_labels(out, notes);
    return check(out);
}

}  // namespace memwall
