#include "codegen/targets/opencl/opencl.h"

#include "codegen/pipeline/pipeline.h"
#include "codegen/test_fixture.h"

#include <sstream>

namespace tangram::codegen {
namespace {

using namespace fixture;

/// As it is printed for PoCL, where that is another text.
std::string kernelOf(const std::string &source, const ir::PlanPtr &plan) {
  const ir::Program program = parse(source);
  const composer::Machine machine =
      composer::withMapRules(projected("simple-gpu", "opencl"),
                             {composer::MapRule::Distribute, composer::MapRule::Serialize});
  auto lowered = lower(program, "f", plan, machine, "opencl");
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return refusal->reason;
  auto printed = printOpencl(optimize(std::get<LoweredPlan>(std::move(lowered)), {}), {},
                             Contraction::Nothing);
  const OpenclSource &made = std::get<OpenclSource>(printed);
  return made.pocl.empty() ? made.text : made.pocl;
}

/// Items whose elements are also those of others, counted from the end.
const char *const ofOthers = R"(
  if (coopIdx() < c.size())
    c[c.size() - 1 - coopIdx()] += 0;)";

/// Parts that the items of one block update one after the other; `first`: statements before.
std::string kernelOfParts(const std::string &first = ofOthers) {
  return kernelOf(
      R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] += a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {)" +
          first + R"(
  for (unsigned i = coopIdx(); i < c.size(); i += coopDim())
    c[i] += a[i];
}
__codelet __tag(parts) void f(const Array<1, int> a, Array<1, int> c) {
  map(f, chunks(a, 4), chunks(c, 4));
}
)",
      devolve(0, "f", compound(1, "f", 2, {mapped(1, "f", serialize, compute(1, "f", 1))})));
}

/// The same of parts that are asked how long they are.
std::string kernelOfPartsInBranches() {
  return kernelOf(
      R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] += a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  if (coopIdx() < c.size())
    c[c.size() - 1 - coopIdx()] += 0;
  if (c.size() == 4) {
    for (unsigned i = coopIdx(); i < 4; i += coopDim())
      c[i] += a[i];
  } else {
    for (unsigned i = coopIdx(); i < c.size(); i += coopDim())
      c[i] += a[i];
  }
}
__codelet __tag(parts) void f(const Array<1, int> a, Array<1, int> c) {
  map(f, chunks(a, 4), chunks(c, 4));
}
)",
      devolve(0, "f", compound(1, "f", 2, {mapped(1, "f", serialize, compute(1, "f", 1))})));
}

/// From the first mention of `from` on, without what stands around statements.
std::vector<std::string> linesFrom(const std::string &text, const std::string &from) {
  std::vector<std::string> lines;
  std::istringstream rest(text.substr(std::min(text.find(from), text.size())));
  for (std::string line; std::getline(rest, line);)
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  return lines;
}

TEST(PrintOpencl, WhatItemsUpdateInGlobalMemoryIsOrderedByItsFence) {
  EXPECT_NE(kernelOfParts().find("  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"),
            std::string::npos);
}

TEST(PrintOpencl, PartsThatFollowEachOtherAreNotOrderedByBarriers) {
  const std::string text = kernelOfParts("");
  EXPECT_EQ(text.find("barrier("), std::string::npos) << text;
}

TEST(PrintOpencl, ArgumentsOfAMinimumHaveOneTypeThoughTheyAreLiterals) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = min(i ? 2 : 1, 3);
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_EQ(linesFrom(text, "c[i]").at(0), "c[i] = (int)min((ulong)(i != 0 ? 2 : 1), (ulong)3);");
}

