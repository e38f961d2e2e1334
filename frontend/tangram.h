// The language of codelets: qualifiers and primitives.
//
// A codelet source is plain C++17 that starts with
//
//     #include <tangram.h>
//
// A *spectrum* is a computation with a name and a signature; a *codelet* is one
// way to do it. All codelets of a spectrum have its name and signature, and any
// of them may be chosen, on any level of a machine:
//
//     __codelet
//     int sum(const Array<1, int> in) {            // a codelet; implies spectrum sum
//       int accum = 0;
//       for (unsigned i = 0; i < in.size(); ++i)
//         accum += in[i];
//       return accum;
//     }
//
//     __codelet __tag(tiled)
//     int sum(const Array<1, int> in) {            // another codelet of spectrum sum
//       __tunable unsigned p;
//       unsigned tile = (in.size() + p - 1) / p;
//       return sum(map(sum, partition(in, p,
//           sequence(0, tile, in.size()), sequence(1), sequence(tile, tile, in.size() + 1))));
//     }
//
// Nothing here has a body: codelets are synthesized into kernels, not executed
// as C++. (After chapter 4 of the TANGRAM dissertation; tables 4.1 and 4.2.)
#pragma once

// ----------------------------------------------------------------------------
// Qualifiers. Those of a codelet stand beside `__codelet`, in any order.
// ----------------------------------------------------------------------------

/// On a function declaration: a spectrum. On a definition: a codelet of the
/// spectrum of that name, which the definition also declares where nothing else does.
#define __codelet _Pragma("tangram codelet")

/// A cooperative codelet: all lanes of a vector run it together, in lockstep (a
/// statement reads for every lane before it writes for any). coopIdx() and
/// coopDim() tell the lanes apart. It calls no spectrum.
#define __coop

/// A name for a codelet, used in plans and messages: `__tag(kog)`.
#define __tag(name)

/// The targets a codelet is written for, where it is not for all:
/// `__env(opencl, cuda)`. Targets are opencl, openmp and cuda.
#define __env(...)

/// A variable of a cooperative codelet that all its lanes share:
/// `__shared int tmp[coopDim()];`
#define __shared __attribute__((annotate("tangram shared")))

/// An integer local whose value is chosen when the kernel is tuned or launched,
/// from a domain where one is given: `__tunable unsigned p = pow2(32, 1024);`
#define __tunable __attribute__((annotate("tangram tunable")))

namespace tangram {

// ----------------------------------------------------------------------------
// Containers
// ----------------------------------------------------------------------------

/// What sizes and positions are counted in.
using Size = decltype(sizeof(0));

namespace detail {

template <unsigned N, typename T> class Row;

/// Type of `a[i]` for an n-dimensional `a`.
template <unsigned N, typename T> struct Element {
  using type = Row<N - 1, T>;
};
template <typename T> struct Element<1, T> {
  using type = T &;
};

/// `a[i]` of an n-dimensional `a`, waiting for its next subscript.
template <unsigned N, typename T> class Row {
public:
  typename Element<N, T>::type operator[](Size i) const;
};

} // namespace detail

/// An n-dimensional view of elements of type T; copies share the elements. As a
/// parameter, `const Array<1, int> in` is an input and `Array<1, int> out` an
/// output, or in/out. T is an integer type, bool, float or double.
template <unsigned N, typename T> class Array {
public:
  Array() = delete;

  /// Number of elements along dimension d.
  Size size(unsigned d = 0) const;

  /// Element: `a[i]`, `a[i][j]`, ...
  typename detail::Element<N, T>::type operator[](Size i);
  typename detail::Element<N, const T>::type operator[](Size i) const;
};

/// A container of sub-containers of type C: what partition gives.
template <typename C> class Parts {
public:
  Parts() = delete;
};

// ----------------------------------------------------------------------------
// Primitives
// ----------------------------------------------------------------------------

/// Where the parts of a partition start, step and end: see sequence.
class Sequence {
public:
  Sequence() = delete;
};

namespace detail {

template <typename C> class Whole {
public:
  Whole() = delete;
};

/// Stands in for the type of a primitive that is used wrongly: fits everywhere,
/// so that the one message is the synthesizer's, at the primitive.
struct Misused {
  template <typename T> operator T() const;
};

template <typename F> struct MapResult {
  using type = Misused;
};
template <typename R, typename... P> struct MapResult<R (*)(P...)> {
  using type = Array<1, R>;
};
template <typename... P> struct MapResult<void (*)(P...)> {
  using type = void;
};

template <typename... A> struct PartitionResult {
  using type = Misused;
};
template <typename C, typename... A> struct PartitionResult<C, A...> {
  using type = Parts<C>;
};

} // namespace detail

/// map(f, c...): the container of f's results on corresponding elements of the
/// containers c. The elements of a partition are its sub-containers. A scalar,
/// or a container in all(...), is the same for every element. A void f writes
/// through its non-const parameters.
template <typename F, typename... A>
typename detail::MapResult<F>::type map(F spectrum, const A &...arguments) {
  // Never executed: C++ wants a body where F is a lambda's type, which is a mistake
  // that the synthesizer has a better message for.
  __builtin_trap();
}

/// In a map: the whole container c for every element.
template <typename C> detail::Whole<C> all(const C &c);

/// partition(c, n, start, inc, end): n sub-containers of c, which share its
/// elements. Number i holds the elements at start(i), start(i) + inc(i), ... that
/// are below both end(i) and c.size(); it may be empty. The last three are sequences.
template <typename... A>
typename detail::PartitionResult<A...>::type partition(const A &...arguments);

/// A sequence of integers, given to partition:
///   sequence(a)                   a, a, a, ...
///   sequence(start, inc, end)     start, start + inc, start + 2 * inc, ...
///   sequence(c, start, inc, end)  the elements of container c at those places
/// `end` bounds what may be asked for.
template <typename... A> Sequence sequence(const A &...arguments);

/// Lane of a cooperative codelet, 0 <= coopIdx() < coopDim().
unsigned coopIdx();

/// Number of lanes that run a cooperative codelet.
unsigned coopDim();

/// What a codelet needs to be correct. The synthesizer leaves out plans for which
/// it cannot hold, and bounds tunables and sizes by it in the others:
/// `require(in.size() <= coopDim());`
void require(bool condition);

// ----------------------------------------------------------------------------
// Domains of tunables
// ----------------------------------------------------------------------------

/// A set of values a tunable may have.
class Domain {
public:
  Domain() = delete;
  template <typename T> operator T() const;
};

/// The powers of two from lo to hi, both included.
Domain pow2(long long lo, long long hi);

/// lo, lo + step, lo + 2 * step, ... up to hi, which may be included.
Domain range(long long lo, long long hi, long long step = 1);

/// The values listed.
template <typename... A> Domain choice(A... values);

// ----------------------------------------------------------------------------
// Arithmetic
// ----------------------------------------------------------------------------

template <typename A, typename B> auto min(A a, B b) -> decltype(false ? a : b);
template <typename A, typename B> auto max(A a, B b) -> decltype(false ? a : b);
template <typename T> T abs(T x);

namespace detail {
template <typename T> struct Float {};
template <> struct Float<float> {
  using type = float;
};
} // namespace detail

} // namespace tangram

