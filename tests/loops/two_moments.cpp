// two_moments; derived_nests derived_split_i; x=13x37 y=13x37
// Two numbers that one loop adds up, by names of sizes, and an element that a condition guards: a nest for each number, and one
// for the condition.
#include <tangram.h>
#include <cmath>

__codelet void two_moments(const Array<2, float> x, Array<2, float> y) {
  const int n = x.size(0), m = x.size(1);
  require(y.size(0) == n && y.size(1) == m);
  float sum = 0, squares = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const float v = x[i][j];
      sum += v;
      squares = std::fma(v, v, squares);
    }
  const float mean = sum / (n * m), deviation = std::sqrt(squares / (n * m) - mean * mean);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i][j] = (x[i][j] - mean) / (deviation + 0.5f);
  if (n > 0 && m > 0)
    y[n - 1][m - 1] = 1.0f;
}
