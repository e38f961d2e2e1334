// s = a^T r and q = a p, in one walk over a.
#include <tangram.h>

__codelet void bicg(const Array<2, double> a, const Array<1, double> r, const Array<1, double> p,
                    Array<1, double> s, Array<1, double> q) {
  require(r.size() == a.size(0));
  require(p.size() == a.size(1));
  require(s.size() == a.size(1));
  require(q.size() == a.size(0));
  for (unsigned j = 0; j < s.size(); ++j)
    s[j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    double sum = 0;
    for (unsigned j = 0; j < a.size(1); ++j) {
      s[j] += r[i] * a[i][j];
      sum += a[i][j] * p[j];
    }
    q[i] = sum;
  }
}
