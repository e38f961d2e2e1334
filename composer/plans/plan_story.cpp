#include "composer/plans/plan_story.h"

#include "composer/analysis/sites.h"
#include "composer/plans/plan_parts.h"

#include <algorithm>
#include <cctype>

namespace tangram::composer {

namespace {

std::string plural(const std::string &word) {
  return word.ends_with("s") ? word + "es" : word + "s";
}

std::string decapitalized(std::string text) {
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

/// "a, b and c".
std::string listed(const std::vector<std::string> &names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// The container that an expression is, or is a view of; empty: one that has no name.
std::string containerName(const ir::Expr &e) {
  if (e.kind == ir::ExprKind::Var)
    return e.var->name;
  return e.args.empty() ? "" : containerName(*e.args[0]);
}

/// The partitions that one regroup names: `first`, and those right behind it.
std::vector<const ir::Expr *> schemeOf(const ir::Codelet &codelet, const ir::Expr *first) {
  std::vector<const ir::Expr *> scheme;
  for (const Site &site : sites(codelet)) {
    if (site.expr == first || (!scheme.empty() && site.kind == Site::Kind::Partition))
      scheme.push_back(site.expr);
    else if (!scheme.empty())
      break;
  }
  return scheme;
}

/// What parts a partition makes.
std::string partsText(const ir::Expr &partition) {
  switch (tilingOf(partition)) {
  case Tiling::Adjacent:
    if (partition.args[0]->type.rank < 2)
      return "parts of neighbouring elements";
    if (partition.args.size() > 5)
      return "tiles";
    return partition.integer == 0   ? "blocks of rows"
           : partition.integer == 1 ? "blocks of columns"
                                    : "blocks along dimension " + std::to_string(partition.integer);
  case Tiling::Strided:
    return "parts, its elements dealt out in turn";
  case Tiling::None:
    break;
  }
  return "parts";
}

class Teller {
public:
  explicit Teller(const RuleBook &book) : book_(book) {}

  std::vector<StoryLine> tell(const ir::PlanPtr &plan) {
    sequence(partsOf(plan, book_), "The " + titleOf(plan->level), 0);
    return std::move(lines_);
  }

private:
  const Level &level(int index) const {
    return book_.context().machine->levels[static_cast<std::size_t>(index)];
  }

  std::string titleOf(int index) const {
    return level(index).title.empty() ? level(index).name : level(index).title;
  }

  std::string meeting(int index) const {
    switch (level(index).sync) {
    case Sync::Launch:
      return "the launch ends";
    case Sync::Join:
      return "they join";
    case Sync::Barrier:
      return "they meet at a barrier";
    case Sync::Warp:
      return "the warp meets";
    case Sync::Loop:
      return "the unrolled loop ends";
    case Sync::None:
      break;
    }
    return "";
  }

  /// "all blocks are done: the launch ends".
  std::string allDone(const PlanPart &spread) const {
    const std::string how = meeting(spread.level);
    return "all " + plural(titleOf(spread.to)) + " are done" + (how.empty() ? "" : ": " + how);
  }

  void sequence(const std::vector<PlanPart> &parts, const std::string &who, unsigned depth) {
    const PlanPart *spread = nullptr; // whose workers have not been waited for
    Term::Kind before = Term::Kind::Compute;
    bool cut = false; // into parts, by a step right before
    for (const PlanPart &part : parts) {
      cut = before == Term::Kind::Regroup || (cut && before == Term::Kind::Split);
      std::string text = part.kind == Term::Kind::Sync
                             ? (spread ? who + " waits until " + allDone(*spread) : "")
                             : sentence(part, who, cut, before == Term::Kind::Split);
      if (spread && part.kind != Term::Kind::Sync && !text.empty())
        text = "When " + allDone(*spread) + "; then " + decapitalized(text);
      if (!text.empty())
        lines_.push_back({part.step, depth, text + "."});
      spread = text.empty() && part.kind != Term::Kind::Sync ? spread : nullptr;
      before = part.kind;
      if (part.to < 0)
        continue;
      sequence(part.inside, workerOf(part, who), depth + 1);
      if (part.kind == Term::Kind::Distribute)
        spread = &part;
    }
  }

  std::string workerOf(const PlanPart &part, const std::string &who) const {
    if (part.kind == Term::Kind::Serialize)
      return who;
    return (part.kind == Term::Kind::Devolve ? "That " : "Each ") + titleOf(part.to);
  }

  std::string sentence(const PlanPart &part, const std::string &who, bool cut, bool several) const {
    const std::string what = cut ? "part" : "element";
    const bool chained = part.expr && part.expr->op == "chain";
    switch (part.kind) {
    case Term::Kind::Select:
      return who + " does " + part.spectrum->name + " by " + part.codelet->name() +
             (siteInLoop(*part.codelet) ? ", round after round" : "");
    case Term::Kind::Regroup:
      return regrouping(part, who);
    case Term::Kind::Distribute:
      return who + " has its " + plural(titleOf(part.to)) + " do " + part.spectrum->name + " of " +
             (several ? "several " + plural(what) + " each" : "the " + plural(what)) +
             ", side by side" +
             (chained ? ", each of which takes over from the one before it" : "");
    case Term::Kind::Serialize:
      return who + " does " + part.spectrum->name + " of one " + what +
             " after the other, in a loop";
    case Term::Kind::Devolve:
      return who + " hands " + part.spectrum->name + " to one " + titleOf(part.to);
    case Term::Kind::Compute:
      return computing(part, who);
    default:
      return "";
    }
  }

  static std::string regrouping(const PlanPart &part, const std::string &who) {
    std::vector<std::string> names;
    std::string parts;
    for (const ir::Expr *each : schemeOf(*part.codelet, part.expr)) {
      const std::string name = containerName(*each);
      if (!name.empty() && std::ranges::find(names, name) == names.end())
        names.push_back(name);
      if (parts.empty())
        parts = partsText(*each);
    }
    return who + " cuts " + (names.empty() ? std::string("what it has") : listed(names)) +
           " into " + parts + " (" + part.codelet->name() + ")" +
           (part.expr && isInLoop(*part.codelet, *part.expr) ? ", in every round" : "");
  }

  std::string computing(const PlanPart &part, const std::string &who) const {
    const int below = level(part.level).subordinate;
    const bool together = part.codelet->cooperative;
    std::string text = who + " computes " + part.spectrum->name;
    if (!together)
      text += " alone";
    else if (below >= 0)
      text += " with all its " + plural(titleOf(below)) + " together";
    return text + " (" + part.codelet->name() + ")";
  }

  const RuleBook &book_;
  std::vector<StoryLine> lines_;
};

} // namespace

std::vector<StoryLine> planStory(const ir::PlanPtr &plan, const RuleBook &book) {
  return Teller(book).tell(plan);
}

} // namespace tangram::composer
