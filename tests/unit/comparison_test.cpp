#include "search/comparison.hpp"

#include <algorithm>
#include <array>
#include <catch_amalgamated.hpp>

#include "cli/run.hpp"
#include "export/comparison.hpp"
#include "scenario_of.hpp"
#include "search/companions.hpp"
#include "view/comparison.hpp"

using namespace memwall;

namespace {

constexpr int kLatency = 3;  // its column
constexpr std::string_view kLlama = "meta-llama/Llama-3.1-8B";

MethodComparison compared(const Scenario& scenario, std::string_view methods = "", std::int64_t last_layers = 0) {
    const auto named = methods_from_words(methods);
    REQUIRE(named);
    auto made = compare(scenario, *named, last_layers);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return std::move(*made);
}

MethodComparison on_h100(std::string_view methods = "", std::int64_t last_layers = 0) {
    return compared(scenario_of({{"model", kLlama}, {"gpu", "H100 SXM5 80GB"}, {"batch", "2"}}), methods, last_layers);
}

const MethodCost& cost(const ComparedMethod& m) {
    INFO(m.refusal);
    REQUIRE(m.cost);
    return *m.cost;
}

Result<std::string> no_file(std::string_view) { return Error{ErrorCode::Malformed, "", "no file", ""}; }

}  // namespace

TEST_CASE("the first row is not to finetune, the others are estimates of their own", "[compare]") {
    const MethodComparison c = on_h100("full,lora,houlsby");
    REQUIRE(c.rows.size() == 4);
    CHECK_FALSE(c.rows[0].method);
    const Scenario given = scenario_of({{"model", kLlama}, {"gpu", "H100 SXM5 80GB"}, {"batch", "2"}});
    CHECK(cost(c.rows[0]).needed == companions(*estimate(given)).run->needed);
    CHECK(cost(c.rows[0]).trained_parameters.value == 0);
    constexpr std::array<std::string_view, 3> kNames{"full", "houlsby", "lora"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        const Estimate alone =
            estimate_of({{"model", kLlama}, {"gpu", "H100 SXM5 80GB"}, {"batch", "2"}, {"method", kNames[i]}});
        CHECK(cost(c.rows[i + 1]).needed == alone.worst().device_total);
        CHECK(cost(c.rows[i + 1]).trained_parameters == alone.trainable_parameters);
        CHECK(cost(c.rows[i + 1]).verdict == alone.verdict);
    }
}

// fp32 adapters over 16-bit weights keep an fp32 copy of every input: the column of what is kept shows it.
TEST_CASE("adapters on every linear keep more for backward than training in full, and far fewer states", "[compare]") {
    const Scenario scenario = scenario_of({{"model", kLlama},
                                           {"gpu", "H100 SXM5 80GB"},
                                           {"method", "lora"},
                                           {"target-modules", "all-linear"},
                                           {"precision.recipe", "bf16"}});
    const MethodComparison made = compared(scenario, "full,lora");
    const auto of = [&](MethodName method) -> const MethodCost& {
        const auto row = std::find_if(made.rows.begin(), made.rows.end(),
                                      [method](const ComparedMethod& m) { return m.method == method; });
        REQUIRE(row != made.rows.end());
        return cost(*row);
    };
    CHECK(of(MethodName::Lora).kept > of(MethodName::Full).kept);
    constexpr auto kStates = static_cast<std::size_t>(Category::OptimizerState);
    CHECK(of(MethodName::Lora).categories[kStates].value * 10 < of(MethodName::Full).categories[kStates].value);
}

TEST_CASE("nine of ten layers frozen leaves a tenth of the layers' parameters", "[compare]") {
    const Scenario ten = scenario_of({{"hidden-size", "512"},
                                      {"num-hidden-layers", "10"},
                                      {"num-attention-heads", "8"},
                                      {"intermediate-size", "2048"},
                                      {"vocab-size", "32000"}});
    for (const std::int64_t last : {1, 3, 10}) {
        const MethodComparison c = compared(ten, "freeze", last);
        CHECK(c.layers == 10);
        CHECK(c.rows[1].last_layers == last);
        CHECK(cost(c.rows[1]).trained_layer_parameters.value * 10 == cost(c.rows[1]).layer_parameters.value * last);
        CHECK(cost(c.rows[1]).trained_layer_parameters < cost(c.rows[1]).trained_parameters);
    }
    CHECK(compared(ten, "freeze").rows[1].last_layers == 3);  // a quarter, rounded up
    CHECK(compared(ten, "freeze", 99).rows[1].last_layers == 10);
}

