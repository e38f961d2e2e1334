// Ranges of floating-point numbers that a contract allows, and numbers in them.
#pragma once

#include "runtime/bundle/named_numbers.h"
#include "runtime/data/data_kind.h"
#include "runtime/data/host_array.h"

#include <cstdint>
#include <string>

namespace tangram::runtime {

/// The numbers from `low` on that are less than `high`.
struct RealRange {
  double low = 0, high = 0;

  RealRange common(const RealRange &other) const;
  /// Whether no number of a type is in it.
  bool isEmpty(ir::Scalar element) const;
  /// Makes elements outside of it the nearest ones that are inside. NaN stays.
  void clamp(ir::Scalar element, HostMemory &memory) const;
};

/// Fills `array` with numbers in a range that is not empty. Ordinary ones are those of [-1, 1) in it, where there are any;
/// the other kinds have its ends, magnitudes between them and few different values as for numbers without a range.
void generateReals(HostArray &array, const RealRange &range, std::uint64_t seed,
                   std::uint64_t stream, DataKind kind, const NamedNumbers &constants = {});

/// "0.01", "1e+06": the fewest digits that say which number it is.
std::string shortest(double value);

} // namespace tangram::runtime
