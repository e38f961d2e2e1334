// Cooperative codelets: their types and constraints, and the pieces that all lanes run.
#include "codegen/lowering/lower_fixture.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// A cooperative codelet with `body` on one block of simple-gpu.
std::variant<LoweredPlan, Refusal> cooperative(const std::string &body) {
  static const composer::Machine machine = projected("simple-gpu", "opencl");
  ir::Program program = parse("__codelet int f(const Array<1, int> in) { return in[0]; }\n"
                              "__codelet __coop __tag(c) int f(const Array<1, int> in) {\n" +
                              body + "}\n");
  if (program.spectrums.empty())
    return Refusal{"the source is wrong", {}};
  return lower(program, "f", devolve(0, "f", compute(1, "f", 1)), machine, "opencl");
}

/// The same, as text of what the block runs.
std::string pieces(const std::string &body) {
  auto result = cooperative(body);
  auto *plan = std::get_if<LoweredPlan>(&result);
  if (!plan)
    return refusalOf(result);
  std::string text;
  ir::forEach(placeArrays(*plan).body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Parallel && s.level == 1)
      text = "\n" + ir::toString(s.children[0]);
  });
  return text;
}

const std::string head = "  require(in.size() <= coopDim());\n"
                         "  __shared int tmp[coopDim()];\n"
                         "  unsigned id = coopIdx();\n";

TEST(LowerTypes, WhatIsComputedOfSizesHasTheTypeOfTheSource) {
  const std::string text = pieces("  unsigned x = in[0];\n"
                                  "  unsigned lanes = (x - coopDim()) / 2;\n"
                                  "  unsigned size = (x - in.size()) / 2;\n"
                                  "  return lanes + size;\n");
  EXPECT_NE(text.find("lanes = (x - (unsigned)NUM_THREADS) / 2"), std::string::npos) << text;
  EXPECT_NE(text.find("size = (unsigned)((x - in_size) / 2)"), std::string::npos) << text;
}

TEST(LowerConstraints, OnesThatAlwaysHoldVanish) {
  EXPECT_EQ(constraintsOf(loweredPlan(
                cooperative("  require(in.size() <= in.size());\n  require(coopDim() >= 0);\n"
                            "  return in[0];\n"))),
            "");
}

TEST(LowerConstraints, OnesThatNeverHoldRefuseThePlan) {
  EXPECT_EQ(refusalOf(cooperative("  require(coopDim() < 0);\n  return in[0];\n")),
            "c requires coopDim() < 0, which never holds here (4:3)");
}

TEST(LowerConstraints, OnesThatDependOnDataCannotBeChecked) {
  EXPECT_EQ(refusalOf(cooperative("  require(in[0] <= 3);\n  return in[0];\n")),
            "c requires in[0] <= 3, which cannot be checked before launch (4:3)");
}

TEST(LowerConstraints, ASumOfWhatDataSayIsProvedAsItIsWritten) {
  const auto saidOf = [](const std::string &condition, const std::string &high) {
    const std::string head = "__codelet void f(const Array<1, unsigned> in,\n"
                             "    const Array<1, unsigned> offsets, Array<1, unsigned> out) {\n";
    const ir::Program program =
        parse("__codelet unsigned degree(unsigned v, const Array<1, unsigned> offsets) {\n"
              "  require(" +
              condition + ");\n  return offsets[v + 1] - offsets[v];\n}\n" + head +
              "  require(offsets.size() >= 1);\n  require(out.size() == in.size());\n"
              "  require(within(in, 0, " +
              high + "));\n  out[0] = in[0];\n}\n" + head +
              "  out = map(degree, in, all(offsets));\n}\n");
    auto result =
        lower(program, "f",
              compound(0, "f", 1, {mapped(0, "degree", distribute, compute(1, "degree", 0))}),
              projected("simple-cpu", "openmp"), "openmp");
    return std::holds_alternative<LoweredPlan>(result) ? "lowered" : refusalOf(result);
  };
  for (const std::string condition :
       {"v + 1 < offsets.size()", "offsets.size() > 1 + v", "v + 1 <= offsets.size() - 1"})
    EXPECT_EQ(saidOf(condition, "offsets.size() - 1"), "lowered") << condition;
  EXPECT_EQ(
      saidOf("v + 1 < offsets.size()", "offsets.size()"),
      "degree#1 requires v + 1 < offsets.size(), which cannot be checked before launch (3:3)");
  // A sum that wraps around may be no more than a number, a difference is more.
  EXPECT_EQ(saidOf("v + 1 > 0", "offsets.size() - 1"),
            "degree#1 requires v + 1 > 0, which cannot be checked before launch (3:3)");
  EXPECT_EQ(
      saidOf("v - 1 < offsets.size()", "offsets.size() - 1"),
      "degree#1 requires v - 1 < offsets.size(), which cannot be checked before launch (3:3)");
}

