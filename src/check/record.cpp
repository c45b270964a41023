#include "check/record.hpp"

#include <yyjson.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "base/utf8.hpp"
#include "base/word_list.hpp"
#include "catalogue/catalogue.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

struct FreeDocument {
    void operator()(yyjson_doc* doc) const { yyjson_doc_free(doc); }
};
using Document = std::unique_ptr<yyjson_doc, FreeDocument>;

// What is null is not stated.
yyjson_val* stated(yyjson_val* object, const char* key) {
    yyjson_val* value = yyjson_obj_get(object, key);
    return yyjson_is_null(value) ? nullptr : value;
}

std::string text_at(yyjson_val* object, const char* key) {
    const char* text = yyjson_get_str(stated(object, key));
    return text ? text : "";
}

// Whole numbers alone: what is negative, fractional or beyond 63 bits is as good as not stated.
std::optional<std::int64_t> integer_at(yyjson_val* object, const char* key) {
    yyjson_val* value = stated(object, key);
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(yyjson_get_uint(value));
}

std::string scalar_text(yyjson_val* value) {
    if (yyjson_is_str(value)) return yyjson_get_str(value);
    if (yyjson_is_bool(value)) return yyjson_get_bool(value) ? "true" : "false";
    if (yyjson_is_uint(value)) return std::to_string(yyjson_get_uint(value));
    if (yyjson_is_int(value)) return std::to_string(yyjson_get_sint(value));
    if (!yyjson_is_real(value)) return "";
    char text[40];
    std::snprintf(text, sizeof text, "%.15g", yyjson_get_real(value));
    return text;
}

// A list of equal values is that value: the same width in every layer, a square patch, also of one frame (1, 2, 2).
yyjson_val* only_value(yyjson_val* list) {
    yyjson_val* last = yyjson_arr_get_last(list);
    yyjson_arr_iter items = yyjson_arr_iter_with(list);
    bool first = true;
    while (yyjson_val* item = yyjson_arr_iter_next(&items)) {
        if (!yyjson_is_uint(item)) return nullptr;  // lists in lists are not walked: they may be thousands deep
        const bool one_frame = first && yyjson_get_uint(item) == 1;
        if (!one_frame && yyjson_get_uint(item) != yyjson_get_uint(last)) return nullptr;
        first = false;
    }
    return last;
}

// A JSON value as the field table reads it; arrays become comma lists.
std::string field_text(yyjson_val* value) {
    if (!yyjson_is_arr(value)) return scalar_text(value);
    if (yyjson_val* same = only_value(value)) return scalar_text(same);
    std::string joined;
    yyjson_arr_iter items = yyjson_arr_iter_with(value);
    while (yyjson_val* item = yyjson_arr_iter_next(&items)) {
        if (!joined.empty()) joined += ',';
        joined += scalar_text(item);
    }
    return joined;
}

// Values that say "this is not used": a field that comes later may carry them.
bool is_neutral(yyjson_val* value) {
    if (yyjson_is_null(value) || yyjson_is_false(value)) return true;
    if (yyjson_is_arr(value)) return yyjson_arr_size(value) == 0;
    return yyjson_is_str(value) && std::string_view(yyjson_get_str(value)) == "none";
}

// Keys that describe the record and are no input.
constexpr std::string_view kNotInputs[] = {
    "method.trainable_params", "batch.tokens_note",       "model.params", "model.ref", "accelerator.name",
    "accelerator.memory_gb",   "accelerator.usable_bytes"};

bool is_input(std::string_view key) {
    for (std::string_view other : kNotInputs)
        if (key == other) return false;
    return true;
}

// What a reading of one category depends on: other settings of the run say nothing about it.
struct ReadingInputs {
    std::string_view what;
    std::array<std::string_view, 9> keys;  // or what they begin with
};
constexpr ReadingInputs kReadings[] = {
    {"weights", {"model.", "task", "method.", "precision.", "mesh.", "offload.", "accelerator."}},
    {"kv_cache",
     {"model.", "task", "mesh.", "precision.compute", "serving.context_tokens", "serving.concurrent_sequences",
      "serving.kv_cache_dtype", "serving.kv_full_context_every_layer", "accelerator."}},
};

