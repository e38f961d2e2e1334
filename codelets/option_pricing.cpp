// What an option on the average price of several assets is worth, by simulation (OptionPricing of FinPar and of Futhark's
// benchmarks): quasi-random numbers of Sobol, made normal, become Brownian motions by bridges between dates, and those
// the paths of prices; the payoffs of all paths have a mean.
//
// A template over the numbers of assets A and dates D, of which each path keeps what it needs to itself. `vectors` are the
// direction numbers of Sobol's sequence in A * D dimensions, of 32 bits. A bridge sets date order[d] (from 1) after the
// others before it in the order, between dates left[d] and right[d], which are set already (0: the start), to
// weights[0][d] of the left one, weights[1][d] of the right one and a deviation of weights[2][d].
#include "reduce.cpp"

// The normal deviation below which is a part of all numbers (Acklam's rational approximation).
template <class T>
T tail(T part) {
  T q = sqrt(-2 * log(part));
  T above = ((((((T)-7.784894002430293e-03 * q - (T)3.223964580411365e-01) * q - (T)2.400758277161838) * q -
               (T)2.549732539343734) * q + (T)4.374664141464968) * q + (T)2.938163982698783);
  return above / (((((T)7.784695709041462e-03 * q + (T)3.224671290700398e-01) * q + (T)2.445134137142996) * q +
                   (T)3.754408661907416) * q + 1);
}
template <class T>
T middle(T part) {
  T q = part - (T)0.5;
  T r = q * q;
  T above = (((((T)-3.969683028665376e+01 * r + (T)2.209460984245205e+02) * r - (T)2.759285104469687e+02) * r +
              (T)1.383577518672690e+02) * r - (T)3.066479806614716e+01) * r + (T)2.506628277459239;
  return above * q / ((((((T)-5.447609879822406e+01 * r + (T)1.615858368580409e+02) * r - (T)1.556989798598866e+02) * r +
                        (T)6.680131188771972e+01) * r - (T)1.328068155288572e+01) * r + 1);
}
// Of 24 bits of a number of Sobol, so that every part is a float and none is 0 or 1. The tails are alike.
template <class T>
T normal(unsigned sobol) {
  T part = ((T)(sobol >> 8) + (T)0.5) * (T)5.9604644775390625e-08;
  T least = min(part, 1 - part);
  return part < (T)0.02425 || part > (T)0.97575 ? (part < (T)0.5 ? tail<T>(least) : -tail<T>(least)) : middle<T>(part);
}

// Row k of `numbers` is element first + k of the sequence, which is made of the vectors that the Gray code of its
// number has.
__codelet
void sobol(unsigned first, const Array<2, unsigned> vectors, Array<2, unsigned> numbers) {
  require(vectors.size(0) == numbers.size(1));
  require(vectors.size(1) == 32);
  for (unsigned k = 0; k < numbers.size(0); ++k) {
    unsigned gray = (first + k) ^ ((first + k) >> 1);
    for (unsigned d = 0; d < numbers.size(1); ++d) {
      unsigned number = 0;
      for (unsigned bit = 0; bit < 32; ++bit)
        number ^= (gray >> bit) % 2 != 0 ? vectors[d][bit] : 0;
      numbers[k][d] = number;
    }
  }
}

// Gray codes of numbers that follow each other differ in a bit, the lowest that is set in the latter: each element
// but the first has a vector more or less than the one before it.
__codelet __tag(recurrent)
void sobol(unsigned first, const Array<2, unsigned> vectors, Array<2, unsigned> numbers) {
  for (unsigned k = 0; k < numbers.size(0); ++k) {
    unsigned gray = (first + k) ^ ((first + k) >> 1);
    unsigned lowest = 0;
    while (lowest < 31 && ((first + k) >> lowest) % 2 == 0)
      lowest += 1;
    for (unsigned d = 0; d < numbers.size(1); ++d) {
      unsigned number = 0;
      if (k > 0) {
        number = numbers[k - 1][d] ^ vectors[d][lowest];
      } else {
        for (unsigned bit = 0; bit < 32; ++bit)
          number ^= (gray >> bit) % 2 != 0 ? vectors[d][bit] : 0;
      }
      numbers[k][d] = number;
    }
  }
}

