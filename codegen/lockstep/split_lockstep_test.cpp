#include "codegen/lockstep/resolve_views.h"
#include "codegen/lockstep/split_lockstep.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

std::string textOf(const std::variant<StmtPtr, Refusal> &split) {
  if (const auto *refusal = std::get_if<Refusal>(&split))
    return refusal->reason + " (" + std::to_string(refusal->location.line) + ":" +
           std::to_string(refusal->location.column) + ")";
  std::string text = "\n" + ir::toString(std::get<StmtPtr>(split));
  for (const auto &[from, to] : {std::pair("parallel level 2 lane < coopDim() {", "lanes {"),
                                 std::pair("parallel level 2 < 1 {", "one {")}) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, std::string(from).size(), to);
  }
  return text;
}

/// The pieces of a cooperative codelet void f(int n, Array<1, int> a, Array<2, int> m).
std::string split(const std::string &body) {
  const std::string params = " f(int n, Array<1, int> a, Array<2, int> m) {\n";
  ir::Program program = parse("__codelet void" + params + "}\n__codelet __coop __tag(c) void" +
                              params + body + "}\n");
  if (program.spectrums.empty())
    return "the source is wrong";
  return textOf(splitLockstep({2, variable("lane", Scalar::Index, VarKind::Worker).var(),
                               resolveViews(program.spectrum("f")->codelets[1].body)}));
}

const std::string head = "  __shared int t[coopDim()];\n  unsigned id = coopIdx();\n";

/// `split` of `body` behind the declarations of `head`.
std::string after(const std::string &body) {
  std::string text = split(head + body);
  const std::string declarations =
      "\n__shared int t[coopDim()];\nlanes {\n  index id = coopIdx();\n}\n";
  return text.starts_with(declarations) ? text.substr(declarations.size() - 1) : text;
}

TEST(SplitLockstep, ReadsForAllLanesBeforeItWritesForAny) {
  EXPECT_EQ(after("  t[id] = t[id + 1];\n"), R"(
lanes {
  int t_read = t[id + 1];
}
lanes {
  t[id] = t_read;
}
)");
}

TEST(SplitLockstep, ElementsOfArraysOfArraysAreToldApartByTheirSubscripts) {
  const std::string loop = "  __shared int s[8][9];\n  __shared int p[2][4][coopDim()];\n"
                           "  unsigned w = m.size(1);\n"
                           "  for (unsigned i = coopIdx(); i < w * a.size(); i += coopDim())\n    ";
  for (const std::string statement :
       {"s[i / w][i % w] = s[i / w][i % w] + 1;", "p[1][i / w][i % w] += p[1][i / w][i % w];",
        "p[0][w][coopIdx()] += i;", "m[n + i / w][i % w + n] = m[n + i / w][i % w + n] + 1;"})
    EXPECT_EQ(split(loop + statement + "\n").find("at different times"), std::string::npos)
        << statement;
  for (const std::string statement :
       {"s[i / w][i % w] = s[i % w][i / w] + 1;", "s[0][i % w] += 1;", "p[i / w][0][i / w] += 1;"})
    EXPECT_NE(split(loop + statement + "\n").find("at different times"), std::string::npos)
        << statement;
}

TEST(SplitLockstep, WhatLiesBehindTheEndOfALoopIsReadByLanesThatLeaveItApart) {
  for (const std::string statement :
       {"a[i] -= a[h];", "a[i] = a[i + h];", "m[i][h] = m[i][h + i];", "a[i + h] = a[i];"}) {
    const std::string text =
        after("  unsigned h = a.size() / 2;\n  for (unsigned i = id; i < h; i += coopDim())\n    " +
              statement + "\n");
    EXPECT_EQ(text.find("lanes that leave"), std::string::npos) << text;
  }
  for (const std::string statement :
       {"a[i] -= a[h - 1];", "a[i] = a[2 * i];", "a[i + h] = a[2 * i];"}) {
    const std::string text =
        after("  unsigned h = a.size() / 2;\n  for (unsigned i = id; i < h; i += coopDim())\n    " +
              statement + "\n");
    EXPECT_NE(text.find("lanes that leave"), std::string::npos) << text;
  }
}

