#include "codegen/lockstep/independence.h"

#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/lockstep/touches.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// All accesses to shared memory below a statement, by the variable they are made through.
class Survey {
public:
  explicit Survey(const Constants &constants) : constants_(constants) {}

  std::map<const Var *, std::vector<Touch>> run(const StmtPtr &s) {
    walk(s);
    for (auto &[array, touches] : found_)
      apartByDimensions(*array, touches);
    return std::move(found_);
  }

private:
  void add(const ExprPtr &e, bool write, Operator atomic, bool used) {
    const ExprPtr &base = e->kind == ExprKind::Index ? e->args[0] : e;
    if (base->kind != ExprKind::Var || !isSeenByAllLanes(*base->var))
      return;
    Touch touch{{}, write, atomic, used, loops_, inHead_};
    for (std::size_t i = 1; e->kind == ExprKind::Index && i < e->args.size(); ++i)
      touch.subscripts.push_back(constants_.meaning(e->args[i]));
    found_[base->var.get()].push_back(std::move(touch));
  }

  /// Elements of an array of arrays have a subscript in each dimension, where all accesses are written so.
  void apartByDimensions(const Var &array, std::vector<Touch> &touches) const {
    std::vector<Touch> apart = touches;
    for (Touch &touch : apart) {
      for (const ExprPtr &size : array.inner | std::views::reverse) {
        const ExprPtr e = touch.subscripts.front();
        const ExprPtr row = e->kind == ExprKind::Binary && e->op == "+"
                                ? rowOf(e->args[0], constants_.meaning(size))
                                : nullptr;
        if (!row)
          return;
        touch.subscripts.front() = row;
        touch.subscripts.insert(touch.subscripts.begin() + 1, e->args[1]);
      }
    }
    touches = std::move(apart);
  }

  /// Null: `first` is no multiple of the `size` of rows.
  static ExprPtr rowOf(const ExprPtr &first, const ExprPtr &size) {
    if (first->kind == ExprKind::Binary && first->op == "*" && sameExpr(first->args[1], size))
      return first->args[0];
    const auto number = literalValue(first);
    const auto length = literalValue(size);
    return number && length && *length > 0 && *number % *length == 0
               ? intLiteral(*number / *length, Scalar::Index)
               : nullptr;
  }

  void read(const ExprPtr &e, bool used = true) {
    if (!e || e->kind == ExprKind::Size) // how large a container is says nothing of its elements
      return;
    if (e->kind == ExprKind::Atomic) {
      add(e->args[0], true, e->op, used);
      subscripts(e->args[0]);
      for (std::size_t i = 1; i < e->args.size(); ++i)
        read(e->args[i]);
      return;
    }
    add(e, false, {}, false);
    for (std::size_t i = e->kind == ExprKind::Index ? 1 : 0; i < e->args.size(); ++i)
      read(e->args[i]);
  }

  void subscripts(const ExprPtr &e) {
    for (std::size_t i = 1; e->kind == ExprKind::Index && i < e->args.size(); ++i)
      read(e->args[i]);
  }

  void walk(const StmtPtr &s) {
    if (!s)
      return;
    const bool outer = inHead_;
    inHead_ |= isLoop(*s);
    read(s->value, s->kind != StmtKind::Eval);
    if (s->target) {
      if (s->op != "=")
        add(s->target, false, {}, false);
      add(s->target, true, {}, false);
      subscripts(s->target);
    }
    const std::size_t depth = loops_.size();
    for (const StmtPtr &child : s->children) {
      if (isLoop(*s) && child == s->children.back()) {
        inHead_ = outer;
        loops_.push_back(s.get());
      }
      walk(child);
    }
    loops_.resize(depth);
    inHead_ = outer;
  }

  const Constants &constants_;
  std::map<const Var *, std::vector<Touch>> found_;
  std::vector<const Stmt *> loops_;
  bool inHead_ = false;
};

