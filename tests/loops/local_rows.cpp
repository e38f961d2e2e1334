// local_rows; derived_local derived_split_b derived_tile_i; q=2x9x5 k=2x9x5 v=2x9x5
#include <cmath>
#include <tangram.h>

// Attention: the scores of each row are kept in a local container.
__codelet void local_rows(const Array<3, float> q, const Array<3, float> k, const Array<3, float> v, Array<3, float> o) {
  require(k.size(0) == q.size(0));
  require(k.size(1) == q.size(1));
  require(k.size(2) == q.size(2));
  require(v.size(0) == q.size(0));
  require(v.size(1) == q.size(1));
  require(v.size(2) == q.size(2));
  require(o.size(0) == q.size(0));
  require(o.size(1) == q.size(1));
  require(o.size(2) == q.size(2));
  unsigned length = q.size(1), width = q.size(2);
  Array<3, float> s(q.size(0), length, length);
  const float scale = 1 / sqrt((float)width);
  for (unsigned b = 0; b < q.size(0); ++b)
    for (unsigned i = 0; i < length; ++i) {
      for (unsigned j = 0; j < length; ++j) {
        float t = 0;
        for (unsigned d = 0; d < width; ++d)
          t += q[b][i][d] * k[b][j][d];
        s[b][i][j] = t * scale;
      }
      float top = s[b][i][0];
      for (unsigned j = 1; j < length; ++j)
        top = max(top, s[b][i][j]);
      float total = 0;
      for (unsigned j = 0; j < length; ++j) {
        float e = exp(s[b][i][j] - top);
        s[b][i][j] = e;
        total += e;
      }
      for (unsigned d = 0; d < width; ++d) {
        float t = 0;
        for (unsigned j = 0; j < length; ++j)
          t += s[b][i][j] * v[b][j][d];
        o[b][i][d] = t / total;
      }
    }
}