TEST(SplitLockstep, EveryGuardOfThePathBelongsToTheReads) {
  EXPECT_EQ(after("  if (id > 0) {\n    if (a[id - 1] > 3)\n      t[id] = t[id - 1];\n  }\n"), R"(
lanes {
  int t_read = id > 0 && a[id - 1] > 3 ? t[id - 1] : 0;
}
lanes {
  if (id > 0 && a[id - 1] > 3) {
    t[id] = t_read;
  }
}
)");
}

TEST(SplitLockstep, AConditionThatItsBranchChangesIsEvaluatedOnceBelowItsGuards) {
  EXPECT_EQ(after("  if (id > 0) {\n    if (t[id - 1] > t[id])\n      t[id] = t[id - 1];\n"
                  "    else\n      a[id] = 1;\n  }\n"),
            R"(
lanes {
  bool active = id > 0 && t[id - 1] > t[id];
}
lanes {
  int t_read = active ? t[id - 1] : 0;
}
lanes {
  if (active) {
    t[id] = t_read;
  }
}
lanes {
  if (id > 0 && !active) {
    a[id] = 1;
  }
}
)");
}

TEST(SplitLockstep, AConditionThatAnAtomicOperationChanges) {
  EXPECT_EQ(split("  __shared int t[2];\n  unsigned id = coopIdx();\n  if (t[0] > 3)\n    "
                  "atomicAdd(t[0], (int)id);\n"
                  "  else\n    atomicMax(t[0], (int)id);\n"),
            R"(
__shared int t[2];
lanes {
  unsigned id = coopIdx();
}
if (t[0] > 3) {
  lanes {
    atomicAdd(t[0], (int)id);
  }
}
else {
  lanes {
    atomicMax(t[0], (int)id);
  }
}
)");
  EXPECT_EQ(after("  if (t[id] > 3)\n    atomicAdd(t[id + 1], 1);\n"
                  "  else\n    atomicMax(t[id + 1], 1);\n"),
            R"(
lanes {
  bool active = t[id] > 3;
}
lanes {
  if (active) {
    atomicAdd(t[id + 1], 1);
  }
}
lanes {
  if (!active) {
    atomicMax(t[id + 1], 1);
  }
}
)");
}

TEST(SplitLockstep, ViewsAreTheContainersThatTheyAreOf) {
  EXPECT_EQ(after("  auto view = a;\n  view[id] = a[id + 1];\n"), R"(
lanes {
  int a_read = a[id + 1];
}
lanes {
  a[id] = a_read;
}
)");
  EXPECT_EQ(after("  for (unsigned i = 1; i < 3; ++i) {\n    auto row = m[i];\n"
                  "    row[id] = m[i - 1][id + 1];\n  }\n"),
            R"(
for (index i = 1; i < 3; i += 1) {
  lanes {
    int m_read = m[i - 1][id + 1];
  }
  lanes {
    m[i][id] = m_read;
  }
}
)");
}

TEST(SplitLockstep, SubscriptsAreReadBeforeTheElementsThatTheyAreReadFrom) {
  EXPECT_EQ(after("  t[t[id]] = n;\n"), R"(
lanes {
  int t_at = t[id];
}
lanes {
  t[t_at] = n;
}
)");
}

TEST(SplitLockstep, LanesRunAloneWhatTheyDoToTheirOwnElements) {
  EXPECT_EQ(after("  if (id < 3)\n    t[id + 1] += 2;\n"
                  "  for (unsigned i = id; i < a.size(); i += coopDim())\n"
                  "    m[0][i] += a[i] * m[1][i];\n"),
            R"(
lanes {
  if (id < 3)
    t[id + 1] += 2;
}
lanes {
  for (index i = id; i < a.size(); i += coopDim())
    m[0][i] += a[i] * m[1][i];
}
)");
}

TEST(SplitLockstep, ALoopBelowAConditionIsRunByThoseThatEntered) {
  EXPECT_EQ(after("  int own = 0;\n  if (id < 3) {\n    for (unsigned k = 0; k < 8; k += n)\n"
                  "      own += a[k];\n  }\n  a[id] = own;\n"),
            R"(
lanes {
  int own = 0;
}
lanes {
  if (id < 3) {
    for (unsigned k = 0; k < 8; k += n)
      own += a[k];
  }
}
lanes {
  a[id] = own;
}
)");
}

