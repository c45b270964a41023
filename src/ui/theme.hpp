// Theme: colours and type of the canvas.
//
// Colours are the page's own: the style sheet's custom properties (web/style.css), named by ink_key() and sent by
// the page again when it changes between light and dark. Categories have the names of the ledger's. Type is
// Inter in two weights, embedded; sizes are CSS pixels of the em square with a leading, on a 4-px grid.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

struct ImFont;

namespace memwall {

// clang-format off
enum class Ink : std::uint8_t {
    Ground, Panel, Raised, Ink, Quiet, Rule, Edge, Accent, AccentInk, AccentWash, Good, Warning, Bad, Neutral, GoodWash,
    WarningWash, BadWash, NeutralWash, Track,
    // Categories, in ledger order
    Weights, Gradients, MasterWeights, OptimizerState, Activations, Logits, WeightCasts, KvCache, Inputs, Buffers,
    Temporaries, Communication, AllocatorSlack, Framework, InUseByOthers,
};
// clang-format on
constexpr int kInks = static_cast<int>(Ink::InUseByOthers) + 1;
std::string_view ink_key(Ink);
// Of a category by its name; an unknown one is neutral.
Ink category_ink(std::string_view category);
// Of a verdict's role ("good", "warning", "bad", "neutral") and of the ground behind it.
Ink role_ink(std::string_view role);
Ink role_wash(std::string_view role);

enum class Weight : std::uint8_t { Regular, SemiBold };
struct TextStyle {
    Weight weight;
    float size;     // of the em square, in CSS pixels
    float leading;  // from one line to the next
};
constexpr TextStyle kBody{Weight::Regular, 14, 20}, kBodyBold{Weight::SemiBold, 14, 20};
constexpr TextStyle kSmall{Weight::Regular, 13, 20}, kSmallBold{Weight::SemiBold, 13, 20};
constexpr TextStyle kTiny{Weight::Regular, 12, 16}, kTinyBold{Weight::SemiBold, 12, 16};
constexpr TextStyle kFigure{Weight::SemiBold, 20, 28};
constexpr TextStyle kHeading{Weight::SemiBold, 16, 24};

// Files of a font, which stay where they are as long as they are drawn with.
struct Fonts {
    std::string_view regular, semibold;
};

class Theme {
  public:
    // Fonts into the current ImGui context, and its style; once.
    void start(const Fonts&);
    // 0xRRGGBB each, in the order of Ink; false when there are not exactly as many.
    bool set(const std::vector<std::uint32_t>& colours);

    std::uint32_t operator[](Ink id) const { return colours_[static_cast<std::size_t>(id)]; }
    // The same with another opacity, 0 to 1.
    std::uint32_t faint(Ink id, float opacity) const;
    ImFont* font(Weight weight) const { return weight == Weight::Regular ? regular_ : semibold_; }
    // What ImGui calls a font's size, of a size of the em square.
    static float font_size(float em) { return em * kHeightOfEm; }

  private:
    void apply() const;

    // Inter's ascender and descender together, in ems.
    static constexpr float kHeightOfEm = 3408.0f / 2816.0f;
    std::vector<std::uint32_t> colours_ = std::vector<std::uint32_t>(kInks, 0xff808080);
    ImFont* regular_ = nullptr;
    ImFont* semibold_ = nullptr;
};

}  // namespace memwall
