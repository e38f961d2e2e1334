// Derived codelets, as the source that is printed.
#include "driver/commands/derive_command.h"

#include "driver/input/derived_program.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tangram::driver {
namespace {

struct Result {
  int status;
  std::string out, err;
};

/// `derive` of a source that includes the language.
Result derived(const std::string &source, const DeriveCommandOptions &options = {},
               bool keepsOrder = false) {
  const auto file =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".cpp");
  std::ofstream(file) << "#include <tangram.h>\n" << source;
  std::ostringstream out, err;
  composer::DeriveOptions deriving = deriveOptions("all");
  deriving.keepsOrder = keepsOrder;
  const int status = deriveCommand(options, file.string(), {}, deriving, out, err);
  return {status, out.str(), err.str()};
}

/// The tags, one after the other, each with its spectrum where that is not `f`.
std::string tags(const Result &result) {
  std::istringstream lines(result.out);
  std::string line, all, tag;
  while (std::getline(lines, line)) {
    if (const auto at = line.find("__tag("); at != std::string::npos) {
      tag = line.substr(at + 6, line.find(')', at) - at - 6);
    } else if (!tag.empty()) {
      const std::string head = line.substr(0, line.find('('));
      const std::string name = head.substr(head.rfind(' ') + 1);
      all += (all.empty() ? "" : " ") + (name == "f" ? "" : name + ":") + tag;
      tag.clear();
    }
  }
  return all;
}

TEST(DeriveCommand, CutsAndDealsTheRoundsOfALoop) {
  const Result result =
      derived("__codelet void f(const Array<1, float> x, Array<1, float> y) {\n"
              "  require(y.size() == x.size());\n"
              "  for (unsigned i = 0; i < x.size(); ++i)\n    y[i] = 2 * x[i];\n}\n");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, R"(__codelet __tag(derived_split_i)
void f(const Array<1, float> x, Array<1, float> y) {
  __tunable unsigned p;
  map(f, rows(x, p), rows(y, p));
}

__codelet __tag(derived_tile_i)
void f(const Array<1, float> x, Array<1, float> y) {
  __tunable unsigned t;
  map(f, chunks(x, t), chunks(y, t));
}

__codelet __coop __tag(derived_lanes_i)
void f(const Array<1, float> x, Array<1, float> y) {
  for (unsigned i = coopIdx(); i < y.size(); i += coopDim()) {
    y[i] = 2.0f * x[i];
  }
}
)");
}

TEST(DeriveCommand, GivesBlocksOfAStencilTheirHalo) {
  const Result result = derived(
      "__codelet void f(const Array<1, float> x, Array<1, float> y) {\n"
      "  require(y.size() == x.size());\n"
      "  for (unsigned i = 1; i + 1 < x.size(); ++i)\n    y[i] = x[i - 1] + x[i + 1] + i;\n}\n");
  EXPECT_NE(
      result.out.find("void f_rounds(__positional unsigned long i_from, const Array<1, float> x, "
                      "Array<1, float> y) {\n"
                      "  require(x.size() == y.size() + 2);\n"
                      "  for (unsigned i = 0; i < y.size(); ++i)\n"
                      "    y[i] = x[i] + x[i + 2] + (float)(i_from + i);\n"),
      std::string::npos)
      << result.out;
  EXPECT_NE(
      result.out.find("  f_rounds(1, x, slice(y, 1, max<unsigned long>(x.size(), 1) - 1));\n"),
      std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("  map(f_rounds, sequence(i_from, t, i_from + y.size()), chunks(x, t, "
                            "2), chunks(y, t));\n"),
            std::string::npos)
      << result.out;
}

TEST(DeriveCommand, HandsOverAWholeContainerWhereAGuardDecidesWhatIsRead) {
  const Result result = derived(
      "__codelet void f(const Array<1, float> x, const Array<1, float> w, Array<1, float> y) {\n"
      "  require(y.size() == x.size());\n"
      "  for (unsigned i = 0; i < y.size(); ++i) {\n    float s = 0;\n"
      "    for (int q = 0; q < 3; ++q) {\n      int at = (int)i + q - 1;\n"
      "      if (at >= 0 && at < (int)x.size()) s += x[at] * w[q];\n    }\n    y[i] = s;\n  "
      "}\n}\n");
  EXPECT_NE(
      result.out.find(
          "map(f_rounds, sequence(i_from, t, i_from + y.size()), all(x), all(w), chunks(y, t));"),
      std::string::npos)
      << result.out;
}

