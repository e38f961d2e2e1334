// For tests of code generation: expressions and kernels written with operators, codelets
// parsed from text, plans put together by hand, and an interpreter of kernel IR that
// tells whether two kernels mean the same.
#pragma once

#include "algebra/expression_fixture.h"
#include "codegen/form/kernel_ir.h"
#include "codegen/lowering/lower.h"
#include "composer/analysis/index_variables.h"
#include "composer/machine/machine.h"
#include "frontend/parse.h"
#include "ir/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tangram::codegen::fixture {

using namespace algebra::fixture;

/// A kernel of p groups of N items, each with K unrolled chains: levels 0 to 3.
struct Kernel4 {
  E p = variable("p", Scalar::Index, VarKind::Param);
  E N = variable("N", Scalar::Index, VarKind::Param);
  E K = variable("K", Scalar::Index, VarKind::Param);
  E n = variable("n", Scalar::Index, VarKind::Param);
  E in = variable("in", Scalar::I32, VarKind::Buffer);
  E out = variable("out", Scalar::I32, VarKind::Buffer);
  E a = variable("a", Scalar::I32, VarKind::Buffer);
  E b = variable("b", Scalar::I32, VarKind::Buffer);
  E group = variable("group", Scalar::Index, VarKind::Worker);
  E lane = variable("lane", Scalar::Index, VarKind::Worker);
  E chain = variable("chain", Scalar::Index, VarKind::Worker);

  StmtPtr lanes(std::vector<StmtPtr> body) const {
    return ir::parallel(2, ir::Span::All, lane.var(), N.e, ir::block(std::move(body)));
  }
  StmtPtr firstLane(std::vector<StmtPtr> body) const {
    return ir::oneOf(2, ir::block(std::move(body)));
  }
  StmtPtr chains(std::vector<StmtPtr> body) const {
    return ir::parallel(3, ir::Span::All, chain.var(), K.e, ir::block(std::move(body)));
  }
  /// The kernel whose groups run `body`.
  LoweredPlan plan(std::vector<StmtPtr> body) const {
    LoweredPlan plan;
    plan.spectrum = "test";
    plan.roles = {Role::Host, Role::Group, Role::Item, Role::Unroll};
    plan.extents = {n.var()};
    plan.buffers = {{in.var(), Space::Global, n.e, "in"},
                    {out.var(), Space::Global, n.e, "out"},
                    {a.var(), Space::Local, N.e, ""},
                    {b.var(), Space::Local, N.e, ""}};
    Tunable groups;
    groups.var = p.var();
    groups.kind = Tunable::Kind::Launch;
    Tunable items;
    items.var = N.var();
    Tunable unrolled;
    unrolled.var = K.var();
    plan.tunables = {groups, items, unrolled};
    plan.workers = {{2, N.e}, {3, K.e}};
    plan.body =
        ir::block({ir::parallel(1, ir::Span::All, group.var(), p.e, ir::block(std::move(body)))});
    return plan;
  }
};

/// What the groups of a Kernel4 run, as text after a newline.
inline std::string groupText(const LoweredPlan &plan) {
  return "\n" + ir::toString(plan.body->children[0]->children[0]);
}

/// A source (`#include <tangram.h>` is put before it) as code generation takes it.
inline ir::Program parse(const std::string &text) {
  frontend::ParseResult parsed =
      frontend::parseText("#include <tangram.h>\n" + text, "test.cpp", {});
  if (!parsed.program) {
    ADD_FAILURE() << ir::render(parsed.diagnostics);
    return {};
  }
  return composer::widenIndexVariables(*parsed.program);
}

inline composer::Machine machineFrom(composer::MachineOrErrors loaded) {
  if (auto *machine = std::get_if<composer::Machine>(&loaded))
    return *machine;
  for (const composer::ModelError &each : std::get<composer::ModelErrors>(loaded))
    ADD_FAILURE() << each.text();
  return {};
}

/// A model of hwmodels/.
inline composer::Machine model(const std::string &name) {
  return machineFrom(composer::findMachine(name, {TANGRAM_SOURCE_DIR "/hwmodels"}));
}

/// The same, as `target` can express it.
inline composer::Machine projected(const std::string &name, const std::string &target) {
  std::vector<std::string> notes;
  return machineFrom(composer::projectOnto(model(name), target, notes));
}

/// codelets/sum.cpp, the codelets of figure 4.3.
inline ir::Program sumProgram() {
  frontend::ParseResult parsed = frontend::parseFile(TANGRAM_SOURCE_DIR "/codelets/sum.cpp", {});
  EXPECT_TRUE(parsed.program.has_value());
  ir::Program program = composer::widenIndexVariables(*parsed.program);
  program.file = "sum.cpp";
  return program;
}

// Plans, by hand.
inline ir::PlanPtr compute(int level, const std::string &spectrum, int codelet) {
  return std::make_shared<ir::PlanNode>(ir::PlanNode{
      ir::PlanNode::Kind::Compute, level, spectrum, codelet, ir::MapPolicy::Distribute, {}});
}
inline ir::PlanPtr devolve(int level, const std::string &spectrum, ir::PlanPtr below) {
  return std::make_shared<ir::PlanNode>(ir::PlanNode{ir::PlanNode::Kind::Devolve,
                                                     level,
                                                     spectrum,
                                                     -1,
                                                     ir::MapPolicy::Distribute,
                                                     {std::move(below)}});
}
inline ir::PlanPtr mapped(int level, const std::string &spectrum, ir::MapPolicy policy,
                          ir::PlanPtr element) {
  return std::make_shared<ir::PlanNode>(
      ir::PlanNode{ir::PlanNode::Kind::Map, level, spectrum, -1, policy, {std::move(element)}});
}
inline ir::PlanPtr compound(int level, const std::string &spectrum, int codelet,
                            std::vector<ir::PlanPtr> sites) {
  return std::make_shared<ir::PlanNode>(ir::PlanNode{ir::PlanNode::Kind::Codelet, level, spectrum,
                                                     codelet, ir::MapPolicy::Distribute,
                                                     std::move(sites)});
}

// Of codelets/sum.cpp.
constexpr int sequential = 0, kog = 1, assoTiled = 2, strideTiled = 3;
constexpr auto distribute = ir::MapPolicy::Distribute;
constexpr auto serialize = ir::MapPolicy::Serialize;

/// Figure 5.7's shape on simple-gpu: tiles distributed to blocks, `inner` in each; then
/// one block sums what they left.
inline ir::PlanPtr twoKernels(const ir::PlanPtr &inner) {
  return compound(0, "sum", assoTiled,
                  {mapped(0, "sum", distribute, inner),
                   devolve(0, "sum", devolve(1, "sum", compute(2, "sum", sequential)))});
}

} // namespace tangram::codegen::fixture
