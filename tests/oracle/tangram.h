// The language header as plain C++: codelets that call no spectrum are functions of it, and containers views of memory.
// The oracle of tests/oracle.py is compiled with it. Only what the first codelets of the library need.
#pragma once

#include <cfloat>
#include <climits>
#include <math.h>
#include <cstddef>
#include <cstdlib>
#include <type_traits>

#define __codelet static
#define __tag(name)
#define __env(...)

/// A view of n dimensions: where it begins, its extents, and row-major strides.
template <int n, class T> class Array {
public:
  Array(T *first, const std::size_t *extents) : first_(first) {
    for (int d = 0; d < n; ++d)
      extents_[d] = extents[d];
  }
  unsigned size(int d = 0) const { return static_cast<unsigned>(extents_[d]); }
  decltype(auto) operator[](std::size_t i) const {
    if constexpr (n == 1) {
      return (first_[i]);
    } else {
      std::size_t row = 1;
      for (int d = 1; d < n; ++d)
        row *= extents_[d];
      return Array<n - 1, T>(first_ + i * row, extents_ + 1);
    }
  }

  struct Position {
    const Array *of;
    std::size_t at;
    decltype(auto) operator*() const { return (*of)[at]; }
    Position &operator++() { return ++at, *this; }
    bool operator!=(const Position &other) const { return at != other.at; }
  };
  Position begin() const { return {this, 0}; }
  Position end() const { return {this, extents_[0]}; }

private:
  T *first_;
  std::size_t extents_[n];
};

inline void require(bool) {}
template <class T> bool within(const T &, long, long) { return true; }
template <class T> bool ascending(const T &, long, long) { return true; }
inline void typical(std::size_t, std::size_t) {}

template <class A, class B> using Common = std::decay_t<decltype(false ? A() : B())>;
template <class A, class B> Common<A, B> min(A a, B b) {
  const Common<A, B> x = a, y = b;
  return y < x ? y : x;
}
template <class A, class B> Common<A, B> max(A a, B b) {
  const Common<A, B> x = a, y = b;
  return x < y ? y : x;
}
template <class T> auto absolute(T x) -> decltype(-x) { return x < 0 ? -x : x; }
#define abs absolute
// IEEE leaves open which of two zeros it is; the language says the second.
template <class T> T smaller(T a, T b) { return b != b ? a : a < b ? a : b; }
template <class T> T larger(T a, T b) { return b != b ? a : a > b ? a : b; }
#define fmin smaller
#define fmax larger

// Operations that C++ leaves open and the language defines.
template <class A, class B> auto quotient(A a, B b) -> decltype(a / b) {
  using T = decltype(a / b);
  const T x = static_cast<T>(a), y = static_cast<T>(b);
  if constexpr (std::is_signed_v<T>)
    return y == -1 ? 0 - x : x / y;
  return x / y;
}
template <class A, class B> auto remainder_of(A a, B b) -> decltype(a % b) {
  using T = decltype(a % b);
  const T x = static_cast<T>(a), y = static_cast<T>(b);
  if constexpr (std::is_signed_v<T>)
    return y == -1 ? 0 : x % y;
  return x % y;
}
template <class A, class B> auto left(A a, B b) -> decltype(+a) {
  return +a << (static_cast<unsigned long>(b) & (8 * sizeof(+a) - 1));
}
template <class A, class B> auto right(A a, B b) -> decltype(+a) {
  return +a >> (static_cast<unsigned long>(b) & (8 * sizeof(+a) - 1));
}
template <class To, class From> To saturated(From x) {
  constexpr bool isSigned = std::is_signed_v<To>;
  const From above = std::ldexp(From(1), static_cast<int>(8 * sizeof(To)) - isSigned);
  const To most = static_cast<To>(isSigned ? ~0UL >> (65 - 8 * sizeof(To)) : ~0UL);
  if (x != x)
    return 0;
  if (x >= above)
    return most;
  if (isSigned ? x < -above : x < 0)
    return static_cast<To>(isSigned ? -static_cast<long>(most) - 1 : 0);
  return static_cast<To>(x);
}
#define QUOTIENT(a, b) quotient(a, b)
#define REMAINDER(a, b) remainder_of(a, b)
#define LEFT(a, b) left(a, b)
#define RIGHT(a, b) right(a, b)
#define TO(type, x) saturated<type>(x)
