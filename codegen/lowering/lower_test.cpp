#include "codegen/lowering/lower.h"

#include "codegen/lowering/lower_fixture.h"
#include "codegen/passes/array/passes.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

TEST(Lower, RefusesAPlanBelowTheTop) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  EXPECT_EQ(refusalOf(lower(sumProgram(), "sum", compute(1, "sum", kog), machine, "opencl")),
            "a plan must start at the top level to become a library; this one starts at level B");
}

TEST(Lower, RefusesAnUnknownSpectrum) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  EXPECT_EQ(refusalOf(lower(sumProgram(), "som", compute(0, "som", kog), machine, "opencl")),
            "no spectrum som in sum.cpp");
}

TEST(Lower, RefusesToComputeWhereKernelsAreOnlyLaunched) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  EXPECT_EQ(refusalOf(lower(sumProgram(), "sum", compute(0, "sum", sequential), machine, "opencl")),
            "target opencl cannot compute at level G, which only launches kernels");
}

TEST(Lower, RefusesCooperativeCodeletsWhereThereAreNoItems) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  EXPECT_EQ(refusalOf(lower(sumProgram(), "sum", compute(0, "sum", kog), machine, "opencl")),
            "target opencl runs cooperative codelets on a group of items only; level G (grid) is "
            "none (18:5)");
}

TEST(Lower, KernelsBelowAConditionOfTheHostAskForThemselves) {
  ir::Program program = parse(R"(
__codelet int sum(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}
__codelet int mean(const Array<1, int> in) {
  return in.size() == 0 ? 0 : in[0];
}
__codelet __tag(early) int mean(const Array<1, int> in) {
  if (in.size() == 0)
    return 0;
  int scale = 1000 / (int)in.size();
  return sum(in) * scale;
})");
  composer::Machine machine = projected("simple-gpu", "opencl");
  ir::PlanPtr plan =
      compound(0, "mean", 1, {devolve(0, "sum", devolve(1, "sum", compute(2, "sum", 0)))});
  EXPECT_EQ("\n" + ir::toString(loweredPlan(lower(program, "mean", plan, machine, "opencl")).body),
            R"(
parallel level 1 < 1 {
  if (in_size == 0) {
    parallel level 2 < 1 {
      result[0] = 0;
    }
  }
}
index scale = in_size != 0 ? 1000 / in_size : 0;
allocate level 0 sum_result[1];
// S_G, devolve(B)
parallel level 1 < 1 {
  if (in_size != 0) {
    // S_B, devolve(T)
    parallel level 2 < 1 {
      // compute(sum#1, SE_T)
      int accum = 0;
      for (index i = 0; i < in_size; i += 1) {
        accum += in[i];
      }
      sum_result[0] = accum;
    }
  }
}
parallel level 1 < 1 {
  if (in_size != 0) {
    parallel level 2 < 1 {
      result[0] = sum_result[0] * (int)scale;
    }
  }
}
)");
}

TEST(Lower, ACooperativeCodeletBoundsTheSizeOfItsPart) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  LoweredPlan plan = loweredPlan(
      lower(sumProgram(), "sum", twoKernels(compute(1, "sum", kog)), machine, "opencl"));
  EXPECT_EQ(constraintsOf(plan), "(in_size + p - 1) / p <= NUM_THREADS : "
                                 "kog at level B requires in.size() <= coopDim() (sum.cpp:19:3)\n");
}

TEST(Lower, AStridedPartIsBoundedByItsOwnCount) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  ir::PlanPtr plan = compound(0, "sum", strideTiled,
                              {mapped(0, "sum", distribute, compute(1, "sum", kog)),
                               devolve(0, "sum", compute(1, "sum", kog))});
  EXPECT_EQ(constraintsOf(loweredPlan(lower(sumProgram(), "sum", plan, machine, "opencl"))),
            "(in_size + p - 1) / p <= NUM_THREADS : "
            "kog at level B requires in.size() <= coopDim() (sum.cpp:19:3)\n"
            "p <= NUM_THREADS : kog at level B requires in.size() <= coopDim() (sum.cpp:19:3)\n");
}

