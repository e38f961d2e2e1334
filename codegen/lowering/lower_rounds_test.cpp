// Loops around kernels: the host counts, or asks; variables that change are kept in memory.
#include "codegen/lowering/lower.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// The array form on simple-gpu, or why there is none.
std::string lowered(const std::string &source, const ir::PlanPtr &plan,
                    const std::string &target = "opencl") {
  const ir::Program program = parse(R"(
__codelet void f(int a, const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = a + in[i];
}
__codelet int g(const Array<1, int> in) { return in[0]; }
)" + source);
  const composer::Machine machine = projected("simple-gpu", target);
  auto result = lower(program, "h", plan, machine, target);
  if (auto *refusal = std::get_if<Refusal>(&result))
    return "\n" + refusal->reason;
  return "\n" + ir::toString(std::get<LoweredPlan>(result).body);
}

ir::PlanPtr step(const std::string &spectrum) {
  return devolve(0, spectrum, devolve(1, spectrum, compute(2, spectrum, 0)));
}

TEST(LowerRounds, TheHostCountsAndSwaps) {
  EXPECT_EQ(lowered(R"(
__codelet void h(int a, const Array<1, int> in, Array<1, int> out) { out[0] = in[0]; }
__codelet __tag(rounds) void h(int a, const Array<1, int> in, Array<1, int> out) {
  Array<1, int> one(in.size());
  Array<1, int> other(in.size());
  for (int t = 1; t < a; t += 2) {
    f(t, one, other);
    swap(one, other);
  }
}
)",
                    compound(0, "h", 1, {step("f")})),
            R"(
allocate level 0 one[in_size];
allocate level 0 other[in_size];
for (int t = 1; t < a; t += 2) {
  // S_G, devolve(B)
  parallel level 1 < 1 {
    // S_B, devolve(T)
    parallel level 2 < 1 {
      // compute(f#1, SE_T)
      for (index i = 0; i < in_size; i += 1) {
        other[i] = t + one[i];
      }
    }
  }
  swap containers(one, other);
}
)");
}

TEST(LowerRounds, LoopsAroundNumbersAloneAreOneKernel) {
  const std::string source = R"(
__codelet int h(int a, const Array<1, int> in, Array<1, int> out) { return 0; }
__codelet __tag(rounds) int h(int a, const Array<1, int> in, Array<1, int> out) {
  f(a, in, out);
  int best = 0;
  for (unsigned k = 0; k < out.size(); ++k) {
    if (out[k] > 100)
      break;
    if (out[k] > best)
      best = out[k];
  }
  return best;
}
)";
  EXPECT_NE(lowered(source, compound(0, "h", 1, {step("f")})).find(R"(
parallel level 1 < 1 {
  parallel level 2 < 1 {
    int best_now = best[0];
    for (index k = 0; k < out_size; k += 1) {
      if (out[k] > 100) {
        break;
      }
      if (out[k] > best_now) {
        best_now = out[k];
      }
    }
    best[0] = best_now;
  }
}
)"),
            std::string::npos)
      << lowered(source, compound(0, "h", 1, {step("f")}));
}

TEST(LowerRounds, SoAreBranchesWithSuchLoops) {
  const std::string text = lowered(R"(
__codelet int h(int a, const Array<1, int> in, Array<1, int> out) { return 0; }
__codelet __tag(rounds) int h(int a, const Array<1, int> in, Array<1, int> out) {
  f(a, in, out);
  int sum = in[0];
  if (sum > 3) {
    while (sum > 5)
      sum /= 2;
  }
  return sum;
}
)",
                                   compound(0, "h", 1, {step("f")}));
  EXPECT_EQ(text.find("goes_on"), std::string::npos) << text;
  EXPECT_EQ(text.find("chosen"), std::string::npos) << text;
  EXPECT_NE(text.find("while (sum_now > 5) {"), std::string::npos) << text;
}

