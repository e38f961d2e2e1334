#include "codegen/bundle/bytes_moved.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// "read, written", of each container; "by values".
std::string uses(const std::string &codelet) {
  const ir::Program program = fixture::parse("__codelet " + codelet);
  const auto found = containerUses(program.spectrums[0].codelets[0]);
  if (!found)
    return "by values";
  std::string text;
  for (const ContainerUse &use : *found)
    text += std::string(text.empty() ? "" : "; ") + (use.read ? "read" : "") +
            (use.read && use.written ? " " : "") + (use.written ? "written" : "");
  return text;
}

TEST(ContainerUses, AnOutputIsNotReadUnlessItIs) {
  EXPECT_EQ(uses("void f(const Array<1, int> a, Array<1, int> b) {"
                 "  for (unsigned i = 0; i < a.size(); ++i) b[i] = a[i]; }"),
            "read; written");
  EXPECT_EQ(uses("void f(float s, const Array<1, float> a, Array<1, float> b) {"
                 "  for (unsigned i = 0; i < a.size(); ++i) b[i] += s * a[i]; }"),
            "read; read written");
  EXPECT_EQ(uses("void f(const Array<2, int> a, Array<1, int> b) {"
                 "  for (unsigned i = 0; i < b.size(); ++i) { auto row = a[i]; int s = 0;"
                 "    for (unsigned k = 0; k < row.size(); ++k) s += row[k]; b[i] = s; } }"),
            "read; written");
}

TEST(ContainerUses, WhatIsReadToDecideIsReadAnyway) {
  EXPECT_EQ(uses("int f(const Array<1, int> a) { int most = 0;"
                 "  for (unsigned i = 0; i < a.size(); ++i) if (a[i] > most) most = a[i];"
                 "  return most; }"),
            "read");
}

TEST(ContainerUses, ValuesDecide) {
  // A compaction, a search, a gather, a row as long as data says, an early return.
  EXPECT_EQ(
      uses("unsigned f(const Array<1, int> a, Array<1, int> b) { unsigned at = 0;"
           "  for (unsigned i = 0; i < a.size(); ++i) if (a[i] > 0) { b[at] = a[i]; at += 1; }"
           "  return at; }"),
      "by values");
  EXPECT_EQ(uses("int f(const Array<1, int> a) {"
                 "  for (unsigned i = 0; i < a.size(); ++i) if (a[i] > 0) return (int)i;"
                 "  return -1; }"),
            "by values");
  EXPECT_EQ(uses("void f(const Array<1, int> a, const Array<1, unsigned> at, Array<1, int> b) {"
                 "  for (unsigned i = 0; i < b.size(); ++i) b[i] = a[at[i]]; }"),
            "by values");
  EXPECT_EQ(uses("int f(const Array<1, int> a, const Array<1, unsigned> ends) { int s = 0;"
                 "  for (unsigned k = 0; k < ends[0]; ++k) s += a[k]; return s; }"),
            "by values");
  EXPECT_EQ(uses("void f(const Array<1, int> a, Array<1, int> b) {"
                 "  if (a[0] == 0) return;"
                 "  for (unsigned i = 0; i < b.size(); ++i) b[i] = 1; }"),
            "by values");
  EXPECT_EQ(uses("bool f(const Array<1, int> a) { bool ok = true;"
                 "  for (unsigned i = 0; i < a.size(); ++i) ok = ok && a[i] > 0; return ok; }"),
            "by values");
}

} // namespace
} // namespace tangram::codegen