bool enters_reading(std::string_view what, std::string_view key) {
    for (const ReadingInputs& reading : kReadings) {
        if (reading.what != what) continue;
        for (const std::string_view start : reading.keys)
            if (!start.empty() && key.starts_with(start)) return true;
        return false;
    }
    return true;
}

void set_one(Record& record, const std::string& key, yyjson_val* value) {
    if (yyjson_is_null(value) || !is_input(key) || !enters_reading(record.measured.what, key)) return;
    if (yyjson_is_arr(value) && yyjson_arr_size(value) == 0) return;
    Failure failure = set_field(record.scenario, key, field_text(value));
    if (failure && !is_neutral(value) && !record.refused) record.refused = failure;
}

// Groups hold values, and the model's two groups inside it; deeper ones are no input.
void set_group(Record& record, const std::string& prefix, yyjson_val* group) {
    yyjson_obj_iter members = yyjson_obj_iter_with(group);
    while (yyjson_val* key = yyjson_obj_iter_next(&members)) {
        yyjson_val* value = yyjson_obj_iter_get_val(key);
        const std::string path = prefix + "." + yyjson_get_str(key);
        if (!yyjson_is_obj(value)) set_one(record, path, value);
    }
}

void keep_failure(Record& record, const Failure& failure) {
    if (failure && !record.refused) record.refused = failure;
}

bool is_in_catalogue(std::string_view ref) {
    const auto known = models();
    return std::any_of(known.begin(), known.end(), [&](const ModelRow& row) { return row.id == ref; });
}

// Records of torchvision carry nothing but the name of the function that builds the model, in full: a part of a name
// would count another model.
std::string ref_from_name(std::string name) {
    constexpr std::string_view kTorchvision = "tv_";
    if (name.starts_with(kTorchvision)) name.erase(0, kTorchvision.size());
    const auto known = models();
    const auto row = std::find_if(known.begin(), known.end(), [&](const ModelRow& model) {
        return is_name_of(model, name) || is_name_of(model, "torchvision " + name);
    });
    return row == known.end() ? "" : std::string(row->id);
}

// The catalogue's row, which knows what a record has no word for (dropout), under the record's own shapes; without
// either the bare count.
void set_model(Record& record, yyjson_val* model) {
    yyjson_val* config = stated(model, "config");
    const bool has_shapes = stated(config, "hidden_size") != nullptr;
    const bool asks_count = record.kind == "params";  // its own count is the answer, never an input
    std::string ref = text_at(model, "ref");
    if (!is_in_catalogue(ref)) ref = asks_count && !has_shapes ? ref_from_name(text_at(model, "name")) : "";
    const auto count = asks_count ? std::nullopt : integer_at(model, "params");
    record.names_model = !ref.empty() || has_shapes || count;
    if (!ref.empty()) keep_failure(record, set_field(record.scenario, FieldId::ModelRef, ref));
    if (has_shapes) {
        set_group(record, "model", model);
        set_group(record, "model.config", config);
        // A record lists the window of a model that was run with one.
        if (!stated(config, "sliding_window"))
            keep_failure(record, set_value(record.scenario, FieldId::SlidingWindow, 0));
        set_group(record, "model.structure", stated(model, "structure"));
    } else if (ref.empty() && count) {
        keep_failure(record, set_value(record.scenario, FieldId::ModelParams, *count));
    }
}

// The row of that name, unless the record says that its card has another size.
const AcceleratorRow* known_accelerator(yyjson_val* card, yyjson_val* size) {
    const std::string name = text_at(card, "name");
    const auto row = name.empty() ? Result<const AcceleratorRow*>(Error{}) : find_accelerator(name);
    if (!row) return nullptr;
    constexpr double kPermille = 1000, kSame = 0.5;
    const double difference = yyjson_get_num(size) * kPermille - (*row)->memory_gb_permille;
    const bool same = !yyjson_is_num(size) || (difference < kSame * kPermille && difference > -kSame * kPermille);
    return same ? *row : nullptr;
}

// "16GB class", "80 GiB": the whole number before the unit; empty: none.
std::string size_in_name(std::string_view name) {
    std::size_t end = std::min(name.find("GB"), name.find("GiB"));
    if (end == std::string_view::npos) return "";
    while (end > 0 && name[end - 1] == ' ')
        --end;
    const std::size_t other = name.find_last_not_of("0123456789", end == 0 ? 0 : end - 1);
    const std::size_t start = other == std::string_view::npos ? 0 : other + 1;
    const bool is_fraction = other != std::string_view::npos && name[other] == '.';
    return is_fraction || start >= end ? "" : std::string(name.substr(start, end - start));
}

