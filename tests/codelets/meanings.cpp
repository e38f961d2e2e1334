// Meanings that are easy to get wrong when a codelet is put into other code: each spectrum is
// right only if a name keeps the value it was given. Every plan of each is verified.
#include <tangram.h>

// A local that starts from one that changes is a copy of it.
__codelet
void fibonacci_like(const Array<1, int> a, Array<1, int> out) {
  require(out.size() == a.size());
  int p = 1;
  int q = 2;
  for (unsigned i = 0; i < a.size(); ++i) {
    int t = p;
    p = q;
    q = t + a[i];
    out[i] = p * 7 + q;
  }
}

// A parameter may be assigned to; the caller's value stays.
__codelet
int add_all(int start, const Array<1, int> in) {
  for (unsigned i = 0; i < in.size(); ++i)
    start += in[i];
  return start;
}

__codelet __coop __tag(add_lanes)
int add_all(int start, const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned id = coopIdx();
  tmp[id] = id < in.size() ? in[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  start += tmp[coopDim() - 1];
  return start;
}

__codelet __tag(add_tiled)
int add_all(int start, const Array<1, int> in) {
  __tunable unsigned p;
  int zero = 0;
  return start + add_all(zero, map(add_all, zero, rows(in, p)));
}

// A view with a name stays where it was when its subscript moves on; a number that is handed on
// is the value it had, whatever the callee writes.
__codelet
void raise(int by, Array<1, int> a) {
  for (unsigned i = 0; i < a.size(); ++i)
    a[i] += by;
}

__codelet
int views(const Array<2, int> a, Array<1, int> y) {
  require(y.size() == a.size(1));
  require(y.size() > 0);
  int total = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < a.size(1); ++j)
      total += a[i][j];
  }
  int first = y[0];
  for (unsigned j = 0; j < y.size(); ++j)
    y[j] += first;
  return total;
}

__codelet __tag(named_views)
int views(const Array<2, int> a, Array<1, int> y) {
  int total = 0;
  for (unsigned i = 0; i < a.size(0); ++i) {
    unsigned k = i;
    Array<1, int> row = a[k];
    k = 0;
    total = add_all(total, row);
  }
  raise(y[0], y);
  return total;
}

// An atomic operation happens even when nobody looks at its value, and one that looks at a value
// sees all that went before it in lockstep.
__codelet
unsigned greatest(const Array<1, unsigned> in, Array<1, unsigned> bins) {
  require(bins.size() == 1);
  unsigned most = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    most = max(most, in[i]);
    long long before = atomicAdd(bins[0], in[i]);
  }
  return most;
}

__codelet __coop __tag(greatest_lanes)
unsigned greatest(const Array<1, unsigned> in, Array<1, unsigned> bins) {
  require(in.size() <= coopDim());
  __shared unsigned most;
  __shared unsigned seen[coopDim()];
  unsigned id = coopIdx();
  most = 0;
  if (id < in.size())
    atomicMax(most, in[id]);
  unsigned all = atomicMax(most, 0);
  seen[id] = all;
  if (id < in.size()) {
    long long before = atomicAdd(bins[0], in[id]);
  }
  return seen[0];
}

// Words of C, OpenCL C and generated code are names like others.
constexpr int M_PI[3] = {4, 5, 6};
int min(int half) { return half < 3 ? half : 3; }
int clamp(int x, int restrict, int global) {
  int kernel = x < restrict ? restrict : x;
  return kernel > global ? global : kernel;
}
int in_size(int q) { return q + 1; }
int sqrt(int q) { return q / 2; }
__codelet
int half(int in_size_, int kernel_size, const Array<1, int> kernel) {
  int accum = in_size_ + kernel_size;
  for (unsigned constant = 0; constant < kernel.size(); ++constant)
    accum += min(kernel[constant]) + clamp(kernel[constant], -7, 5) + in_size(kernel[constant]) +
             sqrt(kernel[constant]);
  return accum;
}
__codelet
int plus_table(const Array<1, int> result) {
  int max_index = 0;
  for (unsigned i = 0; i < result.size(); ++i)
    max_index += M_PI[i % 3] - M_PI[(i + 1) % 3] + result[i];
  return max_index;
}
__codelet int restrict(const Array<1, int> local) {
  int accum = 0;
  for (unsigned i = 0; i < local.size(); ++i)
    accum += local[i];
  return accum;
}
__codelet __tag(parts)
int restrict(const Array<1, int> local) {
  __tunable unsigned thread;
  __tunable unsigned barrier;
  unsigned max = (local.size() + thread * barrier - 1) / (thread * barrier);
  return restrict(map(restrict, rows(local, thread)));
}
__codelet __coop __tag(lanes)
int restrict(const Array<1, int> local) {
  require(local.size() <= coopDim());
  __shared int NUM_THREADS[coopDim()];
  __shared int thread[1];
  unsigned id = coopIdx();
  NUM_THREADS[id] = id < local.size() ? local[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      NUM_THREADS[id] += NUM_THREADS[id - s];
  }
  thread[0] = NUM_THREADS[coopDim() - 1];
  return thread[0];
}

