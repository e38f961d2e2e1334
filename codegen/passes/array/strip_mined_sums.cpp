// Strip-mining of sums: where all items of a group sum up tiles of one output over the same long dimension, the loop is cut
// into steps that the group goes through together, so that what a step reads can be staged.
//
//   before: parallel w { c = 0; for (k < n) for (i) for (j) c[i][j] += a[i][k] * b[k][j]; }
//   after:  parallel w { c = 0; }
//           for (part) parallel w { for (k < STEP) for (i) for (j) c[i][j] += a[i][STEP * part + k] * b[...][j]; }
//
// A codelet may say so itself (`fold` over chunks of columns and rows); this is for those that do not, or cannot, as
// their sums start from something else than the output. Inputs get windows of the group, as large as a step and the
// output's tile: those of which one subscript is the number that is summed over, and the other one of the output's.
// Each element goes through the same operations in the same order.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// How an input is read in the sum: one subscript is its number, another one that of the output's dimension.
struct Input {
  VarPtr array;
  unsigned summed = 0;  ///< the dimension of the array that is summed over
  std::size_t with = 0; ///< dimension of the output's tile along its other one

  bool operator==(const Input &) const = default;
};

class Steps {
public:
  explicit Steps(LoweredPlan &plan) : plan_(plan), shared_(plan) {
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl)
        declared_.insert(s.var.get());
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        assigned_.insert(s.target->var.get());
    });
  }

  /// `s`, in these windows of a group.
  StmtPtr run(const StmtPtr &s, std::vector<const Stmt *> windows) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Item && s->var) {
      if (StmtPtr stepped = inSteps(s, windows))
        return stepped;
    }
    if (s->kind == StmtKind::Parallel)
      windows.clear();
    if (s->kind == StmtKind::Window)
      windows.push_back(s.get());
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child, windows));
    return withChildren(s, std::move(children));
  }

