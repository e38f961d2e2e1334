// Unroll-and-jam: workers that one thread runs one after the other advance together through a loop that each of them has.
// Chains have the loads of all of them in flight, and lanes become a vector.
//
//   before: parallel w { A; for (i < n_w) B; C }
//   after:  parallel w A;  for (i < min n_w) parallel w B;  parallel w { the rest of B; C }
//
// The least number of rounds is the first worker's or the last one's where the number only falls or only grows with the
// worker's (Trends). Where workers deal out elements in turns, for (i = w; i < n; i += N), all have n / N rounds, and some
// have one more. Lanes whose rounds go through neighbouring elements stay: each of these loops is one of vectors already.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "ir/assigned_variables.h"
#include "ir/expression_length.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// How an expression moves as the worker's number grows.
enum class Trend { Same, Up, Down, Unknown };

Trend join(Trend a, Trend b) {
  if (a == Trend::Same)
    return b;
  if (b == Trend::Same || a == b)
    return a;
  return Trend::Unknown;
}

Trend flip(Trend t) {
  if (t == Trend::Up)
    return Trend::Down;
  return t == Trend::Down ? Trend::Up : t;
}

class Trends {
public:
  explicit Trends(const Var *worker) : worker_(worker) {}

  Trend of(const ExprPtr &e) const {
    if (!contains(e, [&](const Expr &each) { return each.var.get() == worker_; }))
      return Trend::Same;
    if (e->kind == ExprKind::Var)
      return Trend::Up;
    if (e->kind == ExprKind::Call && (e->callee == "min" || e->callee == "max"))
      return join(of(e->args[0]), of(e->args[1]));
    if (e->kind != ExprKind::Binary || e->type.scalar != Scalar::Index)
      return Trend::Unknown;
    if (e->op == "+")
      return join(of(e->args[0]), of(e->args[1]));
    if (e->op == "-")
      return difference(e->args[0], e->args[1]);
    if (e->op == "*" || e->op == "/") {
      Trend right = of(e->args[1]);
      return right == Trend::Same ? of(e->args[0])
                                  : (e->op == "*" ? join(of(e->args[0]), right) : Trend::Unknown);
    }
    return Trend::Unknown;
  }

private:
  /// a - b, where what both contain cancels: max(x, b) - b, min(b + n, x) - b, (b + n) - b.
  Trend difference(const ExprPtr &a, const ExprPtr &b) const {
    if (sameExpr(a, b))
      return Trend::Same;
    if (a->kind == ExprKind::Call && (a->callee == "min" || a->callee == "max"))
      return join(difference(a->args[0], b), difference(a->args[1], b));
    if (a->kind == ExprKind::Binary && a->op == "+") {
      if (sameExpr(a->args[0], b))
        return of(a->args[1]);
      if (sameExpr(a->args[1], b))
        return of(a->args[0]);
    }
    return join(of(a), flip(of(b)));
  }

  const Var *worker_;
};

bool wanted(const LoweredPlan &plan, const Stmt &s, Role role) {
  return s.kind == StmtKind::Parallel && s.span == Span::All && plan.role(s.level) == role;
}

/// Variables that more than one piece of the workers names, or somebody else as well; and which of
/// all variables each worker has one of.
class SharedVariables {
public:
  SharedVariables(const LoweredPlan &plan, Role role) : plan_(plan), role_(role) {
    walk(plan.body, nullptr);
  }

  bool contains(const Var *variable) const { return shared_.contains(variable); }

  /// Whether `e` goes by what each worker has for itself, in an earlier piece, too.
  bool mayDiffer(const ExprPtr &e) const {
    return tangram::ir::contains(e,
                                 [&](const Expr &each) { return own_.contains(each.var.get()); });
  }

private:
  void walk(const StmtPtr &s, const Stmt *piece) {
    if (!s)
      return;
    if (wanted(plan_, *s, role_))
      piece = s.get();
    if (s->kind == StmtKind::Decl) {
      note(s->var.get(), piece);
      if (piece)
        own_.insert(s->var.get());
    }
    forEachOwnExpr(*s, [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        if (each.var)
          note(each.var.get(), piece);
      });
    });
    for (const StmtPtr &child : s->children)
      walk(child, piece);
  }

  void note(const Var *variable, const Stmt *piece) {
    const auto [known, isNew] = pieceOf_.emplace(variable, piece);
    if (!isNew && known->second != piece)
      shared_.insert(variable);
  }

  const LoweredPlan &plan_;
  Role role_;
  std::map<const Var *, const Stmt *> pieceOf_;
  std::set<const Var *> shared_;
  std::set<const Var *> own_;
};

