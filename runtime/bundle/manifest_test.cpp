#include "runtime/bundle/manifest.h"

#include "runtime/data/text_file.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

using nlohmann::json;

const std::filesystem::path testdata =
    std::filesystem::path(TANGRAM_SOURCE_DIR) / "runtime/testdata";

json documentOf(const std::string &bundle) {
  Result<std::string> text = readTextFile(testdata / bundle / "manifest.json");
  EXPECT_TRUE(text);
  return json::parse(*text);
}

/// The message for `document` standing in `bundle`, without the file's name in front of each line.
std::string errorOf(const json &document, const std::string &bundle = "openmp_sum") {
  std::string file = (testdata / bundle / "manifest.json").string();
  Result<Manifest> manifest = parseManifest(document.dump(), file);
  if (manifest)
    return "fine";
  EXPECT_EQ(manifest.error().fault, Fault::Input);
  std::string text = manifest.error().message;
  for (std::size_t at = text.find(file + ": "); at != std::string::npos;
       at = text.find(file + ": "))
    text.erase(at, file.size() + 2);
  return text;
}

TEST(Manifest, ReadsEveryField) {
  Result<Manifest> m = readManifest(testdata / "opencl_constraint");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->spectrum, "sum");
  EXPECT_EQ(m->target, Target::OpenCL);
  EXPECT_EQ(m->planId, "00000006");
  EXPECT_EQ(m->steps.size(), 8U);
  EXPECT_EQ(m->signature.extents(), std::vector<std::string>{"in_size"});
  EXPECT_EQ(m->signature.result, ir::Scalar::I32);
  ASSERT_EQ(m->tunables.size(), 2U);
  EXPECT_FALSE(m->tunables[0].compileTime);
  EXPECT_EQ(m->tunables[0].defaultValue.text(), "compute_units * 8");
  EXPECT_TRUE(m->tunables[1].allows(64));
  EXPECT_FALSE(m->tunables[1].allows(63));
  EXPECT_FALSE(m->tunables[0].allows(0));
  EXPECT_EQ(m->constraints[0].require.text(), "(in_size + p - 1) / p <= GROUP_SIZE");
  EXPECT_TRUE(m->buffers[1].local);
  EXPECT_EQ(m->buffers[1].kernel, "sum_1");
  ASSERT_EQ(m->kernels.size(), 2U);
  EXPECT_EQ(m->kernels[0].arguments[1].scalar.text(), "in_size");
  EXPECT_EQ(m->kernels[1].arguments[2].name, "result");
  EXPECT_EQ(m->flags, std::vector<std::string>{"-cl-std=CL1.2"});
  EXPECT_FALSE(m->roundingDepth);
  EXPECT_EQ(m->path("source"), testdata / "opencl_constraint/sum.cl");
}

TEST(Manifest, EveryTestBundleIsValid) {
  for (const auto &entry : std::filesystem::directory_iterator(testdata)) {
    Result<Manifest> m = readManifest(entry.path());
    EXPECT_TRUE(m) << m.error().message;
  }
}

TEST(Manifest, MissingFile) {
  Result<Manifest> m = readManifest("/nonexistent");
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().message, "/nonexistent: cannot be read: No such file or directory");
}

TEST(Manifest, TruncatedJson) {
  Result<Manifest> m = parseManifest("{\"format\": \"tangram-bundle\",\n \"ver", "m.json");
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().message,
            "m.json: expected a JSON document, found a syntax error at line 2, column 6: invalid "
            "string: missing closing quote; last read: '\"ver'; expected string literal");
}

TEST(Manifest, NumbersBeyondADouble) {
  Result<Manifest> m = parseManifest("{\"version\": 1e999}", "m.json");
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().message, "m.json: expected numbers that a double can hold, found '1e999'");
}

