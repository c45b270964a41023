// Records held against predictions, for the package alone: a module of its own, because most who load the core never
// ask for it. web/memwall.mjs loads it at the first check().
//
// check(files, only) returns the bytes of `memwall check FILES --json --only=ONLY`, or {"error":{...}}. Of each file
// `files` has its name, the number of its bytes, a line end, and then those bytes.
#include <emscripten/bind.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/reading.hpp"
#include "check/report.hpp"
#include "export/json.hpp"

namespace memwall {
namespace {

Result<CheckTable> table_of(std::string_view files, std::string_view only) {
    MEMWALL_TRY(filters, filters_from(only));
    std::vector<CheckedRecord> checked;
    while (!files.empty()) {
        const std::size_t line = std::min(files.find('\n'), files.size());
        const std::string head(files.substr(0, line));
        files.remove_prefix(std::min(line + 1, files.size()));
        const std::size_t space = std::min(head.rfind(' '), head.size());
        const std::size_t size = std::strtoul(head.c_str() + space, nullptr, 10);
        check_records(files.substr(0, size), std::string_view(head).substr(0, space), filters, checked);
        files.remove_prefix(std::min(size, files.size()));
    }
    return table_from(std::move(checked));
}

std::string check_call(const std::string& files, const std::string& only) {
    const auto table = table_of(files, only);
    return table ? json_from(*table) : json_from_error(table.error());
}

}  // namespace
}  // namespace memwall

// As in core_bindings.cpp: Embind names types with it. Reports are written with the C library's formatter.
extern "C" int siprintf(char* text, const char*, ...) {
    *text = '\0';
    return 0;
}

EMSCRIPTEN_BINDINGS(memwall_check) { emscripten::function("check", &memwall::check_call); }
