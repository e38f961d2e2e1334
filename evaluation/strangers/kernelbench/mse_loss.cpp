// The mean of squared differences.
#include <tangram.h>

__codelet float mse_loss(const Array<2, float> predictions, const Array<2, float> targets) {
  require(targets.size(0) == predictions.size(0));
  require(targets.size(1) == predictions.size(1));
  float sum = 0;
  for (unsigned i = 0; i < predictions.size(0); ++i) {
    for (unsigned j = 0; j < predictions.size(1); ++j) {
      float off = predictions[i][j] - targets[i][j];
      sum += off * off;
    }
  }
  return sum / ((float)predictions.size(0) * predictions.size(1));
}
