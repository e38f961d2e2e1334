// Physics: a step of the wave equation in a box of rock, of eighth order in space and second in
// time.
#include <tangram.h>

constexpr unsigned radius = 4;
constexpr float weights[5] = {-2.84722222f, 1.6f, -0.2f, 0.02539683f, -0.00178571f};

__codelet void wave_3d(const Array<3, float> now, const Array<3, float> speed,
                       Array<3, float> next) {
  require(speed.size(0) == now.size(0));
  require(speed.size(1) == now.size(1));
  require(speed.size(2) == now.size(2));
  require(next.size(0) == now.size(0));
  require(next.size(1) == now.size(1));
  require(next.size(2) == now.size(2));
  for (unsigned i = radius; i + radius < now.size(0); ++i) {
    for (unsigned j = radius; j + radius < now.size(1); ++j) {
      for (unsigned k = radius; k + radius < now.size(2); ++k) {
        float bend = 3 * weights[0] * now[i][j][k];
        for (unsigned r = 1; r <= radius; ++r)
          bend += weights[r] * (now[i - r][j][k] + now[i + r][j][k] + now[i][j - r][k] +
                                now[i][j + r][k] + now[i][j][k - r] + now[i][j][k + r]);
        next[i][j][k] = 2 * now[i][j][k] - next[i][j][k] + speed[i][j][k] * bend;
      }
    }
  }
}
