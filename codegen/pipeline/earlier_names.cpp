#include "codegen/pipeline/earlier_names.h"

#include <map>

namespace tangram::codegen {

std::string nameNowOf(const std::string &name) {
  static const std::map<std::string, std::string> now = {
      {"append-in-blocks", "branch-free-compaction"},
      {"carry-loads", "predictive-commoning"},
      {"carry-values", "predictive-commoning-of-values"},
      {"count-in-copies", "privatization-of-counts"},
      {"count-rounds", "loop-normalization"},
      {"elements-in-lanes", "outer-loop-vectorization"},
      {"hoist-branches", "loop-unswitching"},
      {"hoist-choices", "invariant-code-motion"},
      {"hold-operands", "scalar-replacement-of-operands"},
      {"hold-parts", "scalar-replacement-of-parts"},
      {"interchange-loops", "loop-interchange"},
      {"jam-lanes", "unroll-and-jam-of-lanes"},
      {"jam-loops", "unroll-and-jam"},
      {"join-neighbours", "vectorized-access-of-neighbours"},
      {"join-pieces", "fused-pieces"},
      {"keep-in-registers", "scalar-replacement"},
      {"load-ahead", "prefetching"},
      {"load-next-tiles", "software-pipelining"},
      {"look-back", "decoupled-look-back"},
      {"private-copies", "privatization"},
      {"read-vectors", "vectorized-access"},
      {"separate-rows", "padded-rows"},
      {"side-by-side", "independent-rounds"},
      {"split-edges", "index-set-splitting"},
      {"split-rounds", "index-set-splitting-of-rounds"},
      {"step-sums", "strip-mined-sums"},
      {"turn-blocks", "transposed-blocks"},
      {"wide-copies", "vectorized-copies"},
      {"widen-items", "vectorized-access-of-items"},
  };
  const auto found = now.find(name);
  return found == now.end() ? "" : found->second;
}

} // namespace tangram::codegen
