#include <yyjson.h>

#include <catch_amalgamated.hpp>

#include "export/json.hpp"
#include "export/json_tables.hpp"
#include "export/json_tree.hpp"
#include "export/json_view.hpp"
#include "export/markdown.hpp"
#include "scenario_of.hpp"
#include "view/present.hpp"

using namespace memwall;

namespace {

struct Parsed {
    explicit Parsed(const std::string& text) : document(yyjson_read(text.data(), text.size(), 0)) {
        INFO(text.substr(0, 200));
        REQUIRE(document != nullptr);
    }
    ~Parsed() { yyjson_doc_free(document); }
    Parsed(const Parsed&) = delete;
    Parsed& operator=(const Parsed&) = delete;
    yyjson_val* root() const { return yyjson_doc_get_root(document); }
    yyjson_doc* document;
};

std::string_view text_at(yyjson_val* object, const char* key) {
    const char* found = yyjson_get_str(yyjson_obj_get(object, key));
    REQUIRE(found != nullptr);
    return found;
}

// The largest whole number anywhere in a document.
std::uint64_t largest_integer(yyjson_val* value) {
    std::uint64_t out = 0;
    if (yyjson_is_uint(value)) return yyjson_get_uint(value);
    if (yyjson_is_sint(value)) return static_cast<std::uint64_t>(-yyjson_get_sint(value));
    std::size_t i = 0, n = 0;
    yyjson_val *key = nullptr, *inner = nullptr;
    if (yyjson_is_obj(value)) {
        yyjson_obj_foreach(value, i, n, key, inner) out = std::max(out, largest_integer(inner));
    } else if (yyjson_is_arr(value)) {
        yyjson_arr_foreach(value, i, n, inner) out = std::max(out, largest_integer(inner));
    }
    return out;
}

}  // namespace

TEST_CASE("rows of the estimate's JSON add up to its device total", "[export]") {
    const Parsed parsed(json_from_estimate(estimate_of({{"model", "gpt2"}, {"gpu", "4090"}})));
    std::int64_t sum = 0;
    std::size_t i = 0, n = 0;
    yyjson_val* row = nullptr;
    yyjson_arr_foreach(yyjson_obj_get(parsed.root(), "rows"), i, n, row) sum +=
        yyjson_get_sint(yyjson_obj_get(row, "bytes"));
    yyjson_val* numbers = yyjson_obj_get(parsed.root(), "numbers");
    CHECK(sum == yyjson_get_sint(yyjson_obj_get(numbers, "device_total_bytes")));
    CHECK(text_at(parsed.root(), "verdict") == "fits");
}

TEST_CASE("no number in the JSON is above what JavaScript counts one by one", "[export]") {
    // The largest model and the largest batch that the field table allows.
    const Scenario huge = scenario_of({{"model.params", "1e14"}, {"batch.micro_batch_size", "1048576"}});
    const auto made = estimate(huge);
    if (made) CHECK(largest_integer(Parsed(json_from_estimate(*made)).root()) < (std::uint64_t{1} << 53));
    if (!made) CHECK(made.error().code == ErrorCode::Overflow);
    const Estimate large = estimate_of({{"model.params", "1e14"}, {"gpu", "4090"}});
    CHECK(largest_integer(Parsed(json_from_estimate(large)).root()) < (std::uint64_t{1} << 53));
}

TEST_CASE("without a model the JSON says what is missing and nothing else", "[export]") {
    const Parsed parsed(json_from_estimate(estimate_of({{"gpu", "4090"}})));
    CHECK(text_at(parsed.root(), "missing") == "model.ref");
    CHECK(yyjson_obj_get(parsed.root(), "numbers") == nullptr);
    CHECK(yyjson_obj_get(parsed.root(), "rows") == nullptr);
}

TEST_CASE("a scenario is nested by its keys and holds only what was stated", "[export]") {
    CHECK(json_from_scenario(scenario_of({{"batch", "4"}, {"savers.attention", "eager"}, {"task", "inference"}})) ==
          "{\"task\":\"inference\",\"batch\":{\"micro_batch_size\":4},\"savers\":{\"attention\":\"eager\"}}\n");
    CHECK(json_from_scenario(Scenario{}) == "{}\n");
}

TEST_CASE("an error keeps its address and its hint", "[export]") {
    CHECK(json_from_error({ErrorCode::OutOfRange, "mesh.tp", "tp is \"8\"", "1"}) ==
          "{\"error\":{\"code\":\"out_of_range\",\"where\":\"mesh.tp\",\"message\":\"tp is "
          "\\\"8\\\"\",\"hint\":\"1\"}}\n");
}

TEST_CASE("fractions are written in six decimals without a tail of zeros", "[export]") {
    JsonDocument document;
    document.root().fraction("third", 1.0 / 3.0).fraction("half", 0.5).fraction("whole", 2).fraction("small", 1e-6);
    CHECK(document.line() == "{\"third\":0.333333,\"half\":0.5,\"whole\":2,\"small\":0.000001}\n");
}

TEST_CASE("a view model is JSON with the members' names", "[export]") {
    const auto model = view(scenario_of({{"model", "gpt2"}, {"gpu", "4090"}}));
    REQUIRE(model);
    const Parsed parsed(json_from_view(*model));
    CHECK(text_at(yyjson_obj_get(parsed.root(), "verdict"), "sentence") == model->verdict.sentence);
    CHECK(yyjson_arr_size(yyjson_obj_get(parsed.root(), "groups")) == model->groups.size());
    CHECK(yyjson_arr_size(yyjson_obj_get(yyjson_obj_get(parsed.root(), "timeline"), "instants")) ==
          model->timeline.instants.size());
}

TEST_CASE("Markdown tables keep their columns whatever stands in a cell", "[export]") {
    const auto model = view(scenario_of({{"model", "gpt2"}, {"gpu", "4090"}}));
    REQUIRE(model);
    ViewModel changed = *model;
    changed.groups.at(0).rows.at(0).because = "one | two";
    const std::string page = markdown_from_view(changed);
    CHECK(page.find("one &#124; two") != std::string::npos);
    CHECK(page.find(model->verdict.sentence) != std::string::npos);
    CHECK(page.find("one | two") == std::string::npos);
}

TEST_CASE("the catalogue is found by any part of a name in any case", "[export]") {
    const auto found = json_from_catalogue("accelerators", "h100 sxm5");
    REQUIRE(found);
    const Parsed parsed(*found);
    CHECK(yyjson_arr_size(parsed.root()) >= 1);
    CHECK(text_at(yyjson_arr_get_first(parsed.root()), "name").find("H100 SXM5") != std::string_view::npos);
    CHECK_FALSE(json_from_catalogue("toasters", ""));
}

TEST_CASE("the parameter tree adds up to the total", "[export]") {
    const Estimate e = estimate_of({{"model", "gpt2"}});
    const Parsed parsed(json_from_parameters(e.scenario.model));
    std::int64_t sum = 0;
    std::size_t i = 0, n = 0;
    yyjson_val* tensor = nullptr;
    yyjson_arr_foreach(yyjson_obj_get(parsed.root(), "tensors"), i, n, tensor) sum +=
        yyjson_get_sint(yyjson_obj_get(tensor, "parameters"));
    CHECK(sum == 124'439'808);
    CHECK(yyjson_get_sint(yyjson_obj_get(parsed.root(), "total")) == sum);
}
