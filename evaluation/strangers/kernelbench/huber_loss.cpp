// The mean of Huber's function: half the square where two numbers differ by less than 1, else the
// distance less a half.
#include <cmath>
#include <tangram.h>

__codelet float huber_loss(const Array<2, float> predictions, const Array<2, float> targets) {
  require(targets.size(0) == predictions.size(0));
  require(targets.size(1) == predictions.size(1));
  float sum = 0;
  for (unsigned i = 0; i < predictions.size(0); ++i) {
    for (unsigned j = 0; j < predictions.size(1); ++j) {
      float off = fabs(predictions[i][j] - targets[i][j]);
      sum += off < 1 ? 0.5f * off * off : off - 0.5f;
    }
  }
  return sum / ((float)predictions.size(0) * predictions.size(1));
}