class Jam {
public:
  Jam(const LoweredPlan &plan, const SharedVariables &shared, StmtPtr piece)
      : plan_(plan), shared_(shared), piece_(std::move(piece)) {}

  /// The statements that replace the piece, or nothing when it stays as it is.
  std::optional<std::vector<StmtPtr>> run() {
    if (!piece_->var || piece_->children[0]->kind != StmtKind::Block || hasOwnArrays())
      return std::nullopt;
    split();
    if (!loop_ || hasChains(piece_->children[0]) != hasChains(loop_->body) || !inlineConstants() ||
        (ofVectors_ ? !isOfVectors() : hasRoundsOfNeighbours()))
      return std::nullopt;
    if (!loop_->isPlain())
      return strided();
    ExprPtr common = commonBound();
    if (!common)
      return std::nullopt;
    std::vector<StmtPtr> result;
    startWith(before_, result);
    bool even = sameExpr(common, loop_->bound);
    VarPtr all = newVariable(plan_.role(piece_->level) == Role::Item ? "all_have" : "common");
    if (!even) {
      result.push_back(declare(all, common));
      common = varRef(all);
    }
    result.push_back(countingLoop(loop_->i, common, inner(loop_->body)));
    std::vector<StmtPtr> rest;
    if (!even) {
      VarPtr i = newVariable(loop_->i->name);
      const StmtPtr element =
          withOwnVariables(substitute(loop_->body, {{loop_->i.get(), varRef(i)}}));
      rest.push_back(unrolledLoop(countingLoop(i, loop_->bound, element, common), 1));
    }
    rest.insert(rest.end(), after_.begin(), after_.end());
    if (!rest.empty())
      result.push_back(piece(rest));
    return result;
  }

private:
  /// for (i = w; i < bound; i += n_w): in each round but the last one all workers take part, side
  /// by side; in that one those that have an element left.
  std::optional<std::vector<StmtPtr>> strided() const {
    const VarPtr &worker = piece_->var;
    const ExprPtr &workers = piece_->value;
    const bool deals = loop_->start->kind == ExprKind::Var && loop_->start->var == worker &&
                       sameExpr(loop_->step, workers);
    if (!deals || Trends(worker.get()).of(loop_->bound) != Trend::Same)
      return std::nullopt;
    std::vector<StmtPtr> result;
    startWith(before_, result);
    const VarPtr full = newVariable("full_rounds");
    result.push_back(declare(full, binary("/", loop_->bound, workers)));
    const VarPtr round = newVariable("round");
    const StmtPtr element = substitute(
        loop_->body, {{loop_->i.get(), add(mul(varRef(round), workers), varRef(worker))}});
    result.push_back(countingLoop(round, varRef(full), inner(element)));
    const VarPtr i = newVariable(loop_->i->name);
    std::vector<StmtPtr> last{
        declare(i, add(mul(varRef(full), workers), varRef(worker))),
        ifThen(binary("<", varRef(i), loop_->bound),
               withOwnVariables(substitute(loop_->body, {{loop_->i.get(), varRef(i)}})))};
    last.insert(last.end(), after_.begin(), after_.end());
    if (plan_.role(piece_->level) != Role::Item || sharesWhatComesAfter()) {
      result.push_back(piece(last));
      return result;
    }
    // Where nothing is left, loads whose lanes are all masked would still take long if no memory is
    // there.
    result.push_back(ifThen(binary("<", mul(varRef(full), workers), loop_->bound),
                            block({piece(last)}),
                            after_.empty() ? nullptr : block({withOwnVariables(piece(after_))})));
    return result;
  }

  /// Whether another piece names a variable that is declared behind the loop.
  bool sharesWhatComesAfter() const {
    return std::ranges::any_of(after_, [&](const StmtPtr &s) {
      return s->kind == StmtKind::Decl && shared_.contains(s->var.get());
    });
  }

  /// The workers' part of a round. A loop of lanes in it is jammed as well where each of its rounds
  /// is a vector.
  StmtPtr inner(const StmtPtr &body) const {
    const StmtPtr one = piece({body});
    if (plan_.role(piece_->level) != Role::Item)
      return block({one});
    Jam jam(plan_, shared_,
            withChildren(one, {body->kind == StmtKind::Block ? body : block({body})}));
    jam.ofVectors_ = true;
    auto jammed = jam.run();
    return block(jammed ? *jammed : std::vector{one});
  }

