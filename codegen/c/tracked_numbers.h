// What a reference computes with in place of floating-point numbers: C++ that carries, beside
// each number, what a check needs to judge the results of plans.
//
//   own        the number in the codelet's own type: what comparisons, conversions to
//              integers and floor decide by, so that they decide as the codelet does
//   wide       the same in wider precision: what results are compared with
//   magnitude  at least |wide|, and a bound, to first order, of what each rounding on the way can
//              have changed (a running error analysis: Higham, Accuracy and Stability of Numerical
//              Algorithms, 2002, section 3.3)
//   roundings  on the longest path to it, in units of its own type
//
// With M for the magnitude:
//   M(literal), M(input) = |.|     M(-a) = M(a)     M(a + b) = M(a - b) = M(a) + M(b)
//   M(a * b) = M(a) * M(b)         M(a / b) = M(a) / |b| * (M(b) / |b|)
//     or, where that is less, |b| * M(a) + |a| * M(b), of a quotient M(a) / |b| + |a / b| * (M(b) / |b|), and
//     what the errors of both make of each other, 4 * r * u of the product above after r roundings of u: so that
//     M of what is divided by what it is made of, round after round, grows as its error does
//   M(max(a, b)), M(c ? a : b) where c compares floating-point numbers = the larger one
// Of library functions, the derivative of exp, log, sqrt and their kin is taken into account, that
// of the others as if it were 1: right for sin, cos, tanh, atan, not a bound near the poles of tan
// or the jumps of floor. Nor is there a bound for an `if` or a loop that rounding sends another way.
#pragma once

#include <set>
#include <string>

namespace tangram::codegen {

/// The types tangram_float and tangram_double, their operators, and the functions named.
std::string trackedNumbers(const std::set<std::string> &functions);

/// What the function of C's library that an expression calls is there: "tangram_sqrt".
std::string trackedFunction(const std::string &function);

} // namespace tangram::codegen