// A card that is not in the catalogue, or only named by its class, is taken by its size.
void set_accelerator(Record& record, yyjson_val* card) {
    set_group(record, "accelerator", card);
    yyjson_val* size = stated(card, "memory_gb");
    Scenario& scenario = record.scenario;
    const AcceleratorRow* row = known_accelerator(card, size);
    const auto usable = integer_at(card, "usable_bytes");
    const std::string memory = yyjson_is_num(size) ? scalar_text(size) : size_in_name(text_at(card, "name"));
    record.names_accelerator = row || usable || !memory.empty();
    if (row) keep_failure(record, set_field(scenario, FieldId::AcceleratorName, row->name));
    if (usable)
        keep_failure(record, set_value(scenario, FieldId::UsableBytes, *usable));
    else if (!row && !memory.empty())
        keep_failure(record, set_field(scenario, FieldId::MemoryGb, memory));
}

// Who states neither how nor with what it is trained asks about running it.
void set_task(Record& record, yyjson_val* root) {
    yyjson_val* task = stated(root, "task");
    if (task) return set_one(record, "task", task);
    if (record.kind != "case") return;
    for (const char* group : {"method", "optimizer", "batch"})
        if (yyjson_is_obj(stated(root, group))) return;
    keep_failure(record, set_field(record.scenario, FieldId::Task, "inference"));
}

// A pool holds so many tokens, whoever they belong to.
void set_cache_pool(Record& record, yyjson_val* serving) {
    const auto pool = integer_at(serving, "kv_cache_tokens");
    if (record.measured.what != "kv_cache" || !pool) return;
    keep_failure(record, set_value(record.scenario, FieldId::ContextTokens, *pool));
    keep_failure(record, set_value(record.scenario, FieldId::ConcurrentSequences, 1));
}

void set_scenario(Record& record, yyjson_val* root) {
    set_model(record, stated(root, "model"));
    set_task(record, root);
    for (const char* group :
         {"method", "precision", "optimizer", "batch", "savers", "mesh", "offload", "serving", "implementation"})
        set_group(record, group, stated(root, group));
    set_cache_pool(record, stated(root, "serving"));
    set_accelerator(record, stated(root, "accelerator"));
}

void read_named(std::vector<NamedBytes>& into, yyjson_val* object, const char* inner) {
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    while (yyjson_val* key = yyjson_obj_iter_next(&members)) {
        yyjson_val* value = yyjson_obj_iter_get_val(key);
        if (inner) value = stated(value, inner);
        if (yyjson_is_uint(value) && yyjson_get_uint(value) <= static_cast<std::uint64_t>(INT64_MAX))
            into.push_back({yyjson_get_str(key), static_cast<std::int64_t>(yyjson_get_uint(value))});
    }
}

// Rows are batch × sequence where a record has no word for them.
void read_operator(OperatorRun& run, yyjson_val* op) {
    run.name = text_at(op, "name");
    run.form = text_at(op, "provider") == "liger" ? OperatorForm::Fused : OperatorForm::Eager;
    const std::string dtype = text_at(op, "dtype");
    run.element_bytes = dtype == "fp32" ? 4 : dtype == "bf16" || dtype == "fp16" ? 2 : 0;
    const auto size = [&](const char* key) { return std::min(integer_at(op, key).value_or(0), std::int64_t{1} << 30); };
    run.rows = stated(op, "rows") ? size("rows") : size("batch") * size("sequence");
    run.hidden = size("hidden");
    run.intermediate = size("intermediate");
    run.vocabulary = size("vocab");
    run.heads = size("heads");
    run.kv_heads = size("kv_heads");
}

