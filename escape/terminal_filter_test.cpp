#include "escape/terminal_filter.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tangram::escape {
namespace {

TEST(TerminalFilter, PrintsWhatIsPrintable) {
  std::ostringstream out;
  {
    TerminalFilter filter(out);
    out << "a\033[2Jb\n" << '\xe2' << std::flush << '\x82' << "\xac" << 3 << "\xff" << '\xe2';
    out.flush();
  }
  EXPECT_EQ(out.str(), "a\\x1b[2Jb\n\xe2\x82\xac"
                       "3\\xff\\xe2");
  out << "\033";
  EXPECT_EQ(out.str().back(), '\033');
}

TEST(TerminalFilter, TellsThatNothingCanBeWritten) {
  std::ofstream out("/dev/full");
  const TerminalFilter filter(out);
  out << "lost" << std::flush;
  EXPECT_FALSE(out.good());
}

} // namespace
} // namespace tangram::escape
