// Bioinformatics: how likely observed sequences are by a hidden Markov model (the forward
// algorithm), as logarithms. The probabilities of states at a time, alpha, add up to 1; what they
// added up to before is the likelihood of a step.
#include <cmath>
#include <tangram.h>

__codelet void hmm_forward(const Array<1, float> start, const Array<2, float> step,
                           const Array<2, float> emit, const Array<2, int> seen,
                           Array<3, float> alpha, Array<1, float> likelihood) {
  require(seen.size(1) > 0);
  require(step.size(0) == start.size());
  require(step.size(1) == start.size());
  require(emit.size(0) == start.size());
  require(within(seen, 0, emit.size(1)));
  require(alpha.size(0) == seen.size(0));
  require(alpha.size(1) == seen.size(1));
  require(alpha.size(2) == start.size());
  require(likelihood.size() == seen.size(0));
  for (unsigned s = 0; s < seen.size(0); ++s) {
    float logarithm = 0;
    for (unsigned t = 0; t < seen.size(1); ++t) {
      float total = 0;
      for (unsigned j = 0; j < start.size(); ++j) {
        float before = 0;
        if (t == 0) {
          before = start[j];
        } else {
          for (unsigned i = 0; i < start.size(); ++i)
            before += alpha[s][t - 1][i] * step[i][j];
        }
        float now = before * emit[j][seen[s][t]];
        alpha[s][t][j] = now;
        total += now;
      }
      for (unsigned j = 0; j < start.size(); ++j)
        alpha[s][t][j] /= total;
      logarithm += log(total);
    }
    likelihood[s] = logarithm;
  }
}
