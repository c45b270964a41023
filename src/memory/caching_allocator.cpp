#include "memory/caching_allocator.hpp"

#include <algorithm>
#include <cassert>

#include "memory/replay.hpp"

namespace memwall {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kSmallRequest = kMiB, kSmallSegment = 2 * kMiB, kLargeSegment = 20 * kMiB;
constexpr std::int64_t kOwnSegment = 10 * kMiB, kSegmentRounding = 2 * kMiB;

constexpr std::int64_t rounded(std::int64_t bytes, std::int64_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

CachingAllocator::Block CachingAllocator::new_piece(const Piece& piece) {
    if (unused_.empty()) {
        pieces_.push_back(piece);
        return static_cast<Block>(pieces_.size() - 1);
    }
    const Block block = unused_.back();
    unused_.pop_back();
    at(block) = piece;
    return block;
}

void CachingAllocator::add_free(Block block) {
    at(block).free = true;
    const Place place{at(block).size, at(block).address, block};
    std::vector<Place>& pool = free_[at(block).pool];
    pool.insert(std::lower_bound(pool.begin(), pool.end(), place), place);
}

void CachingAllocator::remove_free(Block block) {
    at(block).free = false;
    std::vector<Place>& pool = free_[at(block).pool];
    const auto found = std::lower_bound(pool.begin(), pool.end(), Place{at(block).size, at(block).address, block});
    assert(found != pool.end() && found->block == block);
    pool.erase(found);
}

// Under a limit of splitting, small requests leave large blocks alone, and large ones take no block that is 20 MiB
// larger than they are.
CachingAllocator::Block CachingAllocator::best_fit(Pool pool, std::int64_t size) {
    const std::vector<Place>& places = free_[pool];
    const auto found = std::lower_bound(places.begin(), places.end(), Place{size, -1, -1});
    if (found == places.end()) return -1;
    if (const std::int64_t limit = settings_.max_split_bytes; limit > 0) {
        if (size < limit && found->size >= limit) return -1;
        if (size >= limit && found->size >= size + kLargeSegment) return -1;
    }
    const Block block = found->block;
    remove_free(block);
    return block;
}

CachingAllocator::Block CachingAllocator::grow(Pool pool, std::int64_t size) {
    const std::int64_t bytes = pool == Small        ? kSmallSegment
                               : size < kOwnSegment ? kLargeSegment
                                                    : rounded(size, kSegmentRounding);
    reserved_ += bytes;
    ++segments_;
    constexpr std::int64_t kApart = std::int64_t{1} << 30;  // no two segments are neighbours
    const std::int64_t address = next_address_;
    next_address_ += bytes + kApart;
    return new_piece({.size = bytes, .address = address, .pool = pool});
}

// One segment a pool, mapped page by page behind its last block.
CachingAllocator::Block CachingAllocator::grow_expandable(Pool pool, std::int64_t size) {
    constexpr std::int64_t kPoolsApart = std::int64_t{1} << 60;
    Block& last = last_[pool];
    const bool extends = last >= 0 && at(last).free;
    const std::int64_t missing = extends ? size - at(last).size : size;
    const std::int64_t mapped = rounded(missing, pool == Small ? kSmallSegment : kLargeSegment);
    reserved_ += mapped;
    if (extends) {
        remove_free(last);
        at(last).size += mapped;
        return last;
    }
    const std::int64_t address = last >= 0 ? at(last).address + at(last).size : (pool == Small ? 0 : kPoolsApart);
    segments_ += last < 0 ? 1 : 0;
    const Block block = new_piece({.size = mapped, .address = address, .before = last, .pool = pool});
    if (last >= 0) at(last).behind = block;
    last = block;
    return block;
}

bool CachingAllocator::splits(const Piece& piece, std::int64_t size) const {
    const std::int64_t rest = piece.size - size;
    if (piece.pool == Small || settings_.growth == SegmentGrowth::Expandable) return rest >= kAllocatorBlock;
    return rest > kSmallRequest && (settings_.max_split_bytes == 0 || size < settings_.max_split_bytes);
}

void CachingAllocator::split(Block block, std::int64_t size) {
    const Piece whole = at(block);
    const Block rest = new_piece({.size = whole.size - size,
                                  .address = whole.address + size,
                                  .before = block,
                                  .behind = whole.behind,
                                  .pool = whole.pool});
    if (whole.behind >= 0) at(whole.behind).before = rest;
    at(block).size = size;
    at(block).behind = rest;
    if (last_[whole.pool] == block) last_[whole.pool] = rest;
    add_free(rest);
}

CachingAllocator::Block CachingAllocator::allocate(std::int64_t bytes) {
    const std::int64_t size = rounded(bytes, kAllocatorBlock);
    const Pool pool = size <= kSmallRequest ? Small : Large;
    Block block = best_fit(pool, size);
    if (block < 0) block = settings_.growth == SegmentGrowth::Fixed ? grow(pool, size) : grow_expandable(pool, size);
    if (splits(at(block), size)) split(block, size);
    allocated_ += at(block).size;
    allocated_peak_ = std::max(allocated_peak_, allocated_);
    return block;
}

void CachingAllocator::merge_behind(Block block) {
    const Block behind = at(block).behind;
    if (behind < 0 || !at(behind).free) return;
    remove_free(behind);
    at(block).size += at(behind).size;
    at(block).behind = at(behind).behind;
    if (at(behind).behind >= 0) at(at(behind).behind).before = block;
    if (last_[at(block).pool] == behind) last_[at(block).pool] = block;
    unused_.push_back(behind);
}

void CachingAllocator::release(Block block) {
    allocated_ -= at(block).size;
    merge_behind(block);
    const Block before = at(block).before;
    if (before < 0 || !at(before).free) return add_free(block);
    remove_free(before);
    add_free(block);
    merge_behind(before);
    add_free(before);
}

}  // namespace memwall
