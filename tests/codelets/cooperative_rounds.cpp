// Cooperative codelets with rounds: lanes read elements of global memory that other lanes wrote in the round before.
#include <tangram.h>

// A ring: each element takes three times its right neighbour, as it was before.
__codelet
void ring(unsigned rounds, Array<1, unsigned> values) {
  for (unsigned r = 0; r < rounds % 5; ++r) {
    unsigned first = values.size() > 0 ? values[0] : 0;
    for (unsigned i = 0; i < values.size(); ++i)
      values[i] += 3 * (i + 1 < values.size() ? values[i + 1] : first);
  }
}

__codelet __coop __tag(lanes)
void ring(unsigned rounds, Array<1, unsigned> values) {
  require(values.size() <= coopDim());
  unsigned id = coopIdx();
  for (unsigned r = 0; r < rounds % 5; ++r) {
    unsigned other = 0;
    if (id < values.size())
      other = values[id + 1 < values.size() ? id + 1 : 0];
    if (id < values.size())
      values[id] += 3 * other;
  }
}

// The same of any number of elements: what one turn writes the next one must not have read yet.
__codelet
void long_ring(unsigned rounds, Array<1, unsigned> values) {
  for (unsigned r = 0; r < rounds % 5; ++r) {
    unsigned first = values.size() > 0 ? values[0] : 0;
    for (unsigned i = 0; i < values.size(); ++i)
      values[i] += 3 * (i + 1 < values.size() ? values[i + 1] : first);
  }
}

__codelet __coop __tag(turns)
void long_ring(unsigned rounds, Array<1, unsigned> values) {
  __shared unsigned first;
  unsigned n = values.size();
  for (unsigned r = 0; r < rounds % 5; ++r) {
    first = n > 0 ? values[0] : 0;
    for (unsigned base = 0; base < n; base += coopDim()) {
      unsigned i = base + coopIdx();
      unsigned other = 0;
      if (i < n)
        other = i + 1 < n ? values[i + 1] : first;
      if (i < n)
        values[i] += 3 * other;
    }
  }
}
