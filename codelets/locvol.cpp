// Prices of call options where the volatility depends on price and time (LocVolCalib of FinPar and of Futhark's
// benchmarks): for every strike a grid of logarithms of prices and of those of volatilities, and in each step back in time a
// tridiagonal system for each of its columns, and then one for each of its rows.
//
// Steps are those of Crank and Nicolson in one dimension after the other. Grids are equally spaced; at their edges
// nothing changes.
#include "transpose.cpp"

// r times the variance at a point of a line: `along` is where it is on the line, `across` where the line is.
template <class T> T x_share(T r, T beta, T decay, T along, T across) { return r * exp(2 * (beta * along + across - decay)); }
template <class T> T y_share(T r, T beta, T decay, T along, T across) { return r; }

// A step of all columns of `in`, whose systems are solved by Thomas' algorithm: first down, where the element below is
// left over with a factor, and then up. u[i] takes a share q[i] of u[i - 1] - 2 u[i] + u[i + 1], before and after.
template <class T, T (*share)(T, T, T, T, T)> __codelet
void lines(T r, T beta, T decay, const Array<1, T> along, const Array<1, T> across, const Array<2, T> in, Array<2, T> out,
           Array<2, T> factors) {
  require(in.size(0) == along.size());
  require(in.size(1) == across.size());
  require(out.size(0) == along.size());
  require(out.size(1) == across.size());
  require(factors.size(0) == along.size());
  require(factors.size(1) == across.size());
  unsigned n = along.size();
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned j = 0; j < across.size(); ++j) {
      if (i == 0 || i + 1 == n) {
        out[i][j] = in[i][j];
        factors[i][j] = 0;
      } else {
        T q = share(r, beta, decay, along[i], across[j]);
        T pivot = 1 + q * (2 - factors[i - 1][j]);
        out[i][j] = (in[i][j] + q * (in[i - 1][j] - 2 * in[i][j] + in[i + 1][j] + out[i - 1][j])) / pivot;
        factors[i][j] = q / pivot;
      }
    }
  }
  for (unsigned up = 1; up < n; ++up) {
    unsigned i = n - 1 - up;
    for (unsigned j = 0; j < across.size(); ++j)
      out[i][j] += factors[i][j] * out[i + 1][j];
  }
}

// Every lane a line, and then the one coopDim() further on.
template <class T, T (*share)(T, T, T, T, T)> __codelet __coop __tag(lane_a_line)
void lines(T r, T beta, T decay, const Array<1, T> along, const Array<1, T> across, const Array<2, T> in, Array<2, T> out,
           Array<2, T> factors) {
  unsigned n = along.size();
  for (unsigned j = coopIdx(); j < across.size(); j += coopDim()) {
    T last = 0;
    T factor = 0;
    for (unsigned i = 0; i < n; ++i) {
      T q = i == 0 || i + 1 == n ? 0 : share(r, beta, decay, along[i], across[j]);
      T pivot = 1 + q * (2 - factor);
      T here = in[i][j];
      T curve = i == 0 || i + 1 == n ? 0 : in[i - 1][j] - 2 * here + in[i + 1][j];
      last = (here + q * (curve + last)) / pivot;
      factor = q / pivot;
      out[i][j] = last;
      factors[i][j] = factor;
    }
    for (unsigned up = 1; up < n; ++up) {
      unsigned i = n - 1 - up;
      last = out[i][j] + factors[i][j] * last;
      out[i][j] = last;
    }
  }
}

// As many blocks of lines as there are workers.
template <class T, T (*share)(T, T, T, T, T)> __codelet __tag(line_parts)
void lines(T r, T beta, T decay, const Array<1, T> along, const Array<1, T> across, const Array<2, T> in, Array<2, T> out,
           Array<2, T> factors) {
  __tunable unsigned p;
  map(lines<T, share>, r, beta, decay, all(along), rows(across, p), cols(in, p), cols(out, p), cols(factors, p));
}

