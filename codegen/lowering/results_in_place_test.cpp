// Containers that are built where they are copied to, and each reason why one is not.
#include "codegen/lowering/lower.h"
#include "codegen/lowering/results_in_place.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

const std::string spectrums = R"(
__codelet void copy(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[i];
}
__codelet void narrow(const Array<1, short> in, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[i];
}
__codelet void shorts(const Array<1, int> in, Array<1, short> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[i];
}
__codelet void turn(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[out.size() - 1 - i];
}
__codelet void most(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 1; i < out.size(); ++i)
    out[i] = in[i];
}
__codelet void f(int a, const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = a + in[i];
}
__codelet void h(int a, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == 2 * in.size());
  out[0] = in[0];
}
)";

ir::PlanPtr step(const std::string &spectrum) {
  return devolve(0, spectrum, devolve(1, spectrum, compute(2, spectrum, 0)));
}

/// The array form of h, whose second codelet is `body`, in which n elements are half of those of `out`; each
/// of its calls is one of `calls`.
std::string lowered(const std::string &body, const std::vector<std::string> &calls,
                    const std::set<std::string> &without = {}) {
  const ir::Program program =
      parse(spectrums +
            "__codelet __tag(own) void h(int a, const Array<1, int> in, Array<1, int> out) {\n"
            "  unsigned n = in.size();\n" +
            body + "}\n");
  const composer::Machine machine = projected("simple-gpu", "opencl");
  std::vector<ir::PlanPtr> steps;
  for (const std::string &call : calls)
    steps.push_back(step(call));
  auto result =
      lower(program, "h", compound(0, "h", 1, steps), machine, "opencl", nullptr, without);
  if (auto *refusal = std::get_if<Refusal>(&result))
    return refusal->reason;
  return "\n" + ir::toString(std::get<LoweredPlan>(result).body);
}

/// Whether no container has memory of its own then.
bool isPlaced(const std::string &body, const std::vector<std::string> &calls) {
  const std::string text = lowered(body, calls);
  EXPECT_NE(text.find("parallel"), std::string::npos) << text;
  return text.find("allocate") == std::string::npos;
}

TEST(ResultsInPlace, APartOfAContainerIsBuiltThere) {
  const std::string body = R"(
  Array<1, int> t(n);
  f(a, in, t);
  copy(t, slice(out, n, 2 * n));
)";
  EXPECT_EQ(lowered(body, {"f", "copy"}), R"(
index out_len = max(min(2 * in_size, out_size), in_size) - in_size;
// t is built in its place in out
// S_G, devolve(B)
parallel level 1 < 1 {
  // S_B, devolve(T)
  parallel level 2 < 1 {
    // compute(f#1, SE_T)
    for (index i = 0; i < in_size; i += 1) {
      out[in_size + i] = a + in[i];
    }
  }
}
)");
  EXPECT_NE(lowered(body, {"f", "copy"}, {resultsInPlaceStep}).find("allocate level 0 t[in_size];"),
            std::string::npos);
}

TEST(ResultsInPlace, WhatIsBuiltMayBeReadBeforeItsCopy) {
  EXPECT_TRUE(isPlaced(R"(
  Array<1, int> once(n);
  Array<1, int> twice(n);
  f(a, in, once);
  f(a, once, twice);
  copy(twice, slice(out, n, 2 * n));
  copy(once, slice(out, 0, n));
)",
                       {"f", "f", "copy", "copy"}));
}

TEST(ResultsInPlace, PartsMayHaveNames) {
  auto named = [](const std::string &from, const std::string &between) {
    return "  Array<1, int> t(n);\n"
           "  auto low = slice(out, 0, n);\n"
           "  f(a, in, t);\n"
           "  auto high = slice(out, n, 2 * n);\n"
           "  auto lower = slice(low, 0, n);\n" +
           between + "  f(a, " + from +
           ", lower);\n"
           "  copy(t, high);\n";
  };
  EXPECT_TRUE(isPlaced(named("in", ""), {"f", "f", "copy"}));
  EXPECT_TRUE(isPlaced(named("lower", ""), {"f", "f", "copy"}));
  EXPECT_FALSE(isPlaced(named("high", ""), {"f", "f", "copy"}));
  EXPECT_FALSE(isPlaced(named("part", "  auto part = slice(high, 0, n);\n"), {"f", "f", "copy"}));
}

