#include "driver/choosing/asked_sizes.h"

#include "algebra/simplify.h"
#include "ir/diagnostic.h"

#include <algorithm>
#include <map>

namespace tangram::driver {

namespace {

/// How many extents may be given of a container, an extent or an integer.
struct Extents {
  std::size_t fewest = 1, most = 1;
};

ir::ExprPtr withoutCasts(ir::ExprPtr e) {
  while (e->kind == ir::ExprKind::Cast)
    e = e->args[0];
  return e;
}

/// Whether a codelet requires one number of this dimension of its parameter, as of the components of a vector.
bool isKnown(const ir::Codelet &codelet, std::size_t parameter, unsigned dimension) {
  return std::ranges::any_of(codelet.body->children, [&](const ir::StmtPtr &s) {
    if (s->kind != ir::StmtKind::Require || s->value->kind != ir::ExprKind::Binary ||
        s->value->op != "==")
      return false;
    const auto isThis = [&](const ir::ExprPtr &e) {
      return e->kind == ir::ExprKind::Size && e->args[0]->var == codelet.params[parameter] &&
             e->integer == dimension;
    };
    const ir::ExprPtr left = withoutCasts(s->value->args[0]);
    const ir::ExprPtr right = withoutCasts(s->value->args[1]);
    return (isThis(left) && ir::literalValue(algebra::simplify(right))) ||
           (isThis(right) && ir::literalValue(algebra::simplify(left)));
  });
}

Extents extentsOf(const ir::Spectrum &spectrum, std::size_t parameter) {
  const unsigned rank = spectrum.params[parameter]->type.rank;
  unsigned fewest = rank;
  while (fewest > 1 && std::ranges::any_of(spectrum.codelets, [&](const ir::Codelet &codelet) {
           return isKnown(codelet, parameter, fewest - 1);
         }))
    --fewest;
  return {fewest, rank};
}

/// Containers and integers, then extents, by name.
std::vector<std::pair<std::string, Extents>> namesOf(const ir::Spectrum &spectrum) {
  std::vector<std::pair<std::string, Extents>> names, extents;
  for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
    const ir::VarPtr &p = spectrum.params[i];
    const unsigned rank = p->type.rank;
    if (rank > 0)
      names.emplace_back(p->name, extentsOf(spectrum, i));
    else if (ir::isInteger(p->type.scalar))
      names.emplace_back(p->name, Extents{});
    for (unsigned d = 0; d < rank; ++d)
      extents.emplace_back(p->name + "_size" + (rank == 1 ? "" : std::to_string(d)), Extents{});
  }
  names.insert(names.end(), extents.begin(), extents.end());
  return names;
}

std::string unknownName(const ir::Spectrum &spectrum, const std::string &option,
                        const std::string &name,
                        const std::vector<std::pair<std::string, Extents>> &known) {
  std::vector<std::string> names;
  std::string list;
  for (const auto &[each, extents] : known) {
    names.push_back(each);
    list += (list.empty() ? "" : ", ") + each;
  }
  const std::string meant = ir::nearest(name, names);
  return option + ": " + spectrum.name + " has no container, extent or integer '" + name +
         (meant.empty() ? "', only " + list : "'; did you mean " + meant + "?");
}

} // namespace

std::string problemOfSizes(const ir::Spectrum &spectrum,
                           const std::vector<runtime::SizeChoice> &sizes) {
  const auto known = namesOf(spectrum);
  for (const runtime::SizeChoice &choice : sizes) {
    for (const auto &[name, shape] : choice.named) {
      const auto found =
          std::ranges::find(known, name, [](const auto &each) { return each.first; });
      if (found == known.end())
        return unknownName(spectrum, choice.option, name, known);
      if (std::string problem =
              runtime::problemOfShape(choice, name, found->second.fewest, found->second.most);
          !problem.empty())
        return problem;
    }
  }
  return "";
}

} // namespace tangram::driver
