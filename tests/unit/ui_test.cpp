// The canvas without a screen: whole frames are drawn by the null platform, pressed and typed into.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "imgui.h"
#include "imgui_internal.h"
#include "scenario_of.hpp"
#include "ui/angles.hpp"
#include "ui/app.hpp"
#include "ui/assets.hpp"
#include "ui/message.hpp"
#include "ui/platform.hpp"
#include "ui_message.hpp"
#include "view/present.hpp"
#include "view/reasons.hpp"

using namespace memwall;

namespace {

ViewModel view_of(std::initializer_list<Setting> settings) {
    auto made = view(scenario_of(settings));
    REQUIRE(made);
    return std::move(*made);
}

FieldInput field_of(std::string key, std::string kind, std::vector<std::string> choices = {}) {
    FieldInput out;
    out.key = out.label = std::move(key);
    out.kind = std::move(kind);
    out.choices = out.choice_labels = std::move(choices);
    out.value = out.choices.empty() ? "1" : out.choices[0];
    return out;
}

Inputs some_inputs() {
    FieldInput number = field_of("batch", "text");
    number.stepper = number.given = true;
    number.unit = "sequences";
    number.largest = "1,024";
    FieldInput wrong = field_of("length", "text");
    wrong.error = "length (-1) must be at least 1";
    wrong.note = "8,192 tokens";
    InputSection first{"first",
                       "First",
                       false,
                       "8,030,261,248 parameters",
                       {field_of("model", "search"), field_of("task", "segments", {"train", "run"}),
                        field_of("recipe", "select", {"bf16", "fp32"}), number, wrong}};
    InputSection folded{
        "folded", "Folded", true, "optimizer: adamw", {field_of("optimizer", "select", {"adamw", "sgd"})}};
    return {{first, folded}, "", "", true, true};
}

// One that is open, with and without columns, buttons and bars, and one that is folded.
Panels some_panels() {
    PanelRow card;
    card.role = "good";
    card.head = {"use 0",
                 "GeForce RTX 4090 with a name that is much too long for a column beside three others of numbers"};
    card.cells = {"Fits: 23.64 GiB* usable", "19.50 GiB", "$0.34 to $0.69"};
    PanelRow pin;
    pin.role = "bad";
    pin.head = {"", "meta-llama/Llama-3.1-8B · finetune · H100 SXM5 80GB (2)"};
    pin.lines = {"It does not fit: 159.5 GiB needed, 79.18 GiB* usable, 80.37 GiB missing.", "and a second line"};
    pin.parts = {{"weights", 0.2}, {"gradients", 0.2}, {"optimizer_state", 0.5}};
    pin.wall = 0.5;
    pin.buttons = {{"show 0", "Show"}, {"up 0", "up"}, {"remove 0", "Remove"}};
    PanelRow named;
    named.head = {"name 1", "my pin"};
    named.typed = true;
    Panel open{"cards",
               "Other GPUs",
               "On which GPUs it fits",
               true,
               "Fits on 90 of 197.",
               {"Verdict", "Left", "From, an hour"},
               {card, pin, named},
               {{"all", "Show all 197"}},
               {}};
    Panel folded{"pins", "Scenarios side by side", "Pin scenarios and compare them", false, "", {}, {}, {}, {}};
    // What is compared, and a table of what differs.
    PanelRow compared, differs;
    compared.head = {"", "a pin"};
    compared.parts = {{"weights", 0.2}};
    differs.head = {"", "Activation checkpointing"};
    differs.cells = {"every block", "159.5 GiB\n80.37 GiB missing", "a choice of words that takes two lines"};
    Panel table{"table",
                "Side by side",
                "Compare",
                true,
                "",
                {"a pin", "meta-llama/Llama-3.1-8B · finetune · H100 SXM5 80GB", "What is shown"},
                {compared, differs},
                {},
                {}};
    table.table = 1;
    PanelRow read;
    read.head = {"", "Micro-batch size 8, Sequence length 2,048"};
    read.lines = {"Fits: 17.2 GiB of 79.18 GiB* usable."};
    const PanelPicture picture{true,
                               0.5,
                               0.25,
                               {{0.3, 0.3, "24 GB"}, {0.99, 0.99, "79.18 GiB* usable"}},
                               {{0, 0, "1"}, {1, 0, "64"}},
                               {{0, 0, "128"}, {0, 1, "1,048,576"}},
                               "17.20 GiB"};
    Panel map{"map",
              "Fit map",
              "What fits over two numbers",
              true,
              "Colour is the memory needed.",
              {},
              {read},
              {{"across", "Across: micro-batch size"}, {"csv", "Download CSV"}},
              picture};
    return {{open, map, folded, table}};
}

// An App with everything sent to it.
struct Instrument {
    App app{Fonts{font_regular(), font_semibold()}};

