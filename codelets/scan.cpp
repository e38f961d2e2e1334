// Prefix sums, inclusive and exclusive.
#pragma once
#include "reduce.cpp"

// ----------------------------------------------------------------------------
// To every element
// ----------------------------------------------------------------------------

template <class T> __codelet
void add_to(T value, Array<1, T> a) {
  for (unsigned i = 0; i < a.size(); ++i)
    a[i] += value;
}

template <class T> __codelet __coop __tag(add_lanes)
void add_to(T value, Array<1, T> a) {
  for (unsigned i = coopIdx(); i < a.size(); i += coopDim())
    a[i] += value;
}

template <class T> __codelet __tag(add_strided)
void add_to(T value, Array<1, T> a) {
  __tunable unsigned p;
  unsigned len = a.size();
  map(add_to<T>, value, partition(a, p, sequence(0, 1, p), sequence(p), sequence(len)));
}

// ----------------------------------------------------------------------------
// In place: a[i] becomes start + a[0] + ... + a[i - 1]
// ----------------------------------------------------------------------------

template <class T> __codelet
void starts_from(T start, Array<1, T> a) {
  T accum = start;
  for (unsigned i = 0; i < a.size(); ++i) {
    T own = a[i];
    a[i] = accum;
    accum += own;
  }
}

template <class T> __codelet __coop __tag(starts_lanes)
void starts_from(T start, Array<1, T> a) {
  require(a.size() <= coopDim());
  __shared T tmp[coopDim()];
  unsigned len = a.size();
  unsigned id = coopIdx();
  tmp[id] = (id < len) ? a[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  if (id < len)
    a[id] = start + (id > 0 ? tmp[id - 1] : 0);
}

// ----------------------------------------------------------------------------
// In place: a[i] becomes a[0] + ... + a[i - 1]; returned is what all come to
// ----------------------------------------------------------------------------

template <class T> __codelet
T offsets(Array<1, T> a) {
  T accum = 0;
  for (unsigned i = 0; i < a.size(); ++i) {
    T own = a[i];
    a[i] = accum;
    accum += own;
  }
  return accum;
}

// Every lane takes as many neighbours as it needs to.
template <class T> __codelet __coop __tag(offsets_lanes)
T offsets(Array<1, T> a) {
  __shared T tmp[coopDim()];
  unsigned id = coopIdx();
  unsigned each = (a.size() + coopDim() - 1) / coopDim();
  T own = 0;
  for (unsigned k = 0; k < each && each * id + k < a.size(); ++k)
    own += a[each * id + k];
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  T accum = id > 0 ? tmp[id - 1] : 0;
  for (unsigned k = 0; k < each && each * id + k < a.size(); ++k) {
    T here = a[each * id + k];
    a[each * id + k] = accum;
    accum += here;
  }
  return tmp[coopDim() - 1];
}

// ----------------------------------------------------------------------------
// From a start: out[i] = start + in[0] + ... + in[i]
// ----------------------------------------------------------------------------

template <class T> __codelet
void scan_from(T start, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = start;
  for (unsigned i = 0; i < out.size(); ++i) {
    accum += in[i];
    out[i] = accum;
  }
}

// A Kogge-Stone network: every lane an element, all lanes step together.
template <class T> __codelet __coop __tag(scan_lanes)
void scan_from(T start, const Array<1, T> in, Array<1, T> out) {
  require(in.size() <= coopDim());
  __shared T tmp[coopDim()];
  unsigned len = in.size();
  unsigned id = coopIdx();
  tmp[id] = (id < len) ? in[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  if (id < len)
    out[id] = start + tmp[id];
}

// Reduce, scan, scan: add up the tiles, find where each starts, scan the tiles from there.
template <class T> __codelet __tag(reduce_scan_scan)
void scan_from(T start, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  Array<1, T> starts = map(sum<T>, rows(in, p));
  starts_from<T>(start, starts);
  map(scan_from<T>, starts, rows(in, p), rows(out, p));
}

// ----------------------------------------------------------------------------
// What the codelets below need
// ----------------------------------------------------------------------------

// The last element; 0 of none.
template <class T> __codelet
T last(const Array<1, T> in) {
  return in.size() == 0 ? 0 : in[in.size() - 1];
}

// ----------------------------------------------------------------------------
// Inclusive: out[i] = in[0] + ... + in[i]
// ----------------------------------------------------------------------------

// What the last tile's end adds to the next one: the total of start and in.
template <class T> __codelet
T scan_on(T start, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = start;
  for (unsigned i = 0; i < out.size(); ++i) {
    accum += in[i];
    out[i] = accum;
  }
  return accum;
}

// What the next tile starts from is known before this one is scanned: where tiles wait for each
// other (`chained`, distributed), they wait for a sum and not for a scan.
template <class T> __codelet __tag(total_then_scan)
T scan_on(T start, const Array<1, T> in, Array<1, T> out) {
  T total = sum<T>(in);
  T next = start + total;
  scan_from<T>(start, in, out);
  return next;
}

template <class T> __codelet __tag(scan_then_total)
T scan_on(T start, const Array<1, T> in, Array<1, T> out) {
  scan_from<T>(start, in, out);
  return in.size() == 0 ? start : out[in.size() - 1];
}

// The same from start + before.
template <class T> __codelet
void scan_after(T start, T before, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = start + before;
  for (unsigned i = 0; i < out.size(); ++i) {
    accum += in[i];
    out[i] = accum;
  }
}

// In parts of a few elements, which items keep between their sum and their scan. (Lanes of a vector
// would have to gather them.)
template <class T> __codelet __tag(by_parts) __env(opencl, cuda)
T scan_on(T start, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned e = choice(4, 8, 16);
  Array<1, T> starts = map(sum<T>, chunks(in, e));
  T total = offsets<T>(starts);
  T next = start + total;
  map(scan_after<T>, start, starts, chunks(in, e), chunks(out, e));
  return next;
}

template <class T> __codelet
void scan(const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = 0;
  for (unsigned i = 0; i < out.size(); ++i) {
    accum += in[i];
    out[i] = accum;
  }
}

template <class T> __codelet __tag(from_zero)
void scan(const Array<1, T> in, Array<1, T> out) {
  scan_from<T>(0, in, out);
}

// Scan, scan, add: scan the tiles, then add to each what the ones before it come to.
template <class T> __codelet __tag(scan_scan_add)
void scan(const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  map(scan<T>, rows(in, p), rows(out, p));
  Array<1, T> starts = map(last<T>, rows(out, p));
  starts_from<T>(0, starts);
  map(add_to<T>, starts, rows(out, p));
}

// Tiles in order, each handing its total to the next.
template <class T> __codelet __tag(chained)
void scan(const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned t = pow2(256, 65536);
  T zero = 0;
  chain(scan_on<T>, zero, chunks(in, t), chunks(out, t));
}

// ----------------------------------------------------------------------------
// Exclusive: out[i] = in[0] + ... + in[i - 1]
// ----------------------------------------------------------------------------

template <class T> __codelet
void exclusive_from(T start, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = start;
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i] = accum;
    accum += in[i];
  }
}

