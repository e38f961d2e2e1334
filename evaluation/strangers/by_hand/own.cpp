// Loops by hand beside those of own/ that PyTorch has no operator for.
#include "call.h"

#include <array>

namespace {

struct Four {
  float x, y, z, w;
};

} // namespace

extern "C" {

// Sixteen channels in vectors, each with its own filter.
void biquad_bank(const Call &call) {
  const Matrix<float> x = call.matrix<float>(0), filters = call.matrix<float>(1),
                      y = call.matrix<float>(2);
  constexpr std::size_t together = 16;
#pragma omp parallel for schedule(static)
  for (std::size_t begin = 0; begin < x.rows; begin += together) {
    const std::size_t count = std::min(together, x.rows - begin);
    std::array<float, together> first{}, second{};
    std::array<std::array<float, together>, 5> filter{};
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t k = 0; k < 5; ++k)
        filter[k][c] = filters[begin + c][k];
    }
    for (std::size_t t = 0; t < x.columns; ++t) {
      for (std::size_t c = 0; c < count; ++c) {
        const float in = x[begin + c][t], out = filter[0][c] * in + first[c];
        first[c] = filter[1][c] * in - filter[3][c] * out + second[c];
        second[c] = filter[2][c] * in - filter[4][c] * out;
        y[begin + c][t] = out;
      }
    }
  }
}

void edit_distances(const Call &call) {
  const Vector<unsigned char> query = call.vector<unsigned char>(0);
  const Matrix<unsigned char> strings = call.matrix<unsigned char>(1);
  const Vector<std::int32_t> distances = call.vector<std::int32_t>(2);
#pragma omp parallel for schedule(static)
  for (std::size_t s = 0; s < strings.rows; ++s) {
    std::array<std::int32_t, 65> row{};
    for (std::size_t j = 0; j <= query.size; ++j)
      row[j] = static_cast<std::int32_t>(j);
    for (std::size_t i = 0; i < strings.columns; ++i) {
      std::int32_t corner = row[0];
      row[0] = static_cast<std::int32_t>(i) + 1;
      for (std::size_t j = 0; j < query.size; ++j) {
        const std::int32_t replaced = corner + (strings[s][i] != query[j]);
        corner = row[j + 1];
        row[j + 1] = std::min(replaced, std::min(row[j], corner) + 1);
      }
    }
    distances[s] = row[query.size];
  }
}

void hamming_pairs(const Call &call) {
  const Matrix<std::uint32_t> a = call.matrix<std::uint32_t>(0), b = call.matrix<std::uint32_t>(1);
  const Matrix<std::uint32_t> distances = call.matrix<std::uint32_t>(2);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.rows; ++j) {
      std::uint32_t count = 0;
      for (std::size_t k = 0; k < a.columns; ++k)
        count += static_cast<std::uint32_t>(__builtin_popcount(a[i][k] ^ b[j][k]));
      distances[i][j] = count;
    }
  }
}

void ray_spheres(const Call &call) {
  const Vector<Four> spheres = call.vector<Four>(0);
  const Matrix<std::int32_t> hit = call.matrix<std::int32_t>(1);
  const Matrix<float> depth = call.matrix<float>(2);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < hit.rows; ++i) {
    for (std::size_t j = 0; j < hit.columns; ++j) {
      const float x = (static_cast<float>(j) + 0.5f) / static_cast<float>(hit.columns) - 0.5f;
      const float y = (static_cast<float>(i) + 0.5f) / static_cast<float>(hit.rows) - 0.5f;
      const float norm = 1 / std::sqrt(x * x + y * y + 1);
      float nearest = 1e30f;
      std::int32_t which = -1;
      for (std::size_t s = 0; s < spheres.size; ++s) {
        const Four ball = spheres[s];
        const float along = (ball.x * x + ball.y * y + ball.z) * norm;
        const float apart = ball.x * ball.x + ball.y * ball.y + ball.z * ball.z - along * along;
        const float inside = ball.w * ball.w - apart;
        if (inside > 0) {
          const float distance = along - std::sqrt(inside);
          if (distance > 0 && distance < nearest) {
            nearest = distance;
            which = static_cast<std::int32_t>(s);
          }
        }
      }
      hit[i][j] = which;
      depth[i][j] = nearest;
    }
  }
}

