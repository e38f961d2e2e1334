#include "codegen/analysis/windows.h"

#include "algebra/simplify.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

void addSummands(const ExprPtr &e, std::vector<ExprPtr> &all) {
  if (e->kind == ExprKind::Binary && e->op == "+") {
    addSummands(e->args[0], all);
    addSummands(e->args[1], all);
  } else if (!isLiteral(e, 0)) {
    all.push_back(e);
  }
}

class Accesses {
public:
  explicit Accesses(const Var *array) : array_(array) {}

  void statement(const StmtPtr &s) {
    if (!s)
      return;
    forEachOwnExpr(*s, [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        if (each.kind == ExprKind::Index && each.args[0]->var.get() == array_)
          found.push_back({&each, around_});
      });
    });
    const bool repeats = s->kind == StmtKind::For || s->kind == StmtKind::Parallel;
    if (repeats)
      around_.push_back(s.get());
    for (const StmtPtr &child : s->children)
      statement(child);
    if (repeats)
      around_.pop_back();
  }

  std::vector<WindowAccess> found;

private:
  const Var *array_;
  std::vector<const Stmt *> around_;
};

} // namespace

std::vector<ExprPtr> summandsOf(const ExprPtr &e) {
  std::vector<ExprPtr> all;
  addSummands(e, all);
  return all;
}

ExprPtr difference(const ExprPtr &a, const ExprPtr &b) {
  std::vector<ExprPtr> left = summandsOf(a);
  for (const ExprPtr &each : summandsOf(b)) {
    auto found = std::ranges::find_if(left, [&](const ExprPtr &e) { return sameExpr(e, each); });
    if (found == left.end())
      return nullptr;
    left.erase(found);
  }
  ExprPtr sum = intLiteral(0);
  for (const ExprPtr &each : left)
    sum = add(sum, each);
  return sum;
}

namespace {

/// `e` over `step`, where each summand is a product with it; null where one is none.
ExprPtr inSteps(const ExprPtr &e, const ExprPtr &step) {
  if (isLiteral(step, 1) || isLiteral(e, 0))
    return e;
  ExprPtr sum = intLiteral(0);
  for (const ExprPtr &each : summandsOf(e)) {
    if (!isBinary(*each, "*"))
      return nullptr;
    const bool isFirst = sameExpr(each->args[0], step);
    if (!isFirst && !sameExpr(each->args[1], step))
      return nullptr;
    sum = add(sum, each->args[isFirst ? 1 : 0]);
  }
  return sum;
}

} // namespace

std::optional<std::vector<ExprPtr>> positionIn(const Window &window,
                                               const std::vector<ExprPtr> &subscripts) {
  const bool hasSteps = std::ranges::any_of(
      window.dims, [](const WindowDimension &dim) { return !isLiteral(dim.step, 1); });
  return hasSteps ? std::nullopt : positionInSteps(window, subscripts);
}

namespace {

/// Removes from `e` the summands that are products with `step`, and returns their sum divided by `step`.
ExprPtr takenInSteps(ExprPtr &e, const ExprPtr &step) {
  ExprPtr sum = intLiteral(0), left = intLiteral(0);
  for (const ExprPtr &each : summandsOf(e)) {
    const ExprPtr steps = inSteps(each, step);
    (steps ? sum : left) = add(steps ? sum : left, steps ? steps : each);
  }
  e = left;
  return sum;
}

} // namespace

std::optional<std::vector<ExprPtr>> positionInSteps(const Window &window,
                                                    const std::vector<ExprPtr> &subscripts) {
  if (subscripts.size() != window.origin.size())
    return std::nullopt;
  std::vector<ExprPtr> position(window.dims.size());
  for (std::size_t along = 0; along < window.origin.size(); ++along) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < window.dims.size(); ++d) {
      if (window.dims[d].of == along)
        dims.push_back(d);
    }
    if (dims.empty()) {
      if (!sameExpr(subscripts[along], window.origin[along]))
        return std::nullopt;
      continue;
    }
    ExprPtr elements = difference(subscripts[along], window.origin[along]);
    if (!elements)
      return std::nullopt;
    if (dims.size() == 1) {
      position[dims[0]] = inSteps(elements, window.dims[dims[0]].step);
      if (!position[dims[0]])
        return std::nullopt;
      continue;
    }
    // Several dimensions of the window run along this one of the array. Each dimension with a step other than 1 takes the
    // products with its step; the one with step 1 takes what is left.
    for (const std::size_t d : dims) {
      if (!isLiteral(window.dims[d].step, 1))
        position[d] = takenInSteps(elements, window.dims[d].step);
    }
    for (const std::size_t d : dims) {
      if (!position[d])
        position[d] = std::exchange(elements, intLiteral(0));
    }
    if (!isLiteral(elements, 0))
      return std::nullopt;
  }
  return position;
}

