// The catalogue: finding names, usable memory, trust, facts.
#include "catalogue/catalogue.hpp"

#include <catch_amalgamated.hpp>
#include <set>
#include <string>

#include "catalogue/packed.hpp"
#include "model/facts.hpp"
#include "model/families.hpp"
#include "plan/choices.hpp"
#include "plan/fields.hpp"

using namespace memwall;

namespace {

std::string model_of(std::string_view words) {
    const auto found = find_model(words);
    return found ? std::string((*found)->id) : "error: " + found.error().message;
}

std::string accelerator_of(std::string_view words) {
    const auto found = find_accelerator(words);
    return found ? std::string((*found)->name) : "error: " + found.error().message;
}

const ModelRow& model(std::string_view id) {
    const auto found = find_model(id);
    REQUIRE(found);
    return **found;
}

}  // namespace

TEST_CASE("the catalogue holds all rows", "[catalogue]") {
    CHECK(models().size() == 500);
    CHECK(accelerators().size() == 197);
    CHECK(formats().size() == 126);
    CHECK(optimizers().size() == 56);
    CHECK(methods().size() == static_cast<std::size_t>(MethodName::Badam) + 1);
}

TEST_CASE("a model is found by any part of its name, in any case", "[catalogue]") {
    CHECK(model_of("meta-llama/Llama-3.1-8B") == "meta-llama/Llama-3.1-8B");
    CHECK(model_of("META-LLAMA/llama-3.1-8b") == "meta-llama/Llama-3.1-8B");
    CHECK(model_of("llama-3.1-8b") == "meta-llama/Llama-3.1-8B");
    CHECK(model_of("gpt2") == "openai-community/gpt2");  // whole words: not distilgpt2
    CHECK(model_of("distilgpt2") == "distilbert/distilgpt2");
    CHECK(model_of("gpt2-xl") == "openai-community/gpt2-xl");
    CHECK(model_of("mixtral 8x7b instruct v0.1") == "mistralai/Mixtral-8x7B-Instruct-v0.1");
    CHECK(model_of("tv_vit_b_16") == "google/vit-base-patch16-224 (1000 classes)");  // an alias
    CHECK(model_of("torchvision vit_l_16") == "google/vit-large-patch16-224 (1000 classes)");
    CHECK(model_of("resnet50") == "torchvision resnet50");  // not deeplabv3_resnet50
}

TEST_CASE("an accelerator whose name ends with the words beats one that goes on", "[catalogue]") {
    CHECK(accelerator_of("4090") == "GeForce RTX 4090");  // not GeForce RTX 4090 D
    CHECK(accelerator_of("rtx 4090") == "GeForce RTX 4090");
    CHECK(accelerator_of("rtx4090") == "GeForce RTX 4090");
    CHECK(accelerator_of("4090 d") == "GeForce RTX 4090 D");
    CHECK(accelerator_of("H100 SXM5 80GB") == "H100 SXM5 80GB");
    CHECK(accelerator_of("h100 sxm5 80gb") == "H100 SXM5 80GB");
    CHECK(accelerator_of("80gb sxm5 h100") == "H100 SXM5 80GB");  // all words, in any order
}

TEST_CASE("words that fit several rows list the candidates in order", "[catalogue]") {
    const auto found = find_model("qwen3-8b-instruct-or-base");
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::UnknownName);
    CHECK(found.error().where == "model.ref");
    const auto several = find_accelerator("a100");
    REQUIRE_FALSE(several);
    CHECK(several.error().code == ErrorCode::Ambiguous);
    CHECK(several.error().hint.find("A100 PCIe 40GB, A100 PCIe 80GB") != std::string::npos);
}

TEST_CASE("an unknown name suggests near ones", "[catalogue]") {
    const auto found = find_model("opt-13bb");
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::UnknownName);
    CHECK(found.error().hint.find("opt-13b") != std::string::npos);
    CHECK_FALSE(find_model(""));
    CHECK_FALSE(find_accelerator("  / "));
    CHECK_FALSE(find_accelerator(std::string(5000, 'x')));
}

TEST_CASE("every row is found by its own name", "[catalogue]") {
    for (const ModelRow& r : models())
        CHECK(model_of(r.id) == r.id);
    for (const AcceleratorRow& r : accelerators())
        CHECK(accelerator_of(r.name) == r.name);
}

