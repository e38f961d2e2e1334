// A codelet that is wrong: it agrees with the first one where the size is a multiple of 4, and
// where what is left over is 0. tests/random_plans_bites.py expects it to be found.
#include <tangram.h>

__codelet
int total(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet __tag(unrolled)
int total(const Array<1, int> in) {
  int accum = 0;
  for (unsigned i = 0; i + 3 < in.size(); i += 4)
    accum += in[i] + in[i + 1] + in[i + 2] + in[i + 3];
  return accum;
}