TEST(Manifest, OtherVersionsAndFormats) {
  json document = documentOf("openmp_sum");
  document["version"] = 2;
  document["generator"] = "tangram 0.9.0";
  document["unknown_in_version_1"] = true;
  EXPECT_EQ(errorOf(document),
            "/version: expected 1, found the number 2: this bundle was made by a "
            "newer tangram (tangram 0.9.0)");
  document["version"] = "1";
  EXPECT_EQ(errorOf(document), "/version: expected 1, found the string \"1\"");
  document["format"] = "zip";
  EXPECT_EQ(errorOf(document), "/format: expected \"tangram-bundle\", found the string \"zip\"");
  EXPECT_EQ(errorOf(json::array()), "expected an object, found an array");
  EXPECT_EQ(errorOf(json::object()), "expected a field \"format\", found none\n"
                                     "expected a field \"version\", found none");
}

TEST(Manifest, WrongTypesAreAllReported) {
  json document = documentOf("openmp_sum");
  document["spectrum"] = 3;
  document["target"] = "metal";
  document["plan"]["steps"][1] = nullptr;
  document["tunables"][0]["max"] = -1;
  document["traffic"] = json::array();
  EXPECT_EQ(errorOf(document),
            "/spectrum: expected a string, found the number 3\n"
            "/target: expected \"openmp\", \"opencl\", \"cuda\" or \"c\", found the string "
            "\"metal\"\n"
            "/plan/steps/1: expected a string, found null\n"
            "/tunables/0/max: expected an integer, 0 or more, found the number "
            "-1\n"
            "/traffic: expected an object, found an array");
}

TEST(Manifest, UnknownFieldsGetASuggestion) {
  json document = documentOf("openmp_sum");
  document["tunables"][0]["defualt"] = "threads";
  document["tunables"][0].erase("default");
  document["a/b~c"] = 1;
  EXPECT_EQ(errorOf(document),
            "/tunables/0: expected a field \"default\", found none\n"
            "/tunables/0/defualt: expected no such field, found the string \"threads\"; did you "
            "mean \"default\"?\n"
            "/a~1b~0c: expected no such field, found the number 1");
}

TEST(Manifest, BadExpressionsAndNames) {
  json document = documentOf("openmp_sum");
  document["traffic"]["read"] = "in_size *";
  document["tunables"][0]["name"] = "3p";
  EXPECT_EQ(errorOf(document),
            "/tunables/0/name: expected a C identifier, found the string \"3p\"\n"
            "/traffic/read: expected an expression, found 'in_size *': expected a number, a name "
            "or '(' at column 10, found the end");
}

TEST(Manifest, NamesThatAreNotKnown) {
  json document = documentOf("opencl_constraint");
  document["constraints"][0]["require"] = "in_siz <= p";
  document["tunables"][0]["default"] = "in_size / p"; // a launch's: of sizes, but not of launches
  document["tunables"][1]["default"] = "in_size";
  document["kernels"][0]["arguments"][0]["buffer"] = "tmp";
  document["kernels"][1]["arguments"][1] = {{"parameter", "in"}};
  document["buffers"][1]["kernel"] = "sum_9";
  EXPECT_EQ(errorOf(document, "opencl_constraint"),
            "/tunables/0/default: expected a known name, found p\n"
            "/tunables/1/default: expected a known name, found in_size\n"
            "/constraints/0/require: expected a known name, found in_siz; did you mean in_size?\n"
            "/buffers/1/kernel: expected the name of a kernel, found sum_9\n"
            "/kernels/0/arguments/0/buffer: expected a container, a global buffer or \"result\", "
            "found tmp\n"
            "/kernels/1/arguments/1/parameter: expected a scalar parameter, found in");
}

TEST(Manifest, BuffersThatHoldZeros) {
  json document = documentOf("opencl_constraint");
  document["buffers"][0]["zeroed"] = 1;
  EXPECT_EQ(errorOf(document, "opencl_constraint"),
            "/buffers/0/zeroed: expected true or false, found the number 1");
  document["buffers"][0].erase("zeroed");
  document["buffers"][0]["exchanged"] = true;
  Result<Manifest> m =
      parseManifest(document.dump(), (testdata / "opencl_constraint/manifest.json").string());
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_TRUE(m->buffers.at(0).exchanged);
  document["buffers"][1]["zeroed"] = true; // local memory holds nothing before
  EXPECT_NE(errorOf(document, "opencl_constraint"), "");
}