TEST(LowerConstraints, DifferencesInAChoiceAreThoseOfWhatIsChosen) {
  const std::string before = "__codelet int last(const Array<1, int> x) { return x.size(); }\n"
                             "__codelet int f(const Array<1, int> in) { return 0; }\n"
                             "__codelet __tag(c) int f(const Array<1, int> in) {\n"
                             "  unsigned n = ";
  const std::string after = ";\n  Array<1, int> x(n);\n  return last(x);\n}\n";
  auto constraints = [&](const std::string &n) {
    return constraintsOf(
        loweredPlan(lower(parse(before + n + after), "f",
                          compound(0, "f", 1, {devolve(0, "last", compute(1, "last", 0))}),
                          projected("simple-cpu", "openmp"), "openmp")));
  };
  EXPECT_EQ(constraints("in.size() - 3"),
            "3 <= in_size : the number of elements of 'x' must not be below 0\n");
  EXPECT_EQ(constraints("in.size() >= 5 ? in.size() - 3 : 0"),
            "in_size < 5 || 3 <= in_size : the number of elements of 'x' must not be below 0\n");
  EXPECT_EQ(constraints("in.size() > 9 ? 9 : in.size() - 3"),
            "in_size > 9 || 3 <= in_size : the number of elements of 'x' must not be below 0\n");
}

TEST(LowerConstraints, AreStatedOnce) {
  EXPECT_EQ(
      constraintsOf(loweredPlan(
          cooperative("  require(in.size() <= coopDim());\n  require(in.size() <= coopDim());\n"
                      "  return in[0];\n"))),
      "in_size <= NUM_THREADS : c at level B requires in.size() <= coopDim() (test.cpp:4:3)\n");
}

TEST(Lockstep, AStatementThatReadsOtherLanesReadsForAllBeforeItWrites) {
  EXPECT_EQ(pieces(head + "  tmp[id] = (id < in.size()) ? in[id] : 0;\n"
                          "  if (id >= 1)\n    tmp[id] += tmp[id - 1];\n"
                          "  return tmp[0];\n"),
            R"(
// compute(c, VE_B)
parallel level 2 thread < NUM_THREADS {
  tmp[thread] = thread < in_size ? in[thread] : 0;
}
parallel level 2 thread < NUM_THREADS {
  int tmp_read = thread >= 1 ? tmp[thread - 1] : 0;
}
parallel level 2 thread < NUM_THREADS {
  if (thread >= 1) {
    tmp[thread] += tmp_read;
  }
}
parallel level 2 < 1 {
  result[0] = tmp[0];
}
)");
}

TEST(Lockstep, AStatementOnItsOwnElementStaysOnePiece) {
  EXPECT_EQ(pieces(head + "  tmp[id] = in[id];\n  tmp[id] *= 2;\n  return tmp[0];\n"), R"(
// compute(c, VE_B)
parallel level 2 thread < NUM_THREADS {
  tmp[thread] = in[thread];
}
parallel level 2 thread < NUM_THREADS {
  tmp[thread] *= 2;
}
parallel level 2 < 1 {
  result[0] = tmp[0];
}
)");
}

