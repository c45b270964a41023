#include "view/present.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>

#include "scenario_of.hpp"
#include "view/format.hpp"

using namespace memwall;

namespace {

ViewModel view_of(std::initializer_list<Setting> settings) {
    auto made = view(scenario_of(settings));
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return std::move(*made);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("the worst instant is named with its two largest rows", "[view]") {
    const ViewModel shown = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    std::vector<const RowView*> rows;
    for (const GroupView& group : shown.groups)
        for (const RowView& row : group.rows)
            rows.push_back(&row);
    std::sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->fraction > b->fraction; });
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(shown.verdict.peak.find(rows[i]->title) != std::string::npos);
    CHECK(shown.verdict.peak.substr(0, 11) == "most during");
}

TEST_CASE("the sentence says what is needed, usable, and left or missing", "[present]") {
    const ViewModel fits = view_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "inference"}});
    CHECK(fits.verdict.state == "fits");
    CHECK(fits.verdict.role == "good");
    for (const std::string& part : {fits.verdict.needed, fits.verdict.usable, fits.verdict.left})
        CHECK(contains(fits.verdict.sentence, part));
    CHECK(contains(fits.verdict.sentence, "left"));
    const ViewModel not_at_all = view_of({{"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "H100 SXM5 80GB"}});
    CHECK(not_at_all.verdict.state == "does_not_fit");
    CHECK(not_at_all.verdict.left_label == "missing");
    CHECK(contains(not_at_all.verdict.sentence, "missing"));
}

TEST_CASE("a tight verdict names the end of the interval that decides", "[present]") {
    const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const std::string just_enough = std::to_string(e.worst().device_total.value);
    const ViewModel tight = view_of({{"model", "gpt2"}, {"accelerator.usable_bytes", just_enough}});
    CHECK(tight.verdict.state == "tight");
    CHECK(contains(tight.verdict.sentence, text(e.interval.high)));
}

TEST_CASE("without a card the sentence asks for one and still says what is needed", "[present]") {
    const ViewModel v = view_of({{"model", "gpt2"}});
    CHECK(v.verdict.state == "cannot_say");
    CHECK(contains(v.verdict.sentence, v.verdict.needed));
    CHECK(v.verdict.usable.empty());
    CHECK(v.gauge.usable == 0.0);
    CHECK_FALSE(v.groups.empty());
}

TEST_CASE("without a model nothing is made up", "[present]") {
    const ViewModel v = view_of({{"gpu", "4090"}});
    CHECK(v.verdict.state == "cannot_say");
    CHECK(v.groups.empty());
    CHECK(v.numbers.empty());
    CHECK(v.timeline.instants.empty());
    CHECK_FALSE(v.form.empty());
}

TEST_CASE("shares of groups and of their rows add up to one", "[present]") {
    const ViewModel v = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    double groups = 0;
    for (const GroupView& group : v.groups) {
        groups += group.fraction;
        double rows = 0;
        for (const RowView& row : group.rows)
            rows += row.fraction;
        CHECK(rows == Catch::Approx(group.fraction));
    }
    CHECK(groups == Catch::Approx(1.0));
}

TEST_CASE("every row explains itself and rows stand by size", "[present]") {
    const ViewModel v = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    for (const GroupView& group : v.groups)
        for (std::size_t i = 0; i < group.rows.size(); ++i) {
            const RowView& row = group.rows[i];
            CAPTURE(row.key);
            CHECK_FALSE(row.title.empty());
            CHECK_FALSE(row.formula.empty());
            CHECK_FALSE(row.numbers.empty());
            CHECK_FALSE(row.because.empty());
            CHECK_FALSE(row.source.empty());
            CHECK_FALSE(row.confidence.empty());
            if (i > 0) CHECK(row.fraction <= group.rows[i - 1].fraction);
        }
}

TEST_CASE("no instant is above the worst one, and its parts add up to it", "[present]") {
    const ViewModel v = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const double worst = v.timeline.instants.at(static_cast<std::size_t>(v.timeline.worst)).fraction;
    for (const InstantView& instant : v.timeline.instants) {
        CHECK(instant.fraction <= worst);
        CHECK(instant.by_category.size() == v.timeline.categories.size());
        double sum = 0;
        for (const double part : instant.by_category)
            sum += part;
        CHECK(sum == Catch::Approx(instant.fraction));
    }
}

TEST_CASE("the curve meets the capacity line where the device total meets the usable memory", "[present]") {
    const Estimate e = estimate_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const ViewModel v =
        view_of({{"model", "gpt2"}, {"accelerator.usable_bytes", std::to_string(e.worst().device_total.value)}});
    CHECK(v.timeline.capacity_fraction == 1.0);
    CHECK(v.timeline.instants.at(static_cast<std::size_t>(v.timeline.worst)).fraction == 1.0);
}

TEST_CASE("an instant names its layer, but not where several blocks are checkpointed together", "[present]") {
    const auto names_layers = [](const ViewModel& v) {
        return std::any_of(v.timeline.instants.begin(), v.timeline.instants.end(),
                           [](const InstantView& instant) { return contains(instant.label, " of 12"); });
    };
    CHECK(names_layers(view_of({{"model", "gpt2"}, {"checkpointing", "full"}})));
    CHECK_FALSE(
        names_layers(view_of({{"model", "gpt2"}, {"checkpointing", "full"}, {"savers.checkpoint_every", "3"}})));
}

TEST_CASE("training is read against the weights and against the standard rule", "[present]") {
    const ViewModel v = view_of({{"model.params", "7e9"}, {"gpu", "H100 SXM5 80GB"}});
    CHECK(contains(v.multiple.sentence, v.multiple.value));
    CHECK(contains(v.gauge.baseline_text, "16 bytes × 7.00B parameters = 104.3 GiB"));  // 112 GB
    CHECK(v.gauge.baseline < v.gauge.needed);
}

TEST_CASE("the standard rule has no mark where only some parameters train", "[present]") {
    for (const char* method : {"lora", "freeze"}) {
        const ViewModel v = view_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "finetune"}, {"method", method}});
        CHECK(v.gauge.baseline == 0);
        CHECK(v.gauge.baseline_text.empty());
    }
    CHECK(view_of({{"model", "gpt2"}, {"gpu", "4090"}, {"task", "inference"}}).gauge.baseline > 0);
}

