#include "codegen/index_function.h"

#include "codegen/simplify.h"

namespace tangram::codegen {

using namespace ir;

View wholeBuffer(const VarPtr &buffer, const std::vector<ExprPtr> &extents) {
  View view{buffer, intLiteral(0), {}};
  ExprPtr stride = intLiteral(1);
  for (std::size_t d = extents.size(); d-- > 0;) {
    view.dims.insert(view.dims.begin(), Dimension{extents[d], stride, extents[d]});
    stride = mul(extents[d], stride);
  }
  return view;
}

ExprPtr positionOf(const View &view, const std::vector<ExprPtr> &indexes) {
  ExprPtr position = view.offset;
  for (std::size_t d = 0; d < indexes.size(); ++d)
    position = add(position, mul(cast(Scalar::Index, indexes[d]), view.dims[d].stride));
  return position;
}

ExprPtr elementOf(const View &view, const std::vector<ExprPtr> &indexes) {
  return index(varRef(view.buffer), {positionOf(view, indexes)});
}

ExprPtr Sequence::at(const ExprPtr &i) const {
  ExprPtr value = add(start, mul(i, inc));
  return dataDependent ? cast(Scalar::Index, elementOf(container, {value})) : value;
}

PartBounds boundsOf(const Parts &parts, const ExprPtr &i) {
  return {parts.start.at(i), parts.inc.at(i), minOf(parts.end.at(i), parts.base.dims[0].extent)};
}

ExprPtr extentOf(const PartBounds &bounds) {
  return ceilDiv(sub(maxOf(bounds.end, bounds.first), bounds.first), bounds.inc);
}

ExprPtr extentBoundOf(const Parts &parts) {
  const ExprPtr &size = parts.base.dims[0].bound;
  bool affine = !parts.start.dataDependent && !parts.end.dataDependent &&
                !parts.inc.dataDependent && isLiteral(parts.inc.inc, 0);
  if (!affine)
    return size;
  // Part i may hold end(i) - start(i) positions: the same number for every i when
  // both sequences advance alike, at most those of part 0 when end does not advance.
  ExprPtr positions = size;
  if (sameExpr(parts.start.inc, parts.end.inc))
    positions = minOf(isLiteral(parts.start.start, 0) ? parts.end.start
                                                      : sub(parts.end.start, parts.start.start),
                      size);
  else if (isLiteral(parts.end.inc, 0) && isLiteral(parts.start.start, 0))
    positions = minOf(parts.end.start, size);
  return ceilDiv(positions, parts.inc.start);
}

View partView(const Parts &parts, const PartBounds &bounds, const ExprPtr &extent) {
  const Dimension &whole = parts.base.dims[0];
  return {parts.base.buffer,
          add(parts.base.offset, mul(bounds.first, whole.stride)),
          {Dimension{extent, mul(bounds.inc, whole.stride), extentBoundOf(parts)}}};
}

} // namespace tangram::codegen
