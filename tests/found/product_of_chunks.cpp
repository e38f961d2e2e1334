// Program 9 of seed 675761 of tests/random_programs. PoCL 3.1 computed it wrongly where items leave a loop in the code
// between two barriers.
#include <tangram.h>

unsigned value(unsigned x) {
  return (x != 0 ? 1000 / x : x) + (x > 0 ? 2 : x);
}

__codelet
void f(const Array<2, unsigned> a, const Array<2, unsigned> b, Array<2, unsigned> c) {
  require(a.size(0) == c.size(0));
  require(b.size(1) == c.size(1));
  require(a.size(1) == b.size(0));
  for (unsigned i = 0; i < c.size(0); ++i)
    for (unsigned j = 0; j < c.size(1); ++j)
      for (unsigned k = 0; k < b.size(0); ++k)
        c[i][j] += a[i][k] * b[k][j];
}

__codelet __tag(chunks_n)
void f(const Array<2, unsigned> a, const Array<2, unsigned> b, Array<2, unsigned> c) {
  __tunable unsigned t = pow2(1, 4);
  map(f, all(a), col_chunks(b, t), col_chunks(c, t));
}

__codelet __tag(chunks_k)
void f(const Array<2, unsigned> a, const Array<2, unsigned> b, Array<2, unsigned> c) {
  __tunable unsigned t = pow2(1, 4);
  fold(f, col_chunks(a, t), chunks(b, t), all(c));
}

__codelet __tag(k)
void f(const Array<2, unsigned> a, const Array<2, unsigned> b, Array<2, unsigned> c) {
  __tunable unsigned p;
  fold(f, cols(a, p), rows(b, p), all(c));
}
