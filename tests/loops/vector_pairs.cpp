// vector_pairs; derived_tile_i derived_lanes_i derived_lanes_j; body=41 force=41
// Forces of all pairs of bodies: the components of a vector are sums.
#include <cmath>
#include <tangram.h>

__codelet void vector_pairs(const Array<1, float4> body, Array<1, float4> force) {
  require(force.size() == body.size());
  for (unsigned i = 0; i < body.size(); ++i) {
    float4 sum = float4(0);
    for (unsigned j = 0; j < body.size(); ++j) {
      float4 d = body[j] - body[i];
      float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
      sum += d * (body[j].w / (r * sqrt(r)));
    }
    force[i] = sum;
  }
}
