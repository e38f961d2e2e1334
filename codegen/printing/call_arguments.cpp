#include "codegen/printing/call_arguments.h"

#include <utility>

namespace tangram::codegen {

CallArguments::CallArguments(const ir::Spectrum &spectrum,
                             const std::function<std::string(const ir::Var &)> &element,
                             std::string array)
    : array_(std::move(array)) {
  for (const ir::VarPtr &param : spectrum.params) {
    const bool container = param->type.rank > 0;
    Parameter each{param, take(element(*param) + (container ? " *" : "")), {}};
    for (unsigned d = 0; d < param->type.rank; ++d)
      each.extents.push_back(take("size_t"));
    parameters.push_back(std::move(each));
  }
}

} // namespace tangram::codegen