TEST(PrintOpencl, AKernelIsHandedNoBool) {
  const std::string text = kernelOf(R"(
__codelet void f(bool flip, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = flip ? -c[i] : c[i];
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("uchar flip"), std::string::npos) << text;
}

TEST(PrintOpencl, OperandsOfMinAndMaxHaveItsTypeAsAWhole) {
  const std::string text = kernelOf(R"(
__codelet void f(Array<1, unsigned long> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = max(1 < c.size(), (unsigned long)3);
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("max((ulong)(1 < c_size), "), std::string::npos) << text;
}

TEST(PrintOpencl, ReciprocalRootsOfFloatsAloneHaveAFunction) {
  const std::string text = kernelOf(R"(
float inverse(float x) { return 1 / sqrt(x); }
__codelet void f(Array<1, float> c, Array<1, double> d) {
  for (unsigned i = 0; i < c.size(); i++) {
    c[i] = inverse(c[i]) + 1 / sqrt(c[i] + 1) + 2 / sqrt(c[i]);
    d[i] = 1 / sqrt(d[i]);
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("return rsqrt(x);"), std::string::npos) << text;
  EXPECT_NE(text.find("+ rsqrt(c[i] + 1.0f) + 2.0f / sqrt(c[i]);"), std::string::npos) << text;
  EXPECT_NE(text.find("d[i] = 1.0 / sqrt(d[i]);"), std::string::npos) << text;
}

TEST(PrintOpencl, TheSineAndTheCosineOfANumberAreFoundTogether) {
  const std::string text = kernelOf(R"(
__codelet void f(Array<1, float> c) {
  for (unsigned i = 0; i + 1 < c.size(); i++) {
    float angle = 3 * c[i];
    c[i] = 2 * cos(angle);
    c[i + 1] = sin(angle);
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  const std::vector<std::string> expected{"const float angle = 3.0f * c[i];", "float cosine;",
                                          "const float sine = sincos(angle, &cosine);",
                                          "c[i] = 2.0f * cosine;", "c[i + 1] = sine;"};
  std::vector<std::string> lines = linesFrom(text, "const float angle");
  lines.resize(expected.size());
  EXPECT_EQ(lines, expected);
}

TEST(PrintOpencl, ParametersThatAreNamedAsFunctionsOfOpenclHaveOtherNames) {
  const std::string text = kernelOf(R"(
float inverse(float rsqrt) { return 1 / sqrt(rsqrt); }
__codelet void f(float sincos, Array<1, float> rsqrt) {
  for (unsigned i = 0; i < rsqrt.size(); i++) {
    float angle = sincos * i;
    rsqrt[i] = inverse(rsqrt[i]) + 1 / sqrt(sin(angle) + cos(angle));
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("float inverse(float rsqrt_2)"), std::string::npos) << text;
  EXPECT_NE(text.find("return rsqrt(rsqrt_2);"), std::string::npos) << text;
  EXPECT_NE(text.find("const float angle = sincos_2 * (float)i;"), std::string::npos) << text;
  EXPECT_NE(text.find("rsqrt_2[i] = inverse(rsqrt_2[i]) + rsqrt(sine + cosine);"),
            std::string::npos)
      << text;
}

TEST(PrintOpencl, TheSineOfANumberThatChangesIsFoundAlone) {
  const std::string text = kernelOf(R"(
__codelet void f(Array<1, float> c) {
  for (unsigned i = 0; i < c.size(); i++) {
    float angle = c[i];
    c[i] = cos(angle);
    angle += 1;
    c[i] += sin(angle);
  }
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_EQ(text.find("sincos"), std::string::npos) << text;
}

/// What declares the array of a group of which each item reads some elements.
std::string arrayReadAt(const std::string &subscript) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  c[0] = 0;
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  __shared int tmp[4 * coopDim()];
  tmp[4 * coopIdx()] = a[0];
  int sum = 0;
  for (unsigned j = 0; j < coopDim(); ++j)
    sum += tmp[)" + subscript + R"(];
  if (coopIdx() < c.size())
    c[coopIdx()] = sum;
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  return linesFrom(text, "__local").at(0);
}

TEST(PrintOpencl, ArraysThatAreReadByFoursBeginAtAVector) {
  EXPECT_EQ(arrayReadAt("4 * j + 1"),
            "__local __attribute__((aligned(16))) int tmp[4 * NUM_THREADS];");
  EXPECT_EQ(arrayReadAt("3 * j + 1"), "__local int tmp[4 * NUM_THREADS];");
}

/// The host of rounds up to this number, of parameters a and b.
std::string hostOfRounds(const std::string &end) {
  const ir::Program program = parse(R"(
__codelet void g(Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] += 1;
}
__codelet void f(unsigned a, unsigned b, Array<1, int> c) {}
__codelet __tag(rounds) void f(unsigned a, unsigned b, Array<1, int> c) {
  for (unsigned t = 0; t < )" + end +
                                    R"(; ++t)
    g(c);
}
)");
  const composer::Machine machine = projected("simple-gpu", "opencl");
  const ir::PlanPtr one = devolve(0, "g", devolve(1, "g", compute(2, "g", 0)));
  auto lowered = lower(program, "f", compound(0, "f", 1, {one}), machine, "opencl");
  const LoweredPlan plan = optimize(std::get<LoweredPlan>(std::move(lowered)), {});
  auto source = printOpencl(plan, {}, Contraction::Nothing);
  return printOpenclHost(plan, *program.spectrum("f"), std::get<OpenclSource>(source), {}).text;
}

TEST(PrintOpencl, AHostCountsToNumbersInParentheses) {
  for (const auto &[end, inC] : {std::pair("min(a, b)", "t < (a < b ? a : b); ++t"),
                                 std::pair("(a & 7)", "t < (a & 7); ++t"),
                                 std::pair("a + b", "t < (uint32_t)(a + b); ++t")}) {
    const std::string host = hostOfRounds(end);
    EXPECT_NE(host.find(inC), std::string::npos) << host;
  }
}

TEST(PrintOpencl, AbsoluteValuesAreSigned) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, const Array<1, double> b, Array<1, int> c) {
  if (abs(a[0]) - 3 < 0 && abs(b[0]) > 0.5)
    c[0] = 1;
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("if ((int)((uint)absolute_i32(a[0]) - 3) < 0 && fabs(b[0]) > 0.5)"),
            std::string::npos)
      << text;
}

TEST(PrintOpencl, SoIsWhatOneItemWritesAfterAnother) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  if (coopIdx() < c.size())
    c[c.size() - 1 - coopIdx()] = 0;
  if (coopIdx() < c.size())
    c[coopIdx()] = a[coopIdx()];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  EXPECT_NE(text.find("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"), std::string::npos)
      << text;
}

TEST(PrintOpencl, ALoopWithABarrierThatEndsWithALoopIsClosed) {
  const std::vector<std::string> lines = linesFrom(kernelOfParts(), "for (ulong round = ");
  ASSERT_GE(lines.size(), 6U);
  EXPECT_EQ(lines[3], "}");
  EXPECT_EQ(lines[4], "POCL_BARRIER();");
}

TEST(PrintOpencl, SoIsOneThatEndsWithABranchOfLoops) {
  const std::string text = kernelOfPartsInBranches();
  EXPECT_NE(text.find("    }\n    POCL_BARRIER();\n  }\n}"), std::string::npos) << text;
}

TEST(PrintOpencl, WhatALoopWithBarriersAsksMemoryIsApartFromItsRoundOnPocl) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  c[0] = 0;
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  __shared int tmp[coopDim()];
  __shared int total;
  unsigned id = coopIdx();
  tmp[id] = 0;
  total = 0;
  while (total < 3) {
    if (id > 0)
      tmp[id] += tmp[id - 1];
    if (id == 0)
      ++total;
  }
  if (id < c.size())
    c[id] = tmp[id];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  EXPECT_NE(text.find("POCL_WHILE(total[0] < 3) {"), std::string::npos) << text;
  EXPECT_NE(text.find("#define POCL_ASK(again) (again)\n"), std::string::npos) << text;
}

TEST(PrintOpencl, ALoopWithBarriersIsApartFromABranchWithOneOnPocl) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  c[0] = 0;
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned n = c.size();
  unsigned id = coopIdx();
  tmp[id] = 0;
  if (n <= 20) {
    if (id < n)
      tmp[n - 1 - id] = tmp[id / 2];
  }
  for (unsigned k = 0; k < 2; ++k) {
    for (unsigned s = 1; s < 8; s *= 2) {
      if (id >= s)
        tmp[id] = tmp[id - s];
    }
  }
  if (id < n)
    c[id] = tmp[id];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  const std::size_t branch = text.find("c_size <= 20"),
                    apart = text.find("POCL_BARRIER();", branch);
  EXPECT_LT(apart, text.find("for (ulong k", branch)) << text;
}

TEST(PrintOpencl, NothingWithoutBarriersKeepsALoopApartFromABranchOnPocl) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  c[0] = 0;
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned n = c.size();
  unsigned id = coopIdx();
  tmp[id] = 0;
  if (n <= 20) {
    if (id < n)
      tmp[n - 1 - id] = tmp[id / 2];
  }
  int own = a[id % n];
  for (unsigned s = 1; s < 8; s *= 2) {
    if (id >= s)
      tmp[id] = tmp[id - s] + own;
  }
  if (id < n)
    c[id] = tmp[id];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  const std::vector<std::string> lines = linesFrom(text, "own = ");
  ASSERT_GT(lines.size(), 2U) << text;
  EXPECT_EQ(lines[1], "POCL_BARRIER();") << text;
}

TEST(PrintOpencl, ALoopIsApartFromTheBranchOfTheRoundBeforeOnPocl) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  c[0] = 0;
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  require(c.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned n = c.size();
  unsigned id = coopIdx();
  tmp[id] = 0;
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned s = 1; s < 8; s *= 2) {
      if (id >= s)
        tmp[id] = tmp[id - s];
    }
    if (k <= 20) {
      if (id < n)
        tmp[n - 1 - id] = tmp[id / 2];
    }
  }
  if (id < n)
    c[id] = tmp[id];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  EXPECT_NE(text.find("      }\n    }\n    POCL_BARRIER();\n  }\n"), std::string::npos) << text;
}

TEST(PrintOpencl, WhatABranchReadsIsReadAgainBehindABarrierOnPocl) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  int most = -1;
  for (unsigned i = 0; i < c.size(); i++) {
    most = max(most, a[i]);
    c[i] = most;
  }
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  __shared int t[coopDim()];
  __shared int most;
  most = -1;
  for (unsigned base = 0; base < c.size(); base += coopDim()) {
    unsigned i = base + coopIdx();
    t[coopIdx()] = i < c.size() ? a[i] : -1;
    for (unsigned s = 1; s < coopDim(); s *= 2) {
      if (coopIdx() >= s)
        t[coopIdx()] = max(t[coopIdx()], t[coopIdx() - s]);
    }
    if (i < c.size()) {
      bool old = most >= t[coopIdx()];
      c[i] = old ? most : max(t[0], t[coopIdx()]);
    }
    bool older = most >= t[coopDim() - 1];
    most = older ? most : t[coopDim() - 1];
  }
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  const std::vector<std::string> lines = linesFrom(text, "c[i] = old");
  ASSERT_GE(lines.size(), 4U) << text;
  EXPECT_EQ(lines[1], "}") << text;
  EXPECT_EQ(lines[2], "POCL_BARRIER();") << text;
}

