#include "codegen/timing/accesses.h"

#include "codegen/form/building.h"

#include <algorithm>
#include <cmath>

namespace tangram::codegen {

using namespace ir;

namespace {
constexpr double callOperations = 8; ///< of a function of mathematics
} // namespace

void AccessCosts::expression(const ExprPtr &e) {
  switch (e->kind) {
  case ExprKind::Index:
    access(*e, false);
    return;
  case ExprKind::Atomic:
    return atomic(*e);
  case ExprKind::Binary:
  case ExprKind::Select:
    worker_.work(1 / rowsThatShare(e));
    break;
  case ExprKind::Call:
    worker_.work((e->callee == "min" || e->callee == "max" ? 1 : callOperations) /
                 rowsThatShare(e));
    break;
  default:
    break;
  }
  for (const ExprPtr &arg : e->args)
    expression(arg);
}

/// The number of rows taken together that share the value of `e`, which is then computed once for all of them: the product over loops
/// along which an integer or a condition does not change. 1 for floating-point numbers.
double AccessCosts::rowsThatShare(const ExprPtr &e) const {
  const bool isAsked =
      !isFloating(e->type.scalar) &&
      std::ranges::any_of(state_.nest, [](const Around &around) { return around.together > 1; });
  if (!isAsked || state_.isOfData(e))
    return 1;
  const Samples value = state_.values(e);
  return state_.rowsTogether(
      [&](const Around &around) { return value.at[around.point] == value.at[Samples::base]; });
}

/// A last item that does not run the current statement says nothing of where it is done: items that follow each other up to
/// the middle go on like that.
Samples AccessCosts::whereActive(Samples position) const {
  const auto items = std::ranges::find_if(state_.nest, &Around::items);
  if (items == state_.nest.end() || state_.active.items.back() > 0)
    return position;
  const double base = position.at[Samples::base];
  const double near = position.at[items->point] - base;
  if (position.at[Samples::middleItem] == base + near * std::floor((items->count - 1) / 2))
    position.at[Samples::lastItem] = base + near * (items->count - 1);
  return position;
}

/// How often a number is found in a register where it was read once: in loops around that are written out and do not move its
/// place, which `walks` then have one round of. A vector loop reads it once for each of its vectors.
double AccessCosts::readAgain(const Buffer &buffer, const Samples &position,
                              std::vector<Walk> &walks) const {
  double again = 1;
  for (std::size_t i = 0; i < state_.nest.size() && i < walks.size(); ++i) {
    const Around &around = state_.nest[state_.nest.size() - 1 - i];
    if (!around.jammed)
      break;
    if (position.at[around.point] != position.at[Samples::base])
      continue;
    const double lanes = around.statement ? std::max(around.statement->lanes, 1U) : 1;
    again *= state_.itemsAreLoops ? std::max(1.0, around.count / lanes) : around.count;
    walks[walks.size() - 1 - i].count = 1;
  }
  for (const Around &around : state_.nest) {
    if (around.together > 1 && position.at[around.point] == position.at[Samples::base])
      again *= around.together;
  }
  // Of scalars that are written out, a processor's registers hold few; vectors and packed rows are the passes' tiles.
  const bool areScalars = state_.itemsAreLoops && state_.loop.lanes == 1 && !state_.loop.together &&
                          buffer.space == Space::Global;
  return areScalars ? 1 : again;
}

unsigned AccessCosts::access(const Expr &e, bool writes) {
  if (state_.dry)
    return 0;
  unsigned before = 0;
  for (std::size_t i = 1; i < e.args.size(); ++i)
    before = std::max(before, subscript(e.args[i]));
  const Buffer *buffer = state_.bufferOf(e);
  if (!buffer || e.args.size() != 2) {
    worker_.accessOwn(e, writes);
    return before; // registers
  }
  if (buffer->space != Space::Global)
    state_.locals.insert(buffer);
  const auto element =
      static_cast<double>(byteSize(e.type.scalar == Scalar::Index ? Scalar::U64 : e.type.scalar));
  const Samples position = whereActive(state_.values(e.args[1]));
  std::vector<Walk> walks = walksOf(state_.nest, position, element, state_.values);
  const double again = writes ? 1 : readAgain(*buffer, position, walks);
  before = worker_.access({e, *buffer, position, walks, element, writes, again}, before);
  const double count = buffer->count ? state_.values(buffer->count).at[Samples::base] : 0;
  if (buffer->space == Space::Global)
    state_.accesses.push_back(
        {buffer->var.get(), element * worker_.joinVectors(walks, element), count * element,
         position.at[Samples::base] * element, state_.active.share(), writes, std::move(walks),
         state_.loop.roundOperations,
         state_.explains ? std::optional(sourceOf(e, *buffer, position)) : std::nullopt});
  return before;
}

/// An access as the source has it, with the loops and workers along which its place is the same.
AccessSource AccessCosts::sourceOf(const Expr &e, const Buffer &buffer,
                                   const Samples &position) const {
  AccessSource source{buffer.var->name, e.location.valid() ? e.location : state_.here};
  for (const Around &each : state_.nest) {
    if (!each.statement || each.count < 2 || position.at[each.point] != position.at[Samples::base])
      continue;
    const Stmt &s = *each.statement;
    const VarPtr &counter = s.kind == StmtKind::For && s.children[0] ? s.children[0]->var : s.var;
    source.again.push_back({counter ? counter->name : "", each.count,
                            each.kind == Walk::Kind::Loop && s.kind != StmtKind::Parallel});
  }
  return source;
}

/// Counts subscripts that are read from memory, or follow from what was. Returns loads as access() does.
unsigned AccessCosts::subscript(const ExprPtr &e) {
  if (e->kind == ExprKind::Index)
    return access(*e, false);
  unsigned before = e->kind == ExprKind::Var && worker_.isLoaded(e->var.get()) ? 1 : 0;
  for (const ExprPtr &arg : e->args)
    before = std::max(before, subscript(arg));
  return before;
}

void AccessCosts::atomic(const Expr &e) {
  if (state_.dry)
    return;
  for (std::size_t i = 1; i < e.args.size(); ++i)
    expression(e.args[i]);
  if (e.op == "await") {
    handedOver_ = true;
    inOrder_ = -state_.meanWait();
  } else if (e.op == "publish" && handedOver_) {
    inOrder_ += state_.meanWait();
  }
  if (!handedOver_ && (e.op == "load" || e.op == "store"))
    access(*e.args[0], e.op == "store");
  if (e.op == "await" || e.op == "publish" || e.op == "load" || e.op == "store")
    return;
  worker_.work(1);
  if (e.args[0]->kind == ExprKind::Index)
    update(e);
}

/// An atomic operation on an element.
void AccessCosts::update(const Expr &e) {
  const Expr &target = *e.args[0];
  for (std::size_t i = 1; i < target.args.size(); ++i)
    subscript(target.args[i]);
  const Buffer *buffer = state_.bufferOf(target);
  if (!buffer)
    return;
  // What was written arrives where all groups see it, then the number comes from there: twice half as
  // far as memory.
  if (buffer->countsGroups)
    state_.wait(state_.costs.memorySeconds * state_.costs.cyclesPerSecond);
  const std::vector<Walk> walks =
      walksOf(state_.nest, state_.values(target.args[1]), 1, state_.values);
  double all = state_.active.share();
  double distinct = 1;
  for (const Walk &walk : walks) {
    all *= walk.count;
    distinct *= walk.stride == 0 ? 1 : walk.count;
  }
  const double elements = std::max(1.0, state_.values(buffer->count).at[Samples::base]);
  distinct = std::max(1.0, std::min(distinct, elements));
  const auto bytes = static_cast<double>(byteSize(target.type.scalar));
  const double lines = std::ceil(distinct * bytes / state_.figures.line);
  if (state_.itemsAreLoops && (e.op == "min" || e.op == "max"))
    access(target, false); // whether there is anything to change
  worker_.update(e, *buffer, all, distinct, lines);
}

void AccessCosts::endLaunch() {
  if (handedOver_) {
    state_.launch.atomics += state_.launch.groups * 2 * state_.costs.memorySeconds;
    // Between the carry and the next one: one group after the other.
    state_.launch.waiting = std::max(state_.launch.waiting, state_.launch.groups * inOrder_ /
                                                                state_.costs.cyclesPerSecond);
  }
  handedOver_ = false;
}

} // namespace tangram::codegen