void bilateral(const Call &call) {
  const float apart = static_cast<float>(call.numbers[0]),
              differ = static_cast<float>(call.numbers[1]);
  const Matrix<float> in = call.matrix<float>(0), out = call.matrix<float>(1);
  constexpr int radius = 3;
  const int height = static_cast<int>(in.rows), width = static_cast<int>(in.columns);
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 0; i < height; ++i) {
    for (int j = 0; j < width; ++j) {
      float sum = 0, total = 0;
      for (int p = std::max(i - radius, 0); p <= std::min(i + radius, height - 1); ++p) {
        for (int q = std::max(j - radius, 0); q <= std::min(j + radius, width - 1); ++q) {
          const float off = in[p][q] - in[i][j];
          const float far = static_cast<float>((p - i) * (p - i) + (q - j) * (q - j));
          const float weight = std::exp(-apart * far - differ * off * off);
          sum += weight * in[p][q];
          total += weight;
        }
      }
      out[i][j] = sum / total;
    }
  }
}

void wave_3d(const Call &call) {
  const Box<float> now = call.box<float>(0), speed = call.box<float>(1), next = call.box<float>(2);
  constexpr std::size_t radius = 4;
  constexpr float weights[5] = {-2.84722222f, 1.6f, -0.2f, 0.02539683f, -0.00178571f};
  if (now.planes < 2 * radius || now.rows < 2 * radius || now.columns < 2 * radius)
    return;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t i = radius; i < now.planes - radius; ++i) {
    for (std::size_t j = radius; j < now.rows - radius; ++j) {
      const float *at = now.row(i, j), *fast = speed.row(i, j);
      float *out = next.row(i, j);
#pragma omp simd
      for (std::size_t k = radius; k < now.columns - radius; ++k) {
        float bend = 3 * weights[0] * at[k];
        for (std::size_t r = 1; r <= radius; ++r)
          bend += weights[r] * (now.row(i - r, j)[k] + now.row(i + r, j)[k] + now.row(i, j - r)[k] +
                                now.row(i, j + r)[k] + at[k - r] + at[k + r]);
        out[k] = 2 * at[k] - out[k] + fast[k] * bend;
      }
    }
  }
}

void coulomb_grid(const Call &call) {
  const float spacing = static_cast<float>(call.numbers[0]);
  const Vector<Four> atoms = call.vector<Four>(0);
  const Matrix<float> potential = call.matrix<float>(1);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < potential.rows; ++i) {
    std::fill(potential[i], potential[i] + potential.columns, 0.0f);
    for (std::size_t a = 0; a < atoms.size; ++a) {
      const Four atom = atoms[a];
      const float dy = atom.y - spacing * static_cast<float>(i);
      const float beside = dy * dy + atom.z * atom.z + 0.01f;
#pragma omp simd
      for (std::size_t j = 0; j < potential.columns; ++j) {
        const float dx = atom.x - spacing * static_cast<float>(j);
        potential[i][j] += atom.w / std::sqrt(dx * dx + beside);
      }
    }
  }
}

void ranks(const Call &call) {
  const Vector<float> x = call.vector<float>(0), rank = call.vector<float>(1);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < x.size; ++i) {
    std::uint32_t twice = 0;
#pragma omp simd reduction(+ : twice)
    for (std::size_t j = 0; j < x.size; ++j)
      twice += static_cast<std::uint32_t>(x[j] < x[i]) + static_cast<std::uint32_t>(x[j] <= x[i]);
    rank[i] = 0.5f * static_cast<float>(twice + 1);
  }
}
}