/// Lanes that do `first`, and then go through a loop with barriers.
std::string kernelWithALoopBehind(const std::string &first) {
  return kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  __shared int t[coopDim()];
)" + first + R"(
  for (unsigned k = 1; k < c.size(); k *= 2) {
    if (coopIdx() >= k)
      t[coopIdx()] = t[coopIdx() - k];
  }
  if (coopIdx() < c.size())
    c[coopIdx()] = t[coopIdx()];
}
)",
                  devolve(0, "f", compute(1, "f", 1)));
}

TEST(PrintOpencl, ALoopWithBarriersIsApartFromABranchOfItemsOnPocl) {
  const std::string text =
      kernelWithALoopBehind("  if (coopIdx() < c.size()) t[coopIdx()] = a[coopIdx()];");
  EXPECT_NE(text.find("  }\n  POCL_BARRIER();\n  for ("), std::string::npos) << text;
}

TEST(PrintOpencl, SoItIsFromALoopOfItemsThatBranchToLoops) {
  const std::string loop = "  for (unsigned i = coopIdx(); i < coopDim(); i += coopDim())\n";
  const std::string text = kernelWithALoopBehind(
      loop + "    if (a[i] > 2) for (unsigned k = 0; k < c.size(); ++k) t[i] += a[k];");
  EXPECT_NE(text.find("  }\n  POCL_BARRIER();\n  for ("), std::string::npos) << text;
  const std::string plain = kernelWithALoopBehind(loop + "    t[i] = a[i];");
  EXPECT_EQ(plain.find("  }\n  POCL_BARRIER();\n  for ("), std::string::npos) << plain;
}

