// Finance: the deepest fall of each share from the highest price it had before.
#include <tangram.h>

__codelet void max_drawdown(const Array<2, float> prices, Array<1, float> falls) {
  require(falls.size() == prices.size(0));
  require(prices.size(1) > 0);
  for (unsigned s = 0; s < prices.size(0); ++s) {
    float top = prices[s][0];
    float fall = 0;
    for (unsigned t = 0; t < prices.size(1); ++t) {
      top = max(top, prices[s][t]);
      fall = max(fall, top - prices[s][t]);
    }
    falls[s] = fall;
  }
}
