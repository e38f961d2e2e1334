// Shapes and scalars of a problem: what files and --size give, and what follows from it.
#include "runtime/data/inputs.h"

#include "ir/diagnostic.h"
#include "runtime/data/data_contract.h"
#include "runtime/data/extents.h"
#include "runtime/data/npy_header.h"
#include "runtime/data/scalar_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace tangram::runtime {

namespace {

/// " (a, b)", and the likeliest of them if `word` is a slip.
std::string choiceText(const std::string &word, const std::vector<std::string> &known) {
  std::string list;
  for (const std::string &name : known)
    list += (list.empty() ? "" : ", ") + name;
  std::string meant = ir::nearest(word, known);
  return " (" + list + ")" + (meant.empty() ? "" : "; did you mean " + meant + "?");
}

std::shared_ptr<const HostArray> borrowed(const HostArray &array) {
  return {std::shared_ptr<const HostArray>(), &array};
}

std::shared_ptr<const HostArray> owned(HostArray array) {
  return std::make_shared<const HostArray>(std::move(array));
}

/// Names, shapes and scalars.
class Measurer {
public:
  Measurer(const Signature &signature, const GivenInputs &given, const SizeChoice &sizes,
           std::uint64_t seed)
      : given(given), sizes(sizes) {
    problem.signature = signature;
    problem.data = sizes.data;
    problem.seed = seed + sizes.seed;
    problem.arguments.resize(signature.parameters.size());
  }

  Result<Problem> make() {
    for (auto step : {&Measurer::checkNames, &Measurer::gatherArrays, &Measurer::makeScalars,
                      &Measurer::makeExtents, &Measurer::shapeContainers}) {
      if (Status status = (this->*step)(); !status)
        return status.error();
    }
    return std::move(problem);
  }

private:
  Status checkNames() {
    for (const auto &[name, value] : given.values) {
      if (Status status = checkInput(name, value.array || value.matrix, value.text, name); !status)
        return status;
    }
    for (const GivenInputs::Sparse &sparse : given.sparse) {
      for (const std::string &name : sparse.names) {
        if (Status status = checkInput(name, true, "", sparse.word); !status)
          return status;
        if (!problem.signature.parameter(name)->container)
          return usageError("--input " + sparse.word + ": expected a container, " + name +
                            " is a scalar");
      }
    }
    return checkSizeNames();
  }

  Status checkInput(const std::string &name, bool isFile, const std::string &text,
                    const std::string &word) const {
    std::vector<std::string> parameters;
    for (const Parameter &p : problem.signature.parameters)
      parameters.push_back(p.name);
    const Parameter *p = problem.signature.parameter(name);
    const std::string who = "--input " + word + ": ";
    if (!p)
      return usageError(who + "expected a parameter" + (word == name ? "" : ", found " + name) +
                        choiceText(name, parameters));
    if (!p->isInput())
      return usageError(who + (word == name ? "it" : name) + " is only written, it takes no input");
    if (p->container && !isFile)
      return usageError(who + "expected a .npy or .mtx file, found " + text);
    return ok();
  }

  Status checkSizeNames() const {
    for (const auto &[name, shape] : sizes.named) {
      const Parameter *p = problem.signature.parameter(name);
      std::vector<std::string> extents = problem.signature.extents();
      bool isExtent = std::find(extents.begin(), extents.end(), name) != extents.end();
      const bool isContainer = p && p->container;
      const std::size_t rank = isContainer ? p->extents.size() : isExtent ? 1 : 0;
      if (p && !isContainer && !isExtent)
        return usageError(sizes.option + " " + name +
                          ": it is a number, which is given by --input " + name + "=" +
                          (shape.size() == 1 ? std::to_string(shape[0]) : "VALUE"));
      if (rank == 0)
        return usageError(sizes.option + " " + name + ": expected a container or an extent" +
                          choiceText(name, sizeNames()));
      const std::size_t fewest = isContainer ? openExtents(*p) : rank;
      if (std::string problem = problemOfShape(sizes, name, fewest, rank); !problem.empty())
        return usageError(problem);
    }
    return ok();
  }

