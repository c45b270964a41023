#include "model/dtype.hpp"

#include <catch_amalgamated.hpp>
#include <limits>
#include <set>

using namespace memwall;

TEST_CASE("sixteen-bit formats take two bytes an element", "[dtype]") {
    for (const Dtype dtype : {Dtype::Bf16, Dtype::Fp16})
        CHECK((*storage(dtype, Count(7))).value == 14);
}

TEST_CASE("quantised formats store whole blocks with their scales", "[dtype]") {
    // Block layouts: bitsandbytes (64 codes, one fp32 scale), OCP microscaling, ggml's block structs.
    CHECK((*storage(Dtype::Nf4, Count(64))).value == 36);
    CHECK((*storage(Dtype::Nf4, Count(65))).value == 72);
    CHECK((*storage(Dtype::Nf4Dq, Count(16384))).value == 8192 + 256 + 4);
    CHECK((*storage(Dtype::Mxfp4, Count(32))).value == 17);
    CHECK((*storage(Dtype::Q8_0, Count(32))).value == 34);
    CHECK((*storage(Dtype::Q6K, Count(256))).value == 210);
    CHECK((*storage(Dtype::Fp8Block128, Count(16384))).value == 16388);
    CHECK((*storage(Dtype::Int4, Count(3))).value == 2);
}

TEST_CASE("a size beyond 63 bits is an error, not a small number", "[dtype]") {
    const auto size = storage(Dtype::Fp32, Count(std::numeric_limits<std::int64_t>::max()));
    REQUIRE_FALSE(size);
    CHECK(size.error().code == ErrorCode::Overflow);
}

TEST_CASE("every format has a name of its own and at least one bit", "[dtype]") {
    std::set<std::string_view> names;
    for (const DtypeRow& r : dtypes()) {
        CHECK(names.insert(r.name).second);
        CHECK(bits_per_element(r) > 1.0);
        CHECK(&row(r.id) == &r);
    }
}
