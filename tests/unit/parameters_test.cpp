// Parameter counts and shapes, held against the catalogue's figures and against real model code.
#include "model/parameters.hpp"

#include <yyjson.h>

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "model/facts.hpp"
#include "model/families.hpp"

using namespace memwall;

namespace {

struct FreeDocument {
    void operator()(yyjson_doc* d) const { yyjson_doc_free(d); }
};
using Document = std::unique_ptr<yyjson_doc, FreeDocument>;

std::vector<Document> documents(const std::string& path) {
    std::ifstream file(path);
    REQUIRE(file);
    std::vector<Document> out;
    for (std::string line; std::getline(file, line);)
        if (!line.empty()) out.emplace_back(yyjson_read(line.data(), line.size(), 0));
    return out;
}

std::string word(yyjson_val* object, const char* key) {
    const char* text = yyjson_get_str(yyjson_obj_get(object, key));
    return text != nullptr ? text : "";
}

std::optional<std::int64_t> number(yyjson_val* object, const char* key) {
    yyjson_val* value = yyjson_obj_get(object, key);
    if (!yyjson_is_int(value)) return std::nullopt;
    return yyjson_get_sint(value);
}

const std::string kData = MEMWALL_TEST_DATA;
const std::string kModels = kData + "/../../src/catalogue/models.jsonl";

// One multi-token-prediction block: a layer, the projection of two hidden states to one, and its norms; some
// checkpoints store an embedding and a head with it.
std::int64_t prediction_block(const Architecture& a, bool with_embedding_and_head) {
    Architecture block = a;
    block.num_hidden_layers = 1;
    block.layer_pattern = "F";
    block.first_k_dense = 0;
    block.vision = {};
    block.final_norm = true;
    std::int64_t total = 0;
    for (const ParameterTensor& t : parameters(block))
        if (t.stack == Stack::Layers || t.role == Role::FinalNorm) total += parameters_of(t).value;
    total += 2 * a.hidden_size * a.hidden_size + 2 * a.hidden_size;
    return total + (with_embedding_and_head ? 2 * a.vocab_size * a.hidden_size : 0);
}

std::int64_t extra(const Architecture& a, yyjson_val* entry) {
    if (const auto plain = number(entry, "params")) return *plain;
    const std::string what = word(entry, "params");
    if (what == "tied_copy") return a.vocab_size * (a.embedding_size != 0 ? a.embedding_size : a.hidden_size);
    REQUIRE((what == "mtp" || what == "mtp_with_embed_and_head"));
    return prediction_block(a, what == "mtp_with_embed_and_head");
}

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

Shapes shapes(yyjson_val* object) {
    Shapes out;
    std::size_t index = 0, count = 0;
    yyjson_val *key = nullptr, *list = nullptr;
    yyjson_obj_foreach(object, index, count, key, list) {
        std::vector<std::int64_t>& dimensions = out[yyjson_get_str(key)];
        std::size_t i = 0, n = 0;
        yyjson_val* entry = nullptr;
        yyjson_arr_foreach(list, i, n, entry) dimensions.push_back(yyjson_get_sint(entry));
    }
    return out;
}

// The words in which records differ from the facts table.
std::string fact_of_record(const std::string& key) {
    static const std::map<std::string, std::string> kNames{{"word_embed_proj_dim", "embedding_size"},
                                                           {"n_shared_experts", "num_shared_experts"},
                                                           {"first_k_dense_replace", "first_k_dense"},
                                                           {"relative_attention_num_buckets", "relative_buckets"},
                                                           {"extra_params_per_layer", "extra_params_per_layer"}};
    const auto found = kNames.find(key);
    return found == kNames.end() ? key : found->second;
}

void set_facts(Architecture& a, yyjson_val* object) {
    std::size_t index = 0, count = 0;
    yyjson_val *key = nullptr, *value = nullptr;
    yyjson_obj_foreach(object, index, count, key, value) {
        const FactRow* fact = find_fact(fact_of_record(yyjson_get_str(key)));
        if (fact == nullptr) continue;
        if (yyjson_is_int(value)) set_fact(*fact, a, yyjson_get_sint(value));
        if (yyjson_is_bool(value)) set_fact(*fact, a, yyjson_get_bool(value) ? 1 : 0);
        if (yyjson_is_str(value)) {
            const std::int64_t position = index_of_word(*fact, yyjson_get_str(value));
            INFO(yyjson_get_str(key) << " = " << yyjson_get_str(value));
            REQUIRE(position >= 0);
            set_fact(*fact, a, position);
        }
    }
}

Architecture architecture_of_record(yyjson_val* model) {
    yyjson_val* config = yyjson_obj_get(model, "config");
    Architecture a = architecture_from_family(family(word(config, "model_type")));
    set_facts(a, config);
    set_facts(a, yyjson_obj_get(model, "structure"));
    return with_defaults(a);
}

Shapes own_shapes(const Architecture& a, bool in_layers) {
    Shapes out;
    for (const ParameterTensor& t : parameters(a)) {
        if (t.tying == Tying::SharesEmbedding) continue;
        const std::string full = name(t);
        const std::size_t star = full.find('*');
        const bool layer = star != std::string::npos;
        if (layer == in_layers) out[layer ? full.substr(star + 2) : full] = dimensions(t);
    }
    return out;
}

}  // namespace

