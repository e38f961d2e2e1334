// votes; derived_atomic derived_copies derived_split_i derived_tile_i derived_lanes_i; value=700 weight=700 of=700 counts=11 sums=11 least=11; large value=100000000 weight=100000000 of=100000000 counts=256 sums=256 least=256 below 40 ms
// How often each candidate is voted for, with what weight, and the least value that was given: updates whose place depends
// on data, several in one loop.
#include <tangram.h>

__codelet void votes(const Array<1, int> of, const Array<1, int> value,
                     const Array<1, float> weight, Array<1, unsigned> counts, Array<1, float> sums,
                     Array<1, int> least) {
  require(value.size() == of.size());
  require(weight.size() == of.size());
  require(sums.size() == counts.size());
  require(least.size() == counts.size());
  require(within(of, 0, counts.size()));
  for (unsigned b = 0; b < counts.size(); ++b) {
    counts[b] = 0;
    sums[b] = 0;
    least[b] = 2147483647;
  }
  for (unsigned i = 0; i < of.size(); ++i) {
    ++counts[of[i]];
    sums[of[i]] -= 2 * weight[i];
    if (value[i] < least[of[i]])
      least[of[i]] = value[i];
  }
}
