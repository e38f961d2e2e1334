#include "runtime/data/matrix_arrays.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace tangram::runtime {

namespace {

/// Calls `function` with a T, the element type, which is no bool.
template <class Function> Status withElement(const Parameter &p, const Function &function) {
  switch (p.element) {
  case ir::Scalar::I8:
    return function(std::int8_t{});
  case ir::Scalar::U8:
    return function(std::uint8_t{});
  case ir::Scalar::I16:
    return function(std::int16_t{});
  case ir::Scalar::U16:
    return function(std::uint16_t{});
  case ir::Scalar::I32:
    return function(std::int32_t{});
  case ir::Scalar::U32:
    return function(std::uint32_t{});
  case ir::Scalar::I64:
    return function(std::int64_t{});
  case ir::Scalar::F32:
    return function(float{});
  case ir::Scalar::F64:
    return function(double{});
  case ir::Scalar::U64:
  case ir::Scalar::Index:
    return function(std::uint64_t{});
  default:
    return inputError(p.name + ": bool cannot hold the values of a matrix");
  }
}

template <class T> std::string numberText(T value) {
  char text[128];
  auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : "?";
}

/// Does T hold `value`: exactly when T is an integer, after rounding when it is not.
template <class T, class From> bool convert(From value, T &result) {
  if constexpr (std::is_floating_point_v<T>) {
    result = static_cast<T>(value);
    return std::isfinite(result);
  } else if constexpr (std::is_floating_point_v<From>) {
    // 2^63 and 2^64 are exact in double; casts from beyond the type's range are not defined.
    const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double least = std::is_signed_v<T> ? -limit : 0;
    if (!(value >= least && value < limit) || value != std::trunc(value))
      return false;
    result = static_cast<T>(value);
    return true;
  } else {
    result = static_cast<T>(value);
    return std::in_range<T>(value);
  }
}

Result<HostArray> allocate(const Parameter &p, std::vector<std::uint64_t> shape) {
  HostArray array{p.element, std::move(shape), HostMemory()};
  std::uint64_t bytes = ir::byteSize(p.element);
  for (std::uint64_t extent : array.shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return refusal(p.name + ": does not fit in memory");
  }
  try {
    array.memory = HostMemory(bytes);
  } catch (const std::bad_alloc &) {
    return refusal(p.name + ": does not fit in memory");
  }
  return array;
}

Error cannotHold(const Parameter &p, const std::string &value, const std::string &where) {
  return inputError(p.name + ": " + numpyName(p.element) + " cannot hold " + value + ", " + where);
}

/// The value of entry `entry` as a T; adds to `cell` when the entry is not the first there.
template <class T> bool valueOf(const Matrix &m, std::uint64_t entry, T &result) {
  return m.integer ? convert(m.integers[entry], result) : convert(m.reals[entry], result);
}

Error badValue(const Matrix &m, std::uint64_t entry, const Parameter &p) {
  return cannotHold(p, m.integer ? numberText(m.integers[entry]) : numberText(m.reals[entry]),
                    m.file + " has it at row " + std::to_string(m.row[entry] + 1) + ", column " +
                        std::to_string(m.column[entry] + 1));
}

/// The entries that a sparse form has, in the order of the file.
std::vector<std::uint64_t> storedEntries(const Matrix &m) {
  std::vector<std::uint64_t> order(m.entries());
  std::iota(order.begin(), order.end(), 0U);
  if (m.dense)
    std::erase_if(
        order, [&](std::uint64_t e) { return m.integer ? m.integers[e] == 0 : m.reals[e] == 0; });
  return order;
}

void sortByRowAndColumn(const Matrix &m, std::vector<std::uint64_t> &order) {
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return m.row[a] != m.row[b] ? m.row[a] < m.row[b] : m.column[a] < m.column[b];
  });
}

Result<HostArray> valuesArray(const Matrix &m, const std::vector<std::uint64_t> &order,
                              const Parameter &p) {
  Result<HostArray> array = allocate(p, {order.size()});
  if (!array)
    return array;
  Status status = withElement(p, [&]<class T>(T) -> Status {
    auto *data = reinterpret_cast<T *>(array->memory.data());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!valueOf(m, order[i], data[i]))
        return badValue(m, order[i], p);
    }
    return ok();
  });
  return status ? std::move(array) : status.error();
}

