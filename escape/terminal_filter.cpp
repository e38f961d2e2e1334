#include "escape/terminal_filter.h"

#include "escape/code_points.h"
#include "escape/escape.h"

namespace tangram::escape {

TerminalFilter::TerminalFilter(std::ostream &stream) : stream_(stream), behind_(stream.rdbuf()) {
  stream_.rdbuf(this);
}

TerminalFilter::~TerminalFilter() {
  print(unfinished_);
  const auto state = stream_.rdstate();
  stream_.rdbuf(behind_);
  stream_.setstate(state);
}

bool TerminalFilter::print(std::string_view text) {
  const std::string safe = terminal(text);
  return behind_->sputn(safe.data(), static_cast<std::streamsize>(safe.size())) ==
         static_cast<std::streamsize>(safe.size());
}

TerminalFilter::int_type TerminalFilter::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof()))
    return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize TerminalFilter::xsputn(const char *text, std::streamsize count) {
  std::string all = std::move(unfinished_);
  all.append(text, static_cast<std::size_t>(count));
  const std::size_t kept = unfinishedAtEnd(all);
  unfinished_ = all.substr(all.size() - kept);
  all.resize(all.size() - kept);
  return print(all) ? count : 0;
}

int TerminalFilter::sync() { return behind_->pubsync(); }

} // namespace tangram::escape
