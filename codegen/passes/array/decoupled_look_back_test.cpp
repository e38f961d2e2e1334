#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// A chain over parts of chosen sizes; `next` is what an element hands on, made of `carry` and `here`.
ir::Program chainOf(const std::string &next, const std::string &type = "int") {
  std::string text = "__codelet T total(const Array<1, T> in) {\n"
                     "  T all = 0;\n"
                     "  for (unsigned i = 0; i < in.size(); ++i) all += in[i];\n"
                     "  return all;\n}\n"
                     "__codelet __coop __tag(lanes) T total(const Array<1, T> in) {\n"
                     "  __shared T all[coopDim()];\n"
                     "  all[coopIdx()] = in[coopIdx()];\n"
                     "  return all[0];\n}\n"
                     "__codelet T run(T carry, const Array<1, T> in, Array<1, T> out) {\n"
                     "  T here = total(in);\n"
                     "  T next = " +
                     next +
                     ";\n"
                     "  T sum = carry;\n"
                     "  for (unsigned i = 0; i < in.size(); ++i) {\n"
                     "    sum += in[i];\n    out[i] = sum;\n  }\n"
                     "  return next;\n}\n"
                     "__codelet void work(T given, const Array<1, T> in, Array<1, T> out) {\n"
                     "  __tunable unsigned t = pow2(256, 1024);\n"
                     "  chain(run, given, chunks(in, t), chunks(out, t));\n}\n";
  return parse("typedef " + type + " T;\n" + text);
}

/// How elements learn their carry, one letter a step: (A)wait a flag, (P)ublish one, (L)ook at a state,
/// (S)ay what is known.
std::string stepsOf(const ir::Program &program, const std::string &model = "h200") {
  ir::PlanPtr element = fixture::compound(1, "run", 0, {compute(1, "total", 1)});
  ir::PlanPtr plan = fixture::compound(0, "work", 0, {mapped(0, "run", distribute, element)});
  const composer::Machine machine = projected(model, "opencl");
  auto result = lower(program, "work", plan, machine, "opencl");
  if (auto *refusal = std::get_if<Refusal>(&result))
    return refusal->reason;
  std::string steps;
  forEachExpr(decoupleLookBack(std::get<LoweredPlan>(result)).body, [&](const ir::Expr &e) {
    if (e.kind != ir::ExprKind::Atomic || e.args[0]->args[0]->var->name == "ticket")
      return;
    steps += e.op == "await"     ? "A"
             : e.op == "publish" ? "P"
             : isLook(e)         ? "L"
             : e.op == "add"     ? "S"
                                 : "";
  });
  return steps;
}

TEST(DecoupleLookBack, OfASumSaysItsOwnThenLooksThenSaysAll) {
  EXPECT_EQ(stepsOf(chainOf("carry + here")), "SLS");
}

TEST(DecoupleLookBack, OfOtherAssociativeOperators) {
  EXPECT_EQ(stepsOf(chainOf("here * carry")), "SLS");
  EXPECT_EQ(stepsOf(chainOf("carry ^ here")), "SLS");
  EXPECT_EQ(stepsOf(chainOf("max(carry, here)")), "SLS");
}

TEST(DecoupleLookBack, OfSeveralSummands) {
  EXPECT_EQ(stepsOf(chainOf("here + carry + 1")), "SLS");
}

TEST(DecoupleLookBack, NotOfOthers) {
  EXPECT_EQ(stepsOf(chainOf("carry - here")), "AP");
  EXPECT_EQ(stepsOf(chainOf("carry * 3 + here")), "AP");
  EXPECT_EQ(stepsOf(chainOf("carry + here * carry")), "AP");
  EXPECT_EQ(stepsOf(chainOf("carry / here")), "AP");
}

TEST(DecoupleLookBack, OfFloatingPointSums) {
  EXPECT_EQ(stepsOf(chainOf("carry + here", "float")), "SLS");
  EXPECT_EQ(stepsOf(chainOf("fmax(carry, here)", "float")), "SLS");
}

TEST(DecoupleLookBack, InTwoWordsOf64Bits) {
  EXPECT_EQ(stepsOf(chainOf("carry + here", "double")), "SSLLSS");
  EXPECT_EQ(stepsOf(chainOf("carry + here", "long")), "SSLLSS");
}

TEST(DecoupleLookBack, NotOfNarrowNumbers) {
  EXPECT_EQ(stepsOf(chainOf("carry + here", "short")), "AP");
}

TEST(DecoupleLookBack, NotWithoutAtomicOperationsOf64Bits) {
  EXPECT_EQ(stepsOf(chainOf("carry + here"), "simple-gpu"), "AP");
}

} // namespace
} // namespace tangram::codegen
