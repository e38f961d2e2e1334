// Loops around kernels, and swaps, in forms that are easy to get wrong.
#include <tangram.h>

__codelet int plus_at(int a, int b) { return a + b; }

// out = a + b
__codelet void added(int a, const Array<1, int> b, Array<1, int> out) {
  require(out.size() == b.size());
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] = a + b[i];
}
__codelet __tag(each) void added(int a, const Array<1, int> b, Array<1, int> out) {
  out = map(plus_at, a, b);
}

__codelet __tag(added_parts) void added(int a, const Array<1, int> b, Array<1, int> out) {
  __tunable unsigned p;
  map(added, a, rows(b, p), rows(out, p));
}

// io += a
__codelet void add_to(int a, Array<1, int> io) {
  for (unsigned i = 0; i < io.size(); ++i)
    io[i] += a;
}
__codelet __tag(add_parts) void add_to(int a, Array<1, int> io) {
  __tunable unsigned p;
  map(add_to, a, rows(io, p));
}

__codelet int total(const Array<1, int> in) {
  int sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  return sum;
}
__codelet __tag(parts) int total(const Array<1, int> in) {
  __tunable unsigned p;
  return total(map(total, rows(in, p)));
}

// The number of a round is handed to kernels; steps of two, from a number above 0.
__codelet void number(unsigned rounds, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    out[i] = in[i];
    for (unsigned t = 1; t < rounds; t += 2)
      out[i] += (int)t;
  }
}
__codelet __tag(rounds) void number(unsigned rounds, const Array<1, int> in, Array<1, int> out) {
  Array<1, int> now(in.size());
  Array<1, int> next(in.size());
  added(0, in, now);
  for (unsigned t = 1; t < rounds; t += 2) {
    added((int)t, now, next);
    swap(now, next);
  }
  added(0, now, out);
}

// A counter with a sign, below 0 too: no round where `to` is not above `from`.
__codelet void from_to(int from, int to, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i) {
    for (int t = from - 5; t < to - 5; ++t)
      out[i] += t;
  }
}
__codelet __tag(rounds) void from_to(int from, int to, Array<1, int> out) {
  for (int t = from - 5; t < to - 5; ++t)
    add_to(t, out);
}

// Two loops, one in the other, whose counters have one name; the inner one ends where the outer is.
__codelet void triangle(unsigned rounds, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i) {
    for (unsigned t = 0; t < rounds; ++t) {
      for (unsigned s = 0; s < t; ++s)
        out[i] += (int)(10 * t + s);
    }
  }
}
__codelet void inner(unsigned end, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i) {
    for (unsigned t = 0; t < end; ++t)
      out[i] += (int)(10 * end + t);
  }
}
__codelet __tag(inner_rounds) void inner(unsigned end, Array<1, int> out) {
  for (unsigned t = 0; t < end; ++t)
    add_to((int)(10 * end + t), out);
}
__codelet __tag(rounds) void triangle(unsigned rounds, Array<1, int> out) {
  for (unsigned t = 0; t < rounds; ++t)
    inner(t, out);
}

// Counts down: only kernels know when that ends.
__codelet void halves(unsigned from, Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i) {
    for (unsigned s = from; s > 0; s /= 2)
      out[i] = 3 * out[i] + (int)s;
  }
}
__codelet void thrice(int a, Array<1, int> io) {
  for (unsigned i = 0; i < io.size(); ++i)
    io[i] = a + 3 * io[i];
}
__codelet __tag(thrice_parts) void thrice(int a, Array<1, int> io) {
  __tunable unsigned p;
  map(thrice, a, rows(io, p));
}
__codelet __tag(rounds) void halves(unsigned from, Array<1, int> out) {
  for (unsigned s = from; s > 0; s /= 2)
    thrice((int)s, out);
}

