// Bytes as input, and parts that are counted by one spectrum and added by another.
#include <tangram.h>

__codelet
unsigned add(const Array<1, unsigned> in) {
  unsigned accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet __coop __tag(halves)
unsigned add(const Array<1, unsigned> in) {
  require(in.size() <= coopDim());
  __shared unsigned part[coopDim()];
  unsigned lane = coopIdx();
  part[lane] = (lane < in.size()) ? in[lane] : 0;
  for (unsigned step = 1; step < coopDim(); step *= 2) {
    if (lane + step < coopDim())
      part[lane] += part[lane + step];
  }
  return part[0];
}

__codelet
unsigned count_zeros(const Array<1, unsigned char> in) {
  unsigned count = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] == 0)
      ++count;
  }
  return count;
}

__codelet __tag(strided)
unsigned count_zeros(const Array<1, unsigned char> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  return add(map(count_zeros, partition(in, p,
      sequence(0, 1, p), sequence(p), sequence(len))));
}
