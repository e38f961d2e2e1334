// Select (figure 5.3, for spectrums):
//   compose(s, L)
//     -> compose(c, L)      // s : spectrum, c : codelet of spectrum s
#include "composer/rule.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool concerns(const Term &term) {
  return term.kind == Term::Kind::Spectrum && term.codelet != nullptr;
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
  if (std::ranges::find(context.without, codelet.name()) != context.without.end())
    return refuse("codelet " + codelet.name() + " is left out");
  if (!context.target.empty() && !codelet.targets.empty() &&
      std::ranges::find(codelet.targets, context.target) == codelet.targets.end())
    return refuse("codelet " + codelet.name() + " is for " + join(codelet.targets) + ", not for " +
                  context.target);
  return std::vector<Term>{{Term::Kind::Codelet, term.level, term.spectrum, &codelet}};
}

} // namespace

const AbstractRule rules::select{"select", concerns, apply};

} // namespace tangram::composer
