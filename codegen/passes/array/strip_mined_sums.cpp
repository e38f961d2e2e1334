// Strip-mining of sums: where all items of a group sum up tiles of one output over the same long dimension, the loop is cut
// into steps that the group goes through together, so that what a step reads can be staged.
//
//   before: parallel w { c = 0; for (k < n) for (i) for (j) c[i][j] += a[i][k] * b[k][j]; }
//   after:  parallel w { c = 0; }
//           for (part) parallel w { for (k < STEP) for (i) for (j) c[i][j] += a[i][STEP * part + k] * b[...][j]; }
//
// A codelet may say so itself (`fold` over chunks of columns and rows); this is for those that do not, or cannot, as
// their sums start from something else than the output. Inputs get windows of the group, as large as a step and the
// output's tile (step_inputs.h).
//
// A sum may go over several loops, as that of a convolution over the channels and the rows and columns of a filter. One of the
// loops is cut into steps, and one loop of the group goes through these steps and the rounds of the other loops:
//
//   for (c < n) for (p < P) for (q < Q) ...   ->   for (part < ceil(n / STEP) * P * Q) { c0, p, q: of part;  for (c < STEP) ... }
//
// Unless the innermost loop is cut, the terms of each element are added up in another order. A pass of its own (reordered_sums.cpp)
// does this for floating-point numbers, and is left out with --keep-order.
#include "codegen/passes/array/strip_mined_sums.h"

#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "codegen/passes/array/step_inputs.h"
#include "ir/assigned_variables.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t leastSummed = 8; ///< rounds of a loop of known length that is cut into steps

