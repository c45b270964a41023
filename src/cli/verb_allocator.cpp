// allocator: what PyTorch's caching allocator would reserve, simulated, beside the row that decides.
#include "base/utf8.hpp"
#include "cli/text_table.hpp"
#include "cli/verbs.hpp"
#include "estimate/allocator.hpp"
#include "export/json_allocator.hpp"
#include "view/format.hpp"
#include "view/moments.hpp"
#include "view/present.hpp"

namespace memwall {
namespace {

constexpr std::int64_t kLeastSplitMiB = 21, kMostSplitMiB = 1 << 20;  // PyTorch takes values above 20

Result<std::int64_t> split_limit(std::string_view words) {
    if (words.empty()) return 0;
    std::int64_t mib = 0;
    bool number = words.size() <= 7;
    for (const char c : words) {
        number = number && c >= '0' && c <= '9';
        mib = number ? mib * 10 + (c - '0') : 0;
    }
    if (!number || mib < kLeastSplitMiB || mib > kMostSplitMiB)
        return Error{ErrorCode::OutOfRange, "max-split-size-mb",
                     "--max-split-size-mb is \"" + excerpt(words, 60) + "\"",
                     "a whole number of MiB from " + std::to_string(kLeastSplitMiB) + " to " +
                         std::to_string(kMostSplitMiB) + ", as PyTorch takes it"};
    return mib << 20;
}

std::string text_of(const Estimate& e, const std::vector<ReservedUnder>& runs) {
    TextTable table({TextAlign::Left, TextAlign::Right, TextAlign::Right, TextAlign::Right, TextAlign::Right});
    table.add({"", "reserved", "bytes", "above allocated", "segments"});
    const RankEstimate& rank = e.worst();
    table.add({"estimate (overhead.allocator_slack)", text(rank.reserved), with_commas(rank.reserved.value),
               percent(rank.reserved - rank.allocated, rank.allocated), ""});
    for (const auto& [policy, run] : runs)
        table.add({"simulated, " + std::string(policy), text(run.reserved_peak), with_commas(run.reserved_peak.value),
                   percent(run.reserved_peak - run.allocated_peak, run.allocated_peak), std::to_string(run.segments)});
    const std::string beside = stages_beside(e);
    const std::string left_out = beside.empty() ? "" : "Not replayed: " + beside + ". ";
    return table.text() + "\n" + left_out + "Allocated peak " + with_commas(rank.allocated.value) + " bytes; " +
           with_commas(runs.front().run.allocations) +
           " requests of one stream were replayed, on a device with room. The simulation decides nothing: the verdict "
           "takes the estimate.\n";
}

}  // namespace

Result<Answer> run_allocator_verb(const Invocation& invocation, const Machine& machine) {
    MEMWALL_TRY(limit, split_limit(invocation.max_split));
    MEMWALL_TRY(made, estimated(invocation, word(invocation, 0), machine));
    if (!made.has_numbers())
        return Error{ErrorCode::Missing, made.missing, "No model is given", "give a model: --model NAME"};
    MEMWALL_TRY(runs, reserved_under(made, limit));
    const ExitStatus status = status_of(made.verdict);
    if (invocation.format == OutputFormat::Json) return Answer{json_from_allocator(made, runs), status};
    const ViewModel view = present(made, {});
    return Answer{view.title + "\n" + view.verdict.sentence + "\n\n" + text_of(made, runs), status};
}

}  // namespace memwall
