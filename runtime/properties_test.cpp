// Properties of what the runtime reads, writes and solves, on random values (RapidCheck). A
// failure prints the case, shrunk, and RC_PARAMS="seed=..." that repeats it.
#include "runtime/bundle/expression.h"
#include "runtime/data/data_contract.h"
#include "runtime/data/extents.h"
#include "runtime/data/generate.h"
#include "runtime/data/matrix_arrays.h"
#include "runtime/data/npy.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

namespace tangram::runtime {
namespace {

std::uint64_t below(std::uint64_t bound) { return *rc::gen::inRange<std::uint64_t>(0, bound); }

// Expressions

/// An expression, and its value in wide arithmetic; nothing when some step leaves [0, 2^64).
struct Case {
  std::string text;
  std::optional<__int128> value;
};

std::optional<__int128> inRange(__int128 value) {
  return value < 0 || value > static_cast<__int128>(UINT64_MAX) ? std::nullopt
                                                                : std::optional(value);
}

std::optional<__int128> applied(const std::string &op, __int128 a, __int128 b) {
  if (op == "+")
    return inRange(a + b);
  if (op == "-")
    return inRange(a - b);
  if (op == "*") {
    __int128 product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::nullopt : inRange(product);
  }
  if (op == "/" || op == "%")
    return b == 0 ? std::nullopt : std::optional(op == "/" ? a / b : a % b);
  if (op == "<")
    return a < b;
  if (op == ">=")
    return a >= b;
  return op == "==" ? a == b : a != b;
}

Case randomExpression(int depth, const Bindings &bindings) {
  if (depth == 0 || below(4) == 0) {
    if (below(2) == 0) {
      const std::uint64_t number = below(3) == 0 ? *rc::gen::arbitrary<std::uint64_t>() : below(20);
      return {std::to_string(number), number};
    }
    auto chosen = *rc::gen::elementOf(std::vector<std::pair<std::string, std::uint64_t>>(
        bindings.values.begin(), bindings.values.end()));
    return {chosen.first, chosen.second};
  }
  Case a = randomExpression(depth - 1, bindings), b = randomExpression(depth - 1, bindings);
  const auto op = *rc::gen::element<std::string>("+", "-", "*", "/", "%", "<",
                                                 ">=", "==", "!=", "min", "max", "?:");
  if (op == "min" || op == "max") {
    std::optional<__int128> value;
    if (a.value && b.value)
      value = op == "min" ? std::min(*a.value, *b.value) : std::max(*a.value, *b.value);
    return {op + "(" + a.text + ", " + b.text + ")", value};
  }
  if (op == "?:") {
    // Only the side that is chosen counts.
    Case c = randomExpression(depth - 1, bindings);
    std::optional<__int128> value;
    if (a.value)
      value = *a.value != 0 ? b.value : c.value;
    return {"(" + a.text + " ? " + b.text + " : " + c.text + ")", value};
  }
  std::optional<__int128> value;
  if (a.value && b.value)
    value = applied(op, *a.value, *b.value);
  const std::string blank = below(2) == 0 ? " " : "";
  return {"(" + a.text + blank + op + blank + b.text + ")", value};
}

RC_GTEST_PROP(ExpressionProperties, EvaluateAsWideArithmeticDoes, ()) {
  const Bindings bindings{
      {{"n", below(100)}, {"in_size", *rc::gen::arbitrary<std::uint64_t>()}, {"p", 0}}, {}};
  const Case c = randomExpression(4, bindings);
  Result<Expression> e = Expression::parse(c.text);
  RC_ASSERT(static_cast<bool>(e));
  Result<std::uint64_t> value = e->evaluate(bindings);
  RC_ASSERT(static_cast<bool>(value) == c.value.has_value());
  if (value)
    RC_ASSERT(*value == static_cast<std::uint64_t>(c.value.value_or(0)));
}

RC_GTEST_PROP(ExpressionProperties, AnyTextIsParsedOrRefused, (const std::string &text)) {
  Result<Expression> e = Expression::parse(text);
  if (!e)
    RC_ASSERT(!e.error().message.empty());
}

RC_GTEST_PROP(ExpressionProperties, LinearFormsAgreeWithValues, ()) {
  const Bindings bindings{{{"n", 1 + below(9)}}, {}};
  Bindings all = bindings;
  all.values["x"] = below(1000);
  const Case c = randomExpression(3, all);
  Expression e = *Expression::parse(c.text);
  std::optional<Linear> line = e.linearIn("x", bindings);
  Result<std::uint64_t> value = e.evaluate(all);
  if (line && value)
    RC_ASSERT(line->factor * static_cast<__int128>(all.values["x"]) + line->offset ==
              static_cast<__int128>(*value));
}

// Sizes

RC_GTEST_PROP(ExtentProperties, WhatOneFileLeavesOpenIsSolved, ()) {
  // e0 is anything, e(i) == a * e(j) + b for some j < i: any one of them gives all the others.
  const std::size_t count = 2 + below(5);
  Signature s;
  std::vector<std::uint64_t> sizes{below(50)};
  auto nameOf = [](std::size_t i) { return "e" + std::to_string(i); };
  for (std::size_t i = 0; i < count; ++i) {
    s.parameters.push_back(
        {"c" + std::to_string(i), true, ir::Scalar::I32, Access::In, {nameOf(i)}});
    if (i == 0)
      continue;
    const std::size_t j = below(i);
    const std::uint64_t a = 1 + below(4), b = below(10);
    s.shape.push_back({nameOf(i), *Expression::parse(std::to_string(a) + " * " + nameOf(j) + " + " +
                                                     std::to_string(b))});
    sizes.push_back(a * sizes[j] + b);
  }
  std::shuffle(s.shape.begin(), s.shape.end(), std::mt19937(below(1000)));
  // From the last in a chain the others follow only if it depends on them; the first always gives all.
  const std::size_t given = below(count);
  Extents extents(s, {});
  RC_ASSERT(static_cast<bool>(extents.fix(nameOf(given), sizes[given], "a.npy")));
  RC_ASSERT(static_cast<bool>(extents.derive()));
  RC_ASSERT(
      static_cast<bool>(extents.complete([&](const std::string &) { return sizes[0]; }, "x")));
  for (std::size_t i = 0; i < count; ++i)
    RC_ASSERT(extents.values().at(nameOf(i)) == sizes[i]);
  // One too many of anything is a contradiction.
  Extents wrong(s, {});
  RC_ASSERT(static_cast<bool>(wrong.fix(nameOf(0), sizes[0], "a.npy")));
  RC_ASSERT(static_cast<bool>(wrong.fix(nameOf(count - 1), sizes[count - 1] + 1, "b.npy")));
  RC_ASSERT(!wrong.derive());
}

// Generated data

RC_GTEST_PROP(GeneratedProperties, ElementsObeyTheirContracts, ()) {
  const auto element = *rc::gen::element(ir::Scalar::U8, ir::Scalar::I16, ir::Scalar::I32,
                                         ir::Scalar::U32, ir::Scalar::I64, ir::Scalar::U64);
  const bool ascending = *rc::gen::arbitrary<bool>();
  const std::uint64_t low = below(50), high = below(250), count = below(300);
  Signature s;
  s.parameters.push_back({"c", true, element, Access::In, {"n"}});
  s.data.push_back({"c",
                    ascending ? DataContract::Kind::Ascending : DataContract::Kind::Within,
                    *Expression::parse(std::to_string(low)),
                    *Expression::parse(std::to_string(high)),
                    {}});
  DataRules rules = *DataRules::of(s, "c", {});
  HostArray array{element, {count}, HostMemory(count * ir::byteSize(element))};
  Status made = rules.generate(array, below(100), 0);
  const bool possible =
      count == 0 || (ascending ? low == high || (low < high && count > 1) : low < high);
  RC_ASSERT(static_cast<bool>(made) == possible);
  if (possible)
    RC_ASSERT(static_cast<bool>(rules.check(array, "c")));
}

// Files

std::filesystem::path temporaryFile(const std::string &name) {
  return std::filesystem::path(testing::TempDir()) / (std::to_string(getpid()) + name);
}

RC_GTEST_PROP(NpyProperties, WhatIsWrittenIsRead, ()) {
  const auto element =
      *rc::gen::element(ir::Scalar::Bool, ir::Scalar::I8, ir::Scalar::U16, ir::Scalar::I32,
                        ir::Scalar::U64, ir::Scalar::F32, ir::Scalar::F64);
  HostArray array{element, {}, HostMemory()};
  for (std::uint64_t d = below(5); d > 0; --d)
    array.shape.push_back(below(6));
  array.memory = HostMemory(array.bytes().value_or(0));
  generate(array, below(1000), 0);
  const std::filesystem::path file = temporaryFile("-properties.npy");
  RC_ASSERT(static_cast<bool>(writeNpy(file, array)));
  Result<HostArray> back = readNpy(file);
  std::filesystem::remove(file);
  RC_ASSERT(static_cast<bool>(back));
  RC_ASSERT(back->element == array.element);
  RC_ASSERT(back->shape == array.shape);
  RC_ASSERT(std::memcmp(back->memory.data(), array.memory.data(), array.memory.bytes()) == 0);
}

/// A dense matrix, the entries of which are small integers.
struct Dense {
  std::uint64_t rows, columns;
  std::vector<std::int64_t> cells;
  std::int64_t &at(std::uint64_t r, std::uint64_t c) { return cells[r * columns + c]; }
};

Dense randomDense(bool square) {
  Dense d{below(8), below(8), {}};
  if (square)
    d.columns = d.rows;
  for (std::uint64_t i = 0; i < d.rows * d.columns; ++i)
    d.cells.push_back(below(2) == 0 ? 0 : *rc::gen::inRange<std::int64_t>(-99, 100));
  return d;
}

/// As Matrix Market text, the entries in random order, some in two parts.
std::string coordinates(Dense &d, const std::string &symmetry) {
  std::vector<std::string> lines;
  for (std::uint64_t r = 0; r < d.rows; ++r) {
    for (std::uint64_t c = 0; c < d.columns; ++c) {
      if (d.at(r, c) == 0 || (symmetry != "general" && r < c))
        continue;
      const std::string place = std::to_string(r + 1) + " " + std::to_string(c + 1) + " ";
      const std::int64_t part = below(4) == 0 ? *rc::gen::inRange<std::int64_t>(-9, 10) : 0;
      lines.push_back(place + std::to_string(d.at(r, c) - part));
      if (part != 0)
        lines.push_back(place + std::to_string(part));
    }
  }
  std::shuffle(lines.begin(), lines.end(), std::mt19937(below(1000)));
  std::string text = "%%MatrixMarket matrix coordinate integer " + symmetry + "\n" +
                     std::to_string(d.rows) + " " + std::to_string(d.columns) + " " +
                     std::to_string(lines.size()) + "\n";
  for (const std::string &line : lines)
    text += line + (below(5) == 0 ? "\r\n" : "\n") + (below(9) == 0 ? "% comment\n\n" : "");
  return text;
}

template <class T> std::vector<T> valuesOf(const HostArray &array) {
  const auto *data = reinterpret_cast<const T *>(array.memory.data());
  return {data, data + array.count()};
}

const Parameter dense{"a", true, ir::Scalar::I32, Access::In, {"n", "m"}},
    values{"values", true, ir::Scalar::F64, Access::In, {"v"}},
    columns{"columns", true, ir::Scalar::U8, Access::In, {"c"}},
    offsets{"offsets", true, ir::Scalar::U32, Access::In, {"o"}};

RC_GTEST_PROP(MatrixMarketProperties, AllFormsHoldTheSameMatrix, ()) {
  const auto symmetry = *rc::gen::element<std::string>("general", "symmetric", "skew-symmetric");
  Dense d = randomDense(symmetry != "general");
  for (std::uint64_t r = 0; symmetry != "general" && r < d.rows; ++r) {
    for (std::uint64_t c = r; c < d.rows; ++c)
      d.at(r, c) = symmetry == "symmetric" ? d.at(c, r) : r == c ? 0 : -d.at(c, r);
  }
  Result<Matrix> m = parseMatrixMarket(coordinates(d, symmetry), "a.mtx");
  RC_ASSERT(static_cast<bool>(m));
  Result<HostArray> a = denseArray(*m, dense);
  RC_ASSERT(static_cast<bool>(a));
  RC_ASSERT(valuesOf<std::int32_t>(*a) ==
            std::vector<std::int32_t>(d.cells.begin(), d.cells.end()));
  auto csr = sparseArrays(*m, SparseForm::Csr, {&values, &columns, &offsets});
  RC_ASSERT(static_cast<bool>(csr));
  const auto v = valuesOf<double>((*csr)[0]);
  const auto c = valuesOf<std::uint8_t>((*csr)[1]);
  const auto o = valuesOf<std::uint32_t>((*csr)[2]);
  RC_ASSERT(o.size() == d.rows + 1);
  RC_ASSERT(o.back() == m->entries());
  for (std::uint64_t r = 0; r < d.rows; ++r) {
    RC_ASSERT(std::is_sorted(c.begin() + o[r], c.begin() + o[r + 1]));
    for (std::uint32_t k = o[r]; k < o[r + 1]; ++k)
      d.at(r, c[k]) -= static_cast<std::int64_t>(v[k]);
  }
  RC_ASSERT(std::count(d.cells.begin(), d.cells.end(), 0) ==
            static_cast<std::ptrdiff_t>(d.cells.size()));
}

RC_GTEST_PROP(MatrixMarketProperties, DamagedFilesAreReadOrRefused, ()) {
  Dense d = randomDense(false);
  std::string text = coordinates(d, "general");
  for (std::uint64_t damages = 1 + below(3); damages > 0 && !text.empty(); --damages) {
    const std::size_t at = below(text.size());
    switch (below(3)) {
    case 0:
      text.erase(at, 1 + below(4));
      break;
    case 1:
      text[at] = static_cast<char>(below(256));
      break;
    default:
      text.insert(at, *rc::gen::element<std::string>("9", "-", " ", "\n", "x", "1e9", "%"));
    }
  }
  Result<Matrix> m = parseMatrixMarket(text, "a.mtx");
  if (!m) {
    RC_ASSERT(m.error().message.starts_with("a.mtx"));
    return;
  }
  for (std::uint64_t e = 0; e < m->entries(); ++e)
    RC_ASSERT(m->row[e] < m->rows && m->column[e] < m->columns);
}

} // namespace
} // namespace tangram::runtime
