#include "import/detect.hpp"

#include <array>
#include <initializer_list>
#include <string>

namespace memwall {
namespace {

constexpr std::array<std::string_view, 5> kNames{"unknown", "hf_config", "scenario", "share_link", "record"};
constexpr std::size_t kMostRead = 1 << 16;  // what a file is stands near its beginning

bool has_key(std::string_view text, std::string_view key) {
    const std::string quoted = '"' + std::string(key) + '"';
    for (std::size_t at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at + 1)) {
        const std::size_t next = text.find_first_not_of(" \t\r\n", at + quoted.size());
        if (next != std::string_view::npos && text[next] == ':') return true;
    }
    return false;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        if (has_key(text, key)) return true;
    return false;
}

bool is_link(std::string_view text) {
    return text.front() == '#' || text.substr(0, 8) == "https://" || text.substr(0, 7) == "http://";
}

}  // namespace

std::string_view name(ImportKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

ImportKind detect_import(std::string_view file_name, std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (start == std::string_view::npos) return ImportKind::Unknown;
    text = text.substr(start, kMostRead);
    if (is_link(text)) return ImportKind::ShareLink;
    if (text.front() != '{') return ImportKind::Unknown;
    if (has_any(text, {"measured", "expected", "layer_tensors"}) && has_key(text, "id")) return ImportKind::Record;
    if (has_any(text, {"model_type", "architectures", "hidden_size", "n_embd", "d_model", "num_hidden_layers",
                       "text_config", "_class_name"}))
        return has_any(text, {"model", "accelerator", "precision", "batch", "mesh"}) ? ImportKind::Scenario
                                                                                     : ImportKind::HfConfig;
    const bool named_config = file_name.substr(0, 6) == "config";
    if (named_config && !has_any(text, {"model", "accelerator", "task", "method", "precision", "optimizer", "batch",
                                        "savers", "mesh", "serving", "gpu", "gpus", "model.ref"}))
        return ImportKind::HfConfig;
    return ImportKind::Scenario;
}

}  // namespace memwall
