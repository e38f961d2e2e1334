// Tests of the cost of boundaries where nothing is past an end: kernels of the library's stencils are
// interpreted, with a counter of the comparisons that say which element of memory is accessed, or
// whether there is one.
//
// Sides, edges and corners of a problem compare, as many times as they are large. What is left of
// the counts when each extent is once as it is and once more by a step, added and taken away in
// turns, is what a block in the interior, as large as the steps, has compared: none.
#include "codegen/form/building.h"
#include "codegen/interpreter/interpreter.h"
#include "codegen/pipeline/pipeline.h"
#include "composer/analysis/index_variables.h"
#include "composer/plans/notation.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/plan_manifest.h"
#include "driver/choosing/predicted_plans.h"
#include "frontend/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {
namespace {

using codegen::LoweredPlan;
using composer::Machine;
using composer::Planner;
using composer::RankedPlan;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

// ----------------------------------------------------------------------------
// Counting
// ----------------------------------------------------------------------------

bool isOrder(const ir::Expr &e) {
  if (e.args.size() != 2 || e.args[0]->type.scalar != ir::Scalar::Index)
    return false;
  if (e.kind == ExprKind::Call)
    return e.callee == "min" || e.callee == "max";
  return e.kind == ExprKind::Binary && e.op.isComparison() && e.op != "==" && e.op != "!=";
}

bool hasLoop(const StmtPtr &s) {
  bool found = false;
  ir::forEach(s, [&](const ir::Stmt &each) {
    found |= ir::isLoop(each) || each.kind == StmtKind::Parallel;
  });
  return found;
}

class Counting {
public:
  explicit Counting(LoweredPlan plan) : plan_(std::move(plan)) {
    counter = codegen::newVariable("comparisons", ir::Scalar::U64, ir::VarKind::Buffer);
    plan_.buffers.push_back({counter, codegen::Space::Global, ir::intLiteral(1), "inout"});
    plan_.body = counted(plan_.body, false);
  }

  const LoweredPlan &plan() const { return plan_; }
  ir::VarPtr counter;

private:
  /// Whether an element of memory that all workers share is accessed.
  bool accesses(const ExprPtr &e) const {
    return ir::contains(e, [&](const ir::Expr &each) {
      const codegen::Buffer *buffer =
          each.kind == ExprKind::Index && each.args[0]->kind == ExprKind::Var
              ? plan_.bufferOf(each.args[0]->var)
              : nullptr;
      return buffer && buffer->space == codegen::Space::Global;
    });
  }

  /// Comparisons in `e`; `decides`: it says which element is accessed, or whether.
  int comparisonsOf(const ExprPtr &e, bool decides) const {
    const bool element = e->kind == ExprKind::Index && accesses(e);
    const bool chooses = e->kind == ExprKind::Select && accesses(e);
    int found = decides && isOrder(*e) ? 1 : 0;
    for (std::size_t i = 0; i < e->args.size(); ++i)
      found += comparisonsOf(e->args[i], element ? i > 0 : decides || (chooses && i == 0));
    return found;
  }

  /// `innermost`: in a loop with none inside, where names of indexes are those of one round.
  int comparisonsOf(const ir::Stmt &s, bool innermost) const {
    const bool names =
        innermost && s.kind == StmtKind::Decl && s.var->type.scalar == ir::Scalar::Index;
    int found = 0;
    if (s.kind != StmtKind::For)
      ir::forEachOwnExpr(s, [&](const ExprPtr &e) { found += comparisonsOf(e, names); });
    return found;
  }

  StmtPtr counted(const StmtPtr &s, bool innermost) const {
    if (!s)
      return s;
    if (ir::isLoop(*s))
      innermost = !hasLoop(s->children.back());
    std::vector<StmtPtr> children;
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      const bool header = s->kind == StmtKind::For && i < 2;
      children.push_back(header ? s->children[i] : counted(s->children[i], innermost));
    }
    const StmtPtr now = ir::withChildren(s, std::move(children));
    const int found = s->kind == StmtKind::Block ? 0 : comparisonsOf(*s, innermost);
    if (found == 0)
      return now;
    const ExprPtr place = ir::index(ir::varRef(counter), {ir::intLiteral(0)});
    const ExprPtr more = ir::intLiteral(found, ir::Scalar::U64);
    return ir::block({ir::eval(codegen::atomicAt("add", place, {more})), now});
  }

