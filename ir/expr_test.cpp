#include "ir/stmt.h"

#include <gtest/gtest.h>

namespace tangram::ir {
namespace {

VarPtr variable(const std::string &name) {
  auto v = std::make_shared<Var>();
  v->name = name;
  v->type = scalarType(Scalar::Index);
  return v;
}

TEST(Expr, TextHasMinimalParentheses) {
  ExprPtr a = varRef(variable("a"));
  ExprPtr b = varRef(variable("b"));
  EXPECT_EQ(toString(binary("*", binary("+", a, b), a)), "(a + b) * a");
  EXPECT_EQ(toString(binary("+", binary("*", a, b), a)), "a * b + a");
  EXPECT_EQ(toString(binary("-", a, binary("-", b, a))), "a - (b - a)");
  EXPECT_EQ(toString(binary("-", binary("-", a, b), a)), "a - b - a");
  EXPECT_EQ(toString(select(binary("<", a, b), a, b)), "a < b ? a : b");
  EXPECT_EQ(toString(unary("!", binary("<", a, b))), "!(a < b)");
}

TEST(Expr, UsualArithmeticConversions) {
  EXPECT_EQ(commonScalar(Scalar::I8, Scalar::U8), Scalar::I32);
  EXPECT_EQ(commonScalar(Scalar::U32, Scalar::I32), Scalar::U32);
  EXPECT_EQ(commonScalar(Scalar::I64, Scalar::F32), Scalar::F32);
  EXPECT_EQ(commonScalar(Scalar::Index, Scalar::I32), Scalar::Index);
  EXPECT_EQ(binary("<", intLiteral(1), intLiteral(2))->type.scalar, Scalar::Bool);
}

TEST(Expr, SameExprTellsVariablesApartByIdentity) {
  VarPtr a = variable("a");
  EXPECT_TRUE(
      sameExpr(binary("+", varRef(a), intLiteral(1)), binary("+", varRef(a), intLiteral(1))));
  EXPECT_FALSE(sameExpr(varRef(a), varRef(variable("a"))));
  EXPECT_FALSE(sameExpr(varRef(a), nullptr));
}

TEST(Expr, RewriteSharesWhatDoesNotChange) {
  VarPtr a = variable("a");
  ExprPtr kept = binary("*", varRef(variable("b")), intLiteral(2));
  ExprPtr whole = binary("+", varRef(a), kept);
  ExprPtr changed =
      rewrite(whole, [&](const ExprPtr &e) { return e->var == a ? intLiteral(7) : e; });
  EXPECT_EQ(toString(changed), "7 + b * 2");
  EXPECT_EQ(changed->args[1], kept);
  EXPECT_EQ(toString(whole), "a + b * 2");
}

TEST(Stmt, RewriteSharesWhatDoesNotChange) {
  const VarPtr n = variable("n");
  const VarPtr m = variable("m");
  Window window;
  window.origin = {varRef(n)};
  window.dims = {WindowDimension{0, intLiteral(1), varRef(n), nullptr}};
  const StmtPtr bound =
      bindWindow(variable("part"), window, 0, block({assign(varRef(m), "=", varRef(n))}));
  const StmtPtr whole = block({bound, assign(varRef(m), "=", intLiteral(1))});
  EXPECT_EQ(mapExprs(whole, [](const ExprPtr &e) { return e; }), whole);
  const StmtPtr changed =
      mapExprs(whole, [](const ExprPtr &e) { return literalValue(e) ? intLiteral(2) : e; });
  EXPECT_NE(changed, whole);
  EXPECT_EQ(changed->children[0]->children[0], bound->children[0]);
}

TEST(Stmt, RewriteDropsStatementsFromBlocks) {
  StmtPtr body = block({comment("one"), comment("two")});
  StmtPtr changed = rewrite(body, [](const StmtPtr &s) -> StmtPtr {
    return s->kind == StmtKind::Comment && s->text == "one" ? nullptr : s;
  });
  EXPECT_EQ(toString(changed), "// two\n");
}

} // namespace
} // namespace tangram::ir
