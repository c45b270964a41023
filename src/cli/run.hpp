// run(): the command line as a function, so that tests call what people call.
//
// Arguments in, texts and exit status out; files and standard input are reached through Machine. With
// --json standard output holds nothing but JSON, errors included, and standard error nothing.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace memwall {

enum class ExitStatus : std::uint8_t { Fits = 0, DoesNotFit = 1, BadInput = 2, Tight = 3, CannotSay = 4 };
inline constexpr ExitStatus kDone = ExitStatus::Fits;  // of verbs without a verdict

enum class Style : std::uint8_t { Plain, Colour };

struct Machine {
    Result<std::string> (*read_file)(std::string_view path) = nullptr;  // "-": standard input
    Style style = Style::Plain;
};

struct CliResult {
    ExitStatus status = kDone;
    std::string out, err;
};

CliResult run(std::span<const std::string_view> arguments, const Machine&);

}  // namespace memwall
