// CachingAllocator: PyTorch's allocator of device memory, as it runs on one stream while the device has room.
//
// Requests are rounded to 512 bytes. Those up to 1 MiB are cut from segments of 2 MiB, those below 10 MiB from segments
// of 20 MiB, larger ones have a segment of their own, rounded to 2 MiB. The smallest free block that is large enough is
// taken and split; neighbours that are free become one. Segments are never given back. Source: PyTorch,
// c10/cuda/CUDACachingAllocator.cpp, and its "Memory management" notes (expandable_segments, max_split_size_mb).
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "base/units.hpp"

namespace memwall {

enum class SegmentGrowth : std::uint8_t { Fixed, Expandable };

struct AllocatorSettings {
    SegmentGrowth growth = SegmentGrowth::Fixed;
    std::int64_t max_split_bytes = 0;  // blocks of this size and more are not split; 0: no limit
};

class CachingAllocator {
  public:
    using Block = std::int32_t;

    explicit CachingAllocator(const AllocatorSettings& settings) : settings_(settings) {}

    Block allocate(std::int64_t bytes);  // of 1 and more
    void release(Block);

    Bytes allocated_peak() const { return Bytes(allocated_peak_); }
    Bytes reserved() const { return Bytes(reserved_); }  // never falls, so it is its own peak
    std::int64_t segments() const { return segments_; }

  private:
    enum Pool : std::uint8_t { Small, Large };
    struct Piece {
        std::int64_t size = 0, address = 0;
        Block before = -1, behind = -1;  // in the same segment
        Pool pool = Large;
        bool free = false;
    };
    struct Place {  // of a free piece: by size, then by address
        std::int64_t size, address;
        Block block;
        bool operator<(const Place& other) const {
            return size != other.size ? size < other.size : address < other.address;
        }
    };

    Piece& at(Block block) { return pieces_[static_cast<std::size_t>(block)]; }
    Block new_piece(const Piece&);
    void add_free(Block);
    void remove_free(Block);
    Block best_fit(Pool, std::int64_t size);
    Block grow(Pool, std::int64_t size);
    Block grow_expandable(Pool, std::int64_t size);
    bool splits(const Piece&, std::int64_t size) const;
    void split(Block, std::int64_t size);
    void merge_behind(Block);

    AllocatorSettings settings_;
    std::vector<Piece> pieces_;
    std::vector<Block> unused_;  // places in pieces_
    std::array<std::vector<Place>, 2> free_;
    std::array<Block, 2> last_{-1, -1};  // of the expandable segment of each pool
    std::int64_t next_address_ = 0, allocated_ = 0, allocated_peak_ = 0, reserved_ = 0, segments_ = 0;
};

}  // namespace memwall