// Every lane an element, and then the one coopDim() further on.
__codelet __coop __tag(sobol_lanes)
void sobol(unsigned first, const Array<2, unsigned> vectors, Array<2, unsigned> numbers) {
  for (unsigned k = coopIdx(); k < numbers.size(0); k += coopDim()) {
    unsigned n = first + (unsigned)k;
    unsigned gray = n ^ (n >> 1);
    for (unsigned d = 0; d < numbers.size(1); ++d) {
      unsigned number = 0;
      for (unsigned bit = 0; bit < 32; ++bit)
        number ^= (gray >> bit) % 2 != 0 ? vectors[d][bit] : 0;
      numbers[k][d] = number;
    }
  }
}

// As many blocks of elements as there are workers.
__codelet __tag(sobol_parts)
void sobol(unsigned first, const Array<2, unsigned> vectors, Array<2, unsigned> numbers) {
  __tunable unsigned p;
  unsigned tile = (numbers.size(0) + p - 1) / p;
  map(sobol, sequence(first, tile, first + tile * p + 1), all(vectors), rows(numbers, p));
}

// How much more than the strike the average of all prices of a path is, or nothing.
template <class T, unsigned A, unsigned D> __codelet
T payoff(T strike, const Array<1, unsigned> numbers, const Array<1, unsigned> order, const Array<1, unsigned> left, const Array<1, unsigned> right,
    const Array<2, T> weights, const Array<1, T> starts, const Array<2, T> mixes, const Array<2, T> drifts,
    const Array<2, T> volatilities) {
  require(numbers.size() == A * D);
  require(weights.size(0) == 3);
  require(weights.size(1) == D);
  require(order.size() == D);
  require(left.size() == D);
  require(right.size() == D);
  require(starts.size() == A);
  require(mixes.size(0) == A);
  require(mixes.size(1) == A);
  require(drifts.size(0) == D);
  require(drifts.size(1) == A);
  require(volatilities.size(0) == D);
  require(volatilities.size(1) == A);
  require(within(order, 1, D + 1));
  require(within(left, 0, D + 1));
  require(within(right, 0, D + 1));
  T motion[A * (D + 1)];
  for (unsigned a = 0; a < A; ++a) {
    for (unsigned d = 0; d < D + 1; ++d)
      motion[a * (D + 1) + d] = 0;
    for (unsigned d = 0; d < D; ++d)
      motion[a * (D + 1) + order[d]] =
          weights[0][d] * motion[a * (D + 1) + left[d]] + weights[1][d] * motion[a * (D + 1) + right[d]] +
          weights[2][d] * normal<T>(numbers[d * A + a]);
  }
  T total = 0;
  for (unsigned a = 0; a < A; ++a) {
    T log_price = 0;
    for (unsigned d = 0; d < D; ++d) {
      T mixed = 0;
      for (unsigned b = 0; b < A; ++b)
        mixed += mixes[a][b] * (motion[b * (D + 1) + d + 1] - motion[b * (D + 1) + d]);
      log_price += drifts[d][a] + volatilities[d][a] * mixed;
      total += starts[a] * exp(log_price);
    }
  }
  return max(total / (A * D) - strike, (T)0);
}

// Those of the paths from `first` on.
template <class T, unsigned A, unsigned D> __codelet __tag(numbers_first)
void payoffs(unsigned first, T strike, const Array<2, unsigned> vectors, const Array<1, unsigned> order, const Array<1, unsigned> left, const Array<1, unsigned> right,
    const Array<2, T> weights, const Array<1, T> starts, const Array<2, T> mixes, const Array<2, T> drifts,
    const Array<2, T> volatilities, Array<1, T> out) {
  Array<2, unsigned> numbers(out.size(), vectors.size(0));
  sobol(first, vectors, numbers);
  out = map(payoff<T, A, D>, strike, numbers, all(order), all(left), all(right), all(weights), all(starts), all(mixes), all(drifts), all(volatilities));
}

// As many blocks of paths as there are workers.
template <class T, unsigned A, unsigned D> __codelet __tag(path_parts)
void payoffs(unsigned first, T strike, const Array<2, unsigned> vectors, const Array<1, unsigned> order, const Array<1, unsigned> left, const Array<1, unsigned> right,
    const Array<2, T> weights, const Array<1, T> starts, const Array<2, T> mixes, const Array<2, T> drifts,
    const Array<2, T> volatilities, Array<1, T> out) {
  __tunable unsigned p;
  unsigned tile = (out.size() + p - 1) / p;
  map(payoffs<T, A, D>, sequence(first, tile, first + tile * p + 1), strike, all(vectors), all(order), all(left), all(right), all(weights), all(starts), all(mixes), all(drifts), all(volatilities), rows(out, p));
}