/// The host computes them, and knows no worker.
TEST(Lower, RoundingsDoNotDependOnTheWorkerThatALocalContainerBelongsTo) {
  const composer::Machine machine = composer::withMapRules(
      projected("cpu", "openmp"), {composer::MapRule::Distribute, composer::MapRule::Serialize});
  const ir::Program program =
      parse("__codelet float one(float x) { return x / 3; }\n"
            "__codelet float sum(const Array<1, float> in) {\n"
            "  float total = 0;\n"
            "  for (unsigned i = 0; i < in.size(); ++i)\n    total += in[i];\n"
            "  return total;\n}\n"
            "__codelet __tag(elements) float sum(const Array<1, float> in) {\n"
            "  Array<1, float> all(in.size());\n  all = map(one, in);\n"
            "  return sum(all);\n}\n"
            "__codelet __tag(tiled) float sum(const Array<1, float> in) {\n"
            "  __tunable unsigned p;\n  return sum(map(sum, rows(in, p)));\n}\n");
  const ir::PlanPtr elements = compound(
      1, "sum", 1, {mapped(1, "one", serialize, compute(1, "one", 0)), compute(1, "sum", 0)});
  const LoweredPlan plan = loweredPlan(
      lower(program, "sum",
            compound(0, "sum", 2, {mapped(0, "sum", distribute, elements), compute(0, "sum", 0)}),
            machine, "openmp"));
  ASSERT_NE(plan.roundings, nullptr);
  ir::forEach(plan.roundings, [](const ir::Expr &e) {
    const bool isWorker = e.kind == ir::ExprKind::Var && e.var->kind != ir::VarKind::Param;
    EXPECT_FALSE(isWorker) << e.var->name;
  });
}

TEST(Lower, RoundingsOfTheReferenceItselfAreThoseThatItCounts) {
  const composer::Machine machine = projected("cpu", "openmp");
  const ir::Program program =
      parse("__codelet void steps(unsigned n, Array<1, float> x) {\n"
            "  for (unsigned t = 0; t < n; ++t)\n"
            "    for (unsigned i = 0; i < x.size(); ++i)\n      x[i] = x[i] * 0.5f;\n}\n");
  const LoweredPlan plan = loweredPlan(
      lower(program, "steps", devolve(0, "steps", compute(1, "steps", 0)), machine, "openmp"));
  ASSERT_NE(plan.roundings, nullptr);
  EXPECT_EQ(ir::toString(plan.roundings), "reference_roundings");
}

TEST(Lower, WorkersAreWhatAllTunablesMayBeThatAreTheirNumber) {
  const composer::Machine machine = projected("simple-gpu", "opencl");
  const ir::Program program =
      parse("__codelet int sum(const Array<1, int> in) {\n  int total = 0;\n"
            "  for (unsigned i = 0; i < in.size(); ++i)\n    total += in[i];\n  return total;\n}\n"
            "__codelet int both(const Array<1, int> in) { return 0; }\n"
            "__codelet __tag(two) int both(const Array<1, int> in) {\n"
            "  __tunable unsigned p;\n  __tunable unsigned q = choice(3, 5);\n"
            "  int one = sum(map(sum, rows(in, p)));\n  int other = sum(map(sum, rows(in, q)));\n"
            "  return one - other;\n}\n");
  const ir::PlanPtr map = mapped(1, "sum", distribute, compute(2, "sum", 0));
  const ir::PlanPtr call = devolve(1, "sum", compute(2, "sum", 0));
  const LoweredPlan plan = loweredPlan(
      lower(program, "both", devolve(0, "both", compound(1, "both", 1, {map, call, map, call})),
            machine, "opencl"));
  ASSERT_EQ(plan.tunables.size(), 1U);
  EXPECT_EQ(plan.tunables[0].values, (std::vector<std::int64_t>{3, 5}));
}

