#include "import/import_text.hpp"

#include <string>
#include <utility>

#include "import/detect.hpp"
#include "import/hf_config.hpp"
#include "import/scenario.hpp"
#include "plan/defaults.hpp"

namespace memwall {
namespace {

Result<Scenario> from_config(std::string_view text, std::string_view file, Notes& notes) {
    MEMWALL_TRY(architecture, architecture_from_hf_config(text, file, notes));
    Scenario out;
    give_architecture(out, std::move(architecture), std::string(file));
    return out;
}

Error not_an_import(ImportKind kind, std::string_view file) {
    return {ErrorCode::Malformed, file,
            std::string(file).append(" looks like: ").append(name(kind)).append(", which is not read here"),
            "a Hugging Face config.json, or a scenario of memwall"};
}

}  // namespace

Result<Scenario> import_text(std::string_view text, std::string_view file, Notes& notes, ImportAs as) {
    const ImportKind kind = detect_import(as == ImportAs::Config ? "config" : file, text);
    switch (kind) {
        case ImportKind::HfConfig:
            return from_config(text, file, notes);
        case ImportKind::Unknown:  // the reader says what is wrong, and where
            if (as == ImportAs::Config || file.substr(0, 6) == "config") return from_config(text, file, notes);
            return scenario_from_json(text, file);
        case ImportKind::Scenario:
            return scenario_from_json(text, file);
        case ImportKind::ShareLink:
        case ImportKind::Record:
            break;
    }
    return not_an_import(kind, file);
}

}  // namespace memwall
