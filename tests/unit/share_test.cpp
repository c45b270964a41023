// Share links: exact round trips, and notes instead of failures.
#include "export/share.hpp"

#include <catch_amalgamated.hpp>

#include "plan/fields.hpp"

using namespace memwall;

namespace {

Scenario with(std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
    Scenario scenario;
    for (const auto& [key, value] : values)
        REQUIRE_FALSE(set_field(scenario, key, value));
    return scenario;
}

struct Opened {
    Shared shared;
    std::vector<Note> notes;
};
Opened opened(std::string_view fragment) {
    Notes notes;
    Shared shared = scenario_from_share(fragment, notes);
    return {std::move(shared), notes.all()};
}

}  // namespace

TEST_CASE("a link holds the version and the given fields by their public keys", "[share]") {
    const Scenario s = with({{"batch", "4"}, {"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "Ryzen AI Max+ 395"}});
    const std::string link = share_from_scenario(s);
    CHECK(link ==
          "v1&model.ref=meta-llama/Llama-3.1-8B&batch.micro_batch_size=4&accelerator.name=Ryzen%20AI%20Max%2B%20395");
    const Opened back = opened("#" + link);
    CHECK(back.notes.empty());
    CHECK(back.shared.scenario.given == s.given);
    CHECK(back.shared.scenario.accelerator.name == "Ryzen AI Max+ 395");
    CHECK(share_from_scenario(back.shared.scenario) == link);
}

TEST_CASE("a link can remember the number it showed", "[share]") {
    const Scenario s = with({{"model", "gpt2"}});
    Opened back = opened(share_from_scenario(s, "61.20 GiB"));
    CHECK(back.notes.empty());
    CHECK(back.shared.shown == "61.20 GiB");
    CHECK_FALSE(back.shared.shown_version.empty());
    Notes notes;
    note_changed_number(back.shared, "61.20 GiB", notes);
    CHECK(notes.all().empty());
    back.shared.shown_version = "0.3";
    note_changed_number(back.shared, "60.90 GiB", notes);
    REQUIRE(notes.all().size() == 1);
    CHECK(notes.all()[0].message == "This link showed 61.20 GiB with 0.3; this version computes 60.90 GiB");
}

TEST_CASE("malformed, old and future links give notes and keep the rest", "[share]") {
    const Opened future = opened("v7&task=inference&mesh.hyper=3");
    CHECK(future.shared.scenario.task == Task::Inference);
    REQUIRE(future.notes.size() == 2);
    CHECK(future.notes[0].message.find("newer version (v7)") != std::string::npos);
    CHECK(future.notes[1].message.find("mesh.hyper") != std::string::npos);

    CHECK(opened("v0&task=inference").notes[0].message.find("older version (v0)") != std::string::npos);
    CHECK(opened("task=inference").notes[0].message.find("does not say its version") != std::string::npos);
    CHECK(opened("v1&nonsense").notes.size() == 1);
    CHECK(opened("v1&batch.micro_batch_size=-3").notes[0].where == "batch.micro_batch_size");
    CHECK(opened("v1&mesh.tp=8").notes[0].message.find("comes later") != std::string::npos);
    CHECK(opened("").notes.empty());
    CHECK(opened("#").notes.empty());
    CHECK(opened("v1").notes.empty());
    CHECK(opened("v1&&&").notes.empty());
    CHECK_FALSE(opened("%%%&=&&=%4&v").notes.empty());
    CHECK(opened("v1&model.name=" + std::string(20'000, 'a')).notes.size() == 1);
    CHECK(opened("v1&model.ref=a%0Ab").notes[0].where == "model.ref");
    // Hints that only the command line could follow once stood in the page's notes: "`memwall fields` lists them".
    const Opened unknown = opened("v1&no.such.field=1");
    REQUIRE(unknown.notes.size() == 1);
    CHECK(unknown.notes[0].message.find("No field is called") != std::string::npos);
    CHECK(unknown.notes[0].message.find("memwall ") == std::string::npos);
    const Opened twice = opened("v1&batch=2&batch.micro_batch_size=3");
    REQUIRE(twice.notes.size() == 1);
    CHECK(twice.notes[0].message == "Micro-batch size is stated twice; the link's last value is used");
    CHECK(twice.shared.scenario.batch.micro_batch_size == 3);
}

TEST_CASE("a percent sign without two digits stays what it is", "[share]") {
    CHECK(opened("v1&model.name=100%25%").shared.scenario.model.name == "100%%");
    CHECK(opened("v1&model.name=%41%4").shared.scenario.model.name == "A%4");
}
