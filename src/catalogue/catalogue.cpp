#include "catalogue/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "base/nearest.hpp"
#include "catalogue/names.hpp"
#include "catalogue/packed.hpp"
#include "model/facts.hpp"
#include "model/families.hpp"

namespace memwall {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> out;
    for (LineReader reader(text); !reader.at_end();)
        out.push_back(reader.line());
    return out;
}

std::string_view word(NumberReader& reader) {
    static const std::vector<std::string_view> words = lines_of(packed_words());
    return words[static_cast<std::size_t>(reader.number())];
}

struct Key {
    std::string_view name;
    const FactRow* fact;  // nullptr for the two keys that are no facts
};
const Key& key(NumberReader& reader) {
    static const std::vector<Key> keys = [] {
        std::vector<Key> out;
        for (const std::string_view name : lines_of(packed_keys()))
            out.push_back({name, find_fact(name)});
        return out;
    }();
    return keys[static_cast<std::size_t>(reader.number())];
}

void read_fact(NumberReader& reader, Architecture& a) {
    const auto& [name, fact] = key(reader);
    if (fact != nullptr) {
        const std::int64_t value = fact->words.empty() ? reader.number() : index_of_word(*fact, word(reader));
        assert(value >= 0);
        set_fact(*fact, a, value);
    } else if (name == "layer_pattern") {
        a.layer_pattern = word(reader);
    } else {
        assert(name == "intermediate_sizes");
        for (std::int64_t left = reader.number(); left > 0; --left)
            a.intermediate_sizes.push_back(reader.number());
    }
}

bool has_alias(const ModelRow& r, std::string_view words) {
    for (std::string_view left = r.aliases; !left.empty();) {
        const std::string_view alias = left.substr(0, left.find('|'));
        if (same_word(alias, words)) return true;
        left.remove_prefix(std::min(alias.size() + 1, left.size()));
    }
    return false;
}

constexpr std::array<std::string_view, 4> kTrustNames{"exact", "published", "recalled", "assumed"};

template <class Row>
std::vector<std::string_view> names_of(std::span<const Row> rows, std::string_view Row::*name) {
    std::vector<std::string_view> out;
    for (const Row& r : rows)
        out.push_back(r.*name);
    return out;
}

}  // namespace

std::string_view name(Trust trust) { return kTrustNames[static_cast<std::size_t>(trust)]; }
std::string_view trust(const ModelRow& r) { return name(r.count_trust); }

bool is_name_of(const ModelRow& r, std::string_view name) { return r.id == name || has_alias(r, name); }

Result<const ModelRow*> find_model(std::string_view words) {
    for (const ModelRow& r : models())
        if (is_name_of(r, words)) return &r;
    static const NameIndex index(names_of(models(), &ModelRow::id));
    const auto found = index.find(words, "model.ref", "model");
    if (!found) return found.error();
    return &models()[*found];
}

Result<const AcceleratorRow*> find_accelerator(std::string_view words) {
    for (const AcceleratorRow& r : accelerators())
        if (r.name == words) return &r;
    static const NameIndex index(names_of(accelerators(), &AcceleratorRow::name));
    const auto found = index.find(words, "accelerator.name", "accelerator");
    if (!found) return found.error();
    return &accelerators()[*found];
}

Architecture architecture_from_row(const ModelRow& r) {
    Architecture a = architecture_from_family(family(r.model_type));
    a.model_type = r.model_type;
    for (NumberReader reader(r.facts); !reader.at_end();)
        read_fact(reader, a);
    if (r.published_total != 0) {
        a.kind = ArchitectureKind::TotalOnly;
        a.total_parameters = r.published_total;
        return a;
    }
    return with_defaults(a);
}

UsableMemory usable_memory_by_rule(std::int64_t memory_gb_permille, MemoryProtection protection) {
    // 54 cards whose usable size is known keep 0.918 to 1.000 of their binary size; ECC on GDDR takes a part
    // of the memory itself.
    const std::int64_t permille = protection == MemoryProtection::GddrWithEcc ? 920 : 985;
    const std::int64_t binary = (memory_gb_permille << 30) / 1000;
    return {Bytes(binary / 1000 * permille), Trust::Assumed,
            protection == MemoryProtection::GddrWithEcc ? "assumed: 0.92 of the binary size (GDDR with ECC)"
                                                        : "assumed: 0.985 of the binary size"};
}

UsableMemory usable_memory(const AcceleratorRow& r) {
    if (r.usable_bytes != 0) return {Bytes(r.usable_bytes), r.usable_trust, r.usable_source};
    const bool gddr = r.memory_type.substr(0, 4) == "GDDR";
    const bool professional = r.segment == "datacentre" || r.segment == "workstation";
    return usable_memory_by_rule(r.memory_gb_permille,
                                 gddr && professional ? MemoryProtection::GddrWithEcc : MemoryProtection::None);
}

}  // namespace memwall
