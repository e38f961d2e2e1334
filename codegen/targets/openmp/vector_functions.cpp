#include "codegen/targets/openmp/vector_functions.h"

#include "codegen/printing/c_printer.h"
#include "codegen/printing/c_types.h"

namespace tangram::codegen {

/// Step s exchanges, between rows s apart, what is off the diagonal of squares of 2 s x 2 s.
std::string turningFunction(const std::string &name, const std::string &vector, unsigned lanes) {
  const auto elements = [&](unsigned step, bool low) {
    std::string list;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool first = (lane & step) == 0;
      const unsigned from =
          low ? (first ? lane : lanes + lane - step) : (first ? lane + step : lanes + lane);
      list += ", " + std::to_string(from);
    }
    return list;
  };
  std::string text =
      "// Columns become rows.\nstatic inline void " + name + "(" + vector + " *rows) {\n";
  for (unsigned step = 1; step < lanes; step *= 2) {
    text += "  #pragma GCC unroll " + std::to_string(lanes) + "\n  for (size_t i = 0; i < " +
            std::to_string(lanes) + "; ++i) {\n    if ((i & " + std::to_string(step) +
            ") == 0) {\n";
    text += "      const " + vector + " a = rows[i];\n      const " + vector + " b = rows[i + " +
            std::to_string(step) + "];\n";
    text += "      rows[i] = __builtin_shufflevector(a, b" + elements(step, true) + ");\n";
    text += "      rows[i + " + std::to_string(step) + "] = __builtin_shufflevector(a, b" +
            elements(step, false) + ");\n    }\n  }\n";
  }
  return text + "}\n\n";
}

std::string selectingMacro(const std::string &name, const std::string &vector,
                           const std::string &mask) {
  return "// Elements of a where the mask is set, of b elsewhere.\n#define " + name +
         "(mask, a, b) \\\n  ((" + vector + ")(((mask) & (" + mask + ")(a)) | (~(mask) & (" + mask +
         ")(b))))\n\n";
}

std::string vectorMathDeclarations(const MathFunctions &functions) {
  static const std::set<std::string> ofOne = {
      "acos", "acosh", "asin",  "asinh", "atan",  "atanh", "cbrt", "cos", "cosh", "erf", "erfc",
      "exp",  "exp2",  "expm1", "log",   "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"};
  static const std::set<std::string> ofTwo = {"atan2", "hypot", "pow"};
  std::string text;
  for (const auto &[function, scalar] : functions) {
    if (scalar == ir::Scalar::F128 || (!ofOne.contains(function) && !ofTwo.contains(function)))
      continue;
    const std::string type = cName(scalar);
    text += "#pragma omp declare simd notinbranch\n" + type + " " + libraryName(function, scalar) +
            "(" + type + (ofTwo.contains(function) ? ", " + type : "") + ");\n";
  }
  if (text.empty())
    return text;
  return "// glibc has these for vectors, too.\n#if defined __x86_64__ && defined __GLIBC__ && "
         "!defined __clang__\n#if __GLIBC_PREREQ(2, 35)\n" +
         text + "#endif\n#endif\n\n";
}

} // namespace tangram::codegen
