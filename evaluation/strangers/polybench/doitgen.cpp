// out[r][q] = a[r][q] c4. PolyBench has the result in a's place, by a row in between; a codelet
// that calls nothing has no memory of a size that is not constant, so the result has its own.
#include <tangram.h>

__codelet void doitgen(const Array<3, double> a, const Array<2, double> c4, Array<3, double> out) {
  require(c4.size(0) == a.size(2));
  require(c4.size(1) == a.size(2));
  require(out.size(0) == a.size(0));
  require(out.size(1) == a.size(1));
  require(out.size(2) == a.size(2));
  for (unsigned r = 0; r < a.size(0); ++r) {
    for (unsigned q = 0; q < a.size(1); ++q) {
      for (unsigned p = 0; p < a.size(2); ++p) {
        out[r][q][p] = 0;
        for (unsigned s = 0; s < a.size(2); ++s)
          out[r][q][p] += a[r][q][s] * c4[s][p];
      }
    }
  }
}
