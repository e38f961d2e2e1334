// Unsigned numbers that wrap around below 0, kept in variables, halved, chosen among and converted: results differ
// from those of whole numbers. Each codelet has one beside it that computes the same without such a number.
#include <tangram.h>

// One before each, where there is one: the least of what is one more than a difference.
__codelet void shifted(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = i == 0 ? in[0] + 5 : in[i - 1] + 7;
}
__codelet __tag(larger) void shifted(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    unsigned d = i - 1;
    out[i] = in[max(n + d, n) - n] + (d + 1 > d ? 7 : 5);
  }
}
__codelet __tag(least) void shifted(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    unsigned d = i;
    if (i < 2)
      d -= 1;
    else
      --d;
    out[i] = in[d + 1 >= 1 ? d : 0] + (min(d + 2, 2u) < 2 ? 5 : 7);
  }
}

// The one before each, or the last one.
__codelet void before(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i)
    out[i] = in[i > 0 ? i - 1 : n - 1] - in[i > 0 && i * 2 - 1 < n ? i * 2 - 1 : n - 1];
}
__codelet __tag(least_before) void before(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i)
    out[i] = in[min(i - 1, n - 1)] - in[i * 2 - 1 < n ? i * 2 - 1 : n - 1];
}
__codelet __coop __tag(before_lanes) void before(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  for (unsigned i = coopIdx(); i < n; i += coopDim())
    out[i] = in[min(i - 1, n - 1)] - in[i * 2 - 1 < n ? i * 2 - 1 : n - 1];
}

// Whether half of what is before comes to 0 again.
__codelet void halved(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] + (i == 0 ? 1 : 2) + (i < 2 ? 0 : 4);
}
__codelet __tag(halves) void halved(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    unsigned q = (i - 1) / 2;
    unsigned s = q * 2 + 2;
    out[i] = in[i] + ((i - 1) / 2 * 2 + 2 > 0 ? 2 : 1) + (s >= 1 && (i - 2) % 4 + (i - 2) + 1 > i - 2 ? 4 : 0);
  }
}

// What lies as far from the end, of differences that are chosen among, and signed numbers that become unsigned ones.
__codelet void mirrored(const Array<1, int> in, Array<1, int> out) {
  require(out.size() == in.size());
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i)
    out[i] = in[i + 1 < n ? n - 2 - i : 0] + (i + 1 < n ? 3 : 9) + in[i < 3 ? 0 : i - 3];
}
__codelet __tag(from_end) void mirrored(const Array<1, int> in, Array<1, int> out) {
  unsigned n = in.size();
  for (unsigned i = 0; i < n; ++i) {
    unsigned e = n - 2 - i;
    unsigned g = max(e, i);
    int k = (int)i - 3;
    unsigned u = k;
    out[i] = in[max(e + n, n) - n] + (g + 1 == 0 || (g % 8) + 1 + g < g ? 9 : 3) + in[max(u + 3, 3u) - 3] + 0 * in[u < i ? u : 0];
  }
}

// Positions whose upper bits count after they fell below 0 or grew beyond 32 bits: the first codelet keeps 32 bits, as it
// computes with & and ^; the others are the same in C++.
__codelet unsigned wrapped(const Array<1, unsigned> in) {
  unsigned z = in.size() & 0u;
  unsigned n = in.size() ^ z;
  unsigned s = 0;
  for (unsigned k = 0; k < in.size(); ++k) {
    unsigned i = k ^ z;
    unsigned at = ((i ^ z) - 1u) % n;       // ring
    s = s * 3 + at;
    unsigned hash = ((i + 100000u) * 50000u ^ z) % n;
    s = s * 3 + hash;
    s = s * 3 + (((i - (5u ^ z)) ^ z) >> 1);
    s = s * 3 + (k % 2 == 0 ? (z - 6u) % 7u : 0u);
    s = s * 3 + (unsigned)(long long)((double)((i - 3u) ^ z) * 0.5);
  }
  return s;
}
__codelet __tag(as_positions)
unsigned wrapped(const Array<1, unsigned> in) {
  unsigned n = in.size();
  unsigned s = 0;
  for (unsigned i = 0; i < n; ++i) {
    unsigned at = (i - 1u) % n;
    s = s * 3 + at;
    unsigned hash = (i + 100000u) * 50000u % n;
    s = s * 3 + hash;
    unsigned half = (i - 5u) >> 1;
    s = s * 3 + half;
    s = s * 3 + (i % 2 == 0 ? (0u - 6u) % 7u : 0u);
    unsigned gap = i - 3u;
    s = s * 3 + (unsigned)(long long)(gap * 0.5);
    if (gap < n)
      s += 0 * in[gap];
  }
  return s;
}
__codelet __tag(only_a_ternary)
unsigned wrapped(const Array<1, unsigned> in) {
  unsigned z = in.size() & 0u;
  unsigned n = in.size() ^ z;
  unsigned s = 0;
  for (unsigned k = 0; k < in.size(); ++k) {
    unsigned i = k ^ z;
    s = s * 3 + ((i ^ z) - 1u) % n;
    s = s * 3 + ((i + 100000u) * 50000u ^ z) % n;
    s = s * 3 + (((i - (5u ^ z)) ^ z) >> 1);
    s = s * 3 + (k % 2 == 0 ? (0u - 6u) % 7u : 0u);
    s = s * 3 + (unsigned)(long long)((double)((i - 3u) ^ z) * 0.5);
  }
  return s;
}

// The same of numbers that are kept in variables, shifted, divided by one another and converted.
__codelet unsigned long kept(const Array<1, unsigned> in) {
  unsigned z = in.size() & 0u;
  unsigned n = in.size() ^ z;
  unsigned long s = 0;
  for (unsigned k = 0; k < in.size(); ++k) {
    unsigned i = k ^ z;
    unsigned below = (i - 4u) ^ z;
    s = s * 5 + (unsigned long)below;
    s = s * 5 + (unsigned long)((below ^ z) / ((i ^ z) + 3u));
    s = s * 5 + ((below * 3u ^ z) >> 4);
    s = s * 5 + (unsigned long)((float)((n ^ z) - 2u * (i ^ z) ^ z) * 0.25f);
    s = s * 5 + (n ^ z) % ((2u * (i ^ z) - 9u) ^ z);
    s = s * 5 + (unsigned long)((long)((i ^ z) - 1u ^ z) + 1);
  }
  return s;
}
__codelet __tag(as_numbers)
unsigned long kept(const Array<1, unsigned> in) {
  unsigned n = in.size();
  unsigned long s = 0;
  for (unsigned i = 0; i < n; ++i) {
    unsigned below = i - 4u;
    s = s * 5 + (unsigned long)below;
    unsigned share = below / (i + 3u);
    s = s * 5 + (unsigned long)share;
    s = s * 5 + (below * 3u >> 4);
    s = s * 5 + (unsigned long)((float)(n - 2u * i) * 0.25f);
    unsigned rest = n % (2u * i - 9u);
    s = s * 5 + rest;
    s = s * 5 + (unsigned long)((long)(i - 1u) + 1);
    if (below < n && share < n && rest < n)
      s += 0 * in[below];
  }
  return s;
}
