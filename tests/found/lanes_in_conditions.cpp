// Program 13 of seed 675761 of tests/random_programs. PoCL 3.1 computed it wrongly where items leave a loop in the code
// between two barriers.
#include <tangram.h>

__codelet
int f(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= 64);
  require(out.size() == in.size());
  unsigned n = in.size();
  int first[64];
  int best[64];
  int ping[64];
  bool taken1[64];
  bool taken2[64];
  bool taken3[64];
  int own1[64];
  bool taken4[64];
  bool taken5[64];
  bool is4[64];
  int v5[192];
  int v7[256];
  bool taken6[64];
  for (unsigned l = 0; l < 64; ++l)
    first[l] = 0;
  for (unsigned l = 0; l < 64; ++l)
    taken1[l] = l < n;
  for (unsigned l = 0; l < 64; ++l)
    if (taken1[l])
      first[l] = in[l];
  for (unsigned l = 0; l < 64; ++l)
    best[l] = 1;
  for (unsigned l = 0; l < 64; ++l)
    ping[l] = l % 7;
  for (unsigned l = 0; l < 64; ++l)
    taken2[l] = l >= 1 && 1 != first[l - 1] - best[l - 1];
  for (unsigned l = 0; l < 64; ++l)
    if (taken2[l])
      ping[l] += 2;
  for (unsigned l = 0; l < 64; ++l)
    taken3[l] = taken2[l] && l > 0;
  for (unsigned l = 0; l < 64; ++l)
    if (taken3[l])
      first[l] = best[l - 1];
  for (unsigned l = 0; l < 64; ++l)
    if (taken3[l])
      own1[l] = 0;
  for (unsigned l = 0; l < 64; ++l)
    taken4[l] = taken3[l] && own1[l] - best[l - 1] < 11 * 1;
  for (unsigned l = 0; l < 64; ++l)
    if (taken4[l])
      own1[l] = first[l];
  for (unsigned l = 0; l < 64; ++l)
    if (taken3[l])
      own1[l] = l > 0 ? own1[l] - first[l - 1] : own1[l] * 5;
  for (unsigned k2 = 0; k2 < 5; ++k2) {
    if (n % 2 == 0) {
      for (unsigned l = 0; l < 64; ++l)
        ping[l] += 3;
      for (unsigned l = 0; l < 64; ++l)
        first[l] += 1;
      for (unsigned s3 = 1; s3 < 8; s3 *= 2) {
        for (unsigned l = 0; l < 64; ++l)
          taken5[l] = l + s3 < n;
        for (unsigned l = 0; l < 64; ++l)
          if (taken5[l])
            is4[l] = (l > 0 && l < n) || l - ping[l] == (s3 | in[l]);
        for (unsigned l = 0; l < 64; ++l)
          if (taken5[l])
            best[l] += is4[l];
      }
    }
  }
  for (int k6 = 0; k6 < 3; ++k6) {
    for (unsigned l = 0; l < 64; ++l)
      v5[l * 3 + k6] = best[l] + (best[l] - 7);
  }
  for (int k8 = 0; k8 < 4; ++k8) {
    for (unsigned l = 0; l < 64; ++l)
      v7[l * 4 + k8] = ping[l];
  }
  for (unsigned l = 0; l < 64; ++l)
    taken6[l] = l < n;
  for (unsigned l = 0; l < 64; ++l)
    if (taken6[l])
      out[l] = ping[l / 2];
  return ping[n > 0 ? n - 1 : 0];
}

__codelet __coop __tag(lanes)
int f(const Array<1, int> in, Array<1, int> out) {
  require(in.size() <= coopDim());
  __shared int first[coopDim()];
  __shared int best[coopDim()];
  __shared int ping[coopDim()];
  unsigned n = in.size();
  unsigned id = coopIdx();
  first[id] = 0;
  if (id < n) {
    first[id] = in[id];
  }
  best[id] = 1;
  ping[id] = id % 7;
  if (id >= 1 && 1 != first[id - 1] - best[id - 1]) {
    ping[id] += 2;
    if (id > 0) {
      first[id] = best[id - 1];
      int own1 = 0;
      if (own1 - best[id - 1] < 11 * 1) {
        own1 = first[id];
      }
      own1 = id > 0 ? own1 - first[id - 1] : own1 * 5;
    }
  }
  for (unsigned k2 = 0; k2 < 5; ++k2) {
    if (n % 2 == 0) {
      ping[id] += 3;
      first[id] += 1;
      for (unsigned s3 = 1; s3 < 8; s3 *= 2) {
        if (id + s3 < n) {
          bool is4 = (id > 0 && id < n) || id - ping[id] == (s3 | in[id]);
          best[id] += is4;
        }
      }
    }
  }
  int v5[3];
  for (int k6 = 0; k6 < 3; ++k6) {
    v5[k6] = best[id] + (best[id] - 7);
  }
  int v7[4];
  for (int k8 = 0; k8 < 4; ++k8) {
    v7[k8] = ping[id];
  }
  if (id < n) {
    out[id] = ping[id / 2];
  }
  return ping[n > 0 ? n - 1 : 0];
}
