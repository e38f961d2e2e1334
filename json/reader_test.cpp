#include "json/reader.h"

#include <gtest/gtest.h>

namespace tangram::json {
namespace {

using Texts = std::vector<std::string>;

struct Told : Report {
  Texts all;
  void problem(const std::string &pointer, const std::string &message) override {
    all.push_back(pointer + ": " + message);
  }
  std::string describe(const Json &value) const override { return shown(value); }
};

class Reading : public ::testing::Test {
protected:
  Told told;
  Json document;

  Value value(const std::string &text) {
    document = std::get<Json>(parse(text));
    return {&document, "", told};
  }
};

TEST_F(Reading, WhatIsRightIsRead) {
  Object object(value(R"({"name": "x", "count": 3, "list": ["a", "b"]})"));
  EXPECT_EQ(object.required("name").string(), "x");
  EXPECT_EQ(object.required("count").number(), 3U);
  EXPECT_EQ(object.optional("list").strings(), (Texts{"a", "b"}));
  EXPECT_TRUE(object.optional("absent").missing());
  object.finish();
  EXPECT_EQ(told.all, Texts());
}

TEST_F(Reading, AllMistakesAreReportedAtOnce) {
  Object object(value(
      R"({"naem": "x", "count": -1, "list": ["a", 1], "empty": "", "a/b~": 0, "counts": 1})"));
  EXPECT_EQ(object.required("name").string(), "");
  EXPECT_EQ(object.required("count").number(), 0U);
  EXPECT_EQ(object.required("list").strings(), (Texts{"a", ""}));
  EXPECT_EQ(object.required("empty").nonEmptyString(), "");
  EXPECT_EQ(object.optional("a/b~").string(), "");
  object.finish();
  EXPECT_EQ(told.all, (Texts{": expected a field \"name\", found none",
                             "/count: expected an integer, 0 or more, found -1",
                             "/list/1: expected a string, found 1",
                             "/empty: expected a string that is not empty, found \"\"",
                             "/a~1b~0: expected a string, found 0",
                             "/counts: expected no such field, found 1; did you mean \"count\"?",
                             "/naem: expected no such field, found \"x\""}));
}

TEST_F(Reading, WhatIsNoObjectHasNoFields) {
  Object object(value("[]"));
  EXPECT_TRUE(object.required("name").missing());
  object.finish();
  EXPECT_EQ(told.all, Texts{": expected an object, found an empty array"});
}

TEST(Parsing, SaysWhereAndWhy) {
  const auto cut = parse("{\"a\":\n 1");
  ASSERT_TRUE(std::holds_alternative<Failure>(cut));
  EXPECT_EQ(std::get<Failure>(cut).text.substr(0, 37), "line 2, column 3: syntax error while ");
  const auto large = parse("1e999");
  ASSERT_TRUE(std::holds_alternative<Failure>(large));
  EXPECT_FALSE(std::get<Failure>(large).syntax);
}

TEST(Parsing, RefusesWhatIsNestedTooDeep) {
  const auto nested = [](std::size_t depth) {
    return "{\"[[\\\"\":\n" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
  };
  EXPECT_TRUE(std::holds_alternative<Json>(parse(nested(mostNesting))));
  for (const std::size_t depth : {mostNesting + 1, std::size_t{1000000}}) {
    const auto deep = parse(nested(depth));
    ASSERT_TRUE(std::holds_alternative<Failure>(deep));
    EXPECT_EQ(std::get<Failure>(deep).text,
              "line 2, column 256: arrays and objects nested deeper than 256");
  }
}

TEST(Parsing, NamesKeysThatStandTwice) {
  Texts twice;
  parse(R"({"a": [0, {"b": 1, "b": 2}], "a": 3})",
        [&](const std::string &at, const std::string &key) { twice.push_back(at + " " + key); });
  EXPECT_EQ(twice, (Texts{"/a/1/b b", "/a a"}));
}

TEST(Showing, ValuesInMessages) {
  EXPECT_EQ(shown("x"), "\"x\"");
  EXPECT_EQ(shown(std::string(80, 'x')), "a long string");
  EXPECT_EQ(shown(Json::array({1})), "an array");
  EXPECT_EQ(shownWithKind("x"), "the string \"x\"");
  EXPECT_EQ(shownWithKind(3), "the number 3");
  EXPECT_EQ(shownWithKind(nullptr), "null");
}

} // namespace
} // namespace tangram::json