TEST(Lower, ResultsOfRunTimeSizeInAGroupGetMemoryOfTheDevice) {
  composer::Machine machine = composer::withMapRules(
      projected("cpu", "openmp"), {composer::MapRule::Distribute, composer::MapRule::Serialize});
  ir::Program program = parse("__codelet int square(int x) { return x * x; }\n"
                              "__codelet int sum(const Array<1, int> in) {\n"
                              "  int total = 0;\n"
                              "  for (unsigned i = 0; i < in.size(); ++i)\n    total += in[i];\n"
                              "  return total;\n}\n"
                              "__codelet int squares(const Array<1, int> in) {\n"
                              "  return sum(map(square, in));\n}\n");
  ir::PlanPtr plan = devolve(
      0, "squares",
      compound(1, "squares", 0,
               {mapped(1, "square", serialize, compute(1, "square", 0)), compute(1, "sum", 0)}));
  LoweredPlan lowered =
      placeArrays(loweredPlan(lower(program, "squares", plan, machine, "openmp")));
  const Buffer &squares = lowered.buffers.back();
  EXPECT_EQ(squares.var->name, "square_of_thread");
  EXPECT_EQ(squares.space, Space::Global);
  EXPECT_EQ(ir::toString(squares.count), "in_size");
}

TEST(Lower, ResultsOfTheHostsMapsHaveTheSizeOfTheirInput) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  LoweredPlan plan = placeArrays(loweredPlan(
      lower(sumProgram(), "sum", twoKernels(compute(1, "sum", kog)), machine, "opencl")));
  std::string buffers;
  for (const Buffer &each : plan.buffers)
    buffers += each.var->name + "[" + ir::toString(each.count) + "] " +
               (each.space == Space::Local ? "local" : "global") + " " + each.access + "\n";
  EXPECT_EQ(buffers, "in[in_size] global in\n"
                     "result[1] global out\n"
                     "sum_of_block[p] global \n"
                     "tmp[NUM_THREADS] local \n");
  ASSERT_EQ(plan.tunables.size(), 2U);
  EXPECT_EQ(plan.tunables[0].var->name, "p");
  EXPECT_EQ(plan.tunables[0].kind, Tunable::Kind::Launch);
  EXPECT_EQ(plan.tunables[0].meaning, "number of blocks that share the work");
  EXPECT_EQ(plan.tunables[1].var->name, "NUM_THREADS");
  EXPECT_EQ(plan.tunables[1].kind, Tunable::Kind::Compile);
  EXPECT_EQ(plan.roundings, nullptr);
}

constexpr const char *lowered = "it was lowered";

/// What lowering says to a map of `scale` distributed by the compound codelet of this body.
std::string saidToParts(const std::string &body) {
  ir::Program program = parse("__codelet void scale(const Array<1, int> x, Array<1, int> y) {\n"
                              "  for (unsigned i = 0; i < y.size(); ++i) y[i] = 2 * x[i]; }\n"
                              "__codelet void all_of(const Array<1, int> x, Array<1, int> y) {\n"
                              "  for (unsigned i = 0; i < y.size(); ++i) y[i] = 2 * x[i]; }\n"
                              "__codelet void all_of(const Array<1, int> x, Array<1, int> y) {\n"
                              "  __tunable unsigned p; unsigned len = y.size();\n" +
                              body + "}\n");
  auto result =
      lower(program, "all_of",
            compound(0, "all_of", 1, {mapped(0, "scale", distribute, compute(1, "scale", 0))}),
            projected("simple-cpu", "openmp"), "openmp");
  return std::holds_alternative<LoweredPlan>(result) ? lowered : refusalOf(result);
}

TEST(Lower, PartsThatOverlapAreNotWrittenSideBySide) {
  EXPECT_EQ(saidToParts("map(scale, rows(x, p),\n"
                        "  partition(y, p, sequence(0, 2, len), sequence(1),"
                        " sequence(3, 2, len + 1)));"),
            "the parts that 'y' of different elements is may overlap (part i: from i * 2, below "
            "3 + i * 2), so map(scale, ...) cannot be distributed at level P (8:1)");
  EXPECT_EQ(
      saidToParts("map(scale, rows(x, p),\n"
                  "  partition(y, p, sequence(0, 1, p), sequence(p - 1), sequence(len)));"),
      "the parts that 'y' of different elements is may overlap (part i: from i, in "
      "steps of p - 1, below y_size), so map(scale, ...) cannot be distributed at level P (8:1)");
}

