// Sine for angles of a few turns, to the precision of a float. The C library's is exact for any angle, which takes 3
// KB.
#pragma once

#include <cmath>

namespace memwall {

inline double sine(double radians) {
    constexpr double kTurn = 6.283185307179586;
    double x = radians - kTurn * std::nearbyint(radians / kTurn);
    // The second and third quarter mirror the first and the fourth.
    if (std::fabs(x) > kTurn / 4) x = (x > 0 ? kTurn / 2 : -kTurn / 2) - x;
    const double square = x * x;
    constexpr double kDivisors[] = {156, 110, 72, 42, 20, 6};
    double series = 1;
    for (const double divisor : kDivisors)
        series = 1 - series * square / divisor;
    return x * series;
}

}  // namespace memwall
