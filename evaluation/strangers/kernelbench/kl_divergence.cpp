// How far each row of targets is from that of predictions, both of them probabilities; the mean
// over rows.
#include <cmath>
#include <tangram.h>

__codelet float kl_divergence(const Array<2, float> predictions, const Array<2, float> targets) {
  require(targets.size(0) == predictions.size(0));
  require(targets.size(1) == predictions.size(1));
  float sum = 0;
  for (unsigned i = 0; i < predictions.size(0); ++i) {
    for (unsigned j = 0; j < predictions.size(1); ++j) {
      float target = targets[i][j];
      if (target > 0)
        sum += target * (log(target) - log(predictions[i][j]));
    }
  }
  return sum / predictions.size(0);
}
