#include "composer/derive/residues.h"

#include "composer/derive/residue_loops.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "ir/conjuncts.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestLoop;
using algebra::NestReason;
using algebra::Polynomial;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

class Splitter {
public:
  Splitter(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
           const std::function<bool(const std::string &)> &isTaken)
      : spectrum_(spectrum), codelet_(codelet), nest_(nest), isTaken_(isTaken),
        fresh_(codelet.params, codelet.body) {}

  std::optional<NestsInOrder> split(const std::vector<Congruence> &congruences) {
    for (const Congruence &each : congruences)
      add(each);
    if (residues_.empty())
      return std::nullopt;
    std::vector<StmtPtr> required, body;
    for (const StmtPtr &s : codelet_.body->children) {
      if (s->kind != StmtKind::Require)
        body.push_back(statement(s));
      else if (!namesCutSize(s->value))
        required.push_back(s);
    }
    if (failed_)
      return std::nullopt;
    return called(ir::block(required), withoutUnusedLocals(ir::block(body)));
  }

  /// The division that keeps the nest as it is; null where nothing does.
  const ir::Expr *inTheWay() const { return inTheWay_; }

private:
  const NestLoop &at(int loop) const { return nest_.loops[static_cast<std::size_t>(loop)]; }

  static VarPtr parameter(const std::string &name, ir::Scalar type) {
    auto made = std::make_shared<ir::Var>();
    made->name = name;
    made->type = ir::scalarType(type);
    made->kind = ir::VarKind::Param;
    return made;
  }

  /// Adds a congruence, unless another one cuts its loops in another way.
  void add(const Congruence &congruence) {
    for (const Residue &each : residues_) {
      const bool isOther = each.of.loop.loop == congruence.loop.loop
                               ? !(each.of.divisor == congruence.divisor)
                               : each.of.inner == congruence.loop.loop;
      if (isOther || (congruence.inner >= 0 &&
                      (each.of.inner == congruence.inner || each.of.loop.loop == congruence.inner)))
        return;
    }
    Residue made{congruence, nullptr, nullptr, nullptr, congruence.divisor, congruence.d};
    for (const Residue &each : residues_) {
      if (each.of.loop.loop == congruence.loop.loop)
        made.residue = each.residue;
    }
    const std::string name = at(congruence.loop.loop).counter->name;
    if (!made.residue)
      made.residue = parameter(fresh_(name + "_residue"), ir::Scalar::Index);
    made.at = parameter(fresh_(name + "_at"), ir::Scalar::I64);
    if (congruence.inner >= 0) {
      made.first =
          parameter(fresh_(at(congruence.inner).counter->name + "_first"), ir::Scalar::Index);
      if (const auto divisor = congruence.divisor.literal()) {
        const std::int64_t common = std::gcd(std::abs(congruence.d), *divisor);
        made.step = *divisor / common;
        made.dAt = congruence.d / common;
      }
    }
    residues_.push_back(made);
  }

  // --------------------------------------------------------------------------
  // The nest for one residue
  // --------------------------------------------------------------------------

  const Residue *byLoop(int loop) const {
    const auto found = std::ranges::find_if(
        residues_, [&](const Residue &each) { return each.of.loop.loop == loop; });
    return found == residues_.end() ? nullptr : &*found;
  }

  const Residue *byInner(int loop) const {
    const auto found = std::ranges::find_if(
        residues_, [&](const Residue &each) { return loop >= 0 && each.of.inner == loop; });
    return found == residues_.end() ? nullptr : &*found;
  }

  /// Whether a size of what is written, along a dimension of which a residue has a part, is named.
  bool namesCutSize(const ExprPtr &e) const {
    return std::ranges::any_of(residues_,
                               [&](const Residue &each) { return namesWindow(e, each.of.loop); });
  }

