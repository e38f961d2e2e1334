// Predictive commoning: what a round of a loop reads and the rounds before have read is carried from round to round in
// registers, a window that slides along the loop.
//
//   before: for (i < n) out[i * m + k] = in[i * m + k] + in[(i + 1) * m + k] + in[(i + 2) * m + k];
//   after:  in_0 = in[k];  in_1 = in[m + k];
//           for (i < n) {
//             in_2 = in[(i + 2) * m + k];
//             out[i * m + k] = in_0 + in_1 + in_2;
//             in_0 = in_1;  in_1 = in_2;
//           }
//
// Where all that a round does is an inner loop of as many rounds as are known when the kernel is compiled, each number
// is a row of so many, an array whose loops are unrolled: a walk through planes with some rows of each (2.5-D blocking).
// Of a plane what the one behind it has not read comes with it: the ends of a row whose neighbours are asked for.
//
// Elements are the same where subscripts differ by multiples of what a round adds to them, as sums of products: which
// holds modulo 2^32 and 2^64, whatever wraps around. What is read before the first round is what that round reads; so
// nothing is read that was not before, but elements between two that are. It takes arrays that nobody writes
// in the kernel, or, of a group's own memory, in the piece between two meetings of its items; and conditions that stay
// in all rounds.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t mostDistance = 16; ///< of two elements, in rounds
constexpr unsigned completely = 64;       ///< rounds that are unrolled

using Conditions = std::vector<ExprPtr>;

bool holdsAll(const Conditions &among, const Conditions &each) {
  return std::ranges::all_of(each, [&](const ExprPtr &one) {
    return std::ranges::any_of(among, [&](const ExprPtr &other) { return sameExpr(one, other); });
  });
}

/// An element that every round of the loops reads: array[subscript], where the conditions hold.
struct Read {
  VarPtr array;
  ExprPtr subscript; ///< without names that a round gives
  Conditions conditions;
  Polynomial base;   ///< the subscript, in the first round of both loops
  Polynomial plane;  ///< what a round of the outer loop adds
  Polynomial column; ///< and one of the inner
};

/// The reads of the elements so many planes further on than others.
struct Plane {
  std::int64_t first = 0; ///< column read for the inner loop's first round
  std::int64_t last = 0;
  ExprPtr atFirst; ///< the subscripts of these
  ExprPtr atLast;
  VarPtr held;
};

/// Elements that are carried: those of neighbouring planes, one of which a round reads first, and all others again.
struct Window {
  VarPtr array;
  Conditions conditions;
  std::vector<Plane> planes;

  /// The columns that a plane shares with the one behind it: from..., and how far past the inner loop's.
  std::int64_t sharedFirst(std::size_t plane) const {
    return std::max(planes[plane].first, planes[plane + 1].first);
  }
  std::int64_t sharedLast(std::size_t plane) const {
    return std::min(planes[plane].last, planes[plane + 1].last);
  }
};

class Carrying {
public:
  /// `isShort`: of no more rounds than are known when the kernel is compiled. Single elements are then left to its
  /// compiler, which unrolls such loops and sees the same. `leastPlanes`: of rows that are carried.
  Carrying(const LoweredPlan &plan, CountedLoop loop, bool isShort,
           const std::set<const Var *> &written, std::size_t leastPlanes)
      : plan_(plan), loop_(std::move(loop)), isShort_(isShort), leastPlanes_(leastPlanes),
        written_(written), changing_(changedIn(loop_)) {}

  /// The loop with what is before it; nothing where there is nothing to carry.
  std::optional<StmtPtr> run(const Stmt &whole) {
    if (!isFixed(loop_.step) || !isFixed(loop_.start) || !takeApart())
      return std::nullopt;
    nameless();
    visit(round_, {}, [&](const ExprPtr &e, const Conditions &conditions) {
      note(e, conditions);
      return e;
    });
    findWindows();
    const bool areFew = std::ranges::all_of(
        windows_, [&](const Window &each) { return each.planes.size() < leastPlanes_; });
    if (windows_.empty() || (columns_ && areFew))
      return std::nullopt;
    return carrying(whole);
  }

private:
  bool isFixed(const ExprPtr &e) const { return staysInRounds(plan_, e, changing_); }

