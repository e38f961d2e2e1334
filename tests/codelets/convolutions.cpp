// Layers of convolutions whose filters have sizes that only a run knows, as the loop alone.
#include <tangram.h>

__codelet void layer(const Array<4, float> x, const Array<4, float> w, Array<4, float> y) {
  require(w.size(1) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(0));
  require(x.size(2) + 1 == y.size(2) + w.size(2));
  require(x.size(3) + 1 == y.size(3) + w.size(3));
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = 0;
          for (unsigned c = 0; c < x.size(1); ++c) {
            for (unsigned p = 0; p < w.size(2); ++p) {
              for (unsigned q = 0; q < w.size(3); ++q)
                sum += x[n][c][i + p][j + q] * w[o][c][p][q];
            }
          }
          y[n][o][i][j] = sum;
        }
      }
    }
  }
}

constexpr int stride = 2;
constexpr int padding = 1;

// Zeros around the images, every second pixel, a bias.
__codelet void padded(const Array<4, float> x, const Array<4, float> w, const Array<1, float> bias,
                      Array<4, float> y) {
  require(w.size(1) == x.size(1));
  require(bias.size() == w.size(0));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(0));
  int height = x.size(2);
  int width = x.size(3);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        for (unsigned j = 0; j < y.size(3); ++j) {
          float sum = bias[o];
          for (unsigned c = 0; c < x.size(1); ++c) {
            for (unsigned p = 0; p < w.size(2); ++p) {
              for (unsigned q = 0; q < w.size(3); ++q) {
                int row = (int)i * stride + (int)p - padding;
                int column = (int)j * stride + (int)q - padding;
                if (row >= 0 && row < height && column >= 0 && column < width)
                  sum += x[n][c][row][column] * w[o][c][p][q];
              }
            }
          }
          y[n][o][i][j] = sum;
        }
      }
    }
  }
}

// Transposed, every second element: what a result gets something from.
__codelet void transposed(const Array<3, float> x, const Array<3, float> w, Array<3, float> y) {
  require(w.size(0) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(1));
  int length = x.size(2);
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        float sum = 0;
        for (unsigned c = 0; c < x.size(1); ++c) {
          for (unsigned p = 0; p < w.size(2); ++p) {
            int from = (int)i - (int)p;
            if (from >= 0 && from % 2 == 0 && from / 2 < length)
              sum += x[n][c][from / 2] * w[c][o][p];
          }
        }
        y[n][o][i] = sum;
      }
    }
  }
}

constexpr unsigned channels = 2; // of x

// Of volumes: the five dimensions of a tensor are four here, volume and channel together.
__codelet void volumes(const Array<4, float> x, const Array<4, float> w, Array<4, float> y) {
  require(x.size(0) % channels == 0);
  require(w.size(0) % channels == 0);
  require(y.size(0) == x.size(0) / channels * (w.size(0) / channels));
  require(x.size(1) + 1 == y.size(1) + w.size(1));
  require(x.size(2) + 1 == y.size(2) + w.size(2));
  require(x.size(3) + 1 == y.size(3) + w.size(3));
  unsigned filters = w.size(0) / channels;
  for (unsigned n = 0; n < x.size(0) / channels; ++n) {
    for (unsigned o = 0; o < filters; ++o) {
      for (unsigned k = 0; k < y.size(1); ++k) {
        for (unsigned i = 0; i < y.size(2); ++i) {
          for (unsigned j = 0; j < y.size(3); ++j) {
            float sum = 0;
            for (unsigned c = 0; c < channels; ++c) {
              for (unsigned p = 0; p < w.size(1); ++p) {
                for (unsigned q = 0; q < w.size(2); ++q) {
                  for (unsigned r = 0; r < w.size(3); ++r)
                    sum += x[n * channels + c][k + p][i + q][j + r] * w[o * channels + c][p][q][r];
                }
              }
            }
            y[n * filters + o][k][i][j] = sum;
          }
        }
      }
    }
  }
}

// Every third element and the number of its round.
__codelet void thirds(const Array<2, float> in, Array<2, float> out) {
  require(in.size(0) == out.size(0));
  require(in.size(1) == 3 * out.size(1) + 1);
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = in[i][3 * j] + in[i][3 * j + 1] + j;
  }
}
