// The largest of all elements up to each; carried from chunk to chunk.
#include <tangram.h>

__codelet __tag(from)
int running_on(int most, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  int m = most;
  for (unsigned i = 0; i < in.size(); ++i) {
    m = in[i] > m ? in[i] : m;
    out[i] = m;
  }
  return m;
}
__codelet __tag(loop)
void running_max(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = i == 0 ? in[0] : max(out[i - 1], in[i]);
}
__codelet __tag(chained)
void running_max(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t = choice(64, 16, 256);
  int lowest = -2147483647 - 1;
  chain(running_on, lowest, chunks(in, t), chunks(out, t));
}
__codelet __tag(one_pass)
void running_max(const Array<1, int> in, Array<1, int> out) {
  int m = -2147483647 - 1;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] > m)
      m = in[i];
    out[i] = m;
  }
}
