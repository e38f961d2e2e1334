#include "composer/analysis/index_variables_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace tangram::composer {

namespace {

using VarSet = std::set<const ir::Var *>;

constexpr std::int64_t largestLiteral = 0x7fffffff;
constexpr std::int64_t largestFactor = 0xffff;

bool isWordInteger(ir::Scalar s) {
  return s == ir::Scalar::I32 || s == ir::Scalar::U32 || s == ir::Scalar::I64 ||
         s == ir::Scalar::U64 || s == ir::Scalar::Index;
}

bool isOneOf(ir::Operator op, std::initializer_list<ir::Operator> ops) {
  return std::any_of(ops.begin(), ops.end(), [&](ir::Operator each) { return op == each; });
}

bool isLargeFactor(const ir::ExprPtr &e) {
  if (e->kind == ir::ExprKind::Cast)
    return isLargeFactor(e->args[0]);
  auto value = ir::literalValue(e);
  return value && (*value > largestFactor || *value < -largestFactor);
}

/// How large a number may be where containers have a hundred elements, about.
double sizeOfSmall(const ir::ExprPtr &e) {
  if (e->kind == ir::ExprKind::Literal)
    return std::fabs(static_cast<double>(e->integer));
  if (e->kind != ir::ExprKind::Binary && e->kind != ir::ExprKind::Cast)
    return 100;
  const double a = sizeOfSmall(e->args[0]);
  if (e->kind == ir::ExprKind::Cast || e->op == "/" || e->op == "%" || e->op == ">>")
    return a;
  const double b = sizeOfSmall(e->args[1]);
  return e->op == "*" ? a * b : e->op == "<<" ? a * std::exp2(std::min(b, 64.0)) : a + b;
}

/// Whether it is beyond 32 bits for containers that are small, as numbers are that count on it.
bool wrapsWhereSmall(const ir::Expr &e) {
  const bool grows = e.kind == ir::ExprKind::Binary && (e.op == "*" || e.op == "<<");
  return grows && e.type.scalar != ir::Scalar::Index && ir::byteSize(e.type.scalar) == 4 &&
         sizeOfSmall(std::make_shared<ir::Expr>(e)) > 0x1p32;
}

/// (i - 1u) / 2 and its kin, in 32 bits without a sign: what it is where i falls below 1 depends on the width.
bool looksAboveDifference(const ir::Expr &e) {
  if (!isOneOf(e.op, {"/", "%", ">>"}) || e.type.scalar != ir::Scalar::U32)
    return false;
  const ir::Expr &left = *e.args[0];
  return ir::isBinary(left, "-") && left.type.scalar == ir::Scalar::U32 &&
         left.args[0]->kind == ir::ExprKind::Var && ir::literalValue(left.args[1]).value_or(0) > 0;
}

bool isMinOrMax(const ir::Expr &e) { return e.callee == "min" || e.callee == "max"; }

bool mentions(const ir::ExprPtr &e, const ir::Var *var) {
  return ir::contains(e, [&](const ir::Expr &node) { return node.var.get() == var; });
}

/// Whether `var` is multiplied or shifted left on its way into its own next value.
bool growsFromItself(const ir::Stmt &s, const ir::Var *var) {
  if (s.kind != ir::StmtKind::Assign)
    return false;
  if (s.op == "*=" || s.op == "<<=")
    return true;
  return ir::contains(s.value, [&](const ir::Expr &e) {
    if (e.kind != ir::ExprKind::Binary || (e.op != "*" && e.op != "<<"))
      return false;
    return mentions(e.args[0], var) || (e.op == "*" && mentions(e.args[1], var));
  });
}

/// A statement that gives a scalar variable a value, and the conditions of the loops around it.
struct Definition {
  const ir::Var *var;
  const ir::Stmt *stmt;
  std::vector<ir::ExprPtr> loopConditions;
};

class Chooser {
public:
  explicit Chooser(const ir::Codelet &codelet) : body_(codelet.body) {
    collect(body_, {});
    dropImpure();
  }

