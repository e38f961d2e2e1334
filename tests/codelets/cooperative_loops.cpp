// Loops that lanes run together, below conditions too, and leave together or apart. The first
// codelet of each spectrum says what the second one, which is cooperative, means.
#include <tangram.h>

// Uniform loop below a divergent condition, without meetings, trip count protected.
__codelet int protected_loop(const Array<1, int> in) {
  int total = 0;
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned k = 0; k < n; k += n / 2 + 1)
      total += in[i];
  }
  return total;
}

__codelet __coop __tag(lanes)
int protected_loop(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  int own = 0;
  if (id < n) {
    for (unsigned k = 0; k < 7; k += n)
      own += in[id] * 0;
    for (unsigned k = 0; k < n; k += n / 2 + 1)
      own += in[id];
  }
  t[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      t[id] += t[id - s];
  }
  return t[coopDim() - 1];
}

// The same with meetings.
__codelet int protected_meeting(const Array<1, int> in) {
  int total = 0;
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i)
    total += in[i];
  return total;
}

__codelet __coop __tag(lanes)
int protected_meeting(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  unsigned n = in.size();
  t[id] = id < n ? in[id] : 0;
  if (id < n) {
    unsigned step = n;
    for (unsigned k = 0; k < 1; k += step) {
      for (unsigned s = 1; s < n; s *= 2) {
        if (id >= s)
          t[id] += t[id - s];
      }
    }
  }
  return n > 0 ? t[n - 1] : 0;
}

// Uniform break.
__codelet int uniform_break(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i];
  return total;
}

__codelet __coop __tag(lanes)
int uniform_break(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  t[id] = id < in.size() ? in[id] : 0;
  unsigned s = coopDim();
  while (true) {
    unsigned half = (s + 1) / 2;
    if (s <= 1)
      break;
    if (id + half < s)
      t[id] += t[id + half];
    s = half;
  }
  return t[0];
}

// Uniform continue.
__codelet int uniform_continue(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    total += in[i] * (1 + 2 + 4 + 5 + 7);
  return total;
}

__codelet __coop __tag(lanes)
int uniform_continue(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int t[coopDim()];
  __shared int sum;
  unsigned id = coopIdx();
  sum = 0;
  int total = 0;
  for (int k = 0; k < 8; ++k) {
    if (k % 3 == 0)
      continue;
    t[id] = id < in.size() ? in[id] * k : 0;
    sum = 0;
    atomicAdd(sum, t[(id + 1) % coopDim()]);
    total += sum;
  }
  return total;
}

// While on a shared flag: bubble sort odd-even.
__codelet void sort(Array<1, int> a) {
  for (unsigned i = 0; i < a.size(); ++i)
    for (unsigned j = 1; j < a.size(); ++j)
      if (a[j - 1] > a[j]) {
        int x = a[j];
        a[j] = a[j - 1];
        a[j - 1] = x;
      }
}

__codelet __coop __tag(lanes) void sort(Array<1, int> a) {
  require(a.size() <= coopDim());
  __shared int changed;
  unsigned id = coopIdx();
  unsigned n = a.size();
  changed = 1;
  while (changed != 0) {
    changed = 0;
    for (unsigned odd = 0; odd < 2; ++odd) {
      if (id % 2 == odd && id + 1 < n) {
        if (a[id] > a[id + 1]) {
          int x = a[id];
          a[id] = a[id + 1];
          a[id + 1] = x;
          atomicMax(changed, 1);
        }
      }
    }
  }
}

// Nested meeting loops below several divergent conditions with else.
__codelet void two_halves(Array<1, int> a) {
  unsigned n = a.size();
  unsigned half = n / 2;
  for (unsigned i = half; i > 0; --i) {
    int s = 0;
    for (unsigned k = 0; k < i; ++k)
      s += a[k];
    a[i - 1] = s;
  }
  for (unsigned i = half; i < n; ++i) {
    int s = 0;
    for (unsigned k = i; k < n; ++k)
      s += a[k];
    a[i] = s;
  }
}

__codelet __coop __tag(lanes) void two_halves(Array<1, int> a) {
  require(a.size() <= coopDim());
  unsigned id = coopIdx();
  unsigned n = a.size();
  unsigned half = n / 2;
  if (id < n) {
    if (id < half) {
      for (unsigned s = 1; s < half; s *= 2) {
        if (id >= s)
          a[id] += a[id - s];
      }
    } else {
      unsigned left = n - half;
      for (unsigned s = 1; s < left; s *= 2) {
        if (id + s < n)
          a[id] += a[id + s];
      }
    }
  }
}

// While with a uniform condition in a variable, result by return from inside of a loop.
__codelet int find_first(const Array<1, int> in) {
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] > 900)
      return (int)i;
  }
  return -1;
}

__codelet __coop __tag(lanes)
int find_first(const Array<1, int> in) {
  __shared int at;
  unsigned id = coopIdx();
  at = 2147483647;
  for (unsigned from = 0; from < in.size(); from += coopDim()) {
    if (from + id < in.size() && in[from + id] > 900)
      atomicMin(at, (int)(from + id));
    if (at < 2147483647)
      return at;
  }
  return -1;
}

