// The field table: names, numbers as people write them, refusals.
#include "plan/fields.hpp"

#include <catch_amalgamated.hpp>
#include <set>

#include "base/nearest.hpp"
#include "plan/number_text.hpp"

using namespace memwall;

namespace {

std::int64_t read(std::string_view key, std::string_view words) {
    const FieldRow* row = find_field(key);
    REQUIRE(row != nullptr);
    const auto value = value_from_text(*row, words);
    INFO(key << " = " << words << ": " << (value ? "" : value.error().message));
    REQUIRE(value);
    return *value;
}

Error refusal(std::string_view key, std::string_view words) {
    Scenario scenario;
    const Failure failure = set_field(scenario, key, words);
    INFO(key << " = " << words);
    REQUIRE(failure);
    CHECK(scenario.given.none());
    return *failure;
}

}  // namespace

TEST_CASE("every field has a key, a label, a sentence of help and a reason where it comes later", "[fields]") {
    for (const FieldRow& row : fields()) {
        INFO(row.key);
        CHECK_FALSE(row.label.empty());
        CHECK(row.help.ends_with('.'));
        CHECK((!is_later(row) || !row.later.empty()));
        CHECK(row.minimum <= row.maximum);
        const bool has_words = row.kind == FieldKind::Choice || row.kind == FieldKind::Set;
        CHECK(has_words == !row.choices.empty());
        CHECK((row.choice_labels.empty() || row.choice_labels.size() == row.choices.size()));
        const bool partly = row.kind == FieldKind::Choice &&
                            (row.computed | (~std::uint64_t{0} << row.choices.size())) != ~std::uint64_t{0};
        CHECK((!(partly || row.computed_maximum < row.maximum) || !row.later.empty()));
    }
}

TEST_CASE("no two fields share a key, a flag or an alias, and none takes an option of the command line", "[fields]") {
    std::set<std::string> names{"json", "markdown", "config", "tree", "help", "version"};
    for (const FieldRow& row : fields()) {
        std::set<std::string> own{std::string(row.key), flag_text(row)};
        if (!row.alias.empty()) own.insert(std::string(row.alias));
        for (std::string name : own) {
            std::replace(name.begin(), name.end(), '_', '-');
            INFO(row.key << " " << name);
            CHECK((names.insert(name).second || name == row.key));
        }
    }
}

TEST_CASE("a field is found by key, flag and alias, with either dash", "[fields]") {
    CHECK(find_field("batch.micro_batch_size")->id == FieldId::MicroBatchSize);
    CHECK(find_field("micro-batch-size")->id == FieldId::MicroBatchSize);
    CHECK(find_field("micro_batch_size")->id == FieldId::MicroBatchSize);
    CHECK(find_field("gpu")->id == FieldId::AcceleratorName);
    CHECK(find_field("gpus")->id == FieldId::AcceleratorCount);
    CHECK(find_field("model")->id == FieldId::ModelRef);
    CHECK(find_field("optimizer")->id == FieldId::OptimizerName);
    CHECK(find_field("offload.optimizer")->id == FieldId::OffloadOptimizer);
    CHECK(find_field("nonsense") == nullptr);
}

TEST_CASE("an unknown field names the nearest ones", "[fields]") {
    const auto unknown = named_field("micro_batchsize");
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == ErrorCode::UnknownName);
    CHECK(unknown.error().hint.find("batch.micro_batch_size") != std::string::npos);
}

