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

/// A parameter of a codelet, an unsigned integer, that holds a size or a position and no data: what is computed of it is a
/// position, as what is computed of a.size() is. `void rows_from(__positional unsigned long first, ...)`
#define __positional __attribute__((annotate("tangram positional")))

/// Stands where the parser has read `template <>` of a codelet of one instance.
template <typename...> void tangram_codelet_of_instance();

/// The C library declares it in every header; this one needs none.
using size_t = decltype(sizeof(0));

namespace tangram {

// ----------------------------------------------------------------------------
// Containers
// ----------------------------------------------------------------------------

/// What sizes and positions are counted in.
using Size = decltype(sizeof(0));

template <unsigned N, typename T> class Array;

/// What an element past the ends of a container is, for pad: one of those below.
class Boundary {
public:
  Boundary() = delete;
  Boundary(Boundary (*)()); // clamp, mirror, wrap: written without parentheses
};
Boundary clamp();  ///< the one at that end
Boundary mirror(); ///< the one as far on the other side of the end, which is repeated: ba|abc|cb
Boundary wrap();   ///< the one as far from the other end: bc|abc|ab
/// This value.
template <typename T> Boundary constant(T value);

/// A container of sub-containers of type C: what partition gives.
template <typename C> class Parts {
public:
  Parts() = delete;

  /// Every part n times in a row: part i is part i / n of `parts`. With tiles of n in a row, which
  /// are numbered row by row, each tile gets the block of rows that it lies in.
  friend Parts repeat(const Parts &parts, decltype(sizeof(0)) n);
  /// All parts n times over: part i is part i % count of `parts`. With n rows of tiles, each tile
  /// gets the block of columns that it lies in.
  friend Parts cycle(const Parts &parts, decltype(sizeof(0)) n);
};

// ----------------------------------------------------------------------------
// Vectors: two to four numbers that belong together, x, y, z and w.
// ----------------------------------------------------------------------------

namespace detail {

/// Stands in for the type of a primitive that is used wrongly: fits everywhere,
/// so that the one message is the synthesizer's, at the primitive.
struct Misused {
  template <typename T> operator T() const;
};

/// What vectors V of numbers T have in common, component by component. The functions are found by
/// their argument alone, so that a spectrum may have one of these names.
template <typename V, typename T> struct Components {
#define TANGRAM_COMPONENTWISE(op)                                                                  \
  friend V operator op(const V &a, const V &b);                                                    \
  friend V operator op(const V &a, T b);                                                           \
  friend V operator op(T a, const V &b);                                                           \
  friend V &operator op##=(V & a, const V & b);                                                    \
  friend V &operator op##=(V & a, T b);
  TANGRAM_COMPONENTWISE(+)
  TANGRAM_COMPONENTWISE(-)
  TANGRAM_COMPONENTWISE(*)
  TANGRAM_COMPONENTWISE(/)
#undef TANGRAM_COMPONENTWISE
  friend V operator-(const V &a);
  friend V operator+(const V &a);

  /// The sum of the products of components.
  friend T dot(const V &a, const V &b);
  /// The root of dot(a, a), of floating-point numbers.
  friend T length(const V &a);

  // Which numbers are compared has to be said.
  friend Misused operator==(const V &a, const V &b);
  friend Misused operator!=(const V &a, const V &b);
  friend Misused operator<(const V &a, const V &b);
  friend Misused operator>(const V &a, const V &b);
  friend Misused operator<=(const V &a, const V &b);
  friend Misused operator>=(const V &a, const V &b);
};

} // namespace detail

/// `float2(x, y)`, `float2{x, y}` or make_float2(x, y); `float2(a)`, and `a` where one is expected, has it in both components.
#define TANGRAM_VECTOR_2(name, T)                                                                  \
  struct name : detail::Components<name, T> {                                                      \
    T x, y;                                                                                        \
    name() = default;                                                                              \
    constexpr name(T all) : x(all), y(all) {}                                                      \
    constexpr name(T x, T y) : x(x), y(y) {}                                                       \
  };                                                                                               \
  name make_##name(T x, T y);
/// The same of three components.
#define TANGRAM_VECTOR_3(name, T)                                                                  \
  struct name : detail::Components<name, T> {                                                      \
    T x, y, z;                                                                                     \
    name() = default;                                                                              \
    constexpr name(T all) : x(all), y(all), z(all) {}                                              \
    constexpr name(T x, T y, T z) : x(x), y(y), z(z) {}                                            \
  };                                                                                               \
  name make_##name(T x, T y, T z);
/// The same of four components.
#define TANGRAM_VECTOR_4(name, T)                                                                  \
  struct name : detail::Components<name, T> {                                                      \
    T x, y, z, w;                                                                                  \
    name() = default;                                                                              \
    constexpr name(T all) : x(all), y(all), z(all), w(all) {}                                      \
    constexpr name(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}                                 \
  };                                                                                               \
  name make_##name(T x, T y, T z, T w);

TANGRAM_VECTOR_2(float2, float)
TANGRAM_VECTOR_3(float3, float)
TANGRAM_VECTOR_4(float4, float)
TANGRAM_VECTOR_2(double2, double)
TANGRAM_VECTOR_3(double3, double)
TANGRAM_VECTOR_4(double4, double)
TANGRAM_VECTOR_2(int2, int)
TANGRAM_VECTOR_3(int3, int)
TANGRAM_VECTOR_4(int4, int)
TANGRAM_VECTOR_2(uint2, unsigned)
TANGRAM_VECTOR_3(uint3, unsigned)
TANGRAM_VECTOR_4(uint4, unsigned)

#undef TANGRAM_VECTOR_2
#undef TANGRAM_VECTOR_3
#undef TANGRAM_VECTOR_4

namespace detail {

/// Types of `a[i]` for an n-dimensional `a`: a view of the dimensions that are left,
/// an element in the end.
template <unsigned N, typename T> struct Element {
  using Type = Array<N - 1, T>;
  using ConstType = const Array<N - 1, T>;
};
template <typename T> struct Element<1, T> {
  using Type = T &;
  using ConstType = const T &;
};
template <typename T> struct Element<2, T> { // Clang prints what is written: not `2U - 1`
  using Type = Array<1, T>;
  using ConstType = const Array<1, T>;
};
template <typename T> struct Element<3, T> {
  using Type = Array<2, T>;
  using ConstType = const Array<2, T>;
};

/// What `for (T x : c)` goes over a container with; E is the type of `c[i]`.
template <typename E> class Position {
public:
  Position() = delete;
  E operator*() const;
  Position &operator++();
  bool operator!=(const Position &other) const;
};

} // namespace detail

/// An n-dimensional view of elements of type T; copies share the elements. As a
/// parameter, `const Array<1, int> in` is an input and `Array<1, int> out` an
/// output, or in/out. T is an integer type, bool, float, double, or a vector; n is 1 to 4.
template <unsigned N, typename T> class Array {
public:
  Array() = delete;

  /// A local container: new memory with these extents, whose
  /// elements have no values yet. As many extents as there are dimensions.
  explicit Array(Size n0);
  explicit Array(Size n0, Size n1);
  explicit Array(Size n0, Size n1, Size n2);
  explicit Array(Size n0, Size n1, Size n2, Size n3);

  /// Number of elements along dimension d.
  Size size(unsigned d = 0) const;

  /// `a[i][j]` of an Array<2, T> is an element, `a[i]` a view of row i: an Array<1, T>.
  typename detail::Element<N, T>::Type operator[](Size i);
  typename detail::Element<N, T>::ConstType operator[](Size i) const;

  /// `for (T x : c)`, `for (T &x : c)`: over the elements of a container of one dimension, the rows of others.
  detail::Position<typename detail::Element<N, T>::Type> begin();
  detail::Position<typename detail::Element<N, T>::Type> end();
  detail::Position<typename detail::Element<N, T>::ConstType> begin() const;
  detail::Position<typename detail::Element<N, T>::ConstType> end() const;

  // Views of a container, mostly of two dimensions and more, which share its elements. They are
  // found by their argument alone, so that a spectrum may have one of these names.

  /// n blocks of consecutive rows, ceil(a.size(0) / n) each; the last may be smaller or empty.
  friend Parts<Array> rows(const Array &a, Size n);
  /// The same in dimension 1.
  friend Parts<Array> cols(const Array &a, Size n);
  /// n * m blocks, numbered row by row: both at once.
  friend Parts<Array> tiles(const Array &a, Size n, Size m);
  /// The same of all but h elements, each with the h that follow: part i of rows(a, n, h) and part
  /// i of n blocks of the windows slide(a, h + 1, 1) belong together. Of tiles h rows, g columns.
  friend Parts<Array> rows(const Array &a, Size n, Size h);
  friend Parts<Array> cols(const Array &a, Size n, Size h);
  friend Parts<Array> tiles(const Array &a, Size n, Size m, Size h, Size g);
  /// rows(a, n, h) along dimension d, a constant; h may be 0.
  friend Parts<Array> rows(const Array &a, Size n, Size h, unsigned d);
  /// The same where the windows of h + 1 elements move by s: of ceil((a.size(d) - h) / s) windows, n blocks of
  /// t = ceil(that / n) each, so that part i is the (t - 1) * s + 1 + h elements from i * t * s. Goes with
  /// rows(out, n) of an `out` that has an element for each window: a.size(d) is (out.size() - 1) * s + 1 + h, or up
  /// to s - 1 more.
  friend Parts<Array> rows(const Array &a, Size n, Size h, unsigned d, Size s);

  /// Blocks of t consecutive elements (rows, where there are two dimensions or more), the last
  /// one with what is left: ceil(a.size(0) / t) of them, of an empty container none. The size of
  /// a part is chosen, a constant or a `__tunable`, not how many there are: workers that the
  /// parts are distributed to take them in turns.
  friend Parts<Array> chunks(const Array &a, Size t);
  /// The same in dimension 1.
  friend Parts<Array> col_chunks(const Array &a, Size t);
  /// Blocks of t rows and u columns, numbered row by row: both at once.
  friend Parts<Array> tile_chunks(const Array &a, Size t, Size u);
  /// The same of all but h elements, each with the h that follow: t + h elements every t.
  friend Parts<Array> chunks(const Array &a, Size t, Size h);
  friend Parts<Array> col_chunks(const Array &a, Size t, Size h);
  friend Parts<Array> tile_chunks(const Array &a, Size t, Size u, Size h, Size g);
  /// chunks(a, t, h) along dimension d, a constant; h may be 0.
  friend Parts<Array> chunks(const Array &a, Size t, Size h, unsigned d);
  /// The same for t windows of h + 1 elements that move by s: part i is the (t - 1) * s + 1 + h elements from
  /// i * t * s, as far as there are any; ceil((a.size(d) - h) / (t * s)) parts, none where there are h elements or
  /// fewer. Goes with chunks(out, t) of an `out` that has an element for each window, as with rows.
  friend Parts<Array> chunks(const Array &a, Size t, Size h, unsigned d, Size s);

  /// Windows of n elements (rows) every s, as many as fit: window i holds i * s ... i * s + n - 1.
  friend Parts<Array> slide(const Array &a, Size n, Size s);
  /// The same along dimension d, a constant.
  friend Parts<Array> slide(const Array &a, Size n, Size s, unsigned d);
  /// Windows of n rows every s and m columns every t, numbered row by row.
  friend Parts<Array> tile_slide(const Array &a, Size n, Size s, Size m, Size t);

  /// The elements (rows) from, from + 1, ... below `to`, as far as there are any: a view like a row, for
  /// spectrums and primitives.
  friend Array slice(const Array &a, Size from, Size to);
  /// The same along dimension d, a constant.
  friend Array slice(const Array &a, Size from, Size to, unsigned d);
  /// Every s-th of these: from, from + s, ...
  friend Array slice(const Array &a, Size from, Size to, unsigned d, Size s);

  /// The container continued by l elements (rows) before the first and r after the last one: element
  /// i is a[i - l] where there is one, else what the boundary says, which is clamp, mirror, wrap or
  /// constant(v). A view, and an input whatever `a` is.
  friend const Array pad(const Array &a, Size l, Size r, Boundary boundary);
  /// The same along dimension d, a constant.
  friend const Array pad(const Array &a, Size l, Size r, Boundary boundary, unsigned d);

  /// Dimensions 0 and 1 exchanged; of a container with two.
  friend Array transpose(const Array &a);
  /// The last element (row) first; along dimension d, a constant.
  friend Array reverse(const Array &a);
  friend Array reverse(const Array &a, unsigned d);
  /// Element i is a[i][i], of min(a.size(0), a.size(1)).
  friend Array<N - 1, T> diagonal(const Array &a);
  /// All elements in one dimension, row by row.
  friend Array<1, T> flatten(const Array &a);
  /// The same elements, row by row, with other extents, whose product is the number of elements.
  friend Array<1, T> reshape(const Array &a, Size n0);
  friend Array<2, T> reshape(const Array &a, Size n0, Size n1);
  friend Array<3, T> reshape(const Array &a, Size n0, Size n1, Size n2);
  friend Array<4, T> reshape(const Array &a, Size n0, Size n1, Size n2, Size n3);
  /// n times the container: element i is `a` itself. An input.
  friend const Array<N + 1, T> broadcast(const Array &a, Size n);

  /// Two local containers with the same extents exchange what they name; no element is copied. A
  /// statement, of a codelet at the level of the host.
  friend void swap(Array &a, Array &b);
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

template <typename F> struct MapResult {
  using type = Misused;
};
template <typename R, typename... P> struct MapResult<R (*)(P...)> {
  using type = Array<1, R>;
};
template <typename... P> struct MapResult<void (*)(P...)> {
  using type = void;
};

template <typename F> struct ChainResult {
  using type = Misused;
};
template <typename R, typename... P> struct ChainResult<R (*)(P...)> {
  using type = R;
};

/// Keeps a parameter out of deduction: its argument is converted.
template <typename T> struct Given {
  using type = T;
};

template <typename... A> struct PartitionResult {
  using type = Misused;
};
template <typename C, typename... A> struct PartitionResult<C, A...> {
  using type = Parts<C>;
};

} // namespace detail

/// map(f, c...): the container of f's results on corresponding elements of the
/// containers c. The elements of a partition are its sub-containers, those of an
/// n-dimensional container its views of n-1 dimensions, or scalars. A scalar, or a
/// container in all(...), is the same for every element. A void f writes through its
/// non-const containers. `y = map(f, c...)` has the results put into y.
template <typename F, typename... A>
typename detail::MapResult<F>::type map(F spectrum, const A &...arguments) {
  // Never executed: C++ wants a body where F is a lambda's type, which is a mistake
  // that the synthesizer has a better message for.
  __builtin_trap();
}

/// fold(f, c..., all(acc)): as map, of a void f, but in order: an application sees what
/// the ones before it have written to acc.
template <typename F, typename... A> void fold(F spectrum, const A &...arguments) {
  __builtin_trap();
}

/// chain(f, carry, c...): as map, but in order, each application giving a value to the
/// next: carry = f(carry, elements...). The value is the last one, or the carry given
/// when there are no elements.
template <typename F, typename... A>
typename detail::ChainResult<F>::type chain(F spectrum, const A &...arguments) {
  __builtin_trap();
}

/// In a map, fold or chain: the whole container c for every element.
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

/// In a require at the top of a codelet's body, of a parameter that holds integers:
/// every element e has lo <= e < hi.
template <typename... A> bool within(const A &...arguments);

/// The same: no element is below the one before it, the first is lo and the last hi,
/// as in the offsets of sparse rows. True of an empty container.
template <typename... A> bool ascending(const A &...arguments);

/// At the top of a codelet's body, of a size of a parameter or an integer parameter: what it mostly is.
/// Where nobody names sizes, plans are compared for it; every other value is served as well:
/// `typical(points.size(1), 32);`
template <typename T> void typical(const T &size, unsigned long long usually);

// ----------------------------------------------------------------------------
// Atomics
// ----------------------------------------------------------------------------

// One step on x, an element of an output or of a `__shared` array, or a `__shared`
// scalar, that no other worker comes between. Gives the value x had. A statement, or
// the whole value of an initialiser or assignment. For integers of 32 and 64 bits;
// atomicAdd for float and double too.

/// x += value
template <typename T> T atomicAdd(T &x, typename detail::Given<T>::type value);
/// x = min(x, value)
template <typename T> T atomicMin(T &x, typename detail::Given<T>::type value);
/// x = max(x, value)
template <typename T> T atomicMax(T &x, typename detail::Given<T>::type value);
/// x = value
template <typename T> T atomicExchange(T &x, typename detail::Given<T>::type value);
/// x = desired where x == expected
template <typename T>
T atomicCAS(T &x, typename detail::Given<T>::type expected,
            typename detail::Given<T>::type desired);

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
template <typename T> auto abs(T x) -> decltype(-x);

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
TANGRAM_MATH_1(asinh)
TANGRAM_MATH_1(acosh)
TANGRAM_MATH_1(atanh)
TANGRAM_MATH_1(erf)
TANGRAM_MATH_1(erfc)
TANGRAM_MATH_1(floor)
TANGRAM_MATH_1(ceil)
TANGRAM_MATH_1(trunc)
TANGRAM_MATH_1(round)
TANGRAM_MATH_1(rint)
TANGRAM_MATH_1(nearbyint)
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
