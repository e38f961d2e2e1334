#include "runtime/session/standard_error.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>

namespace tangram::runtime {
namespace {

TEST(StandardErrorCapture, TakesWhatIsWrittenWhileItLives) {
  testing::internal::CaptureStderr();
  std::fputs("before\n", stderr);
  {
    StandardErrorCapture capture;
    std::fputs("1 warning generated.\n", stderr);
    EXPECT_EQ(write(STDERR_FILENO, "and more\n\n", 10), 10);
    EXPECT_EQ(capture.take(), "1 warning generated.\nand more");
    std::fputs("taken\n", stderr);
  }
  {
    StandardErrorCapture dropped;
    std::fputs("dropped\n", stderr);
  }
  std::fputs("after\n", stderr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "before\ntaken\nafter\n");
}

} // namespace
} // namespace tangram::runtime
