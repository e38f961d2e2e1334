// bins[v] += how often v occurs in in.
#include "reduce.cpp"

// counts := how often each value occurs.
__codelet
void count(const Array<1, int> in, Array<1, int> counts) {
  require(within(in, 0, counts.size()));
  for (unsigned b = 0; b < counts.size(); ++b)
    counts[b] = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    counts[in[i]] += 1;
}

__codelet __coop __tag(count_lanes)
void count(const Array<1, int> in, Array<1, int> counts) {
  for (unsigned b = coopIdx(); b < counts.size(); b += coopDim())
    counts[b] = 0;
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicAdd(counts[in[i]], 1);
}

__codelet
int plus_sum(int start, const Array<1, int> in) {
  int accum = start;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}

__codelet __tag(plus_sum_reduce)
int plus_sum(int start, const Array<1, int> in) {
  return start + sum<int>(in);
}

// The same as histogram, but every addition is atomic, so that several may work at once.
__codelet
void add_counts(const Array<1, int> in, Array<1, int> bins) {
  require(within(in, 0, bins.size()));
  for (unsigned i = 0; i < in.size(); ++i)
    atomicAdd(bins[in[i]], 1);
}

__codelet __coop __tag(add_lanes)
void add_counts(const Array<1, int> in, Array<1, int> bins) {
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicAdd(bins[in[i]], 1);
}

// Bins in shared memory take most of the additions.
__codelet __coop __tag(add_shared)
void add_counts(const Array<1, int> in, Array<1, int> bins) {
  require(bins.size() <= 1024);
  __shared int own[1024];
  for (unsigned b = coopIdx(); b < bins.size(); b += coopDim())
    own[b] = 0;
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicAdd(own[in[i]], 1);
  for (unsigned b = coopIdx(); b < bins.size(); b += coopDim())
    atomicAdd(bins[b], own[b]);
}

// Not many parts: the bins of each are added to those of all.
__codelet __tag(add_tiled)
void add_counts(const Array<1, int> in, Array<1, int> bins) {
  __tunable unsigned p = range(1, 512);
  map(add_counts, rows(in, p), all(bins));
}

// Parts of one size, whatever the size of the array.
__codelet __tag(add_chunked)
void add_counts(const Array<1, int> in, Array<1, int> bins) {
  __tunable unsigned t = choice(65536, 4096, 16384, 262144);
  map(add_counts, chunks(in, t), all(bins));
}

__codelet
void histogram(const Array<1, int> in, Array<1, int> bins) {
  require(within(in, 0, bins.size()));
  for (unsigned i = 0; i < in.size(); ++i)
    bins[in[i]] += 1;
}

// All workers add to the same bins.
__codelet __tag(atomic)
void histogram(const Array<1, int> in, Array<1, int> bins) {
  add_counts(in, bins);
}

// Bins of its own for every worker, which are added up at the end.
__codelet __tag(privatized)
void histogram(const Array<1, int> in, Array<1, int> bins) {
  __tunable unsigned p;
  Array<2, int> own(p, bins.size());
  map(count, rows(in, p), own);
  bins = map(plus_sum, bins, transpose(own));
}
