// Conditions that differ between lanes: what they guard, when they are evaluated. The first codelet
// of each spectrum says what the second one, which is cooperative, means.
#include <tangram.h>

// Nested max prefix.
__codelet int nested_max(const Array<1, int> in) {
  int best = -2147483647 - 1;
  for (unsigned i = 0; i < in.size(); ++i)
    best = max(best, in[i]);
  return best;
}

__codelet __coop __tag(lanes)
int nested_max(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int tmp[coopDim()];
  unsigned id = coopIdx();
  tmp[id] = id < in.size() ? in[id] : -2147483647 - 1;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s) {
      if (tmp[id - s] > tmp[id])
        tmp[id] = tmp[id - s];
    }
  }
  return tmp[coopDim() - 1];
}

// Short circuits.
__codelet int guards(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    int r = 0;
    if (i + 1 < in.size() && in[i + 1] > 0)
      r += 1;
    bool before = i >= 3 && in[i - 3] > 0;
    if (before)
      r += 10;
    int q = i > 0 ? 100 / (int)i : 7;
    total += r + q;
  }
  return total;
}

__codelet __coop __tag(lanes)
int guards(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  __shared int sums[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  if (id < n)
    t[id] = in[id];
  int r = 0;
  if (id + 1 < n && t[id + 1] > 0)
    r += 1;
  bool before = id >= 3 && id < n && t[id - 3] > 0;
  if (before)
    r += 10;
  int q = id > 0 ? 100 / (int)id : 7;
  r += q;
  sums[id] = id < n ? r : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      sums[id] += sums[id - s];
  }
  return sums[coopDim() - 1];
}

// Atomic condition.
__codelet int atomic_condition(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    int c = in[i];
    if (c > 2) {
      total += 1;
      c += 10;
    } else
      total += 100;
    if (c > 2)
      total += 1000;
  }
  return total;
}

__codelet __coop __tag(lanes)
int atomic_condition(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int c[coopDim()];
  __shared int total[1];
  unsigned id = coopIdx();
  total[0] = 0;
  c[id] = id < in.size() ? in[id] : 0;
  if (id < in.size()) {
    if (c[id] > 2) {
      atomicAdd(total[0], 1);
      atomicAdd(c[id], 10);
    } else
      atomicAdd(total[0], 100);
    if (c[id] > 2)
      atomicAdd(total[0], 1000);
  }
  return total[0];
}

// Condition lowered below threshold by atomic in then.
__codelet int atomic_else(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] > 2)
      total += 1;
    else
      total += 100;
  }
  return total;
}

__codelet __coop __tag(lanes)
int atomic_else(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int c[coopDim()];
  __shared int total[1];
  unsigned id = coopIdx();
  total[0] = 0;
  c[id] = id < in.size() ? in[id] : 0;
  unsigned n = in.size();
  if (id < n) {
    if (c[id] > 2) {
      atomicAdd(c[id], -100000);
      atomicAdd(total[0], 1);
    } else {
      atomicAdd(total[0], 100);
    }
  }
  return total[0];
}

// Nested ifs with else.
__codelet void nested_else(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    if (in[i] > 0) {
      if (i % 2 == 0)
        out[i] = i + 1 < n ? in[i + 1] : -1;
      else
        out[i] = in[i - 1] + 1;
    } else {
      if (i % 3 == 0)
        out[i] = 7;
      else {
        out[i] = in[i - 1];
        out[i] += in[i];
      }
    }
  }
}

__codelet __coop __tag(lanes) void nested_else(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  if (id < n) {
    t[id] = in[id];
    if (t[id] > 0) {
      if (id % 2 == 0)
        t[id] = id + 1 < n ? in[id + 1] : -1;
      else
        t[id] = in[id - 1] + 1;
    } else {
      if (id % 3 == 0)
        t[id] = 7;
      else {
        t[id] = in[id - 1];
        t[id] += in[id];
      }
    }
    out[id] = t[id];
  }
}

// Condition in a variable of lanes that is changed, ternary with division.
__codelet void own_flag(Array<1, int> a) {
  for (unsigned i = 0; i < a.size(); ++i) {
    bool odd = i % 2 == 1;
    if (odd) {
      odd = false;
      a[i] = i > 0 ? 1000 / (int)i : 0;
    } else {
      odd = true;
      a[i] = 1;
    }
    if (odd)
      a[i] += 5;
  }
}

