#include "check/record.hpp"

#include <yyjson.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "catalogue/catalogue.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

struct FreeDocument {
    void operator()(yyjson_doc* doc) const { yyjson_doc_free(doc); }
};
using Document = std::unique_ptr<yyjson_doc, FreeDocument>;

std::string text_at(yyjson_val* object, const char* key) {
    const char* text = yyjson_get_str(yyjson_obj_get(object, key));
    return text ? text : "";
}

std::optional<std::int64_t> integer_at(yyjson_val* object, const char* key) {
    yyjson_val* value = yyjson_obj_get(object, key);
    if (!yyjson_is_int(value)) return std::nullopt;
    return yyjson_get_sint(value);
}

// A JSON value as the field table reads it; arrays become comma lists.
std::string field_text(yyjson_val* value) {
    if (yyjson_is_str(value)) return yyjson_get_str(value);
    if (yyjson_is_bool(value)) return yyjson_get_bool(value) ? "true" : "false";
    if (yyjson_is_int(value)) return std::to_string(yyjson_get_sint(value));
    if (yyjson_is_real(value)) {
        char text[40];
        std::snprintf(text, sizeof text, "%.15g", yyjson_get_real(value));
        return text;
    }
    std::string joined;
    yyjson_arr_iter items = yyjson_arr_iter_with(value);
    while (yyjson_val* item = yyjson_arr_iter_next(&items)) {
        if (!joined.empty()) joined += ',';
        joined += field_text(item);
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

void set_one(Record& record, const std::string& key, yyjson_val* value) {
    if (yyjson_is_null(value) || !is_input(key)) return;
    if (yyjson_is_arr(value) && yyjson_arr_size(value) == 0) return;
    Failure failure = set_field(record.scenario, key, field_text(value));
    if (failure && !is_neutral(value) && !record.refused) record.refused = failure;
}

void set_group(Record& record, const std::string& prefix, yyjson_val* group) {
    if (!yyjson_is_obj(group)) return;
    yyjson_obj_iter members = yyjson_obj_iter_with(group);
    while (yyjson_val* key = yyjson_obj_iter_next(&members)) {
        yyjson_val* value = yyjson_obj_iter_get_val(key);
        const std::string path = prefix + "." + yyjson_get_str(key);
        if (yyjson_is_obj(value))
            set_group(record, path, value);
        else
            set_one(record, path, value);
    }
}

void keep_failure(Record& record, const Failure& failure) {
    if (failure && !record.refused) record.refused = failure;
}

bool is_in_catalogue(const std::string& ref) {
    const auto known = models();
    return std::any_of(known.begin(), known.end(), [&](const ModelRow& row) { return row.id == ref; });
}

// The catalogue's row, which knows what a record has no word for (dropout), under the record's own shapes; without
// either the bare count.
void set_model(Record& record, yyjson_val* model) {
    if (!yyjson_is_obj(model)) return;
    const std::string ref = text_at(model, "ref");
    const bool known = is_in_catalogue(ref);
    const bool has_shapes = yyjson_obj_get(yyjson_obj_get(model, "config"), "hidden_size") != nullptr;
    if (known) keep_failure(record, set_field(record.scenario, FieldId::ModelRef, ref));
    if (has_shapes) return set_group(record, "model", model);
    if (known) return;
    if (auto count = integer_at(model, "params"))
        keep_failure(record, set_value(record.scenario, FieldId::ModelParams, *count));
}

// A card that is not in the catalogue, or only named by its class, is taken by its size.
void set_accelerator(Record& record, yyjson_val* card) {
    if (!yyjson_is_obj(card)) return;
    set_group(record, "accelerator", card);
    const std::string name = text_at(card, "name");
    Scenario& scenario = record.scenario;
    const auto known = name.empty() ? Result<const AcceleratorRow*>(Error{}) : find_accelerator(name);
    if (known) keep_failure(record, set_field(scenario, FieldId::AcceleratorName, (*known)->name));
    if (auto usable = integer_at(card, "usable_bytes")) {
        keep_failure(record, set_value(scenario, FieldId::UsableBytes, *usable));
    } else if (yyjson_val* size = yyjson_obj_get(card, "memory_gb"); !known && yyjson_is_num(size)) {
        keep_failure(record, set_field(scenario, FieldId::MemoryGb, field_text(size)));
    }
}

void set_scenario(Record& record, yyjson_val* root) {
    set_model(record, yyjson_obj_get(root, "model"));
    if (yyjson_val* task = yyjson_obj_get(root, "task"); yyjson_is_str(task)) set_one(record, "task", task);
    for (const char* group :
         {"method", "precision", "optimizer", "batch", "savers", "mesh", "offload", "serving", "implementation"})
        set_group(record, group, yyjson_obj_get(root, group));
    set_accelerator(record, yyjson_obj_get(root, "accelerator"));
}

void read_named(std::vector<NamedBytes>& into, yyjson_val* object, const char* inner) {
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    while (yyjson_val* key = yyjson_obj_iter_next(&members)) {
        yyjson_val* value = yyjson_obj_iter_get_val(key);
        if (inner) value = yyjson_obj_get(value, inner);
        if (yyjson_is_int(value)) into.push_back({yyjson_get_str(key), yyjson_get_sint(value)});
    }
}

void read_outcome(Record& record, yyjson_val* root) {
    if (record.kind == "params") {
        record.measured = {integer_at(yyjson_obj_get(root, "model"), "params"), "", "params", ""};
        return;
    }
    if (record.kind == "case") {
        yyjson_val* expected = yyjson_obj_get(root, "expected");
        record.measured = {std::nullopt, "", "case", text_at(expected, "scope")};
        record.expected_verdict = text_at(expected, "verdict");
        return;
    }
    yyjson_val* measured = yyjson_obj_get(root, "measured");
    record.measured = {integer_at(measured, "bytes"), text_at(measured, "counter"), text_at(measured, "what"),
                       text_at(measured, "scope")};
    if (record.measured.what == "verdict")
        record.expected_verdict = text_at(measured, "verdict") == "ran" ? "fits" : "does_not_fit";
    if (yyjson_val* phases = yyjson_obj_get(root, "phases"); yyjson_is_obj(phases))
        read_named(record.phases, phases, "total");
    if (yyjson_val* categories = yyjson_obj_get(root, "categories"); yyjson_is_obj(categories))
        read_named(record.categories, categories, nullptr);
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
        return Error{ErrorCode::Missing, where, "a record needs \"id\" and \"kind\"", "see the schema of the records"};
    record.implementation = text_at(yyjson_obj_get(root, "implementation"), "name");
    record.method = text_at(yyjson_obj_get(root, "method"), "name");
    record.doubtful = yyjson_is_true(yyjson_obj_get(root, "doubtful"));
    set_scenario(record, root);
    read_outcome(record, root);
    return record;
}

}  // namespace memwall
