// Which importer reads a text or file, by its content; the name only breaks ties. An object that says nothing of itself
// is a scenario: its reader knows every key there is and names the one it does not know.
#pragma once
#include <cstdint>
#include <string_view>

namespace memwall {

enum class ImportKind : std::uint8_t { Unknown, HfConfig, Scenario, ShareLink, Record };
std::string_view name(ImportKind);
ImportKind detect_import(std::string_view file_name, std::string_view text);

}  // namespace memwall
