#include "composer/derive/congruences.h"

#include "composer/derive/statements.h"
#include "ir/conjuncts.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestLoop;
using algebra::NestReason;
using algebra::Polynomial;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

ExprPtr bare(const ExprPtr &e) {
  return e->kind == ExprKind::Cast && ir::isInteger(e->args[0]->type.scalar) ? bare(e->args[0]) : e;
}

/// e % s, also as e & (s - 1) of a power of two.
std::optional<Divided> remainderIn(const ExprPtr &written) {
  const ExprPtr e = bare(written);
  if (ir::isBinary(*e, "%"))
    return Divided{e->args[0], e->args[1]};
  const auto mask = ir::isBinary(*e, "&") ? ir::literalValue(bare(e->args[1])) : std::nullopt;
  if (mask && *mask > 0 && std::has_single_bit(static_cast<std::uint64_t>(*mask) + 1))
    return Divided{e->args[0], ir::intLiteral(*mask + 1)};
  return std::nullopt;
}

class Finder {
public:
  Finder(const ir::Codelet &codelet, const Nest &nest, std::vector<NestReason> &reasons)
      : codelet_(codelet), nest_(nest), reasons_(reasons) {}

  std::vector<Congruence> find() {
    ir::forEach(codelet_.body, [&](const ir::Stmt &s) {
      if (s.kind != StmtKind::If)
        return;
      for (const ExprPtr &each : ir::conjunctsOf(s.value)) {
        const auto divided = congruenceIn(each);
        if (divided && !isKnown(*divided))
          add(*divided, s, each);
      }
    });
    return std::move(found_);
  }

private:
  bool isKnown(const Divided &divided) const {
    return std::ranges::any_of(found_, [&](const Congruence &each) {
      return each.value == nest_.valueOf(divided.dividend) &&
             each.divisor == nest_.valueOf(divided.divisor);
    });
  }

  void add(const Divided &divided, const ir::Stmt &condition, const ExprPtr &written) {
    Congruence made;
    made.value = nest_.valueOf(divided.dividend);
    made.divisor = nest_.valueOf(divided.divisor);
    made.divisorText = divided.divisor;
    if (made.divisor.literal() == 1 || !nest_.mentionsCounter(made.value))
      return;
    if (const char *why = whyNot(made, condition))
      reasons_.push_back({"rounds with " + ir::asWritten(written) + " are not told apart: " + why,
                          condition.location});
    else
      found_.push_back(std::move(made));
  }

  /// Fills in the loops; why the congruence cannot be split, or null.
  const char *whyNot(Congruence &made, const ir::Stmt &condition) {
    if (made.divisor.overflowed() || !isMadeOfNumbers(made.divisor))
      return "what divides is not known before the loops begin";
    if (condition.children.size() > 1 && condition.children[1])
      return "there is something to do where it does not divide";
    made.rest = made.value;
    bool hasLoop = false;
    for (int loop = 0; loop < static_cast<int>(nest_.loops.size()); ++loop) {
      const NestLoop &of = nest_.loops[static_cast<std::size_t>(loop)];
      if (!made.rest.mentions(of.atom))
        continue;
      const algebra::Split split = algebra::splitBy(made.rest, of.atom);
      const auto factor = split.linear ? split.coefficient.literal() : std::nullopt;
      if (!factor)
        return "steps of its loops are known only when it runs";
      made.rest = split.rest;
      if (const auto blocked = wholeLoop(loop); blocked && !hasLoop) {
        made.loop = *blocked;
        made.a = *factor;
        hasLoop = true;
      } else if (made.inner < 0) {
        made.inner = loop;
        made.d = *factor;
      } else {
        return "it names more than one loop inside";
      }
    }
    if (!hasLoop)
      return "no loop of it may be cut";
    if (!isMadeOfNumbers(made.rest))
      return "it depends on data";
    return made.inner < 0 ? nullptr : whyNotInner(made);
  }

  const char *whyNotInner(const Congruence &made) const {
    const NestLoop &inner = nest_.loops[static_cast<std::size_t>(made.inner)];
    if (!nest_.isIn(made.inner, made.loop.loop))
      return "it names two loops, none of which is inside of the other";
    if (!inner.isCounted || inner.leavesEarly || inner.countsDown || inner.endDependsOnCounters)
      return "the loop inside does not count up to an end";
    if (std::abs(made.d) != 1 && !made.divisor.literal())
      return "the number that divides is known only when it runs";
    if (!doesNothingElse(inner.statement->children[2], made))
      return "the loop inside does something else, too";
    return nullptr;
  }

