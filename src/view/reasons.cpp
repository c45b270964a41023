#include "view/reasons.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/concat.hpp"
#include "base/packed_rows.hpp"
#include "catalogue/catalogue.hpp"
#include "model/parameters.hpp"
#include "plan/fields.hpp"
#include "plan/recipes.hpp"
#include "view/format.hpp"
#include "view/parts.hpp"

namespace memwall {
namespace {

// What is the same for every scenario.
struct ReasonRow {
    std::string_view key, formula, because, source, source_url;
};
// clang-format off
constexpr std::array kReasonTable{
    ReasonRow{"allocated", "", "All tensors that exist at the worst instant of the step, each in whole blocks of the allocator.", "PyTorch documentation, torch.cuda.max_memory_allocated; the rows of the breakdown", "https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management"},
    ReasonRow{"reserved", "", "The allocator holds more than it has handed out: segments with blocks between tensors.", "PyTorch documentation, torch.cuda.max_memory_reserved; the row allocator slack", "https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management"},
    ReasonRow{"device_total", "", "What the device shows: reserved memory, the context with its libraries, and what other programs hold.", "the rows framework and in use by others", ""},
    ReasonRow{"usable", "what the driver reports", "Less than what is sold: firmware, the driver, and on some cards error correction take their part.", "", ""},
    ReasonRow{"interval", "needed × (measured ÷ predicted) of comparable runs, the central 90 %", "Runs that were measured were set beside what memwall predicts of them; nine of ten lie between these two.", "known runs under How exact", ""},
    ReasonRow{"baseline", "parameters × bytes a parameter", "The rule of thumb counts weights, gradients and optimizer states, and no activations.", "Rajbhandari et al., ZeRO (2020), section 3.1", "https://arxiv.org/abs/1910.02054"},
    ReasonRow{"multiple", "device_total ÷ (parameters × 2 bytes)", "A download page shows the weights in 16 bits.", "parameters and device total of this answer", ""},
    ReasonRow{"run", "device_total of the same model on the same accelerator under task inference", "What was stated is kept where it has a meaning there; the rest are the defaults of that task.", "the same ledger", ""},
    ReasonRow{"train", "device_total of the same model on the same accelerator under task finetune", "What was stated is kept where it has a meaning there; the rest are the defaults of that task.", "the same ledger", ""},
    ReasonRow{"largest", "the largest value with device_total ≤ usable", "Values are tried by doubling and halving: the one found fits, the next one does not.", "the same ledger", ""},
    ReasonRow{"throughput", "operations ÷ (peak rate × efficiency), or bytes moved ÷ (bandwidth × efficiency)", "The slower of the two decides. Communication is not counted.", "Chowdhery et al., PaLM (2022), table 3, for the efficiency", "https://arxiv.org/abs/2204.02311"},
};
// clang-format on

std::span<const ReasonRow> reason_rows() {
    using Row = ReasonRow;
    return packed_rows<kReasonTable, &Row::key>(
        LateTexts<&Row::formula, &Row::because, &Row::source, &Row::source_url>{});
}

struct Term {
    std::string_view name;
    Bytes bytes;
};

class Reasons {
  public:
    explicit Reasons(const Estimate& e) : e_(e) {}

    RowView& add(std::string_view key, Confidence confidence) {
        RowView& out = out_.emplace_back();
        for (const ReasonRow& row : reason_rows()) {
            if (row.key != key) continue;
            out.formula = row.formula;
            out.because = row.because;
            out.source = row.source;
            out.source_url = row.source_url;
        }
        out.key = key;
        out.confidence = name(confidence);
        return out;
    }
    RowView& add(std::string_view key, Confidence confidence, Bytes value) {
        RowView& out = add(key, confidence);
        out.text = text(value);
        out.bytes_text = exact_bytes(value);
        return out;
    }
    // A sum prints itself; it is as sure as the least sure of its rows.
    void sum_of(std::string_view key, const std::vector<Term>& terms, std::initializer_list<Category> without,
                Bytes value) {
        Confidence least = Confidence::Exact;
        for (const LedgerRow& row : e_.worst().device.rows)
            if (std::find(without.begin(), without.end(), row.category) == without.end())
                least = std::max(least, memwall::row(row.rule).confidence);
        RowView& out = add(key, least, value);
        for (const Term& term : terms) {
            out.formula += concat({out.formula.empty() ? "" : " + ", term.name});
            out.numbers += concat({out.numbers.empty() ? "" : " + ", grouped(term.bytes.value)});
        }
    }
    std::vector<RowView> take() { return std::move(out_); }

