#include "codegen/wide/widening.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using ir::Program;

const char *const sums = R"(
float half_of(float x) { return x * 0.1f; }
__codelet __tag(loop) float total(const Array<1, float> in) {
  float s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += half_of(in[i]);
  return s;
}
__codelet __tag(doubles) double precise(const Array<1, double> in) {
  double s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i];
  return s;
}
__codelet __tag(narrows) double precise(const Array<1, double> in) {
  float s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i];
  return s;
}
__codelet double mixed(const Array<1, float> in) {
  double s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i];
  return s;
}
__codelet int positive(const Array<1, double> in) {
  int count = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    count += in[i] > 0 ? 1 : 0;
  return count;
}
__codelet int whole(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i];
  return s;
}
)";

/// "f32 -> f64, f64 -> f128" of a spectrum.
std::string typesOf(const Program &program, const std::string &spectrum) {
  const auto types = widerTypes(program, *program.spectrum(spectrum));
  if (!types)
    return "none";
  return "f32 -> " + ir::shortName(types->of(ir::Scalar::F32)) + ", f64 -> " +
         ir::shortName(types->of(ir::Scalar::F64));
}

TEST(Widening, OutputsSayHowWide) {
  const Program program = parse(sums);
  EXPECT_EQ(typesOf(program, "total"), "f32 -> f64, f64 -> f64");
  EXPECT_EQ(typesOf(program, "mixed"), "f32 -> f64, f64 -> f128");
  EXPECT_EQ(typesOf(program, "positive"), "f32 -> f64, f64 -> f64");
  EXPECT_EQ(typesOf(program, "whole"), "none");
}

TEST(Widening, AFloatThatTheReferenceHasNotStaysOne) {
  EXPECT_EQ(typesOf(parse(sums), "precise"), "f32 -> f32, f64 -> f128");
}

std::string bodyOf(const Program &program, const std::string &spectrum, std::size_t codelet = 0) {
  return ir::toString(program.spectrum(spectrum)->codelets[codelet].body);
}

TEST(Widening, EveryTypeBecomesTheWiderOne) {
  const Program program = parse(sums);
  const Program wide = widened(program, *widerTypes(program, *program.spectrum("total")));
  const ir::Spectrum &total = *wide.spectrum("total");
  EXPECT_EQ(total.result, ir::scalarType(ir::Scalar::F64));
  EXPECT_EQ(total.params[0]->type.scalar, ir::Scalar::F64);
  EXPECT_TRUE(total.params[0]->type.isConst);
  EXPECT_EQ(total.codelets[0].params[0]->type.scalar, ir::Scalar::F64);
  for (const char *each : {"total", "mixed"}) {
    ir::forEach(wide.spectrum(each)->codelets[0].body, [](const ir::Stmt &s) {
      EXPECT_TRUE(!s.var || s.var->type.scalar != ir::Scalar::F32) << s.var->name;
    });
    ir::forEachExpr(wide.spectrum(each)->codelets[0].body, [](const ir::Expr &e) {
      EXPECT_NE(e.type.scalar, ir::Scalar::F32);
      EXPECT_TRUE(!e.var || e.var->type.scalar == e.type.scalar || e.kind != ir::ExprKind::Var);
    });
  }
  EXPECT_EQ(bodyOf(wide, "whole"), bodyOf(program, "whole"));
  EXPECT_EQ(wide.spectrum("whole")->codelets[0].body, program.spectrum("whole")->codelets[0].body);
}

TEST(Widening, AnAccumulatorOfFloatsIsRoundedAsBefore) {
  const Program program = parse(sums);
  const Program wide = widened(program, *widerTypes(program, *program.spectrum("precise")));
  EXPECT_EQ(wide.spectrum("precise")->result.scalar, ir::Scalar::F128);
  const ir::StmtPtr &narrows = wide.spectrum("precise")->codelets[1].body;
  EXPECT_EQ(narrows->children[0]->var->type.scalar, ir::Scalar::F32);
}

TEST(Widening, ALiteralKeepsItsValue) {
  const Program program = parse(sums);
  const Program wide = widened(program, *widerTypes(program, *program.spectrum("total")));
  ASSERT_EQ(wide.functions.size(), 1U);
  EXPECT_EQ(wide.functions[0].result.scalar, ir::Scalar::F64);
  std::vector<double> found;
  ir::forEachExpr(wide.functions[0].body, [&](const ir::Expr &e) {
    if (e.kind == ir::ExprKind::Literal && ir::isFloating(e.type.scalar)) {
      EXPECT_EQ(e.type.scalar, ir::Scalar::F64);
      found.push_back(e.real);
    }
  });
  EXPECT_EQ(found, std::vector{static_cast<double>(0.1F)});
}

} // namespace
} // namespace tangram::codegen
