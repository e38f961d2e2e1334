// Physics: the electric potential of atoms at the points of a grid. Atoms are places with charges
// as their fourth component; the grid lies in the plane z = 0.
#include <cmath>
#include <tangram.h>

__codelet void coulomb_grid(float spacing, const Array<1, float4> atoms,
                            Array<2, float> potential) {
  for (unsigned i = 0; i < potential.size(0); ++i) {
    for (unsigned j = 0; j < potential.size(1); ++j) {
      float sum = 0;
      for (unsigned a = 0; a < atoms.size(); ++a) {
        float dx = atoms[a].x - spacing * j;
        float dy = atoms[a].y - spacing * i;
        float dz = atoms[a].z;
        sum += atoms[a].w / sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      }
      potential[i][j] = sum;
    }
  }
}
