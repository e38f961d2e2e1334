// The forms that a plan goes through on its way to a printer, from first to last.
#pragma once

namespace tangram::codegen {

enum class Form {
  Padded, ///< array form, as it was lowered: windows of arrays, some of them continued past their ends
  Windowed, ///< array form: elements past the ends of arrays are choices of elements that there are
  Plain,    ///< array form: no Window and no Copy statement is left
  Placed,   ///< array form: no Allocate is left, each array is a buffer or a variable
  Flat,     ///< kernel form: one subscript an access, a position in memory
  Expanded, ///< kernel form: what a worker declares is its own and visible in its own block alone
  Synchronized, ///< kernel form: barriers stand where the workers of a group wait for each other
};

/// Whether accesses have a subscript for each dimension of their array.
constexpr bool isArrayForm(Form form) { return form < Form::Flat; }

/// "flat".
const char *nameOf(Form form);

} // namespace tangram::codegen
