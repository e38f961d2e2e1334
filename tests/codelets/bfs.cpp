// One level of a breadth-first search: by vertices, and by edges.
#include <tangram.h>

__codelet
void visit(const Array<1, unsigned> neighbours, const unsigned here, const unsigned level,
           Array<1, unsigned> levels, Array<1, unsigned> changed) {
  if (here == level) {
    for (unsigned i = 0; i < neighbours.size(); ++i) {
      unsigned old = atomicMin(levels[neighbours[i]], level + 1);
      if (old > level + 1)
        changed[0] = 1;
    }
  }
}

__codelet
void bfs_step(const Array<1, unsigned> columns, const Array<1, unsigned> offsets,
              const unsigned level, Array<1, unsigned> levels, Array<1, unsigned> changed) {
  require(offsets.size() == levels.size() + 1);
  require(ascending(offsets, 0, columns.size()));
  require(within(columns, 0, levels.size()));
  require(changed.size() == 1);
  for (unsigned v = 0; v < levels.size(); ++v) {
    if (levels[v] == level) {
      for (unsigned i = offsets[v]; i < offsets[v + 1]; ++i) {
        if (levels[columns[i]] > level + 1) {
          levels[columns[i]] = level + 1;
          changed[0] = 1;
        }
      }
    }
  }
}