ExprPtr extentAlong(const LoweredPlan &plan, const VarPtr &array, std::size_t dimension) {
  std::size_t number = 0;
  for (const VarPtr &param : plan.parameters) {
    const auto strides = plan.strides.find(param);
    if (param == array && strides != plan.strides.end() && dimension < strides->second.size()) {
      const VarPtr &extent = plan.extents.at(number + dimension);
      const auto known = std::ranges::find(plan.shape, extent, &ShapeContract::extent);
      return known == plan.shape.end() ? varRef(extent) : known->equals;
    }
    number += strides == plan.strides.end() ? 0 : strides->second.size();
  }
  return nullptr;
}

ArrayUse useOf(const StmtPtr &s, const Var *array) {
  ArrayUse use;
  auto isElement = [&](const ExprPtr &e) {
    return e && e->kind == ExprKind::Index && e->args[0]->var.get() == array;
  };
  forEach(s, [&](const Stmt &each) {
    use.writes |= arrayChangedBy(each) == array;
    if (each.kind == StmtKind::Assign && isElement(each.target))
      use.reads |= each.op != "=";
    forEachOwnExpr(each, [&](const ExprPtr &own) {
      const bool target = own == each.target;
      forEach(own, [&](const Expr &e) {
        if (e.kind == ExprKind::Atomic && isElement(e.args[0]))
          use.atomic = true;
        const bool isTarget = target && &e == own.get();
        use.reads |= !isTarget && e.kind == ExprKind::Index && e.args[0]->var.get() == array;
      });
    });
  });
  return use;
}

std::vector<WindowAccess> accessesTo(const StmtPtr &s, const Var *array) {
  Accesses accesses(array);
  accesses.statement(s);
  return accesses.found;
}

bool areAsLarge(const Window &a, const Window &b) {
  return std::ranges::equal(
      a.dims, b.dims, [](const WindowDimension &one, const WindowDimension &other) {
        return sameExpr(one.extent, other.extent) && sameExpr(one.bound, other.bound);
      });
}

SharedArrays::SharedArrays(const LoweredPlan &plan) : plan_(plan) {
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Allocate && plan.role(s.array->owner) == Role::Host)
      ofHost_.insert(s.var.get());
  });
}

bool SharedArrays::contains(const VarPtr &array) const {
  const Buffer *buffer = plan_.bufferOf(array);
  return buffer ? buffer->space == Space::Global : ofHost_.contains(array.get());
}

VarPtr counterOf(const Stmt &loop) {
  const std::optional<CountedLoop> counted = countedLoop(loop);
  return counted && counted->isPlain() ? counted->i : nullptr;
}

StmtPtr withoutWindows(const StmtPtr &s, const std::function<bool(const Window &)> &meant) {
  if (!s)
    return s;
  if (s->kind == StmtKind::Window && (!meant || meant(*s->window)))
    return withoutWindows(s->children[0], meant);
  std::vector<StmtPtr> children;
  for (const StmtPtr &child : s->children) {
    StmtPtr bare = withoutWindows(child, meant);
    if (child && child->kind == StmtKind::Window && s->kind == StmtKind::Block &&
        bare->kind == StmtKind::Block)
      children.insert(children.end(), bare->children.begin(), bare->children.end());
    else
      children.push_back(std::move(bare));
  }
  return withChildren(s, std::move(children));
}

ExprPtr mostElements(const Window &window) {
  ExprPtr most = intLiteral(1);
  for (const WindowDimension &d : window.dims)
    most = mul(most, d.bound);
  return simplify(most);
}

std::uint64_t leastBytes(const LoweredPlan &plan, const Window &window) {
  std::uint64_t bytes = byteSize(window.array->type.scalar);
  for (const WindowDimension &d : window.dims)
    bytes *= static_cast<std::uint64_t>(
        std::max<std::int64_t>(1, leastValue(plan, d.bound).value_or(1)));
  return bytes;
}

} // namespace tangram::codegen
