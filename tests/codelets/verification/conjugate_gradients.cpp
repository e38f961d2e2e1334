// A few steps of conjugate gradients for the matrix tridiag(-1, 4, -1): one loop, and rounds of maps and dot products.
// Residuals cancel in every step, so that running error analysis refuses it from 12 steps on.
#include <tangram.h>
__codelet __tag(loop)
double cg(unsigned steps, const Array<1, double> b, Array<1, double> x) {
  require(x.size() == b.size());
  require(b.size() <= 4096);
  unsigned n = b.size();
  double r[4096];
  double p[4096];
  double rr = 0;
  for (unsigned i = 0; i < n; ++i) {
    x[i] = 0;
    r[i] = b[i];
    p[i] = b[i];
    rr += b[i] * b[i];
  }
  for (unsigned t = 0; t < steps; ++t) {
    double pap = 0;
    for (unsigned i = 0; i < n; ++i)
      pap += p[i] * (4 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0));
    double alpha = rr / (pap + 1e-30);
    double before = 0;
    double next = 0;
    for (unsigned i = 0; i < n; ++i) {
      double ap = 4 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
      x[i] += alpha * p[i];
      r[i] -= alpha * ap;
      next += r[i] * r[i];
    }
    double beta = next / (rr + 1e-30);
    for (unsigned i = 0; i < n; ++i)
      p[i] = r[i] + beta * p[i];
    rr = next;
    before = rr;
  }
  return rr;
}
__codelet double same(double v) { return v; }
__codelet double zero(double v) { return 0; }
__codelet double apply(const Array<1, double> w) { return 4 * w[1] - w[0] - w[2]; }
__codelet double dot(const Array<1, double> a, const Array<1, double> b) {
  require(a.size() == b.size());
  double s = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}
__codelet double total(const Array<1, double> a) {
  double s = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    s += a[i];
  return s;
}
__codelet __tag(dot_parts) double dot(const Array<1, double> a, const Array<1, double> b) {
  __tunable unsigned q;
  return total(map(dot, rows(a, q), rows(b, q)));
}
__codelet void update(double alpha, double p, double ap, double &x, double &r) {
  x += alpha * p;
  r -= alpha * ap;
}
__codelet double direction(double beta, double r, double p) { return r + beta * p; }
__codelet __tag(rounds)
double cg(unsigned steps, const Array<1, double> b, Array<1, double> x) {
  unsigned n = b.size();
  Array<1, double> r(n);
  Array<1, double> p(n);
  Array<1, double> ap(n);
  x = map(zero, b);
  r = map(same, b);
  p = map(same, b);
  double rr = dot(r, r);
  for (unsigned t = 0; t < steps; ++t) {
    ap = map(apply, slide(pad(p, 1, 1, constant(0)), 3, 1));
    double pap = dot(p, ap);
    double alpha = rr / (pap + 1e-30);
    map(update, alpha, p, ap, x, r);
    double next = dot(r, r);
    double beta = next / (rr + 1e-30);
    p = map(direction, beta, r, p);
    rr = next;
  }
  return rr;
}
