// GELU by the hyperbolic tangent, as minGPT has it.
#include <cmath>
#include <tangram.h>

__codelet void new_gelu(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  for (unsigned i = 0; i < x.size(0); ++i) {
    for (unsigned j = 0; j < x.size(1); ++j) {
      float v = x[i][j];
      y[i][j] = 0.5f * v * (1 + tanh(0.79788456f * (v + 0.044715f * v * v * v)));
    }
  }
}