  /// How many of a container's extents have to be given, the first one always: of the last ones the source may say what
  /// they are, as of components of a vector.
  std::size_t openExtents(const Parameter &p) const {
    std::size_t open = p.extents.size();
    while (open > 1 && std::ranges::any_of(problem.signature.shape, [&](const ShapeEquation &each) {
             return each.extent == p.extents[open - 1] && each.equals.names().empty();
           }))
      --open;
    return open;
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

  /// Matrices become arrays of the types that this signature has.
  Status gatherArrays() {
    for (const auto &[name, value] : given.values) {
      if (value.array)
        problem.files[name] = {value.text, borrowed(*value.array)};
      const Parameter &p = *problem.signature.parameter(name);
      if (!value.matrix || !p.container)
        continue;
      Result<HostArray> array = denseArray(*value.matrix, p);
      if (!array)
        return array.error();
      problem.files[name] = {value.text, owned(std::move(*array))};
    }
    for (const GivenInputs::Sparse &sparse : given.sparse) {
      std::vector<const Parameter *> parameters;
      for (const std::string &name : sparse.names)
        parameters.push_back(problem.signature.parameter(name));
      Result<std::vector<HostArray>> all = sparseArrays(sparse.matrix, sparse.form, parameters);
      if (!all)
        return all.error();
      for (std::size_t i = 0; i < all->size(); ++i)
        problem.files[sparse.names[i]] = {sparse.matrix.file, owned(std::move((*all)[i]))};
    }
    return ok();
  }

  /// Scalars that nobody gives are made up again where they break a limit together: `2 * pad < window`.
  Status makeScalars() {
    constexpr std::uint64_t mostTries = 64;
    for (std::uint64_t turn = 0; turn < mostTries; ++turn) {
      for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
        const Parameter &p = problem.signature.parameters[i];
        if (p.container)
          continue;
        Result<HostArray> value = scalar(p, i + turn * problem.arguments.size());
        if (!value)
          return value.error();
        problem.arguments[i] = std::move(*value);
      }
      if (scalarsMeetLimits())
        break;
    }
    return ok();
  }

  bool scalarsMeetLimits() const {
    const Bindings scalars = problem.bindings();
    return std::ranges::all_of(problem.signature.scalarLimits, [&](const Expression &limit) {
      const Result<std::uint64_t> met = limit.evaluate(scalars);
      return met && *met != 0;
    });
  }

  Result<HostArray> scalar(const Parameter &p, std::uint64_t stream) const {
    HostArray array{p.element, {}, HostMemory(ir::byteSize(p.element))};
    // Contracts on scalars are about floating-point ones, and name no size.
    const Result<DataRules> rules = DataRules::of(problem.signature, p.name, {});
    if (!rules)
      return rules.error();
    auto found = given.values.find(p.name);
    Status status = ok();
    if (found != given.values.end()) {
      status = takeScalar(p, found->second, array);
      if (status)
        status = rules->check(array, p.name + " (" + found->second.text + ")");
    } else if (rules->empty()) {
      generateScalar(array, p, problem.data, problem.seed, stream, problem.signature.constants);
    } else {
      status = rules->generate(array, problem.seed, stream, problem.data);
    }
    if (!status)
      return status.error();
    return array;
  }

  static Status takeScalar(const Parameter &p, const GivenInputs::Value &value, HostArray &array) {
    if (!value.array) {
      if (!parseScalar(value.text, array))
        return inputError(p.name + ": expected " + numpyName(p.element) + ", found " + value.text);
      return ok();
    }
    if (value.array->element != p.element)
      return inputError(p.name + ": expected " + numpyName(p.element) + ", file " + value.text +
                        " holds " + numpyName(value.array->element));
    if (value.array->count() != 1)
      return inputError(p.name + ": expected one element, file " + value.text + " has shape " +
                        shapeText(value.array->shape));
    std::memcpy(array.memory.data(), value.array->memory.data(), array.memory.bytes());
    return ok();
  }

