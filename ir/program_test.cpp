#include "ir/program.h"

#include <gtest/gtest.h>

namespace tangram::ir {

namespace {

Program programOf(const std::vector<std::string> &names) {
  Program program;
  for (const std::string &name : names) {
    program.spectrums.emplace_back();
    program.spectrums.back().name = name;
  }
  return program;
}

} // namespace

TEST(Program, SpectrumsByName) {
  Program program = programOf(
      {"sum<float>", "sum<int>", "dot", "dot<int>", "reduce<unsigned char, plus<unsigned char>>"});
  auto meant = [&](const std::string &name) {
    const Spectrum *found = program.spectrum(name);
    return found != nullptr ? found->name : "none";
  };
  EXPECT_EQ(meant("sum<int>"), "sum<int>");
  EXPECT_EQ(meant("sum"), "sum<float>"); // the first instance
  EXPECT_EQ(meant("dot"), "dot");
  EXPECT_EQ(meant("reduce< unsigned char,plus<unsigned char> >"),
            "reduce<unsigned char, plus<unsigned char>>");
  EXPECT_EQ(meant("su"), "none");
  EXPECT_EQ(meant("sum<double>"), "none");
  EXPECT_EQ(meant(""), "none");
}

TEST(Program, InstancesOfATemplateByName) {
  Program program = programOf({"sum<float>", "sum<int>", "summed<int>", "dot<int>", "dot"});
  auto meant = [&](const std::string &name) {
    std::string all;
    for (const Spectrum *each : program.spectrumsNamed(name))
      all += each->name + ";";
    return all;
  };
  EXPECT_EQ(meant("sum"), "sum<float>;sum<int>;");
  EXPECT_EQ(meant("sum< int >"), "sum<int>;");
  EXPECT_EQ(meant("dot"), "dot;dot<int>;");
  EXPECT_EQ(meant("su"), "");
}

TEST(Program, IdentifiersOfSpectrums) {
  EXPECT_EQ(identifierOf("sum"), "sum");
  EXPECT_EQ(identifierOf("sum_"), "sum_");
  EXPECT_EQ(identifierOf("sum<float>"), "sum_float");
  EXPECT_EQ(identifierOf("reduce<int, plus<int>, zero<int>>"), "reduce_int_plus_int_zero_int");
  EXPECT_EQ(identifierOf("f<-1>"), "f_1");
}

} // namespace tangram::ir
