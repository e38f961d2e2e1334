#include "driver/commands/interpret_command.h"

#include "composer/analysis/index_variables.h"
#include "composer/machine/machine.h"
#include "frontend/parse.h"
#include "runtime/data/command_values.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace tangram::driver {
namespace {

using Json = nlohmann::json;

struct Result {
  int status;
  std::string out, err;
};

composer::Machine projected(const std::string &model, const std::string &target) {
  auto found = composer::findMachine(model, {TANGRAM_SOURCE_DIR "/hwmodels"});
  std::vector<std::string> notes;
  return std::get<composer::Machine>(
      composer::projectOnto(std::get<composer::Machine>(found), target, notes));
}

class InterpretCommand : public ::testing::Test {
protected:
  void SetUp() override {
    options.spectrum = "last";
    options.target = "opencl";
    options.runs.sizes = *runtime::parseSizes({"3"});
  }

  Result run(const std::string &source) {
    frontend::ParseResult parsed =
        frontend::parseText("#include <tangram.h>\n" + source, "test.cpp", {});
    EXPECT_TRUE(parsed.program) << ir::render(parsed.diagnostics);
    std::ostringstream out;
    std::ostringstream err;
    const int status = interpretCommand(options, composer::widenIndexVariables(*parsed.program),
                                        projected(model, options.target), out, err);
    return {status, out.str(), err.str()};
  }

  InterpretOptions options;
  std::string model = "simple-gpu";
};

const char *const meaning = "__codelet int last(const Array<1, int> in) {\n"
                            "  int x = 0;\n"
                            "  for (int i = 0; i < in.size(); ++i)\n"
                            "    x = in[i];\n"
                            "  return x;\n"
                            "}\n";

TEST_F(InterpretCommand, SaysWhatIsRight) {
  Result result = run(meaning);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.substr(8), "  2 right  S_G, devolve(B), S_B, devolve(T), "
                                  "compute(last#1, SE_T)\n");
}

TEST_F(InterpretCommand, ShowsAPlantedRaceAtItsPlace) {
  options.planning.without = {"last#1"};
  Result result = run(std::string(meaning) +
                      "__codelet __coop __tag(racing) int last(const Array<1, int> in) {\n"
                      "  __shared int found;\n"
                      "  require(in.size() <= coopDim());\n"
                      "  if (coopIdx() < in.size())\n"
                      "    found = in[coopIdx()];\n"
                      "  return found;\n"
                      "}\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.substr(8), R"(  2 reported  S_G, devolve(B), compute(racing, VE_B)
  reported: array in_size=3 NUM_THREADS=4
    test.cpp:12:5: race: group 0, item 1 writes found[0], and nothing orders it and what group 0, item 0 does there in 'found[0] = in[thread];', in 'found[0] = in[thread];' (2 times)
  reported: kernel in_size=3 NUM_THREADS=4
    test.cpp:12:5: race: group 0, item 1 writes found[0], and nothing orders it and what group 0, item 0 does there in 'found[0] = in[thread];', in 'found[0] = in[thread];' (2 times)
)");
}

TEST_F(InterpretCommand, AWrongValueIsWrong) {
  options.planning.without = {"last#1"};
  Result result = run(std::string(meaning) +
                      "__codelet __coop __tag(first) int last(const Array<1, int> in) {\n"
                      "  __shared int found;\n"
                      "  require(in.size() <= coopDim());\n"
                      "  if (coopIdx() == 0)\n"
                      "    found = in[0];\n"
                      "  return found;\n"
                      "}\n");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out.substr(8), R"(  2 wrong  S_G, devolve(B), compute(first, VE_B)
  wrong: array in_size=3 NUM_THREADS=4
    result: got 387, expected -147
  wrong: kernel in_size=3 NUM_THREADS=4
    result: got 387, expected -147
)");
}

TEST_F(InterpretCommand, PlansForCudaWithWarpsAreRight) {
  model = "h200";
  options.target = "cuda-warps";
  options.planning.without = {"last#1"};
  const std::string lanes = "__codelet __coop __tag(lanes) int last(const Array<1, int> in) {\n"
                            "  __shared int found;\n"
                            "  require(in.size() <= coopDim());\n"
                            "  found = 0;\n"
                            "  if (coopIdx() + 1 == in.size())\n"
                            "    found = in[coopIdx()];\n"
                            "  return found;\n"
                            "}\n";
  options.plan = "all";
  options.limit = 2;
  Result result = run(meaning + lanes);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("  2 right  S_G, devolve(B), compute(lanes, VE_B)\n"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("  2 right  S_G, devolve(B), S_B, devolve(W), compute(lanes, VE_W)\n"),
            std::string::npos)
      << result.out;
}

