// The tables of the catalogue, unpacked once when they are first asked for.
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/packed.hpp"

namespace memwall {
namespace {

// Fills one column of all rows after the other, in the order in which the generator wrote them.
template <class Row>
class Columns {
  public:
    explicit Columns(const PackedTable& table) : rows_(table.rows), texts_(table.texts), numbers_(table.numbers) {}

    Columns& text(std::string_view Row::*member) {
        for (Row& row : rows_)
            row.*member = texts_.line();
        return *this;
    }
    template <class T>
    Columns& number(T Row::*member) {
        for (Row& row : rows_)
            row.*member = static_cast<T>(numbers_.number());
        return *this;
    }
    std::vector<Row>& rows() { return rows_; }
    NumberReader& numbers() { return numbers_; }
    std::vector<Row> take() { return std::move(rows_); }

  private:
    std::vector<Row> rows_;
    LineReader texts_;
    NumberReader numbers_;
};

std::vector<ModelRow> unpack_models() {
    Columns<ModelRow> columns(packed_models());
    for (const auto member : {&ModelRow::id, &ModelRow::family, &ModelRow::model_type, &ModelRow::aliases})
        columns.text(member);
    columns.number(&ModelRow::count_trust).number(&ModelRow::published_total);
    std::size_t start = 0;
    for (ModelRow& row : columns.rows()) {
        const auto count = static_cast<std::size_t>(columns.numbers().number());
        row.facts = packed_facts().subspan(start, count);
        start += count;
    }
    return columns.take();
}

std::vector<AcceleratorRow> unpack_accelerators() {
    using Row = AcceleratorRow;
    Columns<Row> columns(packed_accelerators());
    for (const auto member : {&Row::name, &Row::vendor, &Row::architecture, &Row::segment, &Row::memory_type,
                              &Row::usable_source, &Row::price_date})
        columns.text(member);
    columns.number(&Row::memory_gb_permille).number(&Row::usable_bytes).number(&Row::usable_trust);
    for (const auto member : {&Row::memory_bandwidth_gbs, &Row::interconnect_gbs_tenths,
                              &Row::compute_capability_tenths, &Row::price_low_cents, &Row::price_high_cents})
        columns.number(member);
    columns.number(&Row::unified_memory).number(&Row::recalled);
    for (std::size_t rate = 0; rate < std::size(Row{}.tflops_tenths); ++rate)
        for (Row& row : columns.rows())
            row.tflops_tenths[rate] = static_cast<std::int32_t>(columns.numbers().number());
    return columns.take();
}

// What only lists show: catalogue.txt, in the order in which the generator wrote it.
struct Lists {
    std::vector<std::string_view> notes, sources;
    std::vector<FormatRow> formats;
    std::vector<OptimizerRow> optimizers;
    std::vector<MethodRow> methods;
};

template <class Row>
void take_texts(LineReader& reader, std::vector<Row>& rows, std::initializer_list<std::string_view Row::*> members) {
    rows.resize(static_cast<std::size_t>(reader.number()));
    for (const auto member : members)
        for (Row& row : rows)
            row.*member = reader.line();
}
template <class Row, class T>
void take_numbers(LineReader& reader, std::vector<Row>& rows, T Row::*member) {
    for (Row& row : rows)
        row.*member = static_cast<T>(reader.number());
}

Lists lists_from_texts(std::string_view texts) {
    using F = FormatRow;
    using O = OptimizerRow;
    using M = MethodRow;
    Lists out;
    LineReader reader(texts.substr(catalogue_stamp().size()));
    for (std::size_t i = 0; i < packed_models().rows; ++i)
        out.notes.push_back(reader.line());
    for (std::int64_t left = reader.number(); left > 0; --left)
        out.sources.push_back(reader.line());
    take_texts(reader, out.formats, {&F::name, &F::family, &F::applies_to, &F::formula, &F::note, &F::use});
    for (const auto member : {&F::bits_per_weight_millionths, &F::block_weights, &F::block_bytes})
        take_numbers(reader, out.formats, member);
    take_numbers(reader, out.formats, &F::source);
    take_texts(reader, out.optimizers, {&O::name, &O::states, &O::formula, &O::note, &O::use});
    take_numbers(reader, out.optimizers, &O::state_bytes_millionths);
    take_numbers(reader, out.optimizers, &O::source);
    take_texts(reader, out.methods, {&M::name, &M::label, &M::meaning, &M::source, &M::source_url, &M::evidence});
    return out;
}

Lists& lists() {
    static Lists known = built_in_texts().empty() ? Lists() : lists_from_texts(built_in_texts());
    return known;
}

}  // namespace

std::int64_t NumberReader::number() {
    std::int64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = bytes_[next_++];
        value |= static_cast<std::int64_t>(byte & 127) << shift;
        if (byte < 128) return value;
    }
}

std::string_view LineReader::line() {
    const std::size_t end = left_.find('\n');
    const std::string_view out = left_.substr(0, end);
    left_.remove_prefix(end + 1);
    return out;
}

std::int64_t LineReader::number() {
    std::int64_t value = 0;
    const std::string_view digits = line();
    const bool is_negative = digits.starts_with('-');
    for (const char digit : digits.substr(is_negative ? 1 : 0))
        value = value * 10 + (digit - '0');
    return is_negative ? -value : value;
}

std::span<const ModelRow> models() {
    static const std::vector<ModelRow> rows = unpack_models();
    return rows;
}

std::span<const AcceleratorRow> accelerators() {
    static const std::vector<AcceleratorRow> rows = unpack_accelerators();
    return rows;
}

bool take_catalogue_texts(std::string_view texts) {
    if (!texts.starts_with(catalogue_stamp())) return false;
    static std::string kept;  // the rows point into it
    if (kept.empty()) {
        kept = texts;
        lists() = lists_from_texts(kept);
    }
    return true;
}
bool has_catalogue_texts() { return !lists().notes.empty(); }

std::string_view note(const ModelRow& row) {
    return has_catalogue_texts() ? lists().notes[static_cast<std::size_t>(&row - models().data())] : std::string_view();
}
std::span<const std::string_view> sources() { return lists().sources; }
std::span<const FormatRow> formats() { return lists().formats; }
std::span<const OptimizerRow> optimizers() { return lists().optimizers; }
std::span<const MethodRow> methods() { return lists().methods; }

}  // namespace memwall
