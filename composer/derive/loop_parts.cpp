#include "composer/derive/loop_parts.h"

#include "composer/derive/blocks.h"
#include "composer/derive/source_text.h"

namespace tangram::composer {

std::string argumentsOfParts(const LoopForm &form, const algebra::Nest &own,
                             const std::string &number,
                             const std::function<ir::VarPtr(const ir::VarPtr &)> &resultOf) {
  const LoopForm::Loop &cut = form.loops.front();
  const algebra::NestLoop &loop = own.loops[static_cast<std::size_t>(cut.blocked.loop)];
  const std::string rounds = naturalText(own, loop.end - loop.first);
  std::string text;
  for (std::size_t i = 0; i < form.params.size(); ++i) {
    const ir::VarPtr &param = form.params[i];
    const std::string name = form.arguments.empty() ? param->name : form.arguments[i];
    text += ", ";
    if (const ir::VarPtr result = resultOf(param))
      text += result->name;
    else if (const LoopWindow *window = cut.blocked.windowOf(param.get()); window != nullptr)
      text += blocksOf(*window, name, true, number);
    else if (param == cut.origin)
      text += "sequence(" + name + ", (" + rounds + " + " + number + " - 1) / " + number + ", " +
              name + " + " + rounds + " + " + number + ")";
    else
      text += param->type.isContainer() ? "all(" + name + ")" : name;
  }
  return text;
}

std::string totalRounds(const algebra::Nest &own, const std::vector<int> &loops) {
  std::string text;
  for (const int each : loops) {
    const algebra::NestLoop &loop = own.loops[static_cast<std::size_t>(each)];
    if (loop.endDependsOnCounters || loop.leavesEarly)
      continue;
    text += (text.empty() ? "" : " * ") + asFactor(naturalText(own, loop.end - loop.first));
  }
  return text;
}

} // namespace tangram::composer
