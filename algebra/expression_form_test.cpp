#include "algebra/expression_form.h"

#include "algebra/expression_fixture.h"
#include "algebra/proofs.h"
#include "algebra/simplify.h"

namespace tangram::algebra {
namespace {

using namespace fixture;

FormDigest formOf(const E &e, const KnownVariables &known = {}) {
  ExpressionForm form(known);
  form.add(e.e);
  EXPECT_TRUE(form.isComplete());
  return form.digest();
}

TEST(ExpressionForm, IsThatOfOtherVariables) {
  const E a = variable("a");
  const E b = variable("b");
  const E c = variable("c");
  EXPECT_EQ(formOf(a * b + a), formOf(b * c + b));
  EXPECT_NE(formOf(a * b + a), formOf(a * b + b));
  EXPECT_NE(formOf(a + b), formOf(a - b));
  EXPECT_NE(formOf(a + 1), formOf(a + 2));
}

TEST(ExpressionForm, SaysWhatIsKnownOfVariables) {
  const E a = variable("a");
  const E b = variable("b");
  KnownVariables positive;
  positive.positive.insert(a.var().get());
  EXPECT_NE(formOf(a + b), formOf(a + b, positive));
  EXPECT_EQ(formOf(b * 2), formOf(b * 2, positive));
  KnownVariables named;
  named.definitions[a.var().get()] = (b * 4).e;
  KnownVariables otherwise;
  otherwise.definitions[a.var().get()] = (b * 8).e;
  EXPECT_NE(formOf(a + 1), formOf(a + 1, named));
  EXPECT_NE(formOf(a + 1, otherwise), formOf(a + 1, named));
}

TEST(ExpressionForm, ComesBackToAPlace) {
  const E a = variable("a");
  const E b = variable("b");
  const KnownVariables known;
  ExpressionForm form(known);
  form.add(a.e);
  const ExpressionForm::Mark mark = form.mark();
  form.add((a + b).e);
  const FormDigest once = form.digest();
  form.backTo(mark);
  EXPECT_EQ(form.numbered().size(), 1U);
  form.add((a + b).e);
  EXPECT_EQ(form.digest(), once);
}

TEST(SimplifiedForms, AreFoundForOtherVariables) {
  const E n = variable("n", Scalar::Index, VarKind::Param);
  const E m = variable("m", Scalar::Index, VarKind::Param);
  Facts facts;
  facts.proofs = std::make_shared<Proofs>();
  EXPECT_EQ(ir::toString(simplify((n * 8 + 3) / 8, facts)), "n");
  EXPECT_EQ(ir::toString(simplify((m * 8 + 3) / 8, facts)), "m");
  KnownVariables known;
  ExpressionForm form(known);
  const E asked = (m * 8 + 3) / 8;
  form.add(asked.e);
  const ExprPtr found = facts.proofs->simplifiedForms().find(asked.e, form);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->var, m.var());
}

TEST(SimplifiedForms, DependOnWhatIsKnown) {
  const E n = variable("n", Scalar::Index, VarKind::Param);
  const E w = variable("w", Scalar::Index, VarKind::Worker);
  Facts facts;
  facts.proofs = std::make_shared<Proofs>();
  EXPECT_EQ(ir::toString(simplify(w % n, facts)), "w % n");
  facts.below.emplace_back(w.var(), n.e);
  EXPECT_EQ(ir::toString(simplify(w % n, facts)), "w");
}

} // namespace
} // namespace tangram::algebra
