// history; derived_split_i derived_nests derived_lanes_i; u=6x33
#include <tangram.h>

// All steps of a vibrating string, a row each, from the two rows before.
__codelet void history(Array<2, float> u) {
  for (unsigned t = 2; t < u.size(0); ++t)
    for (unsigned i = 1; i + 1 < u.size(1); ++i)
      u[t][i] = 2 * u[t - 1][i] - u[t - 2][i] + 0.25f * (u[t - 1][i - 1] - 2 * u[t - 1][i] + u[t - 1][i + 1]);
}
