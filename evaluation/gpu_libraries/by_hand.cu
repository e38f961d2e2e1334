// Kernels written by hand, where no library of CUDA's has the row:
//   by_hand kmeans REPEATS POINTS,DIMENSIONS,CLUSTERS     one iteration
//   by_hand search|levels REPEATS random|grid,SIZE        a whole breadth-first search from vertex 0
#include "../harness/cuda/peer.h"

#include "../harness/matrices.h"

#include <climits>

namespace {

// ---------------------------------------------------------------------------
// KMeans
// ---------------------------------------------------------------------------

constexpr unsigned threads = 256;

/// Blocks take tiles of points in turns. A tile is brought into shared memory by all threads; a thread
/// labels a point, then adds up one dimension of every so-many-th point of the tile.
__global__ void labelAndAdd(const float *points, std::size_t n, unsigned dimensions,
                            const float *centroids, unsigned clusters, int *labels, float *sums,
                            int *counts) {
  extern __shared__ float shared[];
  const unsigned pitch = dimensions | 1; // neighbours' points begin in different banks
  const unsigned parts = threads / dimensions;
  const unsigned numbers = clusters * dimensions;
  float *tile = shared;
  float *near = tile + threads * pitch;
  float *own = near + numbers; // of part, cluster and dimension
  int *label = reinterpret_cast<int *>(own + parts * numbers);
  int *count = label + threads;
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < numbers; i += threads)
    near[i] = centroids[i];
  for (unsigned i = t; i < parts * numbers; i += threads)
    own[i] = 0;
  if (t < clusters)
    count[t] = 0;
  for (std::size_t first = std::size_t{blockIdx.x} * threads; first < n;
       first += std::size_t{gridDim.x} * threads) {
    const unsigned held = static_cast<unsigned>(n - first < threads ? n - first : threads);
    __syncthreads();
    for (unsigned i = t; i < held * dimensions; i += threads)
      tile[i / dimensions * pitch + i % dimensions] = points[first * dimensions + i];
    __syncthreads();
    if (t < held) {
      int best = 0;
      float least = 0;
      for (unsigned c = 0; c < clusters; ++c) {
        float distance = 0;
        for (unsigned d = 0; d < dimensions; ++d) {
          const float difference = tile[t * pitch + d] - near[c * dimensions + d];
          distance += difference * difference;
        }
        if (c == 0 || distance < least) {
          least = distance;
          best = static_cast<int>(c);
        }
      }
      label[t] = best;
      labels[first + t] = best;
      atomicAdd(count + best, 1);
    }
    __syncthreads();
    if (t < parts * dimensions) {
      const unsigned part = t / dimensions, d = t % dimensions;
      for (unsigned i = part; i < held; i += parts)
        own[part * numbers + static_cast<unsigned>(label[i]) * dimensions + d] +=
            tile[i * pitch + d];
    }
  }
  __syncthreads();
  for (unsigned i = t; i < numbers; i += threads) {
    float sum = 0;
    for (unsigned part = 0; part < parts; ++part)
      sum += own[part * numbers + i];
    atomicAdd(sums + i, sum);
  }
  if (t < clusters)
    atomicAdd(counts + t, count[t]);
}

__global__ void moveCentroids(const float *sums, const int *counts, unsigned dimensions,
                              unsigned clusters, float *centroids) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < clusters * dimensions && counts[i / dimensions] > 0)
    centroids[i] = sums[i] / static_cast<float>(counts[i / dimensions]);
}

void kmeans(unsigned repeats, std::size_t n, unsigned dimensions, unsigned clusters) {
  if (dimensions == 0 || dimensions > threads || clusters == 0 || clusters > threads)
    fail(2, "kmeans: 1 to 256 dimensions and clusters");
  std::vector<float> points(n * dimensions);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = static_cast<float>(Signed{1}(i));
  const unsigned numbers = clusters * dimensions;
  const std::vector<float> start(points.begin(), points.begin() + numbers);
  const Buffer<float> in(points), centroids(start), sums(numbers);
  const Buffer<int> labels(n), counts(clusters);
  const unsigned pitch = dimensions | 1;
  const unsigned parts = threads / dimensions;
  const std::size_t bytes =
      (threads * pitch + numbers + parts * numbers + threads + clusters) * sizeof(float);
  CHECK(cudaFuncSetAttribute(labelAndAdd, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)));
  int resident = 0, units = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, labelAndAdd, threads, bytes));
  CHECK(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0));
  const auto iteration = [&] {
    CHECK(cudaMemsetAsync(sums.data(), 0, numbers * sizeof(float)));
    CHECK(cudaMemsetAsync(counts.data(), 0, clusters * sizeof(int)));
    labelAndAdd<<<static_cast<unsigned>(resident * units), threads, bytes>>>(
        in.data(), n, dimensions, centroids.data(), clusters, labels.data(), sums.data(),
        counts.data());
    moveCentroids<<<(numbers + threads - 1) / threads, threads>>>(
        sums.data(), counts.data(), dimensions, clusters, centroids.data());
  };
  iteration();
  CHECK(cudaDeviceSynchronize());
  // The same in double, all points.
  std::vector<double> expected(numbers);
  std::vector<std::size_t> members(clusters);
  std::size_t different = 0;
  std::vector<int> got(n);
  CHECK(cudaMemcpy(got.data(), labels.data(), n * sizeof(int), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t best = 0;
    double least = 0;
    for (std::size_t c = 0; c < clusters; ++c) {
      double distance = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double difference =
            static_cast<double>(points[i * dimensions + d]) - start[c * dimensions + d];
        distance += difference * difference;
      }
      if (c == 0 || distance < least) {
        least = distance;
        best = c;
      }
    }
    different += got[i] == static_cast<int>(best) ? 0 : 1;
    ++members[best];
    for (std::size_t d = 0; d < dimensions; ++d)
      expected[best * dimensions + d] += points[i * dimensions + d];
  }
  expect("labels that differ", static_cast<double>(different), 0, static_cast<double>(n) / 10000);
  for (std::size_t i = 0; i < numbers; i += 7)
    expect("a centroid", centroids.at(i),
           expected[i] / static_cast<double>(members[i / dimensions]), 1e-3);
  print(coldTimes(repeats, iteration), "by hand");
}

