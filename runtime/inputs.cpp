#include "runtime/inputs.h"

#include "ir/diagnostic.h"
#include "runtime/npy.h"
#include "runtime/npy_header.h"

#include <algorithm>
#include <charconv>

namespace tangram::runtime {

namespace {

bool isNpy(const std::string &text) { return text.ends_with(".npy"); }

template <class T> bool parseNumber(const std::string &text, HostArray &scalar) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::memcpy(scalar.memory.data(), &value, sizeof value);
  return error == std::errc() && end == text.data() + text.size();
}

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
  case ir::Scalar::Void:
    return false;
  }
  return false;
}

/// Value of an integer scalar, or why an expression cannot use it.
void bindScalar(const std::string &name, const HostArray &scalar, Bindings &bindings) {
  std::int64_t value = 0;
  std::size_t bytes = ir::byteSize(scalar.element);
  std::memcpy(&value, scalar.memory.data(), bytes);
  if (ir::isSigned(scalar.element)) {
    unsigned unused = 64 - 8 * static_cast<unsigned>(bytes);
    value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << unused) >> unused;
    if (value < 0) {
      bindings.unusable[name] = "is negative (" + std::to_string(value) + ")";
      return;
    }
  }
  bindings.values[name] = static_cast<std::uint64_t>(value);
}

/// " (a, b)", and the likeliest of them if `word` is a slip.
std::string choiceText(const std::string &word, const std::vector<std::string> &known) {
  std::string list;
  for (const std::string &name : known)
    list += (list.empty() ? "" : ", ") + name;
  std::string meant = ir::nearest(word, known);
  return " (" + list + ")" + (meant.empty() ? "" : "; did you mean " + meant + "?");
}

class ProblemMaker {
public:
  ProblemMaker(const Signature &signature, const GivenInputs &given, const SizeChoice &sizes)
      : given(given), sizes(sizes) {
    problem.signature = signature;
  }

  Result<Problem> make(std::uint64_t seed) {
    for (auto step : {&ProblemMaker::checkNames, &ProblemMaker::extentsOfFiles,
                      &ProblemMaker::extentsOfSizes}) {
      if (Status status = (this->*step)(); !status)
        return status.error();
    }
    for (std::size_t i = 0; i < problem.signature.parameters.size(); ++i) {
      const Parameter &p = problem.signature.parameters[i];
      Result<HostArray> array = p.container ? container(p, seed, i) : scalar(p, seed, i);
      if (!array)
        return array.error();
      problem.arguments.push_back(std::move(*array));
    }
    return std::move(problem);
  }

private:
  Status checkNames() {
    std::vector<std::string> parameters;
    for (const Parameter &p : problem.signature.parameters)
      parameters.push_back(p.name);
    for (const auto &[name, value] : given.values) {
      const Parameter *p = problem.signature.parameter(name);
      if (!p)
        return usageError("--input " + name + ": expected a parameter" +
                          choiceText(name, parameters));
      if (!p->isInput())
        return usageError("--input " + name + ": it is only written, it takes no input");
      if (p->container && !value.array)
        return usageError("--input " + name + ": expected a .npy file, found " + value.text);
    }
    for (const auto &[name, shape] : sizes.named) {
      const Parameter *p = problem.signature.parameter(name);
      std::vector<std::string> extents = problem.signature.extents();
      bool isExtent = std::find(extents.begin(), extents.end(), name) != extents.end();
      std::size_t rank = p && p->container ? p->extents.size() : isExtent ? 1 : 0;
      if (rank == 0)
        return usageError("--size " + name + ": expected a container or an extent" +
                          choiceText(name, sizeNames()));
      if (rank != shape.size())
        return usageError("--size " + name + ": expected " + std::to_string(rank) +
                          " extents, found " + std::to_string(shape.size()));
    }
    return ok();
  }

  /// Containers, then extents.
  std::vector<std::string> sizeNames() const {
    std::vector<std::string> names;
    for (const Parameter &p : problem.signature.parameters) {
      if (p.container)
        names.push_back(p.name);
    }
    for (const std::string &extent : problem.signature.extents())
      names.push_back(extent);
    return names;
  }

  Status fix(const std::string &extent, std::uint64_t value, const std::string &by) {
    auto [place, isNew] = problem.extents.emplace(extent, value);
    if (isNew)
      fixedBy[extent] = by;
    else if (place->second != value)
      return inputError(by + ": expected " + extent + " = " + std::to_string(place->second) +
                        " as " + fixedBy[extent] + " has it, found " + std::to_string(value));
    return ok();
  }