class Steps {
public:
  Steps(LoweredPlan &plan, bool reorders)
      : plan_(plan), reorders_(reorders), assigned_(assignedIn(plan.body)), inputs_(plan) {
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl)
        declared_.insert(s.var.get());
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
  /// The sum that an item's code holds, and what stands around it.
  struct Sum : TileSum {
    bool plain = true; ///< only windows, constants and branches without an else are around it
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
    case StmtKind::If: // whether an item has a part, where maps share items
      sum.plain &= (s->children.size() < 2 || !s->children[1]) && !readsElements(s->value);
      find(s->children[0], std::move(windows), sum);
      return;
    case StmtKind::Decl:
      sum.plain &= s->value && !s->var->extent && !assigned_.contains(s->var.get()) &&
                   !readsElements(s->value);
      return;
    case StmtKind::For: {
      if (windows.empty())
        return;
      std::vector<const Stmt *> loops = sumsOf(*s, *windows.back()->window);
      if (loops.empty())
        return;
      sum.plain &= sum.loops.empty();
      sum.loops = std::move(loops);
      sum.tile = windows.back();
      for (const Stmt *each : windows) {
        if (each == sum.tile || isBeside(*each, *sum.tile))
          sum.outputs.insert(each->window->array.get());
      }
      return;
    }
    default:
      sum.plain &= s->kind == StmtKind::Comment;
    }
  }

  /// Whether `value` reads elements. A condition around the sum is evaluated before it, in each step and after it, and the sum may
  /// change such elements in between.
  static bool readsElements(const ExprPtr &value) {
    return contains(value, [](const Expr &e) {
      return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic;
    });
  }

  /// Whether two windows are of the same size and have different arrays.
  static bool isBeside(const Stmt &one, const Stmt &other) {
    return one.window->array != other.window->array && areAsLarge(*one.window, *other.window);
  }

  /// The loops of the sum: `loop` and the loops nested perfectly in it, down to those over the tile's elements. None if one of them
  /// does not count by ones from 0 to a bound that sizes give, or if all are short.
  std::vector<const Stmt *> sumsOf(const Stmt &loop, const Window &tile) const {
    const std::vector<ExprPtr> element = elementOf(loop, tile);
    std::vector<const Stmt *> loops;
    for (const Stmt *each = &loop; each; each = onlyLoop(*each)) {
      const VarPtr number = counterOf(*each);
      const bool isOfTile = !number || std::ranges::any_of(element, [&](const ExprPtr &e) {
        return mentions(e, number.get());
      });
      if (isOfTile)
        break;
      if (!isCounted(*each))
        return {};
      loops.push_back(each);
    }
    return !element.empty() && std::ranges::any_of(loops, isLong) ? loops
                                                                  : std::vector<const Stmt *>{};
  }

  /// The loop that is the whole body of `loop`, or null.
  static const Stmt *onlyLoop(const Stmt &loop) {
    const StmtPtr inner = onlyStatementIn(loop.children[2]);
    return inner && inner->kind == StmtKind::For ? inner.get() : nullptr;
  }

  /// Whether the loop counts by ones from 0 to a bound that sizes give.
  bool isCounted(const Stmt &s) const {
    const std::optional<CountedLoop> loop = loopToTheEnd(s);
    return loop && loop->isPlain() && !contains(loop->bound, [&](const Expr &e) {
             return e.kind == ExprKind::Index || e.kind == ExprKind::Call ||
                    (e.var && (declared_.contains(e.var.get()) || e.var->kind == VarKind::Worker ||
                               plan_.tunableOf(e.var)));
           });
  }

  static bool isLong(const Stmt *loop) {
    const std::optional<std::int64_t> rounds = literalValue(loop->value->args[1]);
    return !rounds || *rounds >= leastSummed;
  }

  StmtPtr inSteps(const StmtPtr &items, const std::vector<const Stmt *> &windows) {
    Sum sum;
    find(items->children[0], {}, sum);
    if (sum.loops.empty() || !sum.plain || !isFor(sum))
      return nullptr;
    const Window &tile = *sum.tile->window;
    for (const Stmt *each : windows) {
      if (each->window->array == tile.array && each->window->dims.size() == tile.dims.size() &&
          plan_.role(each->level) == Role::Group && hasSameOrder(*each->window, tile))
        sum.group = each;
    }
    if (!sum.group || !isOpen(*sum.group->window) || !isOpen(tile) ||
        isOnlyTile(*sum.group->window, tile))
      return nullptr;
    sum.element = elementOf(*sum.loops.front(), tile);
    if (std::ranges::any_of(tile.dims, [&](const WindowDimension &d) {
          return !difference(sum.element[d.of], sum.group->window->origin[d.of]);
        }))
      return nullptr;
    std::size_t summed = 0;
    std::vector<StepInput> inputs;
    for (std::size_t loop = 0; loop < sum.loops.size(); ++loop) {
      if (!isLong(sum.loops[loop]) || (changesOrder(sum, loop) && !mayComeInAnyOrder(sum)))
        continue;
      std::vector<StepInput> found = inputs_.of(sum, loop);
      if (!isBetter(found, inputs) || (sum.loops.size() > 1 && !hasAll(sum, found)))
        continue;
      inputs = std::move(found);
      summed = loop;
    }
    if (std::ranges::any_of(inputs, &StepInput::hasShared) && hasProducts(sum))
      return nullptr;
    return inputs.empty() ? nullptr
                          : Stepped(items, sum, summed, inputs_, inputs, sizeOfStep()).made();
  }

  /// Whether steps through this loop stage more inputs than those through the loop before, or as many where the other's slide
  /// along the tile: a loop over a filter has few rounds.
  static bool isBetter(const std::vector<StepInput> &found, const std::vector<StepInput> &before) {
    const bool slid = std::ranges::any_of(before, &StepInput::hasShared);
    const bool slides = std::ranges::any_of(found, &StepInput::hasShared);
    return found.size() > before.size() || (found.size() == before.size() && slid && !slides);
  }

  /// Whether the place of an item's tile in its group's tile has a summand that is a product: it could be taken for a product with
  /// a step of the window.
  static bool hasProducts(const Sum &sum) {
    return std::ranges::any_of(sum.tile->window->dims, [&](const WindowDimension &d) {
      return std::ranges::any_of(
          summandsOf(difference(sum.element[d.of], sum.group->window->origin[d.of])),
          [](const ExprPtr &e) { return isBinary(*e, "*"); });
    });
  }

  /// Whether `inputs` has each array of several dimensions that a sum over several loops reads. Other arrays would be read from
  /// global memory again in each round of the loops that are not cut.
  static bool hasAll(const Sum &sum, const std::vector<StepInput> &inputs) {
    bool all = true;
    forEachExpr(sum.loops.front()->children[2], [&](const Expr &e) {
      all &= e.kind != ExprKind::Index || e.args.size() < 3 ||
             sum.outputs.contains(e.args[0]->var.get()) ||
             std::ranges::any_of(inputs, [&](const StepInput &each) { return each.isElement(e); });
    });
    return all;
  }

  /// Whether steps suit the target: where items are loops, only sums over one loop for tiles of two dimensions, which become
  /// vectors.
  bool isFor(const Sum &sum) const {
    return !plan_.target->itemsAreLoops ||
           (sum.loops.size() == 1 && sum.tile->window->dims.size() == 2);
  }

  /// Whether steps through the loop change the order in which an element's terms are added up.
  static bool changesOrder(const Sum &sum, std::size_t loop) { return loop + 1 < sum.loops.size(); }

  /// Whether terms may come in another order: each update adds one, or takes the smaller or larger of two, and nothing else
  /// reads what is summed up. Sums of floating-point numbers may only where nobody keeps their order.
  bool mayComeInAnyOrder(const Sum &sum) const {
    const auto isOutput = [&](const Expr &e) {
      return e.kind == ExprKind::Var && sum.outputs.contains(e.var.get());
    };
    bool may = true;
    std::size_t read = 0; // outputs named in the loops, those of updates taken away
    const StmtPtr &body = sum.loops.front()->children[2];
    forEachExpr(body, [&](const Expr &e) { read += isOutput(e); });
    forEach(body, [&](const Stmt &s) {
      if (s.kind != StmtKind::Assign || s.target->kind != ExprKind::Index ||
          !isOutput(*s.target->args[0]))
        return;
      const bool isFloat = isFloating(s.target->type.scalar);
      const bool adds =
          (s.op == "+=" || s.op == "-=") && (isFloat || isInteger(s.value->type.scalar));
      const bool takesExtreme = s.op == "=" && s.value->kind == ExprKind::Call &&
                                (s.value->callee == "min" || s.value->callee == "max") &&
                                s.value->type.scalar == s.target->type.scalar &&
                                std::ranges::any_of(s.value->args, [&](const ExprPtr &arg) {
                                  return sameExpr(arg, s.target);
                                });
      may &= (adds || takesExtreme) && (!isFloat || reorders_);
      read -= adds ? 1 : 2;
    });
    return may && read == 0;
  }

  static bool hasSameOrder(const Window &a, const Window &b) {
    return std::ranges::equal(a.dims, b.dims, {}, &WindowDimension::of, &WindowDimension::of);
  }

  /// Whether all sizes are known when the kernel is compiled.
  bool isOpen(const Window &w) const {
    return w.dims.size() >= 2 && std::ranges::all_of(w.dims, [&](const WindowDimension &d) {
             return isCompileTime(plan_, d.bound);
           });
  }

  static bool isOnlyTile(const Window &group, const Window &tile) {
    return std::ranges::equal(group.dims, tile.dims, sameExpr, &WindowDimension::bound,
                              &WindowDimension::bound);
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

  /// Writes the sum in steps.
  class Stepped {
  public:
    Stepped(const StmtPtr &items, const Sum &sum, std::size_t summed, StepInputs &access,
            std::vector<StepInput> inputs, const VarPtr &size)
        : items_(items), sum_(sum), summed_(summed), access_(access), inputs_(std::move(inputs)),
          number_(counterOf(*sum.loops[summed])),
          step_{newVariable("sum_start"), newVariable("sum_len"), varRef(size),
                sum.loops[summed]->value->args[1]} {
      for (const StepInput &input : inputs_)
        windows_.push_back(access_.windowOf(input, sum_, *sum_.group->window, step_));
    }

    StmtPtr made() const {
      const VarPtr part = newVariable("part");
      ExprPtr count = ceilDiv(step_.end, step_.size);
      for (const Stmt *loop : others())
        count = mul(count, loop->value->args[1]);
      std::vector<StmtPtr> round = numbersOf(varRef(part));
      for (const StepWindow &window : windows_)
        round.insert(round.end(), window.names.begin(), window.names.end());
      StmtPtr inGroup = withChildren(std::make_shared<Stmt>(*sum_.group), {block({inStep()})});
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        inGroup = bound(inputs_[i], windows_[i].window, sum_.group->level, inGroup);
      round.push_back(inGroup);
      std::vector<StmtPtr> all;
      if (StmtPtr before = apart(Phase::Before))
        all.push_back(std::move(before));
      all.push_back(countingLoop(part, count, block(std::move(round))));
      if (StmtPtr after = apart(Phase::After))
        all.push_back(std::move(after));
      return block(std::move(all));
    }

  private:
    enum class Phase { Before, Sum, After };

    /// The part of `s` before the loop, the loop itself, or the part after it, with the constants around it; null if it is empty.
    StmtPtr only(Phase wanted, const StmtPtr &s, Phase &now) const {
      switch (s->kind) {
      case StmtKind::Decl:
        return s;
      case StmtKind::Comment:
        return wanted == Phase::Sum ? s : nullptr;
      case StmtKind::Block: {
        std::vector<StmtPtr> children;
        for (const StmtPtr &child : s->children) {
          if (StmtPtr kept = only(wanted, child, now))
            children.push_back(std::move(kept));
        }
        return children.empty() ? nullptr : block(std::move(children));
      }
      case StmtKind::If:
      case StmtKind::Window: {
        const StmtPtr inside = only(wanted, s->children[0], now);
        return inside ? withChildren(s, {inside}) : nullptr;
      }
      default:
        break;
      }
      if (s.get() == sum_.loops.front()) {
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

    /// The code of items before or after the sum, with variables of its own; null if it is empty.
    StmtPtr apart(Phase wanted) const {
      Phase now = Phase::Before;
      const StmtPtr inside = only(wanted, items_->children[0], now);
      return inside && doesSomething(inside) ? withOwnVariables(withChildren(items_, {inside}))
                                             : nullptr;
    }

    /// The loops that are not cut into steps.
    std::vector<const Stmt *> others() const {
      std::vector<const Stmt *> loops = sum_.loops;
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(summed_));
      return loops;
    }

    /// Declarations of the counters of the loops, innermost first, in round `part` of the group. The loop that is cut has the begin
    /// and the length of the step instead.
    std::vector<StmtPtr> numbersOf(ExprPtr part) const {
      std::vector<StmtPtr> names;
      std::vector<const Stmt *> loops = others();
      // The loop over steps keeps its place among the loops: if it is the innermost one, the order of terms stays.
      const auto nameStep = [&](const ExprPtr &number) {
        const Type index = scalarType(Scalar::Index);
        const ExprPtr first = mul(number, step_.size);
        const ExprPtr last =
            call("max", index,
                 {call("min", index, {add(step_.size, first), step_.end}), varRef(step_.start)});
        names.push_back(declare(step_.start, first));
        names.push_back(declare(step_.length, binary("-", last, varRef(step_.start))));
      };
      for (std::size_t k = sum_.loops.size(); k-- > 0;) {
        const Stmt &loop = *sum_.loops[k];
        const ExprPtr rounds = k == summed_ ? ceilDiv(step_.end, step_.size) : loop.value->args[1];
        const ExprPtr number = k == 0 ? part : binary("%", part, rounds);
        if (k == summed_)
          nameStep(number);
        else
          names.push_back(declare(counterOf(loop), number));
        if (k == 0)
          break;
        const VarPtr left = newVariable("part");
        names.push_back(declare(left, binary("/", part, rounds)));
        part = varRef(left);
      }
      return names;
    }

    /// The items' code for one step.
    StmtPtr inStep() const {
      Phase now = Phase::Before;
      const StmtPtr all = withChildren(items_, {only(Phase::Sum, items_->children[0], now)});
      return rewrite(all, [&](const StmtPtr &s) -> StmtPtr {
        if (s->kind == StmtKind::Window && s->window == sum_.tile->window)
          return inWindows(s);
        return s->kind == StmtKind::For && counterOf(*s) == counterOf(*sum_.loops.front())
                   ? inRange()
                   : s;
      });
    }

    /// The loop over the rounds of a step.
    StmtPtr inRange() const {
      auto number = std::make_shared<Var>(*number_);
      const Stmt &loop = *sum_.loops[summed_];
      const StmtPtr body =
          substitute(mapExprs(sum_.loops.back()->children[2],
                              [&](const ExprPtr &own) { return inInputs(own, varRef(number)); }),
                     {{number_.get(), binary("+", varRef(step_.start), varRef(number))}});
      return forLoop(declare(number, intLiteral(0)),
                     binary("<", varRef(number), varRef(step_.length)),
                     assign(varRef(number), "+=", intLiteral(1)), body, loop.location);
    }

    /// `own` with the subscripts of inputs rewritten to begin at the origins of the windows.
    ExprPtr inInputs(const ExprPtr &own, const ExprPtr &number) const {
      std::vector<ExprPtr> offsets;
      for (const WindowDimension &d : sum_.tile->window->dims)
        offsets.push_back(difference(sum_.element[d.of], sum_.group->window->origin[d.of]));
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        const auto input = std::ranges::find_if(
            inputs_, [&](const StepInput &each) { return each.isElement(*e); });
        return input == inputs_.end()
                   ? e
                   : index(e->args[0],
                           subscriptsIn(*input,
                                        windows_[static_cast<std::size_t>(input - inputs_.begin())],
                                        offsets, number),
                           e->location);
      });
    }

    /// `body`, the item's window onto the output, inside of its windows onto inputs.
    StmtPtr inWindows(StmtPtr body) const {
      const Window &tile = *sum_.tile->window;
      for (const StepInput &input : inputs_) {
        if (!input.isAsked && input.isDense())
          body = bound(input, access_.windowOf(input, sum_, tile, step_).window, sum_.tile->level,
                       body);
      }
      return body;
    }

    /// `body` in a window onto an input.
    static StmtPtr bound(const StepInput &input, Window window, int level, StmtPtr body) {
      auto known = std::make_shared<Var>();
      known->name = input.array->name;
      known->type = input.array->type;
      known->kind = VarKind::Window;
      return bindWindow(known, std::move(window), level, body, body->location);
    }

    const StmtPtr &items_;
    const Sum &sum_;
    std::size_t summed_; ///< number of the loop that is cut into steps
    StepInputs &access_;
    std::vector<StepInput> inputs_;
    VarPtr number_; ///< its counter
    StepRange step_;
    std::vector<StepWindow> windows_; ///< the group's, one for each input
  };

  LoweredPlan &plan_;
  bool reorders_; ///< terms of an element may be added up in another order
  std::set<const Var *> declared_;
  std::set<const Var *> assigned_;
  StepInputs inputs_;
};

} // namespace

LoweredPlan sumsInSteps(LoweredPlan plan, bool reorders) {
  plan.body = Steps(plan, reorders).run(plan.body, {});
  return plan;
}

LoweredPlan stripMineSums(LoweredPlan plan) { return sumsInSteps(std::move(plan), false); }

} // namespace tangram::codegen
