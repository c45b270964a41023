#include "export/json_view.hpp"

#include "export/json_tree.hpp"

namespace memwall {
namespace {

void add_verdict(JsonObject out, const VerdictView& v) {
    out.text("state", v.state)
        .text("role", v.role)
        .text("sentence", v.sentence)
        .text("needed", v.needed)
        .text("usable", v.usable)
        .text("left", v.left)
        .text("left_label", v.left_label)
        .text("interval", v.interval)
        .text("interval_basis", v.interval_basis)
        .text("interval_kind", v.interval_kind)
        .text("peak", v.peak);
}

void add_gauge(JsonObject out, const GaugeView& g) {
    out.fraction("needed", g.needed)
        .fraction("low", g.low)
        .fraction("high", g.high)
        .fraction("usable", g.usable)
        .fraction("baseline", g.baseline)
        .text("baseline_label", g.baseline_label)
        .text("baseline_text", g.baseline_text)
        .text("description", g.description);
}

void add_side(JsonObject out, const PairSideView& s) {
    out.text("label", s.label)
        .text("state", s.state)
        .text("role", s.role)
        .text("needed", s.needed)
        .text("sentence", s.sentence);
}

void add_row(JsonObject out, const RowView& r) {
    out.text("key", r.key)
        .text("title", r.title)
        .text("text", r.text)
        .text("share_text", r.share_text)
        .text("formula", r.formula)
        .text("numbers", r.numbers)
        .text("bytes_text", r.bytes_text)
        .text("because", r.because)
        .text("source", r.source)
        .text("source_url", r.source_url)
        .text("confidence", r.confidence)
        .text("live", r.live)
        .text("field", r.field)
        .fraction("fraction", r.fraction);
}

void add_bar(JsonArray out, const std::vector<BarView>& bar) {
    for (const BarView& b : bar)
        out.object()
            .text("category", b.category)
            .text("label", b.label)
            .text("text", b.text)
            .text("share_text", b.share_text)
            .fraction("fraction", b.fraction);
}

void add_tensors(JsonArray out, const std::vector<ParameterView>& tensors) {
    for (const ParameterView& t : tensors)
        out.object()
            .text("name", t.name)
            .text("shape", t.shape)
            .text("copies", t.copies)
            .text("text", t.text)
            .text("share_text", t.share_text);
}

void add_rows(JsonArray out, const std::vector<RowView>& rows) {
    for (const RowView& row : rows)
        add_row(out.object(), row);
}

void add_group(JsonObject out, const GroupView& g) {
    out.text("category", g.category)
        .text("label", g.label)
        .text("text", g.text)
        .text("share_text", g.share_text)
        .fraction("fraction", g.fraction);
    add_rows(out.array("rows"), g.rows);
}

void add_timeline(JsonObject out, const TimelineView& t) {
    out.text("capacity", t.capacity).fraction("capacity_fraction", t.capacity_fraction);
    JsonArray instants = out.array("instants");
    for (const InstantView& instant : t.instants) {
        JsonObject one = instants.object();
        one.text("label", instant.label)
            .text("segment", instant.segment)
            .text("step", instant.step)
            .text("operator_name", instant.operator_name)
            .text("text", instant.text)
            .fraction("fraction", instant.fraction);
        JsonArray parts = one.array("by_category");
        for (const double part : instant.by_category)
            parts.fraction(part);
    }
    JsonArray categories = out.array("categories");
    for (const std::string& category : t.categories)
        categories.text(category);
    JsonArray labels = out.array("category_labels");
    for (const std::string& label : t.category_labels)
        labels.text(label);
    out.number("worst", t.worst).text("description", t.description);
}

void add_parameters(JsonObject out, const ParametersView& p) {
    out.text("total", p.total).text("active", p.active).text("exact", p.exact).text("trainable", p.trainable);
    JsonArray groups = out.array("groups");
    for (const ParameterGroupView& g : p.groups) {
        JsonObject group = groups.object();
        group.text("label", g.label).text("text", g.text).text("share_text", g.share_text);
        group.fraction("fraction", g.fraction);
        add_tensors(group.array("tensors"), g.tensors);
    }
}

void add_throughput(JsonObject out, const ThroughputView& t) {
    out.text("rate", t.rate)
        .text("time", t.time)
        .text("cost", t.cost)
        .text("sentence", t.sentence)
        .text("confidence", t.confidence);
}

void add_lists(JsonObject root, const ViewModel& v) {
    JsonArray form = root.array("form");
    for (const FormFieldView& f : v.form)
        form.object()
            .text("key", f.key)
            .text("value", f.value)
            .flag("is_default", f.is_default)
            .text("note", f.note)
            .text("error", f.error);
    JsonArray notes = root.array("notes");
    for (const NoteView& n : v.notes)
        notes.object().text("where", n.where).text("message", n.message);
    JsonArray assumptions = root.array("assumptions");
    for (const AssumptionView& a : v.assumptions)
        assumptions.object().text("label", a.label).text("text", a.text).text("field", a.field);
}

}  // namespace

std::string json_from_view(const ViewModel& v) {
    JsonDocument document;
    JsonObject root = document.root();
    root.text("version", v.version).text("title", v.title);
    add_verdict(root.object("verdict"), v.verdict);
    add_gauge(root.object("gauge"), v.gauge);
    root.object("multiple").text("value", v.multiple.value).text("sentence", v.multiple.sentence);
    JsonObject pair = root.object("pair");
    add_side(pair.object("run"), v.pair.run);
    add_side(pair.object("train"), v.pair.train);
    root.object("largest")
        .text("field", v.largest.field)
        .text("value", v.largest.value)
        .text("state", v.largest.state)
        .text("sentence", v.largest.sentence);
    JsonArray numbers = root.array("numbers");
    for (const NumberView& n : v.numbers)
        numbers.object().text("key", n.key).text("label", n.label).text("text", n.text).text("exact", n.exact);
    add_bar(root.array("bar"), v.bar);
    root.text("bar_description", v.bar_description);
    JsonArray groups = root.array("groups");
    for (const GroupView& group : v.groups)
        add_group(groups.object(), group);
    add_timeline(root.object("timeline"), v.timeline);
    add_parameters(root.object("parameters"), v.parameters);
    add_throughput(root.object("throughput"), v.throughput);
    add_lists(root, v);
    root.text("share", v.share);
    return document.line();
}

std::string json_from_window(const WindowView& w) {
    JsonDocument document;
    JsonObject root = document.root();
    root.number("count", static_cast<std::int64_t>(w.count))
        .number("first", static_cast<std::int64_t>(w.first))
        .number("peak", static_cast<std::int64_t>(w.peak));
    add_timeline(root.object("timeline"), w.timeline);
    return document.line();
}

std::string json_from_moment(const MomentView& m) {
    JsonDocument document;
    JsonObject root = document.root();
    root.text("label", m.label).text("text", m.text);
    add_rows(root.array("rows"), m.rows);
    add_bar(root.array("bar"), m.bar);
    return document.line();
}

std::string json_from_reasons(const std::vector<RowView>& rows) {
    JsonDocument document;
    add_rows(document.root().array("rows"), rows);
    return document.line();
}

std::string json_from_tensors(const std::vector<ParameterView>& tensors) {
    JsonDocument document;
    add_tensors(document.root().array("tensors"), tensors);
    return document.line();
}

}  // namespace memwall