template <class T> __codelet __coop __tag(exclusive_lanes)
void exclusive_from(T start, const Array<1, T> in, Array<1, T> out) {
  require(in.size() <= coopDim());
  __shared T tmp[coopDim()];
  unsigned len = in.size();
  unsigned id = coopIdx();
  tmp[id] = (id < len) ? in[id] : 0;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  if (id < len)
    out[id] = start + (id > 0 ? tmp[id - 1] : 0);
}

template <class T> __codelet __tag(exclusive_reduce_scan_scan)
void exclusive_from(T start, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  Array<1, T> starts = map(sum<T>, rows(in, p));
  starts_from<T>(start, starts);
  map(exclusive_from<T>, starts, rows(in, p), rows(out, p));
}

template <class T> __codelet
T exclusive_on(T start, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = start;
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i] = accum;
    accum += in[i];
  }
  return accum;
}

template <class T> __codelet __tag(total_then_exclusive)
T exclusive_on(T start, const Array<1, T> in, Array<1, T> out) {
  T total = sum<T>(in);
  T next = start + total;
  exclusive_from<T>(start, in, out);
  return next;
}

template <class T> __codelet
void exclusive_after(T start, T before, const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = start + before;
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i] = accum;
    accum += in[i];
  }
}

template <class T> __codelet __tag(exclusive_by_parts) __env(opencl, cuda)
T exclusive_on(T start, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned e = choice(4, 8, 16);
  Array<1, T> starts = map(sum<T>, chunks(in, e));
  T total = offsets<T>(starts);
  T next = start + total;
  map(exclusive_after<T>, start, starts, chunks(in, e), chunks(out, e));
  return next;
}

template <class T> __codelet
void exclusive_scan(const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  T accum = 0;
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i] = accum;
    accum += in[i];
  }
}

template <class T> __codelet __tag(exclusive_from_zero)
void exclusive_scan(const Array<1, T> in, Array<1, T> out) {
  exclusive_from<T>(0, in, out);
}

template <class T> __codelet __tag(exclusive_chained)
void exclusive_scan(const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned t = pow2(256, 65536);
  T zero = 0;
  chain(exclusive_on<T>, zero, chunks(in, t), chunks(out, t));
}

template void scan<int>(const Array<1, int>, Array<1, int>);
template void scan<float>(const Array<1, float>, Array<1, float>);
template void exclusive_scan<int>(const Array<1, int>, Array<1, int>);
