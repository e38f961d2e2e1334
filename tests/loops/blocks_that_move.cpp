// blocks_that_move; derived_tile_r; x=5x48
// Loops that begin with a number of the loops around, but whose rounds are no block: their end has moved since the first number was
// named, or the body moves the counter.
#include <tangram.h>

__codelet void blocks_that_move(const Array<2, int> x, Array<2, int> y) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == 12);
  require(x.size(1) == 48);
  for (unsigned r = 0; r < x.size(0); ++r) {
    for (int g = 0; g < 12; ++g) {
      int at = g * 4;
      const int from = at;
      at += 3;
      int moved = 0;
      for (int c = from; c < at; ++c)
        moved += x[r][c];
      for (int c = g * 4; c < g * 4 + 4; ++c) {
        if (x[r][c] > 0)
          ++c;
        moved = moved * 2 + c;
      }
      y[r][g] = moved;
    }
  }
}