TEST_CASE("every formula gives the catalogue's count, in all and per token", "[parameters]") {
    // computed_params: counted by independent code from the same facts, and equal to a published count for 381.
    int counted = 0, published = 0;
    for (const Document& document : documents(kModels)) {
        yyjson_val* row = yyjson_doc_get_root(document.get());
        const auto expected = number(row, "computed_params");
        if (!expected) continue;
        INFO(word(row, "id"));
        const auto found = find_model(word(row, "id"));
        REQUIRE(found);
        const Architecture a = architecture_from_row(**found);
        const ParameterCounts counts = count_parameters(a);
        CHECK(counts.total.value == *expected);
        CHECK(counts.active.value == number(row, "computed_active_params").value_or(*expected));
        std::int64_t modules = 0;
        for (const Count module : counts.by_module)
            modules += module.value;
        CHECK(modules == counts.total.value);
        ++counted;
        if (const auto figure = number(row, "published_params")) {
            std::int64_t extras = 0;
            std::size_t i = 0, n = 0;
            yyjson_val* entry = nullptr;
            yyjson_arr_foreach(yyjson_obj_get(row, "published_extras"), i, n, entry) extras += extra(a, entry);
            CHECK(counts.total.value + extras == *figure);
            ++published;
        }
    }
    CHECK(counted == 429);
    CHECK(published == 384);
}

TEST_CASE("names and shapes equal those of real model code", "[parameters]") {
    // tests/data/params.jsonl: transformers 5.12 and torchvision models built from their configuration.
    int compared = 0;
    for (const Document& document : documents(kData + "/params.jsonl")) {
        yyjson_val* record = yyjson_doc_get_root(document.get());
        yyjson_val* model = yyjson_obj_get(record, "model");
        yyjson_val* config = yyjson_obj_get(model, "config");
        INFO(word(record, "id"));
        const FamilyRow* known = find_family(word(config, "model_type"));
        if (known == nullptr) {  // torchvision: only the name is stated
            const auto found = find_model(word(model, "ref").empty() ? word(model, "name") : word(model, "ref"));
            REQUIRE(found);
            CHECK(count_parameters(architecture_from_row(**found)).total.value == *number(model, "params"));
            ++compared;
            continue;
        }
        const Architecture a = architecture_of_record(model);
        CHECK_FALSE(check(a));
        CHECK(count_parameters(a).total.value == *number(model, "params"));
        if (known->kind != ArchitectureKind::EncoderDecoder) {
            CHECK(own_shapes(a, true) == shapes(yyjson_obj_get(record, "layer_tensors")));
            CHECK(own_shapes(a, false) == shapes(yyjson_obj_get(record, "other_tensors")));
        } else {
            const Shapes own = own_shapes(a, true);
            for (const auto& [name, dimensions] : shapes(yyjson_obj_get(record, "layer_tensors"))) {
                INFO(name);
                CHECK((own.count(name) != 0 && own.at(name) == dimensions));
            }
        }
        ++compared;
    }
    CHECK(compared == 64);
}