__codelet __coop __tag(lanes) void own_flag(Array<1, int> a) {
  require(a.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  bool odd = id % 2 == 1;
  t[id] = 0;
  if (odd) {
    odd = false;
    t[(id + 1) % coopDim()] = id > 0 ? 1000 / (int)id : 0;
  } else {
    odd = true;
  }
  int got = t[(id + 1) % coopDim()];
  if (id < a.size()) {
    a[id] = odd ? 1 : 1000 / (int)id;
    if (odd)
      a[id] += 5;
    a[id] += got * 0;
  }
}

// What shared memory says, asked in rounds; all lanes meet in both branches.
__codelet int rounds_by_most(const Array<1, int> in) {
  int total = 0;
  for (unsigned r = 0; r < 5; ++r) {
    int most = 0;
    int count = 0;
    for (unsigned i = 0; i < in.size(); ++i) {
      int v = in[i] >> r & 15;
      if (v > most) {
        most = v;
        count = 0;
      }
      if (v == most)
        ++count;
    }
    total += most < 15 ? most : 100 * count;
  }
  return total;
}

__codelet __coop __tag(lanes)
int rounds_by_most(const Array<1, int> in) {
  __shared int most[coopDim()];
  __shared int count[coopDim()];
  __shared int total;
  unsigned id = coopIdx();
  if (id == 0)
    total = 0;
  for (unsigned r = 0; r < 5; ++r) {
    most[id] = 0;
    for (unsigned i = id; i < in.size(); i += coopDim()) {
      int v = in[i] >> r & 15;
      if (v > most[id])
        most[id] = v;
    }
    for (unsigned s = 1; s < coopDim(); s *= 2) {
      if (id % (2 * s) == 0) {
        if (id + s < coopDim()) {
          if (most[id + s] > most[id])
            most[id] = most[id + s];
        }
      }
    }
    if (most[0] < 15) {
      if (id == 0)
        total += most[0];
    } else {
      count[id] = 0;
      for (unsigned i = id; i < in.size(); i += coopDim()) {
        if ((in[i] >> r & 15) == most[0])
          count[id] += 100;
      }
      for (unsigned n = coopDim(); n > 1; n = (n + 1) / 2) {
        if (id < n / 2)
          count[id] += count[n - 1 - id];
      }
      if (id == 0)
        total += count[0];
    }
  }
  return total;
}

// Lanes that have found something add it up, and then all of them go on together; in rounds.
__codelet int found_in_rounds(const Array<1, int> in) {
  int total = 0;
  int found = 0;
  for (int r = 0; r < 3; ++r) {
    int here = 0;
    int others = 0;
    for (unsigned i = 0; i < in.size(); ++i) {
      if ((in[i] + r & 3) == (total & 3))
        ++here;
      others ^= in[i] + 5 & 1023;
    }
    found = here;
    total ^= others;
  }
  return total + 1024 * found;
}

__codelet __coop __tag(lanes)
int found_in_rounds(const Array<1, int> in) {
  __shared int parts[coopDim()];
  __shared int total;
  __shared int found;
  __shared int here;
  __shared int added;
  unsigned id = coopIdx();
  if (id == 0) {
    total = 0;
    added = 5;
  }
  for (int r = 0; r < 3; ++r) {
    int own = 0;
    if (id == 0)
      here = 0;
    for (unsigned i = id; i < in.size(); i += coopDim()) {
      if ((in[i] + r & 3) == (total & 3))
        own += 1;
    }
    if (own > 0)
      atomicAdd(here, own);
    if (id == 0)
      found = here;
    int others = 0;
    for (unsigned i = id; i < in.size(); i += coopDim())
      others ^= in[i] + added & 1023;
    parts[id] = others;
    for (unsigned s = 1; s < coopDim(); s *= 2) {
      if (id % (2 * s) == 0) {
        if (id + s < coopDim())
          parts[id] ^= parts[id + s];
      }
    }
    if (id == 0)
      total ^= parts[0];
  }
  return total + 1024 * found;
}

// The same of rows, which a group takes in turns.
__codelet void found_in_rows(const Array<2, int> in, Array<1, int> out) {
  require(out.size() == in.size(0));
  for (unsigned row = 0; row < in.size(0); ++row) {
    int total = 0;
    int found = 0;
    for (int r = 0; r < 3; ++r) {
      int here = 0;
      int others = 0;
      for (unsigned i = 0; i < in.size(1); ++i) {
        if ((in[row][i] + r & 3) == (total & 3))
          ++here;
        others ^= in[row][i] + 5 & 1023;
      }
      found = here;
      total ^= others;
    }
    out[row] = total + 1024 * found;
  }
}

__codelet __tag(rows) void found_in_rows(const Array<2, int> in, Array<1, int> out) {
  out = map(found_in_rounds, in);
}
