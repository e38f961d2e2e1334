// Bioinformatics: how many insertions, deletions and replacements turn a query into each of many
// strings.
#include <tangram.h>

constexpr unsigned longest = 64; // the query

__codelet void edit_distances(const Array<1, unsigned char> query,
                              const Array<2, unsigned char> strings, Array<1, int> distances) {
  require(query.size() <= longest);
  require(distances.size() == strings.size(0));
  for (unsigned s = 0; s < strings.size(0); ++s) {
    int row[longest + 1];
    for (unsigned j = 0; j <= query.size(); ++j)
      row[j] = j;
    for (unsigned i = 0; i < strings.size(1); ++i) {
      int corner = row[0];
      row[0] = i + 1;
      for (unsigned j = 0; j < query.size(); ++j) {
        int replaced = corner + (strings[s][i] == query[j] ? 0 : 1);
        corner = row[j + 1];
        row[j + 1] = min(replaced, min(row[j], corner) + 1);
      }
    }
    distances[s] = row[query.size()];
  }
}
