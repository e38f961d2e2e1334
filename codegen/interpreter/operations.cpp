// Arithmetic, conversions and library functions.
#include "codegen/interpreter/operations.h"

#include <cmath>

namespace tangram::codegen::interpreting {

using Code = ir::Operator::Code;
using Kind = Report::Kind;

namespace {

/// Integers wrap around.
template <class T, Code op> T arithmetic(T x, T y) {
  T result{};
  if constexpr (std::is_floating_point_v<T>)
    result = op == Code::Add        ? x + y
             : op == Code::Subtract ? x - y
             : op == Code::Multiply ? x * y
                                    : x / y;
  else if constexpr (op == Code::Add)
    __builtin_add_overflow(x, y, &result);
  else if constexpr (op == Code::Subtract)
    __builtin_sub_overflow(x, y, &result);
  else
    __builtin_mul_overflow(x, y, &result);
  return result;
}

template <class T, bool remainder>
T divide(Machine &m, Activity &a, const Instruction &in, T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return x / y;
  } else {
    if (y == 0) {
      m.report(Kind::Division, in.site, nameOf(a.worker) + " divides by zero");
      return 0;
    }
    if (std::is_signed_v<T> && y == static_cast<T>(-1))
      return remainder ? 0 : arithmetic<T, Code::Subtract>(0, x);
    return remainder ? static_cast<T>(x % y) : static_cast<T>(x / y);
  }
}

template <class T, bool left> T shift(T x, std::int64_t by) {
  by &= static_cast<std::int64_t>(sizeof(T) * 8 - 1);
  if constexpr (left)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << by);
  else
    return static_cast<T>(x >> by);
}

template <class T, Code op> void binary(Machine &m, Activity &act, const Instruction &in) {
  Value *r = act.registers.data();
  const T x = as<T>(r[in.a]);
  const T y = as<T>(r[in.b]);
  if constexpr (op == Code::Add || op == Code::Subtract || op == Code::Multiply)
    r[in.to] = valueOf<T>(arithmetic<T, op>(x, y));
  else if constexpr (op == Code::Divide)
    r[in.to] = valueOf<T>(divide<T, false>(m, act, in, x, y));
  else if constexpr (op == Code::Less)
    r[in.to] = valueOf<bool>(x < y);
  else if constexpr (op == Code::LessOrEqual)
    r[in.to] = valueOf<bool>(x <= y);
  else if constexpr (op == Code::Greater)
    r[in.to] = valueOf<bool>(x > y);
  else if constexpr (op == Code::GreaterOrEqual)
    r[in.to] = valueOf<bool>(x >= y);
  else if constexpr (op == Code::Equal)
    r[in.to] = valueOf<bool>(x == y);
  else if constexpr (op == Code::NotEqual)
    r[in.to] = valueOf<bool>(x != y);
  else if constexpr (std::is_integral_v<T>) {
    if constexpr (op == Code::Remainder)
      r[in.to] = valueOf<T>(divide<T, true>(m, act, in, x, y));
    else if constexpr (op == Code::BitAnd)
      r[in.to] = valueOf<T>(static_cast<T>(x & y));
    else if constexpr (op == Code::BitOr)
      r[in.to] = valueOf<T>(static_cast<T>(x | y));
    else if constexpr (op == Code::BitXor)
      r[in.to] = valueOf<T>(static_cast<T>(x ^ y));
    else if constexpr (op == Code::ShiftLeft)
      r[in.to] = valueOf<T>(shift<T, true>(x, r[in.b].i));
    else if constexpr (op == Code::ShiftRight)
      r[in.to] = valueOf<T>(shift<T, false>(x, r[in.b].i));
  }
}

template <class T> Handler binaryOf(Code op) {
  switch (op) {
  case Code::Add:
    return binary<T, Code::Add>;
  case Code::Subtract:
    return binary<T, Code::Subtract>;
  case Code::Multiply:
    return binary<T, Code::Multiply>;
  case Code::Divide:
    return binary<T, Code::Divide>;
  case Code::Less:
    return binary<T, Code::Less>;
  case Code::LessOrEqual:
    return binary<T, Code::LessOrEqual>;
  case Code::Greater:
    return binary<T, Code::Greater>;
  case Code::GreaterOrEqual:
    return binary<T, Code::GreaterOrEqual>;
  case Code::Equal:
    return binary<T, Code::Equal>;
  case Code::NotEqual:
    return binary<T, Code::NotEqual>;
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
    case Code::Remainder:
      return binary<T, Code::Remainder>;
    case Code::BitAnd:
      return binary<T, Code::BitAnd>;
    case Code::BitOr:
      return binary<T, Code::BitOr>;
    case Code::BitXor:
      return binary<T, Code::BitXor>;
    case Code::ShiftLeft:
      return binary<T, Code::ShiftLeft>;
    case Code::ShiftRight:
      return binary<T, Code::ShiftRight>;
    default:
      break;
    }
  }
  return nullptr;
}

template <class T> void negate(Machine &, Activity &act, const Instruction &in) {
  Value *r = act.registers.data();
  if constexpr (std::is_floating_point_v<T>)
    r[in.to] = valueOf<T>(-as<T>(r[in.a]));
  else
    r[in.to] = valueOf<T>(arithmetic<T, Code::Subtract>(0, as<T>(r[in.a])));
}