/// Knows which expressions tell the lanes apart while a statement runs.
class Apart {
public:
  Apart(const StmtPtr &s, const Constants &constants, const std::set<const Var *> &varying)
      : constants_(constants), varying_(varying), changing_(changedIn(s)),
        lane_(numbers_.of(node(ExprKind::CoopIdx, scalarType(Scalar::Index), {}))),
        lanes_(numbers_.of(node(ExprKind::CoopDim, scalarType(Scalar::Index), {}))) {
    forEach(s, [&](const Stmt &each) {
      if (each.kind != StmtKind::For)
        return;
      noteStride(each);
      noteBlock(each);
      noteCounter(each);
    });
  }

  /// Whether different lanes touch different elements.
  bool holds(const std::vector<Touch> &touches) {
    if (looksBehindBlocks(touches))
      return false;
    std::size_t places = touches[0].subscripts.size();
    for (const Touch &t : touches)
      places = std::min(places, t.subscripts.size());
    for (std::size_t k = 0; k < places; ++k) {
      if (std::ranges::all_of(touches,
                              [&](const Touch &t) { return isInColumn(t.subscripts[k]); }) ||
          (sameAt(touches, k) &&
           (isOneToOne(touches[0].subscripts[k]) || isInBlock(touches[0].subscripts[k]) ||
            areDigits(touches[0].subscripts[k]))))
        return true;
      if (areInStrides(touches, k) || areComponents(touches, k))
        return true;
    }
    return areDigits(touches, places) ||
           neverMeet(touches, apart_, constants_, changing_, varying_);
  }

private:
  /// Elements a lane takes at once, `width * coopIdx() + first` and on, and then those that lie
  /// `width * coopDim()` further on.
  struct Stride {
    algebra::Polynomial i;
    algebra::Polynomial first;
    std::int64_t width = 1;
  };

  /// value = factor * coopIdx() + rest, where rest is the same for all lanes.
  std::optional<algebra::Split> byLane(const ExprPtr &value) {
    algebra::Split split = algebra::splitBy(numbers_.of(value), lane_.atom());
    const ExprPtr rest = numbers_.expression(split.rest);
    const ExprPtr factor = numbers_.expression(split.coefficient);
    if (!split.linear || !rest || !factor || !isSameForAll(rest) || !isSameForAll(factor))
      return std::nullopt;
    return split;
  }

  /// for (i = width * coopIdx() + first; ...; i += width * coopDim()): i keeps telling which lane it
  /// belongs to.
  void noteStride(const Stmt &s) {
    const std::optional<SteppedLoop> loop = steadyLoop(s);
    if (!loop)
      return;
    const ExprPtr start = constants_.meaning(loop->start);
    const ExprPtr step = constants_.meaning(loop->step);
    if (step->kind == ExprKind::CoopDim && isShifted(start))
      telling_.insert(loop->i.get());
    const std::optional<algebra::Split> split = byLane(start);
    const std::int64_t width = split ? split->coefficient.literal().value_or(0) : 0;
    if (width < 1 || !(numbers_.of(step) == lanes_ * width))
      return;
    if (start->kind == ExprKind::CoopIdx)
      striding_.insert(loop->i.get());
    telling_.insert(loop->i.get());
    strides_.push_back({numbers_.of(varRef(loop->i)), split->rest, width});
    apart_.push_back({&s, width});
  }

  /// The lane, and what is the same for all lanes: also where that may wrap around.
  bool isShifted(const ExprPtr &e) const {
    if (e->kind == ExprKind::CoopIdx)
      return true;
    const bool sum = e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-");
    return sum && byteSize(e->type.scalar) >= 4 &&
           ((isShifted(e->args[0]) && isSameForAll(e->args[1])) ||
            (isSameForAll(e->args[0]) && isShifted(e->args[1])));
  }

