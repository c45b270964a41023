// Catalogue: what is known about models, accelerators, formats, optimizers and methods.
//
// The rows stand in *.jsonl beside this file, each with its sources; scripts/generate_catalogue.py turns
// them into packed tables. Values that were recalled and not read anywhere are marked, and whoever
// shows them says so. Names are found by any part of them, in any case (catalogue/names.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "model/architecture.hpp"

namespace memwall {

// exact: counted by the formula, equal to the published count. published: read from a published source.
// recalled: written down from memory. assumed: by a rule of ours.
enum class Trust : std::uint8_t { Exact, Published, Recalled, Assumed };
std::string_view name(Trust);

struct ModelRow {
    std::string_view id;       // "meta-llama/Llama-3.1-8B"
    std::string_view aliases;  // further names in full, separated by '|': "torchvision vit_b_16|vit_b_16"
    std::string_view family;
    std::string_view model_type;
    Trust count_trust;                    // of the number of parameters
    std::int64_t published_total;         // where no formula counts ("total only"), else 0
    std::span<const std::uint8_t> facts;  // packed (architecture_from_row)
};
std::span<const ModelRow> models();
Result<const ModelRow*> find_model(std::string_view words);
bool is_name_of(const ModelRow&, std::string_view name);  // its id or an alias, in full
Architecture architecture_from_row(const ModelRow&);
std::string_view trust(const ModelRow&);  // "exact", "published" or "recalled"

struct AcceleratorRow {
    std::string_view name;  // "H100 SXM5 80GB"
    std::string_view vendor, architecture, segment, memory_type;
    std::int32_t memory_gb_permille;  // as sold
    std::int64_t usable_bytes;        // as the driver reports it; 0: not known
    std::string_view usable_source;
    Trust usable_trust;
    std::int32_t memory_bandwidth_gbs;  // 0: not known, here and below
    std::int32_t tflops_tenths[7];      // dense: fp32, tf32, fp16, bf16, fp8, int8, fp4
    std::int32_t interconnect_gbs_tenths;
    std::int32_t compute_capability_tenths;
    std::int32_t price_low_cents, price_high_cents;  // USD an hour
    std::string_view price_date;
    bool unified_memory;
    bool recalled;  // some of memory, rates and prices are
};
std::span<const AcceleratorRow> accelerators();
Result<const AcceleratorRow*> find_accelerator(std::string_view words);

struct UsableMemory {
    Bytes bytes;
    Trust trust;
    std::string_view source;
};
UsableMemory usable_memory(const AcceleratorRow&);
// The rule for a card that is only known by its size: 0.985 of the binary size, or 0.92 for a GDDR card with ECC.
enum class MemoryProtection : std::uint8_t { None, GddrWithEcc };
UsableMemory usable_memory_by_rule(std::int64_t memory_gb_permille, MemoryProtection);

// What follows is shown in lists only. In WebAssembly it is empty until the texts have been given.
bool take_catalogue_texts(std::string_view texts);  // false: not those of this build
bool has_catalogue_texts();

std::string_view note(const ModelRow&);
std::span<const std::string_view> sources();

struct FormatRow {
    std::string_view name, family, applies_to, formula, note;
    std::string_view use;                     // words of fields that choose it: "nf4, fp4"; empty: none does yet
    std::int32_t bits_per_weight_millionths;  // 0: depends on the shape (formula)
    std::int32_t block_weights, block_bytes;
    std::uint8_t source;
};
std::span<const FormatRow> formats();

struct OptimizerRow {
    std::string_view name, states, formula, note;
    std::string_view use;                 // as above
    std::int32_t state_bytes_millionths;  // a parameter; -1: depends on the shape (formula)
    std::uint8_t source;
};
std::span<const OptimizerRow> optimizers();

struct MethodRow {
    std::string_view name, label, meaning, source, source_url;
    std::string_view evidence;  // of its quality against training in full; empty: none on file
};
std::span<const MethodRow> methods();

}  // namespace memwall
