// Loops over lanes, chains and parts in each other, at all pairs of levels: sums along columns, in blocks of rows. The
// emitted code gives each loop a name that no loop around it has.
#include <tangram.h>

__codelet void column_sums(const Array<2, int> x, Array<1, int> y) {
  require(y.size() == x.size(1));
  for (unsigned j = 0; j < y.size(); ++j) {
    int s = 0;
    for (unsigned i = 0; i < x.size(0); ++i)
      s += x[i][j];
    y[j] = s;
  }
}
__codelet __coop __tag(a_column_a_lane) void column_sums(const Array<2, int> x, Array<1, int> y) {
  for (unsigned j = coopIdx(); j < y.size(); j += coopDim()) {
    int s = 0;
    for (unsigned i = 0; i < x.size(0); ++i)
      s += x[i][j];
    y[j] = s;
  }
}
__codelet __tag(column_chunks) void column_sums(const Array<2, int> x, Array<1, int> y) {
  __tunable unsigned t = choice(16, 4, 8);
  map(column_sums, col_chunks(x, t), chunks(y, t));
}
__codelet __tag(blocks_of_rows) void column_sums(const Array<2, int> x, Array<1, int> y) {
  __tunable unsigned p;
  Array<2, int> lane(p, x.size(1));
  map(column_sums, rows(x, p), lane);
  column_sums(lane, y);
}