TEST_CASE("what a method writes to disk is the whole model, or its adapters", "[compare]") {
    const MethodComparison c = on_h100("full,lora,ln_tuning");
    constexpr std::int64_t kFp32 = 4;
    CHECK(cost(c.rows[1]).checkpoint.value == cost(c.rows[1]).all_parameters.value * kFp32);
    CHECK(cost(c.rows[2]).checkpoint.value == cost(c.rows[2]).trained_parameters.value * kFp32);
    CHECK(cost(c.rows[3]).checkpoint.value == cost(c.rows[3]).trained_parameters.value * kFp32);
    CHECK(cost(c.rows[0]).checkpoint.value == 0);
    // All ranks together write as much as one of them alone would.
    const MethodComparison many =
        compared(scenario_of({{"model", kLlama}, {"accelerator.count", "8"}, {"zero-stage", "3"}}), "full");
    CHECK(cost(many.rows[1]).checkpoint == cost(c.rows[1]).checkpoint);
}

TEST_CASE("bottlenecks stay in the way of inference: four operators each, two a layer", "[compare]") {
    const MethodComparison c = on_h100("full,houlsby,pfeiffer,lora,qlora");
    CHECK(cost(c.rows[1]).added_operators == 0);
    CHECK(cost(c.rows[2]).added_operators == c.layers * 2 * 4);
    CHECK(cost(c.rows[3]).added_operators == c.layers * 4);
    CHECK(cost(c.rows[4]).added_operators == c.layers * 2 * 4);  // queries and values: two products, scale, sum
    CHECK(cost(c.rows[5]).added_operators == cost(c.rows[4]).added_operators);
    CHECK(column_title(kLatency) == "Added to inference");
    CHECK(method_cell(c.rows[2], kLatency).text == "256 operators");
    CHECK(method_cell(c.rows[4], kLatency).text == "nothing once merged");
}

TEST_CASE("operators are counted of images too, and not guessed where no block is recorded", "[compare]") {
    const MethodComparison vit = compared(scenario_of({{"model", "google/vit-base-patch16-224"}}), "houlsby");
    CHECK(cost(vit.rows[1]).added_operators == vit.layers * 2 * 4);
    const MethodComparison phimoe = compared(scenario_of({{"model", "microsoft/Phi-3.5-MoE-instruct"}}), "lora");
    CHECK_FALSE(cost(phimoe.rows[1]).added_operators);
    CHECK(method_cell(phimoe.rows[1], kLatency).detail == "uncounted operators until then");
}

TEST_CASE("the cheapest accelerator suffices, and none with a lower price does", "[compare]") {
    const Scenario given = scenario_of({{"model", kLlama}, {"gpu", "H100 SXM5 80GB"}, {"batch", "2"}});
    for (const MethodName method : {MethodName::Lora, MethodName::Qlora}) {
        Scenario s = with_method(given, method);
        const AcceleratorRow* found =
            cost(compared(given, method == MethodName::Lora ? "lora" : "qlora").rows[1]).cheapest;
        REQUIRE(found != nullptr);
        for (const AcceleratorRow& row : accelerators()) {
            const bool cheaper = row.price_low_cents > 0 && row.price_low_cents < found->price_low_cents;
            if (!(cheaper || &row == found) || row.vendor != "NVIDIA" || row.compute_capability_tenths < 80) continue;
            REQUIRE_FALSE(set_field(s, FieldId::AcceleratorName, row.name));
            INFO(row.name);
            CHECK((estimate(s)->verdict == Verdict::Fits) == (&row == found));
        }
    }
}

