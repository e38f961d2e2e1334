// Lanes that read what their neighbours wrote: trees, ping-pong, sorting, wrap-around. The first
// codelet of each spectrum says what the second one, which is cooperative, means.
#include <tangram.h>

// Two arrays.
__codelet int two_arrays(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 1; i < in.size(); ++i)
    total += in[i - 1] * 3 * (int)i;
  return total;
}

__codelet __coop __tag(lanes)
int two_arrays(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int first[coopDim()];
  __shared int second[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  first[id] = id < n ? in[id] * 3 : 0;
  int own = 0;
  if (id > 0 && id < n)
    own = first[id - 1] * (int)id;
  second[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      second[id] += second[id - s];
  }
  return second[coopDim() - 1];
}

// Ping-pong.
__codelet void ping_pong(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  int best = -2147483647 - 1;
  for (unsigned i = 0; i < in.size(); ++i) {
    best = max(best, in[i]);
    out[i] = best;
  }
}

__codelet __coop __tag(lanes) void ping_pong(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int a[coopDim()];
  __shared int b[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  a[id] = id < n ? in[id] : -2147483647 - 1;
  bool flip = false;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (flip) {
      a[id] = b[id];
      if (id >= s) {
        if (b[id - s] > b[id])
          a[id] = b[id - s];
      }
    } else {
      b[id] = a[id];
      if (id >= s) {
        if (a[id - s] > a[id])
          b[id] = a[id - s];
      }
    }
    flip = !flip;
  }
  if (id < n)
    out[id] = flip ? b[id] : a[id];
}

// Segmented scan: new segment where in % 4 == 0.
__codelet void segmented(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  int accum = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] % 4 == 0)
      accum = 0;
    accum += in[i];
    out[i] = accum;
  }
}

__codelet __coop __tag(lanes) void segmented(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int v[coopDim()];
  __shared bool f[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  v[id] = 0;
  f[id] = false;
  if (id < n) {
    v[id] = in[id];
    f[id] = in[id] % 4 == 0;
  }
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s) {
      if (!f[id]) {
        v[id] += v[id - s];
        f[id] = f[id - s];
      }
    }
  }
  if (id < n)
    out[id] = v[id];
}

// Bitonic.
__codelet void bitonic(Array<1, int> a) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (unsigned j = 1; j < a.size(); ++j)
      if (a[j - 1] > a[j]) {
        int x = a[j];
        a[j] = a[j - 1];
        a[j - 1] = x;
      }
}

__codelet __coop __tag(lanes) void bitonic(Array<1, int> a) {
  require(a.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  unsigned n = a.size();
  if (id < n)
    t[id] = a[id];
  for (unsigned k = 2; k < 2 * n; k *= 2) {
    for (unsigned j = k; j > 0; j /= 2) {
      unsigned partner = j == k ? id ^ (k - 1) : id ^ j;
      if (id < n && partner > id && partner < n) {
        int x = t[id];
        int y = t[partner];
        if (x > y) {
          t[id] = y;
          t[partner] = x;
        }
      }
    }
  }
  if (id < n)
    a[id] = t[id];
}

// Wrap-around exchange with swapped roles.
__codelet void exchange(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i)
    out[i] = in[(i + 2) % n] + in[(i + n - 1) % n];
}

__codelet __coop __tag(lanes) void exchange(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int x[coopDim()];
  __shared int y[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  int l = 0;
  int r = 0;
  if (id < n) {
    x[id] = in[id];
    y[id] = in[id];
  }
  if (id < n) {
    x[id] = x[(id + 1) % n];
    y[(id + 1) % n] = y[id];
  }
  if (id < n) {
    l = x[(id + 1) % n];
    r = y[id];
    out[id] = l + r;
  }
}

// Compound assignment on neighbours, wrap-around.
__codelet void wrap_sub(Array<1, int> a) {
  unsigned n = a.size();
  int first = n > 0 ? a[0] : 0;
  for (unsigned i = 0; i < n; ++i)
    a[i] -= i + 1 < n ? a[i + 1] : first;
}

__codelet __coop __tag(lanes) void wrap_sub(Array<1, int> a) {
  require(a.size() <= coopDim());
  unsigned id = coopIdx();
  unsigned n = a.size();
  if (id < n)
    a[id] -= a[(id + 1) % n];
}
