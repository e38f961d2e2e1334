// places; derived_split_i derived_lanes_j derived_parts_j; x=9x37
#include <tangram.h>

// The smallest element of each row and where it is, the first of equal ones; the same of the largest, the last of equal
// ones; how many are negative, and whether any is 0.
__codelet void places(const Array<2, int> x, Array<1, int> least, Array<1, int> first, Array<1, unsigned> last,
                      Array<1, unsigned> negative, Array<1, int> zero) {
  require(least.size() == x.size(0));
  require(first.size() == x.size(0));
  require(last.size() == x.size(0));
  require(negative.size() == x.size(0));
  require(zero.size() == x.size(0));
  for (unsigned i = 0; i < x.size(0); ++i) {
    int low = 1000;
    int high = -1000;
    int lowest = 0;
    unsigned highest = 0;
    unsigned count = 0;
    bool any = false;
    for (unsigned j = 0; j < x.size(1); ++j) {
      int value = x[i][j] % 4;
      if (value < low) {
        low = value;
        lowest = j;
      }
      if (high <= value) {
        highest = j;
        high = value;
      }
      if (value < 0)
        ++count;
      any = any || value == 0;
    }
    least[i] = low;
    first[i] = lowest;
    last[i] = highest;
    negative[i] = count;
    zero[i] = any ? 1 : 0;
  }
}
