// Sums of the columns of a matrix: column by column, row by row, in blocks of columns.
#include <tangram.h>

__codelet __tag(columns)
void column_sums(const Array<2, int> a, Array<1, int> sums) {
  require(a.size(1) == sums.size());
  for (unsigned j = 0; j < a.size(1); ++j) {
    int s = 0;
    for (unsigned i = 0; i < a.size(0); ++i)
      s += a[i][j];
    sums[j] = s;
  }
}
__codelet __tag(rows)
void column_sums(const Array<2, int> a, Array<1, int> sums) {
  for (unsigned j = 0; j < sums.size(); ++j)
    sums[j] = 0;
  for (unsigned i = 0; i < a.size(0); ++i)
    for (unsigned j = 0; j < a.size(1); ++j)
      sums[j] += a[i][j];
}
__codelet __tag(pairs)
void column_sums(const Array<2, int> a, Array<1, int> sums) {
  unsigned n = a.size(1);
  for (unsigned j = 0; j + 1 < n; j += 2) {
    int s = 0;
    int t = 0;
    for (unsigned i = 0; i < a.size(0); ++i) {
      s += a[i][j];
      t += a[i][j + 1];
    }
    sums[j] = s;
    sums[j + 1] = t;
  }
  if (n % 2 != 0) {
    int s = 0;
    for (unsigned i = 0; i < a.size(0); ++i)
      s += a[i][n - 1];
    sums[n - 1] = s;
  }
}
__codelet __tag(blocks)
void column_sums(const Array<2, int> a, Array<1, int> sums) {
  __tunable unsigned t = choice(16, 32);
  map(column_sums, col_chunks(a, t), chunks(sums, t));
}
