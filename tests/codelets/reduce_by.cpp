// A reduction over any operator: a template over the element type and two functions.
#include <tangram.h>

template <class T> T plus(T a, T b) { return a + b; }
template <class T> T zero() { return 0; }
int larger(int a, int b) { return a > b ? a : b; }
int lowest() { return -2147483647 - 1; }

template <class T, T (*op)(T, T), T (*identity)()>
__codelet
T reduce_by(const Array<1, T> in) {
  T accum = identity();
  for (unsigned i = 0; i < in.size(); ++i)
    accum = op(accum, in[i]);
  return accum;
}

template <class T, T (*op)(T, T), T (*identity)()>
__codelet __tag(adjacent)
T reduce_by(const Array<1, T> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  Array<1, T> parts = map(reduce_by<T, op, identity>,
                          partition(in, p, sequence(0, tile, len), sequence(1),
                                    sequence(tile, tile, len + 1)));
  return reduce_by<T, op, identity>(parts);
}

template <class T, T (*op)(T, T), T (*identity)()>
__codelet __coop __tag(lanes)
T reduce_by(const Array<1, T> in) {
  require(in.size() <= coopDim());
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  tmp[id] = id < in.size() ? in[id] : identity();
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] = op(tmp[id], tmp[id - s]);
  }
  return tmp[coopDim() - 1];
}

template int reduce_by<int, larger, lowest>(const Array<1, int>);