// Divergent loop on own element, break and continue per lane.
__codelet int collatz(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    int x = in[i] % 50 + 50;
    int steps = 0;
    while (x != 1) {
      if (steps > 30)
        break;
      if (x % 2 == 0) {
        x /= 2;
        steps += 1;
        continue;
      }
      x = 3 * x + 1;
      steps += 1;
    }
    total += steps;
  }
  return total;
}

__codelet __coop __tag(lanes)
int collatz(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int steps[coopDim()];
  unsigned id = coopIdx();
  steps[id] = 0;
  if (id < in.size()) {
    int x = in[id] % 50 + 50;
    while (x != 1) {
      if (steps[id] > 30)
        break;
      if (x % 2 == 0) {
        x /= 2;
        steps[id] += 1;
        continue;
      }
      x = 3 * x + 1;
      steps[id] += 1;
    }
  }
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      steps[id] += steps[id - s];
  }
  return steps[coopDim() - 1];
}

// Loops nested in divergent loops.
__codelet int triangle(const Array<1, int> in) {
  int total = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    for (unsigned k = 0; k <= i; ++k) {
      for (unsigned m = k; m < i; ++m) {
        if (m % 3 == 2)
          break;
        total += in[m];
      }
    }
  return total;
}

__codelet __coop __tag(lanes)
int triangle(const Array<1, int> in) {
  __shared int sums[coopDim()];
  unsigned id = coopIdx();
  sums[id] = 0;
  for (unsigned i = id; i < in.size(); i += coopDim()) {
    for (unsigned k = 0; k <= i; ++k) {
      for (unsigned m = k; m < i; ++m) {
        if (m % 3 == 2)
          break;
        sums[id] += in[m];
      }
    }
  }
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      sums[id] += sums[id - s];
  }
  return sums[coopDim() - 1];
}

// Do while with two flags.
__codelet int rounds(const Array<1, int> in) {
  int m = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    m = max(m, in[i] % 10);
  return m + 1;
}

__codelet __coop __tag(lanes)
int rounds(const Array<1, int> in) {
  require(in.size() <= coopDim());
  __shared int left;
  unsigned id = coopIdx();
  int own = id < in.size() ? in[id] % 10 : 0;
  int count = 0;
  do {
    left = 0;
    if (own > 0) {
      own -= 1;
      atomicAdd(left, 1);
    }
    count += 1;
    if (count > 100)
      break;
  } while (left > 0);
  return count;
}

// Forward substitution: each column changes what is behind it.
__codelet void forward(const Array<2, unsigned> l, Array<1, unsigned> b) {
  require(l.size(1) == l.size(0));
  require(b.size() == l.size(0));
  for (unsigned i = 0; i < l.size(0); ++i) {
    unsigned s = b[i];
    for (unsigned j = 0; j < i; ++j)
      s -= l[i][j] * b[j];
    b[i] = s;
  }
}

__codelet __coop __tag(columns)
void forward(const Array<2, unsigned> l, Array<1, unsigned> b) {
  unsigned n = l.size(0);
  for (unsigned j = 0; j < n; ++j) {
    for (unsigned i = j + 1 + coopIdx(); i < n; i += coopDim())
      b[i] -= l[i][j] * b[j];
  }
}

// Two elements at once, and what is left.
__codelet void pairs(Array<1, int> a) {
  for (unsigned i = 0; i < a.size(); i += 2) {
    if (i + 1 < a.size()) {
      int sum = a[i] + a[i + 1];
      a[i + 1] = a[i] - a[i + 1];
      a[i] = sum;
    } else {
      a[i] = -a[i];
    }
  }
}

__codelet __coop __tag(lanes)
void pairs(Array<1, int> a) {
  for (unsigned i = 2 * coopIdx(); i < a.size(); i += 2 * coopDim()) {
    if (i + 1 < a.size()) {
      int sum = a[i] + a[i + 1];
      a[i + 1] = a[i] - a[i + 1];
      a[i] = sum;
    } else {
      a[i] = -a[i];
    }
  }
}

// From an offset that a caller gives.
__codelet void behind(unsigned from, Array<1, int> a) {
  for (unsigned i = from; i < a.size(); ++i)
    a[i] = 3 - a[i];
}

__codelet __coop __tag(lanes)
void behind(unsigned from, Array<1, int> a) {
  for (unsigned i = from + coopIdx(); i < a.size(); i += coopDim())
    a[i] = 3 - a[i];
}

// A block of each lane.
__codelet void doubled(Array<1, int> a) {
  for (unsigned i = 0; i < a.size(); ++i)
    a[i] += a[i];
}

__codelet __coop __tag(blocks)
void doubled(Array<1, int> a) {
  unsigned n = a.size();
  unsigned block = (n + coopDim() - 1) / coopDim();
  for (unsigned i = coopIdx() * block; i < (coopIdx() + 1) * block && i < n; ++i)
    a[i] += a[i];
}
