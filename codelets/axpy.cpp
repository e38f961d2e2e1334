// y += a x.
#include <tangram.h>

template <class T> __codelet
void axpy(T a, const Array<1, T> x, Array<1, T> y) {
  require(y.size() == x.size());
  for (unsigned i = 0; i < y.size(); ++i)
    y[i] += a * x[i];
}

// Every lane an element, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(lanes)
void axpy(T a, const Array<1, T> x, Array<1, T> y) {
  for (unsigned i = coopIdx(); i < y.size(); i += coopDim())
    y[i] += a * x[i];
}

// Contiguous tiles: suits workers with caches of their own.
template <class T> __codelet __tag(tiled)
void axpy(T a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p;
  map(axpy<T>, a, rows(x, p), rows(y, p));
}

// Tiles of one size, whatever the size of the arrays.
template <class T> __codelet __tag(chunked)
void axpy(T a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned t = choice(8192, 1024, 2048, 4096, 16384, 65536);
  map(axpy<T>, a, chunks(x, t), chunks(y, t));
}

// Interleaved tiles: suits workers that step together.
template <class T> __codelet __tag(strided)
void axpy(T a, const Array<1, T> x, Array<1, T> y) {
  __tunable unsigned p;
  unsigned len = y.size();
  map(axpy<T>, a, partition(x, p, sequence(0, 1, p), sequence(p), sequence(len)),
      partition(y, p, sequence(0, 1, p), sequence(p), sequence(len)));
}

template void axpy<float>(float, const Array<1, float>, Array<1, float>);
template void axpy<double>(double, const Array<1, double>, Array<1, double>);
template void axpy<int>(int, const Array<1, int>, Array<1, int>);
