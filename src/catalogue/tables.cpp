// The tables of the catalogue, unpacked once when they are first asked for.
#include <array>
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
        std::string_view left = texts_[next_text_++];
        for (Row& row : rows_) {
            const std::size_t end = left.find('\n');
            row.*member = left.substr(0, end);
            left.remove_prefix(end + 1);
        }
        return *this;
    }
    template <class T>
    Columns& number(T Row::*member) {
        for (Row& row : rows_)
            row.*member = static_cast<T>(numbers_.number());
        return *this;
    }
    template <class T>
    Columns& signed_number(T Row::*member) {
        for (Row& row : rows_)
            row.*member = static_cast<T>(numbers_.signed_number());
        return *this;
    }
    std::vector<Row>& rows() { return rows_; }
    NumberReader& numbers() { return numbers_; }
    std::vector<Row> take() { return std::move(rows_); }

  private:
    std::vector<Row> rows_;
    std::span<const std::string_view> texts_;
    std::size_t next_text_ = 0;
    NumberReader numbers_;
};

void take_facts(Columns<ModelRow>& columns) {
    std::size_t start = 0;
    for (ModelRow& row : columns.rows()) {
        const auto count = static_cast<std::size_t>(columns.numbers().number());
        row.facts = packed_facts().subspan(start, count);
        start += count;
    }
}

std::vector<ModelRow> unpack_models() {
    Columns<ModelRow> columns(packed_models());
    columns.text(&ModelRow::id).text(&ModelRow::family).text(&ModelRow::model_type).text(&ModelRow::torch_dtype);
    columns.text(&ModelRow::note).text(&ModelRow::aliases).text(&ModelRow::extras_what).text(&ModelRow::source_list);
    columns.number(&ModelRow::basis).number(&ModelRow::count_trust).number(&ModelRow::fields_trust);
    columns.number(&ModelRow::rounding).number(&ModelRow::published_source).number(&ModelRow::published_parameters);
    columns.signed_number(&ModelRow::published_extras);
    take_facts(columns);
    return columns.take();
}

std::vector<AcceleratorRow> unpack_accelerators() {
    using Row = AcceleratorRow;
    Columns<Row> columns(packed_accelerators());
    for (const auto member :
         {&Row::name, &Row::vendor, &Row::architecture, &Row::segment, &Row::memory_type, &Row::pcie, &Row::note,
          &Row::usable_source, &Row::price_date, &Row::price_where, &Row::source_list})
        columns.text(member);
    columns.number(&Row::memory_gb_permille).number(&Row::usable_bytes).number(&Row::usable_trust);
    for (const auto member : {&Row::driver_total_mib, &Row::memory_bandwidth_gbs, &Row::tdp_w, &Row::release_year,
                              &Row::msrp_usd, &Row::interconnect_gbs_tenths, &Row::compute_capability_tenths,
                              &Row::price_low_cents, &Row::price_high_cents})
        columns.number(member);
    columns.number(&Row::unified_memory);
    for (std::size_t rate = 0; rate < std::size(Row{}.tflops_tenths); ++rate)
        for (Row& row : columns.rows())
            row.tflops_tenths[rate] = static_cast<std::int32_t>(columns.numbers().number());
    return columns.take();
}

std::vector<FormatRow> unpack_formats() {
    using Row = FormatRow;
    Columns<Row> columns(packed_formats());
    for (const auto member : {&Row::name, &Row::family, &Row::applies_to, &Row::formula, &Row::note})
        columns.text(member);
    for (const auto member : {&Row::bits_per_weight_millionths, &Row::block_weights, &Row::block_bytes})
        columns.number(member);
    columns.number(&Row::source);
    return columns.take();
}

std::vector<OptimizerRow> unpack_optimizers() {
    using Row = OptimizerRow;
    Columns<Row> columns(packed_optimizers());
    for (const auto member : {&Row::name, &Row::states, &Row::formula, &Row::note})
        columns.text(member);
    columns.signed_number(&Row::state_bytes_millionths).number(&Row::source);
    return columns.take();
}

std::vector<MethodRow> unpack_methods() {
    using Row = MethodRow;
    Columns<Row> columns(packed_methods());
    for (const auto member : {&Row::name, &Row::label, &Row::meaning, &Row::source, &Row::source_url})
        columns.text(member);
    return columns.take();
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

std::int64_t NumberReader::signed_number() {
    const std::int64_t value = number();
    return (value & 1) != 0 ? -(value / 2) - 1 : value / 2;
}

std::span<const ModelRow> models() {
    static const std::vector<ModelRow> rows = unpack_models();
    return rows;
}

std::span<const AcceleratorRow> accelerators() {
    static const std::vector<AcceleratorRow> rows = unpack_accelerators();
    return rows;
}

std::span<const FormatRow> formats() {
    static const std::vector<FormatRow> rows = unpack_formats();
    return rows;
}

std::span<const OptimizerRow> optimizers() {
    static const std::vector<OptimizerRow> rows = unpack_optimizers();
    return rows;
}

std::span<const MethodRow> methods() {
    static const std::vector<MethodRow> rows = unpack_methods();
    return rows;
}

}  // namespace memwall
