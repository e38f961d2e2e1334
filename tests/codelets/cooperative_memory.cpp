// Memory by owner: views, rows, arrays and elements of a lane, atomic operations. The first codelet
// of each spectrum says what the second one, which is cooperative, means.
#include <tangram.h>

// Alias: shift by one in place through a view.
__codelet void shift(Array<1, int> a) {
  for (unsigned i = 1; i < a.size(); ++i)
    a[a.size() - i] = a[a.size() - i - 1] + 1;
}

__codelet __coop __tag(lanes) void shift(Array<1, int> a) {
  require(a.size() <= coopDim());
  unsigned id = coopIdx();
  auto view = a;
  if (id > 0 && id < a.size())
    view[id] = a[id - 1] + 1;
}

// Atomic on own element of shared.
__codelet int own_atomic(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i] + 5 + max(in[i] + 5, 7);
  return total;
}

__codelet __coop __tag(lanes)
int own_atomic(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int mine[coopDim()];
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  mine[id] = id < in.size() ? in[id] : 0;
  atomicAdd(mine[id], 5);
  int before = atomicMax(mine[id], 7);
  t[id] = id < in.size() ? before + mine[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      t[id] += t[id - s];
  }
  return t[coopDim() - 1];
}

// Per-lane array.
__codelet int own_array(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i] * 10;
  return total;
}

__codelet __coop __tag(lanes)
int own_array(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  int v[4];
  for (int k = 0; k < 4; ++k)
    v[k] = id < in.size() ? in[id] * (k + 1) : 0;
  t[id] = v[0];
  int next = t[(id + 1) % coopDim()];
  v[0] = next;
  for (int k = 1; k < 4; ++k)
    v[0] += v[k];
  t[id] = v[0];
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      t[id] += t[id - s];
  }
  return t[coopDim() - 1];
}

// Rows.
__codelet void rows_max(Array<2, int> a) {
  for (unsigned j = 0; j < a.size(1); ++j)
    for (unsigned i = 1; i < a.size(0); ++i)
      a[i][j] = max(a[i][j], a[i - 1][j]);
}

__codelet __coop __tag(lanes) void rows_max(Array<2, int> a) {
  for (unsigned i = 1; i < a.size(0); ++i) {
    auto row = a[i];
    auto above = a[i - 1];
    for (unsigned j = coopIdx(); j < a.size(1); j += coopDim())
      row[j] = max(row[j], above[j]);
  }
}

// Rotate in place via row.
__codelet void rotate_rows(Array<2, int> a) {
  for (unsigned i = 0; i < a.size(0); ++i) {
    int keep = 0;
    for (unsigned j = 0; j < a.size(1); ++j) {
      int x = a[i][j];
      a[i][j] = keep;
      keep = x;
    }
    if (a.size(1) > 0)
      a[i][0] = keep;
  }
}

__codelet __coop __tag(lanes) void rotate_rows(Array<2, int> a) {
  require(a.size(1) <= coopDim());
  unsigned id = coopIdx();
  unsigned n = a.size(1);
  for (unsigned i = 0; i < a.size(0); ++i) {
    auto row = a[i];
    if (id < n)
      row[(id + 1) % n] = a[i][id];
  }
}

// Histogram in shared.
__codelet void hist(const Array<1, int> in, Array<1, int> bins) {
  require(within(in, 0, 8));
  require(bins.size() == 8);
  for (unsigned i = 0; i < in.size(); ++i)
    bins[in[i]] += 1;
}

__codelet __coop __tag(lanes) void hist(const Array<1, int> in, Array<1, int> bins) {
  __shared int own[8];
  for (unsigned b = coopIdx(); b < 8; b += coopDim())
    own[b] = 0;
  for (unsigned i = coopIdx(); i < in.size(); i += coopDim()) {
    if (in[i] > 3)
      atomicAdd(own[in[i]], 1);
    else {
      atomicAdd(own[in[i]], 2);
      atomicAdd(own[in[i]], -1);
    }
  }
  for (unsigned b = coopIdx(); b < 8; b += coopDim())
    bins[b] += own[b];
}

// Subscripts that are read from what is written: pointer jumping.
__codelet void pointer_jump(const Array<1, int> in, Array<1, int> root) {
  require(within(in, 0, in.size()));
  require(root.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    int at = in[i] < (int)i ? in[i] : (int)i;
    for (unsigned k = 0; k < in.size(); ++k)
      at = in[at] < at ? in[at] : at;
    root[i] = at;
  }
}

__codelet __coop __tag(lanes) void pointer_jump(const Array<1, int> in, Array<1, int> root) {
  require(in.size() <= coopDim());
  __shared int parent[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  if (id < n)
    parent[id] = in[id] < (int)id ? in[id] : (int)id;
  for (unsigned s = 1; s < n; s *= 2) {
    if (id < n)
      parent[id] = parent[parent[id]];
  }
  if (id < n)
    root[id] = parent[id];
}

// Scatter with a subscript read from itself.
__codelet void self_scatter(Array<1, int> a) {
  unsigned n = a.size();
  for (unsigned i = 0; i < n; ++i)
    a[i] = (int)((n - 1 - i) * 2);
}

__codelet __coop __tag(lanes) void self_scatter(Array<1, int> a) {
  require(a.size() <= coopDim());
  unsigned id = coopIdx();
  unsigned n = a.size();
  if (id < n)
    a[id] = (int)(n - 1 - id);
  if (id < n)
    a[a[id]] = a[id] * 0 + (int)id * 2;
}

// Private array shared between pieces, sorted network per lane.
__codelet int windows(const Array<1, int> in) {
  int total = 0;
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    int x = in[i];
    int y = in[(i + 1) % n];
    int z = in[(i + 2) % n];
    total += max(min(x, y), min(max(x, y), z));
  }
  return total;
}

