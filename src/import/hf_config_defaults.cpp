// Sizes of a class that its files leave out: what transformers writes is what differs from the class.
//
// Source: transformers 5.12, models/*/configuration_*.py. Only families whose published files rely on it.
#include <array>
#include <string>

#include "base/word_list.hpp"
#include "import/hf_config_parts.hpp"
#include "model/facts.hpp"

namespace memwall {
namespace {

constexpr WordList kSizes =
    "hidden_size|intermediate_size|num_hidden_layers|num_attention_heads|num_key_value_heads|head_dim|vocab_size|"
    "max_position_embeddings|image_size|patch_size|sliding_window|relative_buckets|type_vocab_size";

struct ClassRow {
    std::string_view model_type;
    std::array<std::int32_t, kSizes.size()> sizes;  // 0: none
};
constexpr std::array kClasses{
    ClassRow{"albert", {0, 0, 0, 0, 0, 0, 0, 512, 0, 0, 0, 0, 2}},
    ClassRow{"bert", {0, 0, 0, 0, 0, 0, 0, 512, 0, 0, 0, 0, 2}},
    ClassRow{"clip_text_model", {512, 2048, 12, 8, 0, 0, 49408, 77}},
    ClassRow{"clip_vision_model", {768, 3072, 12, 12, 0, 0, 0, 0, 224, 32}},
    ClassRow{"deit", {768, 3072, 12, 12, 0, 0, 0, 0, 224, 16}},
    ClassRow{"electra", {0, 0, 0, 0, 0, 0, 0, 512, 0, 0, 0, 0, 2}},
    ClassRow{"gemma", {0, 0, 0, 0, 0, 256}},
    ClassRow{"gemma2", {0, 0, 0, 0, 0, 256}},
    ClassRow{"gemma3", {2304, 9216, 26, 8, 4, 256, 262208, 131072, 0, 0, 4096}},
    ClassRow{"gemma3_text", {2304, 9216, 26, 8, 4, 256, 262208, 131072, 0, 0, 4096}},
    ClassRow{"roberta", {0, 0, 0, 0, 0, 0, 0, 512, 0, 0, 0, 0, 2}},
    ClassRow{"siglip_text_model", {768, 3072, 12, 12, 0, 0, 32000, 64}},
    ClassRow{"siglip_vision_model", {768, 3072, 12, 12, 0, 0, 0, 0, 224, 16}},
    ClassRow{"mt5", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32}},
    ClassRow{"t5", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32}},
    ClassRow{"umt5", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32}},
    ClassRow{"vit", {768, 3072, 12, 12, 0, 0, 0, 0, 224, 16}},
    ClassRow{"xlm-roberta", {0, 0, 0, 0, 0, 0, 0, 512, 0, 0, 0, 0, 2}},
};

}  // namespace

void take_class_defaults(ConfigReader& config, Architecture& a, Notes& notes) {
    std::string taken;
    for (const ClassRow& row : kClasses) {
        if (row.model_type != a.model_type) continue;
        for (std::size_t i = 0; i < kSizes.size(); ++i) {
            const FactRow& fact = *find_fact(kSizes[i]);
            if (row.sizes[i] == 0 || fact_value(fact, a) != 0) continue;
            set_fact(fact, a, row.sizes[i]);
            taken += concat({taken.empty() ? "" : ", ", kSizes[i], " ", std::to_string(row.sizes[i])});
        }
    }
    if (!taken.empty())
        notes.add(config.where("model_type"), {"not in the file, so as the class of transformers has it: ", taken});
}

}  // namespace memwall