TEST(Lower, WhatIsNoAtomicOperationIsNamedWithItsPlace) {
  auto saidOf = [](const std::string &body) {
    const ir::Program program =
        parse("__codelet void put(int v, Array<1, int> y) {\n  require(v < y.size());\n" + body +
              "}\n__codelet void all_of(const Array<1, int> x, Array<1, int> y) { y[x[0]] = 1; }\n"
              "__codelet void all_of(const Array<1, int> x, Array<1, int> y) {\n"
              "  map(put, x, all(y)); }\n");
    return refusalOf(
        lower(program, "all_of",
              compound(0, "all_of", 1, {mapped(0, "put", distribute, compute(1, "put", 0))}),
              projected("simple-cpu", "openmp"), "openmp"));
  };
  EXPECT_EQ(
      saidOf("  if (y[v] < 3)\n    atomicAdd(y[v], 1);\n"),
      "every element writes the same container 'y', and not by atomic operations alone: put#1 "
      "reads it (test.cpp:4:3), which an atomic operation that changes nothing may do, so map(put, "
      "...) cannot be "
      "distributed at level P (9:3)");
  EXPECT_EQ(
      saidOf("  y[v] = 1;\n"),
      "every element writes the same container 'y', and not by atomic operations alone: put#1 "
      "writes it (test.cpp:4:3), which atomicExchange may do, so map(put, ...) cannot be "
      "distributed at level P (8:3)");
}

TEST(Lower, PartsWithGapsAreDifferentMemory) {
  EXPECT_EQ(saidToParts("unsigned b = (len + p - 1) / p;\n"
                        "map(scale, rows(x, p),\n"
                        "  partition(y, p, sequence(0, b + b, len), sequence(1),"
                        " sequence(b, 2 * b, len + 1)));"),
            lowered);
  EXPECT_EQ(saidToParts("map(scale, rows(x, p),\n"
                        "  partition(y, p, sequence(0, 2, len), sequence(3 * p), sequence(len)));"),
            lowered);
}

TEST(Lower, ASliceUpToTheSmallerOfTwoNumbersEndsThere) {
  const auto saidOf = [](const std::string &upTo) {
    const ir::Program program =
        parse("__codelet void add(int v, int &w) { w += v; }\n"
              "__codelet void folded(unsigned half, unsigned n, Array<1, int> x) { x[half] = n; }\n"
              "__codelet void folded(unsigned half, unsigned n, Array<1, int> x) {\n"
              "  map(add, slice(x, half, n), slice(x, 0, " +
              upTo + ")); }\n");
    auto result =
        lower(program, "folded",
              compound(0, "folded", 1, {mapped(0, "add", distribute, compute(1, "add", 0))}),
              projected("simple-cpu", "openmp"), "openmp");
    return std::holds_alternative<LoweredPlan>(result) ? lowered : refusalOf(result);
  };
  EXPECT_EQ(saidOf("min(half, n - half)"), lowered);
  EXPECT_EQ(saidOf("max(half, n - half)"),
            "'w' and 'v' of add may be the same memory, and the first is written, so it cannot "
            "run in parallel (5:3)");
}

TEST(Lower, ARowIsMadeOfOthersThanItself) {
  const auto saidOf = [](const std::string &from) {
    const ir::Program program =
        parse("__codelet int most(int own, const Array<1, int> x) { return max(own, x[0]); }\n"
              "__codelet void table(unsigned k, Array<2, int> a) { a[1][0] = a[0][0] + k; }\n"
              "__codelet void table(unsigned k, Array<2, int> a) {\n"
              "  for (unsigned i = 1; i < a.size(0); ++i) {\n"
              "    auto row = a[i];\n"
              "    row = map(most, row, all(" +
              from + "));\n  }\n}\n");
    auto result =
        lower(program, "table",
              compound(0, "table", 1, {mapped(0, "most", distribute, compute(1, "most", 0))}),
              projected("simple-cpu", "openmp"), "openmp");
    return std::holds_alternative<LoweredPlan>(result) ? lowered : refusalOf(result);
  };
  EXPECT_EQ(saidOf("a[i - 1]"), lowered);
  EXPECT_EQ(saidOf("transpose(slice(a, 0, i))[0]"), lowered);
  for (const std::string from : {"a[i]", "a[k]", "transpose(slice(a, 0, i + 1))[0]"})
    EXPECT_EQ(saidOf(from), "the results of the map over most go to what its argument 'x' is read "
                            "from; give them a container of their own (7:11)");
}

