// What a size expression can be when its names are only known to lie in ranges: so that values which
// no constraint can allow are left out before they are combined with others.
#pragma once

#include "algebra/size_expression.h"

#include <map>
#include <optional>
#include <string>

namespace tangram::algebra {

/// Both ends included.
struct SizeInterval {
  __int128 low = 0;
  __int128 high = 0;
  bool contains(__int128 value) const { return low <= value && value <= high; }
  bool operator==(const SizeInterval &) const = default;
};

/// What the names of an expression may stand for; one that is not here has no value.
using SizeRanges = std::map<std::string, SizeInterval>;

/// An interval with all the values that `expression` has for names within `ranges`, and perhaps more;
/// exact where every range is one number. Nothing: it has no value for any of them (a division by 0, a
/// name without a value).
std::optional<SizeInterval> boundsOf(const SizeExpression &expression, const SizeRanges &ranges);

} // namespace tangram::algebra