private:
  /// What an item has got: the loop, and the window onto its tile.
  struct Sum {
    const Stmt *loop = nullptr;
    const Stmt *tile = nullptr;
    /// That it advances: the tile's, and others with tiles beside it.
    std::set<const Var *> outputs;
    bool plain = true; ///< nothing but constants around it
  };

  void find(const StmtPtr &s, std::vector<const Stmt *> windows, Sum &sum) const {
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        find(child, windows, sum);
      return;
    case StmtKind::Window:
      windows.push_back(s.get());
      find(s->children[0], std::move(windows), sum);
      return;
    case StmtKind::Decl:
      sum.plain &= s->value && !s->var->extent && !assigned_.contains(s->var.get()) &&
                   !contains(s->value, [](const Expr &e) {
                     return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic;
                   });
      return;
    case StmtKind::For:
      if (windows.empty() || !isLong(*s))
        return;
      sum.plain &= !sum.loop;
      sum.loop = s.get();
      sum.tile = windows.back();
      for (const Stmt *each : windows) {
        if (each == sum.tile || isBeside(*each, *sum.tile))
          sum.outputs.insert(each->window->array.get());
      }
      return;
    default:
      sum.plain &= s->kind == StmtKind::Comment;
    }
  }

  /// Whether two windows are of the same size and have different arrays.
  static bool isBeside(const Stmt &one, const Stmt &other) {
    return one.window->array != other.window->array && areAsLarge(*one.window, *other.window);
  }

  /// By ones from 0 as far as sizes say.
  bool isLong(const Stmt &s) const {
    const std::optional<CountedLoop> loop = loopToTheEnd(s);
    if (!loop || !loop->isPlain())
      return false;
    const ExprPtr &end = loop->bound;
    return end->kind != ExprKind::Literal && !contains(end, [&](const Expr &e) {
             return e.kind == ExprKind::Index || e.kind == ExprKind::Call ||
                    (e.var && (declared_.contains(e.var.get()) || e.var->kind == VarKind::Worker ||
                               plan_.tunableOf(e.var)));
           });
  }

  StmtPtr inSteps(const StmtPtr &items, const std::vector<const Stmt *> &windows) {
    Sum sum;
    find(items->children[0], {}, sum);
    if (!sum.loop || !sum.plain || sum.tile->window->dims.size() != 2)
      return nullptr;
    const Window &tile = *sum.tile->window;
    const Stmt *group = nullptr;
    for (const Stmt *each : windows) {
      if (each->window->array == tile.array && each->window->dims.size() == 2 &&
          plan_.role(each->level) == Role::Group && hasSameOrder(*each->window, tile))
        group = each;
    }
    if (!group || !isOpen(*group->window) || !isOpen(tile) || isOnlyTile(*group->window, tile))
      return nullptr;
    const std::vector<Input> inputs = inputsOf(sum, tile);
    if (inputs.empty())
      return nullptr;
    return stepped(items, sum, *group, inputs);
  }

  static bool hasSameOrder(const Window &a, const Window &b) {
    return a.dims[0].of == b.dims[0].of && a.dims[1].of == b.dims[1].of;
  }

  /// Whether both sizes are known when the kernel is compiled.
  bool isOpen(const Window &w) const {
    return std::ranges::all_of(
        w.dims, [&](const WindowDimension &d) { return isCompileTime(plan_, d.bound); });
  }

  static bool isOnlyTile(const Window &group, const Window &tile) {
    return sameExpr(group.dims[0].bound, tile.dims[0].bound) &&
           sameExpr(group.dims[1].bound, tile.dims[1].bound);
  }

  /// Subscripts of the tile's elements, the same wherever they are named; none where they are not.
  static std::vector<ExprPtr> elementOf(const Stmt &loop, const Window &tile) {
    std::vector<ExprPtr> element;
    for (const WindowAccess &each : accessesTo(loop.children[2], tile.array.get())) {
      const std::vector<ExprPtr> own{each.element->args.begin() + 1, each.element->args.end()};
      if (!element.empty() && !std::ranges::equal(own, element, sameExpr))
        return {};
      element = own;
    }
    return element;
  }

  /// The inputs that a step has a bounded part of. Nothing where an array that is read is also written, but for the
  /// outputs themselves.
  std::vector<Input> inputsOf(const Sum &sum, const Window &tile) const {
    const Stmt &loop = *sum.loop;
    const VarPtr number = counterOf(loop);
    const std::vector<ExprPtr> element = elementOf(loop, tile);
    if (element.empty())
      return {};
    std::vector<Input> inputs;
    bool fits = true;
    forEach(loop.children[2], [&](const Stmt &s) {
      fits &= s.kind != StmtKind::Assign || s.target->kind == ExprKind::Var ||
              sum.outputs.contains(s.target->args[0]->var.get());
      forEachOwnExpr(s, [&](const ExprPtr &own) {
        forEach(own, [&](const Expr &e) {
          if (e.kind != ExprKind::Index || sum.outputs.contains(e.args[0]->var.get()))
            return;
          const auto input = inputOf(e, number, element, tile);
          if (input && std::ranges::find(inputs, *input) == inputs.end())
            inputs.push_back(*input);
        });
      });
    });
    return fits ? inputs : std::vector<Input>{};
  }

  std::optional<Input> inputOf(const Expr &e, const VarPtr &number,
                               const std::vector<ExprPtr> &element, const Window &tile) const {
    if (e.args.size() != 3 || !shared_.contains(e.args[0]->var))
      return std::nullopt;
    for (unsigned summed : {0U, 1U}) {
      const ExprPtr &own = e.args[1 + summed];
      if (own->kind != ExprKind::Var || own->var != number)
        continue;
      for (std::size_t d = 0; d < 2; ++d) {
        if (sameExpr(e.args[2 - summed], element[tile.dims[d].of]))
          return Input{e.args[0]->var, summed, d};
      }
    }
    return std::nullopt;
  }

  enum class Phase { Before, Sum, After };

  /// What stands before, or is, or stands after the loop, with the constants around it; null where there is nothing.
  static StmtPtr only(Phase wanted, const StmtPtr &s, const Sum &sum, Phase &now) {
    switch (s->kind) {
    case StmtKind::Decl:
      return s;
    case StmtKind::Comment:
      return wanted == Phase::Sum ? s : nullptr;
    case StmtKind::Block: {
      std::vector<StmtPtr> children;
      for (const StmtPtr &child : s->children) {
        if (StmtPtr kept = only(wanted, child, sum, now))
          children.push_back(std::move(kept));
      }
      return children.empty() ? nullptr : block(std::move(children));
    }
    case StmtKind::Window: {
      const StmtPtr inside = only(wanted, s->children[0], sum, now);
      return inside ? withChildren(s, {inside}) : nullptr;
    }
    default:
      break;
    }
    if (s.get() == sum.loop) {
      now = Phase::After;
      return wanted == Phase::Sum ? s : nullptr;
    }
    return wanted == now ? s : nullptr;
  }

  static bool doesSomething(const StmtPtr &s) {
    bool does = false;
    forEach(s, [&](const Stmt &each) {
      does |= each.kind == StmtKind::For || each.kind == StmtKind::Assign;
    });
    return does;
  }

  /// A step: which numbers it goes through.
  struct Step {
    VarPtr start = newVariable("sum_start");
    VarPtr length = newVariable("sum_len");
    ExprPtr size;
  };

  StmtPtr stepped(const StmtPtr &items, const Sum &sum, const Stmt &group,
                  const std::vector<Input> &inputs) {
    Step step;
    step.size = varRef(sizeOfStep());
    const ExprPtr end = sum.loop->value->args[1];
    const VarPtr part = newVariable("part");
    const ExprPtr first = mul(varRef(part), step.size);
    const StmtPtr inGroup = bindInputs(
        inputs, *group.window, group.level, step,
        withChildren(std::make_shared<Stmt>(group), {block({inStep(items, sum, inputs, step)})}));
    const Type index = scalarType(Scalar::Index);
    const ExprPtr last =
        call("max", index, {call("min", index, {add(step.size, first), end}), varRef(step.start)});
    std::vector<StmtPtr> all;
    if (StmtPtr before = apart(Phase::Before, items, sum))
      all.push_back(std::move(before));
    all.push_back(countingLoop(
        part, ceilDiv(end, step.size),
        block({declare(step.start, first),
               declare(step.length, binary("-", last, varRef(step.start))), inGroup})));
    if (StmtPtr after = apart(Phase::After, items, sum))
      all.push_back(std::move(after));
    return block(std::move(all));
  }

  /// What items do before or after the sum, with variables of its own; null where this is nothing.
  static StmtPtr apart(Phase wanted, const StmtPtr &items, const Sum &sum) {
    Phase now = Phase::Before;
    const StmtPtr inside = only(wanted, items->children[0], sum, now);
    return inside && doesSomething(inside) ? withOwnVariables(withChildren(items, {inside}))
                                           : nullptr;
  }

  /// The items' part of a step.
  static StmtPtr inStep(const StmtPtr &items, const Sum &sum, const std::vector<Input> &inputs,
                        const Step &step) {
    const VarPtr number = counterOf(*sum.loop);
    Phase now = Phase::Before;
    const StmtPtr all = withChildren(items, {only(Phase::Sum, items->children[0], sum, now)});
    return rewrite(all, [&](const StmtPtr &s) -> StmtPtr {
      if (s->kind == StmtKind::Window && s->window == sum.tile->window)
        return bindInputs(inputs, *s->window, s->level, step, s);
      if (s->kind != StmtKind::For || counterOf(*s) != number)
        return s;
      auto loop = std::make_shared<Stmt>(*s);
      loop->value = binary("<", varRef(number), varRef(step.length));
      loop->children[2] = substitute(
          s->children[2], {{number.get(), binary("+", varRef(step.start), varRef(number))}});
      return loop;
    });
  }

  /// `body` in windows of `level` onto the inputs, as large as a step and this tile of the output.
  static StmtPtr bindInputs(const std::vector<Input> &inputs, const Window &tile, int level,
                            const Step &step, StmtPtr body) {
    for (const Input &input : inputs) {
      Window w{input.array, {nullptr, nullptr}, {tile.dims[input.with], tile.dims[input.with]}};
      const unsigned other = 1 - input.summed;
      w.origin[input.summed] = varRef(step.start);
      w.origin[other] = tile.origin[tile.dims[input.with].of];
      w.dims[input.summed] = {input.summed, intLiteral(1), varRef(step.length), step.size};
      w.dims[other].of = other;
      auto known = std::make_shared<Var>();
      known->name = input.array->name;
      known->type = input.array->type;
      known->kind = VarKind::Window;
      body = bindWindow(known, std::move(w), level, body, body->location);
    }
    return body;
  }

  /// A tunable of its own, which size_tiles.cpp gives a default.
  VarPtr sizeOfStep() {
    const composer::Workers &parts = plan_.machine->code.parts;
    Tunable tunable;
    tunable.var = newVariable(plan_.unusedTunableName("SUM_STEP"), Scalar::Index, VarKind::Param);
    tunable.defaultValue = parts.defaultCount;
    tunable.min = parts.min;
    tunable.max = parts.max;
    tunable.meaning = "numbers that a sum goes through at a time";
    plan_.tunables.push_back(tunable);
    return tunable.var;
  }

  LoweredPlan &plan_;
  std::set<const Var *> declared_;
  std::set<const Var *> assigned_;
  SharedArrays shared_;
};

} // namespace

LoweredPlan stripMineSums(LoweredPlan plan) {
  plan.body = Steps(plan).run(plan.body, {});
  return plan;
}

} // namespace tangram::codegen
