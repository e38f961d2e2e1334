// Writes with mistakes, for tests/equivalence.py: all tagged codelets are wrong, but for `right`.
#include <tangram.h>

__codelet
void shift(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = in[i] + 1;
}

// The last element is not written.
__codelet __coop __tag(one_less)
void shift(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = coopIdx(); i + 1 < out.size(); i += coopDim())
    out[i] = in[i] + 1;
}

__codelet __tag(right)
void shift(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(shift, rows(in, p), rows(out, p));
}

__codelet
void count(const Array<1, int> in, Array<1, int> bins) {
  require(within(in, 0, bins.size()));
  for (unsigned i = 0; i < in.size(); ++i)
    bins[in[i]] += 1;
}

// Takes a count that is there, rather than adding to it.
__codelet __coop __tag(exchanged)
void count(const Array<1, int> in, Array<1, int> bins) {
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicExchange(bins[in[i]], 1);
}

__codelet __coop __tag(right_too)
void count(const Array<1, int> in, Array<1, int> bins) {
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim())
    atomicAdd(bins[in[i]], 1);
}

// Only for another target: its meaning is compared all the same.
__codelet __env(opencl) __tag(elsewhere)
void count(const Array<1, int> in, Array<1, int> bins) {
  for (unsigned i = 0; i < in.size(); ++i)
    bins[in[i]] += 2;
}

// No level can: a cooperative codelet that no vector fits, for it wants more lanes than there are.
__codelet __coop __tag(too_wide)
void count(const Array<1, int> in, Array<1, int> bins) {
  require(coopDim() > 100000);
  atomicAdd(bins[0], 1);
}