TEST_CASE("the largest value that fits says so where its verdict is tight", "[present]") {
    const ViewModel v = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const ViewModel there = view_of({{"model", "gpt2"}, {"gpu", "4090"}, {"batch", v.largest.value}});
    CHECK(v.largest.state == there.verdict.state);
    CHECK(contains(v.largest.sentence, "it is tight") == (there.verdict.state == "tight"));
}

TEST_CASE("charts have a sentence for who cannot see them", "[present]") {
    const ViewModel v = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    for (const std::string& sentence : {v.gauge.description, v.bar_description, v.timeline.description}) {
        CHECK(contains(sentence, v.verdict.needed.substr(v.verdict.needed.size() - 3)));  // has a unit
        CHECK(sentence.back() == '.');
    }
}

TEST_CASE("assumed rows are listed with the field that edits them", "[present]") {
    const ViewModel v = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    bool framework = false;
    for (const AssumptionView& a : v.assumptions)
        framework = framework || a.field == "overhead.framework_bytes";
    CHECK(framework);
}

// Rank 16 on q_proj and v_proj: 32 · (16 · (4096 + 4096) + 16 · (4096 + 1024)) = 6,815,744, the count peft prints.
TEST_CASE("what trains is said where it is not everything", "[present]") {
    const auto trainable = [](const char* task, const char* method) {
        return view_of({{"model", "meta-llama/Llama-3.1-8B"},
                        {"gpu", "H100 SXM5 80GB"},
                        {"task", task},
                        {"method", method},
                        {"rank", "16"},
                        {"target-modules", "q_proj,v_proj"}})
            .parameters.trainable;
    };
    CHECK(trainable("finetune", "lora") == "6.82M of them train (< 0.1 %).");
    CHECK(trainable("finetune", "full").empty());
    CHECK(trainable("inference", "lora").empty());
}
