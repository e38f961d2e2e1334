// The lengths of shortest paths between all pairs of vertices, of a graph without circles of a
// length below 0: a way over vertex k does not change those from k or to k.
#include <tangram.h>

__codelet void floyd_warshall(Array<2, int> path) {
  require(path.size(1) == path.size(0));
  require(within(path, 0, 1000000));
  unsigned n = path.size(0);
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned i = 0; i < n; ++i) {
      if (i != k) {
        int there = path[i][k];
        for (unsigned j = 0; j < n; ++j)
          path[i][j] = min(path[i][j], there + path[k][j]);
      }
    }
  }
}
