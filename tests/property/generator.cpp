#include "generator.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "catalogue/catalogue.hpp"
#include "plan/optimizers.hpp"

namespace memwall {
namespace {

std::int64_t from_environment(const char* name, std::int64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

void set_random(Scenario& scenario, Random& random, FieldId id) {
    [[maybe_unused]] const Failure failure = set_value(scenario, id, random_value(random, field(id)));
    assert(!failure);
}

void add_model(Scenario& scenario, Random& random, ModelSource source) {
    const std::int64_t kind = source == ModelSource::ByHand ? 1 : random.between(0, 2);
    Failure failure;
    if (kind == 0) {
        const auto row = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(models().size()) - 1));
        failure = set_field(scenario, FieldId::ModelRef, models()[row].id);
    } else if (kind == 1) {
        const std::int64_t heads = random.between(1, 64), groups = random.between(1, 4),
                           width = 8 * random.between(2, 16);
        for (const auto& [id, value] : {std::pair{FieldId::NumAttentionHeads, heads * groups},
                                        {FieldId::NumKeyValueHeads, heads},
                                        {FieldId::HeadDim, width},
                                        {FieldId::HiddenSize, heads * groups * width},
                                        {FieldId::NumHiddenLayers, random.between(1, 96)},
                                        {FieldId::IntermediateSize, random.log_between(64, 65'536)},
                                        {FieldId::VocabSize, random.log_between(100, 300'000)}})
            if (!failure) failure = set_value(scenario, id, value);
        if (random.one_in(2)) set_random(scenario, random, FieldId::TieWordEmbeddings);
        if (random.one_in(4)) set_random(scenario, random, FieldId::QkvBias);
    } else {
        failure = set_value(scenario, FieldId::ModelParams, random.log_between(1, 2'000'000'000'000));
    }
    assert(!failure);
}

// A model that departs from its family in one number, as people's own do.
void change_one_size(Scenario& scenario, Random& random) {
    const std::span<const FieldRow> rows = fields();
    for (;;) {
        const FieldRow& row =
            rows[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(rows.size()) - 1))];
        if (is_later(row) || row.kind != FieldKind::Integer || !row.key.starts_with("model.config.")) continue;
        set_random(scenario, random, row.id);
        return;
    }
}

// Fields that give a scenario its variety without making it contradict itself too often.
bool is_free(const FieldRow& row) {
    if (is_later(row) || row.kind == FieldKind::Text) return false;
    switch (row.group) {
        case FieldGroup::Precision:
            return row.id == FieldId::PrecisionRecipe;
        case FieldGroup::Task:
        case FieldGroup::Method:
        case FieldGroup::Optimizer:
        case FieldGroup::Batch:
        case FieldGroup::Savers:
        case FieldGroup::Serving:
        case FieldGroup::Phases:
        case FieldGroup::Overhead:
            return true;
        case FieldGroup::Mesh:
            return row.id == FieldId::ZeroStage || row.id == FieldId::Sharding;
        case FieldGroup::Accelerator:
            return row.id == FieldId::AcceleratorCount;
        case FieldGroup::Model:
        case FieldGroup::Architecture:
        case FieldGroup::Offload:
        case FieldGroup::Implementation:
            return false;
    }
    return false;
}

// Fields that mean something beside others alone go where those are not, but now and then: what is refused is no test
// of numbers.
void settle(Scenario& s, Random& random) {
    const auto clear_unless = [&](bool fits, FieldId id) {
        if (!fits && !random.one_in(16)) clear_field(s, id);
    };
    clear_unless(s.batch.mean_length <= s.batch.sequence_length, FieldId::MeanLength);
    const bool chunked = s.savers.loss == LossKind::Chunked;
    clear_unless(chunked, FieldId::LossChunks);
    clear_unless(chunked && !is_given(s, FieldId::LossChunks), FieldId::LossChunkTokens);
    clear_unless(s.savers.activation_checkpointing != Checkpointing::None, FieldId::CheckpointEvery);
    clear_unless(s.savers.activation_checkpointing != Checkpointing::Selective, FieldId::CheckpointReentrant);
    clear_unless(keeps_in(traits(s.optimizer.name), s.optimizer.state_dtype), FieldId::StateDtype);
    clear_unless(!s.optimizer.in_backward, FieldId::GradientAccumulationSteps);
}

}  // namespace

std::uint64_t Random::bits() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(span == 0 ? bits() : bits() % span);
}

std::int64_t Random::log_between(std::int64_t low, std::int64_t high) {
    int digits = 0;
    for (std::int64_t rest = high - low; rest > 0; rest /= 2)
        ++digits;
    const std::int64_t reach = std::int64_t{1} << between(0, std::min(digits, 61));
    return low + between(0, std::min(reach - 1, high - low));
}

Seeds seeds() {
    if (const std::int64_t one = from_environment("MEMWALL_SEED", 0); one > 0) return {one, one};
    const std::int64_t all = from_environment("MEMWALL_SEEDS", 500);
    const char* const words = std::getenv("MEMWALL_SEEDS_PART");
    if (words == nullptr) return {1, all};
    char* end = nullptr;
    const std::int64_t part = std::strtoll(words, &end, 10);  // "2/4"
    const std::int64_t parts = *end == '/' ? std::strtoll(end + 1, nullptr, 10) : 1;
    return {1 + all * (part - 1) / parts, all * part / parts};
}

std::int64_t random_value(Random& random, const FieldRow& row) {
    switch (row.kind) {
        case FieldKind::Integer:
        case FieldKind::Fraction:
            return random.log_between(row.minimum, std::min(row.maximum, row.computed_maximum));
        case FieldKind::Choice:
        case FieldKind::Flag:
            for (;;) {
                const std::int64_t value = random.between(row.minimum, row.maximum);
                if ((row.computed >> value) & 1) return value;
            }
        case FieldKind::Set:
            for (;;) {
                const std::int64_t value =
                    random.between(row.minimum, row.maximum) & static_cast<std::int64_t>(row.computed);
                if (value != 0) return value;
            }
        case FieldKind::Text:
            break;
    }
    assert(false);
    return 0;
}

std::string random_words(Random& random, const FieldRow& row) {
    static constexpr std::string_view kOdd[] = {"",
                                                "0",
                                                "-1",
                                                "1e400",
                                                "nan",
                                                "inf",
                                                "1.5",
                                                "9223372036854775807",
                                                "9223372036854775808",
                                                "8k",
                                                "7B",
                                                "1,000",
                                                "1,00",
                                                "24GiB",
                                                "24G",
                                                "%",
                                                "90%",
                                                "true",
                                                "none",
                                                "null",
                                                "fp32",
                                                "bf16",
                                                "é",
                                                "\xff\xfe",
                                                "e",
                                                "1e",
                                                "..",
                                                "_",
                                                "0x10",
                                                "1 2",
                                                "99999999999999999999999999999999999999999"};
    if (row.kind == FieldKind::Text || random.one_in(2))
        return std::string(kOdd[random.between(0, static_cast<std::int64_t>(std::size(kOdd)) - 1)]);
    std::string words =
        text_from_value(row, is_later(row) ? random.between(row.minimum, row.maximum) : random_value(random, row));
    if (!words.empty() && random.one_in(3))
        words[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(words.size()) - 1))] =
            static_cast<char>(random.between(1, 255));
    return words;
}

Scenario random_scenario(std::uint64_t seed, ModelSource source) {
    Random random(seed);
    Scenario scenario;
    add_model(scenario, random, source);
    if (!is_given(scenario, FieldId::ModelParams) && source == ModelSource::Any && random.one_in(4))
        change_one_size(scenario, random);
    if (!random.one_in(5)) {
        const auto row =
            static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(accelerators().size()) - 1));
        [[maybe_unused]] const Failure failure =
            set_field(scenario, FieldId::AcceleratorName, accelerators()[row].name);
        assert(!failure);
    }
    for (const FieldRow& row : fields())
        if (is_free(row) && random.one_in(3)) set_random(scenario, random, row.id);
    settle(scenario, random);
    return scenario;
}

}  // namespace memwall