TEST_F(InterpretCommand, ArraysOfACodeletStayWhereTheyAreWhenItCallsFunctions) {
  options.planning.without = {};
  Result result = run("int twice(int x) {\n  return 2 * x;\n}\n"
                      "int fourfold(int x) {\n  return twice(twice(x));\n}\n"
                      "__codelet int last(const Array<1, int> in) {\n"
                      "  int x[4];\n"
                      "  x[0] = fourfold(1);\n"
                      "  for (int i = 0; i < in.size(); ++i)\n"
                      "    x[0] = fourfold(in[i] % 100) + x[0] - x[0];\n"
                      "  return x[0];\n"
                      "}\n");
  EXPECT_EQ(result.status, 0) << result.err << result.out;
}

TEST_F(InterpretCommand, TheLesserOfShortNumbersIsTheLesser) {
  options.runs.sizes = *runtime::parseSizes({"8"});
  for (const char *type : {"unsigned char", "signed char", "short", "unsigned"}) {
    const std::string of = type;
    Result result = run("__codelet " + of + " last(const Array<1, " + of + "> in) {\n  " + of +
                        " x = 100;\n  for (int i = 0; i < in.size(); ++i)\n"
                        "    x = max(min(x, in[i]), in[in.size() - 1]);\n  return x;\n}\n");
    EXPECT_EQ(result.status, 0) << of << ": " << result.err << result.out;
  }
}

TEST_F(InterpretCommand, RoundingsOfFloatsCountInDoubles) {
  Result result = run("__codelet double last(const Array<1, float> in) {\n"
                      "  double sum = 0;\n"
                      "  for (unsigned i = 0; i < in.size(); ++i) {\n"
                      "    double a = 1 + in[i] * 0.1f;\n"
                      "    sum += a;\n"
                      "  }\n"
                      "  return sum;\n"
                      "}\n");
  EXPECT_EQ(result.status, 0) << result.err << result.out;
}

TEST_F(InterpretCommand, APlanThatServesNoSizeIsReported) {
  options.planning.without = {"last#1"};
  options.runs.sizes = *runtime::parseSizes({"100000"});
  options.format = "json";
  Result result =
      run(std::string(meaning) + "__codelet __coop __tag(few) int last(const Array<1, int> in) {\n"
                                 "  __shared int found;\n"
                                 "  require(in.size() <= 3);\n"
                                 "  if (coopIdx() == 0)\n"
                                 "    found = in[in.size() - 1];\n"
                                 "  return found;\n"
                                 "}\n");
  EXPECT_EQ(result.status, 3);
  const Json runs = Json::parse(result.out)["plans"][0]["runs"];
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0]["status"], "refused");
  EXPECT_EQ(runs[0]["reason"],
            "few at level B requires in.size() <= 3 (test.cpp:10:3): in_size <= 3 does not hold "
            "with in_size = 100000");
}

TEST_F(InterpretCommand, ACodeletThatMeansNothingIsUndefined) {
  Result result = run("__codelet int last(const Array<1, int> in) { return in[in.size()]; }\n");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out.substr(8),
            R"(  2 undefined  S_G, devolve(B), S_B, devolve(T), compute(last#1, SE_T)
  undefined: array in_size=3
    test.cpp:2:56: bounds: element 3 of in, which has 3
  undefined: kernel in_size=3
    test.cpp:2:56: bounds: element 3 of in, which has 3
)");
}

TEST(ReadSettings, SpeaksOfItsOwnOption) {
  RunOptionsOfInterpreter runs;
  auto wrong = readSettings({"3"}, {"p"}, runs);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "--tunable p: expected NAME=VALUE[,VALUE...]");
  EXPECT_TRUE(readSettings({"0,1", "in=2,3"}, {"p=1,2,3"}, runs));
  EXPECT_EQ(runs.sizes.size(), 4U);
  EXPECT_EQ(runs.settings.size(), 3U);
}

} // namespace
} // namespace tangram::driver