  /// The loop, if it goes over a whole dimension of what it writes, which is all that names its counter there.
  std::optional<BlockedLoop> wholeLoop(int loop) const {
    const NestLoop &of = nest_.loops[static_cast<std::size_t>(loop)];
    auto blocked = blockedLoop(nest_, loop);
    const auto *found = std::get_if<BlockedLoop>(&blocked);
    if (found == nullptr || !of.first.isZero() || of.countsDown)
      return std::nullopt;
    std::erase_if(std::get<BlockedLoop>(blocked).windows,
                  [&](const LoopWindow &window) { return !isWritten(window.array.get()); });
    const bool isWholeLoop = std::ranges::all_of(found->windows, [&](const LoopWindow &window) {
      return isWhole(nest_, loop, window) && window.lowest.isZero();
    });
    return isWholeLoop ? std::optional(*found) : std::nullopt;
  }

  bool isWritten(const ir::Var *array) const {
    return std::ranges::any_of(nest_.accesses, [&](const algebra::NestAccess &access) {
      return access.writes && access.array.get() == array;
    });
  }

  /// Whether it is made of constants, sizes and parameters.
  bool isMadeOfNumbers(const Polynomial &p) const {
    const ExprPtr e = nest_.facts.expression(p);
    return e && !nest_.mentionsCounter(p) && !ir::contains(e, [](const ir::Expr &each) {
             return each.kind == ExprKind::Index || each.kind == ExprKind::Call ||
                    (each.kind == ExprKind::Var && each.var->kind != ir::VarKind::Param);
           });
  }

  /// Whether all that `s` does is done where the congruence holds.
  bool doesNothingElse(const StmtPtr &s, const Congruence &made) const {
    switch (s->kind) {
    case StmtKind::Block:
      return std::ranges::all_of(
          s->children, [&](const StmtPtr &child) { return doesNothingElse(child, made); });
    case StmtKind::Decl:
      return true;
    case StmtKind::For:
      return doesNothingElse(s->children[2], made);
    case StmtKind::If:
      return std::ranges::any_of(ir::conjunctsOf(s->value),
                                 [&](const ExprPtr &each) { return isThat(each, made); }) ||
             std::ranges::all_of(s->children, [&](const StmtPtr &child) {
               return !child || doesNothingElse(child, made);
             });
    default:
      return false;
    }
  }

  bool isThat(const ExprPtr &condition, const Congruence &made) const {
    const auto divided = congruenceIn(condition);
    return divided && nest_.valueOf(divided->dividend) == made.value &&
           nest_.valueOf(divided->divisor) == made.divisor;
  }

  const ir::Codelet &codelet_;
  const Nest &nest_;
  std::vector<NestReason> &reasons_;
  std::vector<Congruence> found_;
};

} // namespace

std::optional<Divided> congruenceIn(const ExprPtr &condition) {
  const ExprPtr e = bare(condition);
  if (e->kind == ExprKind::Unary && e->op == "!")
    return remainderIn(e->args[0]);
  if (!ir::isBinary(*e, "=="))
    return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    if (ir::literalValue(bare(e->args[side])) == 0) {
      if (const auto divided = remainderIn(e->args[1 - side]))
        return divided;
    }
    const ExprPtr product = bare(e->args[side]);
    for (const std::size_t factor : {0U, 1U}) {
      if (!ir::isBinary(*product, "*"))
        break;
      const ExprPtr quotient = bare(product->args[factor]);
      if (ir::isBinary(*quotient, "/") &&
          ir::sameExpr(bare(quotient->args[1]), bare(product->args[1 - factor])) &&
          ir::sameExpr(bare(quotient->args[0]), bare(e->args[1 - side])))
        return Divided{quotient->args[0], quotient->args[1]};
    }
  }
  return std::nullopt;
}

std::vector<Congruence> congruencesOf(const ir::Codelet &codelet, const Nest &nest,
                                      std::vector<NestReason> &reasons) {
  return Finder(codelet, nest, reasons).find();
}

} // namespace tangram::composer
