#include "composer/analysis/index_variables.h"

#include "ir/large_literal.h"

#include "algebra/wrapping.h"
#include "composer/analysis/index_variables_choice.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tangram::composer {

namespace {

/// `e` as a value of type `type`; a literal that it holds takes it on.
ir::ExprPtr coerced(const ir::ExprPtr &e, ir::Scalar type) {
  if (e->type.scalar == type)
    return e;
  bool holds = ir::isInteger(type) && (e->integer >= 0 || ir::isSigned(type));
  if (e->kind != ir::ExprKind::Literal || !holds || ir::isAboveSigned(*e))
    return ir::cast(type, e, e->location);
  auto copy = std::make_shared<ir::Expr>(*e);
  copy->type = ir::scalarType(type);
  return copy;
}

ir::ExprPtr withType(const ir::ExprPtr &e, ir::Scalar type, std::vector<ir::ExprPtr> args) {
  auto copy = std::make_shared<ir::Expr>(*e);
  copy->type = ir::scalarType(type);
  copy->args = std::move(args);
  return copy;
}

/// Marker: a call around a widened 32-bit number whose upper bits count, until it is known which variables wrap around.
const char *const ofItsWidth = "number of 32 bits";

/// The number that it was before it was widened: what fell below 0 was close to 2^32 then.
ir::ExprPtr inItsWidth(const ir::ExprPtr &e, const algebra::WrappingVariables &wrapping) {
  if (e->kind != ir::ExprKind::Call || e->callee != ofItsWidth)
    return e;
  const ir::ExprPtr &x = e->args[0];
  const auto always = [](const ir::Expr &) { return true; };
  const auto wraps = [&](const ir::Expr &leaf) {
    const auto found = wrapping.find(leaf.var.get());
    return found == wrapping.end() ? leaf.var->wraps : found->second;
  };
  const auto isBelow = [](const ir::Expr &cast) { return ir::isSigned(cast.args[0]->type.scalar); };
  if (!algebra::mayWrap(x, {wraps, always, isBelow}))
    return x;
  return ir::select(ir::binary(">", x, ir::intLiteral(INT64_MAX)),
                    ir::cast(ir::Scalar::Index, ir::cast(ir::Scalar::U32, x)), x, x->location);
}

/// Rewrites one codelet.
class Widening {
public:
  explicit Widening(const ir::Codelet &codelet) : types_(chooseIndexVariables(codelet)) {}

  ir::StmtPtr body(const ir::StmtPtr &s) {
    replaceVariables(s);
    ir::StmtPtr widened = ir::rewrite(s, [&](const ir::StmtPtr &each) { return statement(each); });
    const algebra::WrappingVariables before = algebra::wrappingVariables(widened);
    widened = ir::mapExprs(widened, [&](const ir::ExprPtr &e) {
      return ir::rewrite(e, [&](const ir::ExprPtr &each) { return inItsWidth(each, before); });
    });
    const algebra::WrappingVariables wrapping = algebra::wrappingVariables(widened);
    for (const std::shared_ptr<ir::Var> &var : counting_)
      var->wraps = wrapping.at(var.get());
    return widened;
  }

private:
  /// New variables for those that widen, and for arrays whose extents mention them.
  void replaceVariables(const ir::StmtPtr &body) {
    std::vector<ir::VarPtr> arrays;
    ir::forEach(body, [&](const ir::Stmt &s) {
      if (s.kind != ir::StmtKind::Decl)
        return;
      if (auto found = types_.find(s.var.get()); found != types_.end()) {
        auto copy = std::make_shared<ir::Var>(*s.var);
        copy->type.scalar = found->second;
        replaced_[s.var.get()] = copy;
        if (copy->type.scalar == ir::Scalar::Index && copy->kind == ir::VarKind::Local)
          counting_.push_back(copy);
      } else if (s.var->extent) {
        arrays.push_back(s.var);
      }
    });
    for (const ir::VarPtr &array : arrays) {
      ir::ExprPtr extent = position(array->extent);
      if (extent == array->extent)
        continue;
      auto copy = std::make_shared<ir::Var>(*array);
      copy->extent = extent;
      replaced_[array.get()] = copy;
    }
  }

  ir::StmtPtr statement(const ir::StmtPtr &s) {
    auto copy = std::make_shared<ir::Stmt>(*s);
    if (s->var)
      copy->var = replacement(s->var);
    const ir::Var *widened = nullptr;
    if (s->kind == ir::StmtKind::Decl)
      widened = s->var.get();
    if (s->target) {
      copy->target = reference(s->target);
      widened = s->target->kind == ir::ExprKind::Var ? s->target->var.get() : nullptr;
    }
    if (s->value)
      copy->value = value(*s, widened);
    bool same = copy->var == s->var && copy->target == s->target && copy->value == s->value;
    return same ? s : copy;
  }