  /// Whether a round is one statement after the other, or such rounds of one inner loop whose number is known.
  bool takeApart() {
    std::vector<StmtPtr> statements = withoutBlocks({loop_.body});
    round_ = loop_.body;
    const auto isLoop = [](const StmtPtr &s) { return s->kind == StmtKind::For; };
    const auto inner = std::ranges::find_if(statements, isLoop);
    if (inner != statements.end()) {
      const auto columns = loopToTheEnd(**inner);
      if (inner + 1 != statements.end() || (*inner)->lanes > 1 || !columns || !columns->isPlain() ||
          columns->i->type.scalar != Scalar::Index || !isCompileTime(plan_, columns->bound) ||
          !isCount(plan_, columns->bound) || !defaultValue(plan_, columns->bound))
        return false;
      columns_ = columns;
      width_ = *defaultValue(plan_, columns->bound);
      before_ = {statements.begin(), inner};
      round_ = columns->body;
    }
    return (columns_ || !isShort_) && width_ <= completely && isStraight(round_) &&
           std::ranges::all_of(before_, [](const StmtPtr &s) {
             return s->kind == StmtKind::Decl || s->kind == StmtKind::Comment;
           });
  }

  static bool isStraight(const StmtPtr &s) {
    bool straight = true;
    forEach(s, [&](const Stmt &each) {
      straight &= each.kind == StmtKind::Block || each.kind == StmtKind::Decl ||
                  each.kind == StmtKind::Assign || each.kind == StmtKind::If ||
                  each.kind == StmtKind::Comment || each.kind == StmtKind::Eval;
    });
    return straight;
  }

  /// Indexes that a round gives names to.
  void nameless() {
    forEach(loop_.body, [&](const Stmt &s) {
      if (s.kind != StmtKind::Decl || !s.value || s.var->type.scalar != Scalar::Index ||
          s.var == loop_.i || (columns_ && s.var == columns_->i) ||
          assigns(loop_.body, s.var.get()))
        return;
      named_[s.var.get()] = substitute(s.value, named_);
    });
  }

  // A walk through what a round reads, with the conditions that hold there; null: one that rounds change.

  using Visitor = std::function<ExprPtr(const ExprPtr &element, const Conditions &conditions)>;

  Conditions with(Conditions conditions, const ExprPtr &condition) const {
    const ExprPtr known = substitute(condition, named_);
    conditions.push_back(isFixed(known) ? known : nullptr);
    return conditions;
  }