TEST(PrintOpencl, TwoBranchesWithBarriersAreApartOnPocl) {
  const std::string text = kernelOf(R"(
__codelet void f(int mode, const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 1; i < c.size(); i++)
    c[i] = mode == 0 ? a[i - 1] : a[i] - a[i - 1];
}
__codelet __coop __tag(lanes) void f(int mode, const Array<1, int> a, Array<1, int> c) {
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  t[id] = a[id];
  if (mode == 0) {
    if (id >= 1)
      t[id] = t[id - 1];
  } else {
    if (id >= 1)
      t[id] = t[id] - t[id - 1];
  }
  if (id < c.size())
    c[id] = t[id];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  EXPECT_NE(text.find("  }\n  POCL_BARRIER();\n  if (mode != 0) {\n"), std::string::npos) << text;
}

/// Of a condition that asks for memory, which the first branch may change, the answer is not asked for again.
TEST(PrintOpencl, ABranchWithBarriersByMemoryEndsWithOneOnPocl) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 1; i < c.size(); i++)
    c[i] = a[0] == 0 ? a[i - 1] : a[i] - a[i - 1];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  t[id] = a[id];
  if (t[0] == 0) {
    if (id >= 1)
      t[id] = t[id - 1];
  } else {
    if (id >= 1)
      t[id] = t[id] - t[id - 1];
  }
  if (id < c.size())
    c[id] = t[id];
}
)",
                                    devolve(0, "f", compute(1, "f", 1)));
  EXPECT_NE(text.find("    }\n    POCL_BARRIER();\n  } else {\n"), std::string::npos) << text;
}