  /// The value of a statement that gives it to `receiver` (null: to no variable).
  ir::ExprPtr value(const ir::Stmt &s, const ir::Var *receiver) {
    if (auto type = types_.find(receiver); type != types_.end())
      return coerced(retyped(s.value), type->second);
    if (s.var || s.target) { // declared, or assigned to
      ir::Scalar type = s.var ? s.var->type.scalar : s.target->type.scalar;
      return ir::isFloating(type) ? floating(s.value, type) : data(s.value);
    }
    bool isCondition = s.kind != ir::StmtKind::Return && s.kind != ir::StmtKind::Eval;
    return isCondition ? condition(s.value) : data(s.value);
  }

  ir::VarPtr replacement(const ir::VarPtr &var) const {
    auto found = replaced_.find(var.get());
    return found == replaced_.end() ? var : found->second;
  }

  /// A variable, or an element, that is assigned to.
  ir::ExprPtr reference(const ir::ExprPtr &e) {
    if (e->kind != ir::ExprKind::Var)
      return data(e);
    ir::VarPtr var = replacement(e->var);
    return var == e->var ? e : ir::varRef(var, e->location);
  }

  /// A positional expression that is about positions, and not just a number.
  bool isPosition(const ir::ExprPtr &e) const {
    return isPositional(e, types_) && ir::contains(e, [&](const ir::Expr &node) {
             return node.kind == ir::ExprKind::Size || node.kind == ir::ExprKind::CoopIdx ||
                    node.kind == ir::ExprKind::CoopDim || isPositionalParameter(node) ||
                    types_.count(node.var.get()) != 0;
           });
  }

  bool mentionsWidened(const ir::ExprPtr &e) const {
    return ir::contains(e, [&](const ir::Expr &node) { return types_.count(node.var.get()) != 0; });
  }

  /// Type of a positional expression after widening: signed arithmetic that may go
  /// below zero stays signed.
  ir::Scalar widenedType(const ir::ExprPtr &e) const {
    bool isNegative = ir::isSigned(e->type.scalar) && mayBeNegative(e, types_);
    return isNegative ? ir::Scalar::I64 : ir::Scalar::Index;
  }

  /// The same where more than its lowest 32 bits count.
  ir::ExprPtr whole(const ir::ExprPtr &e) {
    const ir::ExprPtr wide = retyped(e);
    const bool narrow = e->type.scalar == ir::Scalar::U32 &&
                        wide->type.scalar == ir::Scalar::Index && e->kind != ir::ExprKind::Literal;
    return narrow ? ir::call(ofItsWidth, wide->type, {wide}, e->location) : wide;
  }

  /// Whether an operator looks at bits of an operand that are above those of its result's. (a + n - 1) / n is 0 or more,
  /// as nobody divides by 0.
  static bool looksAbove(const ir::Expr &e, std::size_t operand) {
    if (e.kind != ir::ExprKind::Binary || !(e.op == "/" || e.op == "%" || e.op == ">>"))
      return false;
    const ir::Expr &dividend = *e.args[0];
    const bool roundsUp = e.op == "/" && operand == 0 && ir::isBinary(dividend, "-") &&
                          ir::isLiteral(dividend.args[1], 1) &&
                          ir::isBinary(*dividend.args[0], "+");
    return !roundsUp || std::ranges::none_of(dividend.args[0]->args, [&](const ir::ExprPtr &each) {
      return ir::sameExpr(each, e.args[1]);
    });
  }

  /// A positional expression in its new type.
  ir::ExprPtr retyped(const ir::ExprPtr &e) {
    ir::Scalar type = widenedType(e);
    const bool isNumber =
        (e->kind == ir::ExprKind::Binary || e->kind == ir::ExprKind::Unary) && !isPosition(e);
    if (isNumber) // of literals alone, as it is
      return coerced(e, type);
    switch (e->kind) {
    case ir::ExprKind::Literal:
      return coerced(e, type);
    case ir::ExprKind::Var:
      return reference(e);
    case ir::ExprKind::Cast:
      return coerced(ir::byteSize(e->type.scalar) > 4 ? whole(e->args[0]) : retyped(e->args[0]),
                     type);
    case ir::ExprKind::Size: {
      std::vector<ir::ExprPtr> of{data(e->args[0])};
      return e->type.scalar == type && of == e->args ? e : withType(e, type, std::move(of));
    }
    case ir::ExprKind::CoopIdx:
    case ir::ExprKind::CoopDim:
      return e->type.scalar == type ? e : withType(e, type, e->args);
    default:
      break;
    }
    std::vector<ir::ExprPtr> args;
    args.reserve(e->args.size());
    for (std::size_t i = 0; i < e->args.size(); ++i) {
      bool isCondition = e->kind == ir::ExprKind::Select && i == 0;
      args.push_back(
          isCondition ? condition(e->args[i])
                      : coerced(looksAbove(*e, i) ? whole(e->args[i]) : retyped(e->args[i]), type));
    }
    bool same = args == e->args && type == e->type.scalar;
    return same ? e : withType(e, type, std::move(args));
  }