/// Row or column numbers, or offsets: any integer type that holds them will do.
Result<HostArray> indexArray(const std::vector<std::uint64_t> &values, const Parameter &p,
                             const std::string &what) {
  if (!ir::isInteger(p.element))
    return inputError(p.name + ": expected integers for " + what + ", found " +
                      numpyName(p.element));
  Result<HostArray> array = allocate(p, {values.size()});
  if (!array)
    return array;
  Status status = withElement(p, [&]<class T>(T) -> Status {
    auto *data = reinterpret_cast<T *>(array->memory.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!convert(values[i], data[i]))
        return cannotHold(p, std::to_string(values[i]), what);
    }
    return ok();
  });
  return status ? std::move(array) : status.error();
}

std::vector<std::uint64_t> picked(const std::vector<std::uint64_t> &from,
                                  const std::vector<std::uint64_t> &order) {
  std::vector<std::uint64_t> values;
  values.reserve(order.size());
  for (std::uint64_t entry : order)
    values.push_back(from[entry]);
  return values;
}

std::vector<std::uint64_t> offsetsOf(const Matrix &m, const std::vector<std::uint64_t> &order) {
  if (m.rows >= std::vector<std::uint64_t>().max_size())
    throw std::bad_alloc();
  std::vector<std::uint64_t> offsets(m.rows + 1, 0);
  for (std::uint64_t entry : order)
    ++offsets[m.row[entry] + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

Result<HostArray> sparseArray(const Matrix &m, const std::vector<std::uint64_t> &order,
                              const std::string &role, const Parameter &p) {
  if (p.extents.size() != 1)
    return inputError(p.name + ": expected " + std::to_string(p.extents.size()) + " dimensions, " +
                      role + " of " + m.file + " have 1");
  if (role == "values")
    return valuesArray(m, order, p);
  if (role == "offsets")
    return indexArray(offsetsOf(m, order), p, "offsets of " + m.file);
  return indexArray(picked(role == "rows" ? m.row : m.column, order), p, role + " of " + m.file);
}

} // namespace

Result<std::vector<HostArray>> sparseArrays(const Matrix &matrix, SparseForm form,
                                            const std::vector<const Parameter *> &parameters) {
  std::vector<std::string> roles{"values", "columns", "offsets"};
  if (form == SparseForm::Coo)
    roles = {"rows", "columns", "values"};
  else if (parameters.size() == 2)
    roles.erase(roles.begin());
  try {
    std::vector<std::uint64_t> order = storedEntries(matrix);
    if (form == SparseForm::Csr)
      sortByRowAndColumn(matrix, order);
    std::vector<HostArray> arrays;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Result<HostArray> array = sparseArray(matrix, order, roles[i], *parameters[i]);
      if (!array)
        return array.error();
      arrays.push_back(std::move(*array));
    }
    return arrays;
  } catch (const std::bad_alloc &) {
    return refusal(matrix.file + ": does not fit in memory");
  }
}

Result<HostArray> denseArray(const Matrix &matrix, const Parameter &p) {
  std::vector<std::uint64_t> shape{matrix.rows, matrix.columns};
  if (p.extents.size() == 1 && (matrix.rows == 1 || matrix.columns == 1))
    shape = {std::max(matrix.rows, matrix.columns)};
  if (p.extents.size() != shape.size())
    return inputError(p.name + ": expected " + std::to_string(p.extents.size()) +
                      (p.extents.size() == 1 ? " dimension" : " dimensions") + ", " + matrix.file +
                      " has " + std::to_string(matrix.rows) + " rows and " +
                      std::to_string(matrix.columns) + " columns");
  Result<HostArray> array = allocate(p, shape);
  if (!array)
    return array;
  std::memset(array->memory.data(), 0, array->memory.bytes());
  Status status = withElement(p, [&]<class T>(T) -> Status {
    auto *data = reinterpret_cast<T *>(array->memory.data());
    for (std::uint64_t e = 0; e < matrix.entries(); ++e) {
      T value{}, &cell = data[matrix.row[e] * matrix.columns + matrix.column[e]];
      bool good = valueOf(matrix, e, value);
      if constexpr (std::is_floating_point_v<T>)
        cell += value;
      else
        good = !__builtin_add_overflow(cell, value, &cell) && good;
      if (!good)
        return badValue(matrix, e, p);
    }
    return ok();
  });
  return status ? std::move(array) : status.error();
}

} // namespace tangram::runtime