TEST(ResultsInPlace, OneContainerInTheOther) {
  EXPECT_TRUE(isPlaced(R"(
  Array<1, int> all(2 * n);
  Array<1, int> t(n);
  f(a, in, slice(all, 0, n));
  f(a, in, t);
  copy(t, slice(all, n, 2 * n));
  copy(all, out);
)",
                       {"f", "f", "copy", "copy"}));
}

TEST(ResultsInPlace, InEachRoundOfALoop) {
  EXPECT_TRUE(isPlaced(R"(
  for (int round = 0; round < a; ++round) {
    Array<1, int> t(n);
    f(round, slice(out, n, 2 * n), t);
    copy(t, slice(out, 0, n));
  }
)",
                       {"f", "copy"}));
}

TEST(ResultsInPlace, NotWhatIsReadAgain) {
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  f(a, in, t);
  copy(t, slice(out, n, 2 * n));
  f(a, t, slice(out, 0, n));
)",
                        {"f", "copy", "f"}));
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  f(a, in, t);
  auto view = slice(t, 0, n);
  copy(t, slice(out, n, 2 * n));
  f(a, view, slice(out, 0, n));
)",
                        {"f", "copy", "f"}));
}

TEST(ResultsInPlace, NotWhereTheDestinationIsReadBetween) {
  auto reads = [](const std::string &part) {
    return "  Array<1, int> t(n);\n"
           "  f(a, in, t);\n"
           "  Array<1, int> other(n);\n"
           "  f(a, " +
           part +
           ", slice(out, 0, n));\n"
           "  copy(t, slice(out, n, 2 * n));\n";
  };
  const std::vector<std::string> calls{"f", "f", "copy"};
  EXPECT_EQ(lowered(reads("slice(out, n, 2 * n)"), calls).find("allocate level 0 t["), 1U);
  EXPECT_EQ(lowered(reads("in"), calls).find("allocate level 0 t["), std::string::npos);
}

TEST(ResultsInPlace, NotWhereAPartThatOverlapsIsWrittenBetween) {
  auto writes = [](const std::string &part) {
    return "  Array<1, int> t(n);\n"
           "  f(a, in, t);\n"
           "  f(a, in, " +
           part +
           ");\n"
           "  copy(t, slice(out, n, 2 * n));\n";
  };
  const std::vector<std::string> calls{"f", "f", "copy"};
  EXPECT_TRUE(isPlaced(writes("slice(out, 0, n)"), calls));
  EXPECT_FALSE(isPlaced(writes("slice(out, 1, n + 1)"), calls));
  EXPECT_FALSE(isPlaced(writes("out"), calls));
}

TEST(ResultsInPlace, NotWhereTheDestinationIsTheInput) {
  const ir::Program program = parse(spectrums + R"(
__codelet void g(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  out[0] = in[0];
}
__codelet __tag(own) void g(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> t(in.size());
  f(1, in, t);
  copy(t, out);
}
__codelet __tag(same) void h(int a, const Array<1, int> in, Array<1, int> out) { g(out, out); }
__codelet __tag(apart) void h(int a, const Array<1, int> in, Array<1, int> out) {
  g(slice(out, 0, in.size()), slice(out, in.size(), 2 * in.size()));
}
)");
  const composer::Machine machine = projected("simple-gpu", "opencl");
  auto text = [&](int codelet) {
    const ir::PlanPtr inner = compound(0, "g", 1, {step("f"), step("copy")});
    auto result = lower(program, "h", compound(0, "h", codelet, {inner}), machine, "opencl");
    return ir::toString(std::get<LoweredPlan>(result).body);
  };
  EXPECT_EQ(text(1).find("allocate level 0 t["), 0U) << text(1);
  EXPECT_EQ(text(2).find("allocate"), std::string::npos) << text(2);
}

TEST(ResultsInPlace, NotWhereTheExtentsMayDiffer) {
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n + 1);
  f(a, in, t);
  copy(t, slice(out, n, 2 * n));
)",
                        {"f", "copy"}));
}

TEST(ResultsInPlace, NotWhereOnlyAPartIsCopied) {
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  f(a, in, t);
  copy(slice(t, 1, n), slice(out, n + 1, 2 * n));
)",
                        {"f", "copy"}));
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  f(a, in, t);
  most(t, slice(out, n, 2 * n));
)",
                        {"f", "most"}));
}