TEST(LowerRounds, TheHostCountsWhatDoubles) {
  EXPECT_EQ(lowered(R"(
__codelet void k(unsigned t, const Array<1, int> in, Array<1, int> out) {
  require(t > 0);
  out[0] = in[t];
}
__codelet void h(int a, const Array<1, int> in, Array<1, int> out) { out[0] = in[0]; }
__codelet __tag(rounds) void h(int a, const Array<1, int> in, Array<1, int> out) {
  for (unsigned t = 1; t < in.size(); t <<= 1)
    k(t, in, out);
}
)",
                    compound(0, "h", 1, {step("k")})),
            R"(
for (index t = 1; t < in_size; t *= 2) {
  // S_G, devolve(B)
  parallel level 1 < 1 {
    // S_B, devolve(T)
    parallel level 2 < 1 {
      // compute(k#1, SE_T)
      out[0] = in[(index)(unsigned)t];
    }
  }
}
)");
}

/// The head of the host's loop where `h` has this one around `f`; "asks" where kernels decide.
std::string headOf(const std::string &head) {
  const std::string text = lowered(
      "__codelet void h(int a, const Array<1, int> in, Array<1, int> out) { out[0] = in[0]; }\n"
      "__codelet __tag(rounds) void h(int a, const Array<1, int> in, Array<1, int> out) {\n"
      "  for (" +
          head + ")\n    f((int)t, in, out);\n}\n",
      compound(0, "h", 1, {step("f")}));
  const std::size_t sum = text.find("out[i] = ");
  return text.find("while (") != std::string::npos || sum == std::string::npos
             ? "asks"
             : text.substr(1, text.find('\n', 1) - 1) +
                   text.substr(sum + 8, text.find('\n', sum) - sum - 8);
}

TEST(LowerRounds, TheHostCountsUpToANumberToo) {
  EXPECT_EQ(headOf("unsigned t = 2; t <= in.size(); t *= 2"),
            "for (index t = 2; t < in_size + 1; t *= 2) { (int)t + in[i];");
  EXPECT_EQ(headOf("int t = 1; t <= a; ++t"),
            "for (int t = 1; t < (long)a + 1; t += 1) { t + in[i];");
}

TEST(LowerRounds, TheHostCountsUpToTheSmallerOfTwoNumbers) {
  EXPECT_EQ(headOf("unsigned t = 1; t < in.size() && t < a; t *= 2"),
            "for (index t = 1; t < min(in_size, (index)(unsigned)a); t *= 2) { (int)t + in[i];");
  EXPECT_EQ(headOf("int t = 0; t < a && t + 1 < in.size(); ++t"),
            "asks"); // as numbers of two types
  EXPECT_EQ(headOf("unsigned t = 0; t < in.size() && t < 9 / in.size(); ++t"), "asks");
  EXPECT_EQ(headOf("unsigned t = 0; t < in.size() || t < a; ++t"), "asks");
}

TEST(LowerRounds, TheHostCountsWhatFalls) {
  EXPECT_EQ(headOf("unsigned t = in.size() / 2; t > 0; t /= 2"),
            "for (index round = 1; round < in_size / 2 + 1; round *= 2) { "
            "(int)(in_size / 2 / round) + in[i];");
  EXPECT_EQ(headOf("int t = 64; t >= 1; t >>= 1"),
            "for (index round = 1; round < 65; round *= 2) { (int)(64 / round) + in[i];");
  EXPECT_EQ(headOf("unsigned t = 7; t >= 0; --t"), "asks");
}

// Differences of numbers below 0, and of what has wrapped around, are other ones in hosts.
TEST(LowerRounds, TheHostCountsNothingThatMayBeBelow0) {
  EXPECT_EQ(headOf("int t = a; t > 2; --t"), "asks");
  EXPECT_EQ(headOf("int t = a; t >= 1; t >>= 1"), "asks");
  EXPECT_EQ(headOf("int t = in.size() - 5; t >= 0; --t"), "asks");
  EXPECT_EQ(headOf("unsigned t = 0; t + 2 <= in.size(); t += 2"), "asks");
}

TEST(LowerRounds, FactorsThatACounterCannotHoldAreNoneOfTheHosts) {
  EXPECT_EQ(headOf("unsigned char t = 1; t < 100; t <<= 7"),
            "for (unsigned char t = 1; t < 100; t *= 128) { (int)t + in[i];");
  EXPECT_EQ(headOf("unsigned char t = 1; t < 100; t <<= 8"), "asks");
}

