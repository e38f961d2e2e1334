// Signal processing: how a signal resembles itself some elements later.
#include <tangram.h>

__codelet void autocorrelation(const Array<1, float> x, Array<1, float> lags) {
  require(lags.size() <= x.size());
  for (unsigned lag = 0; lag < lags.size(); ++lag) {
    float sum = 0;
    for (unsigned i = lag; i < x.size(); ++i)
      sum += x[i] * x[i - lag];
    lags[lag] = sum / x.size();
  }
}
