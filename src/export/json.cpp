#include "export/json.hpp"

#include "estimate/moments.hpp"

#include <array>
#include <string>

#include "base/version.hpp"
#include "catalogue/catalogue.hpp"
#include "export/json_parts.hpp"
#include "export/json_scenario.hpp"
#include "plan/fields.hpp"

namespace memwall {
namespace {

constexpr std::array<std::string_view, 9> kErrorNames{"out_of_range", "inconsistent", "unknown_name",
                                                      "ambiguous",    "malformed",    "missing",
                                                      "not_yet",      "overflow",     "incomplete"};
static_assert(static_cast<int>(ErrorCode::Incomplete) == 8);
constexpr std::array<std::string_view, 3> kBoundNames{"memory", "field_limit", "nothing_fits"};
static_assert(static_cast<int>(Bound::NothingFits) == 2);

void add_row(JsonObject out, const Ledger& ledger, const LedgerRow& row) {
    const Expression elements = ledger.elements(row);
    const RuleRow& rule = memwall::row(row.rule);
    out.text("key", row.key())
        .text("title", row.title())
        .text("category", name(row.category))
        .number("bytes", row.bytes)
        .text("formula", elements.formula())
        .text("numbers", elements.numbers())
        .text("dtype", memwall::row(row.dtype).name)
        .text("rule", rule.key)
        .text("because", rule.because)
        .text("source", rule.source)
        .text("confidence", name(rule.confidence))
        .text("live_from", row.live_from)
        .text("live_until", row.live_until);
}

}  // namespace

void add_head(JsonObject root) { root.number("schema", kJsonSchema).text("version", kVersion); }

void add_notes(JsonObject root, const Notes& notes) {
    JsonArray list = root.array("notes");
    for (const Note& note : notes.all())
        list.object().text("where", note.where).text("message", note.message);
}

void add_instant(JsonObject out, const Estimate& e, const Instant& instant) {
    out.text("segment", name(instant.segment)).number("step", instant.step).number("micro_step", instant.micro_step);
    if (const auto layer = layer_at(e, instant)) out.number("layer", *layer);
    out.text("module", instant.module).text("operator", instant.operator_name).number("bytes", instant.total);
    JsonObject categories = out.object("categories");
    for (std::size_t i = 0; i < kCategories; ++i)
        if (instant.by_category[i].value > 0) categories.number(name(static_cast<Category>(i)), instant.by_category[i]);
}

void add_ledger(JsonObject out, std::string_view key, const Ledger& ledger) {
    JsonArray rows = out.array(key);
    for (const LedgerRow& row : ledger.rows)
        add_row(rows.object(), ledger, row);
}

namespace {

void add_numbers(JsonObject root, const Estimate& e) {
    JsonObject numbers = root.object("numbers");
    numbers.number("allocated_bytes", e.worst().allocated)
        .number("reserved_bytes", e.worst().reserved)
        .number("device_total_bytes", e.worst().device_total);
    if (!e.usable) {
        numbers.null("usable_bytes").null("left_bytes");
    } else {
        numbers.number("usable_bytes", *e.usable).number("left_bytes", *e.usable - e.worst().device_total);
    }
    numbers.flag("usable_recalled", e.scenario.accelerator.usable_trust == Trust::Recalled);
    root.object("interval")
        .number("low_bytes", e.interval.low)
        .number("high_bytes", e.interval.high)
        .text("basis", e.interval.basis);
}

void add_rank(JsonObject out, const Estimate& e) {
    const RankEstimate& rank = e.worst();
    out.text("rank", name(rank.rank));
    add_instant(out.object("peak"), e, rank.instants[rank.peak]);
    JsonObject categories = out.object("categories");
    for (int i = 0; i < kCategories; ++i) {
        const auto category = static_cast<Category>(i);
        if (const Bytes part = rank.device.total(category); part.value > 0) categories.number(name(category), part);
    }
    add_ledger(out, "rows", rank.device);
    add_ledger(out, "host_rows", rank.host);
    JsonArray instants = out.array("instants");
    for (const Instant& instant : rank.instants)
        add_instant(instants.object(), e, instant);
}

void add_throughput(JsonObject root, const Estimate& e) {
    if (!e.throughput) {
        root.null("throughput");
        return;
    }
    const Throughput& t = *e.throughput;
    JsonObject out = root.object("throughput");
    out.fraction("step_seconds", t.step.value)
        .fraction("tokens_per_second", t.tokens_per_second)
        .text("roof", t.roof == Roof::Compute ? "compute" : "bandwidth")
        .number("efficiency_permille", t.efficiency_permille)
        .text("confidence", name(Confidence::Assumed));
    if (t.dollars_per_million_tokens_low > 0)
        out.fraction("usd_per_million_tokens_low", t.dollars_per_million_tokens_low)
            .fraction("usd_per_million_tokens_high", t.dollars_per_million_tokens_high);
}

// `scenario` is what the scenario importer reads back; `completed` shows every default beside it.
void add_scenarios(JsonObject root, const Estimate& e) {
    add_scenario(root.object("scenario"), e.scenario, FieldChoice::Given);
    if (e.has_numbers()) add_scenario(root.object("completed"), e.scenario, FieldChoice::All);
}

}  // namespace

std::string_view name(ErrorCode code) { return kErrorNames[static_cast<std::size_t>(code)]; }

std::string json_from_estimate(const Estimate& e) {
    JsonDocument document;
    JsonObject root = document.root();
    add_head(root);
    root.text("verdict", name(e.verdict)).text("missing", e.missing);
    if (e.has_numbers()) {
        add_numbers(root, e);
        root.object("parameters")
            .number("total", e.total_parameters)
            .number("active", e.active_parameters)
            .number("trainable", e.trainable_parameters)
            .flag("recalled", e.scenario.model.count_trust == Trust::Recalled);
        add_rank(root, e);
        add_throughput(root, e);
    }
    add_scenarios(root, e);
    add_notes(root, e.notes);
    return document.line();
}

std::string json_from_solution(const Solution& s) {
    JsonDocument document;
    JsonObject root = document.root();
    add_head(root);
    root.text("field", field(s.field).key).text("bound", kBoundNames[static_cast<std::size_t>(s.bound)]);
    if (s.bound == Bound::NothingFits) {
        root.null("value").number("smallest", s.value);
    } else {
        root.number("value", s.value);
    }
    root.number("needed_bytes", s.needed).number("usable_bytes", s.usable).text("verdict", name(s.verdict));
    root.flag("usable_recalled", s.usable_trust == Trust::Recalled);
    if (s.next) root.object("next").number("value", *s.next).number("needed_bytes", s.next_needed);
    root.number("evaluations", s.evaluations);
    add_notes(root, s.notes);
    return document.line();
}

std::string json_from_grid(const Grid& grid) {
    JsonDocument document;
    JsonObject root = document.root();
    root.number("usable_bytes", grid.usable_bytes);
    JsonArray cells = root.array("needed_bytes");
    for (const std::int64_t bytes : grid.needed_bytes)
        cells.number(bytes);
    return document.line();
}

std::string json_from_error(const Error& error) {
    JsonDocument document;
    document.root()
        .object("error")
        .text("code", name(error.code))
        .text("where", error.where)
        .text("message", error.message)
        .text("hint", error.hint);
    return document.line();
}

std::string json_from_scenario(const Scenario& scenario) {
    JsonDocument document;
    add_scenario(document.root(), scenario, FieldChoice::Given);
    return document.line();
}

std::string json_from_import(const Scenario& scenario, const Notes& notes) {
    JsonDocument document;
    JsonObject root = document.root();
    add_scenario(root.object("scenario"), scenario, FieldChoice::Given);
    add_notes(root, notes);
    return document.line();
}

std::string json_from_text(std::string_view text) {
    JsonDocument document;
    document.array().text(text);
    const std::string line = document.line();  // ["..."] and its newline
    return line.substr(1, line.size() - 3);
}

}  // namespace memwall
