#include "codegen/form/target_traits.h"

namespace tangram::codegen {

const TargetTraits *traitsOf(const std::string &target) { return composer::targetNamed(target); }

} // namespace tangram::codegen
