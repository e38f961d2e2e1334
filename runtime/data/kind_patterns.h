// Patterns of generated data: the value of element i, for each kind but the ordinary one. A kind has four variants;
// consecutive seeds take them in turn, so that a few seeds see all of them.
#pragma once

#include "runtime/bundle/named_numbers.h"
#include "runtime/data/data_kind.h"

#include <cstdint>
#include <vector>

namespace tangram::runtime {

/// Where in its sequence of values a container is.
struct PatternPlace {
  DataKind kind = DataKind::Full;
  std::uint64_t seed = 1, stream = 0;
  std::uint64_t count = 1; ///< elements

  std::uint64_t state() const;
  unsigned variant() const { return static_cast<unsigned>((seed + stream) % 4); }
  /// Few: which of the values element i is. Also in runs, or always the first.
  std::uint64_t choice(std::uint64_t i, std::uint64_t random) const;
  /// Sorted and Reversed: which element of the ascending sequence element i is; several are one where there are ties.
  std::uint64_t rank(std::uint64_t i) const;
  /// Constants: whether element i is one of the constants. By variant these are every second element, all, few, or runs.
  bool isConstant(std::uint64_t i, std::uint64_t random) const;
};

/// The named numbers and their neighbours as floating-point numbers of both signs, as far as they are in [low, high).
std::vector<double> nearNamed(const NamedNumbers &named, double low, double high);

/// Integers within [low, high].
class IntegerPattern {
public:
  /// `usualLow`, `usualHigh`: within [low, high], what ordinary data are within; half of the sorted data are.
  IntegerPattern(const PatternPlace &place, __int128 low, __int128 high, __int128 usualLow,
                 __int128 usualHigh, const NamedNumbers &constants);

  __int128 operator()(std::uint64_t i, std::uint64_t random) const;

private:
  __int128 uniform(std::uint64_t random) const;
  __int128 near(__int128 value) const; ///< the nearest that is allowed
  __int128 full(std::uint64_t random) const;
  __int128 nearPowerOfTwo(std::uint64_t random) const;
  __int128 few(std::uint64_t i, std::uint64_t random) const;
  __int128 edge(std::uint64_t random) const;
  __int128 inOrder(std::uint64_t i) const;
  __int128 constant(std::uint64_t i, std::uint64_t random) const;

  PatternPlace place_;
  std::uint64_t state_;
  std::vector<__int128> constants_; ///< named numbers and their neighbours
  __int128 low_, high_, usualLow_, usualHigh_;
};

/// Floating-point numbers; finite but for Special. A float is the double rounded.
class FloatPattern {
public:
  /// `isFloat`: the element is a float, whose extremes Special has.
  FloatPattern(const PatternPlace &place, bool isFloat, const NamedNumbers &constants);

  double operator()(std::uint64_t i, std::uint64_t random) const;

private:
  double full(std::uint64_t random) const;
  double few(std::uint64_t i, std::uint64_t random) const;
  double edge(std::uint64_t random) const;
  double inOrder(std::uint64_t i) const;
  double special(std::uint64_t random) const;
  double constant(std::uint64_t i, std::uint64_t random) const;

  PatternPlace place_;
  std::uint64_t state_;
  bool isFloat_;
  std::vector<double> constants_; ///< named numbers and their neighbours
  double beyond_ = 16;            ///< the least magnitude of numbers beyond the constants
};

} // namespace tangram::runtime
