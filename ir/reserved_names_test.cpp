#include "ir/reserved_names.h"

#include "ir/program.h"

#include <gtest/gtest.h>

namespace tangram::ir {
namespace {

TEST(ReservedNames, Variables) {
  for (const char *name :
       {"in", "thread", "part", "worker", "half1", "M", "in_size", "dot", "write"})
    EXPECT_EQ(variableName(name), name);
  for (const char *name : {"half", "kernel", "restrict", "M_PI", "max_index", "get_local_id", "max",
                           "double4", "I", "errno", "requires", "fmin_f32", "load_float4",
                           "clCreateBuffer", "pthread_mutex_lock", "tangram_bytes"})
    EXPECT_EQ(variableName(name), std::string(name) + "_");
  EXPECT_EQ(variableName("a$b"), "a_b");
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
  EXPECT_EQ(identifierOf("a$b"), "a_b");
  for (const char *name :
       {"write", "read", "min_index", "timer", "sem", "fopen64", "double4", "stdin", "malloc"})
    EXPECT_EQ(identifierOf(name), std::string(name) + "_");
}

TEST(ReservedNames, SaysWhatIsWrongWithANameOfALibrary) {
  EXPECT_EQ(problemOfEntry("sum"), "");
  EXPECT_EQ(problemOfEntry("write"), "is a function of the C library");
  EXPECT_EQ(problemOfEntry("timer"), "makes timer_create, which is a function of the C library");
  EXPECT_EQ(problemOfEntry("atomic_condition"), "");
  EXPECT_EQ(problemOfEntry("atomic_add_f32"), "is a name of generated code");
  EXPECT_EQ(problemOfEntry("kernel"), "is a word or a macro of C, C++ or OpenCL C");
  EXPECT_EQ(problemOfEntry("_sum"), "begins with _, as names of compilers and C libraries do");
  EXPECT_EQ(problemOfEntry("reference"), "is a file of every bundle");
  EXPECT_EQ(problemOfEntry("tangram_sum"), "is a name of generated code");
  for (const char *name : {"", "a-b", "1d", "a b", "größe"})
    EXPECT_EQ(problemOfEntry(name),
              "is no name that C has for a function: letters, digits and _, no digit first");
}

} // namespace
} // namespace tangram::ir
