// A matrix product as tests plan it, built by hand: a leaf, cuts in rows, in columns and in k (in
// order), and a codelet of two maps.
#pragma once

#include "composer/analysis/analysis_fixture.h"

namespace tangram::composer::fixture {

inline VarPtr matrix(std::string name, bool isConst) {
  return variable(std::move(name), {Scalar::F32, 2, 0, isConst}, ir::VarKind::Param);
}

struct Product {
  VarPtr a = matrix("a", true), b = matrix("b", true), c = matrix("c", false);
  std::vector<VarPtr> params() const { return {a, b, c}; }
};

/// rows(container, parts) (dimension 0) or cols (1), as the frontend lowers them.
inline ExprPtr cut(const VarPtr &container, const VarPtr &parts, int dimension,
                   ir::SourceLocation where = {}) {
  ExprPtr size = sizeOf(container, dimension);
  ExprPtr n = ir::cast(Scalar::Index, ir::varRef(parts));
  ExprPtr one = ir::intLiteral(1);
  ExprPtr tile = op(op(op(size, "+", n), "-", one), "/", n);
  ir::Type type = container->type;
  type.nest = 1;
  return ir::node(ir::ExprKind::Partition, type,
                  {ir::varRef(container), n, sequence({ir::intLiteral(0), tile, size}),
                   sequence({one}), sequence({tile, tile, op(size, "+", one)})},
                  std::move(where), {}, dimension);
}

inline StmtPtr voidMap(ir::Operator kind, std::vector<ExprPtr> args, ir::SourceLocation where) {
  auto e = std::make_shared<ir::Expr>(
      *ir::node(ir::ExprKind::Map, {}, std::move(args), std::move(where), "gemm"));
  e->op = kind;
  return ir::eval(e);
}

inline ir::Codelet leafProduct() {
  Product p;
  VarPtr i = local("i");
  return codelet("leaf", p.params(),
                 {upTo(i, sizeAs(p.c),
                       {ir::assign(ir::index(ir::varRef(p.c), {ir::varRef(i), ir::intLiteral(0)}),
                                   "=", ir::realLiteral(0, Scalar::F32))})});
}

inline ir::Codelet rowProduct() {
  Product p;
  VarPtr n = tunable("n");
  return codelet("by_row", p.params(),
                 {ir::declare(n, nullptr),
                  voidMap("", {cut(p.a, n, 0), all(p.b), cut(p.c, n, 0)}, place(20))});
}

inline ir::Codelet columnProduct() {
  Product p;
  VarPtr n = tunable("n");
  return codelet("by_column", p.params(),
                 {ir::declare(n, nullptr),
                  voidMap("", {all(p.a), cut(p.b, n, 1), cut(p.c, n, 1)}, place(30))});
}

inline ir::Codelet foldedProduct() {
  Product p;
  VarPtr n = tunable("n");
  return codelet("by_k", p.params(),
                 {ir::declare(n, nullptr),
                  voidMap("fold", {cut(p.a, n, 1), cut(p.b, n, 0), all(p.c)}, place(40))});
}

inline ir::Codelet halvesProduct() {
  Product p;
  VarPtr n = tunable("n");
  return codelet("twice", p.params(),
                 {ir::declare(n, nullptr),
                  voidMap("", {cut(p.a, n, 0), all(p.b), cut(p.c, n, 0)}, place(50)),
                  voidMap("fold", {cut(p.a, n, 1), cut(p.b, n, 0), all(p.c)}, place(51))});
}

inline ir::Program productProgram(std::vector<ir::Codelet> codelets) {
  ir::Program made = program({spectrum("gemm", std::move(codelets), Scalar::Void)});
  for (ir::Codelet &each : made.spectrums[0].codelets)
    each.location = place(10 * each.ordinal, 5);
  made.spectrums[0].location = place(10, 5);
  return made;
}

} // namespace tangram::composer::fixture