  /// for (i = n * coopIdx() + first; i < n * (coopIdx() + 1) + first && ...; ++i): n that are the lane's.
  void noteBlock(const Stmt &s) {
    const std::optional<SteppedLoop> loop = steadyLoop(s);
    if (!loop || !isLiteral(loop->step, 1) || !s.value)
      return;
    const std::optional<algebra::Split> split = byLane(constants_.meaning(loop->start));
    if (!split || split->coefficient.isZero())
      return;
    const algebra::Polynomial end = split->coefficient * (lane_ + 1) + split->rest;
    if (!endsAt(s.value, loop->i, end))
      return;
    telling_.insert(loop->i.get());
    const bool readsFirst = s.value->op == "&&" && !endsAt(firstAsked(s.value), loop->i, end);
    if (readsFirst)
      leaving_.insert(loop->i.get());
  }

  static ExprPtr firstAsked(const ExprPtr &condition) {
    return condition->kind == ExprKind::Binary && condition->op == "&&"
               ? firstAsked(condition->args[0])
               : condition;
  }

  /// Whether the head of a loop may read what belongs to the next lane, as it does where it looks at an element
  /// before it asks whether that is still of the block.
  bool looksBehindBlocks(const std::vector<Touch> &touches) const {
    return std::ranges::any_of(touches, [&](const Touch &t) {
      return t.inHead && std::ranges::any_of(t.subscripts, [&](const ExprPtr &subscript) {
               return contains(subscript, [&](const Expr &each) {
                 return each.kind == ExprKind::Var && leaving_.contains(each.var.get());
               });
             });
    });
  }

  /// Whether `condition` says i < end.
  bool endsAt(const ExprPtr &condition, const VarPtr &i, const algebra::Polynomial &end) {
    if (condition->kind != ExprKind::Binary)
      return false;
    if (condition->op == "&&")
      return endsAt(condition->args[0], i, end) || endsAt(condition->args[1], i, end);
    return condition->op == "<" && constants_.meaning(condition->args[0])->var == i &&
           isAtMost(constants_.meaning(condition->args[1]), end);
  }

  /// Whether `e` is `end`, or a minimum of that and something else.
  bool isAtMost(const ExprPtr &e, const algebra::Polynomial &end) {
    if (e->kind == ExprKind::Call && e->callee == "min")
      return std::ranges::any_of(e->args, [&](const ExprPtr &arg) { return isAtMost(arg, end); });
    return numbers_.of(e) == end;
  }

  /// Whether, in this place, lanes touch what a striding variable gives them, and read what lies
  /// before all of that.
  bool areInStrides(const std::vector<Touch> &touches, std::size_t k) {
    return std::ranges::any_of(strides_, [&](const Stride &stride) {
      std::vector<std::int64_t> offsets;
      for (const Touch &t : touches) {
        const std::optional<std::int64_t> offset =
            (numbers_.of(t.subscripts[k]) - stride.i).literal();
        if (offset)
          offsets.push_back(*offset);
        else if (t.write || !isSameForAll(t.subscripts[k]))
          return false;
      }
      if (offsets.empty())
        return false;
      const auto [low, high] = std::ranges::minmax(offsets);
      return high - low < stride.width &&
             std::ranges::all_of(
                 touches,
                 [&](const Touch &t) {
                   const algebra::Polynomial at = numbers_.of(t.subscripts[k]);
                   return (at - stride.i).literal() ||
                          (stride.first + low - at).literal().value_or(0) > 0;
                 });
    });
  }

  /// Whether each lane touches components of an element of its own, `x * n + c` of one x, where c is a number below n.
  bool areComponents(const std::vector<Touch> &touches, std::size_t k) const {
    const Component first = componentAt(touches[0].subscripts[k]);
    return first.element && isOneToOne(first.element) &&
           std::ranges::all_of(touches, [&](const Touch &t) {
             const Component each = componentAt(t.subscripts[k]);
             return each.element && each.of == first.of && sameExpr(each.element, first.element);
           });
  }

  struct Component {
    ExprPtr element; ///< null: it is none
    std::int64_t of = 0;
  };

