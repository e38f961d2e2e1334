// Parts that data describe: row i holds the elements from rows[i] to rows[i + 1].
#include <tangram.h>

__codelet
int sum(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet
int sum_of_rows(const Array<1, int> values, const Array<1, unsigned> rows) {
  int accum = 0;
  for (unsigned row = 0; row + 1 < rows.size(); ++row) {
    for (unsigned i = rows[row]; i < rows[row + 1]; ++i) {
      if (i < values.size())
        accum += values[i];
    }
  }
  return accum;
}

__codelet __tag(by_rows)
int sum_of_rows(const Array<1, int> values, const Array<1, unsigned> rows) {
  unsigned n = (rows.size() > 0) ? rows.size() - 1 : 0;
  return sum(map(sum, partition(values, n,
      sequence(rows, 0, 1, n), sequence(1), sequence(rows, 1, 1, n + 1))));
}