  ExprPtr visit(const ExprPtr &e, const Conditions &conditions, const Visitor &f) const {
    std::vector<ExprPtr> args;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      Conditions known = conditions;
      if (i > 0 && e->kind == ExprKind::Select)
        known = with(conditions, i == 1 ? e->args[0] : negated(e->args[0]));
      if (i > 0 && e->kind == ExprKind::Binary && (e->op == "&&" || e->op == "||"))
        known = with(conditions, e->op == "&&" ? e->args[0] : negated(e->args[0]));
      args.push_back(visit(e->args[i], known, f));
    }
    const ExprPtr now = withArgs(e, std::move(args));
    return now->kind == ExprKind::Index ? f(now, conditions) : now;
  }

  StmtPtr visit(const StmtPtr &s, const Conditions &conditions, const Visitor &f) const {
    auto changed = std::make_shared<Stmt>(*s);
    if (s->value)
      changed->value = visit(s->value, conditions, f);
    if (s->target && s->target->kind == ExprKind::Index) {
      std::vector<ExprPtr> args = s->target->args;
      for (std::size_t i = 1; i < args.size(); ++i)
        args[i] = visit(args[i], conditions, f);
      changed->target = withArgs(s->target, std::move(args));
    }
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      if (s->children[i])
        changed->children[i] =
            visit(s->children[i],
                  s->kind == StmtKind::If ? with(conditions, i == 0 ? s->value : negated(s->value))
                                          : conditions,
                  f);
    }
    return changed;
  }

  std::optional<Read> readOf(const ExprPtr &e, const Conditions &conditions) {
    if (e->args.size() != 2 || e->args[0]->kind != ExprKind::Var)
      return std::nullopt;
    const Buffer *buffer = plan_.bufferOf(e->args[0]->var);
    if (!buffer || written_.contains(buffer->var.get()) || std::ranges::count(conditions, nullptr))
      return std::nullopt;
    const ExprPtr subscript = substitute(e->args[1], named_);
    const auto position = polynomialOf(subscript);
    const auto step = polynomialOf(loop_.step);
    if (!position || !step)
      return std::nullopt;
    const Split byPlane = splitBy(*position, planeAtom),
                byColumn = splitBy(byPlane.rest, columnAtom);
    if (!byPlane.linear || !byColumn.linear || byPlane.coefficient.mentions(columnAtom) ||
        byPlane.coefficient.isZero() || byPlane.coefficient.overflowed() ||
        byColumn.rest.overflowed() || (columns_ && byColumn.coefficient.isZero()))
      return std::nullopt;
    return Read{
        buffer->var,         subscript, conditions, byColumn.rest, byPlane.coefficient * *step,
        byColumn.coefficient};
  }

  void note(const ExprPtr &e, const Conditions &conditions) {
    if (const auto read = readOf(e, conditions))
      reads_.push_back(*read);
  }

  static constexpr Atom planeAtom = 0, columnAtom = 1;

  /// Over the counters of the loops and what stays in all rounds, in the arithmetic of indexes.
  std::optional<Polynomial> polynomialOf(const ExprPtr &e) {
    if (const auto literal = literalValue(e))
      return Polynomial(*literal);
    if (e->kind == ExprKind::Var && e->var == loop_.i)
      return Polynomial::of(planeAtom);
    if (e->kind == ExprKind::Var && columns_ && e->var == columns_->i)
      return Polynomial::of(columnAtom);
    if (isFixed(e) && (e->kind != ExprKind::Binary || e->type.scalar != Scalar::Index))
      return Polynomial::of(atomOf(e));
    if (e->kind == ExprKind::Binary && e->type.scalar == Scalar::Index &&
        (e->op == "+" || e->op == "-" || e->op == "*")) {
      const auto a = polynomialOf(e->args[0]), b = polynomialOf(e->args[1]);
      if (!a || !b)
        return std::nullopt;
      return e->op == "+" ? *a + *b : e->op == "-" ? *a - *b : *a * *b;
    }
    return isFixed(e) ? std::optional(Polynomial::of(atomOf(e))) : std::nullopt;
  }

  Atom atomOf(const ExprPtr &e) {
    const auto found =
        std::ranges::find_if(atoms_, [&](const ExprPtr &each) { return sameExpr(each, e); });
    const auto number = static_cast<Atom>(found - atoms_.begin());
    if (found == atoms_.end())
      atoms_.push_back(e);
    return number + columnAtom + 1;
  }

  /// How many planes and columns `b` is further on than `a`.
  static std::optional<std::pair<std::int64_t, std::int64_t>> distance(const Read &a,
                                                                       const Read &b) {
    std::optional<std::pair<std::int64_t, std::int64_t>> best;
    for (std::int64_t planes = -mostDistance; planes <= mostDistance; ++planes) {
      const Polynomial rest = b.base - a.base - a.plane * Polynomial(planes);
      const Polynomial columns = a.column.isZero() ? Polynomial(0) : quotient(rest, a.column);
      const auto number = columns.literal();
      if (number && std::abs(*number) <= mostDistance && columns * a.column == rest &&
          (!best || std::abs(*number) < std::abs(best->second)))
        best = std::pair(planes, *number);
    }
    return best;
  }

  /// The planes of reads that are like the first of these, by number; takes them away.
  std::map<std::int64_t, Plane> planesOf(std::vector<Read> &reads) const {
    const Read first = reads.front();
    std::map<std::int64_t, Plane> planes;
    std::erase_if(reads, [&](const Read &each) {
      if (each.array != first.array || !(each.plane == first.plane) ||
          !(each.column == first.column) || !holdsAll(each.conditions, first.conditions) ||
          !holdsAll(first.conditions, each.conditions))
        return false;
      const auto at = distance(first, each);
      if (!at)
        return false;
      const auto [number, column] = *at;
      Plane &plane =
          planes.try_emplace(number, Plane{column, column, each.subscript, each.subscript, nullptr})
              .first->second;
      if (column < plane.first) {
        plane.first = column;
        plane.atFirst = each.subscript;
      }
      if (column > plane.last) {
        plane.last = column;
        plane.atLast = each.subscript;
      }
      return true;
    });
    if (planes.empty())
      reads.erase(reads.begin());
    return planes;
  }

  void findWindows() {
    std::vector<Read> open = reads_;
    auto left = static_cast<std::int64_t>(plan_.machine->code.spareBytes);
    while (!open.empty()) {
      const Read first = open.front();
      Window window{first.array, first.conditions, {}};
      const auto planes = planesOf(open);
      for (auto each = planes.begin(); each != planes.end(); ++each) {
        const Plane &plane = each->second;
        window.planes.push_back(plane);
        if (const auto next = std::next(each); next != planes.end()) {
          const std::int64_t from = std::max(plane.first, next->second.first),
                             to = std::min(plane.last, next->second.last),
                             planesOn = next->first - each->first;
          if (from <= to && planesOn <= 2) {
            if (planesOn == 2)
              window.planes.push_back(between(plane, from, to));
            continue;
          }
        }
        const std::int64_t bytes = bytesOf(window);
        if (window.planes.size() > 1 && bytes <= left) {
          left -= bytes;
          windows_.push_back(named(window));
        }
        window.planes.clear();
      }
    }
  }

  /// The plane behind `before`, which a round reads only as another one.
  Plane between(const Plane &before, std::int64_t first, std::int64_t last) const {
    Substitution at{{loop_.i.get(), add(varRef(loop_.i), loop_.step)}};
    if (columns_)
      at[columns_->i.get()] = add(varRef(columns_->i), intLiteral(first - before.first));
    return {first, last, substitute(before.atFirst, at), nullptr, nullptr};
  }

  std::int64_t bytesOf(const Window &window) const {
    std::int64_t elements = 0;
    for (const Plane &each : window.planes)
      elements += width_ + each.last - each.first;
    return elements * static_cast<std::int64_t>(byteSize(window.array->type.scalar));
  }

  Window named(Window window) {
    for (Plane &plane : window.planes) {
      const std::string number = std::to_string(planesHeld_[window.array.get()]++);
      Var held = *newVariable(window.array->name + "_" + number, window.array->type.scalar);
      if (columns_)
        held.extent = columnsFrom(plane.last - plane.first);
      plane.held = std::make_shared<const Var>(std::move(held));
    }
    return window;
  }

  // What is made of them.

  /// The number of columns of the inner loop, and `more`.
  ExprPtr columnsFrom(std::int64_t more) const {
    return more < 0 ? sub(columns_->bound, intLiteral(-more))
                    : add(columns_->bound, intLiteral(more));
  }

  ExprPtr place(const Plane &plane, const ExprPtr &column) const {
    return columns_ ? index(varRef(plane.held), {simplify(column)}) : varRef(plane.held);
  }

  /// The element that is read where the counters are these.
  ExprPtr element(const Window &window, const ExprPtr &subscript, const ExprPtr &round,
                  const ExprPtr &column) const {
    Substitution at{{loop_.i.get(), round}};
    if (columns_)
      at[columns_->i.get()] = column;
    const ExprPtr read = index(varRef(window.array), {simplify(substitute(subscript, at))});
    if (window.conditions.empty())
      return read;
    ExprPtr condition = window.conditions[0];
    for (std::size_t i = 1; i < window.conditions.size(); ++i)
      condition = binary("&&", condition, window.conditions[i]);
    return select(condition, read, zeroOf(window.array->type.scalar));
  }

  /// For all columns below `end`, or once where there are none.
  template <typename F> StmtPtr eachColumn(const ExprPtr &end, const F &statement) const {
    if (!columns_)
      return statement(intLiteral(0));
    const VarPtr c = newVariable("c");
    return unrolledLoop(countingLoop(c, end, statement(varRef(c))), completely);
  }

  /// Before the first round: what that round does not read first.
  std::vector<StmtPtr> firstLoads(const Window &window) const {
    std::vector<StmtPtr> loads;
    for (std::size_t p = 0; p + 1 < window.planes.size(); ++p) {
      const Plane &plane = window.planes[p];
      const std::int64_t from = window.sharedFirst(p) - plane.first;
      const auto load = [&](const ExprPtr &c) {
        return element(window, plane.atFirst, loop_.start, simplify(add(c, intLiteral(from))));
      };
      if (!columns_) {
        loads.push_back(declare(plane.held, load(intLiteral(0))));
        continue;
      }
      loads.push_back(declare(plane.held, nullptr));
      loads.push_back(eachColumn(
          columnsFrom(window.sharedLast(p) - window.sharedFirst(p)), [&](const ExprPtr &c) {
            return assign(place(plane, add(c, intLiteral(from))), "=", load(c));
          }));
    }
    return loads;
  }

  /// What a round reads first: the last plane, and of others what the one behind has not.
  std::vector<StmtPtr> loads(const Window &window) const {
    std::vector<StmtPtr> all;
    const ExprPtr round = varRef(loop_.i);
    for (std::size_t p = 0; p + 1 < window.planes.size(); ++p) {
      const Plane &plane = window.planes[p];
      for (std::int64_t c = 0; c < window.sharedFirst(p) - plane.first; ++c)
        all.push_back(assign(place(plane, intLiteral(c)), "=",
                             element(window, plane.atFirst, round, intLiteral(c))));
      for (std::int64_t c = plane.last - window.sharedLast(p); c > 0; --c)
        all.push_back(assign(place(plane, columnsFrom(plane.last - plane.first - c)), "=",
                             element(window, plane.atLast, round, columnsFrom(-c))));
    }
    const Plane &last = window.planes.back();
    if (!columns_) {
      all.push_back(declare(last.held, element(window, last.atFirst, round, intLiteral(0))));
      return all;
    }
    all.push_back(declare(last.held, nullptr));
    all.push_back(eachColumn(columnsFrom(last.last - last.first), [&](const ExprPtr &c) {
      return assign(place(last, c), "=", element(window, last.atFirst, round, c));
    }));
    return all;
  }

  /// At the end of a round: each plane is the one before it.
  std::vector<StmtPtr> rotation(const Window &window) const {
    std::vector<StmtPtr> all;
    for (std::size_t p = 0; p + 1 < window.planes.size(); ++p) {
      const Plane &plane = window.planes[p], &behind = window.planes[p + 1];
      const std::int64_t first = window.sharedFirst(p);
      const auto count = columns_ ? columnsFrom(window.sharedLast(p) - first) : nullptr;
      all.push_back(eachColumn(count, [&](const ExprPtr &c) {
        return assign(place(plane, add(c, intLiteral(first - plane.first))), "=",
                      place(behind, add(c, intLiteral(first - behind.first))));
      }));
    }
    return all;
  }

  /// What is carried of an element; the element, where it is not.
  ExprPtr carried(const ExprPtr &e, Conditions conditions) {
    std::erase(conditions, nullptr);
    const auto read = readOf(e, conditions);
    if (!read)
      return e;
    for (const Window &window : windows_) {
      if (window.array != read->array || !holdsAll(conditions, window.conditions))
        continue;
      for (const Plane &plane : window.planes) {
        const auto first = readOf(index(varRef(window.array), {plane.atFirst}), conditions);
        if (!first || !(first->plane == read->plane) || !(first->column == read->column))
          continue;
        const Polynomial rest = read->base - first->base;
        for (std::int64_t c = 0; c <= plane.last - plane.first; ++c)
          if (rest == first->column * Polynomial(c))
            return place(plane, columns_ ? add(varRef(columns_->i), intLiteral(c)) : nullptr);
      }
    }
    return e;
  }

  StmtPtr carrying(const Stmt &whole) {
    StmtPtr round = visit(round_, {}, [&](const ExprPtr &e, const Conditions &conditions) {
      return carried(e, conditions);
    });
    std::vector<StmtPtr> body, all;
    for (const Window &window : windows_) {
      std::ranges::copy(firstLoads(window), std::back_inserter(all));
      std::ranges::copy(loads(window), std::back_inserter(body));
    }
    std::ranges::copy(before_, std::back_inserter(body));
    if (columns_)
      round = unrolledLoop(countingLoop(columns_->i, columns_->bound, round), completely);
    body.push_back(round);
    for (const Window &window : windows_)
      std::ranges::copy(rotation(window), std::back_inserter(body));
    std::vector<StmtPtr> children = whole.children;
    children[2] = block(withoutBlocks(body));
    all.push_back(withChildren(std::make_shared<Stmt>(whole), std::move(children)));
    const bool certain = isLiteral(loop_.start, 0) && isCount(plan_, loop_.bound);
    return certain ? block(std::move(all))
                   : ifThen(binary("<", loop_.start, loop_.bound), block(std::move(all)));
  }

  const LoweredPlan &plan_;
  CountedLoop loop_;
  bool isShort_;
  std::size_t leastPlanes_;
  const std::set<const Var *> &written_;
  std::set<const Var *> changing_;     ///< in rounds of either loop
  std::optional<CountedLoop> columns_; ///< the inner loop
  std::int64_t width_ = 1;             ///< its rounds, by default
  std::vector<StmtPtr> before_;        ///< what a round does before that
  StmtPtr round_;
  Substitution named_;
  std::vector<ExprPtr> atoms_;
  std::vector<Read> reads_;
  std::map<const Var *, int> planesHeld_; ///< of each array, all windows together
  std::vector<Window> windows_;
};

