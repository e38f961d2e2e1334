#include "codegen/printing/float128.h"

#include "codegen/printing/c_printer.h"
#include "codegen/printing/c_types.h"

#include <set>

namespace tangram::codegen {

namespace {

std::size_t parametersOf(const std::string &function) {
  static const std::set<std::string> ofTwo = {"atan2", "copysign", "fmax", "fmin",
                                              "fmod",  "hypot",    "pow"};
  if (function == "fma")
    return 3;
  return ofTwo.contains(function) ? 2 : 1;
}

} // namespace

std::string float128Declarations(const MathFunctions &functions) {
  const std::string type = cName(ir::Scalar::F128);
  std::string text;
  for (const auto &[function, scalar] : functions) {
    if (scalar != ir::Scalar::F128 || function == "min" || function == "max")
      continue;
    text += "extern " + type + " " + libraryName(function, scalar) + "(" + type;
    for (std::size_t i = 1; i < parametersOf(function); ++i)
      text += ", " + type;
    text += ");\n";
  }
  return text.empty() ? text : text + "\n";
}

} // namespace tangram::codegen
