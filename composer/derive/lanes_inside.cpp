#include "composer/derive/lanes_inside.h"

#include "composer/derive/blocks.h"
#include "composer/derive/lane_scan.h"
#include "composer/derive/lane_tree.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
#include "ir/unique_name.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

/// Writes a body for lanes.
class Sharing {
public:
  Sharing(const LoopForm &form, const ir::Codelet &codelet, const Nest &nest, bool keepsOrder,
          SharedLoops shared)
      : form_(form), codelet_(codelet), nest_(nest), keepsOrder_(keepsOrder), shared_(shared),
        fresh_(form.params, form.body),
        tree_([this](const std::string &wanted) { return fresh_(wanted); }), id_(tree_.id()),
        scans_(nest, tree_, [this](const std::string &wanted) { return fresh_(wanted); }) {}

  std::string text(const StmtPtr &s, unsigned indent) {
    switch (s->kind) {
    case StmtKind::Block: {
      std::string all;
      for (const StmtPtr &child : s->children)
        all += text(child, indent);
      return all;
    }
    case StmtKind::For:
      return loop(s, indent);
    case StmtKind::If:
      return choice(s, indent);
    case StmtKind::Require:
      return "";
    default:
      return writesContainer(s) ? ofOneLane(s, indent) : sourceOf(s, indent);
    }
  }

  std::vector<std::string> dealt; ///< counters
  bool isWhole = true;            ///< lane 0 alone changes no variable that other lanes read
  const LaneTree &tree() const { return tree_; }
  const LaneScan &scans() const { return scans_; }

private:
  std::string ofOneLane(const StmtPtr &s, unsigned indent) {
    isWhole = isWhole && changedOutside(s).empty(); // other lanes would keep the old values
    return indentation(indent) + "if (" + id_ + " == 0) {\n" + sourceOf(s, indent + 1) +
           indentation(indent) + "}\n";
  }

  std::string choice(const StmtPtr &s, unsigned indent) {
    if (!hasLoop(s))
      return writesContainer(s) ? ofOneLane(s, indent) : sourceOf(s, indent);
    std::string all = indentation(indent) + "if (" + sourceOf(s->value) + ") {\n" +
                      text(s->children[0], indent + 1) + indentation(indent) + "}\n";
    if (s->children.size() > 1)
      all += indentation(indent) + "else {\n" + text(s->children[1], indent + 1) +
             indentation(indent) + "}\n";
    return all;
  }

  /// Whether other codelets cut the loop: one that a container is written in. A loop that only adds up is not
  /// among them: each lane makes a part of the sum, unless all lanes run the loop (SharedLoops::Inner).
  bool isOfForm(const ir::Stmt &s) const {
    if (shared_ == SharedLoops::Inner && nest_.loopOf(s) == 0)
      return true;
    return form_.result.scalar == ir::Scalar::Void &&
           std::ranges::any_of(form_.loops, [&](const LoopForm::Loop &loop) {
             return !loop.blocked.isSum && s.children[0] && s.children[0]->var == loop.counter;
           });
  }

  std::string loop(const StmtPtr &s, unsigned indent) {
    const int number = nest_.loopOf(*s);
    const bool countsDown = number >= 0 && nest_.loops[static_cast<std::size_t>(number)].countsDown;
    if (number >= 0 && !countsDown && !isOfForm(*s)) {
      if (!algebra::whyNotApart(nest_, number, true) && writesContainer(s))
        return dealTogether(s, chainOf(s, true), true, indent);
      const LoopSums sums = loopSums(nest_, number);
      const bool havePlaces = std::ranges::any_of(
          sums.updates, [](const Update &update) { return !update.places.empty(); });
      const bool isAsked = !keepsOrder_ || !dependsOnOrder(sums);
      if (!sums.why && isAsked &&
          !(havePlaces && hasLoop(chainOf(s, false).innermost->children[2])))
        return addUp(s, sums.updates, indent);
    }
    if (number >= 0 && !isOfForm(*s)) {
      const auto scan = scanOf(codelet_, nest_, number);
      if (scan && !(keepsOrder_ && dependsOnOrder({scan->updates, std::nullopt}))) {
        dealt.push_back(s->children[0]->var->name);
        return scans_.text(number, *scan, indent);
      }
    }
    if (number >= 0 && hasLoop(s->children[2]))
      return indentation(indent) + head(*s) + " {\n" + text(s->children[2], indent + 1) +
             indentation(indent) + "}\n";
    return writesContainer(s) ? ofOneLane(s, indent) : sourceOf(s, indent);
  }