  LoweredPlan plan_;
};

// ----------------------------------------------------------------------------
// Plans of the library, at sizes
// ----------------------------------------------------------------------------

/// A stencil, what its extents are given by, and how they begin and grow: by whole tiles, groups
/// and warps.
struct Stencil {
  const char *file;
  const char *spectrum;
  const char *container;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> steps;
};

const std::vector<std::uint64_t> line{4096}, longer{2048};
const std::vector<std::uint64_t> plane{96, 256}, larger{32, 128};
const std::vector<std::uint64_t> box{8, 32, 64}, more{4, 16, 32};

const std::vector<Stencil> stencils{
    {"stencil.cpp", "heat<float>", "in", line, longer},
    {"rounds.cpp", "heat_steps<float>", "in", line, longer},
    {"stencil.cpp", "jacobi<float>", "in", plane, larger},
    {"nine.cpp", "jacobi9<float>", "in", plane, larger},
    {"nine.cpp", "gradient<float>", "in", plane, larger},
    {"nine.cpp", "sobel<float>", "in", plane, larger},
    {"nine.cpp", "life<int>", "in", plane, larger},
    {"gaussian.cpp", "gaussian<float>", "in", plane, larger},
    {"convolution.cpp", "convolve<float, 3>", "in", plane, larger},
    {"convolution.cpp", "separable<float, 3>", "in", plane, larger},
    {"hotspot.cpp", "hotspot<float>", "in", plane, larger},
    {"srad.cpp", "srad<float>", "in", plane, larger},
    {"lbm.cpp", "lbm<float>", "wall", plane, larger},
    {"stencil.cpp", "heat3<float>", "in", box, more},
    {"hotspot.cpp", "hotspot3<float>", "in", box, more},
    {"acoustics.cpp", "acoustics<float>", "now", box, more},
    {"jacobi13.cpp", "jacobi13<float>", "in", box, more},
};

/// A model as one of its targets expresses it. The models share half of the stencils, unless all
/// of them are asked for (scripts/test --all).
struct On {
  const char *model;
  const char *target;
  std::size_t number;
};

constexpr On models[] = {{"cpu", "openmp", 0}, {"h200", "opencl", 1}};

void PrintTo(const On &on, std::ostream *out) { *out << on.model << " " << on.target; }

bool isWhole() {
  const char *everything = std::getenv("TANGRAM_TEST_EVERYTHING");
  return everything && std::string(everything) == "1";
}

ir::Program library(const std::string &file) {
  frontend::ParseResult parsed = frontend::parseFile(TANGRAM_SOURCE_DIR "/codelets/" + file, {});
  EXPECT_TRUE(parsed.program.has_value());
  return composer::widenIndexVariables(*parsed.program);
}

Machine projected(const On &on) {
  auto found = composer::findMachine(on.model, {TANGRAM_SOURCE_DIR "/hwmodels"});
  std::vector<std::string> notes;
  return std::get<Machine>(
      composer::projectOnto(std::get<Machine>(std::move(found)), on.target, notes));
}

class Interior : public ::testing::TestWithParam<On> {
protected:
  /// The number of comparisons in the interior of a plan, in a block as large as the steps; nothing
  /// where it cannot be run.
  static std::optional<std::int64_t> compared(const ir::Program &program, const Machine &machine,
                                              const Stencil &of, const RankedPlan &plan,
                                              const std::set<std::string> &without = {}) {
    auto made = codegen::lower(program, of.spectrum, plan.plan, machine, GetParam().target);
    if (!std::holds_alternative<LoweredPlan>(made))
      return std::nullopt;
    const Counting counting(codegen::optimize(std::get<LoweredPlan>(std::move(made)), without));
    std::int64_t sum = 0;
    for (std::size_t corner = 0; corner < std::size_t{1} << of.sizes.size(); ++corner) {
      std::vector<std::uint64_t> sizes = of.sizes;
      bool positive = true;
      for (std::size_t d = 0; d < sizes.size(); ++d) {
        const bool grown = (corner >> d & 1U) != 0;
        sizes[d] += grown ? of.steps[d] : 0;
        positive ^= !grown;
      }
      const auto count = run(program, machine, of, counting, sizes);
      if (!count)
        return std::nullopt;
      sum += positive ? *count : -*count;
    }
    return sum;
  }