// At least one round, a variable that is computed from itself, and a parameter that changes.
__codelet int until(int limit, Array<1, int> out) {
  int sum = 1;
  do {
    for (unsigned i = 0; i < out.size(); ++i)
      out[i] = sum + out[i];
    sum = 0;
    for (unsigned i = 0; i < out.size(); ++i)
      sum += out[i];
    limit -= 3;
  } while (sum < limit && limit > 0);
  return sum;
}
__codelet __tag(rounds) int until(int limit, Array<1, int> out) {
  int sum = 1;
  do {
    add_to(sum, out);
    sum = total(out);
    limit -= 3;
  } while (sum < limit && limit > 0);
  return sum;
}

// A swap under a condition, and a loop under one that is not known before a kernel has run.
__codelet void sometimes(unsigned rounds, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  int sum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    sum += in[i];
  for (unsigned i = 0; i < in.size(); ++i) {
    int now = in[i];
    int next = 0;
    for (unsigned t = 0; t < rounds; ++t) {
      next = (int)t + now;
      if (t % 3 != 1) {
        int held = now;
        now = next;
        next = held;
      }
    }
    if (sum > 20) {
      for (unsigned t = 0; t < rounds; ++t)
        now += 2;
    } else {
      now += 100;
    }
    out[i] = now;
  }
}
__codelet __tag(rounds) void sometimes(unsigned rounds, const Array<1, int> in, Array<1, int> out) {
  Array<1, int> now(in.size());
  Array<1, int> next(in.size());
  int sum = total(in);
  added(0, in, now);
  for (unsigned t = 0; t < rounds; ++t) {
    added((int)t, now, next);
    if (t % 3 != 1)
      swap(now, next);
  }
  if (sum > 20) {
    for (int t = 0; t < rounds; ++t)
      add_to(2, now);
  } else {
    add_to(100, now);
  }
  added(0, now, out);
}

__codelet void more(Array<1, int> out) {
  for (unsigned i = 0; i < out.size(); ++i)
    out[i] += 1;
}

// A round works on fewer elements than the one before it: launches differ in size.
__codelet void prefix(Array<1, int> out) {
  unsigned len = out.size();
  for (unsigned k = 0; k < len; ++k) {
    for (unsigned i = 0; i + k < len; ++i)
      out[i] += 1;
  }
}
__codelet __tag(rounds) void prefix(Array<1, int> out) {
  unsigned len = out.size();
  for (unsigned k = 0; k < len; ++k)
    map(more, partition(out, len - k, sequence(0, 1, len), sequence(1), sequence(1, 1, len + 1)));
}

// What comes out is what went in, after four rounds that the host counts and six that a kernel decides about.
__codelet void there_and_back(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i];
}
__codelet __tag(there_rounds) void there_and_back(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> now(in.size());
  Array<1, int> next(in.size());
  added(0, in, now);
  for (int t = 0; t < 4; ++t) {
    added(t, now, next);
    swap(now, next);
  }
  int left = 6;
  while (left > 0) {
    added(-1, now, next);
    swap(now, next);
    left -= 1;
  }
  added(0, now, out);
}

// Rounds inside a group: its items write, and others of them read that in the next round. Rows are for groups.
__codelet unsigned ring_at(const Array<1, unsigned> near) { return near[0] + 3 * near[1]; }

__codelet void ring_step(const Array<1, unsigned> from, Array<1, unsigned> to) {
  require(to.size() == from.size());
  for (unsigned i = 0; i < to.size(); ++i)
    to[i] = from[i] + 3 * (i + 1 < from.size() ? from[i + 1] : from[0]);
}
__codelet __tag(ring_windows) void ring_step(const Array<1, unsigned> from, Array<1, unsigned> to) {
  require(to.size() == from.size());
  to = map(ring_at, slide(pad(from, 0, 1, wrap), 2, 1));
}

__codelet void kept(const Array<1, unsigned> from, Array<1, unsigned> to) {
  require(to.size() == from.size());
  for (unsigned i = 0; i < to.size(); ++i)
    to[i] = from[i];
}
__codelet __tag(kept_parts) void kept(const Array<1, unsigned> from, Array<1, unsigned> to) {
  require(to.size() == from.size());
  __tunable unsigned p;
  map(kept, rows(from, p), rows(to, p));
}

