// Breadth-first search by steps. A graph has a row of `targets` for each vertex, from
// offsets[v] up to (not with) offsets[v + 1]. Distances that are not known yet are larger than
// all that are. `bfs` is one step; the loop around it is the application's (docs/codelets/bfs.md).
#include "copy.cpp"
#include "reduce.cpp"

// A vertex at distance depth offers its neighbours distance depth + 1.
__codelet
void visit_vertex(int depth, int distance, const Array<1, int> neighbours, Array<1, int> after) {
  require(within(neighbours, 0, after.size()));
  if (distance == depth) {
    for (unsigned k = 0; k < neighbours.size(); ++k)
      atomicMin(after[neighbours[k]], depth + 1);
  }
}
__codelet __coop __tag(vertex_lanes)
void visit_vertex(int depth, int distance, const Array<1, int> neighbours, Array<1, int> after) {
  if (distance == depth) {
    for (unsigned k = coopIdx(); k < neighbours.size(); k += coopDim())
      atomicMin(after[neighbours[k]], depth + 1);
  }
}

// The edges from `from` on, wherever their rows begin.
__codelet
void visit_edges(int depth, unsigned from, const Array<1, int> offsets, const Array<1, int> targets,
                 const Array<1, int> before, Array<1, int> after) {
  require(offsets.size() == before.size() + 1);
  require(after.size() == before.size());
  require(within(targets, 0, before.size()));
  unsigned low = 0;
  unsigned high = before.size();
  while (low + 1 < high) {
    unsigned middle = (low + high) / 2;
    if (offsets[middle] <= from)
      low = middle;
    else
      high = middle;
  }
  unsigned vertex = low;
  for (unsigned k = 0; k < targets.size(); ++k) {
    while (vertex + 1 < before.size() && offsets[vertex + 1] <= from + k)
      vertex += 1;
    if (before[vertex] == depth)
      atomicMin(after[targets[k]], depth + 1);
  }
}

// One step of a breadth-first search: `before` has the distances up to `depth`, `after` gets
// those up to depth + 1.
__codelet
void bfs(int depth, const Array<1, int> offsets, const Array<1, int> targets,
         const Array<1, int> before, Array<1, int> after) {
  require(offsets.size() == before.size() + 1);
  require(after.size() == before.size());
  require(ascending(offsets, 0, targets.size()));
  require(within(targets, 0, before.size()));
  for (unsigned v = 0; v < before.size(); ++v)
    after[v] = before[v];
  for (unsigned v = 0; v < before.size(); ++v) {
    if (before[v] == depth) {
      for (int k = offsets[v]; k < offsets[v + 1]; ++k) {
        if (after[targets[k]] > depth + 1)
          after[targets[k]] = depth + 1;
      }
    }
  }
}
__codelet __tag(by_vertex)
void bfs(int depth, const Array<1, int> offsets, const Array<1, int> targets,
         const Array<1, int> before, Array<1, int> after) {
  unsigned n = before.size();
  copy<int>(before, after);
  map(visit_vertex, depth, before,
      partition(targets, n, sequence(offsets, 0, 1, n), sequence(1), sequence(offsets, 1, 1, n + 1)), all(after));
}
__codelet __tag(by_edge)
void bfs(int depth, const Array<1, int> offsets, const Array<1, int> targets,
         const Array<1, int> before, Array<1, int> after) {
  __tunable unsigned p;
  unsigned len = targets.size();
  unsigned tile = (len + p - 1) / p;
  copy<int>(before, after);
  map(visit_edges, depth, sequence(0, tile, len), all(offsets), partition(targets, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1)),
      all(before), all(after));
}

// How many vertices have this distance: 0 when a search has ended.
__codelet
int frontier(int depth, const Array<1, int> distance) {
  int count = 0;
  for (unsigned v = 0; v < distance.size(); ++v)
    count += distance[v] == depth ? 1 : 0;
  return count;
}

__codelet __tag(frontier_tiled)
int frontier(int depth, const Array<1, int> distance) {
  __tunable unsigned p;
  return sum<int>(map(frontier, depth, rows(distance, p)));
}