// Blocks of t lines.
template <class T, T (*share)(T, T, T, T, T)> __codelet __tag(line_blocks)
void lines(T r, T beta, T decay, const Array<1, T> along, const Array<1, T> across, const Array<2, T> in, Array<2, T> out,
           Array<2, T> factors) {
  __tunable unsigned t = choice(16, 4, 8, 32, 64);
  map(lines<T, share>, r, beta, decay, all(along), chunks(across, t), col_chunks(in, t), col_chunks(out, t),
      col_chunks(factors, t));
}

// A step of a grid: columns, then rows, as columns of the grid transposed.
template <class T> __codelet __tag(by_views)
void locvol_step(T x_r, T y_r, T beta, T decay, const Array<1, T> logs, const Array<1, T> ys, Array<2, T> grid) {
  require(grid.size(0) == logs.size());
  require(grid.size(1) == ys.size());
  Array<2, T> half(logs.size(), ys.size());
  Array<2, T> factors(logs.size(), ys.size());
  lines<T, x_share<T>>(x_r, beta, decay, logs, ys, grid, half, factors);
  lines<T, y_share<T>>(y_r, beta, decay, ys, logs, transpose(half), transpose(grid), transpose(factors));
}

// The same with rows that are columns in memory.
template <class T> __codelet __tag(transposed)
void locvol_step(T x_r, T y_r, T beta, T decay, const Array<1, T> logs, const Array<1, T> ys, Array<2, T> grid) {
  Array<2, T> half(logs.size(), ys.size());
  Array<2, T> factors(logs.size(), ys.size());
  Array<2, T> turned(ys.size(), logs.size());
  Array<2, T> after(ys.size(), logs.size());
  Array<2, T> turned_factors(ys.size(), logs.size());
  lines<T, x_share<T>>(x_r, beta, decay, logs, ys, grid, half, factors);
  transpose<T>(half, turned);
  lines<T, y_share<T>>(y_r, beta, decay, ys, logs, turned, after, turned_factors);
  transpose<T>(after, grid);
}

// What the options are worth at their end.
template <class T> __codelet
void pay(T strike, const Array<1, T> logs, Array<2, T> grid) {
  require(grid.size(0) == logs.size());
  for (unsigned i = 0; i < grid.size(0); ++i) {
    for (unsigned j = 0; j < grid.size(1); ++j)
      grid[i][j] = max(exp(logs[i]) - strike, (T)0);
  }
}
template <class T> __codelet __coop __tag(pay_lanes)
void pay(T strike, const Array<1, T> logs, Array<2, T> grid) {
  for (unsigned j = coopIdx(); j < grid.size(1); j += coopDim()) {
    for (unsigned i = 0; i < grid.size(0); ++i)
      grid[i][j] = max(exp(logs[i]) - strike, (T)0);
  }
}
template <class T> __codelet __tag(pay_parts)
void pay(T strike, const Array<1, T> logs, Array<2, T> grid) {
  __tunable unsigned p;
  map(pay<T>, strike, rows(logs, p), rows(grid, p));
}

// All steps of a grid.
template <class T> __codelet __tag(steps_of_one)
void locvol_one(T nu, T beta, T dt, T x_r, T y_r, unsigned steps, T strike, const Array<1, T> logs, const Array<1, T> ys,
                Array<2, T> grid) {
  require(grid.size(0) == logs.size());
  require(grid.size(1) == ys.size());
  pay<T>(strike, logs, grid);
  for (unsigned step = 0; step < steps; ++step)
    locvol_step<T>(x_r, y_r, beta, (T)0.5 * nu * nu * dt * (T)(steps - step), logs, ys, grid);
}

