// Inclusive scans: one after the other, a tree, reduce-scan-scan, and chained.
#include <tangram.h>

__codelet
int sum(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i];
  return s;
}

__codelet __tag(tiled)
int sum(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  return sum(map(sum, partition(in, p, sequence(0, tile, len), sequence(1),
                                sequence(tile, tile, len + 1))));
}

// Scan of `in` that starts from `carry`; gives the last value.
__codelet
int scan_from(const int carry, const Array<1, int> in, Array<1, int> out) {
  int s = carry;
  for (unsigned i = 0; i < in.size(); ++i) {
    s += in[i];
    out[i] = s;
  }
  return s;
}

__codelet
void scan_part(const int carry, const Array<1, int> in, Array<1, int> out) {
  int s = carry;
  for (unsigned i = 0; i < in.size(); ++i) {
    s += in[i];
    out[i] = s;
  }
}

__codelet __coop __tag(strided)
void scan_part(const int carry, const Array<1, int> in, Array<1, int> out) {
  __shared int tmp[coopDim()];
  __shared int before;
  unsigned id = coopIdx();
  before = carry;
  for (unsigned base = 0; base < in.size(); base += coopDim()) {
    tmp[id] = (base + id < in.size()) ? in[base + id] : 0;
    for (unsigned s = 1; s < coopDim(); s *= 2) {
      if (id >= s)
        tmp[id] += tmp[id - s];
    }
    if (base + id < in.size())
      out[base + id] = before + tmp[id];
    before += tmp[coopDim() - 1];
  }
}

__codelet
void shift(const Array<1, int> in, Array<1, int> out) {
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = (i == 0) ? 0 : in[i - 1];
}

__codelet
void scan(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  int s = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    s += in[i];
    out[i] = s;
  }
}

__codelet __coop __tag(tree)
void scan(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned id = coopIdx();
  tmp[id] = (id < in.size()) ? in[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  if (id < out.size())
    out[id] = tmp[id];
}

// Sums of the parts, a scan of them, and a scan of each part from what stands before it.
__codelet __tag(reduce_scan_scan)
void scan(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  Array<1, int> sums = map(sum, partition(in, p, sequence(0, tile, len), sequence(1),
                                          sequence(tile, tile, len + 1)));
  Array<1, int> ends(p);
  Array<1, int> carries(p);
  scan(sums, ends);
  shift(ends, carries);
  map(scan_part, carries,
      partition(in, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1)),
      partition(out, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1)));
}

__codelet __tag(chained)
void scan(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  unsigned len = in.size();
  unsigned tile = (len + p - 1) / p;
  chain(scan_from, 0,
      partition(in, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1)),
      partition(out, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1)));
}
