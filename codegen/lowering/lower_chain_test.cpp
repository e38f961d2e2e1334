#include "codegen/passes/array/passes.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/test_fixture.h"
#include "composer/rules/rule.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// A chain over parts, in which run stands for what the chain applies.
ir::Program chainOf(const std::string &run, const std::string &out = "rows(out, p)") {
  return parse("__codelet int total(const Array<1, int> in) {\n"
               "  int all = 0;\n"
               "  for (unsigned i = 0; i < in.size(); ++i) all += in[i];\n"
               "  return all;\n}\n"
               "__codelet int run(int carry, const Array<1, int> in, Array<1, int> out) {\n" +
               run +
               "}\n"
               "__codelet void work(int given, const Array<1, int> in, Array<1, int> out) {\n"
               "  __tunable unsigned p;\n"
               "  chain(run, given, rows(in, p), " +
               out + ");\n}\n");
}

std::variant<LoweredPlan, Refusal> lowered(const ir::Program &program, bool compound,
                                           const std::string &model = "simple-cpu",
                                           const std::string &target = "openmp") {
  ir::PlanPtr element =
      compound ? fixture::compound(1, "run", 0, {compute(1, "total", 0)}) : compute(1, "run", 0);
  ir::PlanPtr plan = fixture::compound(0, "work", 0, {mapped(0, "run", distribute, element)});
  return lower(program, "work", plan, projected(model, target), target);
}

/// What the order of a chain's steps in each element is, one letter a step: (A)wait, (P)ublish,
/// (B)arrier, (l)oop.
std::string stepsOf(const std::variant<LoweredPlan, Refusal> &result) {
  if (auto *refusal = std::get_if<Refusal>(&result))
    return refusal->reason;
  std::string steps;
  forEach(std::get<LoweredPlan>(result).body->children.back(), [&](const Stmt &s) {
    if (s.kind == StmtKind::Eval && s.value->kind == ExprKind::Atomic)
      steps += s.value->op == "await" ? "A" : s.value->op == "publish" ? "P" : "";
    if (s.kind == StmtKind::Barrier)
      steps += "B";
    if (s.kind == StmtKind::For)
      steps += "l";
  });
  return steps;
}

const char *const scanned = "  int sum = carry;\n"
                            "  for (unsigned i = 0; i < in.size(); ++i) {\n"
                            "    sum += in[i];\n    out[i] = sum;\n  }\n"
                            "  return sum;\n";

const char *const scannedLater = "  int here = total(in);\n"
                                 "  int next = carry + here;\n"
                                 "  int sum = carry;\n"
                                 "  for (unsigned i = 0; i < in.size(); ++i) {\n"
                                 "    sum += in[i];\n    out[i] = sum;\n  }\n"
                                 "  return next;\n";

TEST(LowerChain, WaitsBeforeAndPublishesAfterAnElementThatNeedsTheCarryThroughout) {
  EXPECT_EQ(stepsOf(lowered(chainOf(scanned), false)), "AlP");
}

TEST(LowerChain, WaitsLateAndPublishesEarlyWhereNobodyCanTell) {
  EXPECT_EQ(stepsOf(lowered(chainOf(scannedLater), true)), "lAPl");
}

TEST(LowerChain, NotWhereElementsWriteOneContainer) {
  EXPECT_EQ(stepsOf(lowered(chainOf(scannedLater, "all(out)"), true)), "ABllBP");
}

TEST(LowerChain, AValueThatChangesIsPublishedAtTheEnd) {
  EXPECT_EQ(stepsOf(lowered(chainOf("  int next = 2;\n"
                                    "  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];\n"
                                    "  next += carry;\n"
                                    "  return next;\n"),
                            false)),
            "lAP");
}

TEST(LowerChain, AValueThatIsKnownBeforehandIsPublishedAtOnce) {
  EXPECT_EQ(stepsOf(lowered(chainOf("  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];\n"
                                    "  return carry + 1;\n"),
                            false)),
            "APl");
}

TEST(LowerChain, ReturnsUnderConditionsArePublishedAtTheEnd) {
  EXPECT_EQ(stepsOf(lowered(chainOf("  if (in.size() > 3) return 7;\n"
                                    "  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];\n"
                                    "  return carry;\n"),
                            false)),
            "AlP");
}

TEST(LowerChain, ACarryThatIsAssignedToIsWaitedForAtTheStart) {
  EXPECT_EQ(stepsOf(lowered(chainOf("  for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];\n"
                                    "  carry += 1;\n"
                                    "  return carry;\n"),
                            false)),
            "AlP");
}

TEST(LowerChain, HasAFlagAndACarryForEachElementAndTheResult) {
  auto result = lowered(chainOf(scanned), false, "simple-cpu", "opencl");
  ASSERT_TRUE(std::holds_alternative<LoweredPlan>(result)) << std::get<Refusal>(result).reason;
  std::string buffers;
  const LoweredPlan placed = placeArrays(std::get<LoweredPlan>(result));
  for (const Buffer &each : placed.buffers) {
    if (each.access.empty())
      buffers += each.var->name + "[" + ir::toString(each.count) + "]\n";
  }
  EXPECT_EQ(buffers, "carries[p + 1]\nflags[p + 1]\nticket[1]\n");
}

TEST(LowerChain, RefusesElementsOnItems) {
  const ir::Program program = chainOf(scanned);
  ir::PlanPtr inGroup =
      fixture::compound(1, "work", 0, {mapped(1, "run", distribute, compute(2, "run", 0))});
  auto result = lower(program, "work", devolve(0, "work", inGroup),
                      projected("simple-gpu", "opencl"), "opencl");
  EXPECT_EQ(std::get<Refusal>(result).reason,
            "workers of level T (thread) meet at barriers, so that target opencl cannot let one "
            "wait for another, as a chain that is distributed to them would");
}

TEST(LowerChain, ModelsThatLetElementsBeDistributedFromTheTop) {
  std::string models;
  for (const char *name :
       {"c2050", "cpu", "gpu", "h200", "i7-3820", "k20c", "pocl", "simple-cpu", "simple-gpu"}) {
    const composer::Machine machine = model(name);
    for (const std::string &target : machine.targets) {
      const composer::Machine levels = projected(name, target);
      const bool allowed =
          composer::RuleContext{nullptr, &levels, {}, {}, {}}.whyNoWaiting(0).empty();
      models += std::string(allowed ? "" : "not ") + name + " " + target + "\n";
    }
  }
  EXPECT_EQ(models, "not c2050 opencl\nnot c2050 cuda\ncpu openmp\ncpu opencl\ngpu opencl\n"
                    "gpu cuda\nh200 opencl\nh200 cuda\ni7-3820 openmp\ni7-3820 opencl\n"
                    "k20c opencl\nk20c cuda\npocl opencl\nsimple-cpu openmp\n"
                    "simple-cpu opencl\nsimple-gpu opencl\nsimple-gpu openmp\nsimple-gpu cuda\n");
}

} // namespace
} // namespace tangram::codegen