  static Component componentAt(const ExprPtr &e) {
    if (e->kind != ExprKind::Binary || byteSize(e->type.scalar) < 4)
      return {};
    if (e->op == "*" && literalValue(e->args[1]).value_or(0) > 0)
      return {e->args[0], *literalValue(e->args[1])};
    const auto number = e->op == "+" ? literalValue(e->args[1]) : std::nullopt;
    if (!number || e->args[0]->kind != ExprKind::Binary || e->args[0]->op != "*")
      return {};
    const Component component = componentAt(e->args[0]);
    return *number >= 0 && *number < component.of ? component : Component{};
  }

  /// for (k = 0; k < n && ...; ++k), n the same for all lanes.
  void noteCounter(const Stmt &s) {
    const std::optional<SteppedLoop> loop = steppedLoop(s);
    ExprPtr condition = s.value;
    while (condition && condition->kind == ExprKind::Binary && condition->op == "&&")
      condition = condition->args[0];
    const bool counts = loop && isLiteral(loop->start, 0) && isLiteral(loop->step, 1) &&
                        byteSize(loop->i->type.scalar) >= 4 && condition &&
                        condition->kind == ExprKind::Binary && condition->op == "<" &&
                        condition->args[0]->var == loop->i &&
                        !assigns(s.children[2], loop->i.get());
    if (!counts)
      return;
    const ExprPtr end = constants_.meaning(condition->args[1]);
    if (isSameForAll(end))
      counters_[loop->i.get()] = end;
  }

  /// n * lane + k for a k below n, or below less than that: n elements that are the lane's.
  bool isInBlock(const ExprPtr &e) const {
    if (e->kind != ExprKind::Binary || e->op != "+" || byteSize(e->type.scalar) < 4)
      return false;
    for (int low : {0, 1}) {
      const ExprPtr &k = e->args[static_cast<std::size_t>(low)];
      const ExprPtr &first = e->args[static_cast<std::size_t>(1 - low)];
      const auto counter =
          k->kind == ExprKind::Var ? counters_.find(k->var.get()) : counters_.end();
      if (counter == counters_.end() || first->kind != ExprKind::Binary || first->op != "*")
        continue;
      for (int lane : {0, 1}) {
        if (isOfLane(first->args[static_cast<std::size_t>(lane)]) &&
            isNoLess(first->args[static_cast<std::size_t>(1 - lane)], counter->second))
          return true;
      }
    }
    return false;
  }

  /// The lane, or it and a multiple of the number of lanes.
  bool isOfLane(const ExprPtr &e) const {
    return e->kind == ExprKind::CoopIdx ||
           (e->kind == ExprKind::Var && striding_.contains(e->var.get()));
  }

  /// What of the lane is in column coopIdx() of rows of coopDim(), whatever row it is.
  bool isInColumn(const ExprPtr &e) const {
    if (isOfLane(e))
      return true;
    if (e->kind != ExprKind::Binary || e->op != "+" || byteSize(e->type.scalar) < 4)
      return false;
    auto isRow = [](const ExprPtr &row) {
      return row->kind == ExprKind::Binary && row->op == "*" &&
             std::ranges::any_of(row->args,
                                 [](const ExprPtr &f) { return f->kind == ExprKind::CoopDim; });
    };
    return (isRow(e->args[0]) && isInColumn(e->args[1])) ||
           (isRow(e->args[1]) && isInColumn(e->args[0]));
  }

  bool isSameForAll(const ExprPtr &e) const {
    if (e->kind == ExprKind::Size)
      return true;
    if (e->kind == ExprKind::CoopIdx || e->kind == ExprKind::Index || e->kind == ExprKind::Atomic)
      return false;
    if (e->kind == ExprKind::Var && (varying_.contains(e->var.get()) ||
                                     changing_.contains(e->var.get()) || isSeenByAllLanes(*e->var)))
      return false;
    return std::ranges::all_of(e->args, [&](const ExprPtr &arg) { return isSameForAll(arg); });
  }

