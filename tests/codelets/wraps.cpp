// Unsigned numbers that wrap around below 0, kept in variables, halved, chosen among and converted: what is computed with
// them is not what whole numbers would give. Each in full beside a codelet that has no such number.
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
