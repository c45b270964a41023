// What the issue promises of the command line, called as people call it.
#include <catch_amalgamated.hpp>
#include <fstream>
#include <sstream>
#include <vector>

#include "cli/run.hpp"

using namespace memwall;

namespace {

Result<std::string> no_file(std::string_view path) {
    return Error{ErrorCode::Malformed, std::string(path), "The file cannot be read", ""};
}

CliResult called(std::vector<std::string_view> arguments) { return run(arguments, {.read_file = no_file}); }

int status(const std::vector<std::string_view>& arguments) {
    const CliResult plain = called(arguments);
    INFO(plain.out << plain.err);
    std::vector<std::string_view> with_json = arguments;
    with_json.push_back("--json");
    const CliResult json = called(with_json);
    CHECK(json.status == plain.status);
    CHECK(json.err.empty());
    CHECK(json.out.starts_with('{'));
    CHECK(json.out.find('\n') == json.out.size() - 1);
    return static_cast<int>(plain.status);
}

}  // namespace

TEST_CASE("finetuning Llama-3.1-8B on one H100 does not fit: more than 128 GB against 85", "[golden]") {
    const std::vector<std::string_view> arguments{
        "estimate", "--model", "meta-llama/Llama-3.1-8B", "--gpu", "H100 SXM5 80GB", "--task", "finetune"};
    CHECK(status(arguments) == 1);
    CHECK(called(arguments).out.find("does not fit") != std::string::npos);
}

// It said 187.5 GiB where the program said 185.9.
TEST_CASE("README's first example is what the program prints", "[golden]") {
    std::ifstream file(std::string(MEMWALL_TEST_DATA) + "/../../README.md");
    std::stringstream readme;
    readme << file.rdbuf();
    const std::string text = readme.str();
    const std::string out =
        called({"estimate", "--model", "meta-llama/Llama-3.1-8B", "--gpu", "H100 SXM5 80GB", "--task", "finetune"}).out;
    const std::size_t first_two = out.find('\n', out.find('\n') + 1);
    CHECK(text.find("--task finetune\n" + out.substr(0, first_two) + "\n```") != std::string::npos);
}

TEST_CASE("gpt2 runs on a 4090, by whole words: not distilgpt2, not the 4090 D", "[golden]") {
    const std::vector<std::string_view> arguments{"estimate", "--model", "gpt2",     "--gpu",
                                                  "4090",     "--task",  "inference"};
    CHECK(status(arguments) == 0);
    const std::string out = called(arguments).out;
    CHECK(out.starts_with("openai-community/gpt2"));
    CHECK(out.find("GeForce RTX 4090\n") != std::string::npos);
}

TEST_CASE("an unknown model ends with 2, a missing one or a missing accelerator with 4", "[golden]") {
    CHECK(status({"estimate", "--model", "no-such-model-9000", "--gpu", "4090"}) == 2);
    CHECK(status({"estimate", "--gpu", "4090"}) == 4);
    CHECK(status({"estimate", "--model", "gpt2"}) == 4);
    CHECK(status({"solve", "batch", "--model", "gpt2"}) == 4);
}

TEST_CASE("solve is exact: what it finds fits and the next does not", "[golden]") {
    const CliResult solved = called({"solve", "batch", "--model", "gpt2", "--gpu", "4090", "--json"});
    CHECK(solved.status == ExitStatus::Fits);
    const std::size_t at = solved.out.find("\"value\":") + 8;
    const std::int64_t value = std::stoll(solved.out.substr(at));
    const auto needed = [](std::int64_t batch) {
        const std::string words = std::to_string(batch);
        const CliResult result = called({"estimate", "--model", "gpt2", "--gpu", "4090", "--batch", words, "--json"});
        const auto number = [&](std::string_view key) {
            return std::stoll(result.out.substr(result.out.find(key) + key.size()));
        };
        return std::pair(number("\"device_total_bytes\":"), number("\"usable_bytes\":"));
    };
    const auto [fits, usable] = needed(value);
    CHECK(fits <= usable);
    CHECK(needed(value + 1).first > usable);
}

// The formula of the design's section on the ledger; its tensor-parallel divisor comes with tensor parallelism. The
// factors K and V and num_hidden_layers were once merged: "160 × micro_batch_size × sequence_length × ...".
TEST_CASE("the KV cache is explained factor by factor", "[golden]") {
    const std::string out = called({"explain", "kv_cache", "--model", "meta-llama/Llama-2-70b-hf", "--gpu",
                                    "H200 SXM 141GB", "--task", "inference", "--sequences", "16", "--context", "8192"})
                                .out;
    INFO(out);
    CHECK(out.find("K and V × num_hidden_layers × num_key_value_heads × head_dim × sequences × tokens × bf16\n") !=
          std::string::npos);
    CHECK(out.find("2 × 80 × 8 × 128 × 16 × 8192 × 2\n") != std::string::npos);
    CHECK(out.find("42,949,672,960 bytes\n") != std::string::npos);
}

TEST_CASE("explain prints formula, numbers, reason and source of a row", "[golden]") {
    const CliResult result = called({"explain", "kv_cache", "--model", "gpt2", "--gpu", "4090", "--task", "inference"});
    CHECK(result.status == ExitStatus::Fits);
    for (const std::string_view part : {"num_key_value_heads", "because", "source", "confidence"})
        CHECK(result.out.find(part) != std::string::npos);
}