  bool isOneToOne(const ExprPtr &e) const {
    if (isOfLane(e) || (e->kind == ExprKind::Var && telling_.contains(e->var.get())))
      return true;
    if (e->kind != ExprKind::Binary || byteSize(e->type.scalar) < 4)
      return false;
    const ExprPtr &a = e->args[0];
    const ExprPtr &b = e->args[1];
    if (e->op == "+" || e->op == "-")
      return (isOneToOne(a) && isSameForAll(b)) || (isSameForAll(a) && isOneToOne(b));
    auto counts = [](const ExprPtr &factor) { return literalValue(factor).value_or(0) > 0; };
    return e->op == "*" && ((isOneToOne(a) && counts(b)) || (counts(a) && isOneToOne(b)));
  }

  /// i of i / n and i % n, which together are i; null where they are not of one number.
  ExprPtr ofDigits(const ExprPtr &high, const ExprPtr &low) const {
    const bool are = high->kind == ExprKind::Binary && high->op == "/" &&
                     low->kind == ExprKind::Binary && low->op == "%" &&
                     sameExpr(high->args[0], low->args[0]) && isSameForAll(high->args[1]) &&
                     sameExpr(high->args[1], low->args[1]);
    return are ? high->args[0] : nullptr;
  }

  bool areDigits(const ExprPtr &high, const ExprPtr &low) const {
    const ExprPtr number = ofDigits(high, low);
    return number && isOneToOne(number);
  }

  /// Whether the subscripts are the digits of a number that each lane has for itself, in whatever order:
  /// i / n / m, i / n % m and i % n.
  bool areDigits(const std::vector<Touch> &touches, std::size_t places) const {
    std::vector<ExprPtr> known;
    const auto add = [&](const ExprPtr &e) {
      if (std::ranges::none_of(known, [&](const ExprPtr &other) { return sameExpr(e, other); }))
        known.push_back(e);
    };
    for (std::size_t k = 0; k < places; ++k) {
      if (!sameAt(touches, k))
        continue;
      const ExprPtr bare = withoutCasts(withoutShift(touches[0].subscripts[k]));
      add(bare);
      add(withoutCasts(withoutCounter(bare)));
    }
    // A number that two known ones are the digits of is known as well.
    for (std::size_t last = 0; last < known.size(); ++last) {
      for (std::size_t other = 0; other <= last; ++other) {
        for (const ExprPtr &number :
             {ofDigits(known[last], known[other]), ofDigits(known[other], known[last])}) {
          if (!number)
            continue;
          if (isOneToOne(number))
            return true;
          add(withoutCasts(number));
        }
      }
    }
    return false;
  }

  /// i / n * m + i % n, where m is n or more: one number for each i.
  bool areDigits(const ExprPtr &e) const {
    if (e->kind != ExprKind::Binary || e->op != "+" || byteSize(e->type.scalar) < 4)
      return false;
    for (const std::size_t at : {0, 1}) {
      const ExprPtr row = withoutCasts(e->args[at]);
      const ExprPtr low = withoutCasts(e->args[1 - at]);
      if (row->kind != ExprKind::Binary || row->op != "*")
        continue;
      for (const std::size_t high : {0, 1}) {
        const ExprPtr pitch = withoutCasts(row->args[1 - high]);
        if (areDigits(withoutShift(withoutCasts(row->args[high])), low) && isSameForAll(pitch) &&
            isNoLess(pitch, withoutCasts(low->args[1])))
          return true;
      }
    }
    return false;
  }

  /// x of x + n, x - n and n - x, where n is the same for all lanes.
  ExprPtr withoutShift(const ExprPtr &e) const {
    if (e->kind != ExprKind::Binary || (e->op != "+" && e->op != "-"))
      return e;
    for (const std::size_t at : {0, 1}) {
      if (isSameForAll(e->args[at]))
        return withoutCasts(e->args[1 - at]);
    }
    return e;
  }

  /// Whether m is n, or n with more bits, or a larger number.
  static bool isNoLess(const ExprPtr &m, const ExprPtr &n) {
    return sameExpr(m, n) || (numberOf(n) > 0 && numberOf(m) >= numberOf(n)) ||
           (m->kind == ExprKind::Binary && m->op == "|" && !isSigned(m->type.scalar) &&
            !isSigned(n->type.scalar) && std::ranges::any_of(m->args, [&](const ExprPtr &each) {
              return sameExpr(withoutCasts(each), n);
            }));
  }