  static std::string head(const ir::Stmt &s) {
    const std::string whole =
        sourceOf(ir::forLoop(s.children[0], s.value, s.children[1], ir::block({})), 0);
    return whole.substr(0, whole.find(" {\n}"));
  }

  /// for (x = first + id; ...; x += coopDim())
  std::string deal(const StmtPtr &s, const StmtPtr &body, unsigned indent) {
    const ir::Stmt &init = *s->children[0];
    dealt.push_back(init.var->name);
    const std::string first =
        ir::isLiteral(init.value, 0) ? id_ : sourceOf(init.value) + " + " + id_;
    return indentation(indent) + "for (" + sourceType(init.var->type) + " " + init.var->name +
           " = " + first + "; " + sourceOf(s->value) + "; " + init.var->name +
           " += coopDim()) {\n" + sourceOf(body, indent + 1) + indentation(indent) + "}\n";
  }

  /// Loops that nest perfectly, whose rounds are counted in one row, so that lanes go along rows of containers.
  struct Chain {
    std::vector<std::string> counters, rounds;
    std::string number; ///< of a round; of a single loop its counter
    StmtPtr innermost;
  };

  /// Loops from `s` on that go over whole sizes, the last one not over a constant (taps of a filter are few); of those that
  /// write containers the ones whose rounds are independent.
  Chain chainOf(const StmtPtr &s, bool independent) {
    Chain chain{{}, {}, s->children[0]->var->name, s};
    std::size_t whole = 0; // counters up to the last one that is not over a constant
    StmtPtr at = s;
    while (at) {
      const int number = nest_.loopOf(*at);
      if (number < 0)
        break;
      const algebra::NestLoop &loop = nest_.loops[static_cast<std::size_t>(number)];
      if (!loop.first.isZero() || loop.leavesEarly || loop.endDependsOnCounters ||
          (independent && algebra::whyNotApart(nest_, number, true)))
        break;
      chain.counters.push_back(loop.counter->name);
      const std::string rounds = naturalText(nest_, loop.end);
      const bool isOne = rounds.find(' ') == std::string::npos;
      chain.rounds.push_back(isOne ? rounds : "(" + rounds + ")");
      if (!loop.end.literal()) {
        whole = chain.counters.size();
        chain.innermost = at;
      }
      at = onlyLoopIn(at->children[2]);
    }
    chain.counters.resize(whole);
    chain.rounds.resize(whole);
    if (chain.counters.size() < 2)
      return {{}, {}, s->children[0]->var->name, s};
    chain.number = fresh_("e");
    return chain;
  }

  static StmtPtr onlyLoopIn(StmtPtr s) {
    while (s->kind == StmtKind::Block && s->children.size() == 1)
      s = s->children[0];
    return s->kind == StmtKind::For ? s : nullptr;
  }

  /// Deals the rounds of a chain, which begins with `s`. Where it is none, those of `s` if rounds are independent, else
  /// those of the innermost loop.
  std::string dealTogether(const StmtPtr &s, const Chain &chain, bool independent,
                           unsigned indent) {
    if (chain.counters.empty())
      return independent ? deal(s, s->children[2], indent) : dealInnermost(s, indent);
    StmtPtr body = s->children[2];
    for (std::size_t i = 1; i < chain.counters.size(); ++i)
      body = onlyLoopIn(body)->children[2];
    dealt.push_back(chain.counters.back());
    std::string all;
    for (const std::string &rounds : chain.rounds)
      all += (all.empty() ? "" : " * ") + rounds;
    return indentation(indent) + "for (unsigned " + chain.number + " = " + id_ + "; " +
           chain.number + " < " + all + "; " + chain.number + " += coopDim()) {\n" +
           digitsOf(chain.number, chain.counters, chain.rounds, indent + 1) +
           sourceOf(body, indent + 1) + indentation(indent) + "}\n";
  }

  /// What a lane finds of an update, in variables of its own, which are declared in `text`.
  LaneTree::Found declareOwn(const Update &update, std::map<const ir::Var *, ir::VarPtr> &own,
                             std::string &text, unsigned indent) {
    LaneTree::Found found;
    for (const ir::VarPtr &var : update.variables()) {
      auto made = std::make_shared<ir::Var>(*var);
      made->name = fresh_(var->name + "_own");
      own[var.get()] = made;
      found.names.push_back(made->name);
      text += indentation(indent) + sourceType(made->type) + " " + made->name + " = " +
              (var == update.variable ? identityOf(update) : "0") + ";\n";
    }
    return found;
  }

