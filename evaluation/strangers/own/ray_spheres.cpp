// Graphics: the sphere that a ray from the origin through each pixel meets first, or -1, and how
// far it is. Spheres are centres with radii as their fourth component.
#include <cmath>
#include <tangram.h>

__codelet void ray_spheres(const Array<1, float4> spheres, Array<2, int> hit,
                           Array<2, float> depth) {
  require(depth.size(0) == hit.size(0));
  require(depth.size(1) == hit.size(1));
  for (unsigned i = 0; i < hit.size(0); ++i) {
    for (unsigned j = 0; j < hit.size(1); ++j) {
      float x = (j + 0.5f) / hit.size(1) - 0.5f;
      float y = (i + 0.5f) / hit.size(0) - 0.5f;
      float norm = 1 / sqrt(x * x + y * y + 1);
      float nearest = 1e30f;
      int which = -1;
      for (unsigned s = 0; s < spheres.size(); ++s) {
        float4 ball = spheres[s];
        float along = (ball.x * x + ball.y * y + ball.z) * norm;
        float apart = ball.x * ball.x + ball.y * ball.y + ball.z * ball.z - along * along;
        float inside = ball.w * ball.w - apart;
        if (inside > 0) {
          float distance = along - sqrt(inside);
          if (distance > 0 && distance < nearest) {
            nearest = distance;
            which = s;
          }
        }
      }
      hit[i][j] = which;
      depth[i][j] = nearest;
    }
  }
}