void read_outcome(Record& record, yyjson_val* root) {
    if (record.kind == "params") {
        record.measured.value = integer_at(stated(root, "model"), "params");
        record.measured.what = "params";
        return;
    }
    if (record.kind == "case") {
        yyjson_val* expected = stated(root, "expected");
        record.measured.what = "case";
        record.measured.scope = text_at(expected, "scope");
        record.expected = {text_at(expected, "verdict"), text_at(expected, "memory"), integer_at(expected, "low_bytes"),
                           integer_at(expected, "high_bytes")};
        return;
    }
    yyjson_val* measured = stated(root, "measured");
    record.measured = {integer_at(measured, "bytes"), text_at(measured, "counter"),
                       text_at(measured, "what"),     text_at(measured, "phase"),
                       text_at(measured, "scope"),    integer_at(measured, "reserved_simulated")};
    if (record.measured.what == "verdict")
        record.expected.verdict = text_at(measured, "verdict") == "ran" ? "fits" : "does_not_fit";
    read_named(record.phases, stated(root, "phases"), "total");
    read_named(record.categories, stated(root, "categories"), nullptr);
    record.trainable_params = integer_at(stated(root, "method"), "trainable_params");
}

}  // namespace

std::string id_in(std::string_view line) {
    constexpr std::string_view kKey = "\"id\"", kSpace = " \t";
    constexpr std::size_t kLongest = 200;
    std::size_t at = line.find(kKey);
    if (at == std::string_view::npos) return {};
    at = line.find_first_not_of(kSpace, at + kKey.size());
    if (at == std::string_view::npos || line[at] != ':') return {};
    at = line.find_first_not_of(kSpace, at + 1);
    if (at == std::string_view::npos || line[at] != '"') return {};
    const std::string_view id = line.substr(at + 1, line.find_first_of("\"\\", at + 1) - at - 1);
    return is_utf8(id) && id.size() <= kLongest ? std::string(id) : std::string();
}

namespace {

bool any_offload(yyjson_val* offload) {
    yyjson_obj_iter members = yyjson_obj_iter_with(offload);
    while (yyjson_val* key = yyjson_obj_iter_next(&members))
        if (!is_neutral(yyjson_obj_iter_get_val(key))) return true;
    return false;
}

// What is asked about training on one card whose memory is stated, with nothing in the host's memory. Preferences,
// rewards, images and diffusion come later.
bool trains_on_one(yyjson_val* root) {
    constexpr WordList kLater = "dpo|rl|diffusion_train|vision_train|diffusers|sd_scripts|torchvision";
    yyjson_val* card = stated(root, "accelerator");
    yyjson_val* complete = stated(root, "complete");
    const std::string task = text_at(root, "task");
    const std::string words[] = {text_at(root, "topic"), text_at(stated(root, "method"), "objective"),
                                 text_at(stated(root, "implementation"), "name")};
    for (const std::string_view later : kLater)
        for (const std::string& word : words)
            if (word == later) return false;
    const auto count = integer_at(card, "count");
    const auto ranks = integer_at(stated(root, "mesh"), "world_size");
    const bool states_memory = integer_at(card, "usable_bytes").has_value() || yyjson_is_num(stated(card, "memory_gb"));
    return (task == "pretrain" || task == "finetune") && !yyjson_is_false(complete) && states_memory &&
           (count || ranks) && count.value_or(1) == 1 && ranks.value_or(1) == 1 &&
           !any_offload(stated(root, "offload"));
}

}  // namespace

Result<Record> record_from_line(std::string_view line, std::string_view file, std::int64_t line_number) {
    const std::string where = std::string(file) + ":" + std::to_string(line_number);
    yyjson_read_err problem{};
    std::string copy(line);
    Document doc(yyjson_read_opts(copy.data(), copy.size(), YYJSON_READ_NOFLAG, nullptr, &problem));
    if (!doc)
        return Error{ErrorCode::Malformed, where + ":" + std::to_string(problem.pos + 1),
                     std::string("not a JSON value: ") + problem.msg, "one JSON object a line"};
    yyjson_val* root = yyjson_doc_get_root(doc.get());
    Record record;
    record.file = file;
    record.id = text_at(root, "id");
    record.kind = text_at(root, "kind");
    if (record.id.empty() || record.kind.empty())
        return Error{ErrorCode::Malformed, where, "a record needs \"id\" and \"kind\"",
                     "see the schema of the records"};
    record.implementation = text_at(stated(root, "implementation"), "name");
    record.method = text_at(stated(root, "method"), "name");
    record.doubtful = yyjson_is_true(stated(root, "doubtful"));
    record.trains_on_one = record.kind == "case" && !record.doubtful && trains_on_one(root);
    read_outcome(record, root);
    read_operator(record.run, stated(root, "op"));
    set_scenario(record, root);
    return record;
}

}  // namespace memwall
