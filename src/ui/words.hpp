// Words: the page's texts that the canvas shows. The page owns the table (web/strings.mjs) and sends those
// of word_keys() in that order; what speaks about a scenario comes finished in the ViewModel.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memwall {

// clang-format off
enum class Word : std::uint8_t {
    Needed, Usable, Interval, Multiple, LargestTitle, Numbers, Breakdown, Timeline, TimelineCapacity, TimelineWorst,
    Formula, InNumbers, Result, Because, Lives, Source, Confidence, ConfidenceExact, ConfidencePublished,
    ConfidenceMeasured, ConfidenceAssumed, Change, CopyLink, Pin, CopyMarkdown, DownloadJson, Copied,
    Default, Reset, ResetAll, Largest, Stale, Parameters, ParametersUnit, Assumptions, AssumptionsHelp, Notes,
    ComboboxNone, TableName, TableShare, TableAmount, CopyText, Undo, Redo, Closer, Whole, Earlier, Later, Peak, AliveNow, Learn,
};
// clang-format on

std::string_view word_key(Word);
constexpr int kWords = static_cast<int>(Word::Learn) + 1;

class Words {
  public:
    const std::string& operator[](Word id) const { return texts_[static_cast<std::size_t>(id)]; }
    // "max {0}" with the argument put in.
    std::string filled(Word, std::string_view argument) const;
    bool set(std::vector<std::string> texts);

  private:
    std::vector<std::string> texts_ = std::vector<std::string>(kWords);
};

}  // namespace memwall