__codelet __coop __tag(lanes)
int windows(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  int v[3];
  v[0] = 0;
  v[1] = 0;
  v[2] = 0;
  if (id < n) {
    t[id] = in[id];
    for (unsigned k = 0; k < 3; ++k)
      v[k] = t[(id + k) % n];
  }
  for (int k = 0; k < 2; ++k) {
    for (int m = 0; m < 2; ++m) {
      if (v[m] > v[m + 1]) {
        int x = v[m];
        v[m] = v[m + 1];
        v[m + 1] = x;
      }
    }
  }
  t[id] = v[1];
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      t[id] += t[id - s];
  }
  return t[coopDim() - 1];
}

// Uniform array of the group.
__codelet int group_array(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i] * (int)(i % 3 + 1);
  return total;
}

__codelet __coop __tag(lanes)
int group_array(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int sum;
  int weights[3];
  for (int k = 0; k < 3; ++k)
    weights[k] = k + 1;
  sum = 0;
  unsigned id = coopIdx();
  if (id < in.size())
    atomicAdd(sum, in[id] * weights[id % 3]);
  return sum;
}

// Cas and exchange with used values.
__codelet int tickets(const Array<1, int> in) {
  int count = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] > 500)
      count += 1;
  }
  return count * (count - 1) / 2 + count * 1000;
}

__codelet __coop __tag(lanes)
int tickets(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int next;
  __shared int sum;
  unsigned id = coopIdx();
  next = 0;
  sum = 0;
  if (id < in.size() && in[id] > 500) {
    int mine = atomicAdd(next, 1);
    atomicAdd(sum, mine);
    int total = next;
    if (mine == 0)
      sum += total * 1000;
  }
  return sum;
}

// Two dimensions by digit.
__codelet void transpose_in_lanes(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(1));
  require(out.size(1) == in.size(0));
  for (unsigned i = 0; i < in.size(0); ++i)
    for (unsigned j = 0; j < in.size(1); ++j)
      out[j][i] = in[i][j] * 2;
}

__codelet __coop __tag(lanes) void transpose_in_lanes(const Array<2, int> in, Array<2, int> out) {
  unsigned w = in.size(1);
  unsigned cells = in.size(0) * w;
  auto t = transpose(out);
  for (unsigned k = coopIdx(); k < cells; k += coopDim())
    t[k / w][k % w] = in[k / w][k % w];
  for (unsigned k = coopIdx(); k < cells; k += coopDim())
    out[k % w][k / w] *= 2;
}

// Stencil in place by rows.
__codelet void smooth(Array<2, int> a) {
  for (unsigned i = 1; i < a.size(0); ++i) {
    for (unsigned j = a.size(1); j > 1; --j)
      a[i][j - 1] += a[i][j - 2];
    for (unsigned j = 0; j < a.size(1); ++j)
      a[i][j] += a[i - 1][j];
  }
}

__codelet __coop __tag(lanes) void smooth(Array<2, int> a) {
  require(a.size(1) <= coopDim());
  unsigned j = coopIdx();
  for (unsigned i = 1; i < a.size(0); ++i) {
    auto row = a[i];
    if (j < a.size(1)) {
      if (j > 0)
        row[j] += a[i][j - 1];
      row[j] += a[i - 1][j];
    }
  }
}

// Scalar parameters that lanes change.
__codelet void own_parameter(int base, Array<1, int> a) {
  for (unsigned i = 0; i < a.size(); ++i)
    a[i] = i % 2 == 0 ? base + (int)i : base;
}

__codelet __coop __tag(lanes) void own_parameter(int base, Array<1, int> a) {
  require(a.size() <= coopDim());
  unsigned id = coopIdx();
  if (id % 2 == 0)
    base += (int)id;
  if (id < a.size())
    a[id] = base;
}

// Float sums with narrow types and casts.
__codelet void narrow(Array<1, unsigned char> a) {
  for (unsigned i = a.size(); i > 1; --i)
    a[i - 1] += a[i - 2] / 3;
}

__codelet __coop __tag(lanes) void narrow(Array<1, unsigned char> a) {
  require(a.size() <= coopDim());
  unsigned id = coopIdx();
  if (id > 0 && id < a.size())
    a[id] += a[id - 1] / 3;
}

// Atomic whose operand reads the neighbour.
__codelet void atomic_neighbour(Array<1, int> a) {
  unsigned n = a.size();
  int last = n > 0 ? a[n - 1] : 0;
  int first = n > 0 ? a[0] : 0;
  for (unsigned i = 0; i < n; ++i)
    a[i] += i + 1 < n ? a[i + 1] : first;
}

__codelet __coop __tag(lanes) void atomic_neighbour(Array<1, int> a) {
  require(a.size() <= coopDim());
  unsigned id = coopIdx();
  unsigned n = a.size();
  if (id < n)
    atomicAdd(a[id], a[(id + 1) % n]);
}

// Atomic target is an element too.
__codelet int place_of(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i] + (int)i;
  return total;
}

__codelet __coop __tag(lanes)
int place_of(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int slot[coopDim()];
  __shared int next;
  __shared int sum;
  unsigned id = coopIdx();
  next = 0;
  sum = 0;
  slot[id] = 0;
  if (id < in.size())
    slot[id] = atomicAdd(next, 1);
  if (id < in.size())
    atomicAdd(sum, in[id] + slot[id]);
  return sum;
}
