#include "runtime/data/given_inputs.h"

#include "runtime/data/npy.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace tangram::runtime {

namespace {

template <class T> bool parseNumber(const std::string &text, HostArray &scalar) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::memcpy(scalar.memory.data(), &value, sizeof value);
  return error == std::errc() && end == text.data() + text.size();
}

/// "a,b" -> a, b.
std::vector<std::string> listed(const std::string &text) {
  std::vector<std::string> names(1);
  for (char c : text) {
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

Result<GivenInputs::Sparse> readSparse(const std::string &word, const std::string &file) {
  GivenInputs::Sparse sparse;
  sparse.word = word;
  sparse.form = word.starts_with("csr:") ? SparseForm::Csr : SparseForm::Coo;
  sparse.names = listed(word.substr(4));
  const std::size_t count = sparse.names.size();
  const bool empty = std::count(sparse.names.begin(), sparse.names.end(), "") > 0;
  if (empty || count < 2 || count > 3)
    return usageError("--input " + word + ": expected " +
                      (sparse.form == SparseForm::Csr ? "csr:VALUES,COLUMNS,OFFSETS or "
                                                        "csr:COLUMNS,OFFSETS"
                                                      : "coo:ROWS,COLUMNS or "
                                                        "coo:ROWS,COLUMNS,VALUES"));
  if (!file.ends_with(".mtx"))
    return usageError("--input " + word + ": expected a .mtx file, found " + file);
  Result<Matrix> matrix = readMatrixMarket(file);
  if (!matrix)
    return matrix.error();
  sparse.matrix = std::move(*matrix);
  return sparse;
}

Result<GivenInputs::Value> readValue(const std::string &text) {
  GivenInputs::Value value{text, std::nullopt, std::nullopt};
  if (text.ends_with(".npy")) {
    Result<HostArray> array = readNpy(text);
    if (!array)
      return array.error();
    value.array = std::move(*array);
  } else if (text.ends_with(".mtx")) {
    Result<Matrix> matrix = readMatrixMarket(text);
    if (!matrix)
      return matrix.error();
    value.matrix = std::move(*matrix);
  }
  return value;
}

/// A parameter has one source.
Status checkTwice(const GivenInputs &given) {
  std::set<std::string> names;
  for (const auto &[name, value] : given.values)
    names.insert(name);
  for (const GivenInputs::Sparse &sparse : given.sparse) {
    for (const std::string &name : sparse.names) {
      if (!names.insert(name).second)
        return usageError("--input " + sparse.word + ": " + name + " is given a second time");
    }
  }
  return ok();
}

} // namespace

bool parseScalar(const std::string &text, HostArray &scalar) {
  switch (scalar.element) {
  case ir::Scalar::I8:
    return parseNumber<std::int8_t>(text, scalar);
  case ir::Scalar::U8:
    return parseNumber<std::uint8_t>(text, scalar);
  case ir::Scalar::I16:
    return parseNumber<std::int16_t>(text, scalar);
  case ir::Scalar::U16:
    return parseNumber<std::uint16_t>(text, scalar);
  case ir::Scalar::I32:
    return parseNumber<std::int32_t>(text, scalar);
  case ir::Scalar::U32:
    return parseNumber<std::uint32_t>(text, scalar);
  case ir::Scalar::I64:
    return parseNumber<std::int64_t>(text, scalar);
  case ir::Scalar::U64:
  case ir::Scalar::Index:
    return parseNumber<std::uint64_t>(text, scalar);
  case ir::Scalar::F32:
    return parseNumber<float>(text, scalar);
  case ir::Scalar::F64:
    return parseNumber<double>(text, scalar);
  case ir::Scalar::Bool:
    return (text == "0" || text == "1") && parseNumber<std::uint8_t>(text, scalar);
  case ir::Scalar::F16:
  case ir::Scalar::F128:
  case ir::Scalar::Void:
    return false;
  }
  return false;
}

Result<GivenInputs> readInputs(const std::map<std::string, std::string> &texts) {
  GivenInputs given;
  for (const auto &[name, text] : texts) {
    if (name.starts_with("csr:") || name.starts_with("coo:")) {
      Result<GivenInputs::Sparse> sparse = readSparse(name, text);
      if (!sparse)
        return sparse.error();
      given.sparse.push_back(std::move(*sparse));
      continue;
    }
    Result<GivenInputs::Value> value = readValue(text);
    if (!value)
      return value.error();
    given.values.emplace(name, std::move(*value));
  }
  if (Status status = checkTwice(given); !status)
    return status.error();
  return given;
}

} // namespace tangram::runtime
