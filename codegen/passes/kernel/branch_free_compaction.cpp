// Branch-free compaction: a loop that appends the elements which it wants has a branch that no processor predicts. A block
// of rounds writes every element into a small array of the worker, over the last one that was not wanted, and the array is
// appended.
//
//   before: for (i < n) if (wanted(in[i]) && at < room) { out[at] = in[i]; at += 1; }
//   after:  for (first < n; first += 512) {
//             T found[512]; number = 0;
//             for (i < min(512, n - first)) { found[number] = in[first + i]; number += wanted(in[first + i]) ? 1 : 0; }
//             copied = at < room ? min(number, room - at) : 0;
//             for (k < copied) out[at + k] = found[k];
//             at += copied;
//           }
//
// Where items step together (a GPU) a branch costs no more than this.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t rounds = 512; ///< what is found stays in the nearest cache

/// Statements that are not blocks, in order.
void flatten(const StmtPtr &s, std::vector<StmtPtr> &into) {
  if (!s || s->kind == StmtKind::Comment)
    return;
  if (s->kind != StmtKind::Block) {
    into.push_back(s);
    return;
  }
  for (const StmtPtr &child : s->children)
    flatten(child, into);
}

/// A loop that appends.
class Append {
public:
  static std::optional<StmtPtr> inBlocks(const Stmt &loop) {
    Append append;
    if (!append.isOf(loop) || !append.isFree())
      return std::nullopt;
    return append.blocks();
  }

private:
  bool isOf(const Stmt &loop) {
    i_ = counterOf(loop);
    if (!i_ || i_->type.scalar != Scalar::Index)
      return false;
    bound_ = loop.value->args[1];
    flatten(loop.children[2], constants_);
    if (constants_.empty())
      return false;
    const StmtPtr branch = constants_.back();
    constants_.pop_back();
    std::vector<StmtPtr> then;
    if (branch->kind != StmtKind::If || (branch->children.size() > 1 && branch->children[1]))
      return false;
    flatten(branch->children[0], then);
    return std::ranges::all_of(constants_,
                               [](const StmtPtr &s) {
                                 return s->kind == StmtKind::Decl && s->value && !s->var->extent;
                               }) &&
           then.size() == 2 && isWrite(*then[0]) && isStep(*then[1]) && isPlace() &&
           isCondition(branch->value);
  }

  bool isWrite(const Stmt &s) {
    if (s.kind != StmtKind::Assign || s.op != "=" || s.target->kind != ExprKind::Index ||
        s.target->args.size() != 2 || s.target->args[0]->kind != ExprKind::Var)
      return false;
    array_ = s.target->args[0]->var;
    subscript_ = s.target->args[1];
    value_ = s.value;
    return true;
  }

  bool isStep(const Stmt &s) {
    if (s.kind != StmtKind::Assign || s.op != "+=" || s.target->kind != ExprKind::Var ||
        !isLiteral(s.value, 1))
      return false;
    at_ = s.target->var;
    const Scalar type = at_->type.scalar;
    return at_->kind == VarKind::Local && (type == Scalar::Index || type == Scalar::U32);
  }

  /// Elements that are appended lie side by side: the subscript is something plus `at`.
  bool isPlace() {
    const ExprPtr own =
        at_->type.scalar == Scalar::Index ? varRef(at_) : cast(Scalar::Index, varRef(at_));
    base_ = difference(subscript_, own);
    return base_ && !mentions(base_, at_.get());
  }

  /// What is wanted, and last of all, perhaps, whether there is room.
  bool isCondition(const ExprPtr &e) {
    auto isRoom = [&](const ExprPtr &each) {
      return each->kind == ExprKind::Binary && each->op == "<" &&
             each->args[0]->kind == ExprKind::Var && each->args[0]->var == at_;
    };
    wanted_ = e;
    if (e->kind == ExprKind::Binary && e->op == "&&" && isRoom(e->args[1])) {
      wanted_ = e->args[0];
      room_ = e->args[1]->args[1];
    }
    return !isRoom(wanted_);
  }

