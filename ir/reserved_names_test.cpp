#include "ir/reserved_names.h"

#include "ir/program.h"

#include <gtest/gtest.h>

namespace tangram::ir {
namespace {

TEST(ReservedNames, Variables) {
  for (const char *name : {"in", "thread", "part", "worker", "half1", "M", "in_size", "dot"})
    EXPECT_EQ(variableName(name), name);
  for (const char *name :
       {"half", "kernel", "restrict", "M_PI", "max_index", "get_local_id", "max"})
    EXPECT_EQ(variableName(name), std::string(name) + "_");
}

TEST(ReservedNames, Functions) {
  for (const char *name : {"keep", "plus", "sum", "model", "size"})
    EXPECT_FALSE(isReservedFunction(name)) << name;
  for (const char *name : {"min", "sqrtf", "clamp", "uint", "in_size", "a_size12", "native_sin"})
    EXPECT_TRUE(isReservedFunction(name)) << name;
}

TEST(ReservedNames, Spectrums) {
  EXPECT_EQ(identifierOf("transpose<int>"), "transpose_int");
  EXPECT_EQ(identifierOf("dot"), "dot");
  EXPECT_EQ(identifierOf("restrict"), "restrict_");
  EXPECT_EQ(identifierOf("exp"), "exp_");
  EXPECT_EQ(identifierOf("entry"), "entry_");
}

} // namespace
} // namespace tangram::ir