TEST(Lockstep, ABranchThatLanesRunAloneStaysOnePiece) {
  EXPECT_EQ(pieces(head + "  tmp[id] = in[id];\n"
                          "  if (tmp[id] > 3) {\n    tmp[id] = 0;\n    tmp[id] += 1;\n  }\n"
                          "  return tmp[0];\n"),
            R"(
// compute(c, VE_B)
parallel level 2 thread < NUM_THREADS {
  tmp[thread] = in[thread];
}
parallel level 2 thread < NUM_THREADS {
  if (tmp[thread] > 3) {
    tmp[thread] = 0;
    tmp[thread] += 1;
  }
}
parallel level 2 < 1 {
  result[0] = tmp[0];
}
)");
}

TEST(Lockstep, AConditionThatItsOwnBranchChangesIsKept) {
  EXPECT_EQ(pieces(head + "  if (id > 0 && tmp[id - 1] > 3) {\n    tmp[id] = 0;\n"
                          "    atomicAdd(tmp[id], 1);\n  } else\n    tmp[id] = 2;\n"
                          "  return tmp[0];\n"),
            R"(
// compute(c, VE_B)
parallel level 2 thread < NUM_THREADS {
  bool active = thread > 0 && tmp[thread - 1] > 3;
}
parallel level 2 thread < NUM_THREADS {
  if (active) {
    tmp[thread] = 0;
  }
}
parallel level 2 thread < NUM_THREADS {
  if (active) {
    atomicAdd(tmp[thread], 1);
  }
}
parallel level 2 thread < NUM_THREADS {
  if (!active) {
    tmp[thread] = 2;
  }
}
parallel level 2 < 1 {
  result[0] = tmp[0];
}
)");
}

TEST(Lockstep, WhatIsTheSameForAllLanesStaysWithTheGroup) {
  EXPECT_EQ(pieces(head + "  tmp[id] = in[id];\n"
                          "  for (unsigned s = 1; s < coopDim(); s *= 2) {\n"
                          "    if (s < 4)\n      tmp[id] += 1;\n  }\n"
                          "  return tmp[0];\n"),
            R"(
// compute(c, VE_B)
parallel level 2 thread < NUM_THREADS {
  tmp[thread] = in[thread];
}
for (unsigned s = 1; (index)s < NUM_THREADS; s *= 2) {
  if (s < 4) {
    parallel level 2 thread < NUM_THREADS {
      tmp[thread] += 1;
    }
  }
}
parallel level 2 < 1 {
  result[0] = tmp[0];
}
)");
}

TEST(Lockstep, RefusesAReturnThatOnlySomeLanesTake) {
  EXPECT_EQ(pieces(head + "  if (id > 3)\n    return 1;\n  return 2;\n"),
            "a cooperative codelet cannot return under a condition that differs between lanes "
            "(8:5)");
}

TEST(Lockstep, RefusesAResultThatVariesByLane) {
  EXPECT_EQ(pieces(head + "  return in[id];\n"),
            "what a cooperative codelet returns must be the same for every lane (7:3)");
}

const char *const leavesEarly =
    "lanes that leave a loop at different times can write in it only what no other lane reads: "
    "elements at the loop's variable, which starts at coopIdx() and advances by coopDim(). Let all "
    "lanes run every round, and put what not all do under an if (7:3)";

TEST(Lockstep, RefusesWritesInALoopThatLanesLeaveAtDifferentTimes) {
  EXPECT_EQ(pieces(head + "  for (unsigned k = 0; k < id; ++k)\n    tmp[k] = 1;\n"
                          "  return tmp[0];\n"),
            leavesEarly);
}

TEST(Lockstep, RefusesToLeaveALoopThatWritesWhatOthersReadAtDifferentTimes) {
  EXPECT_EQ(pieces(head + "  for (unsigned k = 0; k < 4; ++k) {\n    tmp[(id + k) % 4] = 1;\n"
                          "    if (id == k)\n      break;\n  }\n  return tmp[0];\n"),
            leavesEarly);
}

} // namespace
} // namespace tangram::codegen
