// What rounding errors are relative to: code that computes, beside every
// floating-point value v, a magnitude that is at least |v| and bounds, to first
// order, what each rounding on the way to v can have changed (a running error
// analysis: Higham, Accuracy and Stability of Numerical Algorithms, 2002, section
// 3.3). The error of v is then at most g * magnitude (runtime/compare.h).
//
// True values are computed as before, so conditions, indexes and conversions to
// integers are those of the reference. With M(v) for the magnitude of v:
//
//   M(literal), M(parameter), M(element of an input) = |.|     M(-a) = M(a)
//   M(a + b) = M(a - b) = M(a) + M(b)                          M(a * b) = M(a) * M(b)
//   M(a / b) = M(a) / |b| * (M(b) / |b|)                       M(max(a, b)) = the larger one
//   M(c ? a : b) = the larger one where c compares floating-point values and both
//   can be evaluated, else that of the value chosen
//
// Of library functions, the derivative of exp, log, sqrt and their kin is taken
// into account, that of the others as if it were 1: right for sin, cos, tanh, atan,
// not a bound near the poles of tan or the jumps of floor. Nor is there a bound for
// an `if` or a loop that rounding sends another way than the reference went.
#pragma once

#include "ir/program.h"

#include <map>
#include <set>
#include <string>

namespace tangram::codegen {

class Magnitudes {
public:
  /// Name of what computes the magnitude of a helper function's result: it takes the function's
  /// parameters and then a magnitude for each that is floating point.
  static std::string nameOf(const std::string &function) { return "magnitude_of_" + function; }

  /// `functions`: the helper functions whose calls may be met.
  explicit Magnitudes(std::set<std::string> functions) : functions_(std::move(functions)) {}

  /// Declares `twin` to hold the magnitudes of `var`: of a parameter that comes with them.
  void pair(const ir::VarPtr &var, const ir::VarPtr &twin) { twins_[var.get()] = twin; }
  /// A new variable for the magnitudes of `var`, named after it.
  static ir::VarPtr twinOf(const ir::VarPtr &var);

  /// `body` with the magnitudes computed beside the values, returning a magnitude where it returned
  /// a value of type `result` (unless that is no floating-point type). Parameters `params` that
  /// hold one floating-point value and are not paired are inputs: their magnitude is |.|.
  ir::StmtPtr body(const ir::StmtPtr &body, const std::vector<ir::VarPtr> &params,
                   ir::Scalar result);

private:
  ir::StmtPtr statement(const ir::StmtPtr &s, ir::Scalar result);
  static ir::StmtPtr loop(const ir::StmtPtr &s);
  ir::ExprPtr as(ir::Scalar type, const ir::ExprPtr &e) const;
  ir::ExprPtr of(const ir::ExprPtr &e) const;
  ir::ExprPtr ofBinary(const ir::Expr &e) const;
  ir::ExprPtr ofSelect(const ir::Expr &e) const;
  ir::ExprPtr ofCall(const ir::ExprPtr &e) const;
  /// Where the magnitude of an assigned variable or element is kept.
  ir::ExprPtr place(const ir::ExprPtr &target) const;

  std::set<std::string> functions_;
  std::map<const ir::Var *, ir::VarPtr> twins_;
};

} // namespace tangram::codegen
