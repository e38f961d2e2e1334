// Chains whose elements may be distributed: the order in which the carry passes, what may happen
// before it comes and after it has gone, and carries of every width. Every plan is verified against
// the first codelet of each spectrum.
#include <tangram.h>

// ----------------------------------------------------------------------------
// Elements that are numbers, and a carry that shows their order
// ----------------------------------------------------------------------------

__codelet
unsigned digit(unsigned carry, unsigned value) {
  if (value % 2 == 0)
    return carry * 3 + value;
  carry *= 3;
  return carry + value;
}

__codelet
unsigned digits(unsigned start, const Array<1, unsigned> in) {
  unsigned all = start;
  for (unsigned i = 0; i < in.size(); ++i)
    all = all * 3 + in[i];
  return all;
}

__codelet __tag(digit_by_digit)
unsigned digits(unsigned start, const Array<1, unsigned> in) { return chain(digit, start, in); }

__codelet __tag(digits_by_parts)
unsigned digits(unsigned start, const Array<1, unsigned> in) {
  __tunable unsigned p;
  return chain(digits, start, rows(in, p));
}

// ----------------------------------------------------------------------------
// Parts that are scanned: carries of all widths
// ----------------------------------------------------------------------------

template <class T> __codelet
T total(const Array<1, T> in) {
  T all = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    all += in[i];
  return all;
}

template <class T> __codelet __tag(total_tiled)
T total(const Array<1, T> in) {
  __tunable unsigned p;
  return total(map(total<T>, rows(in, p)));
}

template <class T> __codelet
T scan(T start, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T all = start;
  for (unsigned i = 0; i < in.size(); ++i) {
    all += in[i];
    out[i] = all;
  }
  return all;
}

template <class T> __codelet __coop __tag(scan_lanes)
T scan(T start, const Array<1, T> in, Array<1, T> out) {
  require(in.size() <= coopDim());
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  tmp[id] = id < in.size() ? in[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  if (id < in.size())
    out[id] = start + tmp[id];
  return start + tmp[coopDim() - 1];
}

// The next carry is known before anything is written.
template <class T> __codelet __tag(scan_later)
T scan(T start, const Array<1, T> in, Array<1, T> out) {
  T here = total<T>(in);
  T next = start + here;
  scan<T>(start, in, out);
  return next;
}

template <class T> __codelet __tag(scan_chained)
T scan(T start, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  return chain(scan<T>, start, rows(in, p), rows(out, p));
}

template int scan<int>(int, const Array<1, int>, Array<1, int>);
template float scan<float>(float, const Array<1, float>, Array<1, float>);
template double scan<double>(double, const Array<1, double>, Array<1, double>);
template long scan<long>(long, const Array<1, long>, Array<1, long>);
template short scan<short>(short, const Array<1, short>, Array<1, short>);

// ----------------------------------------------------------------------------
// Two chains in one codelet, the second starting from what the first returned
// ----------------------------------------------------------------------------

__codelet
int both(const Array<1, int> in, Array<1, int> a, Array<1, int> b) {
  require(a.size() == in.size());
  require(b.size() == in.size());
  int all = 5;
  for (unsigned i = 0; i < in.size(); ++i) {
    all += in[i];
    a[i] = all;
  }
  for (unsigned i = 0; i < in.size(); ++i) {
    all += a[i];
    b[i] = all;
  }
  return all;
}

__codelet __tag(two_chains)
int both(const Array<1, int> in, Array<1, int> a, Array<1, int> b) {
  __tunable unsigned p;
  __tunable unsigned q;
  int five = 5;
  int first = chain(scan<int>, five, rows(in, p), rows(a, p));
  return chain(scan<int>, first, rows(a, q), rows(b, q));
}

// ----------------------------------------------------------------------------
// Chains in a map
// ----------------------------------------------------------------------------

__codelet
void rows_of(const Array<2, int> in, Array<2, int> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i) {
    int all = 0;
    for (unsigned j = 0; j < in.size(1); ++j) {
      all += in[i][j];
      out[i][j] = all;
    }
  }
}

__codelet __tag(row_by_row)
void rows_of(const Array<2, int> in, Array<2, int> out) {
  int zero = 0;
  map(scan<int>, zero, in, out);
}

// ----------------------------------------------------------------------------
// Elements that all write one container: each sees all that its predecessor wrote
// ----------------------------------------------------------------------------

__codelet
unsigned note(unsigned carry, const Array<1, unsigned> in, Array<1, unsigned> log) {
  for (unsigned i = 0; i < in.size(); ++i) {
    for (unsigned k = 0; k < log.size(); ++k)
      log[k] = log[(k + 1) % log.size()] * 3 + in[i];
  }
  return carry + in.size();
}

__codelet
void history(const Array<1, unsigned> in, Array<1, unsigned> log) {
  for (unsigned i = 0; i < in.size(); ++i) {
    for (unsigned k = 0; k < log.size(); ++k)
      log[k] = log[(k + 1) % log.size()] * 3 + in[i];
  }
}

__codelet __tag(history_chained)
void history(const Array<1, unsigned> in, Array<1, unsigned> log) {
  __tunable unsigned p;
  unsigned none = 0;
  chain(note, none, rows(in, p), all(log));
}
