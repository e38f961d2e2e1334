#include "ir/unique_name.h"

namespace tangram::ir {

std::string uniqueName(const std::string &wanted,
                       const std::function<bool(const std::string &)> &isTaken) {
  std::string name = wanted;
  for (unsigned i = 2; isTaken(name); ++i)
    name = wanted + "_" + std::to_string(i);
  return name;
}

} // namespace tangram::ir
