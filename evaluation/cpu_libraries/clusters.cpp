// One iteration of k-means, in float.
#include "row.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

namespace {

struct Problem {
  std::size_t points, dimensions, clusters;
};

int nearest(const Problem &p, const float *point, const float *centroids) {
  int best = 0;
  float least = 0;
  for (std::size_t c = 0; c < p.clusters; ++c) {
    float distance = 0;
#pragma omp simd reduction(+ : distance)
    for (std::size_t d = 0; d < p.dimensions; ++d) {
      const float difference = point[d] - centroids[c * p.dimensions + d];
      distance += difference * difference;
    }
    if (c == 0 || distance < least) {
      least = distance;
      best = static_cast<int>(c);
    }
  }
  return best;
}

/// Labels and sums in one pass over the points, sums of its own for every thread.
void onePass(const Problem &p, const float *points, float *centroids, int *labels) {
  const std::size_t numbers = p.clusters * p.dimensions;
  std::vector<double> sums(numbers);
  std::vector<std::size_t> counts(p.clusters);
#pragma omp parallel
  {
    std::vector<float> own(numbers);
    std::vector<std::size_t> ownCounts(p.clusters);
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < p.points; ++i) {
      const float *point = points + i * p.dimensions;
      labels[i] = nearest(p, point, centroids);
      const auto label = static_cast<std::size_t>(labels[i]);
      ++ownCounts[label];
      for (std::size_t d = 0; d < p.dimensions; ++d)
        own[label * p.dimensions + d] += point[d];
    }
#pragma omp critical
    {
      for (std::size_t i = 0; i < numbers; ++i)
        sums[i] += own[i];
      for (std::size_t c = 0; c < p.clusters; ++c)
        counts[c] += ownCounts[c];
    }
  }
  for (std::size_t i = 0; i < numbers; ++i) {
    if (const std::size_t count = counts[i / p.dimensions]; count > 0)
      centroids[i] = static_cast<float>(sums[i] / static_cast<double>(count));
  }
}

} // namespace

Row makeKmeans(const Words &sizes) {
  const Problem p{sizeAt(sizes, 0), sizeAt(sizes, 1), sizeAt(sizes, 2)};
  const std::size_t numbers = p.clusters * p.dimensions;
  auto points = std::make_shared<Array<float>>(p.points * p.dimensions);
  auto centroids = std::make_shared<Array<float>>(numbers);
  auto labels = std::make_shared<Array<int>>(p.points);
  // Clouds of points around centres, of which the first centroids are points.
  fill(*points, [p](std::size_t i) {
    const std::uint64_t cloud = randomNumber(i / p.dimensions, 1) % p.clusters;
    return 4 * randomUnit(cloud * p.dimensions + i % p.dimensions, 2) + randomUnit(i, 3);
  });
  const auto first = [=](std::size_t i) { return (*points)[i]; };
  std::vector<float> expected(numbers);
  std::vector<int> expectedLabels(p.points);
  std::copy_n(points->data(), numbers, expected.data());
  onePass(p, points->data(), expected.data(), expectedLabels.data());
  Row row;
  row.ours = [=](const Library &library) {
    library.call(Arguments()
                     .container(points->data(), {p.points, p.dimensions})
                     .container(centroids->data(), {p.clusters, p.dimensions})
                     .container(labels->data(), {p.points}));
  };
  row.peers = {
      {"one pass by hand", [=] { onePass(p, points->data(), centroids->data(), labels->data()); }}};
  row.restore = [=] {
    for (std::size_t i = 0; i < centroids->size(); ++i)
      (*centroids)[i] = first(i);
  };
  row.forget = [=] { fill(*labels, [](std::size_t) { return -1; }); };
  // A point equally near to two centroids may be in either; centroids hardly feel it.
  row.wrong = [=]() -> std::string {
    std::size_t different = 0;
    for (std::size_t i = 0; i < p.points; ++i)
      different += (*labels)[i] == expectedLabels[i] ? 0 : 1;
    if (different > p.points / 10000)
      return std::to_string(different) + " of " + std::to_string(p.points) + " labels differ";
    return firstDifference(centroids->data(), expected.data(), numbers, 1e-2);
  };
  return row;
}
