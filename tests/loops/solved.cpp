// solved; derived_fused_nests; A=17x17 b=17 x=17 y=17
// PolyBench's ludcmp with a name for the size: requirements take the name for its value, and loops over containers of one
// dimension and of two are neighbours.
#include <tangram.h>

__codelet void solved(Array<2, double> A, const Array<1, double> b, Array<1, double> x,
                      Array<1, double> y) {
  const int n = A.size(0);
  require(A.size(1) == n);
  require(b.size() == n && x.size() == n && y.size() == n);
  for (int i = 0; i < n; i++)
    A[i][i] += 200.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double w = A[i][j];
      for (int k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) {
      double w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    double w = b[i];
    for (int j = 0; j < i; j++)
      w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    double w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}
