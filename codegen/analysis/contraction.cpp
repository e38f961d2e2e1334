#include "codegen/analysis/contraction.h"

#include "codegen/form/building.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

bool isFloat(const ExprPtr &e) { return e->type.rank == 0 && isFloating(e->type.scalar); }

/// What all that a spectrum calls does with floating-point numbers.
class Survey {
public:
  explicit Survey(const Program &program) : program_(program) {}

  bool products = false;
  bool sums = false;
  bool decisions = false;

  void spectrum(const std::string &name) {
    const Spectrum *found = program_.spectrum(name);
    if (!found || !known_.insert(found).second)
      return;
    for (const Codelet &codelet : found->codelets)
      all(codelet.body);
  }

private:
  void function(const std::string &name) {
    const auto found = std::ranges::find(program_.functions, name, &Function::name);
    if (found != program_.functions.end() && known_.insert(&*found).second)
      all(found->body);
  }

  void all(const StmtPtr &s) {
    const auto outer = std::exchange(constants_, constantsOf(s));
    body(s);
    constants_ = outer;
  }

  void body(const StmtPtr &s) {
    if (!s)
      return;
    if (s->kind == StmtKind::Assign && isFloat(s->target))
      arithmetic(s->op.withoutAssignment());
    const bool chooses = s->kind == StmtKind::If && assignsCompared(*s);
    forEachOwnExpr(*s, [&](const ExprPtr &e) {
      if (chooses && e == s->value)
        operandsOf(e);
      else
        expression(e);
    });
    for (const StmtPtr &child : s->children)
      body(child);
  }

  void arithmetic(Operator op) {
    products |= op == "*";
    sums |= op == "+" || op == "-";
  }

  void operandsOf(const ExprPtr &e) {
    for (const ExprPtr &each : e->args)
      expression(each);
  }

  void expression(const ExprPtr &e) {
    switch (e->kind) {
    case ExprKind::Binary:
      if (isFloat(e))
        arithmetic(e->op);
      decisions |= comparesFloats(e) && !(isKept(e->args[0]) && isKept(e->args[1]));
      break;
    case ExprKind::Select:
      if (choosesCompared(e->args[0], e->args[1], e->args[2])) {
        operandsOf(e->args[0]);
        expression(e->args[1]);
        expression(e->args[2]);
        return;
      }
      break;
    case ExprKind::Cast:
      decisions |= !isFloating(e->type.scalar) && isFloat(e->args[0]) && !isKept(e->args[0]);
      break;
    case ExprKind::Unary:
      decisions |= e->op == "!" && isFloat(e->args[0]) && !isKept(e->args[0]);
      break;
    case ExprKind::Call:
      decisions |= isFloat(e) && jumps(e->callee) &&
                   !std::ranges::all_of(e->args, [&](const ExprPtr &each) { return isKept(each); });
      function(e->callee);
      break;
    case ExprKind::SpectrumCall:
    case ExprKind::Map:
      spectrum(e->callee);
      break;
    default:
      break;
    }
    operandsOf(e);
  }

  static bool comparesFloats(const ExprPtr &e) {
    return e->kind == ExprKind::Binary && e->op.isComparison() &&
           (isFloat(e->args[0]) || isFloat(e->args[1]));
  }

  /// a < b ? a : b, with any comparison.
  static bool choosesCompared(const ExprPtr &condition, const ExprPtr &a, const ExprPtr &b) {
    if (!comparesFloats(condition))
      return false;
    const ExprPtr &left = condition->args[0];
    const ExprPtr &right = condition->args[1];
    return (sameExpr(left, a) && sameExpr(right, b)) || (sameExpr(left, b) && sameExpr(right, a));
  }

  /// if (a < b) b = a;
  static bool assignsCompared(const Stmt &s) {
    if (s.children.size() > 1 && s.children[1])
      return false;
    StmtPtr only = s.children[0];
    while (only && only->kind == StmtKind::Block && only->children.size() == 1)
      only = only->children[0];
    return only && only->kind == StmtKind::Assign && only->op == "=" && s.value &&
           choosesCompared(s.value, only->target, only->value);
  }

  /// Functions whose value jumps where their argument crosses some number.
  static bool jumps(const std::string &function) {
    static constexpr std::array<std::string_view, 6> names{"floor", "ceil",  "round",
                                                           "rint",  "trunc", "fmod"};
    return std::ranges::find(names, function) != names.end();
  }

  /// Whether it is the same however others are rounded: made of integers and numbers that stand there, no product going
  /// into a sum.
  bool isKept(const ExprPtr &e) {
    if (!isFloating(e->type.scalar) || e->kind == ExprKind::Literal)
      return true;
    if (e->kind == ExprKind::Var) {
      const auto made = constants_.find(e->var.get());
      if (made == constants_.end())
        return false;
      if (kept_.try_emplace(e->var.get(), false).second)
        kept_[e->var.get()] = isKept(made->second);
      return kept_[e->var.get()];
    }
    const bool adds = e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-");
    const bool isMade = adds || e->kind == ExprKind::Cast ||
                        (e->kind == ExprKind::Unary && e->op == "-") ||
                        (e->kind == ExprKind::Binary && (e->op == "*" || e->op == "/"));
    return isMade && std::ranges::all_of(e->args, [&](const ExprPtr &each) {
             return isKept(each) && !(adds && isProduct(each));
           });
  }

  bool isProduct(const ExprPtr &e) const {
    if (e->kind == ExprKind::Var) {
      const auto made = constants_.find(e->var.get());
      return made != constants_.end() && isProduct(made->second);
    }
    if (e->kind == ExprKind::Cast || e->kind == ExprKind::Unary)
      return isProduct(e->args[0]);
    return e->kind == ExprKind::Binary && e->op == "*";
  }

  const Program &program_;
  std::set<const void *> known_;
  std::map<const Var *, ExprPtr> constants_; ///< of what is looked at
  std::map<const Var *, bool> kept_;         ///< of those that were asked about
};

} // namespace

Contraction contractionOf(const Program &program, const std::string &spectrum) {
  Survey survey(program);
  survey.spectrum(spectrum);
  if (!survey.products || !survey.sums)
    return Contraction::Nothing;
  return survey.decisions ? Contraction::Refused : Contraction::Allowed;
}

} // namespace tangram::codegen
