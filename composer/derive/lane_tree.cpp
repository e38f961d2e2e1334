#include "composer/derive/lane_tree.h"

#include "composer/derive/source_text.h"

#include <algorithm>

namespace tangram::composer {

namespace {

using ir::ExprPtr;

std::string at(const std::string &array, const std::string &lane) {
  return array + "[" + lane + "]";
}

} // namespace

std::string LaneTree::noRound(const Update &update) {
  return update.isLast ? "-1l" : "9223372036854775807l";
}

std::vector<std::string> LaneTree::arraysOf(const Update &update) {
  std::map<ir::Scalar, std::size_t> used;
  std::vector<std::string> names;
  const auto take = [&](ir::Scalar type) {
    std::vector<std::string> &arrays = arrays_[type];
    const std::size_t number = used[type]++;
    if (arrays.size() <= number)
      arrays.push_back(
          fresh_(arrays_.size() == 1 && number == 0 ? "parts" : "parts_" + ir::shortName(type)));
    names.push_back(arrays[number]);
  };
  for (const ir::VarPtr &var : update.variables())
    take(var->type.scalar == ir::Scalar::Index ? ir::Scalar::U64 : var->type.scalar);
  if (!update.places.empty())
    take(ir::Scalar::I64);
  return names;
}

std::string LaneTree::tree(const Update &update, const Found &found, unsigned indent) {
  const std::vector<std::string> arrays = arraysOf(update);
  if (step_.empty())
    step_ = fresh_("step");
  std::vector<std::string> own = found.names;
  if (!update.places.empty())
    own.push_back(found.round);
  const std::string in = indentation(indent);
  std::string text;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    text += in + at(arrays[i], id_) + " = " + own[i] + ";\n";
  const std::string before = id_ + " - " + step_;
  text += in + "for (unsigned " + step_ + " = 1; " + step_ + " < coopDim(); " + step_ + " *= 2)" +
          (update.places.empty() ? "\n" : " {\n");
  if (update.places.empty())
    return text + in + "  if (" + id_ + " >= " + step_ + ")\n" + in + "    " + at(arrays[0], id_) +
           " = " + combined(update, at(arrays[0], before), at(arrays[0], id_)) + ";\n";
  const bool isMin = update.kind == Update::Kind::Min;
  const std::string better = isMin ? " < " : " > ";
  const std::string sooner = update.isLast ? " > " : " < ";
  text += in + "  if (" + id_ + " >= " + step_ + " && (" + at(arrays[0], before) + better +
          at(arrays[0], id_) + " || (" + at(arrays[0], before) + " == " + at(arrays[0], id_) +
          " && " + at(arrays.back(), before) + sooner + at(arrays.back(), id_) + "))) {\n";
  for (const std::string &array : arrays)
    text += in + "    " + at(array, id_) + " = " + at(array, before) + ";\n";
  return text + in + "  }\n" + in + "}\n";
}

std::string LaneTree::text(const Update &update, const Found &found,
                           const std::vector<std::string> &into, unsigned indent) {
  const std::vector<std::string> arrays = arraysOf(update);
  const std::string last = "coopDim() - 1";
  std::vector<ExprPtr> all, part;
  const std::vector<ir::VarPtr> variables = update.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    all.push_back(named(into[i], variables[i]->type));
    part.push_back(named(at(arrays[i], last), variables[i]->type));
  }
  // Without a round there is nothing to combine, not even an element that is equal.
  const ExprPtr anyRound =
      update.places.empty() || !update.isLast
          ? nullptr
          : ir::binary(">=", named(at(arrays.back(), last), ir::scalarType(ir::Scalar::I64)),
                       ir::intLiteral(0, ir::Scalar::I32));
  return tree(update, found, indent) + sourceOf(combining(update, all, part, anyRound), indent);
}

std::string LaneTree::result(const Update &update) { return resultOf(update, "coopDim() - 1"); }

std::string LaneTree::resultOf(const Update &update, const std::string &lane) {
  return at(arraysOf(update).front(), lane);
}

std::string LaneTree::declarations() const {
  std::string text;
  for (const auto &[type, names] : arrays_) {
    for (const std::string &name : names)
      text += "  __shared " + ir::spelling(ir::scalarType(type)) + " " + name + "[coopDim()];\n";
  }
  return text;
}

} // namespace tangram::composer
