// Heat in two dimensions by alternating directions: half a step with the columns implicit, and half
// with the rows. Each is a tridiagonal system a line, solved by elimination (p and q) and back
// substitution. The border of u stays 1.
#include <tangram.h>

__codelet void adi(unsigned steps, Array<2, double> u, Array<2, double> v, Array<2, double> p,
                   Array<2, double> q) {
  require(u.size(0) >= 3);
  require(u.size(1) == u.size(0));
  require(v.size(0) == u.size(0));
  require(v.size(1) == u.size(0));
  require(p.size(0) == u.size(0));
  require(p.size(1) == u.size(0));
  require(q.size(0) == u.size(0));
  require(q.size(1) == u.size(0));
  unsigned n = u.size(0);
  double ratio = (double)n * n / steps;
  double a = -ratio;
  double b = 1 + 2 * ratio;
  double d = -ratio / 2;
  double e = 1 + ratio;
  for (unsigned t = 0; t < steps; ++t) {
    for (unsigned i = 1; i + 1 < n; ++i) {
      v[0][i] = 1;
      p[i][0] = 0;
      q[i][0] = 1;
      for (unsigned j = 1; j + 1 < n; ++j) {
        double below = a * p[i][j - 1] + b;
        p[i][j] = -a / below;
        q[i][j] =
            (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - d * u[j][i + 1] - a * q[i][j - 1]) / below;
      }
      v[n - 1][i] = 1;
      for (unsigned j = n - 2; j >= 1; --j)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (unsigned i = 1; i + 1 < n; ++i) {
      u[i][0] = 1;
      p[i][0] = 0;
      q[i][0] = 1;
      for (unsigned j = 1; j + 1 < n; ++j) {
        double below = d * p[i][j - 1] + e;
        p[i][j] = -d / below;
        q[i][j] =
            (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - a * v[i + 1][j] - d * q[i][j - 1]) / below;
      }
      u[i][n - 1] = 1;
      for (unsigned j = n - 2; j >= 1; --j)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}
