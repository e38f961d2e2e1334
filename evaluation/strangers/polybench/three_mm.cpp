// g = (a b) (c d), by e = a b and f = c d.
#include <tangram.h>

__codelet void three_mm(const Array<2, double> a, const Array<2, double> b,
                        const Array<2, double> c, const Array<2, double> d, Array<2, double> e,
                        Array<2, double> f, Array<2, double> g) {
  require(b.size(0) == a.size(1));
  require(c.size(0) == b.size(1));
  require(d.size(0) == c.size(1));
  require(e.size(0) == a.size(0));
  require(e.size(1) == b.size(1));
  require(f.size(0) == c.size(0));
  require(f.size(1) == d.size(1));
  require(g.size(0) == a.size(0));
  require(g.size(1) == d.size(1));
  for (unsigned i = 0; i < e.size(0); ++i) {
    for (unsigned j = 0; j < e.size(1); ++j) {
      e[i][j] = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        e[i][j] += a[i][k] * b[k][j];
    }
  }
  for (unsigned i = 0; i < f.size(0); ++i) {
    for (unsigned j = 0; j < f.size(1); ++j) {
      f[i][j] = 0;
      for (unsigned k = 0; k < c.size(1); ++k)
        f[i][j] += c[i][k] * d[k][j];
    }
  }
  for (unsigned i = 0; i < g.size(0); ++i) {
    for (unsigned j = 0; j < g.size(1); ++j) {
      g[i][j] = 0;
      for (unsigned k = 0; k < e.size(1); ++k)
        g[i][j] += e[i][k] * f[k][j];
    }
  }
}
