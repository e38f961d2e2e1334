// Statistics: the rank of each number, by counting: how many are less, and half of the others that
// are equal.
#include <tangram.h>

__codelet void ranks(const Array<1, float> x, Array<1, float> rank) {
  require(rank.size() == x.size());
  for (unsigned i = 0; i < x.size(); ++i) {
    unsigned twice = 0;
    for (unsigned j = 0; j < x.size(); ++j) {
      if (x[j] < x[i])
        twice += 2;
      else if (x[j] == x[i])
        twice += 1;
    }
    rank[i] = 0.5f * (twice + 1);
  }
}
