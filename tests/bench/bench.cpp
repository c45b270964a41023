// How long one estimate, and one evaluate, of a dense model of 80 layers take. Prints; asserts nothing.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "estimate/estimate.hpp"
#include "memory/lower.hpp"
#include "plan/defaults.hpp"
#include "plan/fields.hpp"
#include "search/grid.hpp"
#include "search/solver.hpp"
#include "view/present.hpp"

using namespace memwall;

namespace {

constexpr int kRounds = 100;  // a machine that compiles in steps has reached its last one by then
constexpr int kRoundsOfMaps = 10;

// The fastest of many rounds of about 2 ms, in µs a call: what is left when nothing else runs in between.
template <class Work>
double microseconds(Work work, int rounds = kRounds) {
    using Clock = std::chrono::steady_clock;
    const auto seconds_of = [&](int calls) {
        const auto start = Clock::now();
        for (int i = 0; i < calls; ++i)
            work();
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    int calls = 1;
    while (seconds_of(calls) < 0.002 && calls < 1'000'000)
        calls *= 2;
    double fastest = 1e9;
    for (int i = 0; i < rounds; ++i)
        fastest = std::min(fastest, seconds_of(calls) / calls * 1e6);
    return fastest;
}

struct Setting {
    const char *key, *words;
};
struct Case {
    const char* name;
    std::vector<Setting> settings;
};

Scenario scenario_of(const Case& row) {
    Scenario out;
    for (const Setting& setting : row.settings)
        if (const Failure wrong = set_field(out, setting.key, setting.words)) {
            std::printf("%s: %s\n", setting.key, wrong->message.c_str());
            std::abort();
        }
    return out;
}

// The fit map's data: 128 micro-batch sizes by 128 sequence lengths.
std::int64_t map(const Scenario& scenario) {
    GridAxis batches{FieldId::MicroBatchSize, {}}, lengths{FieldId::SequenceLength, {}};
    for (std::int64_t i = 1; i <= 128; ++i) {
        batches.values.push_back(i);
        lengths.values.push_back(32 * i);
    }
    return grid(scenario, batches, lengths)->needed_bytes.back();
}

void run(const Case& row) {
    const Scenario scenario = scenario_of(row);
    Notes notes;
    const Result<Scenario> completed = complete(scenario, notes);
    const Result<Program> program = lower(*completed, notes);
    Sizes sizes = sizes_of(*completed);
    std::int64_t kept = 0;  // so that no call can be left out
    const double estimates = microseconds([&] { kept += estimate(scenario)->worst().allocated.value & 1; });
    const double lowerings = microseconds([&] { kept += lower(*completed, notes)->layers & 1; });
    // A model that was not asked for before: its parameters are listed and its step is recorded.
    Scenario changed = *completed;
    const double recordings = microseconds([&] {
        ++changed.model.architecture.vocab_size;
        kept += lower(changed, notes)->layers & 1;
    });
    const double evaluations = microseconds([&] { kept += static_cast<std::int64_t>(evaluate(*program, sizes).peak); });
    const double peaks = microseconds([&] { kept += peak(*program, sizes).value & 1; });
    const double solutions =
        microseconds([&] { kept += largest_that_fits(scenario, FieldId::MicroBatchSize)->value & 1; });
    const double views = microseconds([&] { kept += view(scenario)->timeline.worst; });
    const double maps = microseconds([&] { kept += map(scenario) & 1; }, kRoundsOfMaps);
    std::printf("%-28s %9.1f %9.1f %9.1f %9.2f %9.2f %9.0f %9.0f %9.0f %s\n", row.name, estimates, lowerings,
                recordings, evaluations, peaks, solutions, views, maps, kept < 0 ? "?" : "");
}

}  // namespace

int main() {
    const char *const k70b = "meta-llama/Llama-2-70b-hf", *const kCard = "H100 SXM5 80GB";
    std::printf("%-28s %9s %9s %9s %9s %9s %9s %9s %9s   (µs a call, fastest round)\n", "80 layers", "estimate",
                "lower", "new model", "evaluate", "peak", "solve", "view", "map");
    run({"training", {{"model", k70b}, {"gpu", kCard}, {"task", "finetune"}}});
    run({"training, checkpointed",
         {{"model", k70b}, {"gpu", kCard}, {"savers.activation_checkpointing", "full"}, {"precision.recipe", "bf16"}}});
    run({"training, 64 GPUs, ZeRO-3",
         {{"model", k70b}, {"gpu", kCard}, {"accelerator.count", "64"}, {"mesh.zero_stage", "3"}}});
    run({"inference", {{"model", k70b}, {"gpu", kCard}, {"task", "inference"}}});
}
