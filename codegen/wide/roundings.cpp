#include "codegen/wide/roundings.h"

#include "codegen/printing/rounding_functions.h"

#include <map>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Errors of math functions in ulps, as OpenCL bounds them (OpenCL C 3.0, table 45): libraries for processors are more
/// accurate. What is correctly rounded or exact everywhere is not in the list.
unsigned ulpsOf(const std::string &function) {
  static const std::map<std::string, unsigned> bounds{
      {"cbrt", 2}, {"exp", 3},   {"exp2", 3},  {"expm1", 3}, {"log", 3},
      {"log2", 3}, {"log10", 3}, {"log1p", 2}, {"sin", 4},   {"cos", 4},
      {"tan", 5},  {"asin", 4},  {"acos", 4},  {"atan", 5},  {"sinh", 4},
      {"cosh", 4}, {"tanh", 5},  {"asinh", 4}, {"acosh", 4}, {"atanh", 5},
      {"erf", 16}, {"erfc", 16}, {"pow", 16},  {"atan2", 6}, {"hypot", 4}};
  const auto found = bounds.find(function);
  return found == bounds.end() ? 0 : found->second;
}

class Marker {
public:
  Marker(const NarrowType &narrow, const std::set<std::string> &helpers)
      : narrow_(narrow), helpers_(helpers) {}

  StmtPtr statement(const StmtPtr &s) const {
    const StmtPtr plain = rewrite(s, [&](const StmtPtr &each) { return withoutCompound(each); });
    return mapExprs(plain, [&](const ExprPtr &e) { return expression(e); });
  }

private:
  /// s = s + x in the place of s += x.
  StmtPtr withoutCompound(const StmtPtr &s) const {
    if (s->kind != StmtKind::Assign || s->op == "=" || to(s->target->type) == Scalar::Void)
      return s;
    const ExprPtr sum = binary(s->op.withoutAssignment(), s->target, s->value, s->location);
    const Scalar type = s->target->type.scalar;
    return assign(s->target, "=", sum->type.scalar == type ? sum : cast(type, sum), s->location);
  }

  ExprPtr expression(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) { return marked(each); });
  }

  ExprPtr marked(const ExprPtr &e) const {
    const Scalar type = to(e->type);
    if (type == Scalar::Void)
      return e;
    const auto result = [&](unsigned ulps) {
      return call(roundingName("result", type), e->type, {e, intLiteral(ulps, Scalar::I32)});
    };
    switch (e->kind) {
    case ExprKind::Binary:
      if (e->op == "+" || e->op == "-")
        return call(roundingName(e->op == "+" ? "sum" : "difference", type), e->type, e->args);
      return result(0);
    case ExprKind::Cast:
      return e->args[0]->type.scalar == e->type.scalar ? e : result(0);
    case ExprKind::Call:
      if (helpers_.contains(e->callee) ||
          (ulpsOf(e->callee) == 0 && e->callee != "sqrt" && e->callee != "fma"))
        return e;
      return result(ulpsOf(e->callee));
    default:
      return e;
    }
  }

  Scalar to(const Type &type) const {
    return type.isContainer() || type.lanes > 1 ? Scalar::Void : narrow_(type.scalar);
  }

  const NarrowType &narrow_;
  const std::set<std::string> &helpers_;
};

} // namespace

NarrowType rounded(const WiderTypes &types) {
  return [types](Scalar type) {
    const bool isOne = type == Scalar::F32 || type == Scalar::F64;
    return isOne && types.of(type) != type ? type : Scalar::Void;
  };
}

NarrowType roundedInWide(const WiderTypes &types) {
  return [types](Scalar type) {
    if (type == Scalar::F64 && types.f32 == Scalar::F64)
      return Scalar::F32;
    return type == Scalar::F128 ? Scalar::F64 : Scalar::Void;
  };
}

StmtPtr withRoundings(const StmtPtr &s, const NarrowType &narrow,
                      const std::set<std::string> &helpers) {
  return Marker(narrow, helpers).statement(s);
}

Program withRoundings(Program program, const NarrowType &narrow) {
  const std::set<std::string> helpers = functionNames(program);
  const Marker marker(narrow, helpers);
  for (Spectrum &spectrum : program.spectrums) {
    for (Codelet &codelet : spectrum.codelets)
      codelet.body = marker.statement(codelet.body);
  }
  for (Function &function : program.functions)
    function.body = marker.statement(function.body);
  return program;
}

std::set<std::string> functionNames(const Program &program) {
  std::set<std::string> names;
  for (const Function &function : program.functions)
    names.insert(function.name);
  return names;
}

} // namespace tangram::codegen