__codelet void ring(unsigned rounds, Array<1, unsigned> values) {
  for (unsigned r = 0; r < rounds; ++r) {
    unsigned first = values.size() > 0 ? values[0] : 0;
    for (unsigned i = 0; i < values.size(); ++i)
      values[i] += 3 * (i + 1 < values.size() ? values[i + 1] : first);
  }
}
__codelet __tag(ring_rounds) void ring(unsigned rounds, Array<1, unsigned> values) {
  Array<1, unsigned> next(values.size());
  for (unsigned r = 0; r < rounds; ++r) {
    ring_step(values, next);
    kept(next, values);
  }
}

// What a round keeps is smaller than what the one before kept.
__codelet void added_to(const Array<1, unsigned> from, Array<1, unsigned> to) {
  require(to.size() == from.size());
  for (unsigned i = 0; i < to.size(); ++i)
    to[i] += from[i];
}
__codelet __tag(added_to_parts) void added_to(const Array<1, unsigned> from, Array<1, unsigned> to) {
  __tunable unsigned p;
  map(added_to, rows(from, p), rows(to, p));
}

__codelet void shrinking(Array<1, unsigned> values) {
  for (unsigned k = 0; k < values.size(); ++k) {
    for (unsigned i = values.size() - 1; i > k; --i)
      values[i] += values[i - 1];
  }
}
__codelet __tag(shrinking_rounds) void shrinking(Array<1, unsigned> values) {
  unsigned n = values.size();
  for (unsigned k = 0; k < n; ++k) {
    Array<1, unsigned> before(n - k - 1);
    kept(slice(values, k, n - 1), before);
    added_to(before, slice(values, k + 1, n));
  }
}

__codelet void rings(unsigned rounds, Array<2, unsigned> values) {
  for (unsigned row = 0; row < values.size(0); ++row) {
    for (unsigned r = 0; r < rounds; ++r) {
      unsigned first = values.size(1) > 0 ? values[row][0] : 0;
      for (unsigned i = 0; i < values.size(1); ++i)
        values[row][i] += 3 * (i + 1 < values.size(1) ? values[row][i + 1] : first);
    }
  }
}
__codelet __tag(ring_rows) void rings(unsigned rounds, Array<2, unsigned> values) {
  map(ring, rounds, values);
}

// Rounds that halve, in rounds up to a number and in rounds that go down to one.
__codelet void falling(unsigned most, const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    int x = in[i];
    for (unsigned k = 2; k <= most; k *= 2) {
      for (unsigned j = k / 2; j > 0; j /= 2)
        x = 3 * x + (int)(k + j);
    }
    for (int t = (int)most; t > 1; --t)
      x = 3 * x + t;
    out[i] = x;
  }
}
__codelet int three_times(int a, int b) { return 3 * b + a; }
__codelet __tag(falling_rounds) void falling(unsigned most, const Array<1, int> in, Array<1, int> out) {
  Array<1, int> now(in.size());
  Array<1, int> next(in.size());
  added(0, in, now);
  for (unsigned k = 2; k <= most; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      next = map(three_times, (int)(k + j), now);
      swap(now, next);
    }
  }
  for (int t = (int)most; t > 1; --t) {
    next = map(three_times, t, now);
    swap(now, next);
  }
  added(0, now, out);
}

// The partial results of parts, gone through by a loop that is left in its middle.
__codelet unsigned first_zero(const Array<1, int> in) {
  unsigned at = in.size();
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] % 7 == 0) {
      at = i;
      break;
    }
  }
  return at;
}
__codelet __tag(zero_parts) unsigned first_zero(const Array<1, int> in) {
  __tunable unsigned p;
  unsigned tile = (in.size() + p - 1) / p;
  Array<1, unsigned> at(p);
  at = map(first_zero, rows(in, p));
  unsigned first = in.size();
  for (unsigned k = 0; k < p; ++k) {
    if (k * tile >= in.size())
      break;
    if (at[k] < min(tile, in.size() - k * tile)) {
      first = k * tile + at[k];
      break;
    }
  }
  return first;
}