TEST(DeriveCommand, StepsThroughTheSumsOfAProduct) {
  const Result result = derived(
      "__codelet void f(const Array<2, float> a, const Array<2, float> b, Array<2, float> c) {\n"
      "  require(c.size(0) == a.size(0));\n  require(b.size(0) == a.size(1));\n  require(c.size(1) "
      "== b.size(1));\n"
      "  for (unsigned i = 0; i < c.size(0); ++i)\n    for (unsigned j = 0; j < c.size(1); ++j) {\n"
      "      float s = 0;\n      for (unsigned k = 0; k < a.size(1); ++k)\n        s += a[i][k] * "
      "b[k][j];\n"
      "      c[i][j] = s;\n    }\n}\n");
  EXPECT_EQ(
      tags(result),
      "derived_split_i derived_tile_i derived_split_j derived_tile_j derived_lanes_i_j "
      "derived_lanes_k "
      "f_start:derived_loop f_start:derived_split_i f_start:derived_tile_i f_start:derived_split_j "
      "f_start:derived_tile_j f_start:derived_lanes_i_j f_sum:derived_loop f_sum:derived_split_i "
      "f_sum:derived_tile_i f_sum:derived_split_j f_sum:derived_tile_j f_sum:derived_step_k "
      "f_sum:derived_lanes_i_j f_sum:derived_lanes_k derived_sums "
      "f_part:derived_loop f_part:derived_split_i f_part:derived_tile_i f_part:derived_split_j "
      "f_part:derived_tile_j f_part:derived_lanes_i_j f_part:derived_lanes_k "
      "f_part_start:derived_loop f_part_start:derived_split_i f_part_start:derived_tile_i "
      "f_part_start:derived_split_j f_part_start:derived_tile_j f_part_start:derived_lanes_i_j "
      "f_part_sum:derived_loop f_part_sum:derived_split_i f_part_sum:derived_tile_i "
      "f_part_sum:derived_split_j f_part_sum:derived_tile_j f_part_sum:derived_step_k "
      "f_part_sum:derived_lanes_i_j f_part_sum:derived_lanes_k f_part:derived_sums "
      "f_combined:derived_loop f_combined:derived_split_i f_combined:derived_tile_i "
      "f_combined:derived_split_j f_combined:derived_tile_j f_combined:derived_lanes_i_j "
      "f_combined:derived_lanes_part derived_parts_k");
  EXPECT_NE(result.out.find("  fold(f_sum, col_chunks(a, t), chunks(b, t), all(c));\n"),
            std::string::npos);
}

TEST(DeriveCommand, CombinesPartsOfASum) {
  const Result result =
      derived("__codelet double f(const Array<1, double> x, const Array<1, double> y) {\n"
              "  require(y.size() == x.size());\n  double s = 0;\n"
              "  for (unsigned i = 0; i < x.size(); ++i)\n    s += x[i] * y[i];\n  return s;\n}\n");
  EXPECT_EQ(tags(result),
            "f_combined:derived_loop f_combined:derived_lanes_i f_combined:derived_split_i "
            "derived_split_i derived_tile_i derived_lanes_i");
  EXPECT_NE(result.out.find("  return f_combined(map(f, rows(x, p), rows(y, p)));\n"),
            std::string::npos);
}

TEST(DeriveCommand, KeepsWhatStandsAroundASum) {
  const Result result = derived(
      "#include <cmath>\n__codelet float f(const Array<2, float> x) {\n  float s = 1;\n"
      "  for (unsigned i = 0; i < x.size(0); ++i)\n    for (unsigned j = 0; j < x.size(1); ++j)\n"
      "      s += x[i][j] * x[i][j];\n  return sqrt(s);\n}\n");
  EXPECT_NE(result.out.find(
                "float f(const Array<2, float> x) {\n  float s = 1.0f;\n  s = s + f_total(x);\n"
                "  return sqrt(s);\n}\n"),
            std::string::npos)
      << result.out;
}

