// both_ways; derived_split_j derived_split_i derived_nests; a=11x17
#include <tangram.h>

// A matrix times a vector, and its transpose times another one added to columns, in one walk over it.
__codelet void both_ways(const Array<2, float> a, const Array<1, float> right, const Array<1, float> left, Array<1, float> rows, Array<1, float> columns) {
  require(right.size() == a.size(1));
  require(left.size() == a.size(0));
  require(rows.size() == a.size(0));
  require(columns.size() == a.size(1));
  for (unsigned i = 0; i < rows.size(); ++i) {
    float s = 0;
    for (unsigned j = 0; j < columns.size(); ++j) {
      columns[j] += left[i] * a[i][j];
      s += a[i][j] * right[j];
    }
    rows[i] = s;
  }
}
