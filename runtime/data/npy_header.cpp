#include "runtime/data/npy_header.h"

#include <bit>
#include <cctype>
#include <optional>

namespace tangram::runtime {

namespace {

constexpr char nativeOrder = std::endian::native == std::endian::little ? '<' : '>';

class HeaderParser {
public:
  explicit HeaderParser(const std::string &text) : text(text) {}

  Result<NpyHeader> parse() {
    if (!take('{'))
      return expected("'{'");
    while (!take('}')) {
      std::optional<std::string> key = quoted();
      if (!key)
        return expected("a key");
      if (!take(':'))
        return expected("':'");
      if (!entry(*key))
        return inputError(error);
      if (!take(',') && peek() != '}')
        return expected("',' or '}'");
    }
    if (peek() != '\0')
      return expected("the end");
    for (const auto &[seen, key] :
         {std::pair{sawDescr, "descr"}, {sawOrder, "fortran_order"}, {sawShape, "shape"}}) {
      if (!seen)
        return inputError(std::string("the header has no '") + key + "'");
    }
    return header;
  }

private:
  bool entry(const std::string &key) {
    if (key == "descr")
      return sawDescr = descr();
    if (key == "fortran_order")
      return sawOrder = boolean();
    if (key == "shape")
      return sawShape = tuple();
    error = "the header has an unknown key '" + key + "'";
    return false;
  }

  bool descr() {
    if (peek() == '[') {
      error = "it holds records, expected numbers";
      return false;
    }
    std::optional<std::string> type = quoted();
    if (!type)
      return fail("a quoted element type");
    std::string code = *type;
    if (!code.empty() && std::string("<>|=").find(code[0]) != std::string::npos) {
      header.swapped = (code[0] == '<' || code[0] == '>') && code[0] != nativeOrder;
      code.erase(0, 1);
    }
    header.element = elementCoded(code);
    if (header.element != ir::Scalar::Void)
      return true;
    error = "it holds elements of type '" + *type +
            "', expected bool, integers of 8 to 64 bits, float32 or float64";
    return false;
  }

  static ir::Scalar elementCoded(const std::string &code) {
    if (code == "b1")
      return ir::Scalar::Bool;
    if (code.size() != 2 || std::string("iuf").find(code[0]) == std::string::npos)
      return ir::Scalar::Void;
    // "i4" is i32, "f8" is f64: bytes against bits. Kernels may have halves, containers do not.
    const ir::Scalar element = ir::scalarNamed(code[0] + std::to_string((code[1] - '0') * 8));
    return element == ir::Scalar::F16 ? ir::Scalar::Void : element;
  }

  bool boolean() {
    if (takeWord("True"))
      return header.fortranOrder = true;
    if (takeWord("False"))
      return true;
    return fail("True or False");
  }

  bool tuple() {
    if (!take('('))
      return fail("'('");
    while (!take(')')) {
      if (!std::isdigit(static_cast<unsigned char>(peek())))
        return fail("an extent");
      std::uint64_t extent = 0;
      for (; std::isdigit(static_cast<unsigned char>(current())); ++at) {
        auto digit = static_cast<std::uint64_t>(current() - '0');
        if (extent > (UINT64_MAX - digit) / 10) {
          error = "an extent does not fit in 64 bits";
          return false;
        }
        extent = extent * 10 + digit;
      }
      if (current() == 'L') // written by Python 2
        ++at;
      header.shape.push_back(extent);
      if (!take(',') && peek() != ')')
        return fail("',' or ')'");
    }
    return true;
  }

  std::optional<std::string> quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    std::size_t end = text.find(quote, at + 1);
    if (end == std::string::npos)
      return std::nullopt;
    std::string word = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return word;
  }

  char current() const { return at < text.size() ? text[at] : '\0'; }

  char peek() {
    while (std::isspace(static_cast<unsigned char>(current())))
      ++at;
    return current();
  }

  bool take(char c) {
    if (peek() != c)
      return false;
    ++at;
    return true;
  }

  bool takeWord(const std::string &word) {
    peek();
    if (text.compare(at, word.size(), word) != 0)
      return false;
    at += word.size();
    return true;
  }

  bool fail(const std::string &what) {
    char found = peek();
    error = "the header is malformed: expected " + what + " at column " + std::to_string(at + 1) +
            ", found " +
            (found == '\0' ? "the end"
             : std::isprint(static_cast<unsigned char>(found))
                 ? "'" + std::string(1, found) + "'"
                 : "byte " + std::to_string(static_cast<unsigned char>(found)));
    return false;
  }

  Error expected(const std::string &what) {
    fail(what);
    return inputError(error);
  }

  const std::string &text;
  std::size_t at = 0;
  NpyHeader header;
  bool sawDescr = false, sawOrder = false, sawShape = false;
  std::string error;
};

} // namespace

Result<NpyHeader> parseNpyHeader(const std::string &text) { return HeaderParser(text).parse(); }

std::string shapeText(const std::vector<std::uint64_t> &shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string npyHeaderText(ir::Scalar element, const std::vector<std::uint64_t> &shape) {
  std::size_t bytes = ir::byteSize(element);
  char kind = element == ir::Scalar::Bool ? 'b'
              : ir::isFloating(element)   ? 'f'
              : ir::isSigned(element)     ? 'i'
                                          : 'u';
  std::string code = std::string(1, bytes == 1 ? '|' : nativeOrder) + kind + std::to_string(bytes);
  return "{'descr': '" + code + "', 'fortran_order': False, 'shape': " + shapeText(shape) + ", }";
}

} // namespace tangram::runtime
