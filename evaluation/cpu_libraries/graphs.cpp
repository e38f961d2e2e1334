// A whole breadth-first search from vertex 0.
#include "row.h"

#include "../harness/matrices.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

constexpr int unknown = std::numeric_limits<int>::max();
using Graph = Sparse<char>;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// The same edges, from where they lead to where they come from.
Graph reversed(const Graph &graph) {
  Graph result;
  result.columnCount = graph.rows();
  result.offsets.assign(graph.rows() + 1, 0);
  for (const int target : graph.columns)
    ++result.offsets[at(target) + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  std::vector<int> next = result.offsets;
  result.columns.resize(graph.columns.size());
  for (std::size_t v = 0; v < graph.rows(); ++v) {
    for (std::size_t k = at(graph.offsets[v]); k < at(graph.offsets[v + 1]); ++k)
      result.columns[at(next[at(graph.columns[k])]++)] = static_cast<int>(v);
  }
  return result;
}

/// One step from a queue of vertices to the next; threads claim vertices by compare and swap.
void stepDown(const Graph &graph, int depth, const std::vector<int> &queue, std::vector<int> &next,
              int *distance) {
  next.clear();
#pragma omp parallel
  {
    std::vector<int> own;
#pragma omp for schedule(dynamic, 256) nowait
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::size_t v = at(queue[i]);
      for (std::size_t k = at(graph.offsets[v]); k < at(graph.offsets[v + 1]); ++k) {
        int *where = distance + graph.columns[k];
        int expected = unknown;
        if (__atomic_load_n(where, __ATOMIC_RELAXED) == unknown &&
            __atomic_compare_exchange_n(where, &expected, depth + 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
          own.push_back(graph.columns[k]);
      }
    }
#pragma omp critical
    next.insert(next.end(), own.begin(), own.end());
  }
}

/// The same from the other side: who is not known yet looks for a parent.
void stepUp(const Graph &parents, int depth, std::vector<int> &next, int *distance) {
  next.clear();
#pragma omp parallel
  {
    std::vector<int> own;
#pragma omp for schedule(dynamic, 4096) nowait
    for (std::size_t v = 0; v < parents.rows(); ++v) {
      if (__atomic_load_n(distance + v, __ATOMIC_RELAXED) != unknown)
        continue;
      for (std::size_t k = at(parents.offsets[v]); k < at(parents.offsets[v + 1]); ++k) {
        if (__atomic_load_n(distance + parents.columns[k], __ATOMIC_RELAXED) == depth) {
          __atomic_store_n(distance + v, depth + 1, __ATOMIC_RELAXED);
          own.push_back(static_cast<int>(v));
          break;
        }
      }
    }
#pragma omp critical
    next.insert(next.end(), own.begin(), own.end());
  }
}

/// With `parents`, large frontiers are searched from the other side (Beamer et al., SC 2012).
void search(const Graph &graph, const Graph *parents, int *distance) {
  std::fill(distance, distance + graph.rows(), unknown);
  distance[0] = 0;
  std::vector<int> queue{0};
  std::vector<int> next;
  for (int depth = 0; !queue.empty(); ++depth) {
    if (parents && queue.size() > graph.rows() / 16)
      stepUp(*parents, depth, next, distance);
    else
      stepDown(graph, depth, queue, next, distance);
    queue.swap(next);
  }
}

/// The application's loop around steps of ours (docs/codelets/bfs.md). Returns where the distances are.
int *searchByOurs(const Library &step, const Graph &graph, int *before, int *after) {
  const std::size_t n = graph.rows();
  std::fill(before, before + n, unknown);
  before[0] = 0;
  for (int depth = 0;; ++depth) {
    step.call(Arguments()
                  .cell(&depth)
                  .container(graph.offsets.data(), {n + 1})
                  .container(graph.columns.data(), {graph.columns.size()})
                  .container(before, {n})
                  .container(after, {n}));
    std::swap(before, after);
    std::size_t found = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : found)
    for (std::size_t v = 0; v < n; ++v)
      found += before[v] == depth + 1 ? 1 : 0;
    if (found == 0)
      return before;
  }
}

/// Ours searches a graph and leaves distances in one of the arrays, and says in which.
using Search = std::function<int *(const Library &, const Graph &, int *distance, int *other)>;

Row makeSearch(const Words &sizes, const Search &ours) {
  const std::size_t size = sizeAt(sizes, 1);
  auto graph =
      std::make_shared<Graph>(sizes.at(0) == "grid" ? gridGraph(size) : randomGraph(size, 6));
  auto parents = std::make_shared<Graph>(reversed(*graph));
  const std::size_t n = graph->rows();
  auto distance = std::make_shared<Array<int>>(n);
  auto other = std::make_shared<Array<int>>(n);
  auto where = std::make_shared<int *>(distance->data());
  std::vector<int> expected(n);
  search(*graph, nullptr, expected.data());
  Row row;
  row.ours = [=](const Library &library) {
    *where = ours(library, *graph, distance->data(), other->data());
  };
  const auto peer = [=](bool turns) {
    *where = distance->data();
    search(*graph, turns ? parents.get() : nullptr, distance->data());
  };
  row.peers = {{"queues by hand", [=] { peer(false); }},
               {"direction-optimizing by hand", [=] { peer(true); }}};
  row.forget = [=] {
    fill(*distance, [](std::size_t) { return -1; });
    fill(*other, [](std::size_t) { return -1; });
  };
  row.wrong = [=] { return firstDifference(*where, expected.data(), n, 0); };
  return row;
}

} // namespace

Row makeBfs(const Words &sizes) { return makeSearch(sizes, searchByOurs); }

/// The whole search is ours.
Row makeLevels(const Words &sizes) {
  return makeSearch(sizes, [](const Library &library, const Graph &graph, int *distance, int *) {
    int source = 0;
    library.call(Arguments()
                     .cell(&source)
                     .container(graph.offsets.data(), {graph.rows() + 1})
                     .container(graph.columns.data(), {graph.columns.size()})
                     .container(distance, {graph.rows()}));
    return distance;
  });
}
