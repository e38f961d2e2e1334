#include "composer/derive/sums_into.h"

#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
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

/// The loops that nest perfectly around the rest, outer first.
struct Chain {
  std::vector<StmtPtr> names; ///< in front of all
  std::vector<StmtPtr> loops;
  std::vector<StmtPtr> body;
};

void flatten(const StmtPtr &s, std::vector<StmtPtr> &into) {
  if (s->kind != StmtKind::Block) {
    into.push_back(s);
    return;
  }
  for (const StmtPtr &child : s->children)
    flatten(child, into);
}

const BlockedLoop *blockedAt(const Stmt &s, const Nest &nest,
                             const std::vector<BlockedLoop> &blocked) {
  const auto found = std::ranges::find(blocked, nest.loopOf(s), &BlockedLoop::loop);
  return s.kind != StmtKind::For || found == blocked.end() ? nullptr : &*found;
}

/// The chain of blocked loops that is all of the codelet but for requirements and names.
std::optional<Chain> chainOf(const ir::Codelet &codelet, const Nest &nest,
                             const std::vector<BlockedLoop> &blocked) {
  Chain chain;
  std::vector<StmtPtr> at;
  for (const StmtPtr &s : codelet.body->children) {
    if (std::ranges::find(nest.names, s.get()) != nest.names.end())
      chain.names.push_back(s);
    else if (s->kind != StmtKind::Require)
      flatten(s, at);
  }
  while (at.size() == 1 && blockedAt(*at[0], nest, blocked) != nullptr) {
    chain.loops.push_back(at[0]);
    const StmtPtr body = at[0]->children[2];
    at.clear();
    flatten(body, at);
  }
  chain.body = at;
  return chain.loops.empty() ? std::nullopt : std::optional(chain);
}

bool isContainerWrite(const Stmt &s) {
  return s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index &&
         s.target->args[0]->type.isContainer();
}

/// The innermost body: names of places, `s = first`, the loop, and what becomes of s.
struct Sum {
  std::vector<StmtPtr> names;
  StmtPtr start; ///< Decl of the variable
  StmtPtr loop;
  std::vector<StmtPtr> end;
  StmtPtr result; ///< the only assignment to a container, one of `end`
  VarPtr variable;
};

std::optional<Sum> sumOf(const Chain &chain, const Nest &nest) {
  Sum sum;
  for (const StmtPtr &s : chain.body) {
    const bool isName = std::ranges::find(nest.names, s.get()) != nest.names.end();
    if (!sum.loop && isName)
      sum.names.push_back(s);
    else if (!sum.loop && s->kind == StmtKind::Decl && s->value && !sum.start)
      sum.start = s;
    else if (!sum.loop && s->kind == StmtKind::For && sum.start)
      sum.loop = s;
    else if (sum.loop && !hasLoop(s))
      sum.end.push_back(s);
    else
      return std::nullopt;
  }
  if (!sum.loop)
    return std::nullopt;
  const LoopSums sums = loopSums(nest, nest.loopOf(*sum.loop));
  if (nest.loopOf(*sum.loop) < 0 || sums.why || sums.updates.size() != 1 ||
      sums.updates[0].variable != sum.start->var)
    return std::nullopt;
  sum.variable = sum.start->var;
  for (const StmtPtr &s : sum.end) {
    if (!isContainerWrite(*s))
      continue;
    if (sum.result || s->op != "=")
      return std::nullopt;
    sum.result = s;
  }
  const bool sameType = sum.result && sum.result->target->type.scalar == sum.variable->type.scalar;
  return sameType ? std::optional(sum) : std::nullopt;
}

/// Whether what becomes of the sum is its storing alone.
bool isStored(const Sum &sum) {
  return sum.end.size() == 1 && sum.result->value->kind == ExprKind::Var &&
         sum.result->value->var == sum.variable;
}

/// `body` in the loops of the chain, which go up to the sizes of what they write where these are their ends.
StmtPtr inChain(const Chain &chain, const Nest &nest, const std::vector<BlockedLoop> &blocked,
                std::vector<StmtPtr> body) {
  StmtPtr made = ir::block(std::move(body));
  for (auto loop = chain.loops.rbegin(); loop != chain.loops.rend(); ++loop) {
    const BlockedLoop &of = *blockedAt(**loop, nest, blocked);
    auto copy = std::make_shared<Stmt>(**loop);
    if (nest.loops[static_cast<std::size_t>(of.loop)].first.isZero() &&
        isWhole(nest, of.loop, of.written))
      copy->value = ir::binary("<", ir::varRef((*loop)->children[0]->var), roundsOf(of.written));
    copy->children[2] = made;
    made = ir::block({copy});
  }
  std::vector<StmtPtr> all = chain.names;
  all.push_back(made);
  return ir::block(all);
}

/// A spectrum of this nest: its parameters are those it names, and it requires what is about these alone.
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

StmtPtr startingFrom(const Sum &sum, const ExprPtr &value) {
  return ir::declare(sum.variable, value, sum.start->location);
}

} // namespace

std::optional<std::vector<MadeSpectrum>>
sumsInto(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &nest,
         const std::vector<BlockedLoop> &blocked,
         const std::function<bool(const std::string &)> &isTaken) {
  const auto chain = chainOf(codelet, nest, blocked);
  const auto sum = chain ? sumOf(*chain, nest) : std::nullopt;
  if (!sum || namesElements(sum->start))
    return std::nullopt;
  const ExprPtr &place = sum->result->target;
  const auto nestOf = [&](std::vector<StmtPtr> body) {
    body.insert(body.begin(), sum->names.begin(), sum->names.end());
    return inChain(*chain, nest, blocked, std::move(body));
  };
  const auto named = [&](const char *suffix) {
    return ir::uniqueName(spectrum.name + suffix, isTaken);
  };
  std::vector<MadeSpectrum> made;
  made.push_back(
      spectrumOf(named("_start"), codelet,
                 nestOf({ir::assign(place, "=", sum->start->value, sum->start->location)})));
  made.push_back(spectrumOf(
      named("_sum"), codelet,
      nestOf({startingFrom(*sum, place), sum->loop,
              ir::assign(place, "=", ir::varRef(sum->variable), sum->result->location)})));
  if (!isStored(*sum)) {
    std::vector<StmtPtr> body{startingFrom(*sum, place)};
    body.insert(body.end(), sum->end.begin(), sum->end.end());
    made.push_back(spectrumOf(named("_end"), codelet, nestOf(body)));
  }
  return made;
}

std::vector<BlockedLoop> steppedLoops(const ir::Codelet &codelet, const Nest &nest,
                                      const std::vector<BlockedLoop> &blocked) {
  const auto chain = chainOf(codelet, nest, blocked);
  const auto sum = chain ? sumOf(*chain, nest) : std::nullopt;
  if (!sum || !isStored(*sum) || !ir::sameExpr(sum->start->value, sum->result->target))
    return {};
  std::vector<BlockedLoop> stepped;
  for (int loop = 0; loop < static_cast<int>(nest.loops.size()); ++loop) {
    if (!nest.isIn(loop, nest.loopOf(*sum->loop)))
      continue;
    auto each = summedLoop(nest, loop);
    if (auto *found = std::get_if<BlockedLoop>(&each);
        found && !loopSums(nest, loop).why &&
        !nest.loops[static_cast<std::size_t>(loop)].end.literal())
      stepped.push_back(std::move(*found));
  }
  for (BlockedLoop &each : stepped)
    each.isSum = true;
  return stepped;
}

} // namespace tangram::composer