TEST(SplitLockstep, ALoopThatNeedsAllLanesIsEnteredWhereSomeLaneEnters) {
  EXPECT_EQ(after("  if (id < 3) {\n    int k = a[n];\n    while (k > 0) {\n"
                  "      t[id] = t[id + 1];\n      k -= 1;\n    }\n  }\n"),
            R"(
lanes {
  bool active = id < 3;
}
__shared unsigned entered;
one {
  entered = 0;
}
lanes {
  if (active) {
    atomicMax(entered, 1);
  }
}
if (entered != 0) {
  for (int k = a[n]; k > 0; k -= 1) {
    lanes {
      int t_read = active ? t[id + 1] : 0;
    }
    lanes {
      if (active) {
        t[id] = t_read;
      }
    }
  }
}
)");
}

TEST(SplitLockstep, JumpsThatAllLanesTakeStayWithTheGroup) {
  EXPECT_EQ(after("  for (unsigned s = 1; s < 8; ++s) {\n    if (a[s] == 3)\n      continue;\n"
                  "    t[id] = t[id + s];\n    if (t[0] == 1)\n      break;\n  }\n"),
            R"(
for (index s = 1; s < 8; s += 1) {
  if (a[s] == 3) {
    continue;
  }
  lanes {
    int t_read = t[id + s];
  }
  lanes {
    t[id] = t_read;
  }
  if (t[0] == 1) {
    break;
  }
}
)");
}

TEST(SplitLockstep, AnArrayOfALane) {
  EXPECT_EQ(after("  int own[2];\n  own[0] = a[id];\n  t[id] = own[0];\n"), R"(
lanes {
  int own[2];
}
lanes {
  own[0] = a[id];
}
lanes {
  t[id] = own[0];
}
)");
}

TEST(SplitLockstep, RefusesToLeaveALoopWhereLanesNeedEachOther) {
  EXPECT_EQ(after("  for (unsigned k = 0; k < id; ++k)\n    t[id] = t[id + 1];\n"),
            "lanes that leave a loop at different times can write in it only what no other lane "
            "reads: elements at the loop's variable, which starts at coopIdx() and advances by "
            "coopDim(). Let all lanes run every round, and put what not all do under an if (7:3)");
}

/// Whether each lane may run the loop from its start to its end.
bool isOfOneLane(const std::string &loop) {
  return after(loop).find("\nlanes {\n  for (") != std::string::npos;
}

TEST(SplitLockstep, ALoopOfStridesMayStartBehindTheLane) {
  EXPECT_TRUE(isOfOneLane("  for (unsigned i = 1 + id; i < a.size(); i += coopDim())\n"
                          "    a[i] += 1;\n"));
  EXPECT_TRUE(isOfOneLane("  for (unsigned i = id + n; i < a.size(); i += coopDim())\n"
                          "    a[i] = 1;\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = id + a[id]; i < a.size(); i += coopDim())\n"
                           "    a[i] = 1;\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = n + 2 * id; i < a.size(); i += coopDim())\n"
                           "    a[i] += 1;\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = id / 2; i < a.size(); i += coopDim())\n"
                           "    a[i] += 1;\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = 1 + id; i < a.size(); i += coopDim())\n"
                           "    a[i] += a[id];\n"));
}

TEST(SplitLockstep, ALoopOfStridesReadsWhatLiesBeforeIt) {
  EXPECT_TRUE(isOfOneLane("  for (unsigned i = 3 + id; i < a.size(); i += coopDim())\n"
                          "    a[i] -= a[2];\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = 3 + id; i < a.size(); i += coopDim())\n"
                           "    a[i] -= a[3];\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = 3 + id; i < a.size(); i += coopDim())\n"
                           "    a[2] -= a[i];\n"));
  EXPECT_EQ(after("  for (unsigned j = 0; j < a.size(); ++j)\n"
                  "    for (unsigned i = j + 1 + id; i < a.size(); i += coopDim())\n"
                  "      a[i] -= a[j];\n"),
            R"(
for (index j = 0; j < a.size(); j += 1) {
  lanes {
    for (index i = j + 1 + id; i < a.size(); i += coopDim())
      a[i] -= a[j];
  }
}
)");
}

