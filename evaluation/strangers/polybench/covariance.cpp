// The covariance of all pairs of columns of data, in which columns lose their means.
#include <tangram.h>

__codelet void covariance(Array<2, double> data, Array<1, double> mean, Array<2, double> cov) {
  require(mean.size() == data.size(1));
  require(cov.size(0) == data.size(1));
  require(cov.size(1) == data.size(1));
  unsigned rows = data.size(0);
  unsigned columns = data.size(1);
  for (unsigned j = 0; j < columns; ++j) {
    mean[j] = 0;
    for (unsigned i = 0; i < rows; ++i)
      mean[j] += data[i][j];
    mean[j] /= rows;
  }
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < columns; ++j)
      data[i][j] -= mean[j];
  }
  for (unsigned i = 0; i < columns; ++i) {
    for (unsigned j = i; j < columns; ++j) {
      double sum = 0;
      for (unsigned k = 0; k < rows; ++k)
        sum += data[k][i] * data[k][j];
      cov[i][j] = sum / (rows - 1.0);
      cov[j][i] = cov[i][j];
    }
  }
}
