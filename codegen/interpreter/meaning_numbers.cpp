#include "codegen/interpreter/meaning_numbers.h"

#include "codegen/interpreter/values.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tangram::codegen::interpreting {

using ir::Scalar;
using Wide = long double;

namespace {

double rounded(double x, Scalar type) {
  return type == Scalar::F32 ? static_cast<double>(static_cast<float>(x)) : x;
}

MeaningNumber like(Scalar type, const MeaningNumber &a, const MeaningNumber &b) {
  MeaningNumber result;
  result.type = type;
  result.written = true;
  result.depth = std::max(a.depth, b.depth) + 1;
  return result;
}

/// In the type itself: a float sum rounds once, to float.
template <class T> double narrowly(ir::Operator op, double a, double b) {
  const T x = static_cast<T>(a);
  const T y = static_cast<T>(b);
  if (op == "+")
    return static_cast<T>(x + y);
  if (op == "-")
    return static_cast<T>(x - y);
  if (op == "*")
    return static_cast<T>(x * y);
  return static_cast<T>(x / y);
}

/// The magnitude of a product or quotient: what the errors of each factor do to the other, and to each other,
/// unless `all` of both is less.
Wide bounded(Wide oneByOne, Wide all, Wide roundings, Scalar type) {
  const Wide bound = oneByOne + roundings * (type == Scalar::F32 ? 0x1p-22L : 0x1p-51L) * all;
  return bound < all ? bound : all;
}

MeaningNumber combineFloating(ir::Operator op, const MeaningNumber &a, const MeaningNumber &b,
                              Scalar type) {
  MeaningNumber result = like(type, a, b);
  result.narrow = type == Scalar::F32 ? narrowly<float>(op, a.narrow, b.narrow)
                                      : narrowly<double>(op, a.narrow, b.narrow);
  if (op == "+")
    result.wide = a.wide + b.wide;
  else if (op == "-")
    result.wide = a.wide - b.wide;
  else if (op == "*")
    result.wide = a.wide * b.wide;
  else
    result.wide = a.wide / b.wide;
  const Wide divisor = std::fabs(b.wide);
  const auto depth = static_cast<Wide>(result.depth);
  if (op == "*")
    result.magnitude = bounded(std::fabs(b.wide) * a.magnitude + std::fabs(a.wide) * b.magnitude,
                               a.magnitude * b.magnitude, depth, type);
  else if (op == "/" && std::isinf(divisor))
    result.magnitude = 0;
  else if (op == "/") {
    const Wide one = a.magnitude / divisor;
    const Wide other = b.magnitude / divisor;
    result.magnitude = bounded(one + std::fabs(a.wide) / divisor * other, one * other, depth, type);
  } else
    result.magnitude = a.magnitude + b.magnitude;
  return result;
}

MeaningNumber truth(bool value) { return integerNumber(value ? 1 : 0, Scalar::Bool); }

template <class T> MeaningNumber compared(ir::Operator op, T a, T b) {
  if (op == "<")
    return truth(a < b);
  if (op == "<=")
    return truth(a <= b);
  if (op == ">")
    return truth(a > b);
  if (op == ">=")
    return truth(a >= b);
  return truth(op == "==" ? a == b : a != b);
}

/// They wrap around.
template <class T> std::int64_t combineIntegers(ir::Operator op, T a, T b, std::string &problem) {
  T result{};
  if (op == "+")
    __builtin_add_overflow(a, b, &result);
  else if (op == "-")
    __builtin_sub_overflow(a, b, &result);
  else if (op == "*")
    __builtin_mul_overflow(a, b, &result);
  else if (op == "&")
    result = a & b;
  else if (op == "|")
    result = a | b;
  else if (op == "^")
    result = a ^ b;
  else if (b == 0)
    problem = "division by zero";
  else if (std::is_signed_v<T> && b == static_cast<T>(-1))
    result = op == "/" ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a)) : T{0};
  else
    result = op == "/" ? a / b : a % b;
  return static_cast<std::int64_t>(result);
}

