#include "composer/rules/left_out.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using Names = std::vector<std::string>;

ir::Codelet tagged(const std::string &tag) {
  ir::Codelet codelet;
  codelet.tag = tag;
  return codelet;
}

/// Two instances of a template, and a spectrum beside them.
ir::Program reductions() {
  ir::Program program;
  program.file = "reduce.cpp";
  for (const char *name : {"reduce<int, plus<int>>", "reduce<float, plus<float>>", "sum"}) {
    ir::Spectrum &spectrum = program.spectrums.emplace_back();
    spectrum.name = name;
    spectrum.codelets = {tagged("tree"), tagged("tiled")};
  }
  return program;
}

Names namesOf(const Names &names) { return std::get<Names>(leftOut(reductions(), names)); }

TEST(LeftOut, NamesCodeletsOfAllSpectrumsOfATemplateOrOfOneInstance) {
  EXPECT_EQ(namesOf({"tree", "sum:tiled"}), (Names{"tree", "sum:tiled"}));
  EXPECT_EQ(namesOf({"reduce:tree"}),
            (Names{"reduce<int, plus<int>>:tree", "reduce<float, plus<float>>:tree"}));
  EXPECT_EQ(namesOf({"reduce<int,plus<int>>:tree"}), Names{"reduce<int, plus<int>>:tree"});
}

TEST(LeftOut, FusedLoopsAreLeftOutWithWhatCallsTheirNests) {
  ir::Program program = reductions();
  program.spectrums[2].codelets = {tagged("derived_fused"), tagged("derived_fused_nests"),
                                   tagged("derived_tile_i"), tagged("derived_tile_i_j")};
  const auto left = [&](const std::string &name) {
    return std::get<Names>(leftOut(program, {name}));
  };
  EXPECT_EQ(left("derived_fused"), (Names{"derived_fused", "derived_fused_nests"}));
  EXPECT_EQ(left("sum:derived_fused"), (Names{"sum:derived_fused", "sum:derived_fused_nests"}));
  EXPECT_EQ(left("derived_fused_nests"), Names{"derived_fused_nests"});
  EXPECT_EQ(left("derived_tile_i"), Names{"derived_tile_i"});
}

TEST(LeftOut, AnUnknownNameIsSaidWithTheNearest) {
  const auto said = [](const Names &names) {
    return ir::render(std::get<ir::Diagnostics>(leftOut(reductions(), names)));
  };
  EXPECT_EQ(said({"tre"}),
            "reduce.cpp: error: unknown codelet to leave out 'tre', did you mean 'tree'?\n");
  EXPECT_EQ(said({"everything"}),
            "reduce.cpp: error: unknown codelet to leave out 'everything'; known: tree, tiled\n");
  EXPECT_EQ(
      said({"sum:tred"}),
      "reduce.cpp: error: unknown codelet to leave out 'sum:tred', did you mean 'sum:tree'?\n");
}

} // namespace
} // namespace tangram::composer
