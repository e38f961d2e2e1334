// Views by index functions: in loops they are seen through by subscripts, and spectrums take those that are windows.
#include <tangram.h>

__codelet void palindrome(const Array<1, int> xs, Array<1, int> out) {
  require(out.size() == xs.size());
  auto back = reverse(xs);
  for (unsigned i = 0; i < xs.size(); ++i)
    out[i] = back[i] + 2 * reverse(back)[i];
}

__codelet void written_backward(const Array<1, int> xs, Array<1, int> out) {
  require(out.size() == xs.size());
  for (unsigned i = 0; i < xs.size(); ++i)
    reverse(out)[i] = 3 * xs[i] + static_cast<int>(i);
}

__codelet void rows_backward(const Array<2, int> a, Array<2, int> out) {
  require(out.size(0) == a.size(0));
  require(out.size(1) == a.size(1));
  for (unsigned i = 0; i < a.size(0); ++i) {
    for (unsigned j = 0; j < a.size(1); ++j)
      out[i][j] = reverse(a)[i][j] - reverse(a, 1)[i][j] + reverse(transpose(a))[a.size(1) - 1 - j][i];
  }
}

__codelet int trace(const Array<2, int> a) {
  int sum = 0;
  for (int x : diagonal(a))
    sum += x;
  return sum;
}

__codelet void flat(const Array<2, int> a, Array<1, int> out) {
  require(out.size() == a.size(0) * a.size(1));
  auto all = flatten(a);
  for (unsigned i = 0; i < all.size(); ++i)
    out[i] = all[i] + static_cast<int>(i);
}

__codelet void shaped(const Array<1, int> xs, Array<2, int> out) {
  require(xs.size() == out.size(0) * out.size(1));
  auto m = reshape(xs, out.size(0), out.size(1));
  for (unsigned i = 0; i < m.size(0); ++i) {
    for (unsigned j = 0; j < m.size(1); ++j)
      out[i][j] = m[i][j] - broadcast(xs, 3)[2][j];
  }
}

__codelet void every_third(const Array<1, int> xs, Array<1, int> out) {
  require(xs.size() == 3 * out.size());
  auto thirds = slice(xs, 1, xs.size(), 0, 3);
  for (unsigned i = 0; i < thirds.size(); ++i)
    out[i] = thirds[i] + static_cast<int>(thirds.size());
}

// Handed to spectrums.
__codelet int weigh(int x, int y) { return 3 * x - y; }

__codelet void folded(const Array<1, int> xs, Array<1, int> out) {
  require(out.size() == xs.size());
  for (unsigned i = 0; i < xs.size(); ++i)
    out[i] = 3 * xs[i] - xs[xs.size() - 1 - i];
}
__codelet __tag(views) void folded(const Array<1, int> xs, Array<1, int> out) {
  require(out.size() == xs.size());
  out = map(weigh, xs, reverse(xs));
}

__codelet int total(const Array<1, int> xs) {
  int sum = 0;
  for (unsigned i = 0; i < xs.size(); ++i)
    sum = 3 * sum + xs[i];
  return sum;
}

__codelet int last_first(const Array<1, int> xs) {
  int sum = 0;
  for (unsigned i = xs.size(); i > 0; --i)
    sum = 3 * sum + xs[i - 1];
  return sum;
}
__codelet __tag(view) int last_first(const Array<1, int> xs) { return total(reverse(xs)); }

__codelet int product_of(const Array<1, int> a, const Array<1, int> b) {
  require(b.size() == a.size());
  int sum = 0;
  for (unsigned i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

__codelet void convolved(const Array<1, int> in, const Array<1, int> w, Array<1, int> out) {
  require(w.size() > 0);
  require(in.size() + 1 == out.size() + w.size());
  for (unsigned i = 0; i < out.size(); ++i) {
    int sum = 0;
    for (unsigned k = 0; k < w.size(); ++k)
      sum += in[i + k] * w[k];
    out[i] = sum;
  }
}
__codelet __tag(windows) void convolved(const Array<1, int> in, const Array<1, int> w, Array<1, int> out) {
  require(w.size() > 0);
  require(in.size() + 1 == out.size() + w.size());
  out = map(product_of, slide(in, w.size(), 1), all(w));
}