class CommonLoads {
public:
  CommonLoads(const LoweredPlan &plan, std::size_t leastPlanes)
      : plan_(plan), leastPlanes_(leastPlanes), values_(constantsOf(plan.body)) {}

  StmtPtr run(const StmtPtr &s, bool inItem = false) {
    if (!s)
      return s;
    const bool group = s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Group;
    const bool piece =
        s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Item && !inItem;
    if (group)
      inKernel_ = writtenIn(s);
    if (piece) {
      written_ = writtenIn(s);
      for (const Var *each : inKernel_)
        if (!isLocal(each))
          written_.insert(each);
    }
    const auto loop = s->kind == StmtKind::For && inItem && s->unroll == 0 && s->lanes <= 1
                          ? loopToTheEnd(*s)
                          : std::nullopt;
    if (loop && loop->i->type.scalar == Scalar::Index) {
      if (const auto carried =
              Carrying(plan_, *loop, isBounded(loop->bound), written_, leastPlanes_).run(*s))
        return *carried;
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child, inItem || piece));
    return withChildren(s, std::move(children));
  }

private:
  bool isLocal(const Var *array) const {
    return std::ranges::any_of(plan_.buffers, [&](const Buffer &each) {
      return each.var.get() == array && each.space == Space::Local;
    });
  }

  /// Whether it is at most what is known when the kernel is compiled: T of min(T, n - first).
  bool isBounded(const ExprPtr &e) const {
    if (isCompileTime(plan_, e))
      return true;
    if (e->kind == ExprKind::Cast)
      return isBounded(e->args[0]);
    if (e->kind == ExprKind::Var) {
      const auto value = values_.find(e->var.get());
      return value != values_.end() && isBounded(value->second);
    }
    if (e->kind == ExprKind::Call && e->callee == "min")
      return isBounded(e->args[0]) || isBounded(e->args[1]);
    const bool both = (e->kind == ExprKind::Call && e->callee == "max") ||
                      (e->kind == ExprKind::Binary && (e->op == "+" || e->op == "*"));
    if (both)
      return isBounded(e->args[0]) && isBounded(e->args[1]);
    return e->kind == ExprKind::Binary && (e->op == "-" || e->op == "/") && isBounded(e->args[0]);
  }

  const LoweredPlan &plan_;
  std::size_t leastPlanes_;
  std::map<const Var *, ExprPtr> values_; ///< of constants
  std::set<const Var *> inKernel_;        ///< arrays that are written in it
  std::set<const Var *> written_;         ///< so that nothing of them is carried
};

} // namespace

LoweredPlan commonLoads(LoweredPlan plan, std::size_t leastPlanes) {
  if (plan.machine)
    plan.body = CommonLoads(plan, leastPlanes).run(plan.body);
  return plan;
}

} // namespace tangram::codegen