TEST(ResultsInPlace, NotWhereElementsChange) {
  EXPECT_FALSE(isPlaced(R"(
  Array<1, short> t(n);
  shorts(in, t);
  narrow(t, slice(out, n, 2 * n));
)",
                        {"shorts", "narrow"}));
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  f(a, in, t);
  turn(t, slice(out, n, 2 * n));
)",
                        {"f", "turn"}));
}

TEST(ResultsInPlace, NotUnderACondition) {
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  f(a, in, t);
  if (a > 0)
    copy(t, slice(out, n, 2 * n));
)",
                        {"f", "copy"}));
}

TEST(ResultsInPlace, NotWhereTheDestinationIsKnownTooLate) {
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  f(a, in, t);
  unsigned at = n;
  copy(t, slice(out, at, at + n));
)",
                        {"f", "copy"}));
  EXPECT_TRUE(isPlaced(R"(
  Array<1, int> t(n);
  unsigned at = n;
  f(a, in, t);
  copy(t, slice(out, at, at + n));
)",
                       {"f", "copy"}));
}

TEST(ResultsInPlace, NotWhatIsExchanged) {
  EXPECT_FALSE(isPlaced(R"(
  Array<1, int> t(n);
  Array<1, int> other(n);
  f(a, in, t);
  swap(t, other);
  copy(t, slice(out, n, 2 * n));
)",
                        {"f", "copy"}));
}

TEST(ResultsInPlace, RowsAreBuiltThereAndColumnsAreNot) {
  auto text = [](const std::string &part) {
    const ir::Program program = parse(spectrums + R"(
__codelet void k(const Array<1, int> in, Array<2, int> out) {
  require(out.size(0) == in.size());
  require(out.size(1) == in.size());
  out[0][0] = in[0];
}
__codelet __tag(own) void k(const Array<1, int> in, Array<2, int> out) {
  Array<1, int> t(in.size());
  f(1, in, t);
  copy(t, )" + part + R"();
}
)");
    const composer::Machine machine = projected("simple-gpu", "opencl");
    auto result =
        lower(program, "k", compound(0, "k", 1, {step("f"), step("copy")}), machine, "opencl");
    return ir::toString(std::get<LoweredPlan>(result).body);
  };
  EXPECT_EQ(text("out[0]").find("allocate"), std::string::npos);
  EXPECT_EQ(text("transpose(out)[0]").find("allocate level 0 t["), 0U);
}

TEST(ResultsInPlace, ALoopOfOneWorkerCopiesToo) {
  auto text = [](const std::string &extent, int level) {
    const ir::Program program = parse(spectrums + R"(
__codelet void k(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  out[0] = in[0];
}
__codelet __tag(own) void k(const Array<1, int> in, Array<1, int> out) {
  require(in.size() == )" + extent + R"();
  Array<1, int> t()" + extent + R"();
  f(1, in, t);
  for (unsigned i = 0; i < t.size(); ++i)
    out[i] = t[i];
}
)");
    const composer::Machine machine = projected("simple-cpu", "openmp");
    ir::PlanPtr call = compute(1, "f", 0);
    if (level == 0)
      call = devolve(0, "f", call);
    ir::PlanPtr plan = compound(level, "k", 1, {call});
    if (level == 1)
      plan = devolve(0, "k", plan);
    auto result = lower(program, "k", plan, machine, "openmp");
    return ir::toString(std::get<LoweredPlan>(result).body);
  };
  EXPECT_EQ(text("in.size()", 0).find("allocate"), std::string::npos);
  EXPECT_EQ(text("in.size()", 1).find("allocate"), std::string::npos);
  EXPECT_NE(text("16", 1).find("allocate"),
            std::string::npos); // small enough to stay with its worker
}