  /// The plan that is predicted to be the best, and those that the library has sketches of.
  static std::vector<RankedPlan> plansOf(const ir::Program &program, const Machine &machine,
                                         const Stencil &of) {
    const auto predictor =
        std::make_shared<const Predictor>(program, machine, of.spectrum, GetParam().target);
    composer::PlanOptions planning;
    planning.target = GetParam().target;
    EXPECT_TRUE(planByPrediction(planning, predictor).empty());
    const auto planner = std::get<Planner>(Planner::make(program, machine, of.spectrum, planning));
    std::vector<RankedPlan> found;
    EXPECT_TRUE(
        planner.forEach([&](const RankedPlan &plan) { return found.push_back(plan), false; })
            .empty());
    const auto sketches = sketchesOf(TANGRAM_SOURCE_DIR "/codelets/" + std::string(of.file));
    for (const NamedSketch &each : std::get<std::vector<NamedSketch>>(sketches)) {
      const bool ofCpus = each.about.find("CPU") != std::string::npos;
      if (ofCpus != (std::string(GetParam().target) == "openmp"))
        continue;
      auto plan = chosenPlan(planner, each.sketch);
      if (const auto *ranked = std::get_if<RankedPlan>(&plan); ranked && ranked->id != found[0].id)
        found.push_back(*ranked);
    }
    return found;
  }

  /// The comparisons that are left. Groups of a GPU that convolve copy three weights of each column to four places,
  /// of which one has none: twelve comparisons a tile of 16 x 64 results. Items that go along a
  /// dimension compare in each round, those of lbm six times in each of four steps.
  static std::int64_t expected(const Stencil &of, std::uint64_t elements) {
    if (std::string(GetParam().target) == "openmp")
      return 0;
    static const std::map<std::string, int> rounds{{"lbm<float>", 4 * 6},
                                                   {"jacobi13<float>", 4},
                                                   {"heat3<float>", 2},
                                                   {"hotspot3<float>", 3},
                                                   {"acoustics<float>", 2}};
    if (const auto found = rounds.find(of.spectrum); found != rounds.end())
      return static_cast<std::int64_t>(found->second * elements);
    const bool copies = std::string(of.spectrum).starts_with("convolve");
    return copies ? static_cast<std::int64_t>(12 * elements / (16 * 64)) : 0;
  }

private:
  static std::optional<std::int64_t> run(const ir::Program &program, const Machine &machine,
                                         const Stencil &of, const Counting &counting,
                                         const std::vector<std::uint64_t> &sizes) {
    const LoweredPlan &plan = counting.plan();
    const auto manifest = manifestOf(plan, *program.spectrum(of.spectrum));
    EXPECT_TRUE(manifest) << of.spectrum;
    runtime::SizeChoice choice;
    choice.named = {{of.container, sizes}};
    runtime::GivenInputs given;
    for (const runtime::Parameter &each : manifest->signature.parameters) {
      if (each.name == "steps")
        given.values["steps"] = {"4"};
    }
    const auto problem = runtime::makeProblem(manifest->signature, given, choice, 1);
    if (!problem) {
      ADD_FAILURE() << of.spectrum << ": " << problem.error().message;
      return std::nullopt;
    }
    runtime::Bindings bindings = problem->bindings();
    const runtime::DeviceFacts facts = factsOf(machine, GetParam().target);
    facts.bind(bindings);
    const auto chosen = runtime::chooseTunables(
        *manifest, bindings, runtime::requirementsOf(*manifest, facts), tunables(*manifest, sizes));
    if (!chosen) {
      ADD_FAILURE() << of.spectrum << ": " << chosen.error().message;
      return std::nullopt;
    }
    codegen::InterpreterCall call;
    std::size_t extent = 0;
    for (std::size_t i = 0; i < manifest->signature.parameters.size(); ++i) {
      const runtime::Parameter &p = manifest->signature.parameters[i];
      for (const std::string &name : p.extents)
        call.sizes[plan.extents[extent++].get()] = problem->extents.at(name);
      const runtime::HostMemory &memory = problem->arguments[i].memory;
      (p.container ? call.memory : call.scalars)[plan.parameters[i].get()] = {
          memory.data(), memory.data() + memory.bytes()};
    }
    for (std::size_t i = 0; i < plan.tunables.size(); ++i)
      call.sizes[plan.tunables[i].var.get()] = chosen->at(manifest->tunables[i].name);
    call.memory[counting.counter.get()].resize(sizeof(std::uint64_t));
    codegen::InterpreterOptions how;
    how.joins = codegen::InterpreterOptions::Joins::Explicit;
    how.kernels = plan.target->groupsRunInKernels;
    how.lanes = how.kernels ? codegen::InterpreterOptions::Lanes::Together
                            : codegen::InterpreterOptions::Lanes::Loops;
    how.steps = 4'000'000'000;
    const auto done = codegen::Interpreter(plan, how).run(call);
    EXPECT_FALSE(done.refused) << of.spectrum;
    std::int64_t count = 0;
    std::memcpy(&count, call.memory[counting.counter.get()].data(), sizeof count);
    return count;
  }