// A name keeps the value it was given, also where kernels that use it write what it was read from.
__codelet void add_scaled(int by, const Array<1, int> x, Array<1, int> y) {
  require(x.size() == y.size());
  for (unsigned i = 0; i < y.size(); ++i)
    y[i] += by * x[i];
}
__codelet void scaled(const Array<1, int> x, Array<1, int> y) {
  require(x.size() == y.size());
  if (y.size() > 0) {
    int by = y[0];
    for (unsigned i = 0; i < y.size(); ++i)
      y[i] += by * x[i];
  }
}
__codelet __tag(named) void scaled(const Array<1, int> x, Array<1, int> y) {
  require(y.size() > 0);
  __tunable unsigned p;
  int by = y[0];
  map(add_scaled, by, rows(x, p), rows(y, p));
}

// Parts of parts of a chosen size: however long the container is, a part has at most that many
// elements, so that the number of its own parts is known when compiling.
__codelet int in_pieces(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i];
  return total;
}
__codelet __tag(pieces) int in_pieces(const Array<1, int> in) {
  __tunable unsigned t = choice(4, 64);
  unsigned n = (in.size() + t - 1) / t;
  return in_pieces(map(in_pieces, partition(in, n, sequence(0, t, in.size()), sequence(1),
                                            sequence(t, t, in.size() + t))));
}

// The same of a number that is read where it is handed on.
__codelet void scaled_by_first(const Array<1, int> x, Array<1, int> y) {
  require(x.size() == y.size());
  int by = y.size() > 0 ? y[0] : 0;
  for (unsigned i = 0; i < y.size(); ++i)
    y[i] += by * x[i];
}
__codelet __tag(handed) void scaled_by_first(const Array<1, int> x, Array<1, int> y) {
  require(y.size() > 0);
  __tunable unsigned p;
  map(add_scaled, y[0], rows(x, p), rows(y, p));
}
__codelet __tag(called) void scaled_by_first(const Array<1, int> x, Array<1, int> y) {
  require(y.size() > 0);
  add_scaled(y[0], x, y);
}

// Conditions around calls, on sizes and on what was computed, with returns in them: also where the
// host only launches kernels. What stands behind one is done only where it holds, divisions too.
__codelet void divided(int by, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] / by;
}
__codelet __tag(divided_parts) void divided(int by, const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned p;
  map(divided, by, rows(in, p), rows(out, p));
}
__codelet int odd_or_even(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i];
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = total % 2 == 0 ? in[i] / (1 + total * total % 5) : in[i] / (int)in.size();
  return in.size() == 0 ? -1 : total % 2 == 0 ? total / (int)in.size() : total;
}
__codelet __tag(by_cases) int odd_or_even(const Array<1, int> in, Array<1, int> out) {
  if (in.size() == 0)
    return -1;
  int each = 1000 / (int)in.size();
  int total = in_pieces(in) + 0 * each;
  if (total % 2 == 0) {
    divided(1 + total * total % 5, in, out);
    return total / (int)in.size();
  }
  divided((int)in.size(), in, out);
  return total;
}
__codelet __tag(one_of_two) int odd_or_even(const Array<1, int> in, Array<1, int> out) {
  int total = in_pieces(in);
  int n = in.size();
  if (total % 2 != 0)
    divided(n, in, out);
  else if (n > 0)
    divided(1 + total * total % 5, in, out);
  return n == 0 ? -1 : total % 2 == 0 ? total / n : total;
}

// Scalars of all kinds, a bool among them, and bounds that what is made up for them has to keep.
__codelet void shaped(const Array<1, int> in, bool flip, unsigned char rounds, int offset, Array<1, int> out) {
  require(out.size() == in.size());
  require(rounds >= 2);
  require(rounds <= 5);
  require(offset > 1000);
  for (unsigned i = 0; i < in.size(); ++i) {
    int v = in[i];
    for (unsigned r = 0; r < rounds; ++r)
      v = flip ? offset - v : v + offset;
    out[i] = v;
  }
}

__codelet __tag(tiled)
void shaped(const Array<1, int> in, bool flip, unsigned char rounds, int offset, Array<1, int> out) {
  __tunable unsigned p;
  map(shaped, rows(in, p), flip, rounds, offset, rows(out, p));
}