  IndexVariables choose() {
    findUsed();
    IndexVariables chosen;
    for (const ir::Var *var : used_)
      chosen[var] = ir::Scalar::Index;
    findSigned(chosen);
    return chosen;
  }

private:
  void collect(const ir::StmtPtr &s, std::vector<ir::ExprPtr> loops) {
    if (!s)
      return;
    if (s->kind == ir::StmtKind::Decl && !s->var->extent && !s->var->type.isContainer()) {
      bool isLocal = s->var->kind == ir::VarKind::Local || s->var->kind == ir::VarKind::Tunable;
      if (isLocal && isWordInteger(s->var->type.scalar))
        candidates_.insert(s->var.get());
      if (s->value)
        definitions_.push_back({s->var.get(), s.get(), loops});
    }
    if (s->kind == ir::StmtKind::Assign && s->target->kind == ir::ExprKind::Var)
      definitions_.push_back({s->target->var.get(), s.get(), loops});
    if (isLoop(*s) && s->value)
      loops.push_back(s->value);
    for (const ir::StmtPtr &child : s->children)
      collect(child, loops);
  }

  bool isPositionalDefinition(const Definition &d) const {
    const ir::Stmt &s = *d.stmt;
    if (!isPositional(s.value, candidates_))
      return false;
    if (s.kind == ir::StmtKind::Assign &&
        !isOneOf(s.op, {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>="}))
      return false;
    if (s.op == "*=" && isLargeFactor(s.value))
      return false;
    // Doubling is a position as long as the loop ends by it; otherwise it wraps, as hashes do.
    return d.loopConditions.empty() || !growsFromItself(s, d.var) ||
           std::any_of(d.loopConditions.begin(), d.loopConditions.end(),
                       [&](const ir::ExprPtr &condition) { return mentions(condition, d.var); });
  }

  void dropImpure() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Definition &d : definitions_) {
        if (candidates_.count(d.var) != 0 && !isPositionalDefinition(d))
          changed |= candidates_.erase(d.var) != 0;
      }
    }
  }

  /// Mark the candidates in the positional parts of `e`; true when one is new.
  bool use(const ir::ExprPtr &e) {
    bool changed = false;
    if (!isPositional(e, candidates_)) {
      bool isArithmetic = e->kind == ir::ExprKind::Binary || e->kind == ir::ExprKind::Unary ||
                          e->kind == ir::ExprKind::Cast || e->kind == ir::ExprKind::Select;
      for (std::size_t i = 0; isArithmetic && i < e->args.size(); ++i)
        changed |= use(e->args[i]);
      return changed;
    }
    ir::forEach(e, [&](const ir::Expr &node) {
      if (node.kind == ir::ExprKind::Var && candidates_.count(node.var.get()) != 0)
        changed |= used_.insert(node.var.get()).second;
    });
    return changed;
  }

  /// Subscripts, arguments of partition and sequence, extents of arrays and containers, and variables that hold a size.
  void usePositions() {
    ir::forEachExpr(body_, [&](const ir::Expr &e) {
      bool takesPositions = e.kind == ir::ExprKind::Index || e.kind == ir::ExprKind::Partition ||
                            e.kind == ir::ExprKind::Sequence || e.kind == ir::ExprKind::Allocate;
      for (const ir::ExprPtr &arg : e.args) {
        if (takesPositions && !arg->type.isContainer() && arg->kind != ir::ExprKind::Sequence)
          use(arg);
      }
    });
    ir::forEach(body_, [&](const ir::Stmt &s) {
      if (s.kind == ir::StmtKind::Decl && s.var->extent)
        use(s.var->extent);
    });
    for (const Definition &d : definitions_) {
      bool holdsSize = ir::contains(d.stmt->value,
                                    [](const ir::Expr &e) { return e.kind == ir::ExprKind::Size; });
      if (holdsSize && candidates_.count(d.var) != 0)
        used_.insert(d.var);
    }
  }

  bool isTiedToPosition(const ir::ExprPtr &e) const {
    return ir::contains(e, [&](const ir::Expr &node) {
      return node.kind == ir::ExprKind::Size || isPositionalParameter(node) ||
             used_.count(node.var.get()) != 0;
    });
  }