/// Items are asked for a number that only some of them have changed on the way.
TEST(PrintOpencl, BranchesByWhatSomeItemsHaveChangedAreKeptOnPocl) {
  const auto printed = [](const std::string &body) {
    return kernelOf(R"(
__codelet int f(const Array<1, int> a) {
  int n = 0;
  for (unsigned i = 0; i < a.size(); i++)
    n += a[i] > 0 ? 1 : 0;
  return n;
}
__codelet __coop __tag(lanes) int f(const Array<1, int> a) {
  __shared int n;
  unsigned id = coopIdx();
  int own = 0;
  if (id == 0)
    n = 0;
  for (unsigned i = id; i < a.size(); i += coopDim()) {
    )" + body + R"(
  }
  if (own > 0)
    atomicAdd(n, own);
  return n;
}
)",
                    devolve(0, "f", compute(1, "f", 1)));
  };
  const std::string asked = printed("if (a[i] > 0) own += 1;");
  EXPECT_NE(asked.find("  }\n  POCL_KEEP();\n  barrier("), std::string::npos) << asked;
  EXPECT_EQ(printed("own += a[i] > 0 ? 1 : 0;").find("POCL_KEEP"), std::string::npos);
}

TEST(PrintOpencl, GreatestOfShortNumbersHasTheirTypeWhereOneIsChosen) {
  const std::string text = kernelOf(R"(
__codelet void f(const Array<1, short> a, Array<1, short> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = max(a[i], i > 0 ? a[i - 1] : (short)-3);
}
)",
                                    devolve(0, "f", devolve(1, "f", compute(2, "f", 0))));
  EXPECT_NE(text.find("max(a[i], (short)("), std::string::npos) << text;
}

/// A kernel of groups of lanes that do `body` with numbers `a` and `c`.
std::string kernelOfLanes(const std::string &body) {
  return kernelOf(R"(
__codelet void f(const Array<1, int> a, Array<1, int> c) {
  for (unsigned i = 0; i < c.size(); i++)
    c[i] = a[i];
}
__codelet __coop __tag(lanes) void f(const Array<1, int> a, Array<1, int> c) {
  unsigned id = coopIdx();
)" + body + "}\n",
                  devolve(0, "f", compute(1, "f", 1)));
}

