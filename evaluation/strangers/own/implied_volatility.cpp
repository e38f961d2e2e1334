// Finance: the volatility by which the formula of Black and Scholes gives the price of a call, by
// ten steps of Newton's.
#include <cmath>
#include <tangram.h>

__codelet void implied_volatility(float rate, const Array<1, float> price,
                                  const Array<1, float> spot, const Array<1, float> strike,
                                  const Array<1, float> years, Array<1, float> volatility) {
  require(spot.size() == price.size());
  require(strike.size() == price.size());
  require(years.size() == price.size());
  require(volatility.size() == price.size());
  for (unsigned i = 0; i < price.size(); ++i) {
    float root = sqrt(years[i]);
    float discounted = strike[i] * exp(-rate * years[i]);
    float ratio = log(spot[i] / discounted);
    float guess = 0.3f;
    for (int round = 0; round < 10; ++round) {
      float spread = guess * root;
      float d1 = ratio / spread + 0.5f * spread;
      float call = 0.5f * spot[i] * (1 + erf(d1 * 0.70710678f)) -
                   0.5f * discounted * (1 + erf((d1 - spread) * 0.70710678f));
      float vega = spot[i] * root * 0.39894228f * exp(-0.5f * d1 * d1);
      guess = min(max(guess - (call - price[i]) / max(vega, 1e-6f), 0.01f), 3.0f);
    }
    volatility[i] = guess;
  }
}
