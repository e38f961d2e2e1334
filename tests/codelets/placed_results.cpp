// Local containers that are copied into parts of others, by copies of all kinds, around kernels, in rounds of
// them, and within what workers do: they are built where they are copied to, or not, and right either way.
#include "../../codelets/copy.cpp"

__codelet int twice(int x) { return 2 * x; }
__codelet int next_of(int x) { return x + 1; }

// Twice each, and behind these one more than that.
__codelet
void both(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == 2 * in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    out[i] = 2 * in[i];
    out[in.size() + i] = 2 * in[i] + 1;
  }
}

__codelet __tag(both_parts)
void both(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  Array<1, int> once(n);
  Array<1, int> more(n);
  once = map(twice, in);
  more = map(next_of, once);
  copy<int>(once, slice(out, 0, n));
  copy<int>(more, slice(out, n, 2 * n));
}

// The same with all of it in one more container.
__codelet
void nested(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == 2 * in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    out[i] = 2 * in[i];
    out[in.size() + i] = 2 * in[i] + 1;
  }
}

__codelet __tag(nested_parts)
void nested(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  Array<1, int> more(n);
  Array<1, int> all(2 * n);
  auto low = slice(all, 0, n);
  low = map(twice, in);
  more = map(next_of, low);
  copy<int>(more, slice(all, n, 2 * n));
  copy<int>(all, out);
}

// The halves of `out` exchanged, twice each: neither may be built where the other one is still read.
__codelet
void exchanged(Array<1, int> out) {
  unsigned half = out.size() / 2;
  for (unsigned i = 0; i < half; ++i) {
    int low = out[i];
    out[i] = 2 * out[half + i];
    out[half + i] = 2 * low;
  }
}

__codelet __tag(exchanged_parts)
void exchanged(Array<1, int> out) {
  unsigned half = out.size() / 2;
  Array<1, int> low(half);
  Array<1, int> high(half);
  low = map(twice, slice(out, half, 2 * half));
  high = map(twice, slice(out, 0, half));
  copy<int>(low, slice(out, 0, half));
  copy<int>(high, slice(out, half, 2 * half));
}

// Of each row twice each, plus one, by a container that each row has.
__codelet
void row_of(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = 2 * in[i] + 1;
}

__codelet __tag(row_aside)
void row_of(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> aside(in.size());
  aside = map(twice, in);
  aside = map(next_of, aside);
  copy<int>(aside, out);
}

__codelet
void by_rows(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < out.size(0); ++i) {
    for (unsigned j = 0; j < out.size(1); ++j)
      out[i][j] = 2 * in[i][j] + 1;
  }
}

__codelet __tag(each_row)
void by_rows(const Array<2, int> in, Array<2, int> out) { map(row_of, in, out); }

// The first half is doubled again and again; the second one is what it was a round ago.
__codelet
void doubled(unsigned rounds, Array<1, int> out) {
  unsigned half = out.size() / 2;
  for (unsigned t = 0; t < rounds; ++t) {
    for (unsigned i = 0; i < half; ++i) {
      out[half + i] = out[i];
      out[i] = 2 * out[i];
    }
  }
}

__codelet __tag(doubled_rounds)
void doubled(unsigned rounds, Array<1, int> out) {
  unsigned half = out.size() / 2;
  for (unsigned t = 0; t < rounds; ++t) {
    Array<1, int> old(half);
    Array<1, int> now(half);
    copy<int>(slice(out, 0, half), old);
    now = map(twice, old);
    copy<int>(old, slice(out, half, 2 * half));
    copy<int>(now, slice(out, 0, half));
  }
}

// Copied by a spectrum of its own, of which only this codelet says what it means.
__codelet
void store(Array<1, int> to, const Array<1, int> from) {
  require(from.size() == to.size());
  for (unsigned i = 0; i < from.size(); ++i)
    to[i] = from[i];
}

__codelet __tag(store_tiled)
void store(Array<1, int> to, const Array<1, int> from) {
  __tunable unsigned p;
  map(store, rows(to, p), rows(from, p));
}

__codelet
void stored(const Array<1, int> in, Array<2, int> out) {
  require(out.size(0) == 2);
  require(out.size(1) == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    out[0][i] = 2 * in[i];
    out[1][i] = in[i] + 1;
  }
}

__codelet __tag(stored_rows)
void stored(const Array<1, int> in, Array<2, int> out) {
  Array<1, int> one(in.size());
  Array<1, int> other(in.size());
  one = map(twice, in);
  other = map(next_of, in);
  store(out[0], one);
  store(out[1], other);
}
