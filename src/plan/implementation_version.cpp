#include "plan/implementation_version.hpp"

#include <string>

#include "base/word_list.hpp"
#include "model/model_program.hpp"

namespace memwall {
namespace {

int leading_number(std::string_view text) {
    int number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || number > 999) break;
        number = number * 10 + (c - '0');
    }
    return number;
}

// Of torch 1.x, which calls itself PyTorch too; what is later, or not said, is above all of them.
[[gnu::noinline]] int torch_1_minor(std::string_view version) {
    constexpr std::string_view kName = "orch 1.";
    constexpr int kLater = 1000;
    const std::size_t named = version.find(kName);
    return named == std::string_view::npos ? kLater : leading_number(version.substr(named + kName.size()));
}

}  // namespace

// Source: huggingface/transformers, pytorch_utils.py (softmax_backward_data and the version at which it changed).
bool keeps_inputs_of_softmax(std::string_view version) { return !version.empty() && torch_1_minor(version) < 11; }
// Source: release notes of PyTorch 2.0, set_to_none.
bool keeps_zeroed_gradients(std::string_view version) { return !version.empty() && torch_1_minor(version) < 1000; }

bool keeps_inputs_of_4_bits(const Implementation& of) {
    const std::string_view version = of.version;
    constexpr std::string_view kName = "bitsandbytes 0.";
    constexpr int kFirstWithout = 43;  // of its releases .2 on
    const std::size_t named = version.find(kName);
    if (named == std::string_view::npos)
        return of.name == ImplementationName::Litgpt && (version.starts_with("2023") || version.starts_with("2024"));
    return leading_number(version.substr(named + kName.size())) < kFirstWithout;
}

namespace {

std::string_view of_transformers(std::string_view version) {
    constexpr std::string_view kName = "transformers ";
    const std::size_t named = version.find(kName);
    return named == std::string_view::npos ? version : version.substr(named + kName.size());
}

constexpr WordList kLibraries = "transformers|torch|liger|peft|bitsandbytes|accelerate|trl|cuda";

// Source: the releases in which models/MODEL_TYPE came to huggingface/transformers.
struct FirstRow {
    std::string_view model_type;
    int minor;
};
constexpr FirstRow kFirst[] = {{"cohere2", 48},     {"modernbert", 48},  {"qwen2_5_vl", 49}, {"gemma3", 50},
                               {"gemma3_text", 50}, {"deepseek_v3", 51}, {"glm4", 51},       {"llama4", 51},
                               {"qwen3", 51},       {"qwen3_moe", 51},   {"smollm3", 53},    {"deepseek_v2", 54},
                               {"gpt_oss", 55},     {"olmo3", 57},       {"qwen3_next", 57}, {"qwen3_vl", 57}};

}  // namespace

namespace {

// Apart, so that a first answer need not have it.
[[gnu::noinline]] LibraryVariant library_of_another(const Scenario& s) {
    const auto runs = [&](ImplementationName name, LibraryVariant library) {
        return s.implementation.name == name && has_block_program(s.model.architecture, library);
    };
    if (runs(ImplementationName::Litgpt, LibraryVariant::Litgpt)) return LibraryVariant::Litgpt;
    if (runs(ImplementationName::Torchtune, LibraryVariant::Torchtune)) return LibraryVariant::Torchtune;
    return transformers_major(s.implementation.version) == 4 ? LibraryVariant::Transformers4
                                                             : LibraryVariant::Transformers5;
}

[[gnu::noinline]] bool other_stands_in(const Scenario& s) {
    const ImplementationName name = s.implementation.name;
    if (name == ImplementationName::Litgpt) return s.model.architecture.model_type == "falcon";
    return name == ImplementationName::Mlx || name == ImplementationName::Nanogpt ||
           name == ImplementationName::Unsloth;
}

}  // namespace

LibraryVariant library_of(const Scenario& s) {
    const bool plain = s.implementation.name == ImplementationName::HfTransformers && s.implementation.version.empty();
    return plain ? LibraryVariant::Transformers5 : library_of_another(s);
}

bool stands_in(const Scenario& s) {
    return s.implementation.name != ImplementationName::HfTransformers && other_stands_in(s);
}

int transformers_major(std::string_view version) { return leading_number(of_transformers(version)); }

int transformers_minor(std::string_view version) {
    const std::string_view own = of_transformers(version);
    const std::size_t point = own.find('.');
    return point == std::string_view::npos ? 0 : leading_number(own.substr(point + 1));
}

bool is_version(std::string_view version) {
    std::string lower(version);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    for (const std::string_view library : kLibraries)
        if (lower.find(library) != std::string::npos) return true;
    return version.empty() || (version.front() >= '0' && version.front() <= '9');
}

// Source: release notes of transformers 4.36, the first with any; pull requests 28802 (bert), 31172 (gpt2) and 31031
// (gpt_neox).
bool attends_by_kernels(const Implementation& of, std::string_view model_type) {
    constexpr FirstRow kFirstWith[] = {{"bert", 41}, {"gpt2", 42}, {"gpt_neox", 42}};
    constexpr int kFirstOfAll = 36;
    const int minor = transformers_minor(of.version);
    if (of.name != ImplementationName::HfTransformers || transformers_major(of.version) != 4 || minor == 0) return true;
    for (const FirstRow& row : kFirstWith)
        if (row.model_type == model_type) return minor >= row.minor;
    return minor >= kFirstOfAll;
}

int first_minor_of(std::string_view model_type) {
    for (const FirstRow& row : kFirst)
        if (row.model_type == model_type) return row.minor;
    return 0;
}

}  // namespace memwall
