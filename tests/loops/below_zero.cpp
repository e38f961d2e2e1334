// below_zero; derived_split_i; x=37
#include <tangram.h>

// Numbers without a sign that fall below 0, and numbers with one that are more than positions: conditions and data mean what
// they do in C++.
__codelet void below_zero(const Array<1, int> x, Array<1, int> y) {
  require(y.size() == x.size());
  const int n = x.size();
  for (unsigned i = 0; i < x.size(); ++i) {
    const unsigned before = i - 3;
    const int back = (int)i - 5;
    int s = before < x.size() ? x[before] : (int)(before >> 30);
    for (int k = back; k < back + 4; ++k)
      if (k >= 0 && k < n)
        s += k * x[k] - back;
    s += back * 3 - 2 * n < -7 ? back % 4 : back / 2;
    s += (long)back * 2147483647 < -4294967296 ? 1 : 0;
    y[i] = s + (-back < 2 ? 100 : 0) + (back * (n - 20) > 3 * back ? 1000 : 0);
  }
}