TEST_CASE("what was stated of one method holds for those alike", "[compare]") {
    const Scenario lora =
        scenario_of({{"model", kLlama}, {"method", "lora"}, {"rank", "64"}, {"target-modules", "q_proj"}});
    const auto under = [](const Scenario& s, MethodName method) { return estimate(with_method(s, method))->scenario; };
    CHECK(under(lora, MethodName::Lora).method.rank == 64);
    CHECK(under(lora, MethodName::Dora).method.rank == 64);
    CHECK(under(lora, MethodName::Vera).method.rank == 256);
    CHECK(under(lora, MethodName::Qlora).precision.weights == WeightFormat::Nf4);
    CHECK(under(lora, MethodName::Qlora).method.rank == 64);
    const Scenario fp4 = scenario_of({{"model", kLlama}, {"method", "qlora"}, {"precision.weights", "fp4"}});
    CHECK(under(fp4, MethodName::Full).precision.weights == WeightFormat::Fp32);
    CHECK(under(fp4, MethodName::Lora).precision.weights == WeightFormat::Fp32);
    CHECK(under(fp4, MethodName::Qlora).precision.weights == WeightFormat::Fp4);
}

TEST_CASE("a method that is refused keeps its row and says why", "[compare]") {
    const MethodComparison c = on_h100("bitfit,lora");  // llama has no biases
    REQUIRE_FALSE(c.rows[1].cost);
    CHECK(method_sentence(c.rows[1]) == "Not computed: " + c.rows[1].refusal);
    CHECK(cost(c.rows[2]).needed.value > 0);
}

TEST_CASE("categories add up to what is needed, and the scale holds all rows", "[compare]") {
    const MethodComparison c = on_h100();
    Bytes longest = *c.usable;
    for (const ComparedMethod& m : c.rows) {
        if (!m.cost) continue;
        Bytes sum;
        for (const Bytes part : m.cost->categories)
            sum += part;
        INFO(method_label(c, m));
        CHECK(sum == m.cost->needed);
        longest = std::max(longest, m.cost->needed);
    }
    CHECK(comparison_scale(c) == longest);
    CHECK(question(kQuestions - 1).starts_with("Who repeats it?"));
}

TEST_CASE("evidence is what is on file, and its absence is said", "[compare]") {
    const MethodComparison c = on_h100("freeze,houlsby,vera");
    constexpr int kQuality = kCompareColumns - 1;
    CHECK(column_title(kQuality) == "Quality");
    CHECK(method_cell(c.rows[1], kQuality).text.starts_with("BERT-large on GLUE needs about 25 %"));
    CHECK(method_cell(c.rows[2], kQuality).text.starts_with("within 0.4 % of full finetuning"));
    CHECK(method_cell(c.rows[3], kQuality).text == "no evidence on file");
}

TEST_CASE("without a model there is nothing to compare, without a GPU nothing is said to fit", "[compare]") {
    const auto nothing = compare(Scenario{}, *methods_from_words(""), 0);
    REQUIRE_FALSE(nothing);
    CHECK(nothing.error().code == ErrorCode::Missing);
    const MethodComparison c = compared(scenario_of({{"model", "gpt2"}}), "lora");
    CHECK(cost(c.rows[1]).verdict == Verdict::CannotSay);
    CHECK(cost(c.rows[1]).cheapest != nullptr);
    CHECK_FALSE(methods_from_words("lora,nonsense"));
}

TEST_CASE("the command prints the same answer as text, Markdown and JSON", "[compare][cli]") {
    const auto called = [](std::vector<std::string_view> more) {
        std::vector<std::string_view> words{"compare", "--model", "gpt2", "--gpu", "4090", "--methods", "full,houlsby"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words, {.read_file = no_file});
    };
    const std::string text = called({}).out, markdown = called({"--markdown"}).out, json = called({"--json"}).out;
    for (const std::string_view part : {"Do not finetune", "Houlsby adapters", "96 operators", "within 0.4 %"})
        for (const std::string* answer : {&text, &markdown, &json}) {
            INFO(part);
            CHECK(answer->find(part) != std::string::npos);
        }
    CHECK(json.find("\"added_operators\":96") != std::string::npos);
    const auto wrong = called({"--last-layers", "many"});
    CHECK(wrong.status == ExitStatus::BadInput);
    CHECK(wrong.err.find("\"many\" is no number of layers") != std::string::npos);
}
