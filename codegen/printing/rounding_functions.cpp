#include "codegen/printing/rounding_functions.h"

namespace tangram::codegen {

using namespace ir;

namespace {

void replaceAll(std::string &text, const std::string &what, const std::string &with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// The rest of a sum is what its result has lost itself, exactly (Knuth's TwoSum). A result that is a number of the narrow
/// type stays; that of a function, which libraries do not round exactly, moves always. The digits of a result and of its
/// rest say where to, so that equal results are rounded alike. With TANGRAM_SAMPLE_ROUNDINGS 1 each goes where it does
/// not with 0 (antithetic samples): where one rounding decides a result, one of two samples shows it.
const char *const functions = R"(
#ifdef TANGRAM_SAMPLE_ROUNDINGS
// One of the two numbers of NARROW around x + rest, or one that is so many ulps away.
static inline WIDE rounded_NAME(WIDE x, double rest, int ulps) {
  union {
    NARROW number;
    BITS bits;
  } to;
  union {
    double number;
    WORD bits;
  } own, left;
  if (x - x != 0)
    return x;
  to.number = (NARROW)x;
  own.number = (double)x;
  left.number = (double)(x - to.number) + rest;
  const WORD mixed = ((own.bits ^ (left.bits << 1)) * 0x9E3779B97F4A7C15UL) ^ left.bits;
  const WORD random = (mixed ^ (mixed >> 32)) * 0x9E3779B97F4A7C15UL;
  const WORD digits = random ^ -(WORD)TANGRAM_SAMPLE_ROUNDINGS;
  if (left.number != 0 && (digits >> 63) != 0) {
    if (to.number == 0)
      to.number = left.number < 0 ? -(NARROW)0 : (NARROW)0;
    to.bits += to.number == 0 || (to.number > 0) == (left.number > 0) ? 1 : -1;
  }
  const BITS magnitude = to.bits & (BITS)-1 >> 1;
  if (ulps > 0 && magnitude > 64 && magnitude < INFINITE - 64)
    to.bits += ((digits >> 62 & 1) != 0 ? 1 : -1) * (1 + (int)((digits >> 32) % (WORD)ulps));
  return to.number;
}
static inline WIDE sum_NAME(WIDE a, WIDE b) {
  const WIDE sum = a + b;
  const WIDE part = sum - a;
  return rounded_NAME(sum, (double)((a - (sum - part)) + (b - part)), 0);
}
#define difference_NAME(a, b) sum_NAME(a, -(b))
#define result_NAME(x, ulps) rounded_NAME(x, 0, ulps)
#else
#define sum_NAME(a, b) ((a) + (b))
#define difference_NAME(a, b) ((a) - (b))
#define result_NAME(x, ulps) (x)
#endif
)";

} // namespace

std::string roundingName(const std::string &what, Scalar narrow) {
  return what + " " + shortName(narrow);
}

bool isRounding(const std::string &callee) {
  return callee.starts_with("sum ") || callee.starts_with("difference ") ||
         callee.starts_with("result ");
}

Scalar roundedType(const std::string &callee) {
  return scalarNamed(callee.substr(callee.rfind(' ') + 1));
}

std::string roundingFunction(const std::string &callee, Scalar wide) {
  return callee.substr(0, callee.find(' ')) + "_" + shortName(roundedType(callee)) + "_in_" +
         shortName(wide);
}

std::string roundingDefinitions(const std::string &callee, Scalar wide, const TypeNames &typeName) {
  const Scalar narrow = roundedType(callee);
  const bool isFloat = narrow == Scalar::F32;
  std::string text = std::string(functions).substr(1);
  replaceAll(text, "NAME", shortName(narrow) + "_in_" + shortName(wide));
  replaceAll(text, "NARROW", typeName(narrow));
  replaceAll(text, "WIDE", typeName(wide));
  replaceAll(text, "INFINITE", isFloat ? "0x7F800000U" : "0x7FF0000000000000UL");
  replaceAll(text, "BITS", typeName(isFloat ? Scalar::U32 : Scalar::U64));
  replaceAll(text, "WORD", typeName(Scalar::U64));
  return text + "\n";
}

} // namespace tangram::codegen
