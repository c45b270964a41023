// memwall check: records read, predicted, summarised.
#include "check/reading.hpp"
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
    const CheckedRecord skipped = checked(with(one_line(kGpt2), R"("name":"full")", R"("name":"prefix")"));
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
    CHECK(table_from({unknown}).confusion.at("case").at("cannot_say").at("cannot_say") == 1);
    // Nor one whose program is not computed, on a card that nobody named.
    const CheckedRecord no_card = checked(
        R"({"id":"q","kind":"case","model":{"params":7000000000},"task":"finetune","method":{"name":"prefix"},"accelerator":{"name":"fast one"},"expected":{"verdict":"fits"}})");
    REQUIRE(no_card.prediction);
    CHECK(no_card.prediction->verdict == Verdict::CannotSay);
}

TEST_CASE("a card that only its class names is taken by its size, and a stated size beats a name", "[check]") {
    const auto usable = [](std::string_view card) {
        const std::string line = R"({"id":"q","kind":"case","model":{"params":1000000000},"accelerator":)" +
                                 std::string(card) + R"(,"expected":{"verdict":"fits"}})";
        auto record = record_from_line(line, "cases.jsonl", 1);
        REQUIRE(record);
        auto estimated = estimate(record->scenario);
        REQUIRE(estimated);
        return estimated->usable.value_or(Bytes(0)).value;
    };
    const std::int64_t by_rule = (std::int64_t{24} << 30) / 1000 * 985;
    CHECK(usable(R"({"name":"24GB class","memory_gb":24})") == Catch::Approx(by_rule).epsilon(1e-6));
    CHECK(usable(R"({"name":"24 GB class","memory_gb":null})") == Catch::Approx(by_rule).epsilon(1e-6));
    CHECK(usable(R"({"name":"1.5GB class","memory_gb":null})") == 0);
    CHECK(usable(R"({"name":"GB","memory_gb":null})") == 0);
    CHECK(usable(R"({"name":"H100 SXM5 80GB","memory_gb":24})") == Catch::Approx(by_rule).epsilon(1e-6));
    CHECK(usable(R"({"name":"A100","memory_gb":80,"usable_bytes":85040352461})") == 85'040'352'461);
    CHECK(usable(R"({"name":"H100 SXM5 80GB","memory_gb":80})") > (std::int64_t{78} << 30));
}

TEST_CASE("a question that names no way of training is about running the model", "[check]") {
    auto runs = record_from_line(R"({"id":"q","kind":"case","model":{"params":7},"task":null})", "f", 1);
    auto trains = record_from_line(R"({"id":"q","kind":"case","task":null,"optimizer":{"name":"adamw"}})", "f", 1);
    REQUIRE(runs);
    REQUIRE(trains);
    CHECK(runs->scenario.task == Task::Inference);
    CHECK(trains->scenario.task == Task::Finetune);
}

TEST_CASE("a params record never gives its own count as the answer", "[check]") {
    const CheckedRecord unknown =
        checked(R"({"id":"p","kind":"params","model":{"name":"nobody_knows_this_net","params":123456}})");
    CHECK_FALSE(unknown.prediction);
    // Nor that of a model whose name has its name as a part.
    CHECK_FALSE(checked(R"({"id":"p","kind":"params","model":{"name":"convnext","params":1}})").prediction);
    CHECK_FALSE(checked(R"({"id":"p","kind":"params","model":{"name":"","params":1}})").prediction);
    const CheckedRecord total =
        checked(R"({"id":"p","kind":"params","model":{"name":"convnext_tiny","params":28589128}})");
    REQUIRE(total.prediction);
    CHECK(total.prediction->value == 28'589'128);
    CHECK(total.prediction->dominant_row == "total_only");
}

TEST_CASE("the activations of a record are saved tensors, logits and weight copies", "[check]") {
    // Printed by the instrument for the run above.
    const CheckedRecord gpt2 = checked(
        with(one_line(kGpt2), R"("doubtful":false)", R"("categories":{"activations":6063563048},"doubtful":false)"));
    REQUIRE(gpt2.prediction);
    REQUIRE(gpt2.prediction->comparisons.size() == 3);
    CHECK(gpt2.prediction->comparisons.back().predicted == 6'063'563'048);
}

TEST_CASE("no value in the place of another stops the reading of a record", "[check]") {
    const std::string deep = std::string(5000, '[') + std::string(5000, ']');
    const std::string odd[] = {
        "null", "true",   "-1",       "0",  "1e300", "9223372036854775808",     "1.5",
        "\"\"", "\"7B\"", "\"fp32\"", "[]", "{}",    R"({"name":{"name":{}}})", "[[1],{\"a\":2}]",
        deep};
    const std::string record = one_line(kGpt2);
    std::size_t tried = 0;
    for (std::size_t colon = record.find("\":"); colon != std::string::npos; colon = record.find("\":", colon + 1)) {
        const std::size_t begin = colon + 2;
        std::size_t end = begin;
        for (int depth = 0; depth > 0 || (record[end] != ',' && record[end] != '}'); ++end) {
            depth += record[end] == '{' || record[end] == '[' ? 1 : 0;
            depth -= record[end] == '}' || record[end] == ']' ? 1 : 0;
        }
        for (const std::string& value : odd) {
            std::string mutated = record;
            mutated.replace(begin, end - begin, value);
            auto read = record_from_line(mutated, "records.jsonl", 1);
            if (!read) continue;
            const CheckTable table = table_from({check_record(std::move(*read))});
            const std::string json = json_from(table);
            INFO(mutated.substr(0, 3000));
            REQUIRE(table.records.size() == 1);
            CHECK(json.find(":nan") == std::string::npos);
            CHECK(json.find(":inf") == std::string::npos);
            CHECK((json.find(R"("skipped":[{"id")") == std::string::npos) == table.records[0].prediction.has_value());
            ++tried;
        }
    }
    CHECK(tried > 500);
}

TEST_CASE("a line that is no record is listed by its place and skipped", "[check]") {
    const CheckTable table =
        table_from({unreadable("f.jsonl", "f.jsonl:3", Error{ErrorCode::Malformed, "f.jsonl:3:1", "no JSON", ""})});
    CHECK(json_from(table).find(R"("skipped":[{"id":"f.jsonl:3","reason":"f.jsonl:3:1: no JSON"}])") !=
          std::string::npos);
}

TEST_CASE("reasons that differ in a number are one reason", "[check]") {
    const CheckTable table =
        table_from({unreadable("f", "f:1", Error{ErrorCode::NotYet, "mesh.tp", "Tensor parallel 2 comes later", ""}),
                    unreadable("f", "f:2", Error{ErrorCode::NotYet, "mesh.tp", "Tensor parallel 16 comes later", ""})});
    CHECK(table.skip_reasons.at("mesh.tp: Tensor parallel N comes later") == 2);
}

TEST_CASE("a reading is predicted in its own counter, phase and part", "[check]") {
    const auto value = [](std::string_view counter, std::string_view what, std::string_view phase) {
        const CheckedRecord read = checked(with(one_line(kGpt2), R"("counter":"category","what":"total_peak")",
                                                R"("counter":")" + std::string(counter) + R"(","what":")" +
                                                    std::string(what) + R"(","phase":")" + std::string(phase) + "\""));
        INFO(read.skipped.message);
        REQUIRE(read.prediction);
        return read.prediction->value.value_or(0);
    };
    constexpr std::int64_t kParameters = 124'439'808;
    // Raw bytes: two of weights, two of gradients, twice two of AdamW's moments and a step of 4 bytes for each tensor.
    CHECK(value("category", "weights", "") == 2 * kParameters);
    CHECK(value("category", "model_states", "between_steps") == 8 * kParameters + 148 * 4);
    CHECK(value("category", "total_peak", "after_load") == 248'879'616);  // the instrument's
    // The allocator hands out blocks of 512 bytes, and the libraries hold two workspaces in training.
    const std::int64_t workspaces = 2 * 8'519'680;
    const std::int64_t states = value("allocated", "model_states", "between_steps");
    CHECK(states == value("active", "model_states", "between_steps"));
    CHECK(states > 8 * kParameters + workspaces);
    CHECK(states < 8 * kParameters + workspaces + 148 * 4 * 512);
    CHECK(value("allocated", "total_peak", "between_steps") >= states - 2 * kParameters);
    CHECK(value("allocated", "total_peak", "between_steps") < value("allocated", "total_peak", ""));
    CHECK(value("allocated", "total_peak", "after_load") < 2 * kParameters + 148 * 512 + (1 << 20));
    CHECK(value("allocated", "total_peak", "") < value("reserved", "total_peak", ""));
    CHECK(value("reserved", "total_peak", "") < value("driver", "total_peak", "after_training"));
    for (const std::string_view phase :
         {"after_load", "fwd_end_1", "bwd_end_2", "opt_end_1", "iter_end_2", "between_steps", "bwd_peak_2"}) {
        INFO(phase);
        CHECK(value("category", "total_peak", phase) <= value("allocated", "total_peak", phase));
        CHECK(value("allocated", "total_peak", phase) <= value("reserved", "total_peak", phase));
        CHECK(value("reserved", "total_peak", phase) <= value("driver", "total_peak", phase));
    }
    CHECK(value("category", "total_peak", "between_steps") == value("category", "total_peak", "iter_end_2"));
    CHECK(value("category", "optimizer_state", "after_load") == 0);
    CHECK(value("allocated", "optimizer_state", "fwd_end_1") == 0);
    CHECK(value("category", "optimizer_state", "fwd_end_2") == 4 * kParameters + 148 * 4);
    CHECK(value("category", "activations", "fwd_end_2") == 6'063'563'048);  // printed by the instrument for this run
    CHECK(value("category", "activations", "iter_end_1") == 0);
    CHECK(value("category", "model_states", "after_load") == 2 * kParameters);
    for (const std::string_view odd :
         {"\"counter\":\"pages\",\"what\":\"total_peak\"", "\"counter\":\"driver\",\"what\":\"sparks\"",
          "\"counter\":\"driver\",\"what\":\"total_peak\",\"phase\":\"saving\"",
          "\"counter\":\"category\",\"what\":\"total_peak\",\"phase\":\"saving\""}) {
        const CheckedRecord skipped =
            checked(with(one_line(kGpt2), R"("counter":"category","what":"total_peak")", odd));
        INFO(odd);
        CHECK_FALSE(skipped.prediction);
        CHECK(skipped.skipped.where.starts_with("measured."));
    }
}

TEST_CASE("a reading over all devices is a sum, and an unknown scope is said", "[check]") {
    const std::string eight =
        with(one_line(kGpt2), R"("savers":{)", R"("mesh":{"world_size":8,"dp_replicate":8},"savers":{)");
    const CheckedRecord one = checked(eight);
    INFO(one.skipped.message);
    REQUIRE(one.prediction);
    const CheckedRecord all = checked(with(eight, "per_device_max", "total_all_devices"));
    REQUIRE(all.prediction);
    CHECK(all.prediction->value == 8 * one.prediction->value.value_or(0));
    CHECK(checked(with(eight, "per_device_max", "per_rack")).skipped.where == "measured.scope");
}

TEST_CASE("the name of a record is one line, whatever stands in it", "[check]") {
    const CheckedRecord odd = checked(with(one_line(kGpt2), "gpt2-bf16", R"(a\nb\u001b[31m)"));
    const std::string text = text_from(table_from({odd}), 0);
    CHECK(text.substr(0, text.find('\n')).find("total_peak") != std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a byte order mark before a later line is no part of its record", "[check]") {
    std::vector<CheckedRecord> into;
    const std::string lines = one_line(kGpt2) + "\n\xEF\xBB\xBF" + one_line(kGpt2) + "\n";
    CHECK(check_records(lines, "f", {}, into) == Readable::Yes);
    REQUIRE(into.size() == 2);
    CHECK(into[1].prediction);
}

TEST_CASE("a width for every layer is one number where all are the same", "[check]") {
    const std::string list =
        with(one_line(kGpt2), R"("intermediate_size":3072)", R"("intermediate_size":[3072,3072,3072])");
    const CheckedRecord same = checked(list);
    INFO(same.skipped.message);
    REQUIRE(same.prediction);
    CHECK(same.prediction->value == 10'103'910'776);
    const CheckedRecord other = checked(with(list, "[3072,3072", "[3072,1024"));
    CHECK_FALSE(other.prediction);
    CHECK(other.skipped.where == "model.config.intermediate_size");
}

TEST_CASE("a filter's values of one key are alternatives, and a filter that nothing passes is said", "[check]") {
    const std::string lines = one_line(kGpt2) + "\n" + with(one_line(kGpt2), R"("kind":"train")", R"("kind":"fit")");
    const auto passed = [&](std::string_view only) {
        auto filters = filters_from(only);
        REQUIRE(filters);
        std::vector<CheckedRecord> into;
        CHECK(check_records(lines, "f", *filters, into) == Readable::Yes);
        return into.size();
    };
    CHECK(passed("kind=train") == 1);
    CHECK(passed("kind=train,kind=fit") == 2);
    CHECK(passed("kind=train,kind=fit,method=lora") == 0);
    CHECK(text_from(table_from({}), 0) == "No record\n");
}

TEST_CASE("a record that nothing was measured for shows what is predicted", "[check]") {
    const CheckedRecord open = checked(with(one_line(kGpt2), R"("bytes":10103910776,)", ""));
    CHECK(text_from(table_from({open}), 0).starts_with("gpt2-bf16: total_peak 10103910776, nothing measured"));
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

TEST_CASE("an operator alone is predicted tensor by tensor, or says which size is missing", "[check]") {
    const std::string kNorm =
        R"({"id":"n","kind":"op","op":{"name":"rms_norm","provider":"liger","dtype":"bf16","rows":2048,"hidden":1024},"implementation":{"name":"liger"},"measured":{"bytes":37773824,"counter":"allocated","what":"op_peak"}})";
    CHECK(checked(kNorm).prediction->value == 37'773'824);  // Liger-Kernel, all_benchmark_data.csv, 0.2.1
    CHECK(checked(with(kNorm, "liger", "huggingface")).prediction->value == 83'906'560);
    const CheckedRecord unsized = checked(with(kNorm, R"(,"hidden":1024)", ""));
    CHECK_FALSE(unsized.prediction);
    CHECK(unsized.skipped.message == "a size or the type of rms_norm is missing");
    CHECK(checked(with(kNorm, "rms_norm", "convolution")).skipped.message ==
          "convolution is not predicted by this version");
    CHECK_FALSE(checked(with(kNorm, "2048", "9000000000000000000")).prediction);
}

TEST_CASE("cases of training on one card whose memory is stated are judged apart", "[check]") {
    constexpr std::string_view kCase =
        R"({"id":"q","kind":"case","topic":"full_finetune","model":{"params":70000000000},"task":"finetune","precision":{"weights":"fp32"},"accelerator":{"count":1,"memory_gb":24},"expected":{"verdict":"does_not_fit"}})";
    const auto cases_of = [](std::string line) { return table_from({checked(std::move(line))}).user_cases; };
    const UserCases right = cases_of(std::string(kCase));
    CHECK(right.ids == std::vector<std::string>{"q"});
    CHECK((right.exact == 1 && right.adjacent == 1 && right.tight == 0));
    const UserCases near = cases_of(with(std::string(kCase), "does_not_fit", "tight"));
    CHECK((near.exact == 0 && near.adjacent == 1));
    CHECK(cases_of(with(std::string(kCase), "does_not_fit", "fits")).adjacent == 0);
    CHECK(cases_of(with(std::string(kCase), "does_not_fit", "cannot_say")).adjacent == 0);
    for (const auto& [old_part, new_part] :
         {std::pair{R"("count":1)", R"("count":8)"}, std::pair{R"(,"memory_gb":24)", ""},
          std::pair{"full_finetune", "dpo"}, std::pair{R"("task":"finetune")", R"("task":"inference")"},
          std::pair{R"("accelerator")", R"("offload":{"optimizer":"cpu"},"accelerator")"},
          std::pair{R"("topic")", R"("complete":false,"topic")"}})
        CHECK(cases_of(with(std::string(kCase), old_part, new_part)).ids.empty());
    CHECK(json_from(table_from({checked(std::string(kCase))}))
              .find(R"("user_cases":{"count":1,"exact":1,"adjacent":1,"tight":0,"ids":["q"]})") != std::string::npos);
}

}  // namespace memwall