  void findUsed() {
    usePositions();
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Definition &d : definitions_) {
        if (used_.count(d.var) != 0)
          changed |= use(d.stmt->value);
      }
      ir::forEachExpr(body_, [&](const ir::Expr &e) {
        if (e.kind != ir::ExprKind::Binary || !e.op.isComparison() ||
            !isPositional(e.args[0], candidates_) || !isPositional(e.args[1], candidates_))
          return;
        if (isTiedToPosition(e.args[0]) || isTiedToPosition(e.args[1])) {
          changed |= use(e.args[0]);
          changed |= use(e.args[1]);
        }
      });
    }
  }

  void findSigned(IndexVariables &chosen) const {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Definition &d : definitions_) {
        auto found = chosen.find(d.var);
        if (found == chosen.end() || found->second == ir::Scalar::I64 ||
            !ir::isSigned(d.var->type.scalar))
          continue;
        if (d.stmt->op == "-=" || mayBeNegative(d.stmt->value, chosen)) {
          found->second = ir::Scalar::I64;
          changed = true;
        }
      }
    }
  }

  ir::StmtPtr body_;
  VarSet candidates_;
  VarSet used_;
  std::vector<Definition> definitions_;
};

} // namespace

bool isPositionalParameter(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Var && e.var->kind == ir::VarKind::Param &&
         e.type.scalar == ir::Scalar::Index && !e.type.isContainer();
}

template <typename Variables> bool isPositional(const ir::ExprPtr &e, const Variables &variables) {
  auto below = [&](const ir::ExprPtr &arg) { return isPositional(arg, variables); };
  if (e->type.isContainer() || !isWordInteger(e->type.scalar))
    return false;
  switch (e->kind) {
  case ir::ExprKind::Literal:
    return e->integer <= largestLiteral && e->integer >= -largestLiteral;
  case ir::ExprKind::Var:
    return variables.count(e->var.get()) != 0 || isPositionalParameter(*e);
  case ir::ExprKind::Size:
  case ir::ExprKind::CoopIdx:
  case ir::ExprKind::CoopDim:
    return true;
  case ir::ExprKind::Cast:
    return below(e->args[0]);
  case ir::ExprKind::Unary:
    return (e->op == "-" || e->op == "+") && below(e->args[0]);
  case ir::ExprKind::Binary:
    if (e->op == "*" && (isLargeFactor(e->args[0]) || isLargeFactor(e->args[1])))
      return false;
    if (wrapsWhereSmall(*e) || looksAboveDifference(*e))
      return false;
    return isOneOf(e->op, {"+", "-", "*", "/", "%", "<<", ">>"}) && below(e->args[0]) &&
           below(e->args[1]);
  case ir::ExprKind::Select:
    return below(e->args[1]) && below(e->args[2]);
  case ir::ExprKind::Call:
    return isMinOrMax(*e) && std::all_of(e->args.begin(), e->args.end(), below);
  default:
    return false;
  }
}

template bool isPositional(const ir::ExprPtr &, const std::set<const ir::Var *> &);
template bool isPositional(const ir::ExprPtr &, const IndexVariables &);

bool mayBeNegative(const ir::ExprPtr &e, const IndexVariables &variables) {
  if (e->kind == ir::ExprKind::Literal)
    return e->integer < 0;
  if (e->kind == ir::ExprKind::Var) {
    auto found = variables.find(e->var.get());
    return found != variables.end() && found->second == ir::Scalar::I64;
  }
  if (e->op == "-")
    return true;
  if (e->kind == ir::ExprKind::Size)
    return false;
  std::size_t first = e->kind == ir::ExprKind::Select ? 1 : 0; // the condition is no value
  return std::any_of(e->args.begin() + static_cast<std::ptrdiff_t>(first), e->args.end(),
                     [&](const ir::ExprPtr &arg) { return mayBeNegative(arg, variables); });
}

IndexVariables chooseIndexVariables(const ir::Codelet &codelet) {
  return Chooser(codelet).choose();
}

} // namespace tangram::composer
