#include "ir/early_return.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

ir::Codelet codeletWith(const std::string &body) {
  ir::Program program = parse("__codelet int f(const Array<1, int> in, int n) {\n" + body + "}\n");
  return program.spectrums.empty() ? ir::Codelet{} : program.spectrums[0].codelets[0];
}

std::string promoted(const std::string &body) {
  return "\n" + ir::toString(tailReturns(codeletWith(body).body, Scalar::I32));
}

/// No loop has a return, and nothing follows one in its block or after its branch.
void expectTailsOnly(const StmtPtr &s) {
  auto returns = [](const StmtPtr &part) {
    bool found = false;
    ir::forEach(part, [&](const Stmt &each) { found |= each.kind == StmtKind::Return; });
    return found;
  };
  ir::forEach(s, [&](const Stmt &each) {
    EXPECT_FALSE(isLoop(each) && returns(each.children.back())) << ir::toString(s);
    if (each.kind != StmtKind::Block)
      return;
    for (std::size_t i = 0; i + 1 < each.children.size(); ++i)
      EXPECT_FALSE(returns(each.children[i])) << ir::toString(s);
  });
}

TEST(EarlyReturn, ABodyWhoseReturnIsLastStays) {
  EXPECT_EQ(promoted("  int x = n;\n  return x;\n"), R"(
int x = n;
return x;
)");
}

TEST(EarlyReturn, WhatFollowsABranchThatReturnsMovesIntoTheOther) {
  EXPECT_EQ(promoted("  if (n < 3)\n    return 1;\n  int x = n;\n  return x;\n"), R"(
if (n < 3) {
  return 1;
}
else {
  int x = n;
  return x;
}
)");
}

TEST(EarlyReturn, WhatCanNoLongerBeReachedGoes) {
  EXPECT_EQ(promoted("  return n;\n  n = 3;\n  return 4;\n"), R"(
return n;
)");
}

TEST(EarlyReturn, ALoopIsLeftAndItsValueReturnedAfterIt) {
  EXPECT_EQ(promoted("  for (int i = 0; i < n; ++i) {\n"
                     "    if (in[i] == 7)\n"
                     "      return i;\n"
                     "  }\n"
                     "  return 0 - 1;\n"),
            R"(
int value;
bool returned = false;
for (index i = 0; (long)i < (long)n; i += 1) {
  if (in[i] == 7) {
    value = (int)i;
    returned = true;
    break;
  }
}
if (returned) {
  return value;
}
else {
  return 0 - 1;
}
)");
}

TEST(EarlyReturn, AVoidCodeletHasNoValueToKeep) {
  ir::Program program = parse("__codelet void f(Array<1, int> out, int n) {\n"
                              "  while (n > 0) {\n"
                              "    if (out[0] == 0)\n"
                              "      return;\n"
                              "    n -= 1;\n"
                              "  }\n"
                              "  out[0] = n;\n"
                              "}\n");
  StmtPtr body = program.spectrums.at(0).codelets[0].body;
  EXPECT_EQ("\n" + ir::toString(tailReturns(body, Scalar::Void)), R"(
bool returned = false;
while (n > 0) {
  if (out[0] == 0) {
    returned = true;
    break;
  }
  n -= 1;
}
if (returned) {
  return;
}
else {
  out[0] = n;
}
)");
}

const char *const bodies[] = {
    // Two ways out of one loop, and one after it.
    "  for (int i = 0; i < n; ++i) {\n"
    "    if (in[i] == 3)\n      return 30 + i;\n"
    "    if (in[i] == 5)\n      return 50 + i;\n"
    "  }\n  return n;\n",
    // Out of the inner of two loops.
    "  int seen = 0;\n"
    "  for (int i = 0; i < n; ++i) {\n"
    "    for (int j = 0; j < n; ++j) {\n"
    "      if (in[j] == i + 3)\n        return 10 * i + j;\n"
    "      seen += 1;\n"
    "    }\n"
    "    seen += 100;\n"
    "  }\n  return seen;\n",
    // A loop that is the whole body of another, and one under a condition.
    "  int k = 0;\n"
    "  while (k < n)\n"
    "    do {\n"
    "      k += 1;\n"
    "      if (in[k % 4] == 5)\n        return k;\n"
    "    } while (k % 3 != 0);\n"
    "  return 77;\n",
    "  for (int i = 0; i < n; ++i) {\n"
    "    if (i > 1) {\n"
    "      for (int j = i; j < n; ++j) {\n"
    "        if (in[j] == 8)\n          return i * 100 + j;\n"
    "      }\n"
    "    }\n"
    "    if (in[i] == 9)\n      break;\n"
    "    if (in[i] == 1)\n      continue;\n"
    "    n -= 1;\n"
    "  }\n  return n;\n",
    // Two loops one after the other, and returns in both branches.
    "  for (int i = 0; i < n; ++i) {\n    if (in[i] == 2)\n      return i;\n  }\n"
    "  if (n > 2) {\n    if (in[0] == 4)\n      return 400;\n    n += 1;\n  } else {\n"
    "    if (in[1] == 4)\n      return 401;\n  }\n"
    "  for (int i = 0; i < n; ++i) {\n    if (in[i % 4] == 6)\n      return 600 + i;\n  }\n"
    "  return n;\n",
};

TEST(EarlyReturn, TheValueStaysTheSame) {
  for (const char *text : bodies) {
    ir::Codelet codelet = codeletWith(text);
    ASSERT_TRUE(codelet.body) << text;
    StmtPtr after = tailReturns(codelet.body, Scalar::I32);
    expectTailsOnly(after);
    for (int input = 0; input < 2000; ++input) {
      Interpreter machine;
      std::vector<std::int64_t> data;
      for (int k = 0, left = input * 37 + 11; k < 4; ++k, left /= 7)
        data.push_back(left % 10);
      auto run = [&](const StmtPtr &body) {
        machine.memory[codelet.params[0].get()] = data;
        machine.set(E(ir::varRef(codelet.params[1])), input % 5);
        return machine.run(body);
      };
      auto expected = run(codelet.body);
      ASSERT_TRUE(expected.has_value()) << text;
      ASSERT_EQ(run(after), expected) << text << ir::toString(after);
    }
  }
}

} // namespace
} // namespace tangram::codegen
