// Code that never runs: loops without a round, statements behind jumps, branches of constants, maps over nothing. The
// emitted code compiles without warnings, and every codelet computes the same as the first one.
#include <tangram.h>

__codelet int same(int a) { return a; }
__codelet int add_all(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i];
  return s;
}

__codelet int never(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = in.size(); i < in.size(); ++i)
    s += in[i] / (int)(in.size() - in.size());
  while (false)
    s += 1;
  if (false)
    s += 100;
  else if (true) {
  }
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] == 0)
      continue;
    else
      s += in[i];
    continue;
    s += 1000;
  }
  do {
    break;
  } while (true);
  return s;
  s += 7;
}
// Constant ranges that are empty, of each type and direction.
__codelet __tag(empty_ranges) int never(const Array<1, int> in) {
  int s = 0;
  for (int i = 3; i < 3; ++i)
    s += in[i];
  for (int i = 0; i > 0; --i)
    s += in[i];
  for (long i = 5; i <= 4; ++i)
    s += in[i];
  for (unsigned i = 0; i < 0; ++i)
    s += in[i];
  for (unsigned i = 7; i != 7; ++i)
    s += in[i];
  for (unsigned i = 0; i < in.size(); ++i)
    for (unsigned j = i; j < i; ++j)
      s += in[j] % (int)(i - i);
  return s + add_all(in);
}
// Statements behind return, continue and break.
__codelet __tag(behind_jumps) int never(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    s += in[i];
    if (s > 0) {
      continue;
      s = 0;
    } else {
      continue;
      for (int k = 0; k < 3; ++k)
        s += k;
    }
    s = 5;
  }
  for (int i = 0; i < 4; ++i) {
    break;
    s += i;
  }
  int turns = 0;
  do {
    ++turns;
    if (turns > 3)
      break;
  } while (true);
  if (in.size() == 0)
    return s;
  return s;
  s += turns;
  return s;
}
// Branches that are empty, and conditions that are constants.
__codelet __tag(empty_branches) int never(const Array<1, int> in) {
  int s = 0;
  const bool no = false;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] > 3) {
    } else {
    }
    if (no && in[i] > 0)
      s -= 1;
    if (in[i] != 0) {
      s += in[i];
    } else if (1 > 2) {
      s += 9;
    } else {
    }
  }
  while (1 < 0) {
    s += 1;
  }
  return true ? s : s + 1;
}
__codelet __coop __tag(lanes) int never(const Array<1, int> in) {
  __shared int t[coopDim()];
  unsigned id = coopIdx();
  t[id] = 0;
  int unused = t[0] * 3;
  for (unsigned s = coopDim(); s < coopDim(); s *= 2)
    t[id] += t[id + s];
  for (unsigned s = 0; s < 0; ++s)
    t[id] += t[s];
  if (false)
    t[id] = 5;
  if (coopDim() == 0)
    t[id] = 6;
  for (unsigned i = id; i < in.size(); i += coopDim()) {
    if (in[i] == 0) {
    } else {
      atomicAdd(t[0], in[i]);
    }
  }
  return t[0];
}
__codelet __tag(empty_map) int never(const Array<1, int> in) {
  Array<1, int> none(0);
  none = map(same, none);
  int zero = add_all(none);
  return zero + add_all(in);
}
