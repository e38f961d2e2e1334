// Is a plan right, and how accurate is it? Two questions, asked apart, of four computations of one problem:
// the reference and the plan in their own numbers, and both in wider ones (float in double, double in 128 bits).
//
//   The same function: the wide plan P against the wide reference R, element by element,
//     |P - R| <= 1e-9 |R| + 16 r (n(P) + n(R))
//   with r the ratio of the unit roundoffs of wide and narrow numbers, and n the noise of a computation: how far
//   roundings carry that are as large as those of narrow numbers. Scaled by r it is what wide numbers lose there.
//
//   Only rounding: the narrow plan p against the wide plan,
//     |p - P| <= 16 n(R) + (16 + d) u |P| + tiny
//   with u the unit roundoff, and d the longest chain of roundings of the plan, d u no more than 0.01.
//
// Noise is measured, in steps that cost more and more, as long as an element is beyond its bound:
//   - how far the narrow result is from the wide one, a sample of it that is there already;
//   - P with inputs moved by an ulp of a narrow number;
//   - P and R once more with inputs moved so, each result of an operation rounded to a narrow number, up or down at
//     random (codegen/wide/roundings.h).
//
// An element of the wide plan that differs is wrong, unless the narrow plan and the narrow reference agree about it bit
// for bit (a comparison went another way in wider numbers: "decided differently"), or its wide runs with inputs moved by
// ulps of wide numbers differ as much (a chaotic computation: "not comparable"). An element of the narrow plan that
// differs is "inaccurate" where the plan's own noise explains it, and wrong otherwise.
//
// The same bytes as the reference need no wide numbers. NaN and infinities of the reference are counted; where they
// are more than a tenth of the results, and no input has them, nothing is said.
#pragma once

#include "runtime/data/reference.h"
#include "runtime/data/verification.h"

#include <memory>

namespace tangram::runtime {

/// A way to compute the outputs of a problem. Sampled: in wider numbers, with results of operations rounded at random.
enum class Way { Reference, Plan, WideReference, WidePlan, SampledReference, SampledPlan };

/// How inputs are moved: each floating-point number by an ulp or some, up or down, as its value and `number` say.
struct Move {
  unsigned number = 0;     ///< 0: not moved
  unsigned ulps = 1;       ///< at most
  bool byWideUlps = false; ///< otherwise ulps of the problem's own types
};

using SharedValues = std::shared_ptr<const Values>;

/// Where results come from. Each run is made when it is asked for.
class Runs {
public:
  virtual ~Runs() = default;
  virtual Result<SharedValues> of(Way way, const Move &move) = 0;
};

/// Facts about the inputs of a problem.
struct InputFacts {
  bool areEmpty = false;  ///< no container has an element
  bool notFinite = false; ///< some are NaN or infinite
  std::optional<ir::Scalar>
      coarsest; ///< the floating-point type with the longest ulps; none: nothing moves
};

struct JudgedCase {
  std::vector<Output> outputs;
  std::vector<ir::Scalar> wideTypes; ///< of the outputs in wider numbers
  std::uint64_t depth = 0;           ///< the plan's longest chain of roundings
  InputFacts inputs;
  std::string otherInputs; ///< what to give where results are NaN: "smaller values by --input"
};

/// The first part alone: whether all bytes are those of the reference, and how many are numbers. NotComparable
/// where too many are none.
Verification compareBits(const JudgedCase &asked, const Values &plan, const Values &reference);

/// Errors: those of `runs`.
Result<Verification> judge(const JudgedCase &asked, Runs &runs);

} // namespace tangram::runtime