  /// Few items, small tiles, and more groups where there is more to do.
  static runtime::TunableValues tunables(const runtime::Manifest &manifest,
                                         const std::vector<std::uint64_t> &sizes) {
    runtime::TunableValues values;
    for (const runtime::Tunable &each : manifest.tunables) {
      const std::uint64_t part = sizes.size() == 1 ? 256 : sizes.size() == 2 ? 16 : 4;
      const bool tiles = sizes.size() == 2 && each.allows(16) && each.name.ends_with("_T");
      const std::uint64_t least = tiles                 ? 16
                                  : each.values.empty() ? each.min
                                                        : std::ranges::min(each.values);
      const std::uint64_t value = !each.compileTime            ? sizes[0] / part
                                  : each.name == "NUM_THREADS" ? 32
                                                               : least;
      if (each.allows(value))
        values[each.name] = value;
    }
    return values;
  }
};

TEST_P(Interior, ComparesNothing) {
  const Machine machine = projected(GetParam());
  for (std::size_t i = 0; i < stencils.size(); ++i) {
    if (!isWhole() && i % (2 * std::size(models)) != 2 * GetParam().number)
      continue;
    const Stencil &stencil = stencils[i];
    const ir::Program program = library(stencil.file);
    for (const RankedPlan &plan : plansOf(program, machine, stencil)) {
      const auto count = compared(program, machine, stencil, plan);
      std::uint64_t elements = 1;
      for (const std::uint64_t step : stencil.steps)
        elements *= step;
      EXPECT_EQ(count, expected(stencil, elements))
          << "in " << elements << " elements, " << stencil.spectrum << ", plan " << plan.id << ": "
          << composer::linear(plan.steps);
    }
  }
}

TEST_P(Interior, ComparesWhereNothingIsApart) {
  const Machine machine = projected(GetParam());
  const std::set<std::string> splitting{"index-set-splitting"};
  for (const char *spectrum : {"jacobi<float>", "jacobi13<float>", "srad<float>"}) {
    if (!isWhole() &&
        spectrum != std::string(GetParam().number == 0 ? "jacobi13<float>" : "jacobi<float>"))
      continue;
    const auto stencil = std::ranges::find(stencils, spectrum, &Stencil::spectrum);
    const ir::Program program = library(stencil->file);
    const RankedPlan first = plansOf(program, machine, *stencil)[0];
    EXPECT_GT(compared(program, machine, *stencil, first, splitting),
              compared(program, machine, *stencil, first))
        << spectrum;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Interior, ::testing::ValuesIn(models),
                         [](const auto &info) { return std::string(info.param.model); });

} // namespace
} // namespace tangram::driver
