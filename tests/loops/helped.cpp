// helped; derived_split_i derived_lanes_j derived_parts_j; x=23x37 y=23x37 z=23 most=23
// Sums that helper functions make: what they are given, and return, is a sum or a maximum.
#include <cmath>
#include <tangram.h>

float madd(float a, float b, float sum) { return a * b + sum; }
float madd_of_squares(float a, float b, float sum) { return madd(a * a, b * b, sum); }
int larger(int a, int b) { return max(a, b); }

__codelet void helped(const Array<2, float> x, const Array<2, float> y, Array<1, float> z,
                      Array<1, int> most) {
  require(y.size(0) == x.size(0));
  require(y.size(1) == x.size(1));
  require(z.size() == x.size(0));
  require(most.size() == x.size(0));
  for (unsigned i = 0; i < x.size(0); ++i) {
    float sum = 0;
    int largest = 0;
    for (unsigned j = 0; j < x.size(1); ++j) {
      sum = madd_of_squares(x[i][j], y[i][j], sum);
      largest = larger(largest, (int)(10 * y[i][j]));
    }
    z[i] = sum;
    most[i] = largest;
  }
}