    explicit Instrument(Screen screen, const ViewModel& shown) {
        // The page's own words are as long as the last parts of their keys.
        std::vector<std::string> words;
        for (int i = 0; i < kWords; ++i) {
            const std::string_view key = word_key(static_cast<Word>(i));
            words.emplace_back(key.substr(key.rfind('.') + 1));
        }
        REQUIRE(app.words(message_from(words)));
        std::vector<std::uint32_t> colours;
        for (int i = 0; i < kInks; ++i)
            colours.push_back(static_cast<std::uint32_t>(i * 7919));
        REQUIRE(app.colours(message_from(colours)));
        REQUIRE(app.view(message_from(shown)));
        REQUIRE(app.inputs(message_from(some_inputs())));
        REQUIRE(app.panels(message_from(some_panels())));
        bind_picture();
        app.resize(screen);
        settle();
    }
    void settle() {
        for (int i = 0; i < 4 || (app.frame(0.016) && i < 60); ++i)
            app.frame(0.016);
    }
    Box widget(std::string_view name) {
        const std::string all = "\n" + app.probe().widgets();
        const std::string line = "\n" + std::string(name) + "\t";
        const auto at = all.find(line);
        INFO("no widget " << name << " in" << all);
        REQUIRE(at != std::string::npos);
        Box box;
        REQUIRE(std::sscanf(all.c_str() + at + line.size(), "%f%f%f%f", &box.x, &box.y, &box.width, &box.height) == 4);
        return box;
    }
    void press(std::string_view name) {
        const Box box = widget(name);
        app.point(box.x + box.width / 2, box.y + box.height / 2);
        settle();
        click();
    }
    void click() {
        app.press(Button::Down);
        settle();
        app.press(Button::Up);
        settle();
    }
    std::vector<std::string> names(const std::string& kind) {
        std::vector<std::string> out;
        const std::string all = "\n" + app.probe().widgets();
        for (std::size_t at = all.find("\n" + kind); at != std::string::npos; at = all.find("\n" + kind, at + 1))
            out.push_back(all.substr(at + 1, all.find('\t', at) - at - 1));
        return out;
    }
    void key(std::string_view name) {
        app.key(name, Button::Down);
        app.key(name, Button::Up);
        settle();
    }
    // Everything that opens, down to reasons and tensors.
    void open_all() {
        for (const char* kind :
             {"section:", "group:", "row:", "parameters:", "why:", "timeline:alive", "alive:weights", "alive:act"}) {
            std::string all = app.probe().widgets();
            for (std::size_t at = all.find(kind); at != std::string::npos; at = all.find(kind, at + 1)) {
                if (at > 0 && all[at - 1] != '\n') continue;
                const std::string name = all.substr(at, all.find('\t', at) - at);
                const Box box = widget(name);
                if (box.y < 0 || box.y + box.height > 4000) app.scroll(0);
                press(name);
            }
        }
    }
};

std::string action(std::string_view name, std::string_view first, std::string_view second) {
    std::string out;
    for (const std::string_view part : {name, first, second})
        out.append(part).append("\x1f");
    return out + "\x1e";
}

constexpr Screen kDesktop{1280, 800, 1};

}  // namespace

