// Layers of convolutions over several channels, written as loops alone: on a GPU, groups go through the channels in steps.
#include <tangram.h>

constexpr int stride = 2;
constexpr int dilation = 3;
constexpr int padding = 2;

// A layer with a stride, a dilation, zeros around the images and a bias.
__codelet void apart(const Array<4, float> x, const Array<4, float> w, const Array<1, float> bias,
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
                int row = (int)i * stride + (int)p * dilation - padding;
                int column = (int)j * stride + (int)q * dilation - padding;
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

// A transposed layer of one dimension.
__codelet void spread(const Array<3, float> x, const Array<3, float> w, Array<3, float> y) {
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
            int from = (int)i + 1 - (int)p;
            if (from >= 0 && from < length)
              sum += x[n][c][from] * w[c][o][p];
          }
        }
        y[n][o][i] = sum;
      }
    }
  }
}

constexpr unsigned channels = 8; // of x

// A transposed layer of two dimensions. Images and channels are one dimension of x, channels in and out are one of w.
__codelet void spread_flat(const Array<3, float> x, const Array<3, float> w, Array<3, float> y) {
  require(x.size(0) % channels == 0);
  require(w.size(0) % channels == 0);
  require(y.size(0) == x.size(0) / channels * (w.size(0) / channels));
  require(y.size(1) + 1 == x.size(1) + w.size(1));
  require(y.size(2) + 1 == x.size(2) + w.size(2));
  unsigned filters = w.size(0) / channels;
  for (unsigned n = 0; n < x.size(0) / channels; ++n) {
    for (unsigned o = 0; o < filters; ++o) {
      for (unsigned i = 0; i < y.size(1); ++i) {
        for (unsigned j = 0; j < y.size(2); ++j) {
          float sum = 0;
          for (unsigned c = 0; c < channels; ++c) {
            for (unsigned p = 0; p < w.size(1); ++p) {
              for (unsigned q = 0; q < w.size(2); ++q) {
                if (p <= i && i - p < x.size(1) && q <= j && j - q < x.size(2))
                  sum += x[n * channels + c][i - p][j - q] * w[c * filters + o][p][q];
              }
            }
          }
          y[n * filters + o][i][j] = sum;
        }
      }
    }
  }
}

// A layer of one dimension, whose stride and border are parameters.
__codelet void named(unsigned step, unsigned border, const Array<3, int> x, const Array<3, int> w,
                     Array<3, int> y) {
  require(w.size(1) == x.size(1));
  require(y.size(0) == x.size(0));
  require(y.size(1) == w.size(0));
  for (unsigned n = 0; n < y.size(0); ++n) {
    for (unsigned o = 0; o < y.size(1); ++o) {
      for (unsigned i = 0; i < y.size(2); ++i) {
        int sum = 0;
        for (unsigned c = 0; c < x.size(1); ++c) {
          for (unsigned p = 0; p < w.size(2); ++p) {
            int from = (int)(i * step + p) - (int)border;
            if (from >= 0 && from < (int)x.size(2))
              sum += x[n][c][from] * w[o][c][p];
          }
        }
        y[n][o][i] = sum;
      }
    }
  }
}
