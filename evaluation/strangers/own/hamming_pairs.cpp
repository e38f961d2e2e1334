// Bioinformatics: in how many bits each pair of fingerprints differs.
#include <tangram.h>

unsigned ones(unsigned x) {
  x = x - ((x >> 1) & 0x55555555u);
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  return (x * 0x01010101u) >> 24;
}

__codelet void hamming_pairs(const Array<2, unsigned> a, const Array<2, unsigned> b,
                             Array<2, unsigned> distances) {
  require(b.size(1) == a.size(1));
  require(distances.size(0) == a.size(0));
  require(distances.size(1) == b.size(0));
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < b.size(0); ++j) {
      unsigned count = 0;
      for (unsigned k = 0; k < a.size(1); ++k)
        count += ones(a[i][k] ^ b[j][k]);
      distances[i][j] = count;
    }
  }
}
