#include "codegen/pipeline/earlier_names.h"

#include <map>

namespace tangram::codegen {

std::string nameNowOf(const std::string &name) {
  static const std::map<std::string, std::string> now = {
      {"append-in-blocks", "branch-free-compaction"},
      {"carry-loads", "predictive-commoning"},
      {"carry-values", "predictive-commoning"},
      {"count-in-copies", "privatization"},
      {"count-rounds", "loop-normalization"},
      {"elements-in-lanes", "outer-loop-vectorization"},
      {"full-tiles", "loop-versioning"},
      {"hoist-branches", "loop-unswitching"},
      {"hoist-choices", "invariant-code-motion"},
      {"hold-operands", "scalar-replacement"},
      {"hold-parts", "scalar-replacement"},
      {"index-set-splitting-of-rounds", "index-set-splitting"},
      {"index-set-splitting-of-sums", "index-set-splitting"},
      {"interchange-loops", "loop-interchange"},
      {"jam-lanes", "unroll-and-jam"},
      {"jam-loops", "unroll-and-jam"},
      {"join-neighbours", "vectorized-access"},
      {"join-pieces", "fused-pieces"},
      {"keep-in-registers", "scalar-replacement"},
      {"load-ahead", "software-pipelining"},
      {"load-next-tiles", "software-pipelining"},
      {"look-back", "decoupled-look-back"},
      {"predictive-commoning-of-values", "predictive-commoning"},
      {"prefetching", "software-pipelining"},
      {"private-copies", "privatization"},
      {"privatization-of-counts", "privatization"},
      {"read-vectors", "vectorized-access"},
      {"scalar-replacement-of-operands", "scalar-replacement"},
      {"scalar-replacement-of-parts", "scalar-replacement"},
      {"separate-rows", "padded-rows"},
      {"side-by-side", "independent-rounds"},
      {"single-rounds", "loop-normalization"},
      {"split-edges", "index-set-splitting"},
      {"split-rounds", "index-set-splitting"},
      {"stage-halos", "stage-windows"},
      {"step-sums", "strip-mined-sums"},
      {"turn-blocks", "transposed-blocks"},
      {"unroll-and-jam-of-lanes", "unroll-and-jam"},
      {"unroll-arrays", "unrolling"},
      {"unroll-copies", "unrolling"},
      {"unroll-loads", "unrolling"},
      {"vectorized-access-of-items", "vectorized-access"},
      {"vectorized-access-of-neighbours", "vectorized-access"},
      {"vectorized-copies", "vectorized-access"},
      {"whole-blocks", "loop-versioning"},
      {"wide-copies", "vectorized-access"},
      {"widen-items", "vectorized-access"},
  };
  const auto found = now.find(name);
  return found == now.end() ? "" : found->second;
}

} // namespace tangram::codegen
