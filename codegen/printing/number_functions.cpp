#include "codegen/printing/number_functions.h"

#include "codegen/printing/rounding_functions.h"

#include <cstdint>
#include <limits>

namespace tangram::codegen {

using namespace ir;

namespace {

std::string head(const NumberFunction &f, const TypeNames &typeName, const std::string &params) {
  return "static inline " + typeName(f.type) + " " + nameOf(f) + "(" + params + ") {\n";
}

unsigned bitsOf(Scalar type) { return static_cast<unsigned>(8 * byteSize(type)); }

/// The largest number of a type, and the least, as literals of C.
std::string largest(Scalar type) {
  const bool wide = bitsOf(type) == 64;
  if (isSigned(type))
    return std::to_string(std::numeric_limits<std::int64_t>::max() >> (64 - bitsOf(type))) +
           (wide ? "L" : "");
  return std::to_string(std::numeric_limits<std::uint64_t>::max() >> (64 - bitsOf(type))) +
         (wide ? "UL" : "U");
}

std::string least(Scalar type) { return isSigned(type) ? "-" + largest(type) + " - 1" : "0"; }

/// 2 to a power as a number of a floating-point type.
std::string powerOf2(unsigned exponent, Scalar type) {
  const std::string text =
      exponent == 64 ? "18446744073709551616" : std::to_string(std::uint64_t{1} << exponent);
  return text + (type == Scalar::F32 ? ".0f" : ".0");
}

/// Saturating conversion: a number beyond an end of the type becomes that end, and NaN becomes 0.
std::string conversion(const NumberFunction &f, const TypeNames &typeName) {
  const unsigned digits = bitsOf(f.type) - (isSigned(f.type) ? 1 : 0);
  const std::string above = powerOf2(digits, f.from);
  const std::string zero = f.from == Scalar::F32 ? "0.0f" : "0.0";
  const std::string below = isSigned(f.type) ? "-" + above : zero;
  const std::string to = "(" + typeName(f.type) + ")";
  return head(f, typeName, typeName(f.from) + " x") + "  return x >= " + above + " ? " +
         largest(f.type) + " : x >= " + below + " ? " + to + "x : x < " + below + " ? " +
         least(f.type) + " : 0;\n}\n\n";
}

std::string choice(const NumberFunction &f, const TypeNames &typeName) {
  const std::string type = typeName(f.type);
  const std::string both = head(f, typeName, type + " a, " + type + " b");
  const bool isLeast = f.function == "min" || f.function == "fmin";
  if (f.function == "min" || f.function == "max")
    return both + "  return " + (isLeast ? "b < a" : "a < b") + " ? b : a;\n}\n\n";
  // Where one is NaN, it is the other one. Of the library's functions compilers make calls and no vectors.
  return both + "  const " + type + " chosen = " + (isLeast ? "a < b" : "a > b") +
         " ? a : b;\n  return b == b ? chosen : a;\n}\n\n";
}

std::string definition(const NumberFunction &f, const TypeNames &typeName) {
  if (f.function.empty())
    return conversion(f, typeName);
  if (isRounding(f.function))
    return roundingDefinitions(f.function, f.type, typeName);
  const std::string type = typeName(f.type);
  const std::string bits = typeName(f.type == Scalar::I64 ? Scalar::U64 : Scalar::U32);
  const std::string minus = "(" + type + ")-(" + bits + ")a";
  if (f.function == wrappingAbsolute)
    return head(f, typeName, type + " a") + "  return a < 0 ? " + minus + " : a;\n}\n\n";
  const std::string both = head(f, typeName, type + " a, " + type + " b");
  if (f.function == wrappingQuotient)
    return both + "  return b == -1 ? " + minus + " : a / b;\n}\n\n";
  if (f.function == wrappingRemainder)
    return both + "  return b == -1 ? 0 : a % b;\n}\n\n";
  return choice(f, typeName);
}

} // namespace

bool isWrapping(const std::string &function) { return function.starts_with("wrapping "); }

std::string nameOf(const NumberFunction &f) {
  const std::string type = shortName(f.type);
  if (f.function.empty())
    return type + "_of_" + shortName(f.from);
  const std::string base = f.function == wrappingQuotient    ? "quotient"
                           : f.function == wrappingRemainder ? "remainder"
                           : f.function == wrappingAbsolute  ? "absolute"
                                                             : f.function;
  return base + "_" + type;
}

std::string definitionsOf(const std::set<NumberFunction> &functions, const TypeNames &typeName) {
  std::string text;
  for (const NumberFunction &each : functions)
    text += definition(each, typeName);
  return text;
}

} // namespace tangram::codegen
