// Scenarios side by side: one scale, differences against the first, refused ones in their place.
#include <catch_amalgamated.hpp>

#include "export/lineup.hpp"
#include "import/scenario.hpp"
#include "search/lineup.hpp"
#include "view/lineup.hpp"

using namespace memwall;

namespace {

constexpr std::string_view kSmall = R"({"model": {"ref": "gpt2"}, "accelerator": {"name": "4090"}})";
constexpr std::string_view kLarger =
    R"({"model": {"ref": "gpt2"}, "accelerator": {"name": "4090"}, "batch": {"micro_batch_size": 16}})";

std::vector<Result<Scenario>> read(std::initializer_list<std::string_view> texts) {
    std::vector<Result<Scenario>> out;
    for (const std::string_view text : texts)
        out.push_back(scenario_from_json(text, "test"));
    return out;
}

const LineupRow* row(const std::vector<LineupRow>& rows, std::string_view label) {
    for (const LineupRow& each : rows)
        if (each.label == label) return &each;
    return nullptr;
}

}  // namespace

TEST_CASE("a lineup's numbers are those of each scenario alone") {
    const auto made = lineup(read({kSmall, kLarger}));
    REQUIRE(made);
    Bytes largest;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto alone = estimate(*scenario_from_json(i == 0 ? kSmall : kLarger, "test"));
        REQUIRE(alone);
        const LineupCost& cost = *made->entries[i].cost;
        CHECK(cost.needed == alone->worst().device_total);
        CHECK(cost.usable == alone->usable);
        Bytes sum;
        for (const Bytes part : cost.categories)
            sum += part;
        CHECK(sum == cost.needed);
        largest = std::max({largest, cost.needed, *cost.usable});
    }
    CHECK(made->scale == largest);
}

TEST_CASE("only the fields whose values differ are rows, and memory is told against the first") {
    const auto made = lineup(read({kSmall, kLarger}));
    REQUIRE(made);
    CHECK(made->differing == std::vector<FieldId>{FieldId::MicroBatchSize});
    const std::vector<LineupRow> rows = lineup_rows(*made);
    const LineupRow* batch = row(rows, field(FieldId::MicroBatchSize).label);
    REQUIRE(batch != nullptr);
    CHECK(batch->values == std::vector<std::string>{"1", "16"});
    CHECK(batch->more.empty());
    const LineupRow* states = row(rows, "Optimizer state");
    REQUIRE(states != nullptr);
    CHECK(states->more == std::vector<std::string>{"", "the same"});
    const LineupRow* needed = row(rows, "Needed");
    REQUIRE(needed != nullptr);
    CHECK(needed->more[1].front() == '+');
}

TEST_CASE("a refused scenario keeps its place, with the sentence") {
    const auto made = lineup(read({R"({"mesh": {"tp": 8}})", kSmall, kLarger}));
    REQUIRE(made);
    CHECK_FALSE(made->entries[0].cost);
    CHECK(entry_sentence(made->entries[0]).find("Not computed: ") == 0);
    const LineupRow needed = lineup_rows(*made)[0];
    CHECK(needed.values[0].empty());
    CHECK(needed.more[1].empty());  // the first that is computed
    CHECK_FALSE(needed.more[2].empty());
    CHECK(json_from_lineup(*made).find("\"state\":\"cannot_say\"") != std::string::npos);
    CHECK(markdown_from_lineup(*made).find("Not computed") != std::string::npos);
}

TEST_CASE("none and too many scenarios are refused with the numbers") {
    CHECK_FALSE(lineup({}));
    const auto many = lineup(std::vector<Result<Scenario>>(kMostInLineup + 1, Scenario()));
    REQUIRE_FALSE(many);
    CHECK(many.error().message.find("257") != std::string::npos);
    CHECK(many.error().hint == "1 to 256");
}
