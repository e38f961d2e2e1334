#include "composer/derive/sums_into.h"

#include "composer/derive/result_sum.h"
#include "composer/derive/statements.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

/// A sum of one variable that is put into one result.
struct Sum : ResultSum {
  StmtPtr start;              ///< Decl of the variable
  std::vector<StmtPtr> names; ///< before the loop
  StmtPtr result;             ///< the only assignment to a container, one of `after`
  ExprPtr condition; ///< of an `if` around the result, with nothing else in it; null: there is none
  VarPtr variable;
};

/// Whether anything but the start of the sum reads what results hold, `c[i][j] = s + beta * c[i][j]`: while the sum is made in
/// them, that is gone.
bool readsResults(const Sum &sum) {
  std::vector<StmtPtr> others = sum.before;
  std::erase(others, sum.start);
  others.push_back(sum.loop);
  others.insert(others.end(), sum.after.begin(), sum.after.end());
  std::size_t named = 0;
  ir::forEachExpr(ir::block(others), [&](const ir::Expr &e) {
    named +=
        e.kind == ExprKind::Index && e.args[0]->var == sum.result->target->args[0]->var ? 1 : 0;
  });
  return named > 1; // the result itself
}

std::optional<Sum> sumOf(const ir::Codelet &codelet, const Nest &nest,
                         const std::vector<BlockedLoop> &blocked) {
  const auto found = resultSumOf(codelet, nest, blocked);
  if (!found || found->loops.empty() || found->updates.size() != 1 ||
      !found->updates[0].places.empty())
    return std::nullopt;
  Sum sum{*found, nullptr, {}, nullptr, nullptr, found->updates[0].variable};
  for (const StmtPtr &s : sum.before) {
    if (s->var == sum.variable)
      sum.start = s;
    else if (std::ranges::find(nest.names, s.get()) != nest.names.end())
      sum.names.push_back(s);
    else
      return std::nullopt;
  }
  for (const StmtPtr &s : sum.after) {
    const bool decides =
        s->kind == StmtKind::If && sum.after.size() == 1 && s->children.size() == 1;
    const ir::Stmt *written = decides ? onlyStatement(s->children[0]) : s.get();
    if (!isContainerWrite(*written))
      continue;
    if (sum.result || written->op != "=")
      return std::nullopt;
    sum.result = decides ? std::make_shared<Stmt>(*written) : s;
    sum.condition = decides ? s->value : nullptr;
  }
  const bool sameType =
      sum.start && sum.result && sum.result->target->type.scalar == sum.variable->type.scalar;
  return sameType && !readsResults(sum) ? std::optional(sum) : std::nullopt;
}

/// Whether results may be started by a nest of their own: they start from something else than what they hold, and read no
/// other result for it.
bool isStarted(const Sum &sum) {
  const ExprPtr &result = sum.result->target;
  return !ir::sameExpr(sum.start->value, result) &&
         !ir::contains(sum.start->value, [&](const ir::Expr &e) {
           return e.kind == ExprKind::Index && e.args[0]->var == result->args[0]->var &&
                  !ir::sameExpr(std::make_shared<ir::Expr>(e), result);
         });
}

/// Whether what becomes of the sum is its storing alone.
bool isStored(const Sum &sum) {
  return sum.after.size() == 1 && sum.result->value->kind == ExprKind::Var &&
         sum.result->value->var == sum.variable;
}

/// `body` in the loops of the sum, which go up to the sizes of what they write where these are their ends.
StmtPtr inLoops(const ResultSum &sum, const Nest &nest, const std::vector<BlockedLoop> &blocked,
                std::vector<StmtPtr> body) {
  StmtPtr made = ir::block(std::move(body));
  for (auto loop = sum.loops.rbegin(); loop != sum.loops.rend(); ++loop) {
    const BlockedLoop &of = *blockedAt(**loop, nest, blocked);
    auto copy = std::make_shared<Stmt>(**loop);
    if (nest.loops[static_cast<std::size_t>(of.loop)].first.isZero() &&
        isWhole(nest, of.loop, of.written))
      copy->value = ir::binary("<", ir::varRef((*loop)->children[0]->var), roundsOf(of.written));
    copy->children[2] = made;
    made = ir::block({copy});
  }
  std::vector<StmtPtr> all = sum.outside;
  all.push_back(made);
  return ir::block(all);
}

/// A dimension of a container that each round of a loop names by the loop's counter; null: there is none.
ExprPtr dimensionOf(const Nest &nest, int loop) {
  const algebra::Polynomial counter =
      algebra::Polynomial::of(nest.loops[static_cast<std::size_t>(loop)].atom);
  for (const algebra::NestAccess &access : nest.accesses) {
    if (access.loop != loop || access.writes || !access.conditions.empty())
      continue;
    for (unsigned d = 0; d < access.place.size(); ++d) {
      if (access.place[d] && *access.place[d] == counter)
        return sizeOf(access.array, d);
    }
  }
  return nullptr;
}

