// The mean of what is missing to 1 in the product of a prediction and its target, which is 1 or -1:
// a target for each column.
#include <tangram.h>

__codelet float hinge_loss(const Array<2, float> predictions, const Array<1, float> targets) {
  require(targets.size() == predictions.size(1));
  float sum = 0;
  for (unsigned i = 0; i < predictions.size(0); ++i) {
    for (unsigned j = 0; j < predictions.size(1); ++j)
      sum += max(1 - predictions[i][j] * targets[j], 0.0f);
  }
  return sum / ((float)predictions.size(0) * predictions.size(1));
}
