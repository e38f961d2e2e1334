// Prices of European options by the formula of Black and Scholes.
#include <tangram.h>

// The normal distribution.
template <class T>
T normal(T d) {
  return (T)0.5 * (1 + erf(d * (T)0.70710678118654752440));
}

template <class T>
T call_price(T rate, T volatility, T price, T strike, T years) {
  T spread = volatility * sqrt(years);
  T d1 = (log(price / strike) + (rate + (T)0.5 * volatility * volatility) * years) / spread;
  return price * normal<T>(d1) - strike * exp(-rate * years) * normal<T>(d1 - spread);
}

// calls[i], puts[i]: the right to buy, to sell for strikes[i] in years[i] what costs prices[i] now.
template <class T> __codelet
void black_scholes(T rate, T volatility, const Array<1, T> prices, const Array<1, T> strikes, const Array<1, T> years,
                   Array<1, T> calls, Array<1, T> puts) {
  require(strikes.size() == prices.size());
  require(years.size() == prices.size());
  require(calls.size() == prices.size());
  require(puts.size() == prices.size());
  require(within(rate, -0.25, 0.5) && within(volatility, 0.05, 2));
  require(within(prices, 1, 10000) && within(strikes, 1, 10000) && within(years, 0.1, 30));
  for (unsigned i = 0; i < prices.size(); ++i) {
    T call = call_price<T>(rate, volatility, prices[i], strikes[i], years[i]);
    calls[i] = call;
    puts[i] = call + strikes[i] * exp(-rate * years[i]) - prices[i];
  }
}

// Every lane an option, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(option_lanes)
void black_scholes(T rate, T volatility, const Array<1, T> prices, const Array<1, T> strikes, const Array<1, T> years,
                   Array<1, T> calls, Array<1, T> puts) {
  for (unsigned i = coopIdx(); i < prices.size(); i += coopDim()) {
    T call = call_price<T>(rate, volatility, prices[i], strikes[i], years[i]);
    calls[i] = call;
    puts[i] = call + strikes[i] * exp(-rate * years[i]) - prices[i];
  }
}

// Both prices of one option.
template <class T> __codelet
void option_prices(T rate, T volatility, T price, T strike, T years, T &call, T &put) {
  require(within(rate, -0.25, 0.5) && within(volatility, 0.05, 2));
  require(within(price, 1, 10000) && within(strike, 1, 10000) && within(years, 0.1, 30));
  call = call_price<T>(rate, volatility, price, strike, years);
  put = call + strike * exp(-rate * years) - price;
}

// Every option by itself: containers zipped.
template <class T> __codelet __tag(each_option)
void black_scholes(T rate, T volatility, const Array<1, T> prices, const Array<1, T> strikes, const Array<1, T> years,
                   Array<1, T> calls, Array<1, T> puts) {
  map(option_prices<T>, rate, volatility, prices, strikes, years, calls, puts);
}

// As many blocks of options as there are workers.
template <class T> __codelet __tag(option_parts)
void black_scholes(T rate, T volatility, const Array<1, T> prices, const Array<1, T> strikes, const Array<1, T> years,
                   Array<1, T> calls, Array<1, T> puts) {
  __tunable unsigned p;
  map(black_scholes<T>, rate, volatility, rows(prices, p), rows(strikes, p), rows(years, p), rows(calls, p), rows(puts, p));
}

template void black_scholes<float>(float, float, const Array<1, float>, const Array<1, float>, const Array<1, float>, Array<1, float>, Array<1, float>);
template void black_scholes<double>(double, double, const Array<1, double>, const Array<1, double>, const Array<1, double>, Array<1, double>, Array<1, double>);
