// What a program that links memwall::core needs for one answer: a scenario as JSON in, verdict and bytes out.
#include <cstdio>
#include <stdexcept>

#include "estimate/estimate.hpp"
#include "import/scenario.hpp"

memwall::Result<memwall::Estimate> answer(std::string_view text) {
    MEMWALL_TRY(scenario, memwall::scenario_from_json(text, "argument"));
    return memwall::estimate(scenario);
}

int main(int count, char** words) {
    const auto made = answer(count > 1 ? words[1] : "{}");
    if (!made) {
        std::printf("%s: %s\n", made.error().where.c_str(), made.error().message.c_str());
        return 2;
    }
    std::printf("%s %lld\n", memwall::name(made->verdict).data(),
                static_cast<long long>(made->worst().device_total.value));
    // The core is built without exceptions; who links it may have them.
    try {
        throw std::runtime_error("");
    } catch (const std::exception&) {
        return 0;
    }
}