TEST(Manifest, Contracts) {
  json document = documentOf("openmp_sum");
  document["shape"] = {{{"extent", "in_size"}, {"equals", "2 * (in_size / 2)"}}};
  document["data"] = {{{"parameter", "in"}, {"kind", "within"}, {"low", "0"}, {"high", "in_size"}},
                      {{"parameter", "in"}, {"kind", "ascending"}, {"low", "0"}, {"high", "7"}}};
  Result<Manifest> m =
      parseManifest(document.dump(), (testdata / "openmp_sum/manifest.json").string());
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->signature.shape.at(0).equals.text(), "2 * (in_size / 2)");
  EXPECT_EQ(m->signature.data.at(1).kind, DataContract::Kind::Ascending);
  EXPECT_EQ(m->signature.data.at(1).high.text(), "7");

  document["shape"][0] = {{"extent", "insize"}, {"equals", "p + 1"}};
  document["data"][0]["parameter"] = "result";
  document["data"][1]["low"] = "out_size";
  EXPECT_EQ(errorOf(document),
            "/shape/0/extent: expected an extent, found insize; did you mean in_size?\n"
            "/shape/0/equals: expected a known name, found p\n"
            "/data/0/parameter: expected a container of integers that is read, found result\n"
            "/data/1/low: expected a known name, found out_size");
  document["shape"][0] = {{"extent", "in_size"}, {"equals", "in_size +"}, {"else", 1}};
  document["data"] = {{{"parameter", "in"}, {"kind", "sorted"}, {"low", "0"}}};
  EXPECT_EQ(errorOf(document),
            "/shape/0/equals: expected an expression, found 'in_size +': expected a number, a name "
            "or '(' at column 10, found the end\n"
            "/shape/0/else: expected no such field, found the number 1\n"
            "/data/0/kind: expected \"within\" or \"ascending\", found the string \"sorted\"\n"
            "/data/0: expected a field \"high\", found none");
}

TEST(Manifest, ContradictionsInItself) {
  json document = documentOf("openmp_sum");
  document["tunables"].push_back(document["tunables"][0]);
  document["tunables"][0]["min"] = 9;
  document["tunables"][0]["max"] = 3;
  document["tunables"][1]["values"] = {0, 1};
  document["signature"]["parameters"].push_back(document["signature"]["parameters"][0]);
  document["signature"]["result"]["element"] = "f32";
  EXPECT_EQ(errorOf(document),
            "/signature/parameters/1/name: expected a name of its own, found in a second time\n"
            "/tunables/1/name: expected a name of its own, found p a second time\n"
            "/tunables/0/max: expected at least min, which is 9, found 3\n"
            "/tunables/1/values/0: expected a number in [min, max], found 0\n"
            "/rounding: expected an object with the depth of a floating-point result, found null");
}

TEST(Manifest, RankAndArguments) {
  json document = documentOf("opencl_sum");
  document["signature"]["parameters"][0]["rank"] = 2;
  document["kernels"][0]["arguments"][0] = {{"buffer", "in"}, {"scalar", "1"}};
  document["kernels"][1]["arguments"][0] = json::object();
  EXPECT_EQ(errorOf(document, "opencl_sum"),
            "/signature/parameters/0/rank: expected the number of extents, which is 1, found the "
            "number 2\n"
            "/kernels/0/arguments/0: expected one of \"buffer\", \"scalar\", \"parameter\" and "
            "\"counter\", found 2\n"
            "/kernels/1/arguments/0: expected one of \"buffer\", \"scalar\", \"parameter\" and "
            "\"counter\", found 0");
}