TEST(DeriveCommand, SharesTheRowsOfASoftmaxAmongLanes) {
  const Result result =
      derived("#include <cmath>\n__codelet void f(const Array<2, float> x, Array<2, float> y) {\n"
              "  require(y.size(0) == x.size(0));\n  require(y.size(1) == x.size(1));\n"
              "  for (unsigned r = 0; r < x.size(0); ++r) {\n    float total = 0;\n"
              "    for (unsigned i = 0; i < x.size(1); ++i)\n      total += exp(x[r][i]);\n"
              "    for (unsigned i = 0; i < x.size(1); ++i)\n      y[r][i] = exp(x[r][i]) / "
              "total;\n  }\n}\n");
  EXPECT_TRUE(
      tags(result).starts_with("derived_split_r derived_tile_r derived_lanes_r derived_lanes_i "))
      << tags(result);
  EXPECT_NE(result.out.find("    parts[id] = total_own;\n"), std::string::npos);
}

TEST(DeriveCommand, TakesLoopsInARoundApart) {
  const Result result =
      derived("#include <cmath>\n__codelet void f(const Array<2, float> x, Array<2, float> y) {\n"
              "  require(y.size(0) == x.size(0));\n  require(y.size(1) == x.size(1));\n"
              "  for (unsigned r = 0; r < x.size(0); ++r) {\n    float total = 0;\n"
              "    for (unsigned i = 0; i < x.size(1); ++i)\n      total += x[r][i];\n"
              "    float mean = total / x.size(1);\n"
              "    for (unsigned i = 0; i < x.size(1); ++i)\n      y[r][i] = x[r][i] - mean;\n"
              "  }\n}\n");
  EXPECT_NE(result.out.find("  Array<1, float> mean_all(y.size(0));\n"
                            "  f_nest(x, mean_all);\n  f_nest_2(x, y, mean_all);\n"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("      y[r][i] = x[r][i] - mean_all[r];\n"), std::string::npos)
      << result.out;
}

TEST(DeriveCommand, CombinesMinimaWithTheirPlace) {
  const Result result =
      derived("__codelet int f(const Array<1, float> x) {\n  float least = 9;\n  int place = -1;\n"
              "  for (unsigned i = 0; i < x.size(); ++i)\n    if (x[i] <= least) {\n"
              "      least = x[i];\n      place = i;\n    }\n  return place;\n}\n");
  EXPECT_NE(result.out.find("  return f_combined("), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("least_found_parts[part][0] != 0 && least_parts[part][0] <= least"),
            std::string::npos)
      << result.out;
}

TEST(DeriveCommand, IncludesWhatDeclaresTheNumbersThatItNames) {
  const Result result = derived("__codelet float f(const Array<1, float> x) {\n  float s = 0;\n"
                                "  for (unsigned i = 0; i < x.size(); ++i)\n    s = max(s, x[i]);\n"
                                "  return s;\n}\n");
  EXPECT_TRUE(result.out.starts_with("#include <cmath>\n\n__codelet")) << result.out;
}

TEST(DeriveCommand, RunsSeveralNestsOneAfterTheOther) {
  const Result result =
      derived("__codelet void f(unsigned steps, Array<1, float> x, Array<1, float> y) {\n"
              "  require(y.size() == x.size());\n  for (unsigned t = 0; t < steps; ++t) {\n"
              "    for (unsigned i = 1; i + 1 < x.size(); ++i)\n      y[i] = x[i - 1] + x[i + 1];\n"
              "    for (unsigned i = 1; i + 1 < x.size(); ++i)\n      x[i] = y[i - 1] + y[i + "
              "1];\n  }\n}\n");
  EXPECT_NE(result.out.find("; t < steps; ++t) {\n    f_nest("), std::string::npos) << result.out;
  EXPECT_NE(tags(result).find("f_nest_rounds:derived_tile_i"), std::string::npos);
}

TEST(DeriveCommand, RenamesParametersThatAreCalledAsPrimitives) {
  const Result result = derived(
      "__codelet void f(unsigned rows, Array<2, int> all) {\n"
      "  require(all.size(0) == rows);\n"
      "  for (unsigned i = 0; i < rows; ++i)\n    for (unsigned j = 0; j < all.size(1); ++j)\n"
      "      all[i][j] = i;\n}\n");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("rows(all_2, p)"), std::string::npos) << result.out;
}

