// Stencils of matrices.
#include "halide.h"
#include "stencils.h"

namespace {

struct Shape {
  explicit Shape(const Words &sizes) : m(sizeAt(sizes, 0)), n(sizeAt(sizes, 1)) {}
  std::size_t m, n;
  std::size_t size() const { return m * n; }
};

/// A row of a stencil that reads one matrix and writes one.
template <Edge edge, class T, class At>
Row nineRow(std::shared_ptr<Array<T>> in, Shape shape, double bound, const At &at,
            const std::string &pipeline) {
  auto out = std::make_shared<Array<T>>(shape.size());
  const auto [m, n] = std::pair(shape.m, shape.n);
  Row row;
  row.bytes = 2.0 * sizeof(T) * static_cast<double>(shape.size());
  row.ours = [=](const Library &library) {
    library.call(Arguments().container(in->data(), {m, n}).container(out->data(), {m, n}));
  };
  row.peers = {{"OpenMP", [=] { nineByHand<edge>(in->data(), out->data(), m, n, at); }}};
  addHalide(row, pipeline, {}, {{in->data(), {m, n}}, {out->data(), {m, n}}});
  judge(row, out, nineInDouble<edge>(*in, m, n, at), bound);
  return row;
}

} // namespace

Row makeGradient(const Words &sizes) {
  const Shape shape(sizes);
  const auto at = [](std::size_t, std::size_t, auto, auto north, auto, auto west, auto c, auto east,
                     auto, auto south, auto) {
    using T = decltype(c);
    const T square = (c - north) * (c - north) + (c - west) * (c - west) + (c - east) * (c - east) +
                     (c - south) * (c - south);
    return c + T(1) / std::sqrt(square + T(0.0001));
  };
  return nineRow<Edge::Clamp>(numbers(shape.size(), 1), shape, 1e-2, at, "gradient");
}

Row makeSobel(const Words &sizes) {
  const Shape shape(sizes);
  const auto at = [](std::size_t, std::size_t, auto nw, auto n, auto ne, auto w, auto, auto e,
                     auto sw, auto s, auto se) {
    const auto x = (ne - nw) + 2 * (e - w) + (se - sw);
    const auto y = (sw - nw) + 2 * (s - n) + (se - ne);
    return std::sqrt(x * x + y * y);
  };
  return nineRow<Edge::Clamp>(numbers(shape.size(), 1), shape, 1e-3, at, "sobel");
}

Row makeJacobi(const Words &sizes) {
  const Shape shape(sizes);
  const auto at = [](std::size_t, std::size_t, auto, auto n, auto, auto w, auto, auto e, auto,
                     auto s, auto) { return (n + w + e + s) / 4; };
  return nineRow<Edge::Zero>(numbers(shape.size(), 1), shape, 1e-5, at, "jacobi");
}

Row makeJacobi9(const Words &sizes) {
  const Shape shape(sizes);
  const auto at = [](std::size_t, std::size_t, auto nw, auto n, auto ne, auto w, auto c, auto e,
                     auto sw, auto s,
                     auto se) { return (nw + n + ne + w + c + e + sw + s + se) / 9; };
  return nineRow<Edge::Zero>(numbers(shape.size(), 1), shape, 1e-5, at, "jacobi9");
}

Row makeLife(const Words &sizes) {
  const Shape shape(sizes);
  auto in = std::make_shared<Array<int>>(shape.size());
  fill(*in, [](std::size_t i) { return randomNumber(i, 1) % 3 == 0; });
  const auto at = [](std::size_t, std::size_t, auto nw, auto n, auto ne, auto w, auto c, auto e,
                     auto sw, auto s, auto se) -> decltype(c) {
    const auto around = nw + n + ne + w + e + sw + s + se;
    return (around == 3) | ((around == 2) & (c == 1));
  };
  return nineRow<Edge::Wrap, int>(in, shape, 0, at, "life");
}

Row makeGaussian(const Words &sizes) {
  const Shape shape(sizes);
  const auto [m, n] = std::pair(shape.m, shape.n);
  auto in = numbers(shape.size(), 1);
  auto out = std::make_shared<Array<float>>(shape.size());
  std::vector<double> expected(shape.size());
  constexpr double weights[5] = {1, 4, 6, 4, 1};
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (int k = -2; k <= 2; ++k) {
        for (int l = -2; l <= 2; ++l)
          expected[i * n + j] +=
              weights[k + 2] * weights[l + 2] / 256 *
              double(element<Edge::Clamp>(in->data(), m, n, static_cast<std::ptrdiff_t>(i) + k,
                                          static_cast<std::ptrdiff_t>(j) + l));
      }
    }
  }
  Row row;
  row.bytes = 8.0 * static_cast<double>(shape.size());
  row.ours = [=](const Library &library) {
    library.call(Arguments().container(in->data(), {m, n}).container(out->data(), {m, n}));
  };
  // Down first, into a row that stays in the cache, and then across it.
  row.peers = {
      {"OpenMP", [=] {
         const Rows<Edge::Clamp, float> rows(in->data(), m, n);
#pragma omp parallel
         {
           std::vector<float> down(n + 4);
#pragma omp for schedule(static)
           for (std::size_t i = 0; i < m; ++i) {
             const auto r = static_cast<std::ptrdiff_t>(i);
             const float *a = rows(r - 2), *b = rows(r - 1), *c = rows(r), *d = rows(r + 1),
                         *e = rows(r + 2);
             float *sums = down.data();
#pragma omp simd
             for (std::size_t j = 0; j < n; ++j)
               sums[j + 2] = (a[j] + e[j] + 4 * (b[j] + d[j]) + 6 * c[j]) / 16;
             sums[0] = sums[1] = sums[2];
             sums[n + 2] = sums[n + 3] = sums[n + 1];
             float *to = out->data() + i * n;
#pragma omp simd
             for (std::size_t j = 0; j < n; ++j)
               to[j] =
                   (sums[j] + sums[j + 4] + 4 * (sums[j + 1] + sums[j + 3]) + 6 * sums[j + 2]) / 16;
           }
         }
       }}};
  addHalide(row, "gaussian", {}, {{in->data(), {m, n}}, {out->data(), {m, n}}});
  judge(row, out, std::move(expected), 1e-5);
  return row;
}

