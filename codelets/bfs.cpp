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

// ----------------------------------------------------------------------------
// With queues: a step goes over the vertices that the last one has found, and over no others
// ----------------------------------------------------------------------------

__codelet
int known(int vertex, int source) { return vertex == source ? 0 : 2147483647; }

// The vertex at a place of a queue where none was yet.
__codelet
int no_vertex(int place) { return -1; }

// A vertex at distance `depth`: each neighbour that nobody has found before goes to the end of `next`, in any order.
// `found` says how many are there.
__codelet
void expand_vertex(int depth, int vertex, const Array<1, int> offsets, const Array<1, int> targets, Array<1, int> distance,
                   Array<1, int> next, Array<1, int> found) {
  require(offsets.size() == distance.size() + 1);
  require(found.size() == 1);
  require(within(targets, 0, distance.size()));
  if (vertex >= 0 && vertex < distance.size()) {
    for (int k = offsets[vertex]; k < offsets[vertex + 1]; ++k) {
      int before = atomicMin(distance[targets[k]], depth + 1);
      if (before > depth + 1) {
        int at = atomicAdd(found[0], 1);
        if (at >= 0 && at < next.size())
          atomicExchange(next[at], targets[k]);
      }
    }
  }
}

// The same of all vertices of a frontier.
__codelet
void expand(int depth, const Array<1, int> frontier, const Array<1, int> offsets, const Array<1, int> targets,
            Array<1, int> distance, Array<1, int> next, Array<1, int> found) {
  require(offsets.size() == distance.size() + 1);
  require(found.size() == 1);
  require(within(targets, 0, distance.size()));
  for (unsigned i = 0; i < frontier.size(); ++i) {
    int vertex = frontier[i];
    if (vertex >= 0 && vertex < distance.size()) {
      for (int k = offsets[vertex]; k < offsets[vertex + 1]; ++k) {
        int before = atomicMin(distance[targets[k]], depth + 1);
        if (before > depth + 1) {
          int at = atomicAdd(found[0], 1);
          if (at >= 0 && at < next.size())
            atomicExchange(next[at], targets[k]);
        }
      }
    }
  }
}

__codelet __tag(expand_each)
void expand(int depth, const Array<1, int> frontier, const Array<1, int> offsets, const Array<1, int> targets,
            Array<1, int> distance, Array<1, int> next, Array<1, int> found) {
  map(expand_vertex, depth, frontier, all(offsets), all(targets), all(distance), all(next), all(found));
}

// The first vertex, as far as there is one; how many.
__codelet
int begin(int source, Array<1, int> queue) {
  int count = 0;
  if (source >= 0 && source < queue.size()) {
    queue[0] = source;
    count = 1;
  }
  return count;
}

__codelet
void nobody(Array<1, int> found) {
  require(found.size() == 1);
  found[0] = 0;
}

__codelet
int count_of(const Array<1, int> found) {
  require(found.size() == 1);
  return found[0];
}