  /// Whether all workers turn equally often, and access the same element or neighbours' in a turn.
  bool isOfVectors() const {
    if (Trends(piece_->var.get()).of(loop_->bound) != Trend::Same || !loop_->isPlain())
      return false;
    bool fits = true;
    forEach(loop_->body, [&](const Stmt &s) { fits &= !isLoop(s); });
    forEachExpr(loop_->body, [&](const Expr &e) {
      if (e.kind == ExprKind::Index)
        fits &= isOfNeighbours(e.args[1]);
    });
    return fits;
  }

  /// Whether neighbours access the same element or neighbouring ones, taking clamped subscripts as
  /// they are inside: rounds at edges are apart (index_set_splitting.cpp).
  bool isOfNeighbours(const ExprPtr &subscript) const {
    const Trends trends(piece_->var.get());
    const ExprPtr position = rewrite(subscript, [&](const ExprPtr &e) {
      const bool clamps = e->kind == ExprKind::Call && (e->callee == "min" || e->callee == "max");
      for (const std::size_t at : {0, 1}) {
        if (clamps && trends.of(e->args[at]) == Trend::Same &&
            trends.of(e->args[1 - at]) != Trend::Same)
          return e->args[1 - at];
      }
      return e;
    });
    const ExprPtr stride = strideOf(position, piece_->var);
    return isLiteral(stride, 0) || isLiteral(stride, 1);
  }

  /// How far `position` moves from one value of `number` to the next.
  ExprPtr strideOf(const ExprPtr &position, const VarPtr &number) const {
    const ExprPtr next =
        substitute(position, {{number.get(), add(varRef(number), intLiteral(1, Scalar::Index))}});
    return simplify(sub(next, position), {.proofs = plan_.proofs});
  }

  /// Whether a worker's rounds are vectors and its neighbours' are not: none needs what another has
  /// made, and what is next to an element is the next round's. Compilers make vectors of such
  /// rounds, while workers side by side would have to gather and scatter them.
  bool hasRoundsOfNeighbours() const {
    if (!plan_.target->itemsAreLoops || !loop_->isPlain() || hasCarriedValues())
      return false;
    bool someApart = false;
    bool fits = true;
    forEachExpr(loop_->body, [&](const Expr &e) {
      if (e.kind != ExprKind::Index)
        return;
      const ExprPtr stride = strideOf(e.args[1], loop_->i);
      const bool next = isLiteral(stride, 1);
      const bool neighbours = isOfNeighbours(e.args[1]);
      fits &= next || isLiteral(stride, 0) || !neighbours;
      someApart |= next && !neighbours;
    });
    return fits && someApart;
  }

  /// Whether a round may need what an earlier one has made, in a variable or an element, or has
  /// rounds of its own.
  bool hasCarriedValues() const {
    std::set<const Var *> own;
    std::vector<ExprPtr> written;
    bool carried = false;
    forEach(loop_->body, [&](const Stmt &s) {
      carried |= isLoop(s) || s.kind == StmtKind::Parallel;
      if (s.kind == StmtKind::Decl)
        own.insert(s.var.get());
      if (s.kind != StmtKind::Assign)
        return;
      if (s.target->kind == ExprKind::Index) {
        written.push_back(s.target);
        carried |= isLiteral(strideOf(s.target->args[1], loop_->i), 0);
      } else {
        carried |= !own.contains(s.target->var.get());
      }
    });
    forEachExpr(loop_->body, [&](const Expr &e) {
      carried |= e.kind == ExprKind::Atomic;
      carried |=
          e.kind == ExprKind::Index && std::ranges::any_of(written, [&](const ExprPtr &place) {
            return sameExpr(place->args[0], e.args[0]) && !sameExpr(place->args[1], e.args[1]);
          });
    });
    return carried;
  }

  void startWith(const std::vector<StmtPtr> &before, std::vector<StmtPtr> &result) const {
    bool onlyComments = std::all_of(before.begin(), before.end(),
                                    [](const StmtPtr &s) { return s->kind == StmtKind::Comment; });
    if (onlyComments)
      result = before;
    else
      result.push_back(piece(before));
  }