TEST_CASE("numbers are read as people write them", "[fields]") {
    CHECK(read("seq", "2048") == 2048);
    CHECK(read("seq", "8k") == 8192);
    CHECK(read("seq", "128K") == 131072);
    CHECK(read("seq", "2048 tokens") == 2048);
    CHECK(read("model.params", "7B") == 7'000'000'000);
    CHECK(read("model.params", "1.5e9") == 1'500'000'000);
    CHECK(read("model.params", "6.7b") == 6'700'000'000);
    CHECK(read("model.params", "1_000") == 1000);
    CHECK(read("model.params", "8,030,261,248") == 8'030'261'248);
    CHECK(read("model.params", "100T") == 100'000'000'000'000);
    CHECK(read("model.params", "1000e-1") == 100);
    CHECK(read("vocab", "32k") == 32'000);
    CHECK(read("usable", "24GiB") == 24LL << 30);
    CHECK(read("usable", "24 GB") == 24'000'000'000);
    CHECK(read("usable", "23.65 GiB") == 25'393'994'137);
    CHECK(read("usable", "85520809984") == 85'520'809'984);
    CHECK(read("gpu-memory", "80GB") == 80'000);
    CHECK(read("gpu-memory", "79.6") == 79'600);
    CHECK(read("allocator-slack", "0.06") == 60);
    CHECK(read("allocator-slack", "6%") == 60);
    CHECK(read("allocator-slack", "6.2 %") == 62);
    CHECK(read("in-use", "0") == 0);
}

TEST_CASE("bad numbers are refused with field, value and what is allowed", "[fields]") {
    struct Case {
        std::string_view key, words;
        ErrorCode code;
        std::string_view says;
    };
    const Case cases[] = {
        {"batch", "-4", ErrorCode::OutOfRange, "negative"},
        {"batch", "\u22124", ErrorCode::OutOfRange, "negative"},
        {"batch", "0", ErrorCode::OutOfRange, "below"},
        {"batch", "1.5", ErrorCode::OutOfRange, "not a whole number"},
        {"batch", "1e30", ErrorCode::OutOfRange, "too large"},
        {"batch", "1e-99999999999", ErrorCode::OutOfRange, "not a whole number"},
        {"batch", "1e999999", ErrorCode::OutOfRange, "too large"},
        {"batch", "99999999999999999999999999999999", ErrorCode::OutOfRange, "too large"},
        {"batch", "2000000", ErrorCode::OutOfRange, "above"},
        {"batch", "nan", ErrorCode::Malformed, "not a finite number"},
        {"batch", "-inf", ErrorCode::Malformed, "not a finite number"},
        {"batch", "four", ErrorCode::Malformed, "not a number"},
        {"batch", "4 apples", ErrorCode::Malformed, "unit"},
        {"batch", "1,5", ErrorCode::Malformed, "not a number"},
        {"batch", "1,0000", ErrorCode::Malformed, "not a number"},
        {"batch", "0x10", ErrorCode::Malformed, "unit"},
        {"batch", "", ErrorCode::Malformed, "empty"},
        {"batch", "1e", ErrorCode::Malformed, "unit"},
        {"usable", "24G", ErrorCode::Malformed, "unit"},
        {"model.params", "101T", ErrorCode::OutOfRange, "above"},
        {"model.params", "1.23456789e5", ErrorCode::OutOfRange, "not a whole number"},
        {"allocator-slack", "0.0625", ErrorCode::OutOfRange, "decimals"},
    };
    for (const Case& c : cases) {
        const Error error = refusal(c.key, c.words);
        CHECK(error.code == c.code);
        CHECK(error.where == find_field(c.key)->key);
        INFO(error.message << " / " << error.hint);
        CHECK(error.message.find(c.says) != std::string::npos);
        CHECK(error.message.starts_with(find_field(c.key)->label));
        CHECK(error.hint.find("allowed: ") != std::string::npos);
    }
}

TEST_CASE("what a later version computes is refused with a sentence, not ignored", "[fields]") {
    const Error tp = refusal("mesh.tp", "4");
    CHECK(tp.code == ErrorCode::NotYet);
    CHECK(tp.message == "Tensor parallel 4 is not computed by this version; tensor parallelism comes later");
    CHECK(tp.hint == "allowed: 1");
    const Error stages = refusal("pp-schedule", "1f1b");
    CHECK(stages.code == ErrorCode::NotYet);
    CHECK(stages.hint == "leave mesh.pp_schedule out");
    Scenario scenario;
    CHECK_FALSE(set_field(scenario, "mesh.tp", "1"));
    CHECK(refusal("mesh.tp", "99999").code == ErrorCode::OutOfRange);
}

TEST_CASE("choices are words in any case, with a near one suggested", "[fields]") {
    Scenario scenario;
    CHECK_FALSE(set_field(scenario, "task", "Inference"));
    CHECK(scenario.task == Task::Inference);
    CHECK_FALSE(set_field(scenario, "savers.attention", "sdpa-math"));
    CHECK(scenario.savers.attention == AttentionKernel::SdpaMath);
    CHECK_FALSE(set_field(scenario, "tied", "yes"));
    CHECK(scenario.model.architecture.tie_word_embeddings);
    CHECK(refusal("attention", "falsh").hint.starts_with("did you mean flash? allowed: "));
    CHECK(refusal("tied", "perhaps").message.find("neither true nor false") != std::string::npos);
}

TEST_CASE("a list takes spaces behind its commas, and peft's word for every linear", "[fields]") {
    Scenario scenario;
    CHECK_FALSE(set_field(scenario, "target-modules", "q_proj, v_proj"));
    const std::uint64_t two = scenario.method.target_modules;
    CHECK_FALSE(set_field(scenario, "target-modules", "q_proj,v_proj"));
    CHECK(scenario.method.target_modules == two);
    CHECK_FALSE(set_field(scenario, "target-modules", "all-linear"));
    CHECK(scenario.method.target_modules == std::uint64_t{1} << static_cast<unsigned>(TargetModule::AllLinear));
}

TEST_CASE("the text of a value is what sets it again", "[fields]") {
    for (const FieldRow& row : fields()) {
        if (row.kind == FieldKind::Text) continue;
        for (const std::int64_t value : {row.minimum, row.minimum + (row.maximum - row.minimum) / 3, row.maximum}) {
            if (row.kind == FieldKind::Set && value == 0) continue;
            const std::string words = text_from_value(row, value);
            const auto again = value_from_text(row, words);
            INFO(row.key << " " << words);
            REQUIRE(again);
            CHECK(*again == value);
        }
    }
}

TEST_CASE("setting marks as given and clearing takes back", "[fields]") {
    Scenario scenario;
    CHECK(is_default(scenario, FieldId::MicroBatchSize));
    REQUIRE_FALSE(set_field(scenario, "batch", "8"));
    CHECK(is_given(scenario, FieldId::MicroBatchSize));
    CHECK(text(scenario, FieldId::MicroBatchSize) == "8");
    clear_field(scenario, FieldId::MicroBatchSize);
    CHECK(scenario.batch.micro_batch_size == 1);
    CHECK(is_default(scenario, FieldId::MicroBatchSize));
}

TEST_CASE("fractions print as decimals, exactly", "[fields]") {
    CHECK(text_from_number(900, 1000) == "0.9");
    CHECK(text_from_number(1000, 1000) == "1");
    CHECK(text_from_number(62, 1000) == "0.062");
    CHECK(text_from_number(79'600, 1000) == "79.6");
    CHECK(with_commas(8'030'261'248) == "8,030,261,248");
    CHECK(with_commas(-1000) == "-1,000");
    CHECK(with_commas(999) == "999");
}

TEST_CASE("text fields refuse control characters and endless text", "[fields]") {
    CHECK(refusal("model", "gpt2\n").message.find("control character") != std::string::npos);
    CHECK(refusal("model", "gpt2\xff").message.find("not UTF-8") != std::string::npos);
    CHECK(refusal("model", std::string(300, 'a')).message.find("300 characters") != std::string::npos);
}
