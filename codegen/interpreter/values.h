// Values as registers hold them, by C++ type.
#pragma once

#include "ir/type.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tangram::codegen::interpreting {

/// Integers are kept sign- or zero-extended.
union Value {
  std::int64_t i;
  std::uint64_t u;
  double d;
  float f;
};

template <class T> T as(Value v) {
  if constexpr (std::is_same_v<T, float>)
    return v.f;
  else if constexpr (std::is_same_v<T, double>)
    return v.d;
  else if constexpr (std::is_same_v<T, bool>)
    return v.u != 0;
  else
    return static_cast<T>(v.u);
}

template <class T> Value valueOf(T x) {
  Value v{0};
  if constexpr (std::is_same_v<T, float>)
    v.f = x;
  else if constexpr (std::is_same_v<T, double>)
    v.d = x;
  else
    v.i = static_cast<std::int64_t>(x);
  return v;
}

/// A floating-point number as an integer: what is beyond an end of the type is that end, NaN is 0.
template <class To, class From> To saturated(From x) {
  using Limits = std::numeric_limits<To>;
  const From above = std::ldexp(From{1}, Limits::digits); // a power of two, which `From` holds
  if (x >= above)
    return Limits::max();
  const From below = Limits::is_signed ? -above : From{0};
  return x >= below ? static_cast<To>(x) : x < below ? Limits::min() : To{0};
}

/// The smaller, or larger, of two numbers; where one is NaN, the other one.
template <class T> T smallerNumber(T a, T b) { return b != b ? a : a < b ? a : b; }
template <class T> T largerNumber(T a, T b) { return b != b ? a : a > b ? a : b; }

/// Calls `function` with a T, the C++ type of a scalar; false for a type without one.
template <class Function> bool withType(ir::Scalar scalar, const Function &function) {
  switch (scalar) {
  case ir::Scalar::Bool:
    function(bool{});
    return true;
  case ir::Scalar::I8:
    function(std::int8_t{});
    return true;
  case ir::Scalar::U8:
    function(std::uint8_t{});
    return true;
  case ir::Scalar::I16:
    function(std::int16_t{});
    return true;
  case ir::Scalar::U16:
    function(std::uint16_t{});
    return true;
  case ir::Scalar::I32:
    function(std::int32_t{});
    return true;
  case ir::Scalar::U32:
    function(std::uint32_t{});
    return true;
  case ir::Scalar::I64:
    function(std::int64_t{});
    return true;
  case ir::Scalar::U64:
  case ir::Scalar::Index:
    function(std::uint64_t{});
    return true;
  case ir::Scalar::F32:
    function(float{});
    return true;
  case ir::Scalar::F64:
    function(double{});
    return true;
  case ir::Scalar::F16:
  case ir::Scalar::F128:
  case ir::Scalar::Void:
    return false;
  }
  return false;
}

} // namespace tangram::codegen::interpreting
