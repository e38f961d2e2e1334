// How many pairs of bases a strand of RNA can fold into: table[i][j] is of bases i to j. Bases 0
// and 3 pair, and 1 and 2, where they are not next to each other.
#include <tangram.h>

__codelet void nussinov(const Array<1, int> bases, Array<2, int> table) {
  require(within(bases, 0, 4));
  require(table.size(0) == bases.size());
  require(table.size(1) == bases.size());
  int n = bases.size();
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) {
      int most = max(table[i][j], table[i][j - 1]);
      most = max(most, table[i + 1][j]);
      int pair = i < j - 1 && bases[i] + bases[j] == 3 ? 1 : 0;
      most = max(most, table[i + 1][j - 1] + pair);
      for (int k = i + 1; k < j; ++k)
        most = max(most, table[i][k] + table[k + 1][j]);
      table[i][j] = most;
    }
  }
}