// values[s] is the grid of strikes[s], of logs.size() times ys.size() points dx and dy apart. At logs[i] and ys[j] the
// variance is exp(2 (beta logs[i] + ys[j] - nu^2 t / 2)) at time t, and nu^2 that of the volatility.
template <class T> __codelet
void locvol(T nu, T beta, T dt, T dx, T dy, unsigned steps, const Array<1, T> strikes, const Array<1, T> logs,
            const Array<1, T> ys, Array<3, T> values) {
  require(values.size(0) == strikes.size());
  require(values.size(1) == logs.size());
  require(values.size(2) == ys.size());
  require(logs.size() <= 256);
  require(ys.size() <= 256);
  unsigned m = logs.size();
  unsigned n = ys.size();
  T factors[256];
  T x_r = (T)0.25 * dt / (dx * dx);
  T y_r = (T)0.25 * nu * nu * dt / (dy * dy);
  for (unsigned s = 0; s < strikes.size(); ++s) {
    for (unsigned i = 0; i < m; ++i) {
      for (unsigned j = 0; j < n; ++j)
        values[s][i][j] = max(exp(logs[i]) - strikes[s], (T)0);
    }
    for (unsigned step = 0; step < steps; ++step) {
      T decay = (T)0.5 * nu * nu * dt * (T)(steps - step);
      for (unsigned j = 0; j < n; ++j) {
        T left = 0;
        T factor = 0;
        for (unsigned i = 0; i < m; ++i) {
          T here = values[s][i][j];
          if (i > 0 && i + 1 < m) {
            T q = x_share<T>(x_r, beta, decay, logs[i], ys[j]);
            T pivot = 1 + q * (2 - factor);
            values[s][i][j] = (here + q * (left - 2 * here + values[s][i + 1][j] + values[s][i - 1][j])) / pivot;
            factor = q / pivot;
          } else {
            factor = 0;
          }
          factors[i] = factor;
          left = here;
        }
        for (unsigned up = 1; up < m; ++up)
          values[s][m - 1 - up][j] += factors[m - 1 - up] * values[s][m - up][j];
      }
      for (unsigned i = 0; i < m; ++i) {
        T left = 0;
        T factor = 0;
        for (unsigned j = 0; j < n; ++j) {
          T here = values[s][i][j];
          if (j > 0 && j + 1 < n) {
            T pivot = 1 + y_r * (2 - factor);
            values[s][i][j] = (here + y_r * (left - 2 * here + values[s][i][j + 1] + values[s][i][j - 1])) / pivot;
            factor = y_r / pivot;
          } else {
            factor = 0;
          }
          factors[j] = factor;
          left = here;
        }
        for (unsigned up = 1; up < n; ++up)
          values[s][i][n - 1 - up] += factors[n - 1 - up] * values[s][i][n - up];
      }
    }
  }
}

// A strike is one worker's, with all of its steps.
template <class T> __codelet __tag(by_strike)
void locvol(T nu, T beta, T dt, T dx, T dy, unsigned steps, const Array<1, T> strikes, const Array<1, T> logs,
            const Array<1, T> ys, Array<3, T> values) {
  map(locvol_one<T>, nu, beta, dt, (T)0.25 * dt / (dx * dx), (T)0.25 * nu * nu * dt / (dy * dy), steps, strikes, all(logs), all(ys), values);
}

// A step of all strikes after the other.
template <class T> __codelet __tag(by_step)
void locvol(T nu, T beta, T dt, T dx, T dy, unsigned steps, const Array<1, T> strikes, const Array<1, T> logs,
            const Array<1, T> ys, Array<3, T> values) {
  map(pay<T>, strikes, all(logs), values);
  for (unsigned step = 0; step < steps; ++step)
    map(locvol_step<T>, (T)0.25 * dt / (dx * dx), (T)0.25 * nu * nu * dt / (dy * dy), beta,
        (T)0.5 * nu * nu * dt * (T)(steps - step), all(logs), all(ys), values);
}

template void locvol<float>(float, float, float, float, float, unsigned, const Array<1, float>, const Array<1, float>, const Array<1, float>, Array<3, float>);
template void locvol<double>(double, double, double, double, double, unsigned, const Array<1, double>, const Array<1, double>, const Array<1, double>, Array<3, double>);