TEST_CASE("usable memory is the measured one where it is known, else the rule's", "[catalogue]") {
    const UsableMemory h100 = usable_memory(**find_accelerator("H100 SXM5 80GB"));
    CHECK(h100.bytes.value > 84'000'000'000);
    CHECK(h100.bytes.value < 86'000'000'000);
    // 0.985 of the binary size, or 0.92 for a GDDR card with ECC; marked assumed (src/README.md, ledger and verdict).
    const UsableMemory plain = usable_memory_by_rule(24'000, MemoryProtection::None);
    CHECK(plain.trust == Trust::Assumed);
    CHECK(plain.bytes.value == (24LL << 30) / 1000 * 985);
    CHECK(usable_memory_by_rule(24'000, MemoryProtection::GddrWithEcc).bytes.value == (24LL << 30) / 1000 * 920);
    for (const AcceleratorRow& r : accelerators()) {
        const UsableMemory usable = usable_memory(r);
        const double share =
            static_cast<double>(usable.bytes.value) / (static_cast<double>(r.memory_gb_permille) * 1073741.824);
        INFO(r.name);
        CHECK(share > 0.90);
        CHECK(share <= 1.0);
        CHECK_FALSE(usable.source.empty());
    }
}

TEST_CASE("recalled values are marked", "[catalogue]") {
    CHECK(trust(model("meta-llama/Llama-3.1-8B")) == "exact");
    for (const AcceleratorRow& r : accelerators())
        if (r.usable_source.find("recalled") != std::string_view::npos) CHECK(r.usable_trust == Trust::Recalled);
    int recalled = 0;
    for (const ModelRow& r : models())
        recalled += r.count_trust == Trust::Recalled ? 1 : 0;
    CHECK(recalled > 20);
    CHECK(recalled < 120);
    const AcceleratorRow& h100 = **find_accelerator("H100 SXM5 80GB");
    CHECK(h100.memory_type == "HBM3");
    CHECK(h100.tflops_tenths[3] == 9890);
    CHECK(optimizers()[0].name == "SGD");
}

TEST_CASE("lists say which words choose a row, and each of these is computed", "[catalogue]") {
    const auto computed = [](FieldId id, std::string_view word) {
        const auto value = value_from_text(field(id), word);
        return value && !check_computed(field(id), *value);
    };
    const auto each = [](std::string_view use, auto check) {
        while (!use.empty()) {
            const std::string_view word = use.substr(0, use.find(", "));
            INFO(word);
            CHECK(check(word));
            use.remove_prefix(std::min(word.size() + 2, use.size()));
        }
    };
    std::string named;
    for (const OptimizerRow& row : optimizers()) {
        each(row.use, [&](std::string_view word) { return computed(FieldId::OptimizerName, word); });
        named.append(" ").append(row.use).append(",");
    }
    for (const std::string_view word : field(FieldId::OptimizerName).choices) {
        INFO(word);
        CHECK(named.find(" " + std::string(word) + ",") != std::string::npos);
    }
    for (const FormatRow& row : formats())
        each(row.use, [&](std::string_view word) {
            return computed(FieldId::Weights, word) || computed(FieldId::KvCacheDtype, word);
        });
}

TEST_CASE("every fact of the data files is known to the facts table", "[catalogue]") {
    for (LineReader keys(packed_keys()); !keys.at_end();) {
        const std::string_view key = keys.line();
        CHECK((find_fact(key) != nullptr || key == "layer_pattern" || key == "intermediate_sizes"));
    }
    for (const ModelRow& r : models()) {
        const Architecture a = architecture_from_row(r);
        INFO(r.id);
        const Failure failure = check(a);
        INFO((failure ? failure->message : ""));
        CHECK_FALSE(failure);
        CHECK((r.published_total != 0) == (a.kind == ArchitectureKind::TotalOnly));
        if (r.published_total == 0) CHECK(find_family(r.model_type) != nullptr);
    }
}

TEST_CASE("a model without a formula carries its published total", "[catalogue]") {
    const Architecture a = architecture_from_row(model("torchvision densenet121"));
    CHECK(a.kind == ArchitectureKind::TotalOnly);
    CHECK(a.total_parameters == 7978856);  // torchvision weights metadata
}

TEST_CASE("facts keep what was set", "[catalogue]") {
    std::set<std::string_view> keys;
    for (const FactRow& fact : facts()) {
        CHECK(keys.insert(fact.key).second);
        Architecture a;
        const std::int64_t value = fact.words.empty() ? 7 : static_cast<std::int64_t>(fact.words.size()) - 1;
        set_fact(fact, a, value);
        CHECK(fact_value(fact, a) == value);
        CHECK((a == Architecture{}) == (fact_value(fact, Architecture{}) == value));
    }
}

TEST_CASE("the texts of the catalogue are those of this build, or refused", "[catalogue]") {
    REQUIRE(has_catalogue_texts());
    CHECK_FALSE(take_catalogue_texts("another build\n"));
    CHECK_FALSE(take_catalogue_texts(""));
    CHECK(take_catalogue_texts(built_in_texts()));
    CHECK(note(model("huggyllama/llama-7b")).empty());
    int notes = 0;
    for (const ModelRow& r : models())
        notes += note(r).empty() ? 0 : 1;
    CHECK(notes > 50);
    for (const FormatRow& r : formats())
        CHECK(r.source < sources().size());
    CHECK(formats().back().name.size() > 1);
    CHECK(methods().back().source_url.substr(0, 8) == "https://");
}
