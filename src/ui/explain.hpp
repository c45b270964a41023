// Explain: numbers that can be pressed, and what stands behind them: formula, numbers, result, reason, source,
// confidence, and the single tensors of a row. The page is asked for what a view does not have.
#pragma once
#include <initializer_list>
#include <string_view>

#include "ui/widgets.hpp"

namespace memwall {

enum class Behind : std::uint8_t { Reasons, ReasonsAndTensors };

// `place` tells rows of equal keys apart: "row", "alive", "gauge".
void draw_reasons(Stage&, const Widgets&, Column&, std::string_view place, const RowView&, Ink category, Behind);

// Tensors with their shapes and sizes, a line each.
void draw_tensors(Stage&, const Paint&, Column&, const std::vector<ParameterView>&);

// The number that is drawn in the box: it is underlined, and unfolds why it is so.
void explainable(Stage&, const Widgets&, std::string_view place, std::string_view key, Box);
// What is unfolded of a place's numbers.
void draw_explained(Stage&, const Widgets&, Column&, std::string_view place,
                    std::initializer_list<std::string_view> keys);

}  // namespace memwall