TEST(LowerRounds, AKernelDecidesAndTheHostAsks) {
  EXPECT_EQ(lowered(R"(
__codelet void h(int a, const Array<1, int> in, Array<1, int> out) { out[0] = in[0]; }
__codelet __tag(rounds) void h(int a, const Array<1, int> in, Array<1, int> out) {
  int left = a;
  while (left > 0) {
    f(left, in, out);
    left -= 2;
  }
}
)",
                    compound(0, "h", 1, {step("f")})),
            R"(
allocate level 0 left[1];
parallel level 1 < 1 {
  parallel level 2 < 1 {
    left[0] = a;
  }
}
allocate level 0 goes_on[1];
parallel level 1 < 1 {
  parallel level 2 < 1 {
    goes_on[0] = (unsigned)(left[0] > 0);
  }
}
while (goes_on[0]) {
  // S_G, devolve(B)
  parallel level 1 < 1 {
    // S_B, devolve(T)
    parallel level 2 < 1 {
      // compute(f#1, SE_T)
      for (index i = 0; i < out_size; i += 1) {
        out[i] = left[0] + in[i];
      }
    }
  }
  parallel level 1 < 1 {
    parallel level 2 < 1 {
      left[0] -= 2;
    }
  }
  parallel level 1 < 1 {
    parallel level 2 < 1 {
      goes_on[0] = (unsigned)(left[0] > 0);
    }
  }
}
)");
}

/// How many elements memory is kept for, of a container with this extent in rounds.
std::string memoryFor(const std::string &head, const std::string &extent) {
  const ir::Program program = parse(R"(
__codelet void f(int a, const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = a;
}
__codelet void h(int a, const Array<1, int> in, Array<1, int> out) { out[0] = in[0]; }
__codelet __tag(rounds) void h(int a, const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  for ()" + head + R"() {
    Array<1, int> own()" + extent + R"();
    f(0, in, own);
  }
}
)");
  const composer::Machine machine = projected("simple-gpu", "opencl");
  auto result = lower(program, "h", compound(0, "h", 1, {step("f")}), machine, "opencl");
  if (auto *refusal = std::get_if<Refusal>(&result))
    return refusal->reason;
  std::string most;
  ir::forEach(std::get<LoweredPlan>(result).body, [&](const ir::Stmt &each) {
    if (each.kind == ir::StmtKind::Allocate)
      most += ir::toString(each.array->bounds.at(0));
  });
  return most;
}

TEST(LowerRounds, ContainersWithoutWhatCountersTakeAwayHaveMemoryForAll) {
  for (const char *extent : {"n - k", "n - k - 1", "n - 1 - k", "n - (k + 1)", "n - 2 * k - 3"})
    EXPECT_EQ(memoryFor("unsigned k = 0; k < n; ++k", extent), "in_size") << extent;
  EXPECT_EQ(memoryFor("int k = a; k < 9; ++k", "n - k"),
            "the size of 'own', a temporary of a grid, is not known before launch")
      << "k may be below 0";
  for (const char *extent : {"n - (k - 5)", "n - (a - k)", "n - a - k", "n - (unsigned)a - k"})
    EXPECT_EQ(memoryFor("unsigned k = 0; k < n; ++k", extent),
              "the size of 'own', a temporary of a grid, is not known before launch")
        << extent << ": what is taken away may be below 0";
}

TEST(LowerRounds, ContainersThatAreSwappedHaveTheSameExtents) {
  EXPECT_EQ(lowered(R"(
__codelet void h(int a, const Array<1, int> in, Array<1, int> out) { out[0] = in[0]; }
__codelet __tag(rounds) void h(int a, const Array<1, int> in, Array<1, int> out) {
  Array<1, int> one(in.size());
  Array<1, int> other(out.size());
  f(a, in, one);
  swap(one, other);
}
)",
                    compound(0, "h", 1, {step("f")})),
            "\n'one' and 'other' are swapped, and that they have the same extents is not known");
}

TEST(LowerRounds, AreNotLeftInTheirMiddle) {
  EXPECT_EQ(lowered(R"(
__codelet void h(int a, const Array<1, int> in, Array<1, int> out) { out[0] = in[0]; }
__codelet __tag(rounds) void h(int a, const Array<1, int> in, Array<1, int> out) {
  for (int t = 0; t < a; ++t) {
    f(t, in, out);
    if (t == 3)
      break;
  }
}
)",
                    compound(0, "h", 1, {step("f")})),
            "\ntarget opencl cannot leave a loop of level G, which only launches kernels, in its "
            "middle");
}

} // namespace
} // namespace tangram::codegen
