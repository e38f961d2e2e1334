// Statistics: the gradient of logistic regression: how far the model is off at each sample, times
// the sample.
#include <cmath>
#include <tangram.h>

__codelet void logistic_gradient(const Array<2, float> samples, const Array<1, float> labels,
                                 const Array<1, float> model, Array<1, float> gradient) {
  require(labels.size() == samples.size(0));
  require(model.size() == samples.size(1));
  require(gradient.size() == samples.size(1));
  for (unsigned j = 0; j < gradient.size(); ++j)
    gradient[j] = 0;
  for (unsigned i = 0; i < samples.size(0); ++i) {
    float sum = 0;
    for (unsigned j = 0; j < samples.size(1); ++j)
      sum += samples[i][j] * model[j];
    float off = 1 / (1 + exp(-sum)) - labels[i];
    for (unsigned j = 0; j < samples.size(1); ++j)
      gradient[j] += off * samples[i][j];
  }
}
