#include "composer/machine/target_words.h"

#include "composer/machine/targets.h"

namespace tangram::composer {

std::string modelTarget(const std::string &target) { return target.substr(0, target.find('-')); }

std::vector<std::string> modelTargets() {
  std::vector<std::string> names = targetNames();
  std::erase_if(names, [](const std::string &name) { return modelTarget(name) != name; });
  return names;
}

} // namespace tangram::composer
