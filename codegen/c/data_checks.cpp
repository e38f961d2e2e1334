#include "codegen/c/data_checks.h"

#include "codegen/c/source.h"

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
    if (($WIDE)elements[i] < low || ($WIDE)elements[i] >= high)
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
  return isSigned(element) ? "long long" : "unsigned long long";
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
         std::initializer_list<std::pair<std::string, std::string>>{{"$NAME", nameOf(contract)},
                                                                    {"$TYPE", says.type(element)},
                                                                    {"$WIDE", wideType(element)}})
      function = replaced(std::move(function), what, by);
    text += function;
  }
  return text;
}

std::string keepsContract(const DataContract &contract, const std::string &elements,
                          const std::string &count, const DataSpelling &says) {
  const std::string wide = wideType(contract.container->type.scalar);
  auto bound = [&](const ExprPtr &e) { return "(" + wide + ")(" + says.expression(e) + ")"; };
  return nameOf(contract) + "(" + elements + ", " + count + ", " + bound(contract.low) + ", " +
         bound(contract.high) + ")";
}

} // namespace tangram::codegen