/// Lanes that go different ways to loops, between two barriers.
std::string kernelOfTwoWays(const std::string &between) {
  return kernelOfLanes(R"(
  __shared int t[4 * coopDim()];
  t[id] = 0;
  if (id < c.size()) {
    for (unsigned k = 0; k < 4; k++)
      t[4 * id + k] = a[id];
  })" + between + R"({
    for (unsigned k = 0; k < 4; k++)
      c[id] += k;
  }
  if (id > 0)
    c[id] = t[4 * id - 1];
)");
}

TEST(PrintOpencl, BranchesOfLoopsAreKeptApartOnPocl) {
  const std::string text = kernelOfTwoWays(" if (id > 2) ");
  EXPECT_NE(text.find("    }\n  }\n  POCL_BARRIER();\n  if (thread > 2"), std::string::npos)
      << text;
}

TEST(PrintOpencl, SoAreTheTwoOfOneCondition) {
  const std::string text = kernelOfTwoWays(" else ");
  EXPECT_NE(text.find("    }\n  }\n  POCL_BARRIER();\n  if (thread >= "), std::string::npos)
      << text;
  EXPECT_EQ(text.find("} else"), std::string::npos) << text;
}

std::string kernelOfBranches(const std::string &branch) {
  return kernelOfLanes(R"(
  __shared int t[coopDim()];
  t[id] = id;
  int own = 0;
  if (id > 0)
    own = t[id - 1];
  )" + branch + R"(
  if (id < c.size())
    c[id] = own;
)");
}

TEST(PrintOpencl, BranchesInBranchesStayAsTheyAreOnPocl) {
  const std::string text =
      kernelOfBranches("if (id % 3 == 0) { if (own > 2) own = 5; else own = 7; }");
  const std::string keep = "POCL_KEEP();\n";
  EXPECT_NE(text.find("barrier(CLK_LOCAL_MEM_FENCE);\n  " + keep), std::string::npos) << text;
  EXPECT_NE(
      text.find("  " + keep + "  if (thread % 3 == 0) {\n    " + keep +
                "    if (own > 2) {\n      own = 5;\n    } else {\n      own = 7;\n    }\n    " +
                keep + "  }\n  " + keep),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("#define POCL_KEEP()\n"), std::string::npos) << text;
}

TEST(PrintOpencl, SoAreRoundsWithBarriersThatAreLeft) {
  const std::string round = " if (id >= s) t[id] += t[id - s]; }";
  EXPECT_NE(
      kernelOfBranches("for (unsigned s = 1; s < 8; s *= 2) { if (s > c.size()) break;" + round)
          .find("POCL_KEEP"),
      std::string::npos);
  EXPECT_EQ(kernelOfBranches("for (unsigned s = 1; s < 8; s *= 2) {" + round).find("POCL_KEEP"),
            std::string::npos);
}

TEST(PrintOpencl, SoAreBranchesWithBarriersInSuchBranches) {
  const std::string branch = "{ if (id > 2) t[id] = t[id - 2]; }";
  EXPECT_NE(
      kernelOfBranches("if (c.size() > 9) { if (id > 1) t[id] = t[id - 1]; if (a.size() > 8) " +
                       branch + " }")
          .find("POCL_KEEP"),
      std::string::npos);
  EXPECT_EQ(kernelOfBranches("if (c.size() > 9) " + branch).find("POCL_KEEP"), std::string::npos);
}

TEST(PrintOpencl, SoAreBranchesThatAskForWhatAnotherBranchHasComputed) {
  EXPECT_NE(
      kernelOfBranches("int low; if (id > 1) low = t[id - 2]; if (id > 1 && low > 2) own = 5;")
          .find("POCL_KEEP"),
      std::string::npos);
  EXPECT_EQ(kernelOfBranches("if (id > 1 && own > 2) own = 5;").find("POCL_KEEP"),
            std::string::npos);
}

TEST(PrintOpencl, BranchesInWhatAllItemsDoNeedNothingForThat) {
  EXPECT_EQ(kernelOfBranches("if (c.size() > 2) { if (own > 2) own = 5; }").find("POCL_KEEP"),
            std::string::npos);
  EXPECT_EQ(kernelOfBranches("if (id % 3 == 0) own = 5;").find("POCL_KEEP"), std::string::npos);
}

} // namespace
} // namespace tangram::codegen
