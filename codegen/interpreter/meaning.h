// What a spectrum means, for given arguments: its first autonomous codelet executed as it is
// written, on one worker.
//
// Floating point is computed twice. What decides (comparisons, conversions to integers) is computed
// in the codelet's own types, as every plan computes it; the value is computed wider, and beside it
// a magnitude that bounds what roundings can have changed, by the rules of
// codegen/kernel/magnitude.h, and the longest chain of roundings that a value depends on.
#pragma once

#include "codegen/interpreter/reports.h"
#include "ir/program.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tangram::codegen {

struct MeaningNumber {
  ir::Scalar type = ir::Scalar::I32;
  bool written = false;
  std::int64_t integer = 0; ///< sign- or zero-extended
  double narrow = 0;        ///< in the codelet's own type
  long double wide = 0;
  long double magnitude = 0;
  double depth = 0; ///< roundings, of its type
};

struct MeaningContainer {
  std::vector<std::uint64_t> shape;
  std::vector<MeaningNumber> cells; ///< row-major
};

struct Meaning {
  std::vector<MeaningContainer> containers; ///< one a parameter; a scalar has one cell
  std::optional<MeaningNumber> result;
  std::vector<Report> reports; ///< a codelet that has any means nothing
};

/// Elements of type `type` from how C keeps them; all of them written.
std::vector<MeaningNumber> numbersIn(const std::vector<std::byte> &bytes, ir::Scalar type);

/// `arguments`: one a parameter. `steps`: expressions to evaluate before it is given up.
Meaning meaningOf(const ir::Program &program, const ir::Spectrum &spectrum,
                  const ir::Codelet &codelet, std::vector<MeaningContainer> arguments,
                  std::uint64_t steps = 50'000'000);

} // namespace tangram::codegen