  /// Nothing depends on what is appended; what only wanted elements were asked for can be asked for
  /// all of them.
  bool isFree() const {
    std::set<const Var *> own{i_.get()};
    std::vector<ExprPtr> asked{wanted_};
    for (const StmtPtr &each : constants_) {
      own.insert(each->var.get());
      asked.push_back(each->value);
    }
    auto isFixed = [&](const ExprPtr &e) {
      return !e || !contains(e, [&](const Expr &each) {
        return own.contains(each.var.get()) || each.kind == ExprKind::Atomic;
      });
    };
    bool free = isFixed(bound_) && isFixed(base_) && isFixed(room_);
    for (const ExprPtr &e : {bound_, base_, room_})
      free &= !e || !(mentions(e, array_.get()) || mentions(e, at_.get()));
    for (const ExprPtr &e : asked)
      free &= !mentions(e, array_.get()) && !mentions(e, at_.get()) && !hasAtomic(e);
    return free && !mentions(value_, array_.get()) && !mentions(value_, at_.get()) &&
           isSafe(value_, asked);
  }

  static bool hasAtomic(const ExprPtr &e) {
    return contains(e, [](const Expr &each) { return each.kind == ExprKind::Atomic; });
  }

  /// Whether it can be computed for elements that are not wanted: it reads what is read anyway and
  /// divides by nothing.
  static bool isSafe(const ExprPtr &value, const std::vector<ExprPtr> &asked) {
    return !contains(value, [&](const Expr &each) {
      if (each.kind == ExprKind::Index)
        return std::ranges::none_of(asked, [&](const ExprPtr &e) { return isAlwaysRead(each, e); });
      return each.kind == ExprKind::Atomic || each.kind == ExprKind::Call || each.op == "/" ||
             each.op == "%";
    });
  }

  static bool isAlwaysRead(const Expr &element, const ExprPtr &in) {
    if (in->kind == ExprKind::Select || in->op == "&&" || in->op == "||")
      return isAlwaysRead(element, in->args[0]);
    if (sameExpr(std::make_shared<Expr>(element), in))
      return true;
    return std::ranges::any_of(in->args,
                               [&](const ExprPtr &each) { return isAlwaysRead(element, each); });
  }

  StmtPtr blocks() const {
    const VarPtr first = newVariable("first");
    const VarPtr count = newVariable("number");
    auto found = std::make_shared<Var>(*newVariable("found"));
    found->type = array_->type;
    found->extent = intLiteral(rounds);
    const VarPtr i = newVariable(i_->name);
    const VarPtr copied = newVariable("copied");
    const VarPtr k = newVariable("k");
    auto at = [&](const ExprPtr &own) {
      return substitute(own, {{i_.get(), add(varRef(first), varRef(i))}});
    };
    std::vector<StmtPtr> round;
    for (const StmtPtr &each : constants_)
      round.push_back(declare(each->var, at(each->value), each->location));
    round.push_back(assign(index(varRef(found), {varRef(count)}), "=", at(value_)));
    round.push_back(assign(varRef(count), "+=", select(at(wanted_), intLiteral(1), intLiteral(0))));
    ExprPtr all = varRef(count);
    const ExprPtr before =
        at_->type.scalar == Scalar::Index ? varRef(at_) : cast(Scalar::Index, varRef(at_));
    if (room_)
      all = select(binary("<", varRef(at_), room_), minOf(all, binary("-", room_, varRef(at_))),
                   intLiteral(0));
    const ExprPtr step =
        at_->type.scalar == Scalar::Index ? varRef(copied) : cast(at_->type.scalar, varRef(copied));
    const ExprPtr target = index(varRef(array_), {add(add(base_, before), varRef(k))});
    const ExprPtr left = minOf(intLiteral(rounds), binary("-", bound_, varRef(first)));
    return forLoop(
        declare(first, intLiteral(0)), binary("<", varRef(first), bound_),
        assign(varRef(first), "+=", intLiteral(rounds)),
        block({declare(found, nullptr), declare(count, intLiteral(0)),
               countingLoop(i, left, block(std::move(round))), declare(copied, all),
               countingLoop(k, varRef(copied),
                            block({assign(target, "=", index(varRef(found), {varRef(k)}))})),
               assign(varRef(at_), "+=", step)}));
  }

  VarPtr i_;
  ExprPtr bound_;
  std::vector<StmtPtr> constants_; ///< what a round declares
  ExprPtr wanted_;
  ExprPtr room_; ///< `at` stays below it; null: it need not
  VarPtr array_;
  ExprPtr subscript_;
  ExprPtr base_; ///< the subscript without `at`
  ExprPtr value_;
  VarPtr at_;
};

} // namespace

LoweredPlan compactWithoutBranches(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::For)
      return s;
    return Append::inBlocks(*s).value_or(s);
  });
  return plan;
}

} // namespace tangram::codegen