template <class T> std::int64_t shifted(ir::Operator op, T a, std::int64_t by) {
  by &= static_cast<std::int64_t>(sizeof(T) * 8 - 1);
  return static_cast<std::int64_t>(
      op == "<<" ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << by)
                 : static_cast<T>(a >> by));
}

template <class F> double inType(Scalar type, const F &f) {
  return type == Scalar::F32 ? static_cast<double>(f(float{})) : f(double{});
}

} // namespace

MeaningNumber integerNumber(std::int64_t value, Scalar type) {
  MeaningNumber x;
  x.type = type;
  x.written = true;
  withType(type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>)
      x.integer = static_cast<std::int64_t>(static_cast<T>(value));
  });
  return x;
}

MeaningNumber floatingNumber(double value, Scalar type) {
  MeaningNumber x;
  x.type = type;
  x.written = true;
  x.narrow = rounded(value, type);
  x.wide = x.narrow;
  x.magnitude = std::fabs(x.wide);
  return x;
}

bool isTrue(const MeaningNumber &x) {
  return ir::isFloating(x.type) ? x.narrow != 0 : x.integer != 0;
}

MeaningNumber combine(ir::Operator op, const MeaningNumber &a, const MeaningNumber &b, Scalar type,
                      std::string &problem) {
  if (ir::isFloating(type))
    return op.isComparison() ? compared(op, a.narrow, b.narrow) : combineFloating(op, a, b, type);
  MeaningNumber result = integerNumber(0, type);
  withType(type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T> && sizeof(T) >= 4) {
      const T x = static_cast<T>(a.integer);
      const T y = static_cast<T>(b.integer);
      if (op.isComparison())
        result = compared(op, x, y);
      else if (op.isShift())
        result.integer = shifted<T>(op, x, b.integer);
      else
        result.integer = combineIntegers<T>(op, x, y, problem);
    }
  });
  return result;
}

MeaningNumber negated(const MeaningNumber &x) {
  std::string none;
  if (!ir::isFloating(x.type))
    return combine("-", integerNumber(0, x.type), x, x.type, none);
  MeaningNumber result = x;
  result.narrow = -x.narrow;
  result.wide = -x.wide;
  return result;
}

MeaningNumber convert(const MeaningNumber &x, Scalar type) {
  if (x.type == type)
    return x;
  if (type == Scalar::Bool)
    return truth(isTrue(x));
  if (!ir::isFloating(type)) {
    if (!ir::isFloating(x.type))
      return integerNumber(x.integer, type);
    std::int64_t whole = 0;
    withType(type, [&]<class T>(T) {
      if constexpr (std::is_integral_v<T>)
        whole = static_cast<std::int64_t>(saturated<T>(x.narrow));
    });
    return integerNumber(whole, type);
  }
  MeaningNumber result = x;
  result.type = type;
  if (ir::isFloating(x.type)) {
    result.narrow = rounded(x.narrow, type);
    // One rounding of a float is as much as 2^29 of a double.
    result.depth = type == Scalar::F64 ? x.depth * 0x1p29 : x.depth * 0x1p-29 + 1;
    return result;
  }
  const bool wide = x.type == Scalar::U64 || x.type == Scalar::Index;
  const auto bits = static_cast<std::uint64_t>(x.integer);
  result.wide = wide ? static_cast<Wide>(bits) : static_cast<Wide>(x.integer);
  result.narrow = inType(
      type, [&]<class T>(T) { return wide ? static_cast<T>(bits) : static_cast<T>(x.integer); });
  result.magnitude = std::fabs(result.wide);
  result.depth = 1;
  return result;
}