TEST_CASE("a view model survives its message", "[ui]") {
    const ViewModel sent = view_of({{"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "H100 SXM5 80GB"}});
    ViewModel read;
    REQUIRE(read_message(message_from(sent), read));
    CHECK(message_from(read) == message_from(sent));
    CHECK(read.verdict.sentence == sent.verdict.sentence);
    CHECK(read.groups.size() == sent.groups.size());
}

TEST_CASE("a message that is cut, longer, or of another shape changes nothing", "[ui]") {
    const std::string whole = message_from(view_of({{"model", "gpt2"}}));
    ViewModel read;
    read.title = "before";
    for (std::size_t length = 0; length < whole.size(); length += 1 + length / 7)
        CHECK_FALSE(read_message(std::string_view(whole).substr(0, length), read));
    CHECK_FALSE(read_message(whole + "n", read));
    CHECK_FALSE(read_message(message_from(some_inputs()), read));
    CHECK(read.title == "before");
}

TEST_CASE("bytes that are no message are refused", "[ui]") {
    std::mt19937 random(7);
    const std::string whole = message_from(view_of({{"model", "gpt2"}}));
    for (int i = 0; i < 2000; ++i) {
        std::string spoilt = whole;
        for (int at = 0; at < 3; ++at)
            spoilt[random() % spoilt.size()] = static_cast<char>(random());
        ViewModel read;
        if (read_message(spoilt, read)) CHECK(message_from(read).size() == whole.size());
    }
}

TEST_CASE("no text is cut off at any width, whatever is open", "[ui]") {
    const std::initializer_list<Setting> scenarios[] = {
        {{"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "H100 SXM5 80GB"}},
        {{"model", "gpt2"}, {"gpu", "4090"}, {"task", "inference"}},
        {{"model", "mistralai/Mixtral-8x7B-v0.1"}},
        {}};
    // Every width with the longest scenario, the narrowest and a usual one with the others.
    for (const auto& scenario : scenarios)
        for (const float width : {360.0f, 1280.0f, 561.0f, 768.0f, 861.0f, 1000.0f, 1121.0f, 1920.0f}) {
            if (&scenario != scenarios && width != 360.0f && width != 1280.0f) break;
            Instrument instrument({width, 4000, 1}, view_of(scenario));
            const auto made = estimate(scenario_of(scenario));
            REQUIRE(made);
            REQUIRE(instrument.app.reasons(message_from(Reasons{reason_views(*made, companions(*made))})));
            Alive alive;
            for (const GroupView& group : view_of(scenario).groups)
                for (const RowView& row : group.rows) {
                    alive.rows.push_back(row);
                    REQUIRE(instrument.app.tensors(message_from(RowTensors{row.key, tensor_views(*made, row.key)})));
                }
            REQUIRE(instrument.app.alive(message_from(alive)));
            instrument.open_all();
            INFO(width << " wide");
            CHECK(instrument.app.probe().overflows() == "");
            CHECK(instrument.app.content_height() > 400);
            CHECK(instrument.app.counts().draw_calls <= 20);
            CHECK(instrument.app.counts().vertices <= 40'000);
        }
}

TEST_CASE("a stepper, a choice and a reset ask the page", "[ui]") {
    Instrument instrument(kDesktop, view_of({{"model", "gpt2"}}));
    instrument.press("more:batch");
    CHECK(instrument.app.take_actions() == action("step", "batch", "1"));
    instrument.press("field:task:run");
    CHECK(instrument.app.take_actions() == action("set", "task", "run"));
    instrument.press("reset:batch");
    CHECK(instrument.app.take_actions() == action("reset", "batch", ""));
    instrument.press("largest:batch");
    CHECK(instrument.app.take_actions() == action("set", "batch", "1024"));
    instrument.press("field:recipe");
    instrument.press("field:recipe:fp32");
    CHECK(instrument.app.take_actions() == action("set", "recipe", "fp32"));
    instrument.press("undo");
    CHECK(instrument.app.take_actions() == action("undo", "", ""));
}

TEST_CASE("what is typed is handed over as typed", "[ui]") {
    Instrument instrument(kDesktop, view_of({{"model", "gpt2"}}));
    instrument.press("field:length");
    CHECK(instrument.app.caret().width > 0);
    instrument.app.type("8k");
    instrument.settle();
    CHECK(instrument.app.take_actions() == action("set", "length", "8k"));
    instrument.key("Backspace");
    CHECK(instrument.app.take_actions() == action("set", "length", "8"));
    instrument.key("Backspace");
    CHECK(instrument.app.take_actions() == action("reset", "length", ""));
    instrument.press("field:batch");
    instrument.key("ArrowUp");
    CHECK(instrument.app.take_actions() == action("step", "batch", "1"));
}

TEST_CASE("a search lists what the page found, and Enter chooses", "[ui]") {
    Instrument instrument(kDesktop, view_of({{"model", "gpt2"}}));
    instrument.press("field:model");
    instrument.app.type("ll");
    instrument.settle();
    CHECK(instrument.app.take_actions() == action("search", "model", "ll"));
    const Options found{"model", "ll", {{"a/llama", "a/llama", "llama", "7B"}, {"b/llava", "b/llava", "llava", "13B"}}};
    REQUIRE(instrument.app.options(message_from(found)));
    instrument.settle();
    instrument.key("ArrowDown");
    instrument.key("Enter");
    CHECK(instrument.app.take_actions() == action("set", "model", "b/llava"));
    SECTION("a press chooses too") {
        instrument.press("open:model");
        CHECK(instrument.app.take_actions() == action("search", "model", ""));
        instrument.press("option:a/llama");
        CHECK(instrument.app.take_actions() == action("set", "model", "a/llama"));
    }
    SECTION("Escape and leaving choose nothing") {
        instrument.press("field:model");
        instrument.app.type("x");
        instrument.settle();
        instrument.key("Escape");
        CHECK(instrument.app.take_actions().find("set") == std::string::npos);
        CHECK(instrument.app.caret().width == 0);
    }
}

TEST_CASE("Tab visits every stop once and says when it would leave", "[ui]") {
    Instrument instrument(kDesktop, view_of({{"model", "gpt2"}, {"gpu", "4090"}}));
    instrument.app.enter(End::First);
    instrument.settle();
    CHECK(instrument.app.is_at(End::First));
    int stops = 1;
    for (; !instrument.app.is_at(End::Last) && stops < 200; ++stops)
        instrument.key("Tab");
    CHECK(stops > 20);
    CHECK(stops < 200);
    instrument.app.leave();
    instrument.settle();
    CHECK_FALSE(instrument.app.takes_keys());
    instrument.app.enter(End::Last);
    instrument.settle();
    CHECK(instrument.app.is_at(End::Last));
}

TEST_CASE("where the focus goes out of sight, the page is asked to follow", "[ui]") {
    Instrument instrument({390, 400, 1}, view_of({{"model", "gpt2"}, {"gpu", "4090"}}));
    float wanted = -1;
    for (int i = 0; i < 30 && wanted < 0; ++i) {
        instrument.app.key("Tab", Button::Down);
        instrument.app.key("Tab", Button::Up);
        for (int frame = 0; frame < 6; ++frame) {
            instrument.app.frame(0.016);
            if (instrument.app.wanted_scroll() >= 0) wanted = instrument.app.wanted_scroll();
        }
    }
    CHECK(wanted > 0);
}

TEST_CASE("terms lead to what explains them, by pointer and by keys", "[ui]") {
    ViewModel shown = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    Instrument instrument({1280, 6000, 1}, shown);
    const auto leads = [&](const std::string& widget, const std::string& term) {
        instrument.app.take_actions();
        instrument.press(widget);
        CHECK(instrument.app.take_actions() == action("learn", term, ""));
    };
    for (const char* heading : {"interval", "multiple", "largest", "numbers", "breakdown", "timeline", "parameters"})
        leads(std::string("learn:") + heading, heading);
    for (const NumberView& number : shown.numbers)
        leads("learn:" + number.key, number.key);
    for (const GroupView& group : shown.groups) {
        instrument.press("group:" + group.category);
        leads("learn:" + group.category, group.category);
        instrument.press("row:" + group.rows.at(0).key);
        leads("learn:confidence:row:" + group.rows[0].key, "confidence");
        instrument.press("group:" + group.category);
    }
    Inputs inputs = some_inputs();
    inputs.sections[0].fields[3].about = true;  // batch
    REQUIRE(instrument.app.inputs(message_from(inputs)));
    Panels panels = some_panels();
    panels.all[0].about = true;
    REQUIRE(instrument.app.panels(message_from(panels)));
    instrument.settle();
    leads("learn:batch", "batch");
    leads("learn:cards", "cards");
    SECTION("a term is a stop for Tab, and Enter follows it") {
        instrument.press("learn:numbers");
        instrument.key("Tab");  // shows where the focus is
        instrument.key("Tab");
        instrument.app.take_actions();
        instrument.key("Enter");
        CHECK(instrument.app.take_actions() == action("learn", shown.numbers.at(0).key, ""));
    }
    SECTION("names of fields are none: Tab goes from field to field") {
        const auto stops = [&] {
            instrument.app.leave();
            instrument.app.enter(End::First);
            instrument.settle();
            int count = 1;
            for (; !instrument.app.is_at(End::Last) && count < 200; ++count)
                instrument.key("Tab");
            return count;
        };
        const int with_names = stops();
        REQUIRE(instrument.app.inputs(message_from(some_inputs())));
        instrument.settle();
        CHECK(stops() == with_names);
    }
    SECTION("what the page does not explain is no button") {
        const std::string all = instrument.app.probe().widgets();
        CHECK(all.find("learn:length") == std::string::npos);
        CHECK(all.find("learn:pins") == std::string::npos);
    }
}

TEST_CASE("every number that is shown unfolds why it is so, and the page is asked for it once", "[ui]") {
    const Scenario scenario = scenario_of({{"model", "gpt2"}, {"gpu", "4090"}});
    const auto made = estimate(scenario);
    REQUIRE(made);
    for (const float width : {390.0f, 1280.0f}) {
        Instrument instrument({width, 9000, 1}, view_of({{"model", "gpt2"}, {"gpu", "4090"}}));
        instrument.app.take_actions();
        instrument.press("why:gauge:device_total");
        CHECK(instrument.app.take_actions() == action("why", "", ""));
        REQUIRE(instrument.app.reasons(message_from(Reasons{reason_views(*made, companions(*made))})));
        instrument.settle();
        CHECK(instrument.widget("learn:confidence:gauge:device_total").width > 0);
        for (const char* number : {"gauge:usable", "gauge:interval", "gauge:baseline", "fact:run", "fact:train",
                                   "fact:multiple", "fact:largest", "speed:throughput", "number:allocated",
                                   "number:reserved", "number:device_total", "number:usable"}) {
            const float before = instrument.app.content_height();
            instrument.press(std::string("why:") + number);
            CHECK(instrument.widget(std::string("learn:confidence:") + number).width > 0);
            CHECK(instrument.app.content_height() > before + 60);
        }
        CHECK(instrument.app.take_actions() == "");
        instrument.press("why:number:usable");
        CHECK(instrument.app.probe().widgets().find("learn:confidence:number:usable") == std::string::npos);
        // Another answer is explained anew.
        REQUIRE(instrument.app.view(message_from(view_of({{"model", "gpt2"}, {"gpu", "4090"}, {"batch", "2"}}))));
        instrument.settle();
        CHECK(instrument.app.take_actions().find(action("why", "", "")) != std::string::npos);
    }
}

TEST_CASE("a row unfolds its single tensors, and sorting by name sorts the rows of a group too", "[ui]") {
    const ViewModel shown = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    Instrument instrument({1280, 9000, 1}, shown);
    const auto group = std::find_if(shown.groups.begin(), shown.groups.end(),
                                    [](const GroupView& g) { return g.category == "weights"; });
    REQUIRE(group != shown.groups.end());
    instrument.press("group:weights");
    instrument.app.take_actions();
    const std::string key = group->rows.at(0).key;
    instrument.press("row:" + key);
    CHECK(instrument.app.take_actions() == action("tensors", key, ""));
    const float before = instrument.app.content_height();
    REQUIRE(instrument.app.tensors(message_from(
        RowTensors{key, {{"a.0", "4 × 4", "", "64 bytes", "1 %"}, {"a.1", "4 × 4", "", "64 bytes", "1 %"}}})));
    instrument.settle();
    CHECK(instrument.app.content_height() > before + 2 * 20);
    CHECK(instrument.app.take_actions() == "");
    instrument.press("row:" + key);
    const auto order = [&] {
        std::vector<std::pair<float, std::string>> out;
        for (const RowView& row : group->rows)
            out.emplace_back(instrument.widget("row:" + row.key).y, row.title);
        std::sort(out.begin(), out.end());
        return out;
    };
    CHECK(order()[0].second == group->rows[0].title);
    instrument.press("sort:name");
    const auto by_name = order();
    CHECK(std::is_sorted(by_name.begin(), by_name.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; }));
    CHECK(by_name.front().second != group->rows[0].title);
    instrument.press("sort:name");
    CHECK(order()[0].second == group->rows[0].title);
}

TEST_CASE("pointing at the bar says the category, its share and its amount", "[ui]") {
    const ViewModel shown = view_of({{"model", "meta-llama/Llama-3.1-8B"}, {"gpu", "H100 SXM5 80GB"}});
    Instrument instrument({1280, 9000, 1}, shown);
    const Box head = instrument.widget("sort:name");
    const int before = instrument.app.counts().vertices;
    float bar = 0;
    for (float y = head.y - 4; y > head.y - 120 && bar == 0; y -= 4) {
        instrument.app.point(head.x + 30, y);
        instrument.settle();
        if (instrument.app.counts().vertices != before) bar = y;
    }
    CHECK(bar != 0);
}

TEST_CASE("the timeline names every category of its picture, and asks what they hold where it is pointed at", "[ui]") {
    const ViewModel shown = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    Instrument instrument({1280, 9000, 1}, shown);
    CHECK(instrument.app.take_actions() == "");
    const float height = instrument.app.content_height();
    const Box plot = instrument.widget("timeline");
    instrument.app.point(plot.x + 3, plot.y + 20);
    instrument.settle();
    CHECK(instrument.app.take_actions() == action("moment", "0", "moment"));
    CHECK(std::fabs(instrument.app.content_height() - height) < 24);  // nothing jumps, a label may take two lines
}

TEST_CASE("an assumption leads to its field", "[ui]") {
    ViewModel shown = view_of({{"model", "gpt2"}});
    shown.assumptions = {{"Something", "1 GiB", "optimizer"}};
    Instrument instrument({390, 6000, 1}, shown);
    instrument.press("assume:optimizer");
    CHECK(instrument.widget("field:optimizer").width > 0);
}

TEST_CASE("a panel asks its page to unfold it and to do what its buttons say", "[ui]") {
    for (const float width : {390.0f, 1280.0f}) {
        Instrument instrument({width, 6000, 1}, view_of({{"model", "gpt2"}}));
        const auto action = [](std::string_view panel, std::string_view button) {
            Actions actions;
            actions.add("panel", panel, button);
            return actions.take();
        };
        const auto asked = [&](std::string_view widget) {
            instrument.app.take_actions();
            instrument.press(widget);
            return instrument.app.take_actions();
        };
        CHECK(asked("panel:pins:open") == action("pins", "open"));
        CHECK(asked("panel:cards:use 0:0") == action("cards", "use 0"));
        CHECK(asked("panel:cards:remove 0:1") == action("cards", "remove 0"));
        CHECK(asked("panel:cards:all") == action("cards", "all"));
    }
}

TEST_CASE("a name in a panel is typed, and counts with Enter", "[ui]") {
    Instrument instrument({1280, 6000, 1}, view_of({{"model", "gpt2"}}));
    instrument.press("panel:cards:name 1");
    instrument.app.take_actions();
    instrument.key("End");
    instrument.app.type(" of mine");
    instrument.settle();
    CHECK(instrument.app.take_actions() == "");
    instrument.key("Enter");
    CHECK(instrument.app.take_actions() == action("panel", "cards", "name 1 my pin of mine"));
}

TEST_CASE("names in Latin letters with marks are drawn as they are typed", "[ui]") {
    Instrument instrument(kDesktop, view_of({{"model", "gpt2"}}));
    for (const ImWchar letter : {ImWchar(0xFC), ImWchar(0xEF), ImWchar(0xD8), ImWchar(0x141), ImWchar(0x151)})
        CHECK(ImGui::GetIO().Fonts->Fonts[0]->IsGlyphInFont(letter));
}

TEST_CASE("the picture of a panel says where it is pointed at, pressed, and moved by keys", "[ui]") {
    Instrument instrument({1280, 6000, 1}, view_of({{"model", "gpt2"}}));
    const Box box = instrument.widget("panel:map:picture");
    instrument.app.take_actions();
    const float x = std::floor(box.x + box.width / 4), y = std::floor(box.y + box.height / 4);
    const auto part = [](float share) { return " " + std::to_string(static_cast<int>(share * 10000)); };
    const std::string place = part((x - box.x) / box.width) + part(1 - (y - box.y) / box.height);
    instrument.app.point(x, y);
    instrument.settle();
    CHECK(instrument.app.take_actions() == action("panel", "map", "at" + place));
    instrument.settle();
    CHECK(instrument.app.take_actions() == "");
    instrument.app.press(Button::Down);
    instrument.settle();
    instrument.app.press(Button::Up);
    instrument.settle();
    CHECK(instrument.app.take_actions() == action("panel", "map", "take" + place));
    instrument.app.point(0, 0);
    instrument.key("ArrowRight");
    CHECK(instrument.app.take_actions() == action("panel", "map", "move 1 0"));
    instrument.key("ArrowDown");
    CHECK(instrument.app.take_actions() == action("panel", "map", "move 0 -1"));
    instrument.key("Enter");
    CHECK(instrument.app.take_actions() == action("panel", "map", "take"));
}

TEST_CASE("what was pressed takes the arrow keys: the map's point and the timeline's instant move", "[ui]") {
    Instrument instrument({1280, 6000, 1}, view_of({{"model", "gpt2"}, {"gpu", "4090"}}));
    instrument.press("panel:map:picture");
    CHECK(instrument.app.takes_keys());
    instrument.app.take_actions();
    instrument.key("ArrowRight");
    CHECK(instrument.app.take_actions() == action("panel", "map", "move 1 0"));
    // The pointer rests on the timeline, and does not take the instant back.
    instrument.press("timeline:alive");
    instrument.press("timeline");
    CHECK(instrument.app.takes_keys());
    const auto instant = [&] {
        const std::string asked = instrument.app.take_actions();
        const std::size_t at = asked.rfind("moment\x1f");
        const std::size_t named = asked.rfind("moment\x1f", at - 1);
        return named == std::string::npos ? -1 : std::atoi(asked.c_str() + named + 7);
    };
    const int pressed = instant();
    REQUIRE(pressed > 0);
    instrument.key("ArrowRight");
    CHECK(instant() == pressed + 1);
    instrument.key("ArrowLeft");
    instrument.key("ArrowLeft");
    CHECK(instant() == pressed - 1);
    // What is held stays when the pointer goes over the picture and away, and is let go by a press on it.
    const Box plot = instrument.widget("timeline");
    const auto point = [&](float x, float y) {
        instrument.app.point(plot.x + x, plot.y + y);
        instrument.settle();
    };
    instrument.app.take_actions();
    point(3, 9);
    point(3, -200);
    CHECK(instrument.app.take_actions().empty());
    point(3, 9);
    instrument.click();
    CHECK(instant() == 0);
    instrument.click();
    point(plot.width / 2, 9);
    CHECK(instant() > 0);
}

TEST_CASE("numbers of parameters of any length have room, on a phone too", "[ui]") {
    for (const char* model : {"deepseek-ai/DeepSeek-V3", "meta-llama/Llama-3.1-405B", "gpt2"})
        for (const float width : {1280.0f, 390.0f, 360.0f}) {
            INFO(model << " at " << width);
            Instrument instrument({width, 60000, 1}, view_of({{"model", model}, {"gpu", "H100 SXM5 80GB"}}));
            for (const std::string& name : instrument.names("parameters:"))
                instrument.press(name);
            REQUIRE(instrument.names("parameters:").size() > 1);
            CHECK(instrument.app.probe().overflows() == "");
        }
}

TEST_CASE("the timeline is looked at more closely, drawn along, and left again", "[ui]") {
    const ViewModel shown = view_of({{"model", "gpt2"}, {"gpu", "4090"}});
    Instrument instrument({1280, 6000, 1}, shown);
    const auto ask = [&](std::string_view widget) {
        instrument.app.take_actions();
        instrument.press(widget);
        return instrument.app.take_actions();
    };
    const auto link = [](Word word) { return "timeline:" + std::to_string(static_cast<int>(word)); };
    const std::string worst = std::to_string(shown.timeline.worst);
    CHECK(ask("timeline:alive") == action("moment", worst, "moment"));
    RowView weights;
    weights.key = "weights.q_proj";
    weights.title = "Weights";
    weights.text = "474.7 MiB";
    weights.because = "each is kept";
    const Alive rows{{weights}, {{"weights", "Weights", "474.7 MiB", "100 %", 1}}};
    REQUIRE(instrument.app.alive(message_from(rows)));
    instrument.settle();
    CHECK(instrument.app.take_actions() == "");
    instrument.press("alive:weights.q_proj");
    CHECK(instrument.widget("learn:confidence:alive:weights.q_proj").width > 0);
    instrument.press("alive:weights.q_proj");
    CHECK(ask(link(Word::Closer)) == action("window", "#" + worst, ""));
    Part part{3000, 1000, 1234, shown.timeline};
    part.timeline.instants.resize(20);
    part.timeline.worst = 7;
    REQUIRE(instrument.app.part(message_from(part)));
    instrument.settle();
    CHECK(instrument.app.take_actions() == action("moment", "1007", "instant"));
    CHECK(ask(link(Word::Earlier)) == action("window", "1000", ""));
    CHECK(ask(link(Word::Later)) == action("window", "1020", ""));
    CHECK(ask(link(Word::Peak)) == action("window", "1234", ""));
    CHECK(ask(link(Word::Whole)) == action("window", "all", ""));
    SECTION("held and drawn to the left it shows what comes later") {
        const Box plot = instrument.widget("timeline");
        instrument.app.point(plot.x + plot.width / 2, plot.y + 20);
        instrument.settle();
        instrument.app.press(Button::Down);
        instrument.settle();
        instrument.app.take_actions();
        instrument.app.point(plot.x + plot.width / 2 - plot.width / 20 * 3.5f, plot.y + 20);
        instrument.app.frame(0.016);
        CHECK(instrument.app.take_actions().find(action("window", "1013", "")) != std::string::npos);
    }
    SECTION("another scenario shows its whole step") {
        REQUIRE(instrument.app.view(message_from(shown)));
        instrument.settle();
        CHECK(instrument.app.take_actions() == action("moment", worst, "moment"));
        CHECK(instrument.widget(link(Word::Closer)).width > 0);
    }
}

TEST_CASE("nothing that is pressed or typed breaks a frame, or needs what is left out of Dear ImGui", "[ui]") {
    constexpr const char* kKeys[] = {"Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home",
                                     "End", "Delete",    "Backspace",  " ",       "Enter",     "Escape",
                                     "a",   "c",         "x",          "y",       "z"};
    std::mt19937 random(11);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    for (const Screen screen : {kDesktop, Screen{390, 844, 3}, Screen{1, 1, 1}}) {
        Instrument instrument(screen, view_of({{"model", "gpt2"}, {"gpu", "4090"}}));
        for (int i = 0; i < 1200; ++i) {
            instrument.app.point(static_cast<float>(below(1400)), static_cast<float>(below(900)));
            switch (below(8)) {
                case 0:
                    instrument.app.press(Button::Down);
                    instrument.app.press(Button::Up);
                    break;
                case 1:
                    instrument.app.type("模型 8k\x01");
                    break;
                case 2:
                    instrument.key(below(2) == 0 ? "Tab" : "ArrowDown");
                    break;
                case 3:
                    instrument.app.scroll(static_cast<float>(below(4000)) - 100);
                    break;
                case 4:
                    instrument.app.wheel(0, 1);
                    break;
                case 5:
                    instrument.app.modifiers({below(2) == 0, below(2) == 0, below(4) == 0});
                    instrument.key(kKeys[below(static_cast<int>(std::size(kKeys)))]);
                    instrument.app.modifiers({});
                    break;
                case 6:
                    instrument.app.press(below(2) == 0 ? Button::Down : Button::Up);
                    break;
                default:
                    instrument.app.leave();
            }
            instrument.app.frame(0.016);
        }
        CHECK(instrument.app.counts().vertices <= 40'000);
    }
}

TEST_CASE("what Dear ImGui sorts is sorted, and equal ones stay in order", "[ui]") {
    struct Row {
        int key;
        int place;
    };
    std::vector<Row> rows;
    for (int i = 0; i < 100; ++i)
        rows.push_back({i * 37 % 11, i});
    std::vector<Row> expected = rows;
    std::stable_sort(expected.begin(), expected.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
    imgui_sort(rows.data(), rows.size(), sizeof(Row), [](const void* a, const void* b) {
        return static_cast<const Row*>(a)->key - static_cast<const Row*>(b)->key;
    });
    for (std::size_t i = 0; i < rows.size(); ++i)
        CHECK(rows[i].place == expected[i].place);
    imgui_sort(nullptr, 0, sizeof(Row), nullptr);
}

TEST_CASE("a sine is as exact as a float, over some turns", "[ui]") {
    for (int i = -4000; i <= 4000; ++i)
        CHECK(std::fabs(sine(i * 0.01) - std::sin(i * 0.01)) < 1e-8);
}

TEST_CASE("what Dear ImGui formats is formatted as the C library does it", "[ui]") {
    const auto same = [](const char* format, auto... values) {
        char ours[24], theirs[24];
        const int length = ImFormatString(ours, sizeof ours, format, values...);
        std::snprintf(theirs, sizeof theirs, format, values...);
        INFO(format);
        CHECK(std::string(ours) == theirs);
        CHECK(length == static_cast<int>(std::strlen(theirs)));
        CHECK(ImFormatString(nullptr, 0, format, values...) == std::snprintf(nullptr, 0, format, values...));
    };
    same("%s/%s_%08X", "parent", "child", 0xBEEFu);
    same("%d of %3d, %03d, %i%%", -7, 5, -5, 0);
    same("%.*s|%.2s|%c", 3, "abcdef", "xyz", 'q');
    same("%u %x", 4294967295u, 48879u);
    char cut[6];
    CHECK(ImFormatString(cut, sizeof cut, "%s", "longer") == 5);
    CHECK(std::string(cut) == "longe");
}