  /// Arrays of the worker's own would stay in memory, but for those with an element a chain; and
  /// workers of other levels meet.
  bool hasOwnArrays() const {
    std::vector<ExprPtr> chains;
    bool others = false;
    forEach(piece_->children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Parallel)
        return;
      if (s.span == Span::All && plan_.role(s.level) == Role::Unroll &&
          plan_.role(piece_->level) == Role::Item)
        chains.push_back(s.value);
      else
        others = true;
    });
    forEach(piece_->children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl && s.var->extent)
        others |= std::ranges::none_of(
            chains, [&](const ExprPtr &each) { return sameExpr(each, s.var->extent); });
    });
    return others;
  }

  static bool hasChains(const StmtPtr &s) {
    bool found = false;
    forEach(s, [&](const Stmt &each) { found |= each.kind == StmtKind::Parallel; });
    return found;
  }

  void split() {
    for (const StmtPtr &s : piece_->children[0]->children) {
      if (!loop_ && (loop_ = loopToTheEnd(*s)))
        continue;
      (loop_ ? after_ : before_).push_back(s);
    }
  }

  /// Constants that follow from the worker's number alone move to where they are used, but for those that stand for more than
  /// a person writes.
  bool inlineConstants() {
    const std::set<const Var *> assigned = assignedIn(piece_);
    Substitution constants;
    std::vector<StmtPtr> declarations; ///< of the constants
    std::set<const Var *> declared;
    std::vector<StmtPtr> kept;
    for (const StmtPtr &s : before_) {
      bool constant = s->kind == StmtKind::Decl && s->value && !s->var->extent &&
                      !assigned.contains(s->var.get()) && !shared_.contains(s->var.get()) &&
                      isInteger(s->var->type.scalar) && !contains(s->value, [&](const Expr &e) {
                        return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic ||
                               declared.contains(e.var.get()) || assigned.contains(e.var.get());
                      });
      const ExprPtr value = constant ? substitute(s->value, constants) : nullptr;
      if (constant && !isLongerThan(value, mostNodesOfMeaning)) {
        constants[s->var.get()] = value;
        declarations.push_back(s);
        continue;
      }
      if (s->kind == StmtKind::Decl)
        declared.insert(s->var.get());
      kept.push_back(s);
    }
    before_ = kept;
    giveConstantsTo(before_, declarations);
    loop_->start = substitute(loop_->start, constants);
    loop_->step = substitute(loop_->step, constants);
    loop_->bound = simplify(substitute(loop_->bound, constants), {.proofs = plan_.proofs});
    loop_->body = simplify(substitute(loop_->body, constants), {.proofs = plan_.proofs});
    giveConstantsTo(after_, declarations);
    return !shared_.mayDiffer(loop_->bound) &&
           !contains(loop_->bound, [&](const Expr &e) { return assigned.contains(e.var.get()); });
  }

  /// The constants that the statements mention: those mentioned once in their place, others
  /// declared in front.
  void giveConstantsTo(std::vector<StmtPtr> &statements,
                       const std::vector<StmtPtr> &declarations) const {
    for (const StmtPtr &declaration : std::views::reverse(declarations)) {
      const StmtPtr all = block(statements);
      const std::size_t mentions = countOf(all, *declaration->var);
      if (mentions > 1) {
        statements.insert(statements.begin(), declaration);
      } else if (mentions == 1) {
        for (StmtPtr &s : statements)
          s = simplify(substitute(s, {{declaration->var.get(), declaration->value}}),
                       {.proofs = plan_.proofs});
      }
    }
  }

  static std::size_t countOf(const StmtPtr &s, const Var &variable) {
    std::size_t count = 0;
    forEachExpr(s, [&](const Expr &e) { count += e.var.get() == &variable ? 1 : 0; });
    return count;
  }

  /// The trip count every worker reaches.
  ExprPtr commonBound() const {
    switch (Trends(piece_->var.get()).of(loop_->bound)) {
    case Trend::Same:
      return loop_->bound;
    case Trend::Up:
      return at(intLiteral(0));
    case Trend::Down:
      return at(sub(piece_->value, intLiteral(1)));
    case Trend::Unknown:
      break;
    }
    return nullptr;
  }

  ExprPtr at(const ExprPtr &worker) const {
    return simplify(substitute(loop_->bound, {{piece_->var.get(), worker}}),
                    {.proofs = plan_.proofs});
  }

  StmtPtr piece(std::vector<StmtPtr> body) const {
    return withChildren(piece_, {block(std::move(body))});
  }

  const LoweredPlan &plan_;
  const SharedVariables &shared_;
  StmtPtr piece_;
  bool ofVectors_ = false; ///< only where each turn is a vector
  std::vector<StmtPtr> before_;
  std::optional<CountedLoop> loop_;
  std::vector<StmtPtr> after_;
};

} // namespace

LoweredPlan unrollAndJam(LoweredPlan plan, Role role) {
  const SharedVariables shared(plan, role);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Block)
      return s;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children) {
      auto jammed = wanted(plan, *child, role) ? Jam(plan, shared, child).run() : std::nullopt;
      if (jammed)
        children.insert(children.end(), jammed->begin(), jammed->end());
      else
        children.push_back(child);
    }
    return withChildren(s, std::move(children));
  });
  return plan;
}

} // namespace tangram::codegen
