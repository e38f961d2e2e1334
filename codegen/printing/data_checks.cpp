#include "codegen/printing/data_checks.h"

#include "codegen/printing/source.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr const char *withinText =
    R"(/// Whether low <= each element < high.
static bool $NAME(const $TYPE *elements, size_t count, $WIDE low, $WIDE high) {
  for (size_t i = 0; i < count; ++i) {
    if ($OUTSIDE)
      return false;
  }
  return true;
}

)";

constexpr const char *ascendingText =
    R"(/// Whether no element is less than the one before it, the first is low and the last is high.
static bool $NAME(const $TYPE *elements, size_t count, $WIDE low, $WIDE high) {
  for (size_t i = 1; i < count; ++i) {
    if (elements[i] < elements[i - 1])
      return false;
  }
  return count == 0 || (($WIDE)elements[0] == low && ($WIDE)elements[count - 1] == high);
}

)";

std::string nameOf(const DataContract &contract) {
  return "tangram_" + contract.kind + "_" + shortName(contract.container->type.scalar);
}

/// In which elements and bounds are compared.
std::string wideType(Scalar element) {
  if (isFloating(element))
    return "double";
  return isSigned(element) ? "long long" : "unsigned long long";
}

/// NaN is outside of every range.
std::string outside(Scalar element) {
  return isFloating(element) ? "!(elements[i] >= low && elements[i] < high)"
                             : "($WIDE)elements[i] < low || ($WIDE)elements[i] >= high";
}

} // namespace

std::string dataCheckFunctions(const LoweredPlan &plan, const DataSpelling &says) {
  std::string text;
  std::set<std::string> done;
  for (const DataContract &contract : plan.data) {
    if (!done.insert(nameOf(contract)).second)
      continue;
    const Scalar element = contract.container->type.scalar;
    std::string function = contract.kind == "ascending" ? ascendingText : withinText;
    for (const auto &[what, by] :
         std::initializer_list<std::pair<std::string, std::string>>{{"$OUTSIDE", outside(element)},
                                                                    {"$NAME", nameOf(contract)},
                                                                    {"$TYPE", says.type(element)},
                                                                    {"$WIDE", wideType(element)}})
      function = replaced(std::move(function), what, by);
    text += function;
  }
  return text;
}

bool isScalar(const DataContract &contract, const std::vector<Container> &containers) {
  return std::ranges::none_of(
      containers, [&](const Container &each) { return each.name == contract.container->name; });
}

std::string keepsContract(const DataContract &contract, const std::string &elements,
                          const std::string &count, const DataSpelling &says) {
  // Bounds of floating-point numbers are of their type: 0.1f is within [0.1, 1).
  const Scalar element = contract.container->type.scalar;
  const std::string type = isFloating(element) ? says.type(element) : wideType(element);
  auto bound = [&](const ExprPtr &e) { return "(" + type + ")(" + says.expression(e) + ")"; };
  return nameOf(contract) + "(" + elements + ", " + count + ", " + bound(contract.low) + ", " +
         bound(contract.high) + ")";
}

} // namespace tangram::codegen
