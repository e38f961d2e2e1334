// Is a result right, as far as bounds of rounding errors say? For the interpreter of programs, which computes such
// bounds; runs of bundles are judged otherwise (runtime/data/judge.h). Integers must be equal. A floating-point value may differ
// from the wider reference by what its plan's rounding explains (Higham, Accuracy and
// Stability of Numerical Algorithms, 2002, sections 3.1 and 3.3):
//   |got - reference| <= g * magnitude + u * (|reference| + g * magnitude),
//   g = d*u / (1 - d*u)
// with d the longest chain of dependent roundings, u the unit roundoff of the
// element type and magnitude the bound of absolute values that the reference
// computes beside its values. The second term is the rounding of the result when
// it is stored: the reference's cell is wider. NaN only equals NaN, an infinity
// itself. A magnitude that is negative, infinite or NaN bounds nothing: where a
// value is not exact, that is a failure of the check, and not a wrong result. So is
// an infinity or NaN where the magnitude is above the largest number of the type:
// one order of the terms may overflow and another not.
#pragma once

#include "runtime/data/reference.h"

namespace tangram::runtime {

/// Bytes of one cell of the values that results are compared with: wider for floating point (float in double, double
/// in long double).
std::size_t referenceCellBytes(ir::Scalar element);

/// The values that results are compared with, one entry per output.
struct ReferenceValues {
  Values values; ///< in cells of referenceCellBytes
  /// Sums of magnitudes for the error bound; empty when rounding does not matter.
  Values magnitudes;
};

struct Mismatch {
  std::string output;          ///< which output
  std::uint64_t differing = 0; ///< how many of its elements are wrong
  std::uint64_t count = 0;     ///< of how many
  std::uint64_t first = 0;     ///< row-major index of the first wrong one
  std::string place;           ///< the same as an index: "4", "(1, 0)"
  std::string got, expected;
  std::string bound; ///< how far it may be off; empty for integers

  /// "result: got 3, expected 4" or "out: 2 of 10 elements differ, the first at
  /// 4: got 1.5, expected 1.25 (bound 1e-07)"; "at (1, 0)" in more dimensions.
  std::string text() const;
};

/// The outputs of integers that differ, in order.
std::vector<Mismatch> compareExactly(const std::vector<Output> &outputs, const Values &got,
                                     const Values &expected);

/// The factor g for an element type and a depth. Error (Fault::Refused) when
/// d*u >= 1: the bound would accept anything.
Result<double> roundingFactor(ir::Scalar element, std::uint64_t depth);

/// The outputs that are wrong, in order. Errors: that of roundingFactor, and Fault::Failed
/// when an error bound could not be computed (and nothing is wrong that has one). `got` is parallel
/// to `outputs`. `depths` are the plan's rounding depths by the outputs' types; none for integers.
Result<std::vector<Mismatch>> compareOutputs(const std::vector<Output> &outputs,
                                             const std::vector<HostMemory> &got,
                                             const ReferenceValues &reference,
                                             const std::map<ir::Scalar, std::uint64_t> &depths);

/// All of them, separated by "; ".
std::string text(const std::vector<Mismatch> &mismatches);

} // namespace tangram::runtime
