#include "codegen/kernel/target_traits.h"

namespace tangram::codegen {

const TargetTraits *traitsOf(const std::string &target) {
  const TargetTraits *known = composer::targetNamed(target);
  return known && known->generated ? known : nullptr;
}

} // namespace tangram::codegen