TEST(DeriveCommand, SaysWhyNothingFollows) {
  const Result result = derived("__codelet void f(const Array<1, float> x, Array<1, float> y) {\n"
                                "  require(y.size() == x.size());\n  float s = 0;\n"
                                "  for (unsigned i = 0; i < x.size(); ++i) {\n    s = 0.5f * s + "
                                "x[i];\n    y[i] = s;\n  }\n}\n");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("note: f: the rounds of loop i change 's' one after the other ("),
            std::string::npos)
      << result.err;
}

TEST(DeriveCommand, WritesContainersOfVectorsAndTheirComponents) {
  const Result result =
      derived("__codelet void f(const Array<1, float2> x, Array<1, float2> y) {\n"
              "  require(x.size() == y.size() + 1);\n"
              "  for (unsigned i = 0; i < y.size(); ++i)\n    y[i] = x[i] + x[i + 1];\n}\n");
  EXPECT_EQ(result.out, R"(__codelet __tag(derived_split_i)
void f(const Array<1, float2> x, Array<1, float2> y) {
  __tunable unsigned p;
  map(f, rows(x, p, 1), rows(y, p));
}

__codelet __tag(derived_tile_i)
void f(const Array<1, float2> x, Array<1, float2> y) {
  __tunable unsigned t;
  map(f, chunks(x, t, 1), chunks(y, t));
}

__codelet __coop __tag(derived_lanes_i)
void f(const Array<1, float2> x, Array<1, float2> y) {
  for (unsigned i = coopIdx(); i < y.size(); i += coopDim()) {
    y[i].x = x[i].x + x[i + 1].x;
    y[i].y = x[i].y + x[i + 1].y;
  }
}
)") << result.err;
}

TEST(DeriveCommand, CallsFunctionsOfVectors) {
  const Result result =
      derived("float inner(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }\n"
              "float2 times(float2 a, float s) { return a * s; }\n"
              "__codelet void f(const Array<1, float2> x, Array<1, float2> y) {\n"
              "  require(x.size() == y.size());\n"
              "  for (unsigned i = 0; i < y.size(); ++i)\n    y[i] = times(x[i], inner(x[i], y[i]) "
              "+ dot(x[i], x[i]));\n"
              "}\n");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("inner(float2(x[i].x, x[i].y), float2(y[i].x, y[i].y))"),
            std::string::npos)
      << result.out;
}

TEST(DeriveCommand, SeesUpdatesThatHelperFunctionsMake) {
  const auto sum = [](const std::string &function) {
    return derived(function + "\n__codelet float f(const Array<1, float> x) {\n  float s = 0;\n"
                              "  for (unsigned i = 0; i < x.size(); ++i)\n    s = g(s, x[i]);\n"
                              "  return s;\n}\n");
  };
  const Result found = sum("float g(float s, float a) { return s + a * a; }");
  EXPECT_NE(found.out.find("    s_own = s_own + x[i] * x[i];\n"), std::string::npos) << found.out;
  EXPECT_EQ(sum("float g(float s, float a) { return s * a + a; }").status, 1);
  EXPECT_EQ(sum("float g(float s, float a) { if (a < 0) return s; return s + a; }").status, 1);
}

TEST(DeriveCommand, LeavesSpectrumsOfSingleVectorsOut) {
  const Result result =
      derived("__codelet void f(float4 a, const Array<1, float4> x, Array<1, float4> y) {\n"
              "  require(y.size() == x.size());\n"
              "  for (unsigned i = 0; i < x.size(); ++i)\n    y[i] = a * x[i];\n}\n");
  EXPECT_NE(result.err.find("note: f: it is given a vector, or returns one ("), std::string::npos)
      << result.err;
}

TEST(DeriveCommand, SaysItInJsonToo) {
  DeriveCommandOptions options;
  options.format = "json";
  const Result result = derived("__codelet void f(Array<1, int> x) {\n"
                                "  for (unsigned i = 0; i < x.size(); ++i)\n    x[i] = 0;\n}\n",
                                options);
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json.at("codelets").size(), 3U);
  EXPECT_EQ(json.at("codelets")[0].at("tag"), "derived_split_i");
  EXPECT_EQ(json.at("codelets")[0].at("why"),
            "the rounds of loop i touch different elements of 'x'");
}

