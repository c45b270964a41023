#include "ui/words.hpp"

#include <array>
#include <utility>

namespace memwall {
namespace {

constexpr std::array<std::string_view, kWords> kKeys{"needed",
                                                     "usable",
                                                     "interval",
                                                     "multiple",
                                                     "largest.title",
                                                     "numbers",
                                                     "breakdown",
                                                     "timeline",
                                                     "timeline.capacity",
                                                     "timeline.worst",
                                                     "formula",
                                                     "in_numbers",
                                                     "bytes",
                                                     "because",
                                                     "lives",
                                                     "source",
                                                     "confidence",
                                                     "confidence.exact",
                                                     "confidence.published",
                                                     "confidence.measured",
                                                     "confidence.assumed",
                                                     "change",
                                                     "copy_link",
                                                     "pins.pin",
                                                     "copy_markdown",
                                                     "download_json",
                                                     "copied",
                                                     "default",
                                                     "reset.short",
                                                     "reset_all",
                                                     "largest",
                                                     "stale",
                                                     "parameters",
                                                     "parameters.unit",
                                                     "assumptions",
                                                     "assumptions.help",
                                                     "notes",
                                                     "combobox.none",
                                                     "canvas.name",
                                                     "canvas.share",
                                                     "canvas.amount",
                                                     "canvas.copy_text",
                                                     "canvas.undo",
                                                     "canvas.redo",
                                                     "canvas.closer",
                                                     "canvas.whole",
                                                     "canvas.earlier",
                                                     "canvas.later",
                                                     "instants.peak",
                                                     "timeline.alive",
                                                     "learn"};

}  // namespace

std::string_view word_key(Word id) { return kKeys[static_cast<std::size_t>(id)]; }

std::string Words::filled(Word id, std::string_view argument) const {
    std::string out = (*this)[id];
    if (const auto at = out.find("{0}"); at != std::string::npos) out.replace(at, 3, argument);
    return out;
}

bool Words::set(std::vector<std::string> texts) {
    if (texts.size() != kWords) return false;
    texts_ = std::move(texts);
    return true;
}

}  // namespace memwall