TEST_CASE("names of a layer stand in the order in which the model registers them", "[parameters]") {
    // modeling_gpt2.py: ln_1, attn, ln_2, mlp; Conv1D stores input x output.
    const Architecture a = architecture_from_row(**find_model("openai-community/gpt2"));
    std::vector<std::string> names;
    for (const ParameterTensor& t : parameters(a))
        names.push_back(name(t));
    REQUIRE(names.size() == 17);
    CHECK(names[0] == "transformer.wte.weight");
    CHECK(names[2] == "transformer.h.*.ln_1.weight");
    CHECK(names[4] == "transformer.h.*.attn.c_attn.weight");
    CHECK(dimensions(parameters(a)[4]) == std::vector<std::int64_t>{768, 2304});
    CHECK(names[16] == "lm_head.weight");
}

TEST_CASE("a tied head is listed and counts nothing", "[parameters]") {
    const Architecture a = architecture_from_row(**find_model("meta-llama/Llama-3.2-1B"));
    const std::vector<ParameterTensor> all = parameters(a);
    const auto head = std::find_if(all.begin(), all.end(), [](const auto& t) { return t.role == Role::LmHead; });
    REQUIRE(head != all.end());
    CHECK(head->tying == Tying::SharesEmbedding);
    CHECK(parameters_of(*head).value == 0);
    CHECK(elements(*head).value == 128256LL * 2048);
}

TEST_CASE("layers that differ are counted where they are", "[parameters]") {
    const Architecture a = architecture_from_row(**find_model("deepseek-ai/DeepSeek-V3"));
    for (const ParameterTensor& t : parameters(a)) {
        if (t.stack != Stack::Layers) continue;
        INFO(name(t));
        CHECK(static_cast<std::int64_t>(t.layers.count()) == t.copies.value);
        if (t.role == Role::GateProj) {
            CHECK(t.copies.value == 3);  // first_k_dense_replace
            CHECK(t.layers.test(0));
            CHECK_FALSE(t.layers.test(3));
        }
        if (t.role == Role::ExpertsGateUp) CHECK(t.copies.value == 58);
        if (t.role == Role::InputNorm) CHECK(t.copies.name == "num_hidden_layers");
    }
}

TEST_CASE("an architecture that cannot be is refused with its word, its value and what is allowed", "[parameters]") {
    const Architecture good = architecture_from_row(**find_model("huggyllama/llama-7b"));
    const auto refused = [&](auto change, std::string_view where, std::string_view part) {
        Architecture a = good;
        change(a);
        const Failure failure = check(a);
        REQUIRE(failure);
        CHECK(failure->where == where);
        INFO(failure->message << " | " << failure->hint);
        CHECK((failure->message + failure->hint).find(part) != std::string::npos);
    };
    CHECK_FALSE(check(good));
    refused([](Architecture& a) { a.hidden_size = -1; }, "model.config.hidden_size", "hidden_size is -1");
    refused([](Architecture& a) { a.hidden_size = 0; }, "model.config.hidden_size", "hidden_size is missing");
    refused([](Architecture& a) { a.num_hidden_layers = 5000; }, "model.config.num_hidden_layers",
            "num_hidden_layers is 5,000allowed: 1 to 1,024");
    refused([](Architecture& a) { a.num_key_value_heads = 5; }, "model.config.num_key_value_heads", "must divide");
    refused([](Architecture& a) { a.num_attention_heads = 3, a.head_dim = 0; }, "model.config.num_attention_heads",
            "num_attention_heads (3) must divide hidden_size (4,096)");
    refused([](Architecture& a) { a.layer_pattern = "FF"; }, "model.config.layer_types", "names 2 layers");
    refused(
        [](Architecture& a) {
            a.hidden_size = 1 << 20;
            a.intermediate_size = 1 << 24;
        },
        "model.config.hidden_size", "100,000,000,000,000 parameters");
    refused(
        [](Architecture& a) {
            a = {};
            a.total_parameters = 200'000'000'000'000;
        },
        "model.params", "allowed: 1 to 100,000,000,000,000");
}

TEST_CASE("the largest sizes that are allowed do not overflow", "[parameters]") {
    Architecture a = architecture_from_row(**find_model("Qwen/Qwen3-30B-A3B"));
    a.num_experts = a.num_experts_per_tok = 1 << 16;
    a.moe_intermediate_size = 1 << 24;
    a.hidden_size = 1 << 20;
    a.num_hidden_layers = kMaxLayers;
    const Failure failure = check(a);
    REQUIRE(failure);
    CHECK(failure->code == ErrorCode::OutOfRange);
}