TEST(Lower, ASinglePartMeetsNoOther) {
  const auto saidOf = [](const std::string &parts) {
    return saidToParts("map(scale, partition(y, " + parts +
                       ", sequence(0), sequence(2), sequence(len - len % p)),\n  partition(y, " +
                       parts + ", sequence(1), sequence(2), sequence(len - len % p)));");
  };
  EXPECT_EQ(saidOf("1"), lowered);
  EXPECT_NE(
      saidOf("2").find("the parts that 'y' of different elements is may overlap (part i: from 1, "
                       "in steps of 2, below"),
      std::string::npos)
      << saidOf("2");
}

TEST(Lower, PartsOfOneContainerThatAreReadAndWrittenSideBySide) {
  EXPECT_EQ(saidToParts("map(scale, rows(y, p), rows(y, p));"), lowered);
  EXPECT_EQ(saidToParts("map(scale, all(y), rows(y, p));"),
            "'y' and 'x' of scale may be the same memory, and the first is written, so it cannot "
            "run in parallel (8:1)");
  // Part i reads the first element of part i + 1.
  EXPECT_EQ(saidToParts("map(scale,\n"
                        "  partition(y, p, sequence(1, 4, len), sequence(1),"
                        " sequence(5, 4, len + 1)),\n"
                        "  partition(y, p, sequence(0, 4, len), sequence(1),"
                        " sequence(4, 4, len + 1)));"),
            "'y' and 'x' of scale may be the same memory, and the first is written, so it cannot "
            "run in parallel (8:1)");
  EXPECT_EQ(saidToParts("map(scale,\n"
                        "  partition(y, p, sequence(2, 4, len), sequence(1),"
                        " sequence(4, 4, len + 1)),\n"
                        "  partition(y, p, sequence(0, 4, len), sequence(1),"
                        " sequence(2, 4, len + 1)));"),
            lowered);
}

/// Every lowered plan, run by the interpreter, sums.
std::int64_t sumOf(const LoweredPlan &plan, std::int64_t size, std::int64_t groups,
                   std::int64_t items) {
  Interpreter machine;
  for (const Tunable &each : plan.tunables)
    machine.set(E(ir::varRef(each.var)), each.kind == Tunable::Kind::Launch ? groups : items);
  machine.set(E(ir::varRef(plan.extents[0])), size);
  for (const Buffer &each : plan.buffers)
    machine.memory[each.var.get()].assign(static_cast<std::size_t>(machine(each.count)), -5);
  auto &in = machine.memory[plan.buffers[0].var.get()];
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<std::int64_t>(i * i + 1);
  machine.run(plan.body);
  EXPECT_FALSE(machine.wrong) << ir::toString(plan.body);
  return machine.memory[plan.result.get()][0];
}

TEST(Lower, LoweredPlansSum) {
  composer::Machine machine = projected("simple-gpu", "opencl");
  ir::PlanPtr threads = compound(
      1, "sum", strideTiled,
      {mapped(1, "sum", distribute, compute(2, "sum", sequential)), compute(1, "sum", kog)});
  LoweredPlan tree = placeArrays(loweredPlan(
      lower(sumProgram(), "sum", twoKernels(compute(1, "sum", kog)), machine, "opencl")));
  LoweredPlan strided =
      placeArrays(loweredPlan(lower(sumProgram(), "sum", twoKernels(threads), machine, "opencl")));
  for (std::int64_t size : {0, 1, 2, 3, 7, 10, 31, 32}) {
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < size; ++i)
      expected += i * i + 1;
    for (std::int64_t groups : {1, 2, 3, 8}) {
      EXPECT_EQ(sumOf(tree, size, groups, 32), expected) << size << " in " << groups;
      for (std::int64_t items : {1, 2, 5, 8})
        EXPECT_EQ(sumOf(strided, size, groups, items), expected)
            << size << " in " << groups << " of " << items;
    }
  }
}

} // namespace
} // namespace tangram::codegen
