// Means of five neighbours, whole windows alone: by a running sum and in tiles with a halo of four.
#include <tangram.h>

__codelet __tag(loop)
void moving_average(const Array<1, float> in, Array<1, float> out) {
  require(in.size() == out.size() + 4);
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = (in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4]) / 5;
}
__codelet __tag(tiles)
void moving_average(const Array<1, float> in, Array<1, float> out) {
  __tunable unsigned t = choice(16, 64);
  map(moving_average, chunks(in, t, 4), chunks(out, t));
}
__codelet __coop __tag(lanes)
void moving_average(const Array<1, float> in, Array<1, float> out) {
  __shared float near[coopDim() + 4];
  unsigned id = coopIdx();
  for (unsigned first = 0; first < out.size(); first += coopDim()) {
    for (unsigned i = id; i < coopDim() + 4; i += coopDim()) {
      if (first + i < in.size())
        near[i] = in[first + i];
    }
    if (first + id < out.size())
      out[first + id] = (near[id] + near[id + 1] + near[id + 2] + near[id + 3] + near[id + 4]) / 5;
  }
}
