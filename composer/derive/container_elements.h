// The accesses of statements to one container, and its elements replaced by other expressions.
#pragma once

#include "algebra/nests.h"

#include <functional>
#include <vector>

namespace tangram::composer {

/// The accesses of `statement` to `array`.
std::vector<const algebra::NestAccess *>
accessesIn(const algebra::Nest &nest, const ir::StmtPtr &statement, const ir::VarPtr &array);

/// Whether `s` assigns an element of a container, or adds to it.
bool isStore(const ir::Stmt &s);

/// Whether both name the same element in the same rounds of all loops.
bool isSameElement(const algebra::NestAccess &a, const algebra::NestAccess &b);

/// Whether there are accesses of `statement` to the container of `element`, each of which is to that element.
bool namesOnly(const algebra::Nest &nest, const ir::StmtPtr &statement,
               const algebra::NestAccess &element);

/// The access that an expression is; null: it is none.
const algebra::NestAccess *accessOf(const algebra::Nest &nest, const ir::ExprPtr &e);

/// `statement` with `value` where it names this element.
ir::StmtPtr withElement(const algebra::Nest &nest, const ir::StmtPtr &statement,
                        const algebra::NestAccess &element, const ir::ExprPtr &value);

/// Whether `moved` may stand behind `others` as well as in front of them: they write no container, and change no
/// variable, that it uses.
bool canMoveBehind(const algebra::Nest &nest, const ir::StmtPtr &moved,
                   const std::vector<ir::StmtPtr> &others);

} // namespace tangram::composer
