// Nonsense is refused with an address and a sentence; it never ends the program.
#include <catch_amalgamated.hpp>

#include "cli/run.hpp"
#include "estimate/estimate.hpp"
#include "export/json.hpp"
#include "export/share.hpp"
#include "generator.hpp"
#include "import/scenario.hpp"

using namespace memwall;

namespace {

const FieldRow& random_field(Random& random) {
    return fields()[static_cast<std::size_t>(random.between(0, kFieldCount - 1))];
}

void damage(std::string& text, Random& random) {
    for (std::int64_t n = random.between(1, 4); n > 0 && !text.empty(); --n) {
        const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size()) - 1));
        switch (random.between(0, 3)) {
            case 0:
                text[at] = static_cast<char>(random.between(0, 255));
                break;
            case 1:
                text.erase(at, static_cast<std::size_t>(random.between(1, 5)));
                break;
            case 2:
                text.insert(at, text.substr(at, static_cast<std::size_t>(random.between(1, 20))));
                break;
            case 3:
                text.resize(at);
                break;
            default:
                break;
        }
    }
}

Result<std::string> no_file(std::string_view path) {
    return Error{ErrorCode::Malformed, std::string(path), "The file cannot be read", ""};
}

}  // namespace

TEST_CASE("any words in any field are taken or refused by that field", "[property]") {
    for (auto seed = seeds().first; seed <= seeds().last; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        Scenario scenario = random_scenario(static_cast<std::uint64_t>(seed));
        for (int i = 0; i < 5; ++i) {
            const FieldRow& row = random_field(random);
            const std::string words = random_words(random, row);
            INFO("seed " << seed << ": " << row.key << " = \"" << words << "\"");
            const Scenario before = scenario;
            const Failure failure = set_field(scenario, row.key, words);
            if (failure) {
                CHECK(failure->where == row.key);
                CHECK_FALSE(failure->message.empty());
                CHECK_FALSE(failure->hint.empty());
                CHECK(scenario.given == before.given);
            } else {
                CHECK(is_given(scenario, row.id));
            }
        }
        INFO("seed " << seed << ": " << share_from_scenario(scenario));
        const auto made = estimate(scenario);
        if (!made) CHECK(find_field(made.error().where) != nullptr);
    }
}

TEST_CASE("damaged JSON is read or refused with a place", "[property]") {
    for (auto seed = seeds().first; seed <= seeds().last; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        std::string json = json_from_scenario(random_scenario(static_cast<std::uint64_t>(seed)));
        damage(json, random);
        INFO("seed " << seed << ": " << json);
        const auto scenario = scenario_from_json(json, "scenario.json");
        if (scenario) continue;
        CHECK_FALSE(scenario.error().where.empty());
        CHECK_FALSE(scenario.error().message.empty());
    }
}

TEST_CASE("damaged links open something", "[property]") {
    for (auto seed = seeds().first; seed <= seeds().last; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        std::string address = share_from_scenario(random_scenario(static_cast<std::uint64_t>(seed)), "61.20 GiB");
        damage(address, random);
        INFO("seed " << seed << ": " << address);
        Notes notes;
        const Shared shared = scenario_from_share(address, notes);
        for (const Note& note : notes.all())
            CHECK_FALSE(note.message.empty());
        const std::string again = share_from_scenario(shared.scenario);
        Notes none;
        CHECK(share_from_scenario(scenario_from_share(again, none).scenario) == again);
        CHECK(none.all().empty());
    }
}

TEST_CASE("any arguments end with a known status, and with --json print one line of JSON", "[property]") {
    constexpr std::string_view kVerbs[] = {"estimate",  "explain", "solve", "params",
                                           "catalogue", "fields",  "help",  "nonsense"};
    for (auto seed = seeds().first; seed <= seeds().last; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        std::vector<std::string> texts{std::string(kVerbs[random.between(0, 7)])};
        for (std::int64_t n = random.between(0, 4); n > 0; --n) {
            const FieldRow& row = random_field(random);
            if (random.one_in(4)) texts.push_back(std::string(row.key));
            texts.push_back("--" + (random.one_in(2) ? flag_text(row) : std::string(row.key)));
            if (!random.one_in(5)) texts.push_back(random_words(random, row));
        }
        texts.push_back("--json");
        const std::vector<std::string_view> arguments(texts.begin(), texts.end());
        std::string shown;
        for (const std::string& text : texts)
            shown += text + " ";
        INFO("seed " << seed << ": " << shown);
        const CliResult result = run(arguments, {.read_file = no_file});
        CHECK(static_cast<int>(result.status) <= 4);
        if (texts[0] == "help" || texts[0] == "nonsense") continue;
        CHECK(result.err.empty());
        CHECK((result.out.starts_with('{') || result.out.starts_with('[')));
        CHECK(result.out.find('\n') == result.out.size() - 1);
    }
}
