// Kinds of generated data. Each finds mistakes that the others hide: ordinary data never overflow, hardly ever tie and
// are never in order.
#pragma once

#include "runtime/session/result.h"

#include <string>
#include <vector>

namespace tangram::runtime {

enum class DataKind {
  Ordinary, ///< small integers, floating point in [-1, 1): what is timed
  Full, ///< integers over the whole range of their type, its ends and powers of two among them; floating point of
        ///< many magnitudes, whole numbers among them
  Few, ///< at most four different values, also in runs, or the same one everywhere; zeros of both signs
  Sorted,    ///< ascending, with and without ties
  Reversed,  ///< descending, the same
  Edges,     ///< the ends of what a contract or the type allows; numbers of one sign alone
  Special,   ///< NaN, infinities, subnormal numbers and zeros of both signs among ordinary ones
  Constants, ///< numbers that the source names, their neighbours and negatives, alone or among others; larger floating-point
             ///< ones of one sign, too. As Full if the source names none
};

/// "ordinary", "full", ...
std::string name(DataKind kind);

/// All but Special, Ordinary first: what verification takes when nobody chooses.
const std::vector<DataKind> &usualKinds();

/// "full,few"; "usual" stands for all usual ones. No kind is in the list twice.
/// Error (Fault::Usage): "--data fulll: expected ordinary, full, few, sorted, reversed, edges, constants, special or
/// usual; did you mean full?".
Result<std::vector<DataKind>> parseKinds(const std::string &text);

} // namespace tangram::runtime
