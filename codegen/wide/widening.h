// Widening: a program whose floating-point numbers are wider, and nothing else of it another. What it
// computes is compared with what the program computes: a difference that wider numbers do not make
// smaller is no rounding error (docs/bundle.md, "In wider numbers").
//
//   floating-point outputs     float, or there are none    some are double
//   _Float16, float            double                      double where the reference uses such, else as they are
//   double                     double                      __float128
//
// A literal keeps its value: 0.1f is the number that it was, and FLT_MAX that of float.
#pragma once

#include "ir/program.h"
#include "ir/variable_map.h"

#include <optional>

namespace tangram::codegen {

/// The type that each floating-point type is widened to.
struct WiderTypes {
  ir::Scalar f16 = ir::Scalar::F64;
  ir::Scalar f32 = ir::Scalar::F64;
  ir::Scalar f64 = ir::Scalar::F64;

  ir::Scalar of(ir::Scalar type) const;
  bool needs128Bits() const { return f64 == ir::Scalar::F128; }
};

/// The wider types for a spectrum. Nothing: the spectrum and its callees have no floating-point numbers, or it has no
/// reference codelet.
std::optional<WiderTypes> widerTypes(const ir::Program &program, const ir::Spectrum &spectrum);

/// Rebuilds what it is given in wider types. A variable becomes the same one wherever it is met.
class Widener {
public:
  explicit Widener(const WiderTypes &types) : types_(types) {}

  ir::Type type(ir::Type type) const;
  ir::VarPtr variable(const ir::VarPtr &var);
  ir::ExprPtr expression(const ir::ExprPtr &e);
  ir::StmtPtr statement(const ir::StmtPtr &s);

private:
  ir::ExprPtr node(const ir::ExprPtr &e);

  WiderTypes types_;
  ir::VariableMap<ir::VarPtr> variables_;
};

ir::Program widened(const ir::Program &program, const WiderTypes &types);

} // namespace tangram::codegen