void isZero(Machine &, Activity &act, const Instruction &in) {
  act.registers[in.to] = valueOf<bool>(act.registers[in.a].u == 0);
}

template <class T> void complement(Machine &, Activity &act, const Instruction &in) {
  act.registers[in.to] = valueOf<T>(static_cast<T>(~as<T>(act.registers[in.a])));
}

template <class From, class To> void convert(Machine &, Activity &act, const Instruction &in) {
  Value *r = act.registers.data();
  const From x = as<From>(r[in.a]);
  if constexpr (std::is_same_v<To, bool>)
    r[in.to] = valueOf<bool>(x != 0);
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    r[in.to] = valueOf<To>(saturated<To>(x));
  else
    r[in.to] = valueOf<To>(static_cast<To>(x));
}

template <class T> T lesser(T x, T y) { return y < x ? y : x; }
template <class T> T larger(T x, T y) { return x < y ? y : x; }

template <class T, T (*f)(T)> void call1(Machine &, Activity &act, const Instruction &in) {
  act.registers[in.to] = valueOf<T>(f(as<T>(act.registers[in.a])));
}
template <class T, T (*f)(T, T)> void call2(Machine &, Activity &act, const Instruction &in) {
  act.registers[in.to] = valueOf<T>(f(as<T>(act.registers[in.a]), as<T>(act.registers[in.b])));
}
template <class T> void callFma(Machine &, Activity &act, const Instruction &in) {
  const Value *r = act.registers.data();
  act.registers[in.to] = valueOf<T>(std::fma(as<T>(r[in.a]), as<T>(r[in.b]), as<T>(r[in.extra])));
}
template <class T> void absolute(Machine &, Activity &act, const Instruction &in) {
  const T x = as<T>(act.registers[in.a]);
  if constexpr (std::is_floating_point_v<T>)
    act.registers[in.to] = valueOf<T>(std::fabs(x));
  else
    act.registers[in.to] = valueOf<T>(x < 0 ? arithmetic<T, Code::Subtract>(0, x) : x);
}

template <class T> Handler floatingFunction(const std::string &name) {
  static const std::map<std::string, Handler> all{
      {"sqrt", call1<T, std::sqrt>},         {"cbrt", call1<T, std::cbrt>},
      {"exp", call1<T, std::exp>},           {"exp2", call1<T, std::exp2>},
      {"expm1", call1<T, std::expm1>},       {"log", call1<T, std::log>},
      {"log2", call1<T, std::log2>},         {"log10", call1<T, std::log10>},
      {"log1p", call1<T, std::log1p>},       {"sin", call1<T, std::sin>},
      {"cos", call1<T, std::cos>},           {"tan", call1<T, std::tan>},
      {"asin", call1<T, std::asin>},         {"acos", call1<T, std::acos>},
      {"atan", call1<T, std::atan>},         {"sinh", call1<T, std::sinh>},
      {"cosh", call1<T, std::cosh>},         {"tanh", call1<T, std::tanh>},
      {"asinh", call1<T, std::asinh>},       {"acosh", call1<T, std::acosh>},
      {"atanh", call1<T, std::atanh>},       {"erfc", call1<T, std::erfc>},
      {"erf", call1<T, std::erf>},           {"floor", call1<T, std::floor>},
      {"ceil", call1<T, std::ceil>},         {"trunc", call1<T, std::trunc>},
      {"round", call1<T, std::round>},       {"rint", call1<T, std::rint>},
      {"pow", call2<T, std::pow>},           {"atan2", call2<T, std::atan2>},
      {"hypot", call2<T, std::hypot>},       {"fmod", call2<T, std::fmod>},
      {"fmin", call2<T, smallerNumber>},     {"fmax", call2<T, largerNumber>},
      {"copysign", call2<T, std::copysign>}, {"fma", callFma<T>}};
  auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

} // namespace

Handler binaryOperation(ir::Operator op, ir::Scalar type) {
  Handler found = nullptr;
  withType(type, [&]<class T>(T) {
    if constexpr (sizeof(T) >= 4)
      found = binaryOf<T>(op.code());
  });
  return found;
}

Handler unaryOperation(ir::Operator op, ir::Scalar type) {
  Handler found = nullptr;
  withType(type, [&]<class T>(T) {
    if constexpr (sizeof(T) >= 4) {
      if (op == "-")
        found = negate<T>;
      else if (op == "+")
        found = move;
      if constexpr (std::is_integral_v<T>) {
        if (op == "~")
          found = complement<T>;
      }
    }
  });
  return op == "!" ? isZero : found;
}

Handler conversion(ir::Scalar from, ir::Scalar to) {
  Handler found = nullptr;
  withType(from, [&]<class From>(From) {
    withType(to, [&]<class To>(To) { found = convert<From, To>; });
  });
  return found;
}

Handler function(const std::string &name, ir::Scalar type) {
  Handler found = nullptr;
  withType(type, [&]<class T>(T) {
    if (name == "min")
      found = call2<T, lesser<T>>;
    else if (name == "max")
      found = call2<T, larger<T>>;
    else if (name == "abs" || name == "fabs")
      found = absolute<T>;
    else if constexpr (std::is_floating_point_v<T>)
      found = floatingFunction<T>(name);
  });
  return found;
}

} // namespace tangram::codegen::interpreting