TEST(DeriveCommand, KeepsTheOrderOfFloatingPointSums) {
  const auto tagsOf = [](const std::string &type, const std::string &update) {
    return tags(derived("__codelet void f(const Array<2, " + type + "> x, Array<1, " + type +
                            "> y) {\n  require(y.size() == x.size(0));\n"
                            "  for (unsigned i = 0; i < x.size(0); ++i) {\n    " +
                            type + " s = 0;\n    for (unsigned k = 0; k < x.size(1); ++k)\n      " +
                            update + ";\n    y[i] = s;\n  }\n}\n",
                        {}, true));
  };
  const auto has = [](const std::string &all, const std::string &tag) {
    return (" " + all + " ").find(" " + tag + " ") != std::string::npos;
  };
  const std::string sums = tagsOf("float", "s += x[i][k]");
  EXPECT_TRUE(has(sums, "derived_split_i")) << sums;
  EXPECT_TRUE(has(sums, "f_sum:derived_step_k")) << sums;
  EXPECT_EQ(sums.find("lanes_k"), std::string::npos) << sums;
  EXPECT_EQ(sums.find("derived_parts"), std::string::npos) << sums;
  EXPECT_TRUE(has(tagsOf("int", "s += x[i][k]"), "derived_lanes_k"));
  EXPECT_TRUE(has(tagsOf("float", "s = max(s, x[i][k])"), "derived_lanes_k"));
}

TEST(DeriveCommand, UpdatesElementsThatDataTellByAtomicOperationsAndInCopies) {
  const std::string source =
      "__codelet void f(const Array<1, int> x, const Array<1, float> w, Array<1, float> y) {\n"
      "  require(w.size() == x.size());\n"
      "  for (unsigned i = 0; i < x.size(); ++i)\n    y[x[i]] = y[x[i]] - 2 * w[i];\n}\n";
  const Result result = derived(source);
  EXPECT_NE(tags(result).find("f_atomic:derived_tile_i f_atomic:derived_lanes_i derived_atomic"),
            std::string::npos)
      << tags(result);
  EXPECT_NE(result.out.find("    atomicAdd(y[x[i]], -(2.0f * w[i]));\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("  map(f_atomic, chunks(x, t), chunks(w, t), all(y));\n"),
            std::string::npos);
  EXPECT_NE(result.out.find("  map(f_part, rows(x, p), rows(w, p), y_parts);\n"
                            "  f_combined(y_parts, y);\n"),
            std::string::npos);
  EXPECT_NE(derived(source, {}, true).err.find("'y[x[i]]': not apart"), std::string::npos);
}

TEST(DeriveCommand, HasCopiesAloneOfWhatNoAtomicOperationUpdates) {
  const Result result = derived(
      "__codelet void f(const Array<1, int> x, const Array<1, float> w, Array<1, float> y) {\n"
      "  require(w.size() == x.size());\n"
      "  for (unsigned i = 0; i < x.size(); ++i)\n    if (w[i] < y[x[i]])\n      y[x[i]] = w[i];\n"
      "}\n");
  EXPECT_EQ(result.out.find("atomic"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("derived_copies"), std::string::npos);
}

TEST(DeriveCommand, LeavesElementsThatARoundReadsBesidesInTheirOrder) {
  const auto refused = [](const std::string &round) {
    const Result result =
        derived("__codelet void f(const Array<1, int> x, Array<1, int> y, Array<1, int> z) {\n"
                "  require(z.size() == x.size());\n"
                "  for (unsigned i = 0; i < x.size(); ++i) {\n    " +
                round + "\n  }\n}\n");
    return result.status == 1 && result.out.empty();
  };
  EXPECT_TRUE(refused("y[x[i]] += y[0];"));
  EXPECT_TRUE(refused("y[y[i]] += 1;"));
  EXPECT_TRUE(refused("z[i] = y[x[i]]; y[x[i]] += 1;"));
  EXPECT_TRUE(refused("y[x[i]] += 1; y[z[i]] = 0;"));
  EXPECT_TRUE(refused("if (x[i] < y[x[i]]) { y[x[i]] = x[i]; z[x[i]] = i; }"));
  EXPECT_TRUE(refused("y[x[i]] += 0.5f;"));
}

} // namespace
} // namespace tangram::driver