  /// Each lane adds up its rounds, and a tree the lanes.
  std::string addUp(const StmtPtr &s, const std::vector<Update> &updates, unsigned indent) {
    std::map<const ir::Var *, ir::VarPtr> own;
    std::string all;
    std::vector<LaneTree::Found> found;
    StmtPtr marked = s->children[2];
    const Chain chain = chainOf(s, false);
    for (const Update &update : updates) {
      found.push_back(declareOwn(update, own, all, indent));
      if (update.places.empty())
        continue;
      auto round = std::make_shared<ir::Var>();
      round->name = found.back().round = fresh_(update.variable->name + "_round");
      round->type = ir::scalarType(ir::Scalar::I64);
      all +=
          indentation(indent) + "long " + round->name + " = " + LaneTree::noRound(update) + ";\n";
      marked =
          withMark(marked, update, round, named(chain.number, ir::scalarType(ir::Scalar::Index)));
    }
    marked = withoutBranches(marked, [this](const std::string &wanted) { return fresh_(wanted); });
    const StmtPtr body = ir::mapExprs(marked, [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        const auto found = each->kind == ExprKind::Var ? own.find(each->var.get()) : own.end();
        return found == own.end() ? each : ir::varRef(found->second);
      });
    });
    all += dealTogether(ir::withChildren(s, {s->children[0], s->children[1], body}), chain, false,
                        indent);
    for (std::size_t i = 0; i < updates.size(); ++i) {
      std::vector<std::string> into;
      for (const ir::VarPtr &var : updates[i].variables())
        into.push_back(var->name);
      all += tree_.text(updates[i], found[i], into, indent);
    }
    return all;
  }

  /// Deals the rounds of the innermost of the loops that nest perfectly, so that lanes read neighbours; one of a constant
  /// number of rounds has none for many lanes.
  std::string dealInnermost(const StmtPtr &s, unsigned indent) {
    const ir::Stmt *inner = onlyStatement(s->children[2]);
    const bool counts = inner->kind == StmtKind::For && inner->children[0] &&
                        inner->children[0]->kind == StmtKind::Decl && inner->value &&
                        inner->value->kind == ExprKind::Binary &&
                        !ir::literalValue(inner->value->args[1]) && inner->children[1] &&
                        inner->children[1]->op == "+=" &&
                        ir::isLiteral(inner->children[1]->value, 1);
    if (!counts)
      return deal(s, s->children[2], indent);
    return indentation(indent) + head(*s) + " {\n" +
           dealInnermost(std::make_shared<ir::Stmt>(*inner), indent + 1) + indentation(indent) +
           "}\n";
  }

  const LoopForm &form_;
  const ir::Codelet &codelet_;
  const Nest &nest_;
  bool keepsOrder_;
  SharedLoops shared_;
  FreshNames fresh_;
  LaneTree tree_;
  std::string id_;
  LaneScan scans_;
};

} // namespace

std::optional<DerivedCodelet> lanesInside(const LoopForm &form, bool keepsOrder,
                                          SharedLoops shared) {
  ir::Codelet codelet;
  codelet.spectrum = form.spectrum;
  codelet.params = form.params;
  codelet.body = form.body;
  const auto read = algebra::nestOf(codelet);
  const auto *nest = std::get_if<Nest>(&read);
  if (nest == nullptr)
    return std::nullopt;
  Sharing sharing(form, codelet, *nest, keepsOrder, shared);
  const std::string body = sharing.text(form.body, 1);
  if (sharing.dealt.empty() || !sharing.isWhole)
    return std::nullopt;
  std::string tag = "derived_lanes";
  std::set<std::string> named;
  for (const std::string &counter : sharing.dealt) {
    if (named.insert(counter).second)
      tag += "_" + counter;
  }
  std::string text = "__codelet __coop __tag(" + tag + ")\n" + ir::spelling(form.result) + " " +
                     form.spectrum + "(" + parametersOf(form.params) + ") {\n";
  text += sharing.tree().declarations() + sharing.scans().declarations() + "  unsigned " +
          sharing.tree().id() + " = coopIdx();\n" + body + "}\n";
  const algebra::NestLoop &first = nest->loops.front();
  return DerivedCodelet{
      form.spectrum,
      tag,
      text,
      {"the rounds of loop " + sharing.dealt.front() + " are independent, or only add up",
       first.statement->location}};
}

} // namespace tangram::composer
