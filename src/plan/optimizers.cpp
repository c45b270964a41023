#include "plan/optimizers.hpp"

#include <array>

namespace memwall {

namespace {

using O = OptimizerName;
using Traits = OptimizerTraits;
using enum StateFormat;
constexpr auto kAll = OptimizerVariant::Foreach, kOne = OptimizerVariant::OfTheLargest, kNone = OptimizerVariant::Sgd;
constexpr auto kAdam = Traits::Rest::Adam;
constexpr auto kLow = Traits::Rank::Low, kRankOne = Traits::Rank::One;
constexpr auto kPaged = Traits::Paging::Large;

// clang-format off
constexpr std::array kRows = {
    Traits{.id = O::AdamW, .whole = 2, .step = kAll, .temporaries = 1},
    Traits{.id = O::Adam, .whole = 2, .step = kAll, .temporaries = 1},
    Traits{.id = O::Adam8bit, .whole = 2, .format = Bits8, .step = kNone},
    Traits{.id = O::Adamw8bit, .whole = 2, .format = Bits8, .step = kNone},
    Traits{.id = O::AdamwFp8, .whole = 2, .format = Float8, .step = kNone},
    Traits{.id = O::Adamw4bit, .whole = 2, .format = Bits4, .step = kNone},
    Traits{.id = O::PagedAdamw8bit, .whole = 2, .format = Bits8, .paging = kPaged, .step = kNone},
    Traits{.id = O::PagedAdamw32bit, .whole = 2, .format = Fp32, .paging = kPaged, .step = kNone},
    Traits{.id = O::Sgd, .step = kNone},
    Traits{.id = O::SgdMomentum, .whole = 1, .step = kNone},
    Traits{.id = O::Adafactor, .factored = 1, .format = Fp32, .step = OptimizerVariant::AdafactorTransformers},
    Traits{.id = O::AdafactorTorch, .factored = 1, .step = OptimizerVariant::AdafactorTorch},
    Traits{.id = O::Lion, .whole = 1, .step = kAll, .temporaries = 1},
    Traits{.id = O::Prodigy, .whole = 4, .step = kOne, .temporaries = 1},
    Traits{.id = O::Galore, .whole = 2, .rank = kLow, .projectors = 1, .step = kOne, .temporaries = 2},
    Traits{.id = O::Muon, .whole = 1, .rest = kAdam, .step = kOne, .temporaries = 3},
    Traits{.id = O::AdamwAmsgrad, .whole = 3, .step = kAll, .temporaries = 1},
    Traits{.id = O::Nadam, .whole = 2, .step = kAll, .temporaries = 1},
    Traits{.id = O::Radam, .whole = 2, .step = kAll, .temporaries = 1},
    Traits{.id = O::Adamax, .whole = 2, .step = kAll, .temporaries = 1},
    Traits{.id = O::Adagrad, .whole = 1, .step = kAll, .temporaries = 2},
    Traits{.id = O::Rmsprop, .whole = 1, .step = kAll, .temporaries = 1},
    Traits{.id = O::Adadelta, .whole = 2, .step = kAll, .temporaries = 2},
    Traits{.id = O::SgdMomentum8bit, .whole = 1, .format = Bits8, .step = kNone},
    Traits{.id = O::Lion8bit, .whole = 1, .format = Bits8, .step = kNone},
    Traits{.id = O::PagedLion8bit, .whole = 1, .format = Bits8, .paging = kPaged, .step = kNone},
    Traits{.id = O::Rmsprop8bit, .whole = 1, .format = Bits8, .step = kNone},
    Traits{.id = O::Adagrad8bit, .whole = 1, .format = Bits8, .step = kNone},
    Traits{.id = O::Ademamix, .whole = 3, .step = kOne, .temporaries = 2},
    Traits{.id = O::Ademamix8bit, .whole = 3, .format = Bits8, .step = kNone},
    Traits{.id = O::Came, .whole = 1, .factored = 2, .step = kOne, .temporaries = 3},
    Traits{.id = O::Sm3, .whole = 1, .factored = 1, .step = kOne, .temporaries = 1},
    Traits{.id = O::Tiger, .whole = 1, .step = kAll, .temporaries = 1},
    Traits{.id = O::Sophia, .whole = 2, .step = kOne, .temporaries = 2},
    Traits{.id = O::Lamb, .whole = 2, .step = kAll, .temporaries = 1},
    Traits{.id = O::Lars, .whole = 1, .step = kNone},
    Traits{.id = O::Adan, .whole = 4, .step = kAll, .temporaries = 3},
    Traits{.id = O::AdamMini, .whole = 1, .rows = 1, .step = kOne, .temporaries = 2},
    Traits{.id = O::Shampoo, .whole = 2, .squares = 2, .step = kOne, .temporaries = 2},
    Traits{.id = O::Soap, .whole = 2, .squares = 2, .step = kOne, .temporaries = 4},
    Traits{.id = O::Galore8bit, .whole = 2, .format = Bits8, .rank = kLow, .projectors = 1, .step = kOne, .temporaries = 2},
    Traits{.id = O::Fira, .whole = 2, .rank = kLow, .projectors = 1, .step = kOne, .temporaries = 2},
    Traits{.id = O::Apollo, .whole = 2, .rank = kLow, .step = kOne, .temporaries = 2},
    Traits{.id = O::ApolloMini, .whole = 2, .rank = kRankOne, .step = kOne, .temporaries = 2},
    Traits{.id = O::Lomo, .step = kNone},
    Traits{.id = O::Adalomo, .factored = 1, .step = kOne, .temporaries = 1},
    Traits{.id = O::DadaptAdam, .whole = 3, .step = kOne, .temporaries = 2},
    Traits{.id = O::ScheduleFreeSgd, .whole = 1, .step = kNone},
    Traits{.id = O::ScheduleFreeAdamw, .whole = 2, .step = kOne, .temporaries = 2},
    Traits{.id = O::GrokfastAdamw, .whole = 3, .step = kAll, .temporaries = 2},
    Traits{.id = O::QGalore, .whole = 2, .format = Bits8, .rank = kLow, .projectors = 1, .step = kOne, .projector = Bits4, .temporaries = 2},
    // A random number for each weight, what it is scaled to, and the sum. Source: princeton-nlp/MeZO, trainer.py.
    Traits{.id = O::Mezo, .step = kOne, .forward_only = true, .temporaries = 3},
};
// clang-format on

constexpr bool in_order() {
    for (std::size_t i = 0; i < kRows.size(); ++i)
        if (static_cast<std::size_t>(kRows[i].id) != i) return false;
    return true;
}
static_assert(in_order() && kRows.size() == static_cast<std::size_t>(O::Mezo) + 1);

}  // namespace

const OptimizerTraits& traits(OptimizerName name) { return kRows[static_cast<std::size_t>(name)]; }

StateDtype dtype_of(StateFormat format) {
    constexpr StateDtype kDtypes[] = {StateDtype::Fp32, StateDtype::Fp32, StateDtype::Int8, StateDtype::Int4,
                                      StateDtype::Fp8};
    return kDtypes[static_cast<std::size_t>(format)];
}

bool keeps_in(const OptimizerTraits& optimizer, StateDtype dtype) {
    const bool factored = dtype == StateDtype::Fp32Factored || dtype == StateDtype::Bf16Factored;
    if (factored) return optimizer.factored > 0;
    return optimizer.format == Chosen ? dtype <= StateDtype::Fp16 : dtype == dtype_of(optimizer.format);
}

}  // namespace memwall