// ---------------------------------------------------------------------------
// Breadth-first search
// ---------------------------------------------------------------------------

/// From a queue of vertices to the next one; a vertex is taken by whoever is first to find it.
__global__ void step(const int *offsets, const int *targets, int depth, const int *queue, int held,
                     int *distance, int *next, int *found) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < held;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const int v = queue[i];
    for (int k = offsets[v]; k < offsets[v + 1]; ++k) {
      const int target = targets[k];
      if (distance[target] == INT_MAX &&
          atomicCAS(distance + target, INT_MAX, depth + 1) == INT_MAX)
        next[atomicAdd(found, 1)] = target;
    }
  }
}

void search(unsigned repeats, const Sparse<char> &graph) {
  const std::size_t n = graph.rows();
  std::vector<int> start(n, INT_MAX);
  start[0] = 0;
  const Buffer<int> offsets(graph.offsets), targets(graph.columns), unknown(start), distance(n);
  const Buffer<int> first(n), second(n), found(1);
  const auto whole = [&] {
    CHECK(cudaMemcpyAsync(distance.data(), unknown.data(), n * sizeof(int),
                          cudaMemcpyDeviceToDevice));
    CHECK(cudaMemsetAsync(first.data(), 0, sizeof(int))); // vertex 0
    const int *queue = first.data();
    int *next = second.data();
    int held = 1;
    for (int depth = 0; held > 0; ++depth) {
      CHECK(cudaMemsetAsync(found.data(), 0, sizeof(int)));
      step<<<std::min((held + 255) / 256, 132 * 8), 256>>>(
          offsets.data(), targets.data(), depth, queue, held, distance.data(), next, found.data());
      CHECK(cudaMemcpy(&held, found.data(), sizeof held, cudaMemcpyDeviceToHost));
      int *const done = const_cast<int *>(queue);
      queue = next;
      next = done;
    }
  };
  whole();
  std::vector<int> expected = start, got(n), queue{0};
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto v = static_cast<std::size_t>(queue[at]);
    for (int k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) {
      int &known = expected[static_cast<std::size_t>(graph.columns[static_cast<std::size_t>(k)])];
      if (known != INT_MAX)
        continue;
      known = expected[v] + 1;
      queue.push_back(graph.columns[static_cast<std::size_t>(k)]);
    }
  }
  CHECK(cudaMemcpy(got.data(), distance.data(), n * sizeof(int), cudaMemcpyDeviceToHost));
  if (got != expected)
    fail(3, "search: distances differ");
  print(coldTimes(repeats, whole), "queues by hand");
}

} // namespace

int main(int argc, char **argv) {
  const std::string row = argc == 4 ? argv[1] : "";
  const std::vector<std::string> sizes = argc == 4 ? wordsOf(argv[3]) : std::vector<std::string>{};
  const auto repeats = static_cast<unsigned>(argc == 4 ? std::atoi(argv[2]) : 0);
  const auto number = [&](std::size_t i) { return std::strtoull(sizes[i].c_str(), nullptr, 10); };
  if (row == "kmeans" && sizes.size() == 3)
    kmeans(repeats, number(0), static_cast<unsigned>(number(1)), static_cast<unsigned>(number(2)));
  else if ((row == "search" || row == "levels") && sizes.size() == 2)
    search(repeats, sizes[0] == "grid" ? gridGraph(number(1)) : randomGraph(number(1), 6));
  else
    fail(2, "by_hand kmeans REPEATS POINTS,DIMENSIONS,CLUSTERS | search REPEATS random|grid,SIZE");
  return 0;
}