  Status fixAll(const Parameter &p, const std::vector<std::uint64_t> &shape,
                const std::string &by) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (Status status = fix(p.extents[d], shape[d], by); !status)
        return status;
    }
    return ok();
  }

  Status extentsOfFiles() {
    for (const Parameter &p : problem.signature.parameters) {
      auto found = given.values.find(p.name);
      if (!p.container || found == given.values.end())
        continue;
      const HostArray &array = *found->second.array;
      if (array.element != p.element)
        return inputError(p.name + ": expected " + numpyName(p.element) + ", file " +
                          found->second.text + " holds " + numpyName(array.element));
      if (array.shape.size() != p.extents.size())
        return inputError(p.name + ": expected " + std::to_string(p.extents.size()) +
                          (p.extents.size() == 1 ? " dimension" : " dimensions") + ", file " +
                          found->second.text + " has shape " + shapeText(array.shape));
      if (Status status = fixAll(p, array.shape, found->second.text); !status)
        return status;
    }
    return ok();
  }

  Status extentsOfSizes() {
    for (const auto &[name, shape] : sizes.named) {
      const Parameter *p = problem.signature.parameter(name);
      Status status = p && p->container ? fixAll(*p, shape, "--size " + name)
                                        : fix(name, shape[0], "--size " + name);
      if (!status)
        return status;
    }
    if (Status status = checkSizeOfAll(); !status)
      return status;
    for (const Parameter &p : problem.signature.parameters) {
      std::uint64_t usual = p.extents.size() > 1 ? defaultSizeOfMany : defaultSize;
      for (const std::string &extent : p.extents)
        problem.extents.emplace(extent, sizes.all.value_or(usual));
    }
    return ok();
  }

  /// A --size for all extents is for those that nothing else fixes; when files leave it none, it
  /// had better agree with them.
  Status checkSizeOfAll() {
    std::vector<std::string> extents = problem.signature.extents();
    if (!sizes.all || problem.extents.size() < extents.size())
      return ok();
    for (const std::string &extent : extents) {
      if (fixedBy[extent].starts_with("--size "))
        continue;
      std::string by = "--size " + std::to_string(*sizes.all);
      if (Status status = fix(extent, *sizes.all, by); !status)
        return status;
    }
    return ok();
  }

  Result<HostArray> container(const Parameter &p, std::uint64_t seed, std::uint64_t stream) {
    HostArray array{p.element, problem.shapeOf(p), HostMemory()};
    std::uint64_t bytes = ir::byteSize(p.element);
    for (std::uint64_t extent : array.shape) {
      if (extent != 0 && __builtin_mul_overflow(bytes, extent, &bytes))
        return refusal(p.name + ": shape " + shapeText(array.shape) + " does not fit in memory");
    }
    if (!p.isInput())
      return array;
    try {
      array.memory = HostMemory(array.count() * ir::byteSize(p.element));
    } catch (const std::bad_alloc &) {
      return refusal(p.name + ": shape " + shapeText(array.shape) + " does not fit in memory");
    }
    auto found = given.values.find(p.name);
    if (found == given.values.end())
      generate(array, seed, stream);
    else
      std::memcpy(array.memory.data(), found->second.array->memory.data(), array.memory.bytes());
    return array;
  }

  Result<HostArray> scalar(const Parameter &p, std::uint64_t seed, std::uint64_t stream) {
    HostArray array{p.element, {}, HostMemory(ir::byteSize(p.element))};
    auto found = given.values.find(p.name);
    if (found == given.values.end()) {
      generate(array, seed, stream);
      return array;
    }
    const GivenInputs::Value &value = found->second;
    if (!value.array) {
      if (!parseScalar(value.text, array))
        return inputError(p.name + ": expected " + numpyName(p.element) + ", found " + value.text);
      return array;
    }
    if (value.array->element != p.element)
      return inputError(p.name + ": expected " + numpyName(p.element) + ", file " + value.text +
                        " holds " + numpyName(value.array->element));
    if (value.array->count() != 1)
      return inputError(p.name + ": expected one element, file " + value.text + " has shape " +
                        shapeText(value.array->shape));
    std::memcpy(array.memory.data(), value.array->memory.data(), array.memory.bytes());
    return array;
  }

  const GivenInputs &given;
  const SizeChoice &sizes;
  Problem problem;
  std::map<std::string, std::string> fixedBy;
};

} // namespace

Result<GivenInputs> readInputs(const std::map<std::string, std::string> &texts) {
  GivenInputs given;
  for (const auto &[name, text] : texts) {
    GivenInputs::Value value{text, std::nullopt};
    if (isNpy(text)) {
      Result<HostArray> array = readNpy(text);
      if (!array)
        return array.error();
      value.array = std::move(*array);
    }
    given.values.emplace(name, std::move(value));
  }
  return given;
}

Bindings Problem::bindings() const {
  Bindings bindings{extents, {}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Parameter &p = signature.parameters[i];
    if (!p.container && ir::isInteger(p.element))
      bindScalar(p.name, arguments[i], bindings);
  }
  return bindings;
}

std::vector<std::uint64_t> Problem::shapeOf(const Parameter &parameter) const {
  std::vector<std::uint64_t> shape;
  for (const std::string &extent : parameter.extents)
    shape.push_back(extents.at(extent));
  return shape;
}

Result<Problem> makeProblem(const Signature &signature, const GivenInputs &given,
                            const SizeChoice &sizes, std::uint64_t seed) {
  return ProblemMaker(signature, given, sizes).make(seed);
}

} // namespace tangram::runtime
