// Why a number is what it is, and the single tensors behind a row.
#include <algorithm>
#include <catch_amalgamated.hpp>

#include "scenario_of.hpp"
#include "view/format.hpp"
#include "view/present.hpp"
#include "view/reasons.hpp"

using namespace memwall;

namespace {

Estimate made_of(std::initializer_list<Setting> settings) {
    auto made = estimate(scenario_of(settings));
    REQUIRE(made);
    return std::move(*made);
}

std::vector<RowView> reasons_of(const Estimate& e) { return reason_views(e, companions(e)); }

const RowView& reason(const std::vector<RowView>& rows, std::string_view key) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const RowView& row) { return row.key == key; });
    INFO(key);
    REQUIRE(found != rows.end());
    return *found;
}

}  // namespace

TEST_CASE("every number of the headline has formula, numbers, reason, source and confidence", "[view]") {
    for (const char* task : {"finetune", "inference"}) {
        const Estimate e = made_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", task}});
        const std::vector<RowView> rows = reasons_of(e);
        for (const char* key : {"allocated", "reserved", "device_total", "usable", "interval", "baseline", "multiple",
                                "run", "train", "largest", "throughput"}) {
            const RowView& row = reason(rows, key);
            INFO(key);
            CHECK(row.formula != "");
            CHECK(row.numbers != "");
            CHECK(row.because != "");
            CHECK(row.source != "");
            CHECK(row.confidence != "");
        }
        CHECK(reason(rows, "device_total").bytes_text == exact_bytes(e.worst().device_total));
        CHECK(reason(rows, "reserved").formula == "allocated + allocator_slack");
        CHECK(reason(rows, "allocated").formula.find("weights + ") == 0);
        CHECK(reason(rows, "device_total").confidence == "assumed");
        CHECK(reason(rows, "largest").numbers.find(" ≤ ") != std::string::npos);
    }
    CHECK(reasons_of(made_of({})).empty());
}

TEST_CASE("a row opens to its single tensors, which add up to it", "[view]") {
    for (const std::initializer_list<Setting>& settings :
         {std::initializer_list<Setting>{{"model", "gpt2"}, {"gpu", "4090"}},
          std::initializer_list<Setting>{{"model", "mistralai/Mixtral-8x7B-v0.1"}, {"method", "lora"}},
          std::initializer_list<Setting>{{"model", "llama-3.1-8b"}, {"task", "inference"}}}) {
        const Estimate e = made_of(settings);
        for (const LedgerRow& row : e.worst().device.rows) {
            const std::vector<ParameterView> tensors = tensor_views(e, row.key());
            INFO(row.key());
            const bool beside = row.category == Category::AllocatorSlack || row.category == Category::Framework ||
                                row.category == Category::InUseByOthers;
            CHECK(tensors.empty() == beside);
            if (beside) continue;
            CHECK(row.bytes.value % row.tensors == 0);
            std::int64_t count = 0;
            for (const ParameterView& tensor : tensors) {
                std::string digits = tensor.copies;
                const auto is_no_digit = [](char c) { return c < '0' || c > '9'; };
                digits.erase(std::remove_if(digits.begin(), digits.end(), is_no_digit), digits.end());
                count += digits.empty() ? 1 : std::stoll(digits);
                CHECK(tensor.shape != "");
                CHECK(tensor.text == text(Bytes(row.bytes.value / row.tensors)));
            }
            CHECK(count == row.tensors);
        }
    }
    const Estimate e = made_of({{"model", "llama-3.1-8b"}, {"gpu", "H100 SXM5 80GB"}});
    const auto weights = tensor_views(e, "weights.q_proj");
    REQUIRE(weights.size() == 32);
    CHECK(weights[31].name == "model.layers.31.self_attn.q_proj.weight");
    CHECK(weights[31].shape == "4,096 × 4,096");
    CHECK(weights[31].text == "64.00 MiB");
    CHECK(tensor_views(e, "optimizer_state.q_proj").at(0).copies == "× 2");
    CHECK(tensor_views(e, "no such row").empty());
}