TEST(SplitLockstep, ALoopOfStridesTakesSeveralElementsAtOnce) {
  EXPECT_TRUE(isOfOneLane("  for (unsigned i = 2 * id; i + 1 < a.size(); i += 2 * coopDim())\n"
                          "    a[i] += a[i + 1];\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = 2 * id; i + 2 < a.size(); i += 2 * coopDim())\n"
                           "    a[i] += a[i + 2];\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = 2 * id; i < a.size(); i += coopDim())\n"
                           "    a[i] += 1;\n"));
}

TEST(SplitLockstep, ALoopOverABlockIsOfItsLane) {
  const std::string blocks = "  unsigned b = (a.size() + coopDim() - 1) / coopDim();\n";
  EXPECT_TRUE(isOfOneLane(blocks +
                          "  for (unsigned i = id * b; i < (id + 1) * b && i < a.size(); ++i)\n"
                          "    a[i] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(blocks +
                          "  for (unsigned i = b * id; i < min(id * b + b, a.size()); ++i)\n"
                          "    a[i] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(blocks + "  for (unsigned i = id * b; i < (id + 2) * b; ++i)\n"
                                    "    a[i] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(blocks + "  for (unsigned i = id * b; i < (id + 1) * b; ++i)\n"
                                    "    a[i] += a[i + 1];\n"));
}

TEST(SplitLockstep, TheHeadOfALoopOverABlockMayLookAtTheNextOne) {
  const std::string from = "  for (unsigned i = id * 4; ", to = "; ++i)\n    a[i] += 1;\n";
  EXPECT_TRUE(isOfOneLane(from + "i < (id + 1) * 4 && a[i] > 0" + to));
  EXPECT_TRUE(isOfOneLane(from + "m[0][i] > 0 && i < (id + 1) * 4" + to));
  EXPECT_FALSE(isOfOneLane(from + "a[i] > 0 && i < (id + 1) * 4" + to));
  EXPECT_FALSE(isOfOneLane(from + "i < n && a[i] > 0 && i < (id + 1) * 4" + to));
}

TEST(SplitLockstep, AColumnOfRowsAsLongAsThereAreLanesIsOfItsLane) {
  EXPECT_TRUE(isOfOneLane("  for (unsigned i = id / 3; i < n; i += 2)\n"
                          "    a[m[0][i] * coopDim() + id] += i;\n"));
  EXPECT_TRUE(isOfOneLane("  for (unsigned i = id / 3; i < n; i += 2)\n"
                          "    a[id + m[0][i] * coopDim()] += i;\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = id / 3; i < n; i += 2)\n"
                           "    a[m[0][i] * coopDim() + id / 2] += i;\n"));
  EXPECT_FALSE(isOfOneLane("  for (unsigned i = id / 3; i < n; i += 2)\n"
                           "    a[m[0][i] * n + id] += i;\n"));
}

