// sum, dot and axpy of floats.
#include "row.h"

#include <cblas.h>
#include <omp.h>

#include <execution>
#include <functional>
#include <numeric>

namespace {

using Vector [[gnu::vector_size(64), gnu::may_alias]] = float;
constexpr std::size_t lanes = sizeof(Vector) / sizeof(float);

/// Values with a mean of 1/16, so that a block left out of a sum shows.
std::shared_ptr<Array<float>> values(std::size_t size, std::uint64_t seed) {
  auto array = std::make_shared<Array<float>>(size);
  fill(*array, [seed](std::size_t i) { return randomUnit(i, seed) - 0.4375; });
  return array;
}

/// A part of the vectors for each thread; the rest, less than a vector, is for the last.
struct Share {
  explicit Share(std::size_t size) {
    const std::size_t vectors = size / lanes;
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    begin = vectors * thread / threads;
    end = vectors * (thread + 1) / threads;
    tail = thread + 1 == threads ? size : vectors * lanes;
  }
  std::size_t begin, end, tail;
};

float total(const Vector &a, const Vector &b, const Vector &c, const Vector &d) {
  const Vector sum = (a + b) + (c + d);
  float result = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    result += sum[lane];
  return result;
}

float sumByHand(const float *in, std::size_t size) {
  const auto *vectors = reinterpret_cast<const Vector *>(in);
  float result = 0;
#pragma omp parallel reduction(+ : result)
  {
    const Share share(size);
    Vector sums[4] = {};
    std::size_t i = share.begin;
    for (; i + 4 <= share.end; i += 4)
      for (std::size_t k = 0; k < 4; ++k)
        sums[k] += vectors[i + k];
    for (; i < share.end; ++i)
      sums[0] += vectors[i];
    result = total(sums[0], sums[1], sums[2], sums[3]);
    for (std::size_t k = size / lanes * lanes; k < share.tail; ++k)
      result += in[k];
  }
  return result;
}

float sumByOpenMP(const float *in, std::size_t size) {
  float result = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : result)
  for (std::size_t i = 0; i < size; ++i)
    result += in[i];
  return result;
}

float dotByHand(const float *a, const float *b, std::size_t size) {
  const auto *va = reinterpret_cast<const Vector *>(a);
  const auto *vb = reinterpret_cast<const Vector *>(b);
  float result = 0;
#pragma omp parallel reduction(+ : result)
  {
    const Share share(size);
    Vector sums[4] = {};
    std::size_t i = share.begin;
    for (; i + 4 <= share.end; i += 4)
      for (std::size_t k = 0; k < 4; ++k)
        sums[k] += va[i + k] * vb[i + k];
    for (; i < share.end; ++i)
      sums[0] += va[i] * vb[i];
    result = total(sums[0], sums[1], sums[2], sums[3]);
    for (std::size_t k = size / lanes * lanes; k < share.tail; ++k)
      result += a[k] * b[k];
  }
  return result;
}

float dotByOpenMP(const float *a, const float *b, std::size_t size) {
  float result = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : result)
  for (std::size_t i = 0; i < size; ++i)
    result += a[i] * b[i];
  return result;
}

void axpyByOpenMP(float a, const float *x, float *y, std::size_t size) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < size; ++i)
    y[i] += a * x[i];
}

/// A row whose result is one number; `term` in double gives the truth.
template <class Term> void judgeTotal(Row &row, float *result, std::size_t size, const Term &term) {
  double expected = 0;
  double magnitude = 0;
#pragma omp parallel for schedule(static) reduction(+ : expected, magnitude)
  for (std::size_t i = 0; i < size; ++i) {
    expected += term(i);
    magnitude += term(i) < 0 ? -term(i) : term(i);
  }
  row.forget = [result] { *result = -1e30F; };
  row.wrong = [=] { return firstDifference(result, &expected, 1, 1e-4 * magnitude); };
}

} // namespace

Row makeSum(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  auto in = values(n, 1);
  auto result = std::make_shared<float>();
  // Without OpenBLAS's ssum: release 0.3.21 was off by 0.7 % on this data.
  Row row;
  row.bytes = 4.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments().container(in->data(), {n}).result(result.get()));
  };
  row.peers = {
      {"std::reduce(par_unseq)",
       [=] { *result = std::reduce(std::execution::par_unseq, in->begin(), in->end(), 0.0F); }},
      {"OpenMP", [=] { *result = sumByOpenMP(in->data(), n); }},
      {"vectors by hand", [=] { *result = sumByHand(in->data(), n); }},
  };
  judgeTotal(row, result.get(), n, [in](std::size_t i) { return double((*in)[i]); });
  return row;
}

Row makeDot(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  auto a = values(n, 1);
  auto b = values(n, 2);
  auto result = std::make_shared<float>();
  Row row;
  row.bytes = 8.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(
        Arguments().container(a->data(), {n}).container(b->data(), {n}).result(result.get()));
  };
  row.peers = {
      {"std::transform_reduce(par_unseq)",
       [=] {
         *result = std::transform_reduce(std::execution::par_unseq, a->begin(), a->end(),
                                         b->begin(), 0.0F);
       }},
      {"OpenMP", [=] { *result = dotByOpenMP(a->data(), b->data(), n); }},
      {"vectors by hand", [=] { *result = dotByHand(a->data(), b->data(), n); }},
      {"OpenBLAS sdot",
       [=] { *result = cblas_sdot(static_cast<blasint>(n), a->data(), 1, b->data(), 1); }},
  };
  judgeTotal(row, result.get(), n,
             [=](std::size_t i) { return double((*a)[i]) * double((*b)[i]); });
  return row;
}

Row makeAxpy(const Words &sizes) {
  const std::size_t n = sizeAt(sizes, 0);
  static float a = 0.5F; // an argument that outlives every call
  auto x = values(n, 1);
  auto y = values(n, 2);
  Row row;
  row.bytes = 12.0 * static_cast<double>(n);
  row.ours = [=](const Library &library) {
    library.call(Arguments().cell(&a).container(x->data(), {n}).container(y->data(), {n}));
  };
  row.peers = {
      {"std::transform(par_unseq)",
       [=] {
         std::transform(std::execution::par_unseq, x->begin(), x->end(), y->begin(), y->begin(),
                        [](float left, float right) { return right + a * left; });
       }},
      {"OpenMP", [=] { axpyByOpenMP(a, x->data(), y->data(), n); }},
      {"OpenBLAS saxpy",
       [=] { cblas_saxpy(static_cast<blasint>(n), a, x->data(), 1, y->data(), 1); }},
  };
  // y is not restored between runs that are timed: it grows by less than one in each.
  row.forget = [=] { fill(*y, [](std::size_t i) { return randomUnit(i, 2) - 0.4375; }); };
  row.wrong = [=]() -> std::string {
    const auto expected = [=](std::size_t i) {
      return double(float(randomUnit(i, 2) - 0.4375)) + double(a) * double((*x)[i]);
    };
    const std::size_t i = firstWrong(
        n, [&](std::size_t each) { return !(std::abs((*y)[each] - expected(each)) <= 1e-6); });
    return i == n ? ""
                  : "element " + std::to_string(i) + " is " + std::to_string((*y)[i]) +
                        ", expected " + std::to_string(expected(i));
  };
  return row;
}
