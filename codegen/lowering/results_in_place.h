// Containers that are built where they are copied to.
//
//   Array<1, float> t(n);                          part = slice(out, a, b)
//   t = map(f, in);                          ->    part = map(f, in)
//   copy(t, slice(out, a, b));
//
// As array short-circuiting does it (Munksgaard 2023, chapter 6; notes/index-functions-and-dispatch.md
// 1.6), but asked of the statements of a codelet: their containers are windows there, whose elements are
// known, and no plan has cut them up yet. Here is what the form of the statements says; what depends on
// which memory is meant, lowering asks where the container is first used (instantiate_in_place.cpp).
#pragma once

#include "ir/program.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace tangram::codegen {

/// All elements of one container become those of another one of the same type: `to[i][j] = from[i][j]`.
struct ContainerCopy {
  ir::ExprPtr from, to;
};

/// What a statement of a codelet copies: a loop over all elements, or a call of a spectrum whose meaning is
/// such a loop. Nothing where it does anything else, or may. That the two have the same extents it does
/// not say.
std::optional<ContainerCopy> copyOf(const ir::Program &program, const ir::Stmt &s);

/// Where a local container can be built, as far as the form of the statements goes.
struct PlaceOfResult {
  std::size_t firstUse = 0; ///< number of the first statement that mentions the container
  std::size_t copy = 0;     ///< number of the statement that copies it, which is not needed then
  ir::ExprPtr destination;  ///< means the same before `firstUse` as at the copy
};

/// Of the container that statement `declared` of a block declares. Its elements go from memory of its own to
/// `destination`, all of them and at every run of the block, and are not looked at afterwards.
std::optional<PlaceOfResult> placeOfResult(const ir::Program &program,
                                           const std::vector<ir::StmtPtr> &statements,
                                           std::size_t declared);

/// The same of a container that rounds exchange with another local one of the block: after an even number of
/// rounds it is what is copied, and so it is the other one after an odd number where the two begin exchanged.
struct ExchangedResult {
  PlaceOfResult place;   ///< `firstUse` is that of either one
  std::size_t other = 0; ///< number of the statement that declares the other one
  std::vector<ir::StmtPtr>
      rounds; ///< loops, in each round of which the two are exchanged once, at its end
};
std::optional<ExchangedResult> placeOfExchanged(const ir::Program &program,
                                                const std::vector<ir::StmtPtr> &statements,
                                                std::size_t declared);

/// Whether `e` names a container, or a part of one by numbers alone: nothing in it reads an element or makes
/// one.
bool namesPart(const ir::ExprPtr &e);

/// Whether a statement does nothing but to name a part of a container.
bool namesView(const ir::Stmt &s);

} // namespace tangram::codegen