/// Rounds of the two kernels of opencl_sum, with an answer and two buffers to exchange.
json documentOfRounds() {
  json document = documentOf("opencl_sum");
  for (const char *name : {"goes_on", "one", "other"})
    document["buffers"].push_back(
        {{"name", name}, {"space", "global"}, {"element", "u32"}, {"count", "1"}});
  document["schedule"] = {
      {{"kernel", "sum_1"}},
      {{"for", "t"},
       {"element", "i32"},
       {"from", "0"},
       {"below", "in_size"},
       {"by", "2"},
       {"do",
        {{{"while", "goes_on"}, {"do", {{{"kernel", "sum_2"}}}}},
         {{"swap", {"one", "other"}}},
         {{"if", "goes_on"}, {"do", json::array()}, {"else", {{{"kernel", "sum_1"}}}}},
         {{"do_while", "goes_on"}, {"do", json::array()}}}}}};
  return document;
}

TEST(Manifest, Schedules) {
  Result<Manifest> m =
      parseManifest(documentOfRounds().dump(), (testdata / "opencl_sum/manifest.json").string());
  ASSERT_TRUE(m) << m.error().message;
  ASSERT_EQ(m->schedule.size(), 2U);
  EXPECT_EQ(m->schedule[0].kernel, 0U);
  const Step &counted = m->schedule[1];
  EXPECT_EQ(counted.kind, Step::Kind::For);
  EXPECT_EQ(counted.name, "t");
  EXPECT_EQ(counted.element, ir::Scalar::I32);
  EXPECT_EQ(counted.below.text(), "in_size");
  ASSERT_EQ(counted.steps.size(), 4U);
  EXPECT_EQ(counted.steps[0].kind, Step::Kind::While);
  EXPECT_EQ(counted.steps[0].steps[0].kernel, 1U);
  EXPECT_EQ(counted.steps[1].other, "other");
  EXPECT_EQ(counted.steps[2].otherwise[0].kernel, 0U);
  EXPECT_EQ(counted.steps[3].kind, Step::Kind::DoWhile);
  EXPECT_FALSE(counted.multiplies);
}

TEST(Manifest, SchedulesOfCountersThatMultiply) {
  json document = documentOfRounds();
  document["schedule"][1].erase("by");
  document["schedule"][1]["times"] = "2";
  Result<Manifest> m =
      parseManifest(document.dump(), (testdata / "opencl_sum/manifest.json").string());
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_TRUE(m->schedule[1].multiplies);
  EXPECT_EQ(m->schedule[1].by.text(), "2");
  document["schedule"][1]["times"] = "q";
  EXPECT_EQ(errorOf(document, "opencl_sum"),
            "/schedule/1/times: expected a known name, found q; did you mean p?");
}

TEST(Manifest, SchedulesThatCannotBe) {
  json document = documentOfRounds();
  document["schedule"][1]["do"][0]["do"][0]["kernel"] = "sum_3";
  document["schedule"][1]["do"][2]["if"] = "in";
  document["schedule"][1]["do"][1]["swap"] = {"one", "result"};
  document["schedule"][1]["from"] = "t";
  document["schedule"][1]["for"] = "p";
  EXPECT_EQ(errorOf(document, "opencl_sum"),
            "/schedule/1/from: expected a known name, found t; did you mean p?\n"
            "/schedule/1/for: expected a name of its own, found p a second time\n"
            "/schedule/1/do/0/do/0/kernel: expected the name of a kernel, found sum_3\n"
            "/schedule/1/do/1/swap: expected two global buffers of one size and type, found one "
            "and result\n"
            "/schedule/1/do/2/if: expected a global buffer of u32, found in\n"
            "/schedule: expected a launch of every kernel, found none of sum_2");
  document = documentOfRounds();
  document["schedule"][0] = {{"kernel", "sum_1"}, {"while", "goes_on"}, {"do", json::array()}};
  EXPECT_EQ(errorOf(document, "opencl_sum"),
            "/schedule/0: expected one of \"kernel\", \"for\", \"while\", \"do_while\", \"if\" and "
            "\"swap\", found 2");
  document = documentOfRounds();
  document["kernels"][0]["arguments"][1] = {{"counter", "t"}};
  EXPECT_EQ(
      errorOf(document, "opencl_sum"),
      "/kernels/0/arguments/1/counter: expected a counter of the schedule around it, found t");
}

