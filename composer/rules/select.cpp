// Select (figure 5.3, for spectrums):
//   compose(s, L)
//     -> compose(c, L)      // s : spectrum, c : codelet of spectrum s
//
// A compound codelet that does not begin with a regrouping is named by a step of
// its own, or plans that differ in it would read the same:
//     -> select(c, L), compose(c, L)
// An atomic codelet is named by its compute, any other by its first regroup.
#include "composer/analysis/sites.h"
#include "composer/machine/target_words.h"
#include "composer/rules/rule.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool concerns(const Term &term) {
  return term.kind == Term::Kind::Spectrum && term.codelet != nullptr;
}

/// Whether the first thing the codelet's rule says names the codelet.
bool introducesItself(const ir::Codelet &codelet) {
  const std::vector<Site> found = sites(codelet);
  return !isCompound(codelet) || (!found.empty() && found.front().kind == Site::Kind::Partition);
}

std::string join(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) {
    if (!text.empty())
      text += ", ";
    text += word;
  }
  return text;
}

Rewriting apply(const Term &term, const RuleContext &context) {
  const ir::Codelet &codelet = *term.codelet;
  auto refuse = [&](std::string reason) {
    return Refusal{rules::select.id, term.level, codelet.location, std::move(reason)};
  };
  for (const std::string &name : {codelet.name(), term.spectrum->name + ":" + codelet.name()}) {
    if (std::ranges::find(context.without, name) != context.without.end())
      return refuse("codelet " + codelet.name() + " is left out");
  }
  // A codelet for cuda is one for cuda-warps, too.
  const std::string language = modelTarget(context.target);
  if (!context.target.empty() && !codelet.targets.empty() &&
      std::ranges::find(codelet.targets, language) == codelet.targets.end())
    return refuse("codelet " + codelet.name() + " is for " + join(codelet.targets) + ", not for " +
                  context.target);
  std::vector<Term> terms;
  if (!introducesItself(codelet))
    terms.push_back({Term::Kind::Select, term.level, term.spectrum, &codelet});
  terms.push_back({Term::Kind::Codelet, term.level, term.spectrum, &codelet});
  return terms;
}

} // namespace

const AbstractRule rules::select{"select", concerns, apply};

} // namespace tangram::composer