namespace {

struct Named {
  float (*single)(float);
  double (*real)(double);
  Wide (*wide)(Wide);
  /// For f(x) with magnitude m of x: a bound of |f'(x)| * m; null: as if it were m.
  Wide (*through)(Wide x, Wide m);
};

#define TANGRAM_NAMED(name, through)                                                               \
  {                                                                                                \
    #name, {                                                                                       \
      static_cast<float (*)(float)>(std::name), static_cast<double (*)(double)>(std::name),        \
          static_cast<Wide (*)(Wide)>(std::name), through                                          \
    }                                                                                              \
  }

const std::map<std::string, Named> &ofOne() {
  static const std::map<std::string, Named> all{
      TANGRAM_NAMED(sqrt, nullptr),
      TANGRAM_NAMED(cbrt, nullptr),
      TANGRAM_NAMED(fabs, nullptr),
      TANGRAM_NAMED(exp, [](Wide x, Wide m) { return std::exp(x) * m; }),
      TANGRAM_NAMED(exp2, [](Wide x, Wide m) { return std::exp2(x) * m; }),
      TANGRAM_NAMED(expm1, [](Wide x, Wide m) { return std::exp(x) * m; }),
      TANGRAM_NAMED(sinh, [](Wide x, Wide m) { return std::cosh(x) * m; }),
      TANGRAM_NAMED(cosh, [](Wide x, Wide m) { return std::cosh(x) * m; }),
      TANGRAM_NAMED(log, [](Wide x, Wide m) { return m / std::fabs(x); }),
      TANGRAM_NAMED(log10, [](Wide x, Wide m) { return m / std::fabs(x); }),
      TANGRAM_NAMED(log2, [](Wide x, Wide m) { return 2 * m / std::fabs(x); }),
      TANGRAM_NAMED(log1p, [](Wide x, Wide m) { return m / std::fabs(1 + x); }),
      TANGRAM_NAMED(asinh, nullptr),
      TANGRAM_NAMED(acosh, [](Wide x, Wide m) { return m / std::sqrt(std::fabs(x * x - 1)); }),
      TANGRAM_NAMED(atanh, [](Wide x, Wide m) { return m / std::fabs(1 - x * x); }),
      TANGRAM_NAMED(erf, [](Wide, Wide m) { return 2 * m; }),
      TANGRAM_NAMED(erfc, [](Wide, Wide m) { return 2 * m; }),
      TANGRAM_NAMED(sin, nullptr),
      TANGRAM_NAMED(cos, nullptr),
      TANGRAM_NAMED(tan, nullptr),
      TANGRAM_NAMED(asin, nullptr),
      TANGRAM_NAMED(acos, nullptr),
      TANGRAM_NAMED(atan, nullptr),
      TANGRAM_NAMED(tanh, nullptr),
      TANGRAM_NAMED(floor, nullptr),
      TANGRAM_NAMED(ceil, nullptr),
      TANGRAM_NAMED(trunc, nullptr),
      TANGRAM_NAMED(round, nullptr),
      TANGRAM_NAMED(rint, nullptr)};
  return all;
}

#undef TANGRAM_NAMED

double pairOf(const std::string &name, Scalar type, double a, double b) {
  return inType(type, [&]<class T>(T) -> T {
    const T x = static_cast<T>(a);
    const T y = static_cast<T>(b);
    return name == "pow"     ? std::pow(x, y)
           : name == "atan2" ? std::atan2(x, y)
           : name == "hypot" ? std::hypot(x, y)
           : name == "fmod"  ? std::fmod(x, y)
                             : std::copysign(x, y);
  });
}

Wide pairOfWide(const std::string &name, Wide x, Wide y) {
  return name == "pow"     ? std::pow(x, y)
         : name == "atan2" ? std::atan2(x, y)
         : name == "hypot" ? std::hypot(x, y)
         : name == "fmod"  ? std::fmod(x, y)
                           : std::copysign(x, y);
}