/// The array form of a codelet with rounds on a machine whose host goes round itself, or launches.
std::string inRounds(const std::string &rounds, const std::vector<std::string> &calls,
                     const std::string &model = "simple-cpu",
                     const std::string &target = "openmp") {
  const ir::Program program = parse(spectrums + R"(
__codelet void k(unsigned steps, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  out[0] = in[0];
}
__codelet __tag(own) void k(unsigned steps, const Array<1, int> in, Array<1, int> out) {
  Array<1, int> now(in.size());
  Array<1, int> next(in.size());
)" + rounds + "}\n");
  const composer::Machine machine = projected(model, target);
  std::vector<ir::PlanPtr> steps;
  for (const std::string &call : calls)
    steps.push_back(target == "openmp" ? devolve(0, call, compute(1, call, 0)) : step(call));
  auto result = lower(program, "k", compound(0, "k", 1, steps), machine, target);
  if (auto *refusal = std::get_if<Refusal>(&result))
    return refusal->reason;
  return "\n" + ir::toString(std::get<LoweredPlan>(result).body);
}

const std::string swapped = R"(
  copy(in, now);
  for (unsigned t = 0; t < steps; ++t) {
    f(1, now, next);
    swap(now, next);
  }
  copy(now, out);
)";

TEST(ResultsInPlace, RoundsEndWhereTheirResultIsCopiedTo) {
  EXPECT_EQ(inRounds(swapped, {"copy", "f", "copy"}), R"(
allocate level 0 next[in_size];
// now is out after all rounds
if ((index)steps % 2 == 1) {
  swap containers(out, next);
}
// S_P, devolve(T)
parallel level 1 < 1 {
  // compute(copy#1, SE_T)
  for (index i = 0; i < in_size; i += 1) {
    out[i] = in[i];
  }
}
for (unsigned t = 0; t < steps; t += 1) {
  // S_P, devolve(T)
  parallel level 1 < 1 {
    // compute(f#1, SE_T)
    for (index i = 0; i < in_size; i += 1) {
      next[i] = 1 + out[i];
    }
  }
  swap containers(out, next);
}
)");
}

TEST(ResultsInPlace, RoundsOfWhichTheNumberIsKnown) {
  const std::string odd = inRounds(R"(
  copy(in, now);
  for (unsigned t = 1; t < 4; ++t) {
    f(1, now, next);
    swap(next, now);
  }
  for (unsigned t = 0; t < 4; ++t) {
    f(2, now, next);
    swap(now, next);
  }
  copy(now, out);
)",
                                   {"copy", "f", "f", "copy"});
  EXPECT_EQ(odd.find("allocate level 0 next[in_size];\n// now is out after all rounds\n"
                     "swap containers(out, next);\n"),
            1U)
      << odd;
}

TEST(ResultsInPlace, NotWhereTheNumberOfExchangesIsOpen) {
  const std::vector<std::string> calls{"copy", "f", "copy"};
  auto isKept = [&](const std::string &rounds) {
    return inRounds(rounds, calls).find("allocate level 0 now[in_size];") == 1;
  };
  EXPECT_TRUE(isKept(R"(
  copy(in, now);
  for (unsigned t = 1; t < steps; t *= 2) {
    f(1, now, next);
    swap(now, next);
  }
  copy(now, out);
)"));
  EXPECT_TRUE(isKept(R"(
  copy(in, now);
  for (unsigned t = 0; t < steps; ++t) {
    f(1, now, next);
    if (t % 3 == 0)
      swap(now, next);
  }
  copy(now, out);
)"));
  EXPECT_TRUE(isKept(R"(
  copy(in, now);
  for (unsigned t = 0; t < steps; ++t) {
    swap(now, next);
    f(1, now, next);
    swap(now, next);
  }
  copy(now, out);
)"));
  EXPECT_TRUE(isKept(R"(
  copy(in, now);
  unsigned t = 0;
  while (t < steps) {
    f(1, now, next);
    t += 1;
    swap(now, next);
  }
  copy(now, out);
)"));
}

TEST(ResultsInPlace, NotWhereRoundsUseTheDestination) {
  EXPECT_EQ(inRounds(R"(
  copy(in, now);
  for (unsigned t = 0; t < steps; ++t) {
    f(1, now, next);
    f(1, next, out);
    swap(now, next);
  }
  copy(now, out);
)",
                     {"copy", "f", "f", "copy"})
                .find("allocate level 0 now[in_size];"),
            1U);
}

TEST(ResultsInPlace, HostsThatLaunchExchangeNothingOfTheirCallers) {
  EXPECT_EQ(inRounds(swapped, {"copy", "f", "copy"}, "simple-gpu", "opencl")
                .find("allocate level 0 now[in_size];\nallocate level 0 next[in_size];"),
            1U);
}

} // namespace
} // namespace tangram::codegen
