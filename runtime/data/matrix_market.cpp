#include "runtime/data/matrix_market.h"

#include "runtime/data/text_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace tangram::runtime {

namespace {

/// Larger ones are no text that anybody made.
constexpr std::uint64_t mostMatrixBytes = std::uint64_t{1} << 38;

using Words = std::vector<std::string_view>;

Words wordsOf(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\f\v";
  Words words;
  std::size_t at = line.find_first_not_of(blanks);
  while (at != std::string_view::npos) {
    std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

std::string lower(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// What a file has in place of what was expected; garbage may be long.
std::string found(std::string_view text) {
  constexpr std::size_t most = 40;
  return ", found " + (text.empty()
                           ? "nothing"
                           : std::string(text.substr(0, most)) + (text.size() > most ? "..." : ""));
}

template <class T> std::optional<T> integer(std::string_view word) {
  if (word.starts_with('+'))
    word.remove_prefix(1);
  T value{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    return std::nullopt;
  return value;
}

std::optional<double> real(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-"))
    word.remove_prefix(1);
  double value = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || word.empty())
    return std::nullopt;
  // Out of range is too large or too small; the latter rounds to 0.
  if (error == std::errc::result_out_of_range)
    value = std::strtod(std::string(word).c_str(), nullptr);
  else if (error != std::errc())
    return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

enum class Symmetry { General, Symmetric, Skew };

class Reader {
public:
  Reader(const std::string &text, const std::string &file) : text(text) { matrix.file = file; }

  Result<Matrix> read() {
    for (auto step : {&Reader::readBanner, &Reader::readSizes, &Reader::readEntries}) {
      if (Status status = (this->*step)(); !status)
        return status.error();
    }
    return std::move(matrix);
  }

private:
  Error error(const std::string &message) const {
    return inputError(matrix.file + ":" + std::to_string(line) + ": " + message);
  }

  /// The next line, whatever is in it; nothing at the end.
  std::optional<std::string_view> nextLine() {
    if (at >= text.size())
      return std::nullopt;
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view content(text.data() + at, end - at);
    at = end + 1;
    ++line;
    return content;
  }

  /// The words of the next line that has some and is no comment; none at the end.
  Words nextWords() {
    while (std::optional<std::string_view> content = nextLine()) {
      if (content->starts_with('%'))
        continue;
      if (Words words = wordsOf(*content); !words.empty())
        return words;
    }
    return {};
  }

  Status readBanner() {
    Words words = wordsOf(nextLine().value_or(""));
    line = 1;
    if (words.empty() || lower(words[0]) != "%%matrixmarket")
      return error("expected %%MatrixMarket" + found(words.empty() ? "" : words[0]));
    words.resize(std::max<std::size_t>(words.size(), 5));
    if (lower(words[1]) != "matrix")
      return error("expected matrix after %%MatrixMarket" + found(words[1]));
    if (Status status = readFormat(lower(words[2]), lower(words[3])); !status)
      return status;
    if (Status status = readSymmetry(lower(words[4])); !status)
      return status;
    return words.size() == 5 ? ok()
                             : Status(error("expected the end of the line" + found(words[5])));
  }

  Status readFormat(const std::string &format, const std::string &field) {
    if (format != "coordinate" && format != "array")
      return error("expected coordinate or array" + found(format));
    matrix.dense = format == "array";
    if (field == "complex")
      return error("complex matrices are not supported, expected real, integer or pattern");
    if (field != "real" && field != "double" && field != "integer" && field != "pattern")
      return error("expected real, integer or pattern" + found(field));
    pattern = field == "pattern";
    if (pattern && matrix.dense)
      return error("an array has values, expected real or integer, found pattern");
    matrix.integer = pattern || field == "integer";
    return ok();
  }

  Status readSymmetry(const std::string &word) {
    if (word == "hermitian")
      return error("Hermitian matrices are not supported, expected general, symmetric or "
                   "skew-symmetric");
    if (word != "general" && word != "symmetric" && word != "skew-symmetric")
      return error("expected general, symmetric or skew-symmetric" + found(word));
    symmetry = word == "general"     ? Symmetry::General
               : word == "symmetric" ? Symmetry::Symmetric
                                     : Symmetry::Skew;
    if (pattern && symmetry == Symmetry::Skew)
      return error("a pattern has no signs, expected general or symmetric, found skew-symmetric");
    return ok();
  }

  Status readSizes() {
    Words words = nextWords();
    const std::size_t wanted = matrix.dense ? 2 : 3;
    const std::string what = matrix.dense ? "rows and columns" : "rows, columns and entries";
    if (words.empty())
      return inputError(matrix.file + ": expected a line with " + what + ", found the end");
    std::vector<std::uint64_t> numbers;
    for (std::string_view word : words) {
      std::optional<std::uint64_t> number = integer<std::uint64_t>(word);
      if (!number)
        return error("expected " + what + ", integers of at most 64 bits" + found(word));
      numbers.push_back(*number);
    }
    if (numbers.size() != wanted)
      return error("expected " + std::to_string(wanted) + " integers, " + what + ", found " +
                   std::to_string(numbers.size()));
    matrix.rows = numbers[0];
    matrix.columns = numbers[1];
    if (symmetry != Symmetry::General && matrix.rows != matrix.columns)
      return error("a symmetric matrix is square, found " + std::to_string(matrix.rows) +
                   " rows and " + std::to_string(matrix.columns) + " columns");
    return matrix.dense ? countDense() : count(numbers[2]);
  }

  Status count(std::uint64_t entries) {
    expected = entries;
    // A line has two characters at least: a file cannot make us reserve more than it could hold.
    reserve(std::min<std::uint64_t>(entries, text.size() / 2));
    return ok();
  }

  /// How many values an array file has: those below the diagonal only, when they say it all.
  Status countDense() {
    std::uint64_t all = 0;
    if (__builtin_mul_overflow(matrix.rows, matrix.columns, &all))
      return error("a matrix of " + std::to_string(matrix.rows) + " rows and " +
                   std::to_string(matrix.columns) +
                   " columns has more entries than fit in 64 bits");
    if (symmetry == Symmetry::Symmetric)
      all = (all - matrix.rows) / 2 + matrix.rows;
    else if (symmetry == Symmetry::Skew)
      all = (all - matrix.rows) / 2;
    return count(all);
  }

  void reserve(std::uint64_t entries) {
    const std::uint64_t all = symmetry == Symmetry::General ? entries : 2 * entries;
    matrix.row.reserve(all);
    matrix.column.reserve(all);
    matrix.integer ? matrix.integers.reserve(all) : matrix.reals.reserve(all);
  }

  Status readEntries() {
    if (matrix.dense)
      startColumn(0);
    std::uint64_t seen = 0;
    for (Words words = nextWords(); !words.empty(); words = nextWords()) {
      if (seen++ == expected)
        return error("expected the end after " + std::to_string(expected) + " entries" +
                     found(words[0]));
      Status status = matrix.dense ? readValueOfArray(words) : readCoordinates(words);
      if (!status)
        return status;
    }
    if (seen != expected)
      return inputError(matrix.file + ": expected " + std::to_string(expected) +
                        (expected == 1 ? " entry" : " entries") + ", found " +
                        std::to_string(seen));
    return ok();
  }

  Status readCoordinates(const Words &words) {
    const std::size_t wanted = pattern ? 2 : 3;
    if (words.size() < wanted)
      return error(std::string("expected ") +
                   (pattern ? "row and column" : "row, column and value") + ", found " +
                   std::to_string(words.size()) + (words.size() == 1 ? " word" : " words"));
    if (words.size() > wanted)
      return error("expected the end of the line" + found(words[wanted]));
    std::optional<std::uint64_t> row = integer<std::uint64_t>(words[0]);
    std::optional<std::uint64_t> column = integer<std::uint64_t>(words[1]);
    if (!row || *row == 0 || *row > matrix.rows)
      return error("expected a row from 1 to " + std::to_string(matrix.rows) + found(words[0]));
    if (!column || *column == 0 || *column > matrix.columns)
      return error("expected a column from 1 to " + std::to_string(matrix.columns) +
                   found(words[1]));
    if (symmetry != Symmetry::General && *row < *column)
      return error("a symmetric file has entries on and below the diagonal, found row " +
                   std::to_string(*row) + ", column " + std::to_string(*column));
    if (symmetry == Symmetry::Skew && *row == *column)
      return error("a skew-symmetric file has no entries on the diagonal, found row " +
                   std::to_string(*row) + ", column " + std::to_string(*column));
    return add(*row - 1, *column - 1, pattern ? "1" : words[2]);
  }

  /// Arrays stand column by column.
  Status readValueOfArray(const Words &words) {
    if (words.size() > 1)
      return error("expected one value a line" + found(words[1]));
    Status status = add(arrayRow, arrayColumn, words[0]);
    if (++arrayRow == matrix.rows)
      startColumn(arrayColumn + 1);
    return status;
  }

  void startColumn(std::uint64_t column) {
    arrayColumn = column;
    arrayRow = symmetry == Symmetry::General     ? 0
               : symmetry == Symmetry::Symmetric ? column
                                                 : column + 1;
  }

  /// One entry, and its mirror image.
  Status add(std::uint64_t row, std::uint64_t column, std::string_view value) {
    if (matrix.integer) {
      std::optional<std::int64_t> number = integer<std::int64_t>(value);
      if (!number || (symmetry == Symmetry::Skew && *number == INT64_MIN))
        return error("expected an integer of at most 64 bits" + found(value));
      append(row, column, matrix.integers, *number);
    } else {
      std::optional<double> number = real(value);
      if (!number)
        return error("expected a number that float64 holds" + found(value));
      append(row, column, matrix.reals, *number);
    }
    return ok();
  }

  template <class T>
  void append(std::uint64_t row, std::uint64_t column, std::vector<T> &values, T value) {
    auto put = [&](std::uint64_t r, std::uint64_t c, T v) {
      matrix.row.push_back(r);
      matrix.column.push_back(c);
      values.push_back(v);
    };
    put(row, column, value);
    if (symmetry != Symmetry::General && row != column)
      put(column, row, symmetry == Symmetry::Skew ? -value : value);
  }

  const std::string &text;
  std::size_t at = 0;
  std::uint64_t line = 0;
  Matrix matrix;
  Symmetry symmetry = Symmetry::General;
  bool pattern = false;
  std::uint64_t expected = 0;
  std::uint64_t arrayRow = 0, arrayColumn = 0;
};

} // namespace

Result<Matrix> parseMatrixMarket(const std::string &text, const std::string &file) {
  try {
    return Reader(text, file).read();
  } catch (const std::bad_alloc &) {
    return refusal(file + ": does not fit in memory");
  }
}

Result<Matrix> readMatrixMarket(const std::filesystem::path &file) {
  Result<std::string> text = readTextFile(file, mostMatrixBytes);
  if (!text)
    return text.error();
  return parseMatrixMarket(*text, file.string());
}

} // namespace tangram::runtime
