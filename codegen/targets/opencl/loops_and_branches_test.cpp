// Loops and branches with barriers, which PoCL gets as other text than other devices.
#include "codegen/targets/opencl/opencl_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

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

/// A condition that reads memory is evaluated once, because the first branch may change that memory.
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
