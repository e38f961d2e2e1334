// Deriche's recursive filter that smooths an image: along rows from the left and from the right,
// then along columns from above and from below. first and second have what comes from either end.
#include <cmath>
#include <tangram.h>

__codelet void deriche(float alpha, const Array<2, float> in, Array<2, float> first,
                       Array<2, float> second, Array<2, float> out) {
  require(first.size(0) == in.size(0));
  require(first.size(1) == in.size(1));
  require(second.size(0) == in.size(0));
  require(second.size(1) == in.size(1));
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  int rows = in.size(0);
  int columns = in.size(1);
  float decay = exp(-alpha);
  float k = (1 - decay) * (1 - decay) / (1 + 2 * alpha * decay - exp(2 * alpha));
  float a2 = k * decay * (alpha - 1);
  float a3 = k * decay * (alpha + 1);
  float a4 = -k * decay * decay;
  float b1 = exp2(-alpha);
  float b2 = -decay * decay;
  for (int i = 0; i < rows; ++i) {
    float x1 = 0;
    float y1 = 0;
    float y2 = 0;
    for (int j = 0; j < columns; ++j) {
      float y = k * in[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
      first[i][j] = y;
      x1 = in[i][j];
      y2 = y1;
      y1 = y;
    }
  }
  for (int i = 0; i < rows; ++i) {
    float x1 = 0;
    float x2 = 0;
    float y1 = 0;
    float y2 = 0;
    for (int j = columns - 1; j >= 0; --j) {
      float y = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
      second[i][j] = y;
      x2 = x1;
      x1 = in[i][j];
      y2 = y1;
      y1 = y;
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      out[i][j] = first[i][j] + second[i][j];
  }
  for (int j = 0; j < columns; ++j) {
    float x1 = 0;
    float y1 = 0;
    float y2 = 0;
    for (int i = 0; i < rows; ++i) {
      float y = k * out[i][j] + a2 * x1 + b1 * y1 + b2 * y2;
      first[i][j] = y;
      x1 = out[i][j];
      y2 = y1;
      y1 = y;
    }
  }
  for (int j = 0; j < columns; ++j) {
    float x1 = 0;
    float x2 = 0;
    float y1 = 0;
    float y2 = 0;
    for (int i = rows - 1; i >= 0; --i) {
      float y = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
      second[i][j] = y;
      x2 = x1;
      x1 = out[i][j];
      y2 = y1;
      y1 = y;
    }
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      out[i][j] = first[i][j] + second[i][j];
  }
}
