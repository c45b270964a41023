// Our own JSON: what is read, what is refused, and where.
#include "import/scenario.hpp"

#include <catch_amalgamated.hpp>

#include "export/json.hpp"
#include "plan/fields.hpp"

using namespace memwall;

namespace {

Scenario read(std::string_view text) {
    auto scenario = scenario_from_json(text, "scenario.json");
    INFO((scenario ? std::string() : scenario.error().where + ": " + scenario.error().message));
    REQUIRE(scenario);
    return *scenario;
}

Error refusal(std::string_view text) {
    const auto scenario = scenario_from_json(text, "scenario.json");
    INFO(text);
    REQUIRE_FALSE(scenario);
    return scenario.error();
}

}  // namespace

TEST_CASE("nested objects set fields by their keys", "[scenario_json]") {
    const Scenario s =
        read(R"({"model":{"ref":"gpt2","config":{"tie_word_embeddings":false}},"accelerator":{"name":"4090"},
        "task":"inference","batch":{"micro_batch_size":4,"sequence_length":"8k"},"overhead":{"allocator_slack":0.07},
        "mesh":{"zero_stage":null}})");
    CHECK(s.model.ref == "gpt2");
    CHECK(s.accelerator.name == "4090");
    CHECK(s.task == Task::Inference);
    CHECK(s.batch.micro_batch_size == 4);
    CHECK(s.batch.sequence_length == 8192);
    CHECK(s.overhead.allocator_slack_permille == 70);
    CHECK(is_given(s, FieldId::TieWordEmbeddings));
    CHECK_FALSE(is_given(s, FieldId::ZeroStage));
    CHECK(s.given.count() == 7);
}

TEST_CASE("flags and dotted keys are read too", "[scenario_json]") {
    const Scenario s = read(R"({"model":"gpt2","gpu":"4090","batch.micro_batch_size":2,"seq":"1k"})");
    CHECK(s.model.ref == "gpt2");
    CHECK(s.accelerator.name == "4090");
    CHECK(s.batch.micro_batch_size == 2);
    CHECK(s.batch.sequence_length == 1024);
}

TEST_CASE("what estimate prints can be handed back", "[scenario_json]") {
    CHECK(read(R"({"schema":1,"scenario":{"task":"pretrain"},"verdict":{"state":"fits"}})").task == Task::Pretrain);
}

TEST_CASE("numbers are read exactly, not through a double", "[scenario_json]") {
    CHECK(read(R"({"model":{"params":9007199254740.0}})").model.architecture.total_parameters == 9'007'199'254'740);
    CHECK(read(R"({"overhead":{"allocator_slack":0.1}})").overhead.allocator_slack_permille == 100);
    CHECK(refusal(R"({"batch":{"micro_batch_size":1e400}})").code == ErrorCode::OutOfRange);
    CHECK(refusal(R"({"batch":{"micro_batch_size":-1}})").where == "batch.micro_batch_size");
    CHECK(refusal(R"({"batch":{"micro_batch_size":0.5}})").where == "batch.micro_batch_size");
}

TEST_CASE("text that is no JSON is refused with line and column", "[scenario_json]") {
    CHECK(refusal("{\"task\": \"pretrain\",\n \"batch\": {,}}").where == "scenario.json:2:12");
    CHECK(refusal("").where == "scenario.json");
    CHECK(refusal("[1]").where == "scenario.json:1:1");
    CHECK(refusal("{\"task\": NaN}").code == ErrorCode::Malformed);
    CHECK(refusal("{\"task\":\"pretrain\"").code == ErrorCode::Malformed);
    CHECK(refusal(std::string(2 << 20, ' ')).message.find("2,097,152") != std::string::npos);
}

TEST_CASE("unknown keys name the nearest one, at any depth", "[scenario_json]") {
    const Error error = refusal(R"({"batch":{"micro_batchsize":4}})");
    CHECK(error.code == ErrorCode::UnknownName);
    CHECK(error.where == "batch.micro_batchsize");
    CHECK(error.hint.find("batch.micro_batch_size") != std::string::npos);
    CHECK(refusal(R"({"":{"zero_stage":1}})").where == "scenario");
    std::string deep;
    for (int i = 0; i < 1000; ++i)
        deep += "{\"model\":";
    deep += "1" + std::string(1000, '}');
    CHECK(refusal(deep).code == ErrorCode::UnknownName);
}

TEST_CASE("values of the wrong kind are refused by their field", "[scenario_json]") {
    CHECK(refusal(R"({"batch":{"micro_batch_size":true}})").where == "batch.micro_batch_size");
    CHECK(refusal(R"({"batch":{"micro_batch_size":{}}})").where == "batch.micro_batch_size");
    CHECK(refusal(R"({"batch":{"micro_batch_size":[1]}})").where == "batch.micro_batch_size");
    CHECK(refusal(R"({"method":{"target_modules":[1]}})").where == "method.target_modules");
    CHECK(refusal(R"({"mesh":{"tp":8}})").code == ErrorCode::NotYet);
}

TEST_CASE("what is stated twice is refused at its field, whatever names it has", "[scenario_json]") {
    for (const char* text : {R"({"batch":{"micro_batch_size":4,"micro_batch_size":8}})",
                             R"({"batch":{"micro_batch_size":4},"batch":{"micro_batch_size":4}})",
                             R"({"batch.micro_batch_size":4,"batch":{"micro_batch_size":4}})"}) {
        const Error error = refusal(text);
        CHECK(error.code == ErrorCode::Inconsistent);
        CHECK(error.where == "batch.micro_batch_size");
        CHECK(error.message == "Micro-batch size is stated twice");
    }
}

TEST_CASE("numbers may be written as people write them", "[scenario_json]") {
    CHECK(read(R"({"batch":{"sequence_length":"8k"}})").batch.sequence_length == 8192);
    CHECK(refusal(R"({"batch":{"sequence_length":"NaN"}})").message ==
          "Sequence length \"NaN\" is not a finite number");
    CHECK(refusal(R"({"batch":{"sequence_length":"long"}})").hint.starts_with("allowed: 1 to "));
}

TEST_CASE("a scenario survives being written and read", "[scenario_json]") {
    const Scenario s =
        read(R"({"model":{"ref":"gpt2"},"overhead":{"allocator_slack":0.062,"in_use_by_others_bytes":"1.5GiB"}})");
    const std::string written = json_from_scenario(s);
    const Scenario again = read(written);
    CHECK(again.given == s.given);
    CHECK(again.overhead.allocator_slack_permille == 62);
    CHECK(json_from_scenario(again) == written);
}