/// A sum's loop that begins or ends where a counter of a loop around says, as one over a whole dimension with that as a
/// condition, `for (k < n) if (k >= i && k <= j)`, so that tiles of results have steps through it; others as they are.
StmtPtr overDimension(const Nest &nest, const StmtPtr &loop) {
  const int number = nest.loopOf(*loop);
  const algebra::NestLoop &of = nest.loops[static_cast<std::size_t>(number)];
  const bool isUneven = of.endDependsOnCounters || nest.mentionsCounter(of.first);
  const ExprPtr size = isUneven && of.isCounted && !of.countsDown && !of.leavesEarly
                           ? dimensionOf(nest, number)
                           : nullptr;
  if (!size)
    return loop;
  const StmtPtr &first = loop->children[0];
  ExprPtr condition = loop->value;
  if (!ir::isLiteral(first->value, 0))
    condition = ir::binary("&&", ir::binary(">=", ir::varRef(of.counter), first->value), condition);
  return ir::forLoop(ir::declare(of.counter, ir::intLiteral(0)),
                     ir::binary("<", ir::varRef(of.counter), size), loop->children[1],
                     ir::block({ir::ifThen(condition, loop->children[2])}), loop->location);
}

StmtPtr startingFrom(const Sum &sum, const ExprPtr &value) {
  return ir::declare(sum.variable, value, sum.start->location);
}

} // namespace

MadeSpectrum spectrumOf(const std::string &name, const ir::Codelet &from, const StmtPtr &nest) {
  const std::set<const ir::Var *> used = variablesIn(nest);
  MadeSpectrum made;
  std::vector<StmtPtr> body;
  for (const StmtPtr &s : from.body->children) {
    if (s->kind == StmtKind::Require && !ir::contains(s->value, [&](const ir::Expr &e) {
          return e.kind == ExprKind::Var && !used.contains(e.var.get());
        }))
      body.push_back(s);
  }
  body.push_back(nest);
  std::vector<StmtPtr> flat;
  for (const StmtPtr &s : body)
    flatten(s, flat);
  made.codelet.body = ir::block(flat);
  for (const VarPtr &param : from.params) {
    if (used.contains(param.get()))
      made.codelet.params.push_back(param);
  }
  made.codelet.location = from.location;
  made.codelet.spectrum = made.spectrum.name = name;
  made.spectrum.params = made.codelet.params;
  made.spectrum.result = ir::scalarType(ir::Scalar::Void);
  made.spectrum.location = from.location;
  return made;
}

std::optional<std::vector<MadeSpectrum>>
sumsInto(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
         const std::vector<BlockedLoop> &blocked,
         const std::function<bool(const std::string &)> &isTaken) {
  const auto sum = sumOf(codelet, nest, blocked);
  if (!sum || !isStarted(*sum))
    return std::nullopt;
  const ExprPtr &place = sum->result->target;
  const auto nestOf = [&](std::vector<StmtPtr> body) {
    body.insert(body.begin(), sum->names.begin(), sum->names.end());
    return inLoops(*sum, nest, blocked, std::move(body));
  };
  const auto named = [&](const char *suffix) {
    return ir::uniqueName(ir::identifierOf(spectrum.name) + suffix, isTaken);
  };
  const auto stored = [&](const ExprPtr &value, const ir::SourceLocation &at) {
    const StmtPtr s = ir::assign(place, "=", value, at);
    return sum->condition ? ir::ifThen(sum->condition, ir::block({s})) : s;
  };
  std::vector<MadeSpectrum> made;
  made.push_back(spectrumOf(named("_start"), codelet,
                            nestOf({stored(sum->start->value, sum->start->location)})));
  made.push_back(
      spectrumOf(named("_sum"), codelet,
                 nestOf({startingFrom(*sum, place),
                         isProduct(nest, blocked) ? overDimension(nest, sum->loop) : sum->loop,
                         stored(ir::varRef(sum->variable), sum->result->location)})));
  if (!isStored(*sum)) {
    std::vector<StmtPtr> body{startingFrom(*sum, place)};
    body.insert(body.end(), sum->after.begin(), sum->after.end());
    made.push_back(spectrumOf(named("_end"), codelet, nestOf(body)));
  }
  return made;
}

std::vector<BlockedLoop> steppedLoops(const ir::Codelet &codelet, const Nest &nest,
                                      const std::vector<BlockedLoop> &blocked) {
  const auto sum = sumOf(codelet, nest, blocked);
  if (!sum || !isStored(*sum) || !ir::sameExpr(sum->start->value, sum->result->target))
    return {};
  std::vector<BlockedLoop> stepped;
  const int outer = nest.loopOf(*sum->loop);
  for (int loop = 0; loop < static_cast<int>(nest.loops.size()); ++loop) {
    if (!nest.isIn(loop, outer))
      continue;
    auto each = summedLoop(nest, loop);
    if (auto *found = std::get_if<BlockedLoop>(&each);
        found && !sumsInside(nest, outer, loop).why &&
        !nest.loops[static_cast<std::size_t>(loop)].end.literal())
      stepped.push_back(std::move(*found));
  }
  for (BlockedLoop &each : stepped)
    each.isSum = true;
  return stepped;
}

} // namespace tangram::composer
