// The correlation of all pairs of columns of data, in which columns get a mean of 0 and a length of
// 1. A column that is almost the same everywhere counts as one of deviation 1.
#include <cmath>
#include <tangram.h>

__codelet void correlation(Array<2, double> data, Array<1, double> mean, Array<1, double> deviation,
                           Array<2, double> corr) {
  require(mean.size() == data.size(1));
  require(deviation.size() == data.size(1));
  require(corr.size(0) == data.size(1));
  require(corr.size(1) == data.size(1));
  unsigned rows = data.size(0);
  unsigned columns = data.size(1);
  for (unsigned j = 0; j < columns; ++j) {
    mean[j] = 0;
    for (unsigned i = 0; i < rows; ++i)
      mean[j] += data[i][j];
    mean[j] /= rows;
  }
  for (unsigned j = 0; j < columns; ++j) {
    double squares = 0;
    for (unsigned i = 0; i < rows; ++i)
      squares += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    double root = sqrt(squares / rows);
    deviation[j] = root <= 0.1 ? 1.0 : root;
  }
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < columns; ++j)
      data[i][j] = (data[i][j] - mean[j]) / (sqrt((double)rows) * deviation[j]);
  }
  for (unsigned i = 0; i < columns; ++i) {
    corr[i][i] = 1;
    for (unsigned j = i + 1; j < columns; ++j) {
      double sum = 0;
      for (unsigned k = 0; k < rows; ++k)
        sum += data[k][i] * data[k][j];
      corr[i][j] = sum;
      corr[j][i] = sum;
    }
  }
}