  StmtPtr statement(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::If)
      return condition(s);
    const int loop = s->kind == StmtKind::For ? nest_.loopOf(*s) : -1;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(statement(child));
    if (byLoop(loop) != nullptr)
      return rounds(s, sizeOf(byLoop(loop)->of.loop.written), children[2]);
    if (const Residue *residue = byInner(loop))
      return rounds(s, roundsInside(*residue), children[2]);
    auto copy = std::make_shared<Stmt>(*s);
    copy->children = std::move(children);
    if (s->kind == StmtKind::Decl && s->value)
      copy->value = initial(*s);
    else
      copy->value = expression(s->value);
    copy->target = expression(s->target);
    return copy;
  }

  static ExprPtr sizeOf(const LoopWindow &window) {
    return composer::sizeOf(window.array, window.dimension);
  }

  /// The loop from 0 up to `end`.
  static StmtPtr rounds(const StmtPtr &s, const ExprPtr &end, const StmtPtr &body) {
    const VarPtr &counter = s->children[0]->var;
    return ir::forLoop(ir::declare(counter, ir::intLiteral(0, counter->type.scalar)),
                       ir::binary("<", ir::varRef(counter), end), s->children[1], body,
                       s->location);
  }

  /// (rounds + step - 1 - first) / step of the loop inside.
  ExprPtr roundsInside(const Residue &residue) const {
    const NestLoop &inner = at(residue.of.inner);
    const Polynomial all = inner.end - inner.first + residue.step - 1;
    const ExprPtr step = nest_.facts.expression(residue.step);
    return ir::binary("/", ir::binary("-", nest_.facts.expression(all), ir::varRef(residue.first)),
                      step);
  }

  /// The value of a local. A division by what only conditions below say to divide is done where
  /// these hold.
  ExprPtr initial(const Stmt &s) {
    const std::set<const Residue *> before = holding_;
    for (const Residue &each : residues_) {
      const bool divides = ir::contains(s.value, [&](const ir::Expr &e) {
        return isQuotient(e, each) && !holding_.contains(&each);
      });
      if (!divides)
        continue;
      quotients_[s.var.get()].insert(&each);
      holding_.insert(&each);
    }
    const ExprPtr value = expression(s.value);
    holding_ = before;
    return value;
  }

  StmtPtr condition(const StmtPtr &s) {
    const std::set<const Residue *> before = holding_;
    for (const ExprPtr &each : ir::conjunctsOf(s->value)) {
      if (const Residue *residue = congruence(each))
        holding_.insert(residue);
    }
    ExprPtr all;
    for (const ExprPtr &each : ir::conjunctsOf(s->value)) {
      const ExprPtr made = conjunct(each);
      if (made)
        all = all ? ir::binary("&&", all, made) : made;
    }
    const StmtPtr then = statement(s->children[0]);
    holding_ = before;
    const StmtPtr otherwise = s->children.size() > 1 ? statement(s->children[1]) : nullptr;
    return all ? ir::ifThen(all, then, otherwise, s->location) : then;
  }

  /// A condition for one residue; null where it holds there.
  ExprPtr conjunct(const ExprPtr &e) {
    const Residue *residue = congruence(e);
    if (residue == nullptr)
      return expression(e);
    if (residue->of.inner >= 0)
      return nullptr;
    return ir::binary(
        "==",
        ir::binary("%", signedValue(*residue), ir::cast(ir::Scalar::I64, residue->of.divisorText)),
        ir::intLiteral(0, ir::Scalar::I64));
  }

  /// The residue whose congruence a condition is; null: it is none.
  const Residue *congruence(const ExprPtr &e) const {
    const auto divided = congruenceIn(e);
    const auto found = std::ranges::find_if(residues_, [&](const Residue &each) {
      return divided && nest_.valueOf(divided->dividend) == each.of.value &&
             nest_.valueOf(divided->divisor) == each.of.divisor;
    });
    return found == residues_.end() ? nullptr : &*found;
  }

  /// a * residue + rest, of a congruence without a loop inside.
  ExprPtr signedValue(const Residue &residue) const {
    const ExprPtr r = ir::cast(ir::Scalar::I64, ir::varRef(residue.residue));
    const ExprPtr scaled = ir::binary("*", ir::intLiteral(residue.of.a, ir::Scalar::I64), r);
    return ir::binary("+", scaled, signedOf(nest_, residue.of.rest));
  }

  bool isQuotient(const ir::Expr &e, const Residue &residue) const {
    const bool divides = e.kind == ExprKind::Binary && ir::isInteger(e.type.scalar) && e.op == "/";
    return divides && nest_.valueOf(e.args[0]) == residue.of.value &&
           nest_.valueOf(e.args[1]) == residue.of.divisor;
  }

  ExprPtr expression(const ExprPtr &e) {
    if (!e)
      return e;
    for (const Residue &each : residues_) {
      if (!isQuotient(*e, each))
        continue;
      if (holding_.contains(&each))
        return quotient(each, e->type.scalar);
      fail(*e);
      return e;
    }
    if (ir::isBinary(*e, "&&"))
      return conjunction(e);
    if (e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var)
      return element(e);
    if (e->kind == ExprKind::Size && namesCutSize(e))
      return size(e);
    if (e->kind == ExprKind::Var && !e->type.isContainer())
      return variable(e);
    if (const ExprPtr made = comparison(e))
      return made;
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(expression(arg));
    return ir::withArgs(e, std::move(args));
  }

  /// Conditions in another one, of which a later one is asked where those before it hold.
  ExprPtr conjunction(const ExprPtr &e) {
    const ExprPtr first = expression(e->args[0]);
    return ir::withArgs(e, {first, expression(e->args[1])});
  }

  void fail(const ir::Expr &e) {
    failed_ = true;
    inTheWay_ = &e;
  }

  /// a * i + d * p + at: the value over the divisor.
  ExprPtr quotient(const Residue &residue, ir::Scalar type) const {
    const auto term = [&](std::int64_t factor, int loop) {
      const ExprPtr counter = ir::cast(type, ir::varRef(at(loop).counter));
      return std::abs(factor) == 1
                 ? counter
                 : ir::binary("*", ir::intLiteral(std::abs(factor), type), counter);
    };
    ExprPtr all = term(residue.of.a, residue.of.loop.loop);
    if (residue.of.a < 0)
      all = ir::unary("-", all);
    if (residue.of.inner >= 0) {
      const ExprPtr inside = term(residue.dAt, residue.of.inner);
      all = residue.dAt < 0 ? ir::binary("-", all, inside) : ir::binary("+", all, inside);
    }
    return ir::binary("+", all, ir::cast(type, ir::varRef(residue.at)));
  }

  /// An element: what is written has every residue in a part of its own.
  ExprPtr element(const ExprPtr &e) {
    std::vector<ExprPtr> args{e->args[0]};
    for (std::size_t d = 0; d + 1 < e->args.size(); ++d) {
      const bool isPart = std::ranges::any_of(residues_, [&](const Residue &each) {
        const LoopWindow *window = each.of.loop.windowOf(e->args[0]->var.get());
        return window != nullptr && window->dimension == d;
      });
      args.push_back(isPart ? e->args[d + 1] : expression(e->args[d + 1]));
    }
    return ir::withArgs(e, std::move(args));
  }

  ExprPtr size(const ExprPtr &e) {
    for (const auto &[param, known] : sizes_) {
      if (ir::sameExpr(known, e))
        return ir::varRef(param);
    }
    sizes_.emplace_back(
        parameter(fresh_(e->args[0]->var->name + "_size" + std::to_string(e->integer)),
                  ir::Scalar::Index),
        e);
    return ir::varRef(sizes_.back().first);
  }

  ExprPtr variable(const ExprPtr &e) {
    if (const auto found = quotients_.find(e->var.get());
        found != quotients_.end() && std::ranges::any_of(found->second, [&](const Residue *each) {
          return !holding_.contains(each);
        }))
      fail(*e);
    for (const Residue &each : residues_) {
      if (at(each.of.loop.loop).counter == e->var)
        return ir::cast(e->type.scalar,
                        ir::binary("+", ir::binary("*", nest_.facts.expression(each.of.divisor), e),
                                   ir::varRef(each.residue)));
      if (each.of.inner >= 0 && at(each.of.inner).counter == e->var)
        return ir::cast(e->type.scalar, inside(each));
    }
    return e;
  }

  /// first + step * p: the round of the loop inside, as the codelet counts.
  ExprPtr inside(const Residue &residue) const {
    const NestLoop &inner = at(residue.of.inner);
    ExprPtr all = ir::binary(
        "+", ir::varRef(residue.first),
        ir::binary("*", nest_.facts.expression(residue.step), ir::varRef(inner.counter)));
    return inner.first.isZero() ? all : ir::binary("+", nest_.facts.expression(inner.first), all);
  }

  /// A comparison of the value with multiples of the divisor, as one of its quotient; null where it
  /// is none.
  ExprPtr comparison(const ExprPtr &e) const {
    if (e->kind != ExprKind::Binary || !e->op.isComparison() || e->op == "==" || e->op == "!=" ||
        !std::ranges::all_of(e->args,
                             [](const ExprPtr &arg) { return ir::isInteger(arg->type.scalar); }))
      return nullptr;
    const bool isAbove = e->op == ">" || e->op == ">=";
    const Polynomial difference =
        nest_.valueOf(e->args[isAbove ? 0 : 1]) - nest_.valueOf(e->args[isAbove ? 1 : 0]);
    const bool isNarrow = std::ranges::all_of(
        e->args, [](const ExprPtr &arg) { return ir::byteSize(arg->type.scalar) <= 4; });
    const ir::Scalar type = isNarrow ? ir::Scalar::I32 : ir::Scalar::I64;
    const ir::Operator op = e->op == "<" || e->op == ">" ? ir::Operator("<") : ir::Operator("<=");
    for (const Residue *each : holding_) {
      for (const bool grows : {true, false}) {
        const Polynomial left = grows ? difference - each->of.value : difference + each->of.value;
        const auto bound = nest_.mentionsCounter(left) ? std::nullopt
                           : left.isZero()             ? std::optional(Polynomial())
                                           : algebra::exactQuotient(left, each->of.divisor);
        if (!bound)
          continue;
        const ExprPtr value = quotient(*each, type);
        const ExprPtr limit = ir::cast(type, nest_.facts.expression(grows ? -*bound : *bound));
        return grows ? ir::binary(op, limit, value) : ir::binary(op, value, limit);
      }
    }
    return nullptr;
  }

  // --------------------------------------------------------------------------
  // The loops over residues
  // --------------------------------------------------------------------------

  NestsInOrder called(const StmtPtr &required, const StmtPtr &body) {
    const std::string name =
        ir::uniqueName(ir::identifierOf(spectrum_.name) + "_residue", isTaken_);
    ir::Codelet from = codelet_;
    from.body = required;
    std::vector<VarPtr> numbers;
    for (const Residue &each : residues_) {
      for (const VarPtr &param : {each.residue, each.first, each.at}) {
        if (param && std::ranges::find(numbers, param) == numbers.end())
          numbers.push_back(param);
      }
    }
    for (const auto &[param, size] : sizes_)
      numbers.push_back(param);
    from.params.insert(from.params.begin(), numbers.begin(), numbers.end());
    NestsInOrder made;
    made.spectrums.push_back(spectrumOf(name, from, body));
    made.body = loopsOverResidues(nest_, residues_, sizes_, made.spectrums[0]);
    return made;
  }

  const ir::Spectrum &spectrum_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  const std::function<bool(const std::string &)> &isTaken_;
  FreshNames fresh_;
  std::vector<Residue> residues_;
  std::vector<std::pair<VarPtr, ExprPtr>> sizes_; ///< parameters, and the sizes that they are
  std::set<const Residue *> holding_;             ///< congruences that hold where the walk is
  /// Locals that are quotients, and the congruences that have to hold where they are used.
  std::map<const ir::Var *, std::set<const Residue *>> quotients_;
  bool failed_ = false;
  const ir::Expr *inTheWay_ = nullptr;
};

} // namespace

std::optional<NestsInOrder> residues(const ir::Spectrum &spectrum, const ir::Codelet &codelet,
                                     const Nest &nest,
                                     const std::function<bool(const std::string &)> &isTaken,
                                     std::vector<NestReason> &reasons) {
  if (spectrum.result.scalar != ir::Scalar::Void)
    return std::nullopt;
  const std::vector<Congruence> congruences = congruencesOf(codelet, nest, reasons);
  if (congruences.empty())
    return std::nullopt;
  Splitter splitter(spectrum, codelet, nest, isTaken);
  auto made = splitter.split(congruences);
  if (const ir::Expr *e = splitter.inTheWay())
    reasons.push_back({"'" + ir::asWritten(std::make_shared<ir::Expr>(*e)) +
                           "' is used where nothing says that it divides",
                       e->location});
  return made;
}

} // namespace tangram::composer
