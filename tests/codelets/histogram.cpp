// Atomics: on the output, and on a copy of it that a group shares.
#include <tangram.h>

__codelet
void histogram(const Array<1, unsigned> in, Array<1, unsigned> counts) {
  require(within(in, 0, counts.size()));
  for (unsigned i = 0; i < in.size(); ++i)
    counts[in[i]] += 1;
}

__codelet __coop __tag(atomics)
void histogram(const Array<1, unsigned> in, Array<1, unsigned> counts) {
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicAdd(counts[in[i]], 1);
}

__codelet __coop __tag(privatised)
void histogram(const Array<1, unsigned> in, Array<1, unsigned> counts) {
  require(counts.size() <= 256);
  __shared unsigned mine[256];
  unsigned id = coopIdx();
  for (unsigned b = id; b < 256; b += coopDim())
    mine[b] = 0;
  for (unsigned i = id; i < in.size(); i += coopDim())
    atomicAdd(mine[in[i]], 1);
  for (unsigned b = id; b < counts.size(); b += coopDim())
    atomicAdd(counts[b], mine[b]);
}

__codelet
void count(const unsigned value, Array<1, unsigned> counts) {
  atomicAdd(counts[value], 1);
}

__codelet __tag(each)
void histogram(const Array<1, unsigned> in, Array<1, unsigned> counts) {
  map(count, in, all(counts));
}

__codelet __tag(tiled)
void histogram(const Array<1, unsigned> in, Array<1, unsigned> counts) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  fold(histogram,
      partition(in, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1)),
      all(counts));
}

// Elements that are not 0, in any order; n[0] says how many.
__codelet
void compact(const Array<1, int> in, Array<1, int> out, Array<1, unsigned> n) {
  require(out.size() == in.size());
  require(n.size() == 1);
  unsigned kept = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] != 0) {
      out[kept] = in[i];
      ++kept;
    }
  }
  n[0] = kept;
}
