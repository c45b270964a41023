// The caching allocator: its rules one by one, and a long trace against another replay of the same rules.
#include "memory/caching_allocator.hpp"

#include <catch_amalgamated.hpp>
#include <vector>

using namespace memwall;

namespace {

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr AllocatorSettings kExpandable{.growth = SegmentGrowth::Expandable};

// What is reserved when these are asked for, one after the other.
std::int64_t reserved_for(std::initializer_list<std::int64_t> requests, const AllocatorSettings& settings = {}) {
    CachingAllocator allocator(settings);
    for (const std::int64_t bytes : requests)
        allocator.allocate(bytes);
    return allocator.reserved().value;
}

}  // namespace

TEST_CASE("requests are rounded to 512 bytes and cut from segments of 2 and 20 MiB, or have their own", "[allocator]") {
    CachingAllocator one({});
    one.allocate(1);
    CHECK(one.allocated_peak().value == 512);
    CHECK(one.reserved().value == 2 * kMiB);
    CHECK(reserved_for({kMiB, kMiB}) == 2 * kMiB);
    CHECK(reserved_for({kMiB, kMiB, 1}) == 4 * kMiB);
    CHECK(reserved_for({kMiB + 1}) == 20 * kMiB);
    CHECK(reserved_for({9 * kMiB, 9 * kMiB}) == 20 * kMiB);
    CHECK(reserved_for({10 * kMiB}) == 10 * kMiB);
    CHECK(reserved_for({11 * kMiB + 1}) == 12 * kMiB);
    CHECK(reserved_for({100 * kMiB, 3}) == 102 * kMiB);
}

TEST_CASE("what was released is taken again, and neighbours become one", "[allocator]") {
    CachingAllocator allocator({});
    std::vector<CachingAllocator::Block> quarters;
    for (int i = 0; i < 4; ++i)
        quarters.push_back(allocator.allocate(5 * kMiB));
    CHECK(allocator.reserved().value == 20 * kMiB);
    for (const int i : {1, 3, 2, 0})  // between used ones, at the end, between free ones, at the start
        allocator.release(quarters[static_cast<std::size_t>(i)]);
    allocator.allocate(20 * kMiB);
    CHECK(allocator.reserved().value == 20 * kMiB);
    CHECK(allocator.segments() == 1);
}

TEST_CASE("the smallest free block that is large enough is taken", "[allocator]") {
    CachingAllocator allocator({});
    const auto large = allocator.allocate(60 * kMiB), middle = allocator.allocate(30 * kMiB);
    allocator.release(large);
    allocator.release(middle);
    allocator.allocate(30 * kMiB);
    allocator.allocate(60 * kMiB);  // the large one is still whole
    CHECK(allocator.reserved().value == 90 * kMiB);
}

TEST_CASE("a large block is not split for a rest of 1 MiB or less", "[allocator]") {
    CachingAllocator allocator({});
    allocator.release(allocator.allocate(32 * kMiB));
    allocator.allocate(31 * kMiB);
    CHECK(allocator.allocated_peak().value == 32 * kMiB);
    CHECK(allocator.reserved().value == 32 * kMiB);
}

TEST_CASE("an expandable segment grows behind its last block", "[allocator]") {
    CHECK(reserved_for({30 * kMiB}, kExpandable) == 40 * kMiB);
    CHECK(reserved_for({30 * kMiB, 8 * kMiB}, kExpandable) == 40 * kMiB);
    CHECK(reserved_for({30 * kMiB, 15 * kMiB}, kExpandable) == 60 * kMiB);
    CHECK(reserved_for({30 * kMiB, 15 * kMiB, 512}, kExpandable) == 62 * kMiB);
    CachingAllocator allocator(kExpandable);
    const auto first = allocator.allocate(100 * kMiB);
    allocator.allocate(kMiB + 512);
    allocator.release(first);
    allocator.allocate(100 * kMiB - 512);  // nothing is lost of it
    CHECK(allocator.reserved().value == 120 * kMiB);
    CHECK(allocator.segments() == 1);
}

TEST_CASE("under a limit of splitting, small requests leave large blocks alone", "[allocator]") {
    constexpr AllocatorSettings kLimited{.max_split_bytes = 64 * kMiB};
    CachingAllocator allocator(kLimited);
    allocator.release(allocator.allocate(100 * kMiB));
    allocator.allocate(50 * kMiB);
    CHECK(allocator.reserved().value == 150 * kMiB);
    allocator.allocate(79 * kMiB);  // 100 is 20 more and too much
    CHECK(allocator.reserved().value == 230 * kMiB);
    allocator.allocate(90 * kMiB);  // takes the whole of it
    CHECK(allocator.reserved().value == 230 * kMiB);
}

// Peaks of the same trace in the replay that PyTorch's ledger was printed with (default policy).
TEST_CASE("a long trace reserves what another replay of the rules reserves", "[allocator]") {
    std::uint64_t state = 12'345;
    const auto random = [&] {
        state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        return state >> 33U;
    };
    CachingAllocator allocator({});
    std::vector<CachingAllocator::Block> alive;
    constexpr std::uint64_t kLargest[] = {4 * kKiB, 3 * kMiB, 40 * kMiB};
    for (int i = 0; i < 4000; ++i) {
        if (!alive.empty() && random() % 100 < 45) {
            const std::size_t which = random() % alive.size();
            allocator.release(alive[which]);
            alive[which] = alive.back();
            alive.pop_back();
        } else {
            const std::uint64_t kind = random() % 3;
            alive.push_back(allocator.allocate(static_cast<std::int64_t>(1 + random() % kLargest[kind])));
        }
    }
    CHECK(allocator.reserved().value == 5'010'096'128);
    CHECK(allocator.allocated_peak().value == 4'444'605'952);
}
