// fused_rows; derived_fused derived_tile_r derived_lanes_i; scores=5x33
#include <cfloat>
#include <cmath>
#include <tangram.h>

// Scores are scaled, and of each row follows the softmax.
__codelet void fused_rows(float scale, const Array<2, float> scores, Array<2, float> y) {
  require(y.size(0) == scores.size(0));
  require(y.size(1) == scores.size(1));
  Array<2, float> scaled(scores.size(0), scores.size(1));
  for (unsigned r = 0; r < scores.size(0); ++r)
    for (unsigned i = 0; i < scores.size(1); ++i)
      scaled[r][i] = scores[r][i] * scale;
  for (unsigned r = 0; r < scores.size(0); ++r) {
    float top = -FLT_MAX;
    for (unsigned i = 0; i < scores.size(1); ++i)
      top = max(top, scaled[r][i]);
    float total = 0;
    for (unsigned i = 0; i < scores.size(1); ++i)
      total += exp(scaled[r][i] - top);
    for (unsigned i = 0; i < scores.size(1); ++i)
      y[r][i] = exp(scaled[r][i] - top) / total;
  }
}
