#include "codegen/passes/kernel/name_sizes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

class NameSizes : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E pitch = variable("pitch");
  E again = variable("again");
  E rows = variable("rows");

  /// The sizes of a kernel whose groups run `body`, then its code.
  std::string named(std::vector<StmtPtr> body) const {
    const LoweredPlan before = plan(std::move(body));
    Launch launch;
    launch.groups = before.body->children[0];
    nameSizes(before, launch);
    std::string text = "\n";
    for (const StmtPtr &size : launch.sizes)
      text += ir::toString(size);
    return text + "--\n" + ir::toString(launch.groups->children[0]);
  }
};

TEST_F(NameSizes, WhatTunablesSayStandsAtTheTop) {
  EXPECT_EQ(named({upTo(i, n, {let(pitch, (K + 7) / 8 * 8), set(out[i * pitch], in[i])})}), R"(
index pitch = (K + 7) / 8 * 8;
--
for (index i = 0; i < n; i += 1) {
  out[i * pitch] = in[i];
}
)");
}

TEST_F(NameSizes, OneValueHasOneNameAlsoInOtherSizes) {
  EXPECT_EQ(
      named({upTo(i, n, {let(pitch, K + 1), set(out[i * pitch], in[i])}),
             upTo(i, n, {let(again, K + 1), let(rows, again * N), set(out[i + rows], in[again])})}),
      R"(
index pitch = K + 1;
index rows = pitch * N;
--
for (index i = 0; i < n; i += 1) {
  out[i * pitch] = in[i];
}
for (index i = 0; i < n; i += 1) {
  out[i + rows] = in[pitch];
}
)");
}

TEST_F(NameSizes, WhatACallSaysOrARoundChangesStays) {
  const std::string text =
      named({let(pitch, n / 8 * 8), let(rows, K + 1),
             upTo(i, n, {set(rows, rows + 1), set(out[i], in[pitch + rows])})});
  EXPECT_EQ(text.find("\n--"), 0U) << text;
  EXPECT_NE(text.find("index pitch = n / 8 * 8;"), std::string::npos) << text;
  EXPECT_NE(text.find("index rows = K + 1;"), std::string::npos) << text;
}

} // namespace
} // namespace tangram::codegen
