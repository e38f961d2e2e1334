#include "codegen/kernel/contraction.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

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
      body(codelet.body);
  }

private:
  void function(const std::string &name) {
    const auto found = std::ranges::find(program_.functions, name, &Function::name);
    if (found != program_.functions.end() && known_.insert(&*found).second)
      body(found->body);
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
      decisions |= comparesFloats(e);
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
      decisions |= !isFloating(e->type.scalar) && isFloat(e->args[0]);
      break;
    case ExprKind::Unary:
      decisions |= e->op == "!" && isFloat(e->args[0]);
      break;
    case ExprKind::Call:
      decisions |= isFloat(e) && jumps(e->callee);
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

  const Program &program_;
  std::set<const void *> known_;
};

} // namespace

bool mayContract(const Program &program, const std::string &spectrum) {
  Survey survey(program);
  survey.spectrum(spectrum);
  return !(survey.products && survey.sums && survey.decisions);
}

} // namespace tangram::codegen
