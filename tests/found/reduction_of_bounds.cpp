// Program 6 of seed 675761 of tests/random_programs. PoCL 3.1 computed it wrongly where items leave a loop in the code
// between two barriers.
#include <tangram.h>

unsigned long long value(signed char x) {
  return x % 17 % 5;
}

__codelet
unsigned long long f(const Array<1, signed char> in) {
  unsigned long long accum = 0;
  for (unsigned i = in.size(); i > 0; --i) {
    unsigned long long one = value(in[i - 1]);
    accum = max(accum, one);
  }
  return accum;
}

__codelet
unsigned long long combine(const Array<1, unsigned long long> in) {
  unsigned long long accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum = max(accum, in[i]);
  return accum;
}

__codelet __tag(tiled0)
unsigned long long f(const Array<1, signed char> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  return combine(map(f, partition(in, p, sequence(0, 1, p), sequence(p), sequence(len))));
}

__codelet __tag(tiled1)
unsigned long long f(const Array<1, signed char> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  Array<1, unsigned long long> found = map(f, partition(in, p, sequence(0, 1, p), sequence(p), sequence(len)));
  return combine(found);
}

__codelet __tag(chunked)
unsigned long long f(const Array<1, signed char> in) {
  __tunable unsigned t;
  return combine(map(f, chunks(in, t)));
}

__codelet __coop __tag(lanes)
unsigned long long f(const Array<1, signed char> in) {
  __shared unsigned long long tmp[coopDim()];
  unsigned len = in.size();
  unsigned id = coopIdx();
  int dead = 0;
  unsigned long long own = 0;
  for (unsigned i = id; i < len; i += coopDim())
    own = max(own, value(in[i]));
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    for (int round_on813 = 0; round_on813 < 3; ++round_on813) {
      if (round_on813 == 1)
        break;
      if (id >= s) {
        tmp[id] = max(tmp[id], tmp[id - s]);
      }
    }
  }
  return tmp[coopDim() - 1];
}

__codelet
unsigned long long one(signed char x) {
  return value(x);
}

__codelet __tag(elements)
unsigned long long f(const Array<1, signed char> in) {
  Array<1, unsigned long long> all(in.size());
  all = map(one, in);
  return combine(all);
}

__codelet
void share(const Array<1, signed char> in, Array<1, unsigned long long> acc) {
  require(acc.size() == 1);
  for (unsigned i = 0; i < in.size(); ++i)
    atomicMax(acc[0], value(in[i]));
}

__codelet __tag(atomics)
unsigned long long f(const Array<1, signed char> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = len / p + 1;
  Array<1, unsigned long long> acc(1);
  acc[0] = 0;
  map(share, partition(in, p, sequence(0, tile, len + p * tile), sequence(1), sequence(tile, tile, len + p * tile + 1)), all(acc));
  return acc[0];
}

__codelet
unsigned long long blocks(const Array<1, signed char> in) {
  unsigned long long accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum = max(accum, value(in[i]));
  return accum;
}

__codelet __tag(blocks_f)
unsigned long long blocks(const Array<1, signed char> in) {
  __tunable unsigned q;
  Array<1, unsigned long long> found = map(f, rows(in, q));
  return combine(found);
}

__codelet __tag(blocks_b)
unsigned long long blocks(const Array<1, signed char> in) {
  __tunable unsigned r;
  Array<1, unsigned long long> found(r);
  found = map(blocks, rows(in, r));
  return combine(found);
}

__codelet __tag(nested)
unsigned long long f(const Array<1, signed char> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  Array<1, unsigned long long> found(p);
  found = map(blocks, partition(in, p, sequence(0, 1, p), sequence(p), sequence(len)));
  return combine(found);
}