TEST(Manifest, FilesAreThereAndInTheBundle) {
  json document = documentOf("openmp_sum");
  document["files"]["source"] = "gone.c";
  document["files"]["entry"] = "../openmp_sum/entry.c";
  document["files"]["reference"] = "/etc/passwd";
  EXPECT_EQ(errorOf(document),
            "/files/entry: expected the name of a file in the bundle, found "
            "../openmp_sum/entry.c\n"
            "/files/reference: expected the name of a file in the bundle, found /etc/passwd\n"
            "/files/source: expected a file in the bundle, found none called gone.c");
}

TEST(Manifest, TargetsNeedTheirOwnParts) {
  json document = documentOf("openmp_sum");
  document["files"].erase("entry");
  document["compile"].erase("openmp");
  EXPECT_EQ(errorOf(document), "/files: expected a field \"entry\", found none\n"
                               "/compile: expected a field \"openmp\", found none");
  document = documentOf("opencl_sum");
  document["kernels"] = json::array();
  EXPECT_EQ(errorOf(document, "opencl_sum"),
            "/kernels: expected at least one kernel, found an array");
}

/// `schema` with a reference to #/$defs resolved.
const json &resolved(const json &root, const json &schema) {
  auto reference = schema.find("$ref");
  return reference == schema.end()
             ? schema
             : root.at(json::json_pointer(reference->get<std::string>().substr(1)));
}

/// Break `document` at `at` in every way the schema forbids, and expect the reader to notice.
void breakEverywhere(const json &root, const json &schemaHere, const json &document,
                     const json::json_pointer &at, const std::string &bundle, int &broken) {
  const json &schema = resolved(root, schemaHere);
  const json &value = document.at(at);
  auto mustFail = [&](const json &changed, const std::string &how) {
    EXPECT_NE(errorOf(changed, bundle), "fine") << at << " " << how;
    ++broken;
  };
  json changed = document;
  changed[at] = value.is_boolean() ? json(1.5) : json(true);
  mustFail(changed, "of another type");
  for (const json &name : schema.value("required", json::array())) {
    if (!value.is_object())
      continue;
    changed = document;
    changed[at].erase(name.get<std::string>());
    mustFail(changed, "without " + name.get<std::string>());
  }
  if (value.is_object()) {
    changed = document;
    changed[at]["not_in_the_schema"] = 1;
    mustFail(changed, "with an unknown field");
    for (const auto &[name, field] : value.items()) {
      ASSERT_TRUE(schema.at("properties").contains(name)) << at << "/" << name;
      breakEverywhere(root, schema["properties"][name], document, at / name, bundle, broken);
    }
  }
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
    breakEverywhere(root, schema.at("items"), document, at / i, bundle, broken);
}

// The schema is what others validate with, the reader what counts: they must agree.
TEST(Manifest, ReaderRefusesWhatTheSchemaForbids) {
  Result<std::string> text = readTextFile(std::filesystem::path(TANGRAM_SOURCE_DIR) /
                                          "runtime/bundle/manifest.schema.json");
  ASSERT_TRUE(text);
  json schema = json::parse(*text);
  int broken = 0;
  for (const char *bundle : {"openmp_scale", "opencl_constraint", "openmp_float_sum"})
    breakEverywhere(schema, schema, documentOf(bundle), json::json_pointer(""), bundle, broken);
  json contracts = documentOf("openmp_sum");
  contracts["shape"] = {{{"extent", "in_size"}, {"equals", "in_size"}}};
  contracts["data"] = {{{"parameter", "in"}, {"kind", "within"}, {"low", "0"}, {"high", "1"}}};
  breakEverywhere(schema, schema, contracts, json::json_pointer(""), "openmp_sum", broken);
  breakEverywhere(schema, schema, documentOfRounds(), json::json_pointer(""), "opencl_sum", broken);
  EXPECT_GT(broken, 250);
}

} // namespace
} // namespace tangram::runtime