  /// An expression where a position is asked for; literals are positions here.
  ir::ExprPtr position(const ir::ExprPtr &e) {
    return isPositional(e, types_) ? retyped(e) : data(e);
  }

  /// An expression of which only matters whether it is zero.
  ir::ExprPtr condition(const ir::ExprPtr &e) { return isPosition(e) ? retyped(e) : data(e); }

  /// An expression as data: of the type it had in the source.
  ir::ExprPtr data(const ir::ExprPtr &e) {
    if (isPositional(e, types_))
      return mentionsWidened(e) ? coerced(retyped(e), e->type.scalar) : e;
    switch (e->kind) {
    case ir::ExprKind::Var:
      return reference(e);
    case ir::ExprKind::Binary:
      if (e->op.isComparison())
        return comparison(e);
      break;
    case ir::ExprKind::Cast:
      if (isPosition(e->args[0]))
        return coerced(ir::byteSize(e->type.scalar) > 4 || ir::isFloating(e->type.scalar)
                           ? whole(e->args[0])
                           : retyped(e->args[0]),
                       e->type.scalar);
      break;
    default:
      break;
    }
    std::vector<ir::ExprPtr> args;
    args.reserve(e->args.size());
    for (std::size_t i = 0; i < e->args.size(); ++i)
      args.push_back(operand(*e, i));
    return ir::withArgs(e, std::move(args));
  }

  ir::ExprPtr operand(const ir::Expr &e, std::size_t i) {
    bool takesPositions = e.kind == ir::ExprKind::Index || e.kind == ir::ExprKind::Partition ||
                          e.kind == ir::ExprKind::Sequence || e.kind == ir::ExprKind::Allocate;
    bool isLogic = e.op.isLogic();
    bool isCondition = isLogic || (e.kind == ir::ExprKind::Select && i == 0);
    if (takesPositions)
      return position(e.args[i]);
    if (isCondition)
      return condition(e.args[i]);
    if (e.kind == ir::ExprKind::Binary && ir::isFloating(e.type.scalar))
      return floating(e.args[i], e.type.scalar);
    return data(e.args[i]);
  }

  /// An operand of floating arithmetic: a position need not pass through its narrow type.
  ir::ExprPtr floating(const ir::ExprPtr &e, ir::Scalar type) {
    return isPosition(e) ? coerced(whole(e), type) : data(e);
  }

  ir::ExprPtr comparison(const ir::ExprPtr &e) {
    const ir::ExprPtr &a = e->args[0];
    const ir::ExprPtr &b = e->args[1];
    ir::Scalar common = ir::commonScalar(a->type.scalar, b->type.scalar);
    bool positional = isPositional(a, types_) && isPositional(b, types_);
    if (!isPosition(a) && !isPosition(b))
      return ir::withArgs(e, {data(a), data(b)});
    if (ir::isFloating(common))
      return ir::withArgs(e, {floating(a, common), floating(b, common)});
    bool isNegative = ir::isSigned(common) &&
                      (!positional || mayBeNegative(a, types_) || mayBeNegative(b, types_));
    ir::Scalar type = isNegative ? ir::Scalar::I64 : ir::Scalar::Index;
    auto side = [&](const ir::ExprPtr &x) {
      if (isPositional(x, types_))
        return coerced(positional ? retyped(x) : whole(x), type);
      // Data first becomes what the source compares it as, then wider.
      return coerced(coerced(data(x), common), type);
    };
    return ir::withArgs(e, {side(a), side(b)});
  }

  IndexVariables types_;
  std::map<const ir::Var *, ir::VarPtr> replaced_;
  std::vector<std::shared_ptr<ir::Var>> counting_; ///< new ones of type Index
};

} // namespace

ir::Program widenIndexVariables(const ir::Program &program) {
  ir::Program result = program;
  for (ir::Spectrum &spectrum : result.spectrums) {
    for (ir::Codelet &codelet : spectrum.codelets)
      codelet.body = Widening(codelet).body(codelet.body);
  }
  return result;
}

} // namespace tangram::composer
