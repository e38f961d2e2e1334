#include "composer/derive/sums.h"

#include "composer/derive/blocks.h"
#include "composer/derive/lane_tree.h"
#include "composer/derive/lanes_inside.h"
#include "composer/derive/loop_form.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
#include "ir/unique_name.h"

#include <algorithm>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestReason;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

/// A body taken apart at its only loop.
struct Body {
  std::vector<StmtPtr> before, after; ///< requirements left out
  StmtPtr loop;
};

std::optional<Body> bodyOf(const ir::Codelet &codelet) {
  Body body;
  for (const StmtPtr &s : codelet.body->children) {
    if (s->kind == StmtKind::Require)
      continue;
    if (!ir::isLoop(*s)) {
      (body.loop ? body.after : body.before).push_back(s);
      continue;
    }
    if (body.loop || s->kind != StmtKind::For)
      return std::nullopt;
    body.loop = s;
  }
  return body.loop ? std::optional(body) : std::nullopt;
}

/// Whether the codelet is the sum and nothing else: its variable starts from the identity and is returned.
bool isSumAlone(const Body &body, const Update &sum) {
  const bool starts = std::ranges::any_of(body.before, [&](const StmtPtr &s) {
    return s->kind == StmtKind::Decl && s->var == sum.variable && s->value &&
           s->value->kind == ExprKind::Literal && sourceOf(s->value) == identityOf(sum);
  });
  return starts && body.after.size() == 1 && body.after[0]->kind == StmtKind::Return &&
         body.after[0]->value->kind == ExprKind::Var && body.after[0]->value->var == sum.variable;
}

/// Whether it is the sum of a container's elements as they are, which combines parts as well.
bool addsElements(const ir::Codelet &codelet, const Body &body) {
  const ir::Stmt *s = onlyStatement(body.loop->children[2]);
  const bool isOne = codelet.params.size() == 1 && codelet.params[0]->type.rank == 1 &&
                     s->kind == StmtKind::Assign && s->op == "+=";
  return isOne && s->value->kind == ExprKind::Index &&
         s->value->type.scalar == s->target->type.scalar &&
         s->value->args[1]->kind == ExprKind::Var;
}

/// `loop` and those inside of it that stand alone in the one around them, as long as they add up as well.
std::vector<BlockedLoop> summedLoops(const Nest &nest, std::vector<NestReason> &reasons) {
  std::vector<BlockedLoop> found;
  for (int loop = 0; loop < static_cast<int>(nest.loops.size()); ++loop) {
    const int around = nest.loops[static_cast<std::size_t>(loop)].around;
    const bool isChain =
        around < 0 || (around == loop - 1 && found.size() == static_cast<std::size_t>(loop));
    if (!isChain || sumsInside(nest, 0, loop).why)
      break;
    auto blocked = summedLoop(nest, loop);
    if (const auto *why = std::get_if<NestReason>(&blocked)) {
      reasons.push_back(*why);
      continue;
    }
    found.push_back(std::get<BlockedLoop>(blocked));
  }
  return found;
}

/// The spectrum of the sum alone: the parameters are those that its loop names.
struct Total {
  ir::Spectrum spectrum;
  ir::Codelet codelet;
};

Total totalOf(const ir::Codelet &codelet, const Body &body, const Update &sum,
              const std::string &name) {
  Total total;
  total.spectrum.name = total.codelet.spectrum = name;
  total.spectrum.result = ir::scalarType(sum.variable->type.scalar);
  std::vector<StmtPtr> statements;
  for (const StmtPtr &s : codelet.body->children) {
    if (s->kind == StmtKind::Require)
      statements.push_back(s);
  }
  for (const StmtPtr &s : body.before) {
    if (s->var != sum.variable &&
        !(s->target && s->target->kind == ExprKind::Var && s->target->var == sum.variable))
      statements.push_back(s);
  }
  auto identity = std::make_shared<ir::Var>();
  identity->name = identityOf(sum);
  identity->type = sum.variable->type;
  statements.push_back(ir::declare(sum.variable, ir::varRef(identity)));
  statements.push_back(body.loop);
  statements.push_back(ir::returns(ir::varRef(sum.variable)));
  total.codelet.body = ir::block(statements);
  total.codelet.params = codelet.params;
  total.spectrum.params = total.codelet.params;
  return total;
}

/// The spectrum that combines the results of parts, with its sequential codelet.
DerivedCodelet combination(const std::string &name, const Update &sum, const NestReason &why) {
  const std::string type = ir::spelling(ir::scalarType(sum.variable->type.scalar));
  return {name, "derived_loop",
          "__codelet __tag(derived_loop)\n" + type + " " + name + "(const Array<1, " + type +
              "> parts) {\n  " + type + " all = " + identityOf(sum) +
              ";\n  for (unsigned i = 0; i < parts.size(); ++i)\n    all = " +
              combined(sum, "all", "parts[i]") + ";\n  return all;\n}\n",
          why};
}

