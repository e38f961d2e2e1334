// The least of numbers of any magnitude.
#include <cmath>
#include <tangram.h>

__codelet
float coldest(const Array<1, float> in) {
  float least = INFINITY;
  for (unsigned i = 0; i < in.size(); ++i)
    least = min(least, in[i]);
  return least;
}

__codelet __tag(in_threes)
float coldest(const Array<1, float> in) {
  unsigned n = in.size();
  float least = INFINITY;
  for (unsigned i = 0; i < n; i += 3) {
    float here = INFINITY;
    for (unsigned j = i; j < min(i + 3, n); ++j)
      here = in[j] < here ? in[j] : here;
    least = here < least ? here : least;
  }
  return least;
}
