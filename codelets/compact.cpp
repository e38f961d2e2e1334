// Stream compaction: the elements that are to be kept, in order, at the front of out; their
// number is returned, what lies behind them in out is left as it was.
#include <tangram.h>

// What is kept: positive elements. Write another predicate to compact by it.
template <class T> bool keep(T x) { return x > 0; }

template <class T> __codelet
unsigned kept(const Array<1, T> in) {
  unsigned count = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    count += keep(in[i]) ? 1 : 0;
  return count;
}
template <class T> __codelet __coop __tag(kept_lanes)
unsigned kept(const Array<1, T> in) {
  __shared unsigned tmp[coopDim()];
  unsigned id = coopIdx();
  unsigned own = 0;
  for (unsigned i = id; i < in.size(); i += coopDim())
    own += keep(in[i]) ? 1 : 0;
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  return tmp[coopDim() - 1];
}

// starts[i] = counts[0] + ... + counts[i - 1], one element more than counts
__codelet
void starts_of(const Array<1, unsigned> counts, Array<1, unsigned> starts) {
  require(starts.size() == counts.size() + 1);
  unsigned accum = 0;
  for (unsigned i = 0; i < counts.size(); ++i) {
    starts[i] = accum;
    accum += counts[i];
  }
  starts[counts.size()] = accum;
}

// Every lane takes as many neighbours as it needs to.
__codelet __coop __tag(starts_lanes)
void starts_of(const Array<1, unsigned> counts, Array<1, unsigned> starts) {
  __shared unsigned tmp[coopDim()];
  unsigned len = counts.size();
  unsigned id = coopIdx();
  unsigned each = (len + coopDim() - 1) / coopDim();
  unsigned own = 0;
  for (unsigned k = 0; k < each && each * id + k < len; ++k)
    own += counts[each * id + k];
  tmp[id] = own;
  for (unsigned s = 1; s < coopDim(); s *= 2) {
    if (id >= s)
      tmp[id] += tmp[id - s];
  }
  unsigned accum = id > 0 ? tmp[id - 1] : 0;
  for (unsigned k = 0; k < each && each * id + k < len; ++k) {
    starts[each * id + k] = accum;
    accum += counts[each * id + k];
  }
  if (id == 0)
    starts[len] = tmp[coopDim() - 1];
}

// The kept elements of in, in order, at the front of out: as many as out has room for.
template <class T> __codelet
void pack(const Array<1, T> in, Array<1, T> out) {
  unsigned at = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (keep(in[i]) && at < out.size()) {
      out[at] = in[i];
      at += 1;
    }
  }
}
// Likewise: where an element goes is how many of its tile and of those before are kept.
template <class T> __codelet __coop __tag(pack_lanes) __env(opencl, cuda)
void pack(const Array<1, T> in, Array<1, T> out) {
  __shared unsigned tmp[coopDim()];
  unsigned len = in.size();
  unsigned id = coopIdx();
  unsigned before = 0;
  for (unsigned first = 0; first < len; first += coopDim()) {
    unsigned own = 0;
    if (first + id < len)
      own = keep(in[first + id]) ? 1 : 0;
    tmp[id] = own;
    for (unsigned s = 1; s < coopDim(); s *= 2) {
      if (id >= s)
        tmp[id] += tmp[id - s];
    }
    if (own > 0 && before + tmp[id] <= out.size())
      out[before + tmp[id] - 1] = in[first + id];
    before += tmp[coopDim() - 1];
  }
}
template <class T> __codelet __tag(pack_tiles)
void pack(const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  Array<1, unsigned> counts = map(kept<T>, rows(in, p));
  Array<1, unsigned> starts(p + 1);
  starts_of(counts, starts);
  require(ascending(starts, 0, out.size()));
  map(pack<T>, rows(in, p),
      partition(out, p, sequence(starts, 0, 1, p), sequence(1), sequence(starts, 1, 1, p + 1)));
}

// As many of the first elements of in as out has room for.
template <class T> __codelet
void copy_front(const Array<1, T> in, Array<1, T> out) {
  for (unsigned i = 0; i < out.size() && i < in.size(); ++i)
    out[i] = in[i];
}
template <class T> __codelet __coop __tag(front_lanes)
void copy_front(const Array<1, T> in, Array<1, T> out) {
  unsigned count = min((unsigned)in.size(), (unsigned)out.size());
  for (unsigned i = coopIdx(); i < count; i += coopDim())
    out[i] = in[i];
}

// The kept elements of in go to out from start on, as many as it has room for; returned is where the next ones would go.
template <class T> __codelet
unsigned pack_on(unsigned start, const Array<1, T> in, Array<1, T> out) {
  unsigned at = start;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (keep(in[i])) {
      if (at < out.size())
        out[at] = in[i];
      at += 1;
    }
  }
  return at;
}
// Where the next ones go is known before any has moved.
template <class T> __codelet __tag(count_then_pack)
unsigned pack_on(unsigned start, const Array<1, T> in, Array<1, T> out) {
  unsigned total = kept<T>(in);
  unsigned next = start + total;
  fold(pack<T>, all(in), partition(out, 1, sequence(start), sequence(1), sequence(next)));
  return next;
}
// In parts of a few elements, which items keep between counting and moving; what they keep is put
// together in a tile first, so that neighbours write neighbours.
template <class T> __codelet __tag(pack_by_parts) __env(opencl, cuda)
unsigned pack_on(unsigned start, const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned e = choice(16, 4, 8);
  Array<1, unsigned> counts = map(kept<T>, chunks(in, e));
  unsigned parts = counts.size();
  Array<1, unsigned> starts(parts + 1);
  starts_of(counts, starts);
  unsigned total = starts[parts];
  unsigned next = start + total;
  require(ascending(starts, 0, in.size()));
  Array<1, T> tile(in.size());
  map(pack<T>, chunks(in, e),
      partition(tile, parts, sequence(starts, 0, 1, parts), sequence(1),
                sequence(starts, 1, 1, parts + 1)));
  fold(copy_front<T>, all(tile), partition(out, 1, sequence(start), sequence(1), sequence(next)));
  return next;
}

template <class T> __codelet
unsigned compact(const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  unsigned at = 0;
  for (unsigned i = 0; i < in.size(); ++i) {
    if (keep(in[i])) {
      out[at] = in[i];
      at += 1;
    }
  }
  return at;
}
template <class T> __codelet __tag(two_passes)
unsigned compact(const Array<1, T> in, Array<1, T> out) {
  __tunable unsigned p;
  Array<1, unsigned> counts = map(kept<T>, rows(in, p));
  Array<1, unsigned> starts(p + 1);
  starts_of(counts, starts);
  require(ascending(starts, 0, out.size()));
  map(pack<T>, rows(in, p),
      partition(out, p, sequence(starts, 0, 1, p), sequence(1), sequence(starts, 1, 1, p + 1)));
  return starts[p];
}
// Tiles in order, each telling the next one where to go on.
template <class T> __codelet __tag(chained_packs)
unsigned compact(const Array<1, T> in, Array<1, T> out) {
  require(out.size() == in.size());
  __tunable unsigned t = pow2(256, 65536);
  unsigned first = 0;
  return chain(pack_on<T>, first, chunks(in, t), all(out));
}

template unsigned compact<int>(const Array<1, int>, Array<1, int>);
template unsigned compact<float>(const Array<1, float>, Array<1, float>);