  /// A constant, 32 + 1 as well; 0: it is none.
  static std::int64_t numberOf(const ExprPtr &e) {
    return literalValue(algebra::simplify(withoutCasts(e))).value_or(0);
  }

  /// Numbers of elements there are stay what they are in 32 bits.
  static ExprPtr withoutCasts(ExprPtr e) {
    while (e->kind == ExprKind::Cast && isInteger(e->type.scalar) && byteSize(e->type.scalar) >= 4)
      e = e->args[0];
    return e;
  }

  /// x of x * n and of x * n + k, where k counts to n at most: of different x these differ.
  ExprPtr withoutCounter(const ExprPtr &e) const {
    if (e->kind != ExprKind::Binary || byteSize(e->type.scalar) < 4)
      return e;
    if (e->op == "*" && literalValue(e->args[1]).value_or(0) > 0)
      return e->args[0];
    for (const std::size_t at : {0, 1}) {
      const ExprPtr &k = e->args[at];
      const ExprPtr &rest = e->args[1 - at];
      const auto counter =
          k->kind == ExprKind::Var ? counters_.find(k->var.get()) : counters_.end();
      if (e->op != "+" || counter == counters_.end() || rest->kind != ExprKind::Binary ||
          rest->op != "*")
        continue;
      const std::int64_t end = literalValue(counter->second).value_or(INT64_MAX);
      if (literalValue(rest->args[1]).value_or(0) >= std::max<std::int64_t>(end, 1))
        return rest->args[0];
    }
    return e;
  }

  static bool sameAt(const std::vector<Touch> &touches, std::size_t k) {
    return std::ranges::all_of(touches, [&](const Touch &t) {
      return sameExpr(t.subscripts[k], touches[0].subscripts[k]);
    });
  }

  const Constants &constants_;
  const std::set<const Var *> &varying_;
  std::set<const Var *> changing_;
  algebra::Inequalities numbers_;
  algebra::Polynomial lane_, lanes_;
  std::set<const Var *> striding_; ///< from coopIdx() by coopDim()
  std::set<const Var *> telling_;  ///< what no two lanes have one value of
  std::set<const Var *>
      leaving_; ///< of those: but for the last time that the head of their loop looks at them
  std::vector<Stride> strides_;
  std::vector<ApartLoop> apart_;
  std::map<const Var *, ExprPtr> counters_; ///< of loops: where they end
};

/// Atomic operations in any order give one of the results that they may give: where they are one
/// and the same, and nobody looks at what was there before, or where one statement makes them all.
bool inAnyOrder(const std::vector<Touch> &touches, bool loop) {
  const Touch &first = touches[0];
  bool same = first.atomic == "add" || first.atomic == "min" || first.atomic == "max";
  for (const Touch &t : touches) {
    if (t.atomic.empty())
      return false;
    same &= t.atomic == first.atomic && !t.used;
  }
  return same || loop || (touches.size() == 1 && !first.repeated());
}

} // namespace

bool isSeenByAllLanes(const Var &v) {
  return v.kind == VarKind::Shared || v.kind == VarKind::Buffer || v.type.isContainer();
}

bool areIndependent(const StmtPtr &s, const Constants &constants,
                    const std::set<const Var *> &varying) {
  std::optional<Apart> apart;
  for (const auto &[container, touches] : Survey(constants).run(s)) {
    if (std::ranges::none_of(touches, [](const Touch &t) { return t.write; }))
      continue;
    bool once = touches.size() == 1 && touches[0].atomic.empty() && !touches[0].repeated();
    if (once || inAnyOrder(touches, isLoop(*s)))
      continue;
    if (!apart)
      apart.emplace(s, constants, varying);
    if (!apart->holds(touches))
      return false;
  }
  return true;
}

} // namespace tangram::codegen