Row makeHotspot(const Words &sizes) {
  const Shape shape(sizes);
  const auto [m, n] = std::pair(shape.m, shape.n);
  static float step = 0.5F, rx = 0.1F, ry = 0.1F, rz = 0.01F, ambient = 80.0F;
  auto power = numbers(shape.size(), 2, 0, 1);
  auto in = numbers(shape.size(), 1, 60, 100);
  auto out = std::make_shared<Array<float>>(shape.size());
  const auto at = [n, p = power->data()](std::size_t i, std::size_t j, auto, auto north, auto,
                                         auto west, auto c, auto east, auto, auto south, auto) {
    using T = decltype(c);
    return c + T(step) * (T(p[i * n + j]) + (north + south - 2 * c) * T(ry) +
                          (east + west - 2 * c) * T(rx) + (T(ambient) - c) * T(rz));
  };
  Row row;
  row.bytes = 12.0 * static_cast<double>(shape.size());
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&step)
                     .cell(&rx)
                     .cell(&ry)
                     .cell(&rz)
                     .cell(&ambient)
                     .container(power->data(), {m, n})
                     .container(in->data(), {m, n})
                     .container(out->data(), {m, n}));
  };
  row.peers = {{"OpenMP", [=] { nineByHand<Edge::Clamp>(in->data(), out->data(), m, n, at); }}};
  addHalide(row, "hotspot", {&step, &rx, &ry, &rz, &ambient},
            {{power->data(), {m, n}}, {in->data(), {m, n}}, {out->data(), {m, n}}});
  judge(row, out, nineInDouble<Edge::Clamp>(*in, m, n, at), 1e-3);
  return row;
}

Row makeSrad(const Words &sizes) {
  const Shape shape(sizes);
  const auto [m, n] = std::pair(shape.m, shape.n);
  static float q0 = 0.05F, lambda = 0.5F;
  auto in = numbers(shape.size(), 1, 1, 2);
  auto between = std::make_shared<Array<float>>(shape.size());
  auto out = std::make_shared<Array<float>>(shape.size());
  const auto conduction = [](std::size_t, std::size_t, auto, auto north, auto, auto west, auto c,
                             auto east, auto, auto south, auto) {
    using T = decltype(c);
    const T gradient = ((north - c) * (north - c) + (south - c) * (south - c) +
                        (west - c) * (west - c) + (east - c) * (east - c)) /
                       (c * c);
    const T laplacian = (north + south + west + east - 4 * c) / c;
    const T scale = 1 + T(0.25) * laplacian;
    const T q = (T(0.5) * gradient - T(0.0625) * laplacian * laplacian) / (scale * scale);
    const T conducts = 1 / (1 + (q - T(q0)) / (T(q0) * (1 + T(q0))));
    return conducts < 0 ? T(0) : conducts > 1 ? T(1) : conducts;
  };
  // The second kernel: `conductions` of the type of the image's elements.
  const auto diffusion = [m = m, n = n](const auto *conductions) {
    return [=](std::size_t i, std::size_t j, auto, auto north, auto, auto west, auto c, auto east,
               auto, auto south, auto) {
      using T = decltype(c);
      const T here = conductions[i * n + j];
      const T below = conductions[(i + 1 < m ? i + 1 : i) * n + j];
      const T beside = conductions[i * n + (j + 1 < n ? j + 1 : j)];
      return c + T(0.25) * T(lambda) *
                     (here * (north - c) + below * (south - c) + here * (west - c) +
                      beside * (east - c));
    };
  };
  Row row;
  row.bytes = 20.0 * static_cast<double>(shape.size());
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .cell(&q0)
                     .cell(&lambda)
                     .container(in->data(), {m, n})
                     .container(out->data(), {m, n}));
  };
  row.peers = {{"OpenMP", [=] {
                  nineByHand<Edge::Clamp>(in->data(), between->data(), m, n, conduction);
                  nineByHand<Edge::Clamp>(in->data(), out->data(), m, n,
                                          diffusion(between->data()));
                }}};
  addHalide(row, "srad", {&q0, &lambda}, {{in->data(), {m, n}}, {out->data(), {m, n}}});
  const std::vector<double> conducts = nineInDouble<Edge::Clamp>(*in, m, n, conduction);
  judge(row, out, nineInDouble<Edge::Clamp>(*in, m, n, diffusion(conducts.data())), 1e-3);
  return row;
}