  Status makeExtents() {
    Extents extents(problem.signature, problem.bindings());
    for (auto step : {&Measurer::extentsOfFiles, &Measurer::extentsOfSizes,
                      &Measurer::extentsOfMatrices, &Measurer::usualExtents}) {
      if (Status status = (this->*step)(extents); !status)
        return status;
    }
    problem.extents = extents.values();
    return ok();
  }

  static Status fixAll(Extents &extents, const Parameter &p,
                       const std::vector<std::uint64_t> &shape, const std::string &by) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (Status status = extents.fix(p.extents[d], shape[d], by); !status)
        return status;
    }
    return ok();
  }

  Status extentsOfFiles(Extents &extents) {
    for (const Parameter &p : problem.signature.parameters) {
      auto found = problem.files.find(p.name);
      if (!p.container || found == problem.files.end())
        continue;
      const HostArray &array = *found->second.array;
      if (array.element != p.element)
        return inputError(p.name + ": expected " + numpyName(p.element) + ", file " +
                          found->second.source + " holds " + numpyName(array.element));
      if (array.shape.size() != p.extents.size())
        return inputError(p.name + ": expected " + std::to_string(p.extents.size()) +
                          (p.extents.size() == 1 ? " dimension" : " dimensions") + ", file " +
                          found->second.source + " has shape " + shapeText(array.shape));
      if (Status status = fixAll(extents, p, array.shape, found->second.source); !status)
        return status;
      fromFiles.insert(fromFiles.end(), p.extents.begin(), p.extents.end());
    }
    return ok();
  }

  Status extentsOfSizes(Extents &extents) {
    for (const auto &[name, shape] : sizes.named) {
      const Parameter *p = problem.signature.parameter(name);
      Status status = p && p->container ? fixAll(extents, *p, shape, sizes.option + " " + name)
                                        : extents.fix(name, shape[0], sizes.option + " " + name);
      if (!status)
        return status;
    }
    return extents.derive();
  }

  /// A sparse matrix has as many rows and columns as the contracts on their numbers allow.
  Status extentsOfMatrices(Extents &extents) {
    for (const GivenInputs::Sparse &sparse : given.sparse) {
      const bool csr = sparse.form == SparseForm::Csr;
      const std::string &columns = csr ? sparse.names[sparse.names.size() - 2] : sparse.names[1];
      for (const DataContract &contract : problem.signature.data) {
        const bool isColumns = contract.parameter == columns;
        if (contract.kind != DataContract::Kind::Within ||
            !(isColumns || (!csr && contract.parameter == sparse.names[0])))
          continue;
        const std::uint64_t size = isColumns ? sparse.matrix.columns : sparse.matrix.rows;
        if (Status status = extents.suggest(contract.high, size, sparse.matrix.file); !status)
          return status;
      }
    }
    return ok();
  }

  Status usualExtents(Extents &extents) {
    if (Status status = checkSizeOfAll(extents); !status)
      return status;
    const std::set<std::string> many = extentsOfMany();
    std::uint64_t sizeOfMany = defaultSizeOfMany;
    unsigned free = 0;
    std::map<std::string, std::uint64_t> most;
    const Usual usual = [&](const std::string &extent) {
      free += many.contains(extent) ? 1 : 0;
      const std::uint64_t usually = std::min(many.contains(extent) ? sizeOfMany : defaultSize,
                                             sizes.most.value_or(defaultSize));
      const std::uint64_t size = sizes.all.value_or(usually);
      return most.contains(extent) ? std::min(size, most[extent]) : size;
    };
    Extents counted = extents;
    if (Status status = counted.complete(usual, ""); !status)
      return status;
    if (free > 2)
      sizeOfMany = static_cast<std::uint64_t>(std::pow(defaultProduct, 1.0 / free));
    for (const Expression &limit : problem.signature.limits) {
      if (!sizes.all)
        meetLimit(limit, extents, usual, most);
    }
    return extents.complete(usual, sizes.all ? sizes.option + " " + std::to_string(*sizes.all)
                                             : "when no --size is given");
  }

  using Usual = std::function<std::uint64_t(const std::string &)>;

  /// Bounds, in `most`, the extents that a limit of the plan is about where usual sizes do not meet it: by the largest
  /// number for all of them that does, if there is one.
  void meetLimit(const Expression &limit, const Extents &extents, const Usual &usual,
                 std::map<std::string, std::uint64_t> &most) const {
    const auto holds = [&] {
      Extents trial = extents;
      if (!trial.complete(usual, ""))
        return false;
      Bindings made;
      for (const auto &[name, value] : trial.values())
        made.values[name] = value;
      const Result<std::uint64_t> met = limit.evaluate(made);
      return met && *met != 0;
    };
    if (holds())
      return;
    const std::map<std::string, std::uint64_t> before = most;
    const std::set<std::string> names = tied({limit.names().begin(), limit.names().end()});
    const auto bound = [&](std::uint64_t size) {
      most = before;
      for (const std::string &name : names)
        most[name] = most.contains(name) ? std::min(most[name], size) : size;
      return holds();
    };
    std::uint64_t low = 0, high = defaultSize; // low meets the limit, where any does
    while (high - low > 1)
      (bound(low + (high - low) / 2) ? low : high) = low + (high - low) / 2;
    if (!bound(low))
      most = before;
  }

  /// Extents of containers with more than one dimension, and what equations tie to them.
  std::set<std::string> extentsOfMany() const {
    std::set<std::string> many;
    for (const Parameter &p : problem.signature.parameters) {
      if (p.extents.size() > 1)
        many.insert(p.extents.begin(), p.extents.end());
    }
    return tied(std::move(many));
  }

  /// Extents and what equations tie to them.
  std::set<std::string> tied(std::set<std::string> many) const {
    for (std::size_t before = 0; before != many.size();) {
      before = many.size();
      for (const ShapeEquation &equation : problem.signature.shape) {
        std::vector<std::string> names = equation.equals.names();
        names.push_back(equation.extent);
        if (std::any_of(names.begin(), names.end(),
                        [&](const std::string &name) { return many.count(name) != 0; }))
          many.insert(names.begin(), names.end());
      }
    }
    return many;
  }

  /// A --size for all extents is for those that nothing else fixes; when there is none, it
  /// had better agree with the files.
  Status checkSizeOfAll(Extents &extents) const {
    const std::vector<std::string> all = problem.signature.extents();
    if (!sizes.all || std::any_of(all.begin(), all.end(), [&](const std::string &extent) {
          return !extents.knows(extent);
        }))
      return ok();
    for (const std::string &extent : fromFiles) {
      std::string by = sizes.option + " " + std::to_string(*sizes.all);
      if (Status status = extents.fix(extent, *sizes.all, by); !status)
        return status;
    }
    return ok();
  }

  Status shapeContainers() {
    for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
      const Parameter &p = problem.signature.parameters[i];
      if (!p.container)
        continue;
      problem.arguments[i] = {p.element, problem.shapeOf(p), HostMemory()};
      if (!problem.arguments[i].bytes())
        return refusal(p.name + ": shape " + shapeText(problem.arguments[i].shape) +
                       " does not fit in memory");
    }
    return ok();
  }

  const GivenInputs &given;
  const SizeChoice &sizes;
  Problem problem;
  std::vector<std::string> fromFiles; ///< extents
};

} // namespace

Result<Problem> measureProblem(const Signature &signature, const GivenInputs &given,
                               const SizeChoice &sizes, std::uint64_t seed) {
  return Measurer(signature, given, sizes, seed).make();
}

} // namespace tangram::runtime
