// Sums of rows of different lengths, which offsets tell.
#include <tangram.h>

__codelet __tag(loop)
void segment_sums(const Array<1, long> values, const Array<1, int> offsets, Array<1, long> sums) {
  require(offsets.size() == sums.size() + 1);
  require(ascending(offsets, 0, values.size()));
  for (unsigned r = 0; r < sums.size(); ++r) {
    long s = 0;
    for (int k = offsets[r]; k < offsets[r + 1]; ++k)
      s += values[k];
    sums[r] = s;
  }
}
__codelet __tag(differences)
void segment_sums(const Array<1, long> values, const Array<1, int> offsets, Array<1, long> sums) {
  long s = 0;
  int k = offsets[0];
  for (unsigned r = 0; r < sums.size(); ++r) {
    long before = s;
    while (k < offsets[r + 1]) {
      s += values[k];
      k += 1;
    }
    sums[r] = s - before;
  }
}
__codelet __coop __tag(lanes)
void segment_sums(const Array<1, long> values, const Array<1, int> offsets, Array<1, long> sums) {
  for (unsigned r = coopIdx(); r < sums.size(); r += coopDim()) {
    long s = 0;
    for (int k = offsets[r]; k < offsets[r + 1]; ++k)
      s += values[k];
    sums[r] = s;
  }
}
