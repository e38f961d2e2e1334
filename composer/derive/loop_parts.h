// Parts of a loop's rounds whose results are put together afterwards: what each part is given, and how many rounds there are.
#pragma once

#include "composer/derive/loop_form.h"

#include <functional>
#include <string>

namespace tangram::composer {

/// ", rows(x, p), all(y)": the arguments of a map over `number` parts of the form's only blocked loop, whose nest is `own`.
/// `resultOf`: the container in which results of all parts lie, by the parameter that is one part's; null: it is none.
std::string argumentsOfParts(const LoopForm &form, const algebra::Nest &own,
                             const std::string &number,
                             const std::function<ir::VarPtr(const ir::VarPtr &)> &resultOf);

/// "rows * columns": the rounds of these loops together, without those whose number depends on other loops.
std::string totalRounds(const algebra::Nest &own, const std::vector<int> &loops);

} // namespace tangram::composer