// Blocks of t paths.
template <class T, unsigned A, unsigned D> __codelet __tag(path_blocks)
void payoffs(unsigned first, T strike, const Array<2, unsigned> vectors, const Array<1, unsigned> order, const Array<1, unsigned> left, const Array<1, unsigned> right,
    const Array<2, T> weights, const Array<1, T> starts, const Array<2, T> mixes, const Array<2, T> drifts,
    const Array<2, T> volatilities, Array<1, T> out) {
  __tunable unsigned t = choice(256, 64, 1024);
  map(payoffs<T, A, D>, sequence(first, t, first + out.size() + t), strike, all(vectors), all(order), all(left), all(right), all(weights), all(starts), all(mixes), all(drifts), all(volatilities), chunks(out, t));
}

// Discounted, the mean of the payoffs of so many paths.
template <class T, unsigned A, unsigned D> __codelet
T option_pricing(unsigned paths, T strike, T discount, const Array<2, unsigned> vectors, const Array<1, unsigned> order, const Array<1, unsigned> left, const Array<1, unsigned> right,
    const Array<2, T> weights, const Array<1, T> starts, const Array<2, T> mixes, const Array<2, T> drifts,
    const Array<2, T> volatilities) {
  typical(paths, 1 << 20);
  require(vectors.size(0) == A * D);
  require(vectors.size(1) == 32);
  require(weights.size(0) == 3);
  require(weights.size(1) == D);
  require(order.size() == D);
  require(left.size() == D);
  require(right.size() == D);
  require(starts.size() == A);
  require(mixes.size(0) == A);
  require(mixes.size(1) == A);
  require(drifts.size(0) == D);
  require(drifts.size(1) == A);
  require(volatilities.size(0) == D);
  require(volatilities.size(1) == A);
  require(within(order, 1, D + 1));
  require(within(left, 0, D + 1));
  require(within(right, 0, D + 1));
  T sum = 0;
  for (unsigned k = 0; k < paths; ++k) {
    unsigned gray = k ^ (k >> 1);
    unsigned numbers[A * D];
    for (unsigned d = 0; d < A * D; ++d) {
      unsigned number = 0;
      for (unsigned bit = 0; bit < 32; ++bit)
        number ^= (gray >> bit) % 2 != 0 ? vectors[d][bit] : 0;
      numbers[d] = number;
    }
    T motion[A * (D + 1)];
    for (unsigned a = 0; a < A; ++a) {
      for (unsigned d = 0; d < D + 1; ++d)
        motion[a * (D + 1) + d] = 0;
      for (unsigned d = 0; d < D; ++d)
        motion[a * (D + 1) + order[d]] =
            weights[0][d] * motion[a * (D + 1) + left[d]] + weights[1][d] * motion[a * (D + 1) + right[d]] +
            weights[2][d] * normal<T>(numbers[d * A + a]);
    }
    T total = 0;
    for (unsigned a = 0; a < A; ++a) {
      T log_price = 0;
      for (unsigned d = 0; d < D; ++d) {
        T mixed = 0;
        for (unsigned b = 0; b < A; ++b)
          mixed += mixes[a][b] * (motion[b * (D + 1) + d + 1] - motion[b * (D + 1) + d]);
        log_price += drifts[d][a] + volatilities[d][a] * mixed;
        total += starts[a] * exp(log_price);
      }
    }
    sum += max(total / (A * D) - strike, (T)0);
  }
  return discount * sum / max(paths, 1u);
}

template <class T, unsigned A, unsigned D> __codelet __tag(payoffs_first)
T option_pricing(unsigned paths, T strike, T discount, const Array<2, unsigned> vectors, const Array<1, unsigned> order, const Array<1, unsigned> left, const Array<1, unsigned> right,
    const Array<2, T> weights, const Array<1, T> starts, const Array<2, T> mixes, const Array<2, T> drifts,
    const Array<2, T> volatilities) {
  Array<1, T> all_payoffs(paths);
  payoffs<T, A, D>(0, strike, vectors, order, left, right, weights, starts, mixes, drifts, volatilities, all_payoffs);
  return discount * sum<T>(all_payoffs) / max(paths, 1u);
}

template float option_pricing<float, 3, 5>(unsigned, float, float, const Array<2, unsigned>, const Array<1, unsigned>, const Array<1, unsigned>, const Array<1, unsigned>, const Array<2, float>, const Array<1, float>, const Array<2, float>, const Array<2, float>, const Array<2, float>);