TEST(SplitLockstep, RowsAndColumnsOfANumberOfOnesLaneAreOfThatLane) {
  const std::string loop = "  unsigned w = m.size(1);\n"
                           "  for (unsigned e = id; e < n * w; e += coopDim())\n";
  EXPECT_TRUE(isOfOneLane(loop + "    m[e / w][e % w] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(loop + "    m[n - 1 - e / w][w - 1 - e % w] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    m[id - e / w][w - 1 - e % w] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(loop + "    a[e / w * w + e % w] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(loop + "    a[e / w * (w | 1) + e % w] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(loop + "    a[e / 32 * (32 + 1) + e % 32] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(loop + "    a[(n + e / 32) * 33 + e % 32] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    a[(id + e / 32) * 33 + e % 32] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    a[e / 32 * 31 + e % 32] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    a[e / w * (w - 1) + e % w] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    a[e / w * w + e % n] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    a[e / w + e % w] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    a[e / w * (w | id) + e % w] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    for (unsigned r = 0; r < 4; ++r)\n"
                                  "      a[e / w * (w | r) + e % w] += 1;\n"));
  EXPECT_FALSE(isOfOneLane("  for (int e = id; e < 99; e += coopDim())\n"
                           "    a[e / n * (int)((unsigned)n | 1u) + e % n] += 1;\n"));
}

TEST(SplitLockstep, DigitsOfANumberOfOneLaneAreOfThatLane) {
  const std::string loop =
      "  __shared int d[4][5][6];\n  unsigned w = m.size(1);\n  unsigned h = m.size(0);\n"
      "  for (unsigned e = id; e < n * w * h; e += coopDim())\n";
  EXPECT_TRUE(isOfOneLane(loop + "    d[e / w / h][e / w % h][e % w] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(loop + "    d[e % w][e / w / h][e / w % h] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(loop + "    d[e / w / h + 3][e / w % h * 2][e % w] += 1;\n"));
  EXPECT_TRUE(isOfOneLane(
      "  __shared int d[4][5][6][7];\n  unsigned w = m.size(1);\n  unsigned h = m.size(0);\n"
      "  for (unsigned e = id; e < n * w * h; e += coopDim())\n"
      "    d[e / w / h / 3][e / w / h % 3][e / w % h][e % w] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    d[e / w / h][e / w % w][e % w] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    d[e / w / h][e / w % h][e % h] += 1;\n"));
  EXPECT_FALSE(isOfOneLane(loop + "    d[e / w / h][e / w % h][0] += 1;\n"));
}

TEST(SplitLockstep, BlocksOfALaneMayLieApart) {
  const auto areOfOneLane = [](const std::string &place) {
    return after("  if (id < n) {\n    for (unsigned k = 0; k < 4; ++k)\n      a[" + place +
                 "] += 1;\n  }\n")
               .find("entered") == std::string::npos;
  };
  EXPECT_TRUE(areOfOneLane("id * 4 + k"));
  EXPECT_TRUE(areOfOneLane("k + (4 + 1) * id"));
  EXPECT_FALSE(areOfOneLane("id * 3 + k"));
  EXPECT_FALSE(areOfOneLane("id * n + k"));
}

TEST(SplitLockstep, ComponentsAreOfTheLaneOfTheirElement) {
  const auto areOfOneLane = [](const std::string &a, const std::string &b) {
    const std::string text =
        after("  if (id < n) {\n    a[" + a + "] = 1;\n    a[" + b + "] = 2;\n  }\n");
    return text.find("lanes", text.find("lanes") + 1) == std::string::npos;
  };
  EXPECT_TRUE(areOfOneLane("id * 4", "id * 4 + 3"));
  EXPECT_TRUE(areOfOneLane("(id + 1) * 2 + 1", "(id + 1) * 2"));
  EXPECT_FALSE(areOfOneLane("id * 4", "id * 4 + 4"));
  EXPECT_FALSE(areOfOneLane("id * 4", "(id + 1) * 4"));
  EXPECT_FALSE(areOfOneLane("id * 4", "id * 2 + 1"));
  EXPECT_FALSE(areOfOneLane("id * 4", "n * 4 + 1"));
  EXPECT_FALSE(areOfOneLane("id / 2 * 4", "id / 2 * 4 + 1"));
}

TEST(SplitLockstep, BlocksOfRowsAreOfTheLaneWhoseNumberTheyFollowFrom) {
  const std::string loop = "  unsigned w = m.size(1);\n"
                           "  for (unsigned e = id; e < n * w; e += coopDim()) {\n"
                           "    unsigned i = e / w * 4;\n    unsigned j = e % w;\n"
                           "    for (unsigned r = 0; r < ";
  EXPECT_TRUE(isOfOneLane(loop + "4; ++r)\n      m[i + r][j] += 1;\n  }\n"));
  EXPECT_TRUE(isOfOneLane(loop + "3; ++r)\n      m[r + i][j] += 1;\n  }\n"));
  EXPECT_FALSE(isOfOneLane(loop + "5; ++r)\n      m[i + r][j] += 1;\n  }\n"));
  EXPECT_FALSE(isOfOneLane(loop + "n; ++r)\n      m[i + r][j] += 1;\n  }\n"));
  EXPECT_FALSE(isOfOneLane(loop + "4; ++r)\n      m[i + r][j + r] += 1;\n  }\n"));
}

} // namespace
} // namespace tangram::codegen
