#include "driver/input/depfile.h"

#include <gtest/gtest.h>

namespace tangram::driver {
namespace {

TEST(Depfile, NamesAreEscapedForMake) {
  EXPECT_EQ(depfileText("out/manifest.json", {"a b.cpp", "c#.h", "$d"}),
            "out/manifest.json: \\\n  a\\ b.cpp \\\n  c\\#.h \\\n  $$d\n");
}

} // namespace
} // namespace tangram::driver
