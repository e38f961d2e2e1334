#include "codegen/form/roles.h"

#include "composer/machine/machine_vocabulary.h"
#include "composer/machine/target_words.h"

namespace tangram::codegen {

Refusal noCodeGenerator(const std::string &target) {
  return {"no code generator for target " + target +
              " (there are: " + composer::commaList(composer::generatedTargets()) + ")",
          {}};
}

std::variant<std::vector<Role>, Refusal> rolesOf(const composer::Machine &machine,
                                                 const std::string &target) {
  const TargetTraits *traits = traitsOf(target);
  if (!traits)
    return noCodeGenerator(target);
  std::vector<Role> roles;
  for (const composer::Level &level : machine.levels) {
    if (level.flat) { // it stands behind all others
      roles.push_back(roles[static_cast<std::size_t>(level.subordinate)]);
      continue;
    }
    auto spelling = level.spelling.find(composer::modelTarget(target));
    if (spelling == level.spelling.end())
      return Refusal{"target " + target + " cannot express level " + level.name + " (" +
                         level.title + ") of " + machine.name,
                     {}};
    const std::optional<Role> role = traits->roleOf(spelling->second);
    if (!role)
      return Refusal{machine.name + ": level " + level.name + " is spelled '" + spelling->second +
                         "', but " + target + " knows " + composer::commaList(traits->spellings),
                     {}};
    // A row of a level's workers plays the same role as the workers themselves.
    bool row =
        !roles.empty() && machine.levels[roles.size() - 1].dimension > 0 && *role == roles.back();
    if (!roles.empty() && *role <= roles.back() && !row)
      return Refusal{machine.name + ": level " + level.name + " (" + spelling->second +
                         ") cannot stand below " + machine.levels[roles.size() - 1].name +
                         " for target " + target,
                     {}};
    roles.push_back(*role);
  }
  if (roles.front() != Role::Host)
    return Refusal{machine.name + ": the top level must be spelled '" + traits->spellings.front() +
                       "' for target " + target,
                   {}};
  return roles;
}

} // namespace tangram::codegen