/// The codelets that combine the parts of a combination.
std::vector<DerivedCodelet> combinationInParts(const std::string &name, const Update &sum,
                                               const NestReason &why) {
  const std::string type = ir::spelling(ir::scalarType(sum.variable->type.scalar));
  const std::string signature = type + " " + name + "(const Array<1, " + type + "> parts) {\n";
  LaneTree lanes([](const std::string &wanted) { return wanted == "parts" ? "found" : wanted; });
  const std::string tree = lanes.tree(sum, {{"all"}, {}}, 1);
  const std::string body =
      lanes.declarations() + "  unsigned id = coopIdx();\n  " + type + " all = " + identityOf(sum) +
      ";\n  for (unsigned i = id; i < parts.size(); i += coopDim())\n    all = " +
      combined(sum, "all", "parts[i]") + ";\n" + tree + "  return " + lanes.result(sum) + ";\n}\n";
  return {{name, "derived_lanes_i", "__codelet __coop __tag(derived_lanes_i)\n" + signature + body,
           why},
          {name, "derived_split_i",
           "__codelet __tag(derived_split_i)\n" + signature + "  __tunable unsigned p;\n  return " +
               name + "(map(" + name + ", rows(parts, p)));\n}\n",
           why}};
}

/// The codelet of the spectrum that calls its total.
DerivedCodelet calling(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Body &body,
                       const Update &sum, const std::string &total, const NestReason &why) {
  std::string text = "__codelet __tag(derived_total)\n" + ir::spelling(spectrum.result) + " " +
                     spectrum.name + "(" + parametersOf(codelet.params) + ") {\n";
  for (const StmtPtr &s : body.before)
    text += sourceOf(s, 1);
  const std::string s = sum.variable->name;
  text +=
      "  " + s + " = " + combined(sum, s, total + "(" + argumentsOf(codelet.params) + ")") + ";\n";
  for (const StmtPtr &each : body.after)
    text += sourceOf(each, 1);
  return {spectrum.name, "derived_total", text + "}\n", why};
}

/// Whether statements before the loop are made of numbers alone, so that every part may do them again.
bool isCheap(const std::vector<StmtPtr> &statements) {
  return std::ranges::none_of(
      statements, [](const StmtPtr &s) { return namesElements(s) || s->kind == StmtKind::Return; });
}

/// Whether inner loops compute the terms that the outermost loop adds up, as in a sum of norms of rows. False if an inner loop adds to
/// the outermost loop's sum itself, as in a sum of all elements.
bool hasTermsOfLoops(const StmtPtr &body) {
  StmtPtr outermost;
  ir::forEach(body, [&](const ir::Stmt &s) {
    if (s.kind == StmtKind::For && !outermost)
      outermost = std::make_shared<ir::Stmt>(s);
  });
  if (!outermost)
    return false;
  const std::vector<ir::VarPtr> summed = changedOutside(outermost);
  bool makesTerms = false, addsUp = false;
  ir::forEach(outermost->children[2], [&](const ir::Stmt &s) {
    if (s.kind != StmtKind::For)
      return;
    makesTerms = true;
    for (const ir::VarPtr &each : changedOutside(std::make_shared<ir::Stmt>(s)))
      addsUp |= std::ranges::find(summed, each) != summed.end();
  });
  return makesTerms && !addsUp;
}

} // namespace

SumCodelets sumsOf(const ir::Spectrum &spectrum, const ir::Codelet &codelet, const Nest &whole,
                   const std::function<bool(const std::string &)> &isTaken) {
  SumCodelets made;
  const auto body = bodyOf(codelet);
  if (!body)
    return made;
  const int outer = whole.loopOf(*body->loop);
  if (outer < 0)
    return made;
  const LoopSums sums = loopSums(whole, outer);
  if (sums.why) {
    made.reasons.push_back(*sums.why);
    return made;
  }
  const NestReason place{"loop " + whole.loops[0].counter->name + " is " +
                             nameOf(sums.updates[0].kind),
                         body->loop->location};
  if (!sums.single() || !isCheap(body->before)) {
    made.reasons.push_back({"loop " + whole.loops[0].counter->name + " adds up several variables",
                            body->loop->location});
    return made;
  }
  const Update &sum = sums.updates[0];
  const bool alone = isSumAlone(*body, sum);
  const std::string name =
      alone ? spectrum.name : ir::uniqueName(ir::identifierOf(spectrum.name) + "_total", isTaken);
  const Total total = totalOf(codelet, *body, sum, name);
  const auto own = algebra::nestOf(total.codelet);
  const Nest &nest = alone ? whole : std::get<Nest>(own);
  const std::vector<BlockedLoop> loops = summedLoops(nest, made.reasons);
  if (loops.empty())
    return made;
  LoopForm form = loopForm(total.spectrum, alone ? codelet : total.codelet, nest, loops, isTaken);
  const bool combinesItself = alone && form.arguments.empty() && addsElements(codelet, *body);
  const std::string combine =
      combinesItself ? spectrum.name
                     : ir::uniqueName(ir::identifierOf(spectrum.name) + "_combined", isTaken);
  if (form.arguments.empty() && !alone)
    made.codelets.push_back(loopOf(form, codelet, place));
  for (const DerivedCodelet &each : roundsOf(total.spectrum, form))
    made.codelets.push_back(each);
  if (!combinesItself) {
    made.codelets.push_back(combination(combine, sum, place));
    for (const DerivedCodelet &each : combinationInParts(combine, sum, place))
      made.codelets.push_back(each);
  }
  for (const DerivedCodelet &each : partsOf(form, combine, place))
    made.codelets.push_back(each);
  if (const auto lanes = lanesInside(form, false))
    made.codelets.push_back(*lanes);
  if (hasTermsOfLoops(form.body)) {
    if (const auto lanes = lanesInside(form, false, SharedLoops::Inner))
      made.codelets.push_back(*lanes);
  }
  if (!alone)
    made.codelets.push_back(calling(spectrum, codelet, *body, sum, name, place));
  return made;
}

} // namespace tangram::composer