  private:
    const Estimate& e_;
    std::vector<RowView> out_;
};

constexpr bool is_beside(Category c) {
    return c == Category::AllocatorSlack || c == Category::Framework || c == Category::InUseByOthers;
}

void add_totals(Reasons& to, const Estimate& e) {
    const RankEstimate& rank = e.worst();
    const auto part = [&](Category c) { return Term{name(c), rank.device.total(c)}; };
    std::vector<Term> tensors;
    for (int i = 0; i < kCategories; ++i)
        if (const auto c = static_cast<Category>(i); !is_beside(c) && rank.device.total(c).value > 0)
            tensors.push_back(part(c));
    to.sum_of("allocated", tensors, {Category::AllocatorSlack, Category::Framework, Category::InUseByOthers},
              rank.allocated);
    to.sum_of("reserved", {{"allocated", rank.allocated}, part(Category::AllocatorSlack)},
              {Category::Framework, Category::InUseByOthers}, rank.reserved);
    to.sum_of("device_total", {{"reserved", rank.reserved}, part(Category::Framework), part(Category::InUseByOthers)},
              {}, rank.device_total);
}

void add_usable(Reasons& to, const Estimate& e) {
    if (!e.usable) return;
    const Accelerator& chosen = e.scenario.accelerator;
    const bool given = is_given(e.scenario, FieldId::UsableBytes);
    const bool known = chosen.usable_trust == Trust::Exact || chosen.usable_trust == Trust::Published;
    RowView& out = to.add("usable",
                          given   ? Confidence::Exact
                          : known ? Confidence::Published
                                  : Confidence::Assumed,
                          *e.usable);
    const FieldRow& sold = field(FieldId::MemoryGb);
    out.numbers = concat({chosen.name, chosen.name.empty() ? "" : ", ", sold.label, " ",
                          text(e.scenario, FieldId::MemoryGb), " ", sold.unit});
    const auto row = find_accelerator(chosen.name);
    out.source = given ? std::string("as entered")
                 : row ? concat({usable_memory(**row).source, " (", name(chosen.usable_trust), ")"})
                       : std::string(name(chosen.usable_trust));
    out.field = field(FieldId::UsableBytes).key;
}

void add_headline(Reasons& to, const Estimate& e) {
    RowView& interval = to.add("interval", Confidence::Measured);
    interval.numbers = interval.bytes_text = concat({exact_bytes(e.interval.low), " – ", exact_bytes(e.interval.high)});
    interval.source = concat({e.interval.basis, "; ", interval.source});
    const GaugeView gauge = gauge_view(e);
    if (gauge.baseline > 0) to.add("baseline", Confidence::Published).numbers = gauge.baseline_text;
    const MultipleView multiple = multiple_view(e);
    RowView& times = to.add("multiple", Confidence::Exact);
    times.numbers = concat({grouped(e.worst().device_total.value), " ÷ (", grouped(e.total_parameters.value), " × 2)"});
    times.bytes_text = concat({multiple.value, " ×"});
}

void add_side(Reasons& to, std::string_view key, const std::optional<Companion>& side) {
    if (!side) return;
    RowView& out = to.add(key, Confidence::Measured, side->needed);
    out.numbers = side->usable ? concat({text(side->needed), *side->usable < side->needed ? " > " : " ≤ ",
                                         marked(text(*side->usable), side->usable_trust)})
                               : text(side->needed);
}

void add_largest(Reasons& to, const Companions& c) {
    if (!c.largest) return;
    const Solution& s = *c.largest;
    RowView& out = to.add("largest", Confidence::Measured, s.needed);
    const std::string_view sign = s.bound == Bound::NothingFits ? " > " : " ≤ ";
    out.numbers = concat({field(s.field).key, " ", grouped(s.value), ": ", text(s.needed), sign, text(s.usable)});
    if (s.next) out.numbers += concat({"; ", grouped(*s.next), ": ", text(s.next_needed), " > ", text(s.usable)});
    out.field = field(s.field).key;
}

}  // namespace

std::vector<RowView> reason_views(const Estimate& e, const Companions& c) {
    if (!e.has_numbers()) return {};
    Reasons out(e);
    add_totals(out, e);
    add_usable(out, e);
    add_headline(out, e);
    add_side(out, "run", c.run);
    add_side(out, "train", c.train);
    add_largest(out, c);
    if (const ThroughputView speed = throughput_view(e); !speed.sentence.empty()) {
        RowView& row = out.add("throughput", Confidence::Assumed);
        row.numbers = efficiency_text(*e.throughput);
        row.bytes_text = concat({speed.rate, ". ", speed.time});
    }
    return out.take();
}

namespace {

// More than these are told with how many there are.
constexpr std::size_t kMostNamed = 128;

// The parameter that a row of what stays is about: rows of equal keys stand in the order of the parameters.
const ParameterTensor* parameter_of(const std::vector<ParameterTensor>& all, const LedgerRow& row) {
    const bool is_bias = row.detail == "bias";
    if (!is_bias && !row.detail.empty()) return nullptr;
    int ordinal = 0;
    for (const ParameterTensor& t : all)
        if (name(t.role) == row.subject && (t.kind == ParameterKind::Bias) == is_bias && t.copies.value > 0 &&
            t.tying == Tying::Own && ++ordinal == row.ordinal)
            return &t;
    return nullptr;
}

std::string shape_of(const ParameterTensor& t) {
    std::string out;
    for (const std::int64_t size : dimensions(t))
        out += concat({out.empty() ? "" : " × ", grouped(size)});
    return out;
}

std::string with_layer(const ParameterTensor& t, std::size_t layer) {
    std::string out = name(t);
    if (const std::size_t star = out.find('*'); star != std::string::npos) out.replace(star, 1, std::to_string(layer));
    return out;
}

std::vector<ParameterView> named_tensors(const Ledger& ledger, const LedgerRow& row, const ParameterTensor& t,
                                         const ParameterView& each) {
    const bool part = ledger.elements(row).formula().find("layers of this kind") != std::string::npos;
    std::vector<ParameterView> out;
    const auto layers = static_cast<std::int64_t>(t.layers.count());
    // Where only some of the layers are meant, the formula says so, and not which.
    const bool all = !part && layers > 0 && t.copies.value == layers && row.tensors % layers == 0;
    if (!all || t.layers.count() > kMostNamed) {
        out.push_back(each);
        out[0].name = name(t);
        if (row.tensors > 1) out[0].copies = concat({"× ", grouped(row.tensors)});
        return out;
    }
    const std::int64_t times = row.tensors / layers;
    for (std::size_t layer = 0; layer < t.layers.size(); ++layer) {
        if (!t.layers.test(layer)) continue;
        ParameterView& one = out.emplace_back(each);
        one.name = with_layer(t, layer);
        if (times > 1) one.copies = concat({"× ", grouped(times)});
    }
    return out;
}

}  // namespace

std::vector<ParameterView> tensor_views(const Estimate& e, std::string_view row_key) {
    const Ledger& ledger = e.worst().device;
    const LedgerRow* row = ledger.find(row_key);
    if (!row || row->tensors <= 0 || is_beside(row->category)) return {};
    const auto count = ledger.elements(*row).value();
    ParameterView each;
    each.name = row->title();
    each.text = text(Bytes(row->bytes.value / row->tensors));
    each.share_text = percent(Bytes(row->bytes.value / row->tensors), ledger.total());
    const auto all = shared_parameters(e.scenario.model.architecture);
    const bool stays = row->category == Category::Weights || row->category == Category::MasterWeights ||
                       row->category == Category::Gradients || row->category == Category::OptimizerState;
    if (const ParameterTensor* t = stays ? parameter_of(*all, *row) : nullptr) {
        each.shape = shape_of(*t);
        return named_tensors(ledger, *row, *t, each);
    }
    // What the expression counts: elements, or bytes in whole blocks.
    if (count)
        each.shape = concat({grouped(*count / row->tensors), row->dtype == Dtype::Int8 ? " bytes" : " elements"});
    if (row->tensors > 1) each.copies = concat({"× ", grouped(row->tensors)});
    return {each};
}

}  // namespace memwall
