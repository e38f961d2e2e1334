#include "driver/text/known_errors.h"

#include "driver/text/errors_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace tangram::driver {

namespace {

constexpr std::string_view heading = "## ", message = "<!-- message: ", comment = "<!-- ",
                           end = " -->", fence = "```";

/// The page as entries: headings, comments that hold messages, and text, in which examples move to the right.
std::vector<KnownError> readPage(const std::string &page) {
  std::vector<KnownError> errors;
  std::istringstream lines(page);
  bool isCode = false;
  for (std::string line; std::getline(lines, line);) {
    if (!isCode && line.starts_with(heading)) {
      const std::size_t colon = line.find(": ");
      errors.push_back(
          {line.substr(heading.size(), colon - heading.size()), line.substr(colon + 2), {}, ""});
    } else if (errors.empty()) {
      continue;
    } else if (line.starts_with(message)) {
      errors.back().messages.push_back(
          line.substr(message.size(), line.size() - message.size() - end.size()));
    } else if (line.starts_with(fence)) {
      isCode = !isCode;
      if (isCode && !errors.back().text.ends_with("\n\n"))
        errors.back().text += "\n";
    } else if (!line.starts_with(comment)) {
      errors.back().text += (isCode && !line.empty() ? "    " : "") + line + "\n";
    }
  }
  for (KnownError &each : errors)
    each.text.erase(each.text.find_last_not_of('\n') + 2);
  return errors;
}

/// Whether a line contains the parts of a pattern between its *, in this order.
bool contains(std::string_view line, std::string_view pattern) {
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const std::size_t found = line.find(part);
    if (found == std::string_view::npos)
      return false;
    if (star == std::string_view::npos)
      return true;
    line.remove_prefix(found + part.size());
    pattern.remove_prefix(star + 1);
  }
}

std::string inCapitals(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

} // namespace

const std::vector<KnownError> &knownErrors() {
  static const std::vector<KnownError> errors = readPage(errorsPage);
  return errors;
}

const KnownError *errorIn(std::string_view line) {
  for (const KnownError &each : knownErrors()) {
    if (std::ranges::any_of(each.messages,
                            [&](const std::string &pattern) { return contains(line, pattern); }))
      return &each;
  }
  return nullptr;
}

std::string ErrorNumbers::after(std::string_view line) {
  const KnownError *known = errorIn(line);
  return known && said_.insert(known->number).second
             ? " [" + command_ + " explain " + known->number + "]"
             : "";
}

NumberedErrors::NumberedErrors(std::ostream &stream, const std::string &command)
    : stream_(stream), behind_(stream.rdbuf()), numbers_(command) {
  stream_.rdbuf(this);
}

NumberedErrors::~NumberedErrors() {
  const auto state = stream_.rdstate();
  stream_.rdbuf(behind_);
  stream_.setstate(state);
}

bool NumberedErrors::print(std::string_view text) {
  return behind_->sputn(text.data(), static_cast<std::streamsize>(text.size())) ==
         static_cast<std::streamsize>(text.size());
}

NumberedErrors::int_type NumberedErrors::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof()))
    return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize NumberedErrors::xsputn(const char *text, std::streamsize count) {
  std::string_view rest(text, static_cast<std::size_t>(count));
  bool isPrinted = true;
  for (auto at = rest.find('\n'); at != std::string_view::npos; at = rest.find('\n')) {
    line_ += rest.substr(0, at);
    isPrinted &= print(rest.substr(0, at)) && print(numbers_.after(line_)) && print("\n");
    line_.clear();
    rest.remove_prefix(at + 1);
  }
  line_ += rest;
  return print(rest) && isPrinted ? count : 0;
}

int NumberedErrors::sync() { return behind_->pubsync(); }

int explainCommand(const std::string &number, std::ostream &out, std::ostream &err) {
  if (number.empty()) {
    for (const KnownError &each : knownErrors())
      out << each.number << "  " << each.title << "\n";
    return 0;
  }
  const auto known = std::ranges::find(knownErrors(), inCapitals(number), &KnownError::number);
  if (known == knownErrors().end()) {
    err << "error: no message has the number '" << number
        << "'; `explain` lists those that have one\n";
    return 2;
  }
  out << known->number << ": " << known->title << "\n\n" << known->text;
  return 0;
}

} // namespace tangram::driver
