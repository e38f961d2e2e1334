#include "codegen/wide/widening.h"

#include "codegen/analysis/called_functions.h"
#include "composer/analysis/sites.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The floating-point types of a spectrum and of all that it calls.
class TypesUsed {
public:
  explicit TypesUsed(const Program &program) : program_(program) {}

  bool any() const { return !found_.empty(); }
  bool narrowerThanDouble() const {
    return found_.contains(Scalar::F16) || found_.contains(Scalar::F32);
  }

  void spectrum(const std::string &name) {
    const Spectrum *called = program_.spectrum(name);
    if (!called || !visited_.insert(called).second)
      return;
    type(called->result.scalar);
    for (const Codelet &each : called->codelets)
      codelet(each);
  }

  void codelet(const Codelet &codelet) {
    for (const VarPtr &param : codelet.params)
      type(param->type.scalar);
    body(codelet.body);
    for (const Function *function : calledFunctions(program_, codelet.body))
      body(function->body);
  }

private:
  void type(Scalar scalar) {
    if (isFloating(scalar))
      found_.insert(scalar);
  }

  void body(const StmtPtr &s) {
    forEach(s, [&](const Stmt &each) {
      if (each.var)
        type(each.var->type.scalar);
    });
    forEachExpr(s, [&](const Expr &e) {
      type(e.type.scalar);
      if (callsSpectrum(e))
        spectrum(e.callee);
    });
  }

  const Program &program_;
  std::set<Scalar> found_;
  std::set<const Spectrum *> visited_;
};

bool hasDoubleOutput(const Spectrum &spectrum) {
  return spectrum.result.scalar == Scalar::F64 ||
         std::ranges::any_of(spectrum.params, [](const VarPtr &param) {
           return param->type.rank > 0 && !param->type.isConst && param->type.scalar == Scalar::F64;
         });
}

} // namespace

Scalar WiderTypes::of(Scalar type) const {
  switch (type) {
  case Scalar::F16:
    return f16;
  case Scalar::F32:
    return f32;
  case Scalar::F64:
    return f64;
  default:
    return type;
  }
}

std::optional<WiderTypes> widerTypes(const Program &program, const Spectrum &spectrum) {
  const std::optional<unsigned> reference = composer::meaningOf(spectrum);
  TypesUsed all(program);
  all.spectrum(spectrum.name);
  if (!reference || !all.any())
    return std::nullopt;
  if (!hasDoubleOutput(spectrum))
    return WiderTypes{};
  TypesUsed meant(program);
  meant.codelet(spectrum.codelets[*reference]);
  if (meant.narrowerThanDouble())
    return WiderTypes{Scalar::F64, Scalar::F64, Scalar::F128};
  // Floats stay floats: a codelet with floats where the reference has doubles has to differ visibly.
  return WiderTypes{Scalar::F16, Scalar::F32, Scalar::F128};
}

Type Widener::type(Type type) const {
  type.scalar = types_.of(type.scalar);
  return type;
}

VarPtr Widener::variable(const VarPtr &var) {
  if (!var)
    return var;
  if (auto known = variables_.find(var); known != variables_.end())
    return known->second;
  auto wider = std::make_shared<Var>(*var);
  wider->type = type(var->type);
  wider->extent = expression(var->extent);
  for (ExprPtr &each : wider->inner)
    each = expression(each);
  const bool same =
      wider->type == var->type && wider->extent == var->extent && wider->inner == var->inner;
  return variables_.emplace(var, same ? var : VarPtr(std::move(wider))).first->second;
}

ExprPtr Widener::expression(const ExprPtr &e) {
  return e ? rewrite(e, [&](const ExprPtr &each) { return node(each); }) : e;
}

ExprPtr Widener::node(const ExprPtr &e) {
  const Type wider = type(e->type);
  VarPtr var = variable(e->var);
  if (wider == e->type && var == e->var)
    return e;
  auto copy = std::make_shared<Expr>(*e);
  copy->type = wider;
  copy->var = std::move(var);
  if (e->kind == ExprKind::Literal && e->type.scalar == Scalar::F32)
    copy->real = static_cast<double>(static_cast<float>(e->real));
  return copy;
}

StmtPtr Widener::statement(const StmtPtr &s) {
  const StmtPtr mapped = mapExprs(s, [&](const ExprPtr &e) { return expression(e); });
  return rewrite(mapped, [&](const StmtPtr &each) -> StmtPtr {
    VarPtr var = variable(each->var);
    if (var == each->var)
      return each;
    auto copy = std::make_shared<Stmt>(*each);
    copy->var = std::move(var);
    return copy;
  });
}

Program widened(const Program &program, const WiderTypes &types) {
  Program wider = program;
  Widener widener(types);
  auto parameters = [&](std::vector<VarPtr> &params) {
    for (VarPtr &param : params)
      param = widener.variable(param);
  };
  for (Spectrum &spectrum : wider.spectrums) {
    spectrum.result = widener.type(spectrum.result);
    parameters(spectrum.params);
    for (Codelet &codelet : spectrum.codelets) {
      parameters(codelet.params);
      codelet.body = widener.statement(codelet.body);
      for (Typical &typical : codelet.typical)
        typical.what = widener.expression(typical.what);
    }
  }
  for (Function &function : wider.functions) {
    function.result = widener.type(function.result);
    parameters(function.params);
    function.body = widener.statement(function.body);
  }
  return wider;
}

} // namespace tangram::codegen
