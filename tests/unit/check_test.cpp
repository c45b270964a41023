// memwall check: records read, predicted, summarised.
#include "check/report.hpp"

#include <catch_amalgamated.hpp>

namespace memwall {
namespace {

// GPT-2 small, pure bf16, batch 8 × 1024: the peak PyTorch's own ledger printed for this run.
constexpr std::string_view kGpt2 =
    R"({"id":"gpt2-bf16","kind":"train","model":{"name":"gpt2","ref":"openai-community/gpt2",
"config":{"model_type":"gpt2","hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,"num_key_value_heads":12,
"head_dim":64,"intermediate_size":3072,"vocab_size":50257,"tie_word_embeddings":true,"max_position_embeddings":1024},
"structure":{"norm":"layernorm","position":"learned","learned_positions":1024},"params":124439808},"task":"pretrain",
"method":{"name":"full"},"precision":{"weights":"bf16","compute":"bf16","autocast":false,"gradients":"bf16"},
"optimizer":{"name":"adamw","state_dtype":"bf16","implementation":"fused"},
"batch":{"micro_batch_size":8,"sequence_length":1024,"attention_mask":"none"},
"savers":{"activation_checkpointing":"none","attention":"flash","loss":"fp32_upcast"},
"implementation":{"name":"hf_transformers","version":"transformers 5.12.1"},
"measured":{"bytes":10103910776,"counter":"category","what":"total_peak","scope":"per_device_max"},
"phases":{"bwd_peak_2":{"total":10103910776},"after_load":{"total":248879616}},"doubtful":false})";

std::string one_line(std::string_view text) {
    std::string out(text);
    std::erase(out, '\n');
    return out;
}

std::string with(std::string text, std::string_view old_part, std::string_view new_part) {
    const std::size_t at = text.find(old_part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old_part.size(), new_part);
}

CheckedRecord checked(const std::string& line) {
    auto record = record_from_line(line, "records.jsonl", 7);
    REQUIRE(record);
    return check_record(std::move(*record));
}

}  // namespace

TEST_CASE("an oracle record is predicted to the byte in the phases it has", "[check]") {
    const CheckedRecord gpt2 = checked(one_line(kGpt2));
    INFO(gpt2.skipped.message);
    REQUIRE(gpt2.prediction);
    CHECK(gpt2.prediction->value == 10'103'910'776);
    REQUIRE(gpt2.prediction->comparisons.size() == 2);
    for (const Comparison& comparison : gpt2.prediction->comparisons)
        CHECK(comparison.predicted == comparison.measured);
}

TEST_CASE("what this version cannot compute is skipped with the field and counts as a skip of its group", "[check]") {
    const CheckedRecord skipped = checked(with(one_line(kGpt2), R"("name":"full")", R"("name":"dora")"));
    CHECK_FALSE(skipped.prediction);
    CHECK(skipped.skipped.where == "method.name");
    const CheckTable table = table_from({skipped});
    REQUIRE(table.groups.size() == 1);
    CHECK(table.groups[0].skipped == 1);
    CHECK(json_from(table).find(R"("predicted_bytes":null)") != std::string::npos);
    CHECK(json_from(table).find(R"("skipped":[{"id":"gpt2-bf16")") != std::string::npos);
}

TEST_CASE("doubtful records are predicted and gate nothing", "[check]") {
    const CheckTable table = table_from({checked(with(one_line(kGpt2), R"("doubtful":false)", R"("doubtful":true)"))});
    CHECK(table.records[0].prediction);
    CHECK(table.groups[0].count == 0);
}

TEST_CASE("lines that are no records are refused with file and line", "[check]") {
    for (const std::string_view line : {"", "{", "[]", "{\"id\":\"x\"}", "null", "{\"id\":5,\"kind\":\"train\"}"}) {
        auto record = record_from_line(line, "records.jsonl", 7);
        INFO(line);
        REQUIRE_FALSE(record);
        CHECK(record.error().where.starts_with("records.jsonl:7"));
    }
}

TEST_CASE("a case without a model or a card cannot be said, which is an answer", "[check]") {
    const CheckedRecord unknown = checked(
        R"({"id":"q","kind":"case","model":null,"task":"finetune","expected":{"verdict":"cannot_say","scope":"per_device"}})");
    REQUIRE(unknown.prediction);
    CHECK(unknown.prediction->verdict == Verdict::CannotSay);
    CHECK(table_from({unknown}).confusion.at("cannot_say").at("cannot_say") == 1);
}

TEST_CASE("percentiles are nearest ranks of the absolute error", "[check]") {
    CheckGroup group;
    group.absolute_errors = {0, 0.005, 1, 2, 40};
    CHECK(group.percentile(0.5) == 1);
    CHECK(group.percentile(0.9) == 40);
    CHECK(group.share_within(0.01) == Catch::Approx(0.4));
    CHECK(error_percent(110, 100) == Catch::Approx(10));
    CHECK(error_percent(0, 0) == 0);
}

}  // namespace memwall