MeaningNumber extreme(const std::string &name, const MeaningNumber &a, const MeaningNumber &b,
                      Scalar type) {
  const bool least = name == "min" || name == "fmin";
  if (!ir::isFloating(type)) {
    std::string none;
    const Scalar wide = ir::commonScalar(type, type); // types of 8 and 16 bits are compared as int
    const bool second =
        isTrue(least ? combine("<", b, a, wide, none) : combine("<", a, b, wide, none));
    return second ? b : a;
  }
  const bool byName = name == "fmin" || name == "fmax";
  bool second = least ? b.narrow < a.narrow : a.narrow < b.narrow;
  if (byName)
    second = !std::isnan(b.narrow) && !(least ? a.narrow < b.narrow : b.narrow < a.narrow);
  MeaningNumber result = second ? b : a;
  if (std::isinf((second ? a : b).wide)) // which no rounding chooses
    return result;
  result.magnitude = std::max(a.magnitude, b.magnitude);
  result.depth = std::max(a.depth, b.depth);
  return result;
}

MeaningNumber applyOne(const std::string &name, const Named &f, const MeaningNumber &x,
                       Scalar type) {
  MeaningNumber result = like(type, x, x);
  result.narrow = type == Scalar::F32 ? static_cast<double>(f.single(static_cast<float>(x.narrow)))
                                      : f.real(x.narrow);
  result.wide = f.wide(x.wide);
  if (name == "fabs") {
    result.magnitude = x.magnitude;
    result.depth = x.depth;
  } else if (std::isinf(x.wide)) { // what is made of it has no rounding error
    result.magnitude = std::fabs(result.wide);
  } else if (name == "sqrt" || name == "cbrt") {
    const Wide size = std::fabs(x.wide);
    result.magnitude =
        size > 0 ? std::fabs(result.wide) * (x.magnitude / size) : f.wide(x.magnitude);
  } else {
    result.magnitude =
        std::fabs(result.wide) + (f.through ? f.through(x.wide, x.magnitude) : x.magnitude);
  }
  return result;
}

} // namespace

std::optional<MeaningNumber> apply(const std::string &function,
                                   const std::vector<MeaningNumber> &args, Scalar type) {
  const std::string name = function == "abs" && ir::isFloating(type) ? "fabs" : function;
  if (args.size() == 2 && (name == "min" || name == "max" || name == "fmin" || name == "fmax"))
    return extreme(name, args[0], args[1], type);
  std::string none;
  if (name == "abs" && args.size() == 1)
    return args[0].integer < 0 && ir::isSigned(type) ? negated(args[0]) : args[0];
  if (!ir::isFloating(type))
    return std::nullopt;
  if (auto one = ofOne().find(name); one != ofOne().end() && args.size() == 1)
    return applyOne(name, one->second, args[0], type);
  if (name == "fma" && args.size() == 3) {
    MeaningNumber result = like(type, args[0], args[1]);
    result.depth = std::max(result.depth, args[2].depth + 1);
    result.narrow = inType(type, [&]<class T>(T) -> T {
      return std::fma(static_cast<T>(args[0].narrow), static_cast<T>(args[1].narrow),
                      static_cast<T>(args[2].narrow));
    });
    result.wide = std::fma(args[0].wide, args[1].wide, args[2].wide);
    result.magnitude = args[0].magnitude * args[1].magnitude + args[2].magnitude;
    return result;
  }
  const bool known =
      name == "pow" || name == "atan2" || name == "hypot" || name == "fmod" || name == "copysign";
  if (!known || args.size() != 2)
    return std::nullopt;
  MeaningNumber result = like(type, args[0], args[1]);
  result.narrow = pairOf(name, type, args[0].narrow, args[1].narrow);
  result.wide = pairOfWide(name, args[0].wide, args[1].wide);
  const bool infinite = name != "fmod" && (std::isinf(args[0].wide) || std::isinf(args[1].wide));
  result.magnitude = name == "copysign" ? args[0].magnitude
                     : infinite         ? std::fabs(result.wide)
                                : std::fabs(result.wide) + args[0].magnitude + args[1].magnitude;
  return result;
}

} // namespace tangram::codegen::interpreting