// The C library's mathematics, for double as sqrt and for float as sqrt or sqrtf.
// Declared here as <cmath> declares them, which may be included as well.
#define TANGRAM_MATH_1(name)                                                                       \
  extern "C" double name(double) noexcept;                                                         \
  extern "C" float name##f(float) noexcept;                                                        \
  namespace tangram {                                                                              \
  template <typename T> typename detail::Float<T>::type name(T x);                                 \
  }
#define TANGRAM_MATH_2(name)                                                                       \
  extern "C" double name(double, double) noexcept;                                                 \
  extern "C" float name##f(float, float) noexcept;                                                 \
  namespace tangram {                                                                              \
  template <typename T> typename detail::Float<T>::type name(T x, T y);                            \
  }
#define TANGRAM_MATH_3(name)                                                                       \
  extern "C" double name(double, double, double) noexcept;                                         \
  extern "C" float name##f(float, float, float) noexcept;                                          \
  namespace tangram {                                                                              \
  template <typename T> typename detail::Float<T>::type name(T x, T y, T z);                       \
  }

TANGRAM_MATH_1(fabs)
TANGRAM_MATH_1(sqrt)
TANGRAM_MATH_1(cbrt)
TANGRAM_MATH_1(exp)
TANGRAM_MATH_1(exp2)
TANGRAM_MATH_1(expm1)
TANGRAM_MATH_1(log)
TANGRAM_MATH_1(log2)
TANGRAM_MATH_1(log10)
TANGRAM_MATH_1(log1p)
TANGRAM_MATH_1(sin)
TANGRAM_MATH_1(cos)
TANGRAM_MATH_1(tan)
TANGRAM_MATH_1(asin)
TANGRAM_MATH_1(acos)
TANGRAM_MATH_1(atan)
TANGRAM_MATH_1(sinh)
TANGRAM_MATH_1(cosh)
TANGRAM_MATH_1(tanh)
TANGRAM_MATH_1(erf)
TANGRAM_MATH_1(floor)
TANGRAM_MATH_1(ceil)
TANGRAM_MATH_1(trunc)
TANGRAM_MATH_1(round)
TANGRAM_MATH_2(pow)
TANGRAM_MATH_2(atan2)
TANGRAM_MATH_2(hypot)
TANGRAM_MATH_2(fmod)
TANGRAM_MATH_2(fmin)
TANGRAM_MATH_2(fmax)
TANGRAM_MATH_2(copysign)
TANGRAM_MATH_3(fma)

#undef TANGRAM_MATH_1
#undef TANGRAM_MATH_2
#undef TANGRAM_MATH_3

using namespace tangram;
